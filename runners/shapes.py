"""What keys look like: one row for each kind of key that its issuer writes with a prefix or a fixed structure.

Each row has the literal text that its keys begin with, or hold after a separator (its anchors: what a clean line is
searched for), and the exact shape. Lengths are at or a little below those that the issuers document, so that a key
that was cut is still found. Shapes are of bytes, because a line of a log is bytes and so is a Parquet file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where a secret stands in the bytes that were searched, and what it is called."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of key: how it is called in a finding, and what it looks like."""

    kind: str
    pattern: re.Pattern[bytes]


T = "[A-Za-z0-9_-]"
A = "[A-Za-z0-9]"
H = "[0-9a-f]"
END = "(?![A-Za-z0-9])"
# Prose has `sk-learn-compatible-estimators`: a key has capitals or digits, or is longer than any word.
RANDOM = "(?=[a-z_-]{0,99}[A-Z0-9])"

_ROWS: list[tuple[str, str, str]] = [
    # kind, anchors, shape
    ("an Anthropic API key", "sk-", rf"sk-ant-(?!admin|oat|ort){T}{{16,}}"),
    ("an Anthropic admin key", "sk-", rf"sk-ant-admin{T}{{14,}}"),
    ("an Anthropic OAuth token", "sk-", rf"sk-ant-o[ar]t{T}{{14,}}"),
    ("an OpenRouter key", "sk-", rf"sk-or-{T}{{16,}}"),
    ("a Nous key", "sk-", rf"sk-nous-{T}{{16,}}"),
    ("an OpenAI key", "sk-", rf"sk-(?:proj|svcacct|service|admin|None)-{T}{{16,}}"),
    ("a Langfuse key", "sk-", rf"sk-lf-{H}{{8}}-{T}{{16,}}"),
    ("an OpenAI-style key (sk-…)", "sk-", rf"sk-(?!x+{END})(?:(?=[a-z]{{0,99}}[A-Z0-9]){A}{{16,}}|[a-z]{{28,}})"),
    (
        "an OpenAI-style key (sk-…)",
        "sk-",
        rf"sk-(?=(?:{T}{{0,99}}?[0-9]){{2}})(?=(?:{T}{{0,99}}?[A-Z]){{2}}){T}{{20,}}",
    ),
    ("a Groq key", "gsk_", rf"gsk_{A}{{20,}}"),
    ("a Cerebras key", "csk-", rf"csk-{A}{{30,}}"),
    ("an xAI key", "xai-", rf"xai-{RANDOM}{A}{{20,}}"),
    ("an NVIDIA key", "nvapi-", rf"nvapi-{RANDOM}{T}{{30,}}"),
    ("a Google API key", "AIza", rf"AIza{T}{{30,}}"),
    ("a Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_.-]{16,}"),
    ("a Google OAuth client secret", "GOCSPX-", rf"GOCSPX-{T}{{20,}}"),
    ("a Hugging Face token", "hf_ api_org_", rf"(?:hf_|api_org_){RANDOM}{A}{{20,}}"),
    ("a Replicate token", "r8_", rf"r8_{A}{{20,}}"),
    ("a Perplexity key", "pplx-", rf"pplx-{RANDOM}{A}{{20,}}"),
    ("a Fireworks key", "fw_", rf"fw_{RANDOM}{A}{{16,}}"),
    ("a Together key", "tgp_v1_", rf"tgp_v1_{T}{{20,}}"),
    ("a LangSmith key", "lsv2_", rf"lsv2_(?:pt|sk)_{T}{{20,}}"),
    ("a Pinecone key", "pcsk_", rf"pcsk_{T}{{30,}}"),
    ("an AWS access key id", "AKIA ASIA ABIA ACCA", rf"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{{16}}{END}"),
    ("an Amazon Bedrock key", "ABSK", rf"ABSK{RANDOM}[A-Za-z0-9+/]{{30,}}"),
    ("an Amazon Bedrock key", "bedrock-api-key-", rf"bedrock-api-key-{RANDOM}[A-Za-z0-9+/_-]{{20,}}"),
    ("an Azure client secret", "", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,34}"),
    ("an Alibaba Cloud key id", "LTAI", rf"LTAI{A}{{16,20}}{END}"),
    ("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"gh[pousr]_{A}{{30,}}"),
    ("a GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
    ("a GitLab token", "glpat- gldt- glrt- glcbt- glptt- glft-", rf"gl(?:pat|dt|rt|cbt|ptt|ft)-{T}{{18,}}"),
    ("a Slack token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-", rf"xox[abeoprs]-(?={T}{{0,99}}?[0-9]){T}{{12,}}"),
    ("a Slack token", "xapp-", rf"xapp-[0-9]-{T}{{16,}}"),
    ("a Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{24,}"),
    ("a Stripe key", "sk_ rk_", rf"[sr]k_(?:live|test)_{A}{{16,}}"),
    ("a Stripe webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}"),
    ("a Twilio key", "SK", rf"SK{H}{{32}}{END}"),
    ("a SendGrid key", "SG.", rf"SG\.{T}{{16,}}\.{T}{{16,}}"),
    ("a Mailgun key", "key-", rf"key-{H}{{32}}{END}"),
    ("a Mailchimp key", "us1 us2 us3 us4 us5 us6 us7 us8 us9", rf"{H}{{32}}-us[0-9]{{1,2}}{END}"),
    ("an npm token", "npm_", rf"npm_{RANDOM}{A}{{30,}}"),
    ("a PyPI token", "pypi-AgE", rf"pypi-AgE{T}{{30,}}"),
    ("a RubyGems key", "rubygems_", rf"rubygems_{H}{{40,}}"),
    ("a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_{H}{{40,}}"),
    ("a Telegram bot token", "", rf"[0-9]{{7,12}}:A{T}{{34}}(?!{T})"),
    ("a Discord webhook", "api/webhooks/", rf"api/webhooks/[0-9]{{15,}}/{T}{{40,}}"),
    ("a Databricks token", "dapi", rf"dapi{H}{{32}}{END}"),
    ("a HashiCorp Vault token", "hvs. hvb. hvr.", rf"hv[sbr]\.{RANDOM}{T}{{20,}}"),
    ("a Terraform Cloud token", "atlasv1.", rf"{A}{{14}}\.atlasv1\.{T}{{40,}}"),
    ("a Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}"),
    ("a Linear key", "lin_api_ lin_oauth_", rf"lin_(?:api|oauth)_{A}{{30,}}"),
    ("a Notion token", "ntn_", rf"ntn_{A}{{40,}}"),
    ("a Notion token", "secret_", rf"secret_{RANDOM}{A}{{40,}}"),
    ("a Shopify token", "shpat_ shpca_ shppa_ shpss_", rf"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}{END}"),
    ("a Square token", "EAAA", rf"EAAA{T}{{56,64}}(?![A-Za-z0-9_+/-])"),
    ("a Square token", "sq0atp- sq0csp- sq0idp-", rf"sq0(?:atp|csp|idp)-{T}{{22,}}"),
    ("an Airtable token", "pat", rf"pat{A}{{14}}\.{H}{{64}}{END}"),
    ("an Atlassian token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{60,}"),
    ("a Cloudflare key", "v1.0-", rf"v1\.0-{H}{{24}}-{H}{{100,}}"),
    ("a Fly.io token", "fo1_ fm1a_ fm1r_ fm2_", r"f(?:o1|m1[ar]|m2)_[A-Za-z0-9_+/-]{40,}"),
    ("a Grafana token", "glsa_ glc_", rf"gl(?:sa|c)_{RANDOM}[A-Za-z0-9_+/]{{32,}}"),
    ("a Heroku key", "HRKU-", rf"HRKU-{T}{{30,}}"),
    ("a New Relic key", "NRAK-", rf"NRAK-{A}{{24,}}"),
    ("a PlanetScale token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{30,}"),
    ("a Postman key", "PMAK-", rf"PMAK-{H}{{24}}-{H}{{30,}}"),
    ("a Pulumi token", "pul-", rf"pul-{H}{{40}}{END}"),
    ("a Sentry token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/_=-]{40,}"),
    ("a Supabase key", "sbp_ sb_secret_", rf"(?:sbp_{H}{{40}}|sb_secret_{T}{{20,}})"),
    ("a 1Password token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{60,}"),
    ("an age secret key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}"),
    ("a PuTTY private key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[0-9]: "),
    ("a JSON Web Token", "eyJ", rf"eyJ{T}{{8,999}}\.eyJ{T}{{8,}}\.{T}{{10,}}"),
    ("a Discord bot token", "", rf"[MNO]{T}{{22,27}}\.{T}{{6}}\.{T}{{27,}}"),
]

KINDS = tuple(dict.fromkeys(kind for kind, _, _ in _ROWS))
DASHES = bytes.maketrans(b"_", b"-")
"""Makes a word boundary of every place where a key can begin."""


def _by_anchor() -> Mapping[bytes, tuple[Shape, ...]]:
    found: dict[bytes, tuple[Shape, ...]] = {}
    for kind, anchors, shape in _ROWS:
        compiled = Shape(kind, re.compile(shape.encode()))
        for anchor in anchors.encode().translate(DASHES).split() or [b""]:
            found[anchor] = (*found.get(anchor, ()), compiled)
    return found


def _trie(words: Iterable[bytes]) -> bytes:
    """One regex for all words, branching letter by letter: the engine tries a branch only where its letter is."""
    heads: dict[bytes, list[bytes]] = {}
    for word in words:
        heads.setdefault(word[:1], []).append(word[1:])
    if b"" in heads:  # a word ends here: what follows adds nothing
        return b""
    branches = [re.escape(head) + _trie(tails) for head, tails in heads.items()]
    return branches[0] if len(branches) == 1 else b"(?:" + b"|".join(branches) + b")"


SHAPES = _by_anchor()
"""Anchor -> the shapes that hold it; b"" -> the shapes without literal text, which ANCHOR's `loose` hints at."""
# The last letters of an escape (`\n`, `\u0022`, `%3D`) may stand right before a key.
ANCHOR = re.compile(
    rb"\b(?:[bfnrt]|u[0-9A-Fa-f]{4}|[2-7][0-9A-Fa-f])?(?:(?P<anchor>%s)"
    rb"|(?P<loose>(?<=[0-9]:)A|(?<=[0-9]Q)~|(?=\.?[A-Za-z0-9-]{6}\.[A-Za-z0-9-]{20})))"
    % _trie(anchor for anchor in SHAPES if anchor)
)
"""Where a key may be, in text that went through DASHES."""
_ESCAPE_BEFORE = re.compile(rb"(?:\\(?:[bfnrt]|u[0-9A-Fa-f]{4})|%[0-9A-Fa-f]{2})\Z")
_REST = re.compile(rb"(?:[A-Za-z0-9_+/=~%-]|[.:](?=[A-Za-z0-9_-])|\\/|\\u002[bBfF]|\\u003[dD]){0,4096}")


def shaped(raw: bytes, tokens: bytes) -> Iterator[Span]:
    """The keys in `raw` whose anchors are in `tokens`, the long runs of it."""
    anchors = {match["anchor"] or b"" for match in ANCHOR.finditer(tokens)}
    for shape in (shape for anchor in anchors for shape in SHAPES[anchor]):
        for match in shape.pattern.finditer(raw):
            if begins(raw, match.start()):
                yield Span(match.start(), whole(raw, match.end()), shape.kind)


def begins(raw: bytes, start: int) -> bool:
    """Whether a key can begin here: not within a word, but after an escape, whose last letter is none of the key."""
    before = raw[start - 1 : start]
    return not before.isalnum() or bool(_ESCAPE_BEFORE.search(raw[max(0, start - 6) : start]))


def whole(raw: bytes, end: int) -> int:
    """Where the token ends that a shape ends in: no part of a key may stay behind."""
    rest = _REST.match(raw, end)
    return rest.end() if rest else end

"""The gate before what is published: every kind of key is found wherever it stands, and prose passes.

The keys are put together here when the tests run, from letters that a seed draws: the repository itself holds no text
that looks like a key, which hosting sites would refuse.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from runners import secrets, shapes
from runners.errors import LogError

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
RANDOM = random.Random(20261130)


def some(count: int, alphabet: str = LETTERS) -> str:
    """Random letters with at least a digit, a capital and a small letter among the first four, if the alphabet has."""
    first = [kind for kind in ("7", "Q", "v", "4") if kind in alphabet]
    return "".join(first) + "".join(RANDOM.choices(alphabet, k=count - len(first)))


def text64(text: str) -> str:
    return "ey" + "J" + some(30) if not text else "ey" + "J" + text


CAPITALS = string.ascii_uppercase + "234567"
PLANTED = {
    "an Anthropic API key": "sk-" + "ant-api03-" + some(93) + "AA",
    "an Anthropic admin key": "sk-" + "ant-admin01-" + some(93) + "AA",
    "an Anthropic OAuth token": "sk-" + "ant-oat01-" + some(93) + "AA",
    "an OpenRouter key": "sk-" + "or-v1-" + some(64, HEX),
    "a Nous key": "sk-" + "nous-" + some(32),
    "an OpenAI key": "sk-" + "proj-" + some(74) + "T3Blbk" + some(74),
    "an OpenAI key of a service": "sk-" + "svcacct-" + some(120),
    "an OpenAI key of old": "sk-" + some(48),
    "a DeepSeek key": "sk-" + some(32, HEX),
    "a Langfuse key": "sk-" + "lf-" + "-".join(some(n, HEX) for n in (8, 4, 4, 4, 12)),
    "a Groq key": "gs" + "k_" + some(52),
    "a Cerebras key": "cs" + "k-" + some(48),
    "an xAI key": "xa" + "i-" + some(80),
    "an NVIDIA key": "nv" + "api-" + some(64),
    "a Google API key": "AI" + "za" + some(35),
    "a Google OAuth token": "ya" + "29." + some(120),
    "a Google OAuth client secret": "GOC" + "SPX-" + some(28),
    "a Hugging Face token": "h" + "f_" + some(34),
    "a Replicate token": "r" + "8_" + some(37),
    "a Perplexity key": "pp" + "lx-" + some(48),
    "a Fireworks key": "f" + "w_" + some(24),
    "a Together key": "tg" + "p_v1_" + some(43),
    "a LangSmith key": "ls" + "v2_pt_" + some(32, HEX) + "_" + some(10, HEX),
    "a Pinecone key": "pc" + "sk_" + some(60),
    "an AWS access key id": "AK" + "IA" + some(16, CAPITALS),
    "an AWS session key id": "AS" + "IA" + some(16, CAPITALS),
    "an Amazon Bedrock key": "AB" + "SK" + some(128),
    "an Amazon Bedrock key for a while": "bedrock-" + "api-key-" + some(200),
    "an Azure client secret": "aB3" + "8" + "Q~" + some(34),
    "an Alibaba Cloud key id": "LT" + "AI" + some(20),
    "a GitHub token": "gh" + "p_" + some(36),
    "a GitHub token of an app": "gh" + "s_" + some(36),
    "a GitHub token, fine": "github_" + "pat_" + some(22) + "_" + some(59),
    "a GitLab token": "gl" + "pat-" + some(20),
    "a Slack token": "xo" + "xb-" + some(12, string.digits) + "-" + some(12, string.digits) + "-" + some(24),
    "a Slack webhook": "hooks.slack" + ".com/services/T" + some(8) + "/B" + some(8) + "/" + some(24),
    "a Stripe key": "sk_" + "live_" + some(24),
    "a Stripe key, restricted": "rk_" + "live_" + some(24),
    "a Stripe webhook secret": "wh" + "sec_" + some(32),
    "a Twilio key": "S" + "K" + some(32, HEX),
    "a SendGrid key": "S" + "G." + some(22) + "." + some(43),
    "a Mailgun key": "ke" + "y-" + some(32, HEX),
    "a Mailchimp key": some(32, HEX) + "-us" + "14",
    "an npm token": "np" + "m_" + some(36),
    "a PyPI token": "pyp" + "i-AgEI" + some(100),
    "a RubyGems key": "ruby" + "gems_" + some(48, HEX),
    "a DigitalOcean token": "do" + "p_v1_" + some(64, HEX),
    "a Telegram bot token": some(10, string.digits) + ":A" + "A" + some(33),
    "a Discord webhook": "api" + "/webhooks/" + some(18, string.digits) + "/" + some(68),
    "a Discord bot token": "M" + some(23) + "." + some(6) + "." + some(38),
    "a Databricks token": "da" + "pi" + some(32, HEX),
    "a HashiCorp Vault token": "hv" + "s." + some(24),
    "a Terraform Cloud token": some(14) + ".atlas" + "v1." + some(64),
    "a Doppler token": "d" + "p.pt." + some(43),
    "a Linear key": "lin_" + "api_" + some(40),
    "a Notion token": "nt" + "n_" + some(46),
    "a Notion token of old": "sec" + "ret_" + some(43),
    "a Shopify token": "shp" + "at_" + some(32, HEX),
    "a Square token": "EA" + "AA" + some(60),
    "an Airtable token": "pa" + "t" + some(14) + "." + some(64, HEX),
    "an Atlassian token": "ATA" + "TT3" + some(186),
    "a Fly.io token": "fo" + "1_" + some(43),
    "a Grafana token": "gl" + "sa_" + some(32) + "_" + some(8, HEX),
    "a Heroku key": "HR" + "KU-" + some(60),
    "a New Relic key": "NR" + "AK-" + some(27, CAPITALS),
    "a PlanetScale token": "psc" + "ale_tkn_" + some(43),
    "a Postman key": "PM" + "AK-" + some(24, HEX) + "-" + some(34, HEX),
    "a Pulumi token": "pu" + "l-" + some(40, HEX),
    "a Sentry token": "snt" + "ryu_" + some(64, HEX),
    "a Supabase key": "sb" + "p_" + some(40, HEX),
    "a 1Password token": "op" + "s_eyJ" + some(250),
    "an age secret key": "AGE-SECRET" + "-KEY-1" + some(58, CAPITALS),
    "a JSON Web Token": text64(some(34)) + "." + text64(some(80)) + "." + some(43),
}
CONTEXTS = {
    "prompt": "Question: what does {} open?\n\nThe value was read from AWS.",
    "reply": "I looked it up ({}), and I keep to it.\n\nANSWER: 10",
    "header": "POST /v1/chat HTTP/1.1\r\nX-Anything: {}\r\nAccept: */*",
    "query": "GET /v1?q=1%3D{}&page=abcdef.x HTTP/1.1",
    "after a dot": "config.api.v2.{} is set",
    "error body": '{{"error":{{"message":"Incorrect key provided: {}. See the page.","code":401}}}}',
}
NAMED = {
    "a bearer token": ("Authorization: Bearer ", some(40)),
    "a bearer token of small letters": ("authorization: bearer ", "f" + some(39, string.ascii_lowercase)),
    "a password in a header": ("Authorization: Basic ", "dXNl" + "cjpwYXNz"),
    "a proxy's password": ("Proxy-Authorization: Basic ", "dXNl" + "cjpwYXNzd29yZA=="),
    "a header in capitals": ("HTTP_AUTHORIZATION=Bearer ", some(32)),
    "an API key in a header": ("x-api-key: ", some(24)),
    "an API key in Azure's header": ("api-key: ", some(32, HEX)),
    "an API key in Google's header": ("x-goog-api-key: ", some(39)),
    "a header of JSON": ('{"Authorization": "Bearer ', some(40)),
    "a header of JSON, an API key": ('"X-Api-Key":"', some(32)),
    "a header of Python": ("{'authorization': 'Bearer ", some(40)),
    "a header in a list": ('["authorization", "Bearer ', some(40)),
    "a header in pairs of bytes": ("(b'x-api-key', b'", some(40)),
    "a cookie": ("Cookie: theme=dark; session=", "s3cr" + some(12)),
    "a cookie that is set": ("Set-Cookie: sid=", some(26)),
    "an AWS secret key": ("aws_secret_access_key = ", some(20) + "/" + some(19)),
    "an AWS secret key in JSON": ('"SecretAccessKey": "', some(18) + "+" + some(21)),
    "an AWS session token": ("x-amz-security-token: ", some(300)),
    "an AWS session token in a variable": ("AWS_SESSION_TOKEN=", some(300)),
    "an AWS signature": ("&X-Amz-Signature=", some(64, HEX)),
    "an Azure storage key": ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", some(86) + "=="),
    "a Mistral key": ("MISTRAL_API_KEY=", some(32)),
    "a Cohere key": ("my cohere key is ", some(40)),
    "a Together key of old": ("TOGETHER_API_KEY='", some(64, HEX)),
    "a password in a URL": ("postgresql://app:", "hun" + "ter2x"),
    "a password in a URL with https": ("https://alice:", "c0rrect" + "horse"),
}
NAMED_ENDS = {"a password in a URL": "@db.internal:5432/app", "a password in a URL with https": "@example.org/x"}
PEM_BODY = [some(64) for _ in range(6)] + [some(20) + "=="]
PEMS = ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "]


def pem(kind: str) -> str:
    block = " BLOCK" if kind == "PGP " else ""
    head = "Version: GnuPG v2\n\n" if block else "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n"
    marks = ("-----BEGIN ", "-----END ")
    first, last = (f"{mark}{kind}PRIVATE " + f"KEY{block}-----" for mark in marks)
    return "\n".join([first, head + PEM_BODY[0] if kind in ("RSA ", "PGP ") else PEM_BODY[0], *PEM_BODY[1:], last])


def line(text: str, field: str = "text") -> str:
    """A line of a log as `encode_line` writes it."""
    return json.dumps(
        {"v": 2, "run": "r", "seq": 3, "prev": "5" * 64, "event": "call", field: text, "settings": {"max_tokens": 600}},
        ensure_ascii=False,
        separators=(",", ":"),
    )


def forms(text: str) -> Iterator[tuple[str, str]]:
    """The text plain, in a line of a log, in JSON within a line of a log, and with more escapes than are needed."""
    yield "plain", text
    yield "line", line(text)
    yield "twice", line(line(text))
    yield "quotes", line('{"m":"\\u0022' + json.dumps(text)[1:-1] + '\\u0022"}')
    yield "ascii", line(json.dumps({"é": f"é\x1b{text}"}))


def assert_found_and_redacted(text: str, value: str) -> None:
    for form, whole in forms(text):
        found = secrets.find(whole)
        assert found, form
        # Every five characters of the value, but for those of words ("admin", "secre") of the finding or the text.
        words = " ".join((*shapes.KINDS, "the value of a header [secret]", whole.replace(value, ""))).lower()
        pieces = [piece for i in range(len(value) - 4) if (piece := value[i : i + 5]).lower() not in words]
        assert pieces
        assert [piece for piece in pieces if piece in found] == [], form
        left = secrets.redact(whole)
        assert "[secret]" in left
        assert [piece for piece in pieces if piece in left] == [], form
        assert secrets.find(left) is None, form


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("kind", PLANTED)
def test_every_shape_is_found_in_every_place_and_taken_out_whole(kind: str, context: str) -> None:
    assert_found_and_redacted(CONTEXTS[context].format(PLANTED[kind]), PLANTED[kind])


def test_every_kind_of_the_table_is_planted_or_near_one_that_is() -> None:
    said = [secrets.find(value) or "" for value in PLANTED.values()]
    missing = {kind for kind in shapes.KINDS if not any(kind in each for each in said)}
    assert missing <= {"a Cloudflare key", "a PuTTY private key"}
    assert len(shapes.KINDS) >= 40


def test_no_anchor_begins_with_another() -> None:
    anchors = sorted(anchor for anchor in shapes.SHAPES if anchor)
    assert [pair for pair in pairwise(anchors) if pair[1].startswith(pair[0])] == []


def test_a_finding_says_which_kind_and_where() -> None:
    value = PLANTED["a GitHub token"]
    assert secrets.find(f"né {value}") == "a GitHub token at character 3 of the line"


@pytest.mark.parametrize("kind", NAMED)
def test_what_has_no_shape_is_found_by_its_name(kind: str) -> None:
    name, value = NAMED[kind]
    end = NAMED_ENDS.get(kind, '"}' if '"' in name else "'" if "'" in name else "\nand more")
    assert_found_and_redacted(f"see:\n{name}{value}{end}", value)


@pytest.mark.parametrize("kind", PEMS)
def test_a_private_key_is_found_and_taken_out_to_its_end(kind: str) -> None:
    text = f"Here it is:\n{pem(kind)}\nand so on"
    for form, whole in forms(text):
        assert "a private key block" in (secrets.find(whole) or ""), form
        left = secrets.redact(whole)
        assert not any(body in left for body in PEM_BODY), form
        assert "Here it is" in left
        assert "and so on" in left


def test_a_private_key_that_is_cut_is_found() -> None:
    whole = pem("")
    assert secrets.find(whole[:90])
    assert PEM_BODY[1][:5] not in secrets.redact(whole[: len(whole) // 2])
    assert secrets.find(whole.splitlines()[0] + "\n")


FALSE_POSITIVES = [
    "The quota for concurrent Lambda executions in us-east-1 is 1000, not 10; see AWS Service Quotas L-B99A9384.",
    "We fit it with sk-learn, and sk-learn-compatible-estimators-and-pipelines are task-oriented-dialogue systems.",
    "Send Authorization: Bearer <token> or `Authorization: Bearer $TOKEN` or Authorization: Bearer YOUR_API_KEY_HERE.",
    "Authorization: Bearer tokens are required, and Authorization: permissions are checked. Authorization: Basic Auth",
    '{"Authorization": "Bearer {token}", "X-Api-Key": "${API_KEY}", "api-key": "<your-key>", "Cookie": "a=<b>"}',
    "His password: hunter2, he said; the password is correct. Bearer authentication is a scheme, bearer bonds another.",
    "Set-Cookie: id=a3fWa; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Max-Age=2592000; Path=/docs/v1; Secure",
    '"prev":"' + some(64, HEX) + '","prompt_sha256":"' + some(64, HEX) + '","spec_sha256":"' + some(64, HEX) + '"',
    "commit 601424b0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6, receipts r-1a2b3c4d and r-5e6f7a8b, key r-1a2b3c4d",
    "iVBORw0KGgo" + some(200) + "== is an image, " + some(60) + "/" + some(60) + "+" + some(20) + " a digest",
    "123e4567-e89b-12d3-a456-426614174000 is a UUID; clientToken: 123e4567-e89b-12d3-a456-426614174000",
    '{"type":"object","properties":{"token":{"type":"string"},"secret":{"type":"string"}},"required":["token"]}',
    '"next_token": "' + some(80) + '", "eos_token": "<|endoftext|>", "max_tokens": 16000, "usage": {"input": 10}',
    "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/MyDatabase-a1B2c3 holds it",
    "arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab is a key of KMS",
    "See https://docs.aws.amazon.com/bedrock/latest/userguide/model-card-moonshot-ai-kimi-k3.html @ page 3",
    "http://127.0.0.1:8080/v1 and https://user@example.org and mail me at a@example.org: https://x.org:80/p",
    "token = tokenizer_from_pretrained_v2(name); api_key=os.environ['OPENAI_API_KEY']; apiKey: process.env.API_KEY_1",
    "A file that begins with -----BEGIN " + "PRIVATE KEY----- is a private key; do not paste it.",
    "model local:smollm2-135m, scripted:persuader, bedrock:anthropic.claude-haiku-4-5-20251001-v1:0, hf_hub_download",
    "sk-" + "x" * 40 + " stands for a key, and so do ghp_… and AKIA… and xoxb-your-token-here and eyJ….eyJ….sig",
    "at 2026-11-30T02:39:24.796Z run 20261130t021811z-648175 verified-2-s00-a1 sha256:" + some(64, HEX),
    "S3BucketOptimization, DisasterRecoveryPlanning2026Overview, GlobalAcceleratorEndpointGroups42AndMore",
    'claims: [{"config":[2,9,8,0,0,2],"score":96.0,"receipt":"r-0a1b2c3d"}] agent_7 -> board, round 5',
]


@pytest.mark.parametrize("text", FALSE_POSITIVES)
def test_prose_passes(text: str) -> None:
    for form, whole in forms(text):
        assert secrets.find(whole) is None, form
        assert secrets.redact(whole) == whole


def test_committed_logs_pass(repository: Path) -> None:
    paths = sorted(path.relative_to(repository) for path in (repository / "runs").rglob("*") if path.is_file())
    assert len(paths) > 400
    secrets.gate(repository, paths)


ENVIRONMENT_NAMES = [
    "SOME_API_KEY",
    "HUB_TOKEN",
    "MY_SECRET",
    "SECRET_SAUCE",
    "DB_PASSWORD",
    "AWS_BEARER_TOKEN_BEDROCK",
]


@pytest.mark.parametrize("name", ENVIRONMENT_NAMES)
@pytest.mark.parametrize("value", ["correct-horse-battery", "p4ss w0rd", 'a"quoted\\one', "tämä on 1"])
def test_the_values_of_secret_variables_are_found(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    for form, whole in forms(f"it is {value}, no?"):
        assert secrets.find(whole) is None
        if form in ("quotes", "ascii") and not value.isascii():
            continue
        monkeypatch.setenv(name, value)
        found = secrets.find(whole)
        assert found
        assert f"environment variable {name}" in found
        assert value not in secrets.redact(whole)
        monkeypatch.delenv(name)
        assert secrets.find(whole) is None


def test_a_variable_that_gets_another_value_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("first-value-1", "second-value-2"):
        monkeypatch.setenv("SOME_TOKEN", value)
        assert secrets.find(f"x {value}")
    assert secrets.find("x first-value-1") is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SSH_KEY_PATH", "/ro" + "ot/.ssh"),
        ("SIGNING_KEY", "/etc/keys/signing.pem"),
        ("TOKENIZERS_PARALLELISM", "disabled-for-now"),
        ("MAX_TOKEN", "20261130"),
        ("SECRET_KEY", "production"),
        ("API_KEY", "none"),
        ("KEYBOARD", "some-keyboard-1"),
        ("AUTHOR", "somebody-else-1"),
    ],
)
def test_variables_that_only_look_secret_do_not_trip(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert secrets.find(f"the value is {value}.") is None


def test_redact_takes_out_every_copy_and_leaves_the_rest() -> None:
    value = some(40)
    text = f"Authorization: Bearer {value} was refused: {value} is not known, and é neither"
    assert secrets.redact(text) == "Authorization: Bearer [secret] was refused: [secret] is not known, and é neither"
    assert secrets.redact("\ud800 is no secret") == "\ud800 is no secret"


@pytest.mark.parametrize("name", ["a.jsonl", "b.json", "c.csv", "d.md"])
def test_a_file_is_searched_line_by_line(tmp_path: Path, name: str) -> None:
    first, second = PLANTED["a GitHub token"], PLANTED["a Groq key"]
    (tmp_path / name).write_text(f"clean\n{line(f'it is {first}')}\nclean\na,{second},{first}\n", "utf-8")
    findings = secrets.find_in_file(tmp_path / name)
    assert [(finding.file, finding.line, finding.rule) for finding in findings] == [
        (str(tmp_path / name), number, "secrets") for number in (2, 4, 4)
    ]
    assert ["GitHub" in finding.found for finding in findings] == [True, False, True]
    assert not any(value[4:] in str(finding) for finding in findings for value in (first, second))


def test_a_binary_file_is_searched_too(tmp_path: Path) -> None:
    path = tmp_path / "leaderboard.parquet"
    path.write_bytes(b"PAR1\x00\xff\n\x01" + PLANTED["a Groq key"].encode() + b"\x00\n")
    (finding,) = secrets.find_in_file(path)
    assert finding.line is None
    assert "a Groq key" in finding.found


def test_a_line_of_any_length_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "LONGEST_PIECE", 4096)
    monkeypatch.setattr(secrets, "OVERLAP", 512)
    value = PLANTED["a Hugging Face token"]
    starts = [0, 4080, 4096, 8170, 12200, 12288]
    for start, after in pairwise([*starts, 20000]):
        text = "word " * 4000
        (tmp_path / "x").write_text(f"{text[:start]} {value} {text[start:after]}\nnext {value}\n", "utf-8")
        findings = secrets.find_in_file(tmp_path / "x")
        assert [finding.line for finding in findings] == [1, 2], start
        assert [int(finding.found.split()[-4]) for finding in findings] == [start + 1, 5]


def test_the_gate_names_every_finding(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "one.jsonl").write_text(f"x\n{PLANTED['a Groq key']}\n", "utf-8")
    (tmp_path / "two.csv").write_text(f"{PLANTED['an AWS access key id']},1\n", "utf-8")
    (tmp_path / "clean.md").write_text("nothing\n", "utf-8")
    secrets.gate(tmp_path, [Path("clean.md")])
    with pytest.raises(LogError) as caught:
        secrets.gate(tmp_path, [Path("logs"), Path("two.csv"), tmp_path / "clean.md"])
    places = [(finding.file, finding.line) for finding in caught.value.findings]
    assert places == [("logs/one.jsonl", 2), ("two.csv", 1)]
    assert "a Groq key" in str(caught.value)
    assert "an AWS access key id" in str(caught.value)
    assert PLANTED["a Groq key"][4:] not in str(caught.value)

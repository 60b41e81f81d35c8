"""The formats of a citation: BibTeX, CFF, CSL-JSON, RIS and APA; a name of others cannot break out of any of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leaderboard.cite.facts import AUTHORS, PUBLISHER, Cited
from leaderboard.show import json_text

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """A format: its name for readers, the ending of its file, how it writes."""

    title: str
    ending: str
    write: Callable[[Cited], str]


def bibtex(cited: Cited) -> str:
    """An entry of BibTeX: `@misc`, which every style knows."""
    year, month, _ = cited.date.split("-")
    fields = {
        "title": f"{{{_tex(cited.name)}}}",
        "author": f"{{{AUTHORS}}}",
        "year": year,
        "month": str(int(month)),
        "howpublished": f"{PUBLISHER}, data set",
        "version": cited.version,
        **({"url": _plain(cited.url)} if cited.url else {}),
        "note": _tex(cited.remarks),
    }
    lines = [f"  {name:<12} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{cited.key},", *lines, "}"]) + "\n"


def cff(cited: Cited) -> str:
    """A CITATION.cff of its own, of type dataset (Citation File Format 1.2.0)."""
    return (
        "cff-version: 1.2.0\n"
        f"message: {_yaml('If you use these numbers, please cite them with their version and root digest.')}\n"
        "type: dataset\n"
        f"title: {_yaml(cited.name)}\n"
        "authors:\n"
        f"  - name: {_yaml(AUTHORS)}\n"
        f"version: {_yaml(cited.version)}\n"
        f"date-released: {cited.date}\n"
        + (f"url: {_yaml(cited.url)}\n" if cited.url else "")
        + f"abstract: {_yaml(cited.remarks)}\n"
        "identifiers:\n"
        "  - type: other\n"
        f"    value: {_yaml(f'sha256:{cited.root}')}\n"
        '    description: "Root digest: SHA-256 of the version\'s MANIFEST.json"\n'
    )


def csl(cited: Cited) -> str:
    """CSL-JSON: a list with one item, as reference managers take it."""
    item = {
        "id": cited.key,
        "type": "dataset",
        "title": cited.name,
        "author": [{"literal": AUTHORS}],
        "publisher": PUBLISHER,
        "issued": {"date-parts": [[int(part) for part in cited.date.split("-")]]},
        "version": cited.version,
        **({"URL": cited.url} if cited.url else {}),
        "note": cited.remarks,
    }
    return json_text([item])


def ris(cited: Cited) -> str:
    """RIS: one tag a line, so no value may hold a line break."""
    year, month, day = cited.date.split("-")
    where = (("UR", cited.url),) if cited.url else ()
    fields = (
        ("TY", "DATA"), ("ID", cited.key), ("TI", cited.name), ("AU", AUTHORS), ("PY", year),
        ("DA", f"{year}/{month}/{day}"), ("PB", PUBLISHER), ("ET", cited.version), *where,
        ("N1", cited.remarks), ("ER", ""),
    )  # fmt: skip
    return "".join(f"{tag}  - {_plain(value)}\n" for tag, value in fields)


def apa(cited: Cited) -> str:
    """A reference after APA 7, section 10.9 (data sets)."""
    year, month, day = cited.date.split("-")
    when = f"{year}, {_MONTHS[int(month) - 1]} {int(day)}"
    where = f" {_plain(cited.url)}" if cited.url else ""
    return f"{AUTHORS}. ({when}). {_plain(cited.name)} [Data set]. {PUBLISHER}.{where} ({cited.remarks})\n"


STYLES: Mapping[str, Style] = {
    "apa": Style("APA", "txt", apa),
    "bibtex": Style("BibTeX", "bib", bibtex),
    "cff": Style("CFF", "cff", cff),
    "csl": Style("CSL-JSON", "csl.json", csl),
    "ris": Style("RIS", "ris", ris),
}


def _plain(text: str) -> str:
    """One line without control characters."""
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))


def _tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in _plain(text))


def _yaml(text: str) -> str:
    """A double-quoted scalar of YAML 1.2: what cannot be printed is escaped as it wants it."""
    whole = text.encode("utf-8", "replace").decode()  # half of a character is none
    quoted = (f"\\{c}" if c in '"\\' else c if c.isprintable() else f"\\U{ord(c):08X}" for c in whole)
    return f'"{"".join(quoted)}"'

"""Reads built pages back: the text of elements and what they refer to, with the standard library's parser alone."""

from html.parser import HTMLParser
from pathlib import Path

_VOID = {"meta", "link", "br", "hr", "img", "input", "path", "circle", "rect"}


class Reader(HTMLParser):
    """Collects the text of each element of a class, every id, link, resource and head cell."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.inline: list[str] = []
        self.policies: list[str] = []
        self.text: list[str] = []
        self._depth = 0
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.resources.append(values["href"])
        if tag in ("script", "img", "iframe", "video", "audio", "source", "embed") and "src" in values:
            self.resources.append(values["src"])
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(values["content"])
        self.inline += [name for name in values if name == "style" or name.startswith("on")]
        self._script = tag in ("script", "style")
        if self._script and "src" not in values and values.get("type") != "application/json":
            self.inline.append(tag)
        if self._depth:
            self._depth += tag not in _VOID
        elif "said" in values.get("class", "").split():
            self._depth = 1
            self.said.append("")

    def handle_endtag(self, tag: str) -> None:
        self._script = False
        if self._depth and tag not in _VOID:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.said[-1] += data
        if not self._script:
            self.text.append(data)


def read(path: Path) -> Reader:
    reader = Reader()
    # newline="" keeps a CR, which a page may only hold as a character reference.
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    assert "\r" not in text
    reader.feed(text)
    reader.close()
    return reader

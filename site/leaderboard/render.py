"""Turns a typed page into bytes: one strict, always-escaping Jinja environment for every template."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from leaderboard import library, show, urls
from leaderboard.charts import Chart

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Link:
    """A place to go, relative to the site's root."""

    text: str
    address: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """What the shell needs of any page; each page adds what its own template shows."""

    template: ClassVar[str]

    address: str
    title: str
    description: str
    section: str = "boards"
    crumbs: tuple[Link, ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True, slots=True)
class Outside:
    """What other sites are told of a page: its URL, if the site's is known, and the picture of its nearest address."""

    origin: str = ""
    cards: Mapping[str, str] = field(default_factory=dict)

    def card(self, address: str) -> str:
        return self.cards[max((a for a in self.cards if address.startswith(a)), key=len)] if self.cards else ""


def render(page: Page, outside: Outside) -> tuple[str, bytes]:
    """Give the page's file and its bytes."""
    base = "../" * page.address.count("/") or "./"
    html = _template(type(page).template).render(page=page, base=base, outside=outside)
    return urls.page_file(page.address), html.encode()


def text_file(template: str, **context: Any) -> bytes:
    """Render what is no page."""
    return _template(template).render(**context).encode()


# An HTML reader turns a bare CR into LF, and no page can hold a NUL or half of a character: it has U+FFFD for them.
_NO_HTML = re.compile("[\x00\r\ud800-\udfff]")


def _exact(value: Any) -> Any:
    """Keep the text of a page equal to its data, as far as HTML has it; None is not a text."""
    if value is None:
        raise TypeError("a template printed None: an empty value needs words of its own")
    if isinstance(value, str) and _NO_HTML.search(value):
        return Markup(_NO_HTML.sub(lambda found: "&#13;" if found[0] == "\r" else "\ufffd", escape(value)))
    return value


@cache
def environment() -> Environment:
    """Make the one environment; autoescape does not depend on a template's name."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_exact,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    functions: tuple[Callable[..., Any], ...] = (
        show.percent,
        show.amount,
        show.score,
        show.dollars,
        show.exact_dollars,
        show.whole,
        show.coordinate,
        show.day,
        show.minute,
        show.short,
        show.size,
        show.rule_parts,
        show.unseen,
    )
    env.filters.update({function.__name__: function for function in functions})
    env.globals.update(masthead=_masthead, colophon=_colophon, library=library.PATH)
    return env


def _macro(name: str) -> Callable[..., Markup]:
    macro: Callable[..., Markup] = getattr(environment().get_template("masthead.html").module, name)
    return macro


@cache
def _masthead(base: str, section: str) -> Markup:
    """Render what is the same on every page of one depth and section once."""
    return _macro("masthead")(base, section)


@cache
def _colophon(base: str) -> Markup:
    return _macro("colophon")(base)


@cache
def _template(name: str) -> Template:
    return environment().get_template(name)

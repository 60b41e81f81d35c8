"""Makes a chart's SVG part of a page: themed by CSS variables, named for a screen reader, free of styles and ids."""

import re
from xml.etree import ElementTree as ET

from markupsafe import Markup

_NS = "{http://www.w3.org/2000/svg}"
# The charts draw in these stand-ins; each becomes the CSS variable of the page, so that one SVG serves both schemes.
INK, MUTED, RULE, HEAT, MODEL, BASELINE, PAPER, ACCENT = (
    "#010101",
    "#020202",
    "#030303",
    "#040404",
    "#050505",
    "#060606",
    "#070707",
    "#080808",
)
_VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--ink-2)",
    RULE: "var(--rule)",
    HEAT: "var(--heat)",
    MODEL: "var(--sign-a)",
    BASELINE: "var(--ink-3)",
    PAPER: "var(--paper)",
    ACCENT: "var(--sign-b)",
}
_DROPPED = (
    "class",
    "role",
    "aria-label",
    "aria-roledescription",
    "aria-hidden",
    "pointer-events",
    "font-family",
    "style",
)


def with_variables(text: str) -> str:
    """Replace the stand-ins in a spec that holds no rows yet: a name may look like one of them."""
    for colour, variable in _VARIABLES.items():
        text = text.replace(f'"{colour}"', f'"{variable}"')
    return text


def themed(svg: str, chart_id: str, title: str, description: str) -> Markup:
    """Rework what the chart renderer gave."""
    root = ET.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            if child.get("display") == "none" or (child.tag == f"{_NS}path" and child.get("class") == "background"):
                parent.remove(child)
    for element in root.iter():
        for name in _DROPPED:
            element.attrib.pop(name, None)
        for name in ("fill", "stroke"):
            if (value := element.get(name)) in _VARIABLES:
                element.set(name, _VARIABLES[value])
    width = float(root.get("width", "0"))
    root.attrib.clear()
    box = re.search(r'viewBox="([^"]+)"', svg)
    root.set("viewBox", box[1] if box else f"0 0 {width} 100")
    root.set("width", f"{width:g}")
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-labelledby", f"{chart_id}-title {chart_id}-desc")
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{_NS}{tag}", {"id": f"{chart_id}-{tag}"})
        element.text = text
        root.insert(place, element)
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    # A CR in a name would reach the page as LF; in a drawing it is a space anyway.
    return Markup(ET.tostring(root, encoding="unicode").replace("\r", " "))

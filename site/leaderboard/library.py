"""What draws a chart in a browser: the bundle of Vega that vl-convert carries, made anew with each build (a second).

It is the very Vega that draws the pictures, so that a chart is the same explored as printed.
"""

import vl_convert

LICENCES = "vega-licences.txt"
PATH = f"assets/vega-{vl_convert.__version__}.js"  # type: ignore[attr-defined]
"""Named by vl-convert's version: another one bundles another Vega, and no browser keeps the old one."""


def library() -> tuple[str, bytes]:
    """Make the bundle, below a line that says what it is."""
    head = (
        f"/* Vega {vl_convert.get_vega_version()}, Vega-Lite {vl_convert.get_vegalite_versions()[-1]}, Vega-Embed "
        f"{vl_convert.get_vega_embed_version()} and what they need, as vl-convert bundles them. "
        f"Licences: {LICENCES} */\n"
    )
    return PATH, (head + vl_convert.javascript_bundle()).encode()  # type: ignore[call-arg]

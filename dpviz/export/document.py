"""HTML documents as files: `document.html` in `templates`, and a template and style sheet a kind.

Invariants: nothing is fetched; all text is escaped but for our own scripts and style sheets.
"""

from functools import cache
from importlib.resources import files

from dpviz.base import Markup, render_template
from dpviz.charts.look import DARK, LIGHT, css_colour_variables


def render_document(kind: str, /, **values: object) -> str:
    """A document of this kind; `values` are what its template names, `title` among them."""
    colours = {look.name: Markup(css_colour_variables(look)) for look in (LIGHT, DARK)}
    return str(render_fragment(kind, kind=kind, file=read_template_asset, **colours, **values))


def render_fragment(template: str, /, **values: object) -> Markup:
    """A part of a document, from a template of its own."""
    return render_template(__package__, f"{template}.html", **values)


@cache
def read_template_asset(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")

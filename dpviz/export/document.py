"""Every file that leaves the house: one HTML document that says what it may load, which is nothing
from anywhere.

`document.html` in `templates` is what all kinds share; each kind is a template and a style sheet of
its name.
Invariants: nothing is fetched; all text is escaped, by `dpviz.base.html`, but for our own scripts
and style sheets.
"""

from functools import cache
from importlib.resources import files

from dpviz.base import Markup, rendered


def document(kind: str, /, **values: object) -> str:
    """A document of this kind as text; `values` are what its template names, `title` among them."""
    return str(piece(kind, kind=kind, file=own_file, **values))


def piece(template: str, /, **values: object) -> Markup:
    """A part of a document, from a template of its own."""
    return rendered(__package__, f"{template}.html", **values)


@cache
def own_file(name: str) -> str:
    """A style sheet or script of ours."""
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")

"""What the documentation site is made with, beside its pages: Sphinx calls `setup`.

`run` runs the code of a page and shows what comes out, `figure` draws charts, `live` has the
picture that moves, `formulas` and `fonts` set mathematics, `names` says what is public and on which
page, autodoc shows it with the texts that `docstrings` hands it, `lookup` finds where a name leads,
`pages` fills in what is generated, `notebooks` makes those to take along, `sidebar` lists the
pages. A page is Markdown; nothing in it is typed that dpviz can compute.
"""

from typing import Any

from sphinx.application import Sphinx

from assets.docs.parts import (
    docstrings,
    figure,
    fonts,
    formulas,
    live,
    lookup,
    notebooks,
    pages,
    run,
    sidebar,
)

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Take part in a build."""
    for part in (run, figure, live, fonts, formulas, lookup, docstrings, pages, notebooks, sidebar):
        part.setup(app)
    return {"parallel_read_safe": False}

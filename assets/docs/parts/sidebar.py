"""The list of all pages beside each page, from their titles alone.

Sphinx would copy every name of the reference for each page, to keep the titles of the copy: an
eighth of a build.
"""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

__all__ = ["setup"]


def _title(toc: nodes.bullet_list) -> nodes.bullet_list:
    """What `titles_only` leaves of a page's contents: its title, and the pages below it."""
    title = toc.deepcopy()
    for item in title:
        if len(item) > 1:
            item[1][:] = list(item.findall(addnodes.toctree))
            if not len(item[1]):
                item.pop(1)
    return title


def _take_titles(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    whole, env = context["toctree"], app.env
    if not hasattr(app, "titles"):
        app.titles = {name: _title(toc) for name, toc in env.tocs.items()}  # type: ignore[attr-defined]

    def toctree(**how: Any) -> str:
        tocs, env.tocs = env.tocs, app.titles  # type: ignore[attr-defined]
        try:
            return str(whole(**how))
        finally:
            env.tocs = tocs

    context["toctree"] = toctree


def setup(app: Sphinx) -> None:
    """Take part in a build, before the theme asks for the list."""
    app.connect("html-page-context", _take_titles, priority=400)

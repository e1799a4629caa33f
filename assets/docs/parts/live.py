"""The live picture: the app's screen Start on a page of the site, played in the reader's browser;
and as one file.

Invariant: markup, style sheet and script are those of the app's screen and of its file; nothing is
fetched.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from dpviz.export.document import read_template_asset
from dpviz.export.start_file import render_start_file, scene_markup
from dpviz.pages.start.view import scene, scene_settings

__all__ = ["setup"]

_FILE = "better-lists-or-safer-people.html"


class Live(Directive):
    """The screen; the page has a title of its own, so its title is one below."""

    def run(self) -> list[nodes.Node]:
        """The picture at rest, and what plays it."""
        now = scene()
        picture = re.sub(r"<(/?)h2\b", r"<\1h3", str(scene_markup(now)))
        picture = re.sub(r"<(/?)h1\b", r"<\1h2", picture)
        data = json.dumps(now.browser_data(), separators=(",", ":"), allow_nan=False).replace(
            "<", "\\u003c"
        )
        plays = f'startScene(document.querySelector(".dp-scene"), {data});'
        return [
            nodes.raw(
                "",
                f'<div class="live">{picture}</div><script>{_script()}\n{plays}</script>',
                format="html",
            )
        ]


def _script() -> str:
    return read_template_asset("scene.js")


def _write(app: Sphinx) -> None:
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    sheet = re.sub(r"\.dp-scene h2\b", ".dp-scene h3", read_template_asset("scene.css"))
    (folder / "scene.css").write_text(sheet, encoding="utf-8")
    (folder / _FILE).write_text(render_start_file(scene(), scene_settings()), encoding="utf-8")


def _ask_for_style(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    if 'class="live"' in context.get("body", ""):
        app.add_css_file("scene.css")


def setup(app: Sphinx) -> None:
    """Add the directive, and write its files."""
    app.add_directive("live", Live)
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _ask_for_style)

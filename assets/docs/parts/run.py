"""The directive `run`: Python that is shown, run when the site is built, and followed by what it
gives.

The blocks of a page share their names, from top to bottom. What a block gives is the value of its
last expression: a `Chart`, a live figure, a table or a text in Markdown. Options: `:hidden:` shows the result
alone, `:stacked:` a whole table of texts, each row a block of its own on a phone.
Invariant: code that fails fails the build.
"""

import ast
from typing import Any, ClassVar

import pandas as pd
from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx

from assets.docs.parts.figure import figure_html, table_html
from dpviz import LiveFigure
from dpviz.charts import DARK, LIGHT, Chart

__all__ = ["setup"]


class Run(Directive):
    """Run the content."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"hidden": directives.flag, "stacked": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The code and what it gave."""
        code = "\n".join(self.content)
        shown: list[nodes.Node] = []
        if "hidden" not in self.options:
            block = nodes.literal_block(code, code, language="python")
            shown.append(nodes.container("", block, classes=["ran"]))
        value, looks = self._values(code)
        if value is None:
            return shown
        if isinstance(value, LiveFigure):
            return [*shown, nodes.raw("", value._repr_html_(), format="html")]
        if looks:
            return [*shown, nodes.raw("", figure_html(looks), format="html")]
        if isinstance(value, pd.DataFrame):
            return [
                *shown,
                nodes.raw("", table_html(value, "stacked" in self.options), format="html"),
            ]
        told = nodes.container()
        self.state.nested_parse(StringList(str(value).splitlines(), source="run"), 0, told)
        return [*shown, *told.children]

    def _values(self, code: str) -> tuple[Any, dict[str, Chart]]:
        """What the last expression gives, and of a chart the same call in the dark look."""
        env = self.state.document.settings.env
        names = env.temp_data.setdefault("dpviz.names", {})
        where = f"{env.docname}, line {self.lineno}"
        tree = ast.parse(code, where)
        *before, last = tree.body
        if not isinstance(last, ast.Expr):
            exec(compile(tree, where, "exec"), names)
            return None, {}
        exec(compile(ast.Module(before, []), where, "exec"), names)
        value = eval(compile(ast.Expression(last.value), where, "eval"), names)
        if not isinstance(value, Chart) or not isinstance(last.value, ast.Call):
            return value, {}
        last.value.keywords.append(ast.keyword("look", ast.Name("_look", ast.Load())))
        drawing = compile(ast.fix_missing_locations(ast.Expression(last.value)), where, "eval")
        dark = eval(drawing, names | {"_look": DARK})
        return value, {LIGHT.name: value, DARK.name: dark}


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("run", Run)

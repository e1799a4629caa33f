"""The directive `run`: Python that is shown, run when the site is built, and followed by what it gives.

The blocks of a page share their names, from top to bottom. What a block gives is the value of its last expression: a
`Chart`, a table or a text in Markdown. Options: `:hidden:` shows the result alone, `:quiet:` the code alone.
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
from dpviz.charts import Chart

__all__ = ["setup"]


class Run(Directive):
    """Run the content."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"hidden": directives.flag, "quiet": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The code and what it gave."""
        code = "\n".join(self.content)
        shown: list[nodes.Node] = []
        if "hidden" not in self.options:
            block = nodes.literal_block(code, code, language="python")
            shown.append(nodes.container("", block, classes=["ran"]))
        value = self._value(code)
        if "quiet" in self.options or value is None:
            return shown
        if isinstance(value, Chart):
            return [*shown, nodes.raw("", figure_html(value), format="html")]
        if isinstance(value, pd.DataFrame):
            return [*shown, nodes.raw("", table_html(value), format="html")]
        told = nodes.container()
        self.state.nested_parse(StringList(str(value).splitlines(), source="run"), 0, told)
        return [*shown, *told.children]

    def _value(self, code: str) -> Any:
        env = self.state.document.settings.env
        names = env.temp_data.setdefault("dpviz.names", {})
        where = f"{env.docname}, line {self.lineno}"
        tree = ast.parse(code, where)
        *before, last = tree.body
        ends = isinstance(last, ast.Expr)
        exec(compile(ast.Module(before if ends else tree.body, []), where, "exec"), names)
        return eval(compile(ast.Expression(last.value), where, "eval"), names) if ends else None


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("run", Run)

"""A chart on a page: drawn when it comes into view, in the page's light or dark colours, with its
words and numbers.

Invariants: the page holds the figure as JSON and what it says as text, so that nothing is fetched
and nothing is lost without scripts; plotly is one file of the site, asked for only by pages with a
chart.
"""

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from sphinx.application import Sphinx

from dpviz.base.text_format import number_text
from dpviz.charts import LOOKS, Chart
from dpviz.charts.chart import chart_script, figure_data, plotly_source

__all__ = ["figure_html", "setup", "table_html"]

_MOST = 12  # rows of a table on a page


def figure_html(looks: Mapping[str, Chart]) -> str:
    """The figure as it was drawn in each look, with its words, and its numbers folded."""
    figures = {name: figure_data(drawn) for name, drawn in looks.items()}
    data = json.dumps(figures, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    chart = looks["light"]
    height = int(chart.figure.layout["height"])
    return (
        '<figure class="chart"><div class="plot" role="img" '
        f'aria-label="{html.escape(chart.alt, quote=True)}" style="height:{height}px">'
        f'<script type="application/json">{data}</script></div>'
        f"<figcaption><p>{html.escape(chart.says_now)}</p>"
        f"<p>{html.escape(chart.how_to_read)}</p></figcaption>"
        f"<details><summary>The numbers</summary>{table_html(chart.table)}</details></figure>"
    )


def table_html(frame: pd.DataFrame, stacked: bool = False) -> str:
    """A table, numbers with four digits; of a long one the first rows, and how many there are.

    A `stacked` one is whole, and on a phone its rows are blocks, each cell with the name of its
    column.
    """
    most, kind = (len(frame), " stacked") if stacked else (_MOST, "")
    names = [html.escape(str(name), quote=True) for name in frame.columns]
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        f"<tr>{''.join(map(_cell, row, names))}</tr>"
        for row in frame.head(most).itertuples(index=False, name=None)
    )
    more = f"<p>{most} of {len(frame):,} rows.</p>" if len(frame) > most else ""
    return (
        f'<div class="table-wrapper docutils container"><table class="docutils{kind}">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{more}"
    )


def _cell(cell: object, name: str) -> str:
    if isinstance(cell, float):
        return (
            '<td class="number"'
            f' data-name="{name}">{"" if pd.isna(cell) else html.escape(number_text(cell))}</td>'
        )
    kind = ' class="number"' if isinstance(cell, int) else ""
    return f'<td{kind} data-name="{name}">{html.escape(str(cell))}</td>'


def _write_scripts(app: Sphinx) -> None:
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plotly.js").write_text(plotly_source(), encoding="utf-8")
    templates = json.dumps(
        {look.name: look.template for look in LOOKS.values()}, separators=(",", ":")
    )
    (folder / "looks.js").write_text(
        f"const templates = {templates};\n{chart_script('narrow')}", encoding="utf-8"
    )


def _ask_for_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    if 'class="plot"' in context.get("body", ""):
        for name in ("plotly.js", "looks.js", "figures.js"):
            app.add_js_file(name, loading_method="defer")


def setup(app: Sphinx) -> None:
    """Write the scripts, and have pages with charts load them."""
    app.connect("builder-inited", _write_scripts)
    app.connect("html-page-context", _ask_for_scripts)

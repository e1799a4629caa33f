"""A chart on a page: drawn when it comes into view, in the page's light or dark colours, with its words and numbers.

Invariants: the page holds the figure as JSON and what it says as text, so that nothing is fetched and nothing is lost
without scripts; plotly is one file of the site, asked for only by pages with a chart.
"""

import html
import json
from pathlib import Path
from typing import Any

import pandas as pd
from sphinx.application import Sphinx

from dpviz.charts import Chart
from dpviz.charts.embed import figure_data, looks_data, plotly_source
from dpviz.charts.words import number

__all__ = ["figure_html", "setup", "table_html"]

_NARROW = Path(__file__).parents[3] / "dpviz" / "ui" / "narrow.js"  # how the app lays charts out on a phone
_MOST = 12  # rows of a table on a page


def figure_html(chart: Chart) -> str:
    """The figure with its words, and its numbers folded."""
    data = json.dumps(figure_data(chart), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    height = int(chart.figure.layout["height"])
    return (
        f'<figure class="chart"><div class="plot" role="img" aria-label="{html.escape(chart.alt, quote=True)}" '
        f'style="height:{height}px"><script type="application/json">{data}</script></div>'
        f"<figcaption><p>{html.escape(chart.says_now)}</p><p>{html.escape(chart.how_to_read)}</p></figcaption>"
        f"<details><summary>The numbers</summary>{table_html(chart.table)}</details></figure>"
    )


def table_html(frame: pd.DataFrame) -> str:
    """A table, numbers with four digits; of a long one the first rows, and how many there are."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in frame.columns)
    rows = "".join(
        f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in frame.head(_MOST).itertuples(index=False, name=None)
    )
    more = f"<p>{_MOST} of {len(frame):,} rows.</p>" if len(frame) > _MOST else ""
    return (
        '<div class="table-wrapper docutils container"><table class="docutils">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{more}"
    )


def _cell(cell: object) -> str:
    if isinstance(cell, float):
        return f'<td class="number">{"" if pd.isna(cell) else html.escape(number(cell))}</td>'
    kind = ' class="number"' if isinstance(cell, int) else ""
    return f"<td{kind}>{html.escape(str(cell))}</td>"


def _write_scripts(app: Sphinx) -> None:
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plotly.js").write_text(plotly_source(), encoding="utf-8")
    looks = json.dumps(looks_data(), separators=(",", ":"))
    (folder / "looks.js").write_text(f"const looks = {looks};\n{_NARROW.read_text(encoding='utf-8')}", encoding="utf-8")


def _ask_for_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    if 'class="plot"' in context.get("body", ""):
        for name in ("plotly.js", "looks.js", "figures.js"):
            app.add_js_file(name, loading_method="defer")


def setup(app: Sphinx) -> None:
    """Write the scripts, and have pages with charts load them."""
    app.connect("builder-inited", _write_scripts)
    app.connect("html-page-context", _ask_for_scripts)

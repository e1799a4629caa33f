"""One self-contained HTML page of prose, tables and charts: plotly inside once, nothing fetched.

Invariants: all text is escaped; figures are drawn when they come into view, and before printing.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from dpviz.base import Markup, join_markup, markup
from dpviz.charts import Chart
from dpviz.charts.chart import figure_data, light_dark_templates_and_colours, plotly_source
from dpviz.export.document import render_document, render_fragment


class ReportPage:
    """A page that is written from top to bottom."""

    def __init__(self, title: str, *, lead: str) -> None:
        self.title = title
        self._lead = lead
        self._parts: list[Markup] = []
        self._contents: list[tuple[str, str]] = []
        self._figures: list[dict[str, Any]] = []

    def add_heading(self, text: str, *, level: int = 2, in_contents: bool = True) -> None:
        """Add a heading; those of level 2 are listed at the top unless not `in_contents`."""
        anchor = f"part-{len(self._parts)}"
        if level == 2 and in_contents:
            self._contents.append((anchor, text))
        self._parts.append(markup('<h{level} id="{}">{}</h{level}>', anchor, text, level=level))

    def add_paragraph(self, *sentences: str, kind: str = "") -> None:
        """Add a paragraph; `kind` "note" sets it apart."""
        attribute = markup(' class="{}"', kind) if kind else ""
        self._parts.append(markup("<p{}>{}</p>", attribute, " ".join(sentences)))

    def add_bullet_list(self, items: Iterable[str]) -> None:
        self._parts.append(
            markup("<ul>{}</ul>", join_markup(markup("<li>{}</li>", item) for item in items))
        )

    def add_table(
        self,
        frame: pd.DataFrame,
        *,
        caption: str,
        collapsible: bool = False,
        emphasised_columns: Sequence[str] = (),
        stack_when_narrow: bool = False,
    ) -> None:
        """Add a table of texts and of numbers in words; columns of numbers stand to the right.

        `collapsible` is opened by a click and in print; `stack_when_narrow` makes rows blocks on a
        narrow page.
        """
        right = [
            bool(len(frame)) and all(_is_number(cell) for cell in frame[name])
            for name in frame.columns
        ]
        filled = render_fragment(
            "page_table",
            columns=list(zip(map(str, frame.columns), right, strict=True)),
            rows=list(frame.itertuples(index=False, name=None)),
            caption=caption,
            folded=collapsible,
            strong=emphasised_columns,
            stacked=stack_when_narrow,
        )
        self._parts.append(filled)

    def add_chart(self, chart: Chart, *, title: str) -> None:
        """Add a figure with its title, how to read it and what it shows."""
        number = len(self._figures)
        self._figures.append(figure_data(chart))
        height = int(chart.figure.layout["height"])
        self._parts.append(
            render_fragment("page_figure", title=title, number=number, chart=chart, height=height)
        )

    def html(self) -> str:
        data = (
            {"figures": self._figures, **light_dark_templates_and_colours()}
            if self._figures
            else {}
        )
        return render_document(
            "page",
            title=self.title,
            lead=self._lead,
            contents=self._contents,
            parts=self._parts,
            figures=json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
            if data
            else "",
            plotly=plotly_source,
        )


def _is_number(cell: object) -> bool:
    text = str(cell)
    return not text or text[0].isdigit() or text[0] in "<>−-–" or text == "not reached"

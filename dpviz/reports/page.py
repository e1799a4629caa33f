"""One self-contained HTML page of prose, tables and charts: plotly inside once, nothing fetched.

Invariants: all text is escaped; figures are drawn when they come into view, and all of them before printing;
colours follow the reader's light or dark setting, print is light.
"""

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import pandas as pd

from dpviz.charts import Chart
from dpviz.charts.embed import figure_data, looks_data, plotly_source

__all__ = ["Page"]

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
_RIGHT = ' class="number"'


class Page:
    """A page that is written from top to bottom.

    >>> page = Page("Title", lead="What it is.")
    >>> page.heading("Part one")
    >>> page.text("a < b")
    >>> "<p>a &lt; b</p>" in page.html()
    True
    """

    def __init__(self, title: str, *, lead: str) -> None:
        self.title = title
        self._lead = lead
        self._parts: list[str] = []
        self._contents: list[tuple[str, str]] = []
        self._figures: list[dict[str, Any]] = []

    def heading(self, text: str, *, level: int = 2) -> None:
        """A heading; those of level 2 are listed at the top."""
        anchor = f"part-{len(self._parts)}"
        if level == 2:
            self._contents.append((anchor, text))
        self._parts.append(f'<h{level} id="{anchor}">{html.escape(text)}</h{level}>')

    def text(self, *sentences: str, kind: str = "") -> None:
        """A paragraph; `kind` "note" sets it apart."""
        attribute = f' class="{html.escape(kind)}"' if kind else ""
        self._parts.append(f"<p{attribute}>{html.escape(' '.join(sentences))}</p>")

    def bullets(self, items: Iterable[str]) -> None:
        """A list."""
        self._parts.append("<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>")

    def table(
        self,
        frame: pd.DataFrame,
        *,
        caption: str,
        folded: bool = False,
        strong: Sequence[str] = (),
        stacked: bool = False,
    ) -> None:
        """A table of texts and numbers already in words; columns of numbers stand to the right.

        `strong` names columns set in bold; `folded` puts it behind its caption, opened by a click and in print. One
        of long texts is `stacked`: on a narrow page each row becomes a block, its cells with their names.
        """
        right = [bool(len(frame)) and all(_is_number(cell) for cell in frame[name]) for name in frame.columns]
        head = "".join(
            f'<th scope="col"{_RIGHT if number else ""}>{html.escape(str(name))}</th>'
            for name, number in zip(frame.columns, right, strict=True)
        )
        rows = "".join(
            "<tr>"
            + "".join(
                _cell(cell, number, name in strong, str(name) if stacked else "")
                for name, cell, number in zip(frame, row, right, strict=True)
            )
            + "</tr>"
            for row in frame.itertuples(index=False, name=None)
        )
        body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        escaped, table = html.escape(caption), '<table class="stacked">' if stacked else "<table>"
        if folded:
            self._parts.append(
                f'<details><summary>{escaped}</summary><div class="wide">{table}{body}</table></div></details>'
            )
        else:
            self._parts.append(f'<div class="wide">{table}<caption>{escaped}</caption>{body}</table></div>')

    def chart(self, chart: Chart, *, title: str) -> None:
        """A figure with its title, how to read it and what it shows."""
        number = len(self._figures)
        self._figures.append(figure_data(chart))
        height = int(chart.figure.layout["height"])
        self._parts.append(
            f'<figure><figcaption class="title">{html.escape(title)}</figcaption>'
            f'<div class="plot" data-figure="{number}" role="img" aria-label="{html.escape(chart.alt, quote=True)}" '
            f'style="min-height:{height}px"></div>'
            f"<figcaption><p><b>What it shows.</b> {html.escape(chart.says_now)}</p>"
            f"<p><b>How to read it.</b> {html.escape(chart.how_to_read)}</p></figcaption></figure>"
        )

    def html(self) -> str:
        """The page."""
        contents = "".join(f'<li><a href="#{anchor}">{html.escape(text)}</a></li>' for anchor, text in self._contents)
        scripts = ""
        if self._figures:
            data = {"figures": self._figures, **looks_data()}
            scripts = (
                f'<script type="application/json" id="figures">{_inert(data)}</script>'
                f"<script>{plotly_source()}</script><script>{_beside('page.js')}</script>"
            )
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f"<title>{html.escape(self.title)}</title><style>{_beside('page.css')}</style></head><body><main>"
            f'<header><h1>{html.escape(self.title)}</h1><p class="lead">{html.escape(self._lead)}</p></header>'
            f'<nav aria-label="Contents"><ol>{contents}</ol></nav>'
            + "\n".join(self._parts)
            + "<noscript><p>The charts need JavaScript; the tables do not.</p></noscript>"
            + f"</main>{scripts}</body></html>\n"
        )


def _is_number(cell: object) -> bool:
    text = str(cell)
    return not text or text[0].isdigit() or text[0] in "<>−-–" or text == "not reached"


def _cell(cell: object, number: bool, strong: bool, name: str) -> str:
    inner = html.escape(str(cell))
    told = f' data-name="{html.escape(name, quote=True)}"' if name else ""
    return f"<td{_RIGHT if number else ''}{told}>{f'<b>{inner}</b>' if strong else inner}</td>"


def _inert(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _beside(name: str) -> str:
    """A file of this package, as text."""
    return files("dpviz.reports").joinpath(name).read_text(encoding="utf-8")

"""The file itself: HTML that works from a folder, without a server or a network.

Invariants: all text is escaped, or put into the page as text; nothing is fetched; what the first step says can be
read without script; colours follow the reader's light or dark setting, print is light and has the step that is shown.
"""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from dpviz import __version__
from dpviz.charts.chart import narrow_script
from dpviz.charts.look import LOOKS
from dpviz.reports.takeaway.packed import packed_json, packed_plotly
from dpviz.reports.takeaway.steps import Step, Takeaway, held_still

__all__ = ["File", "written"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"


@dataclass(frozen=True)
class File:
    """A page up to where plotly stands in it, and from there on; plotly is put in when the page is asked for."""

    before: str
    after: str

    @property
    def html(self) -> str:
        """The whole page."""
        return self.before + packed_plotly() + self.after


def written(takeaway: Takeaway, about: Iterable[tuple[str, str]] = ()) -> File:
    """The file of a takeaway; `about` says what it is, by pairs that stand at its end."""
    title, first = html.escape(takeaway.title), takeaway.steps[takeaway.start]
    told = [*about, ("Made with", f"dpviz {__version__}")]
    stamp = "".join(f"<div><dt>{html.escape(what)}</dt><dd>{html.escape(value)}</dd></div>" for what, value in told)
    pictures = held_still(takeaway.steps, takeaway.moving)
    content = {
        "start": takeaway.start,
        "templates": {name: look.template for name, look in LOOKS.items()},
        "steps": [
            {"value": one.value, "sentence": one.sentence, "cells": one.cells, "pictures": shown}
            for one, shown in zip(takeaway.steps, pictures, strict=True)
        ],
    }
    before = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta name="description" content="{html.escape(takeaway.lead)}">'
        f"<title>{title}</title><style>{_beside('takeaway.css')}</style></head><body><main>"
        f'<h1>{title}</h1><p class="lead">{html.escape(takeaway.lead)}</p>'
        + _slider(takeaway, first)
        + f'<p id="sentence" role="status">{html.escape(first.sentence)}</p>'
        + _figures(takeaway, first)
        + "".join(_chart(name, number, first) for number, name in enumerate(takeaway.charts))
        + f'<footer><p class="note">{html.escape(takeaway.note)}</p><dl>{stamp}</dl></footer>'
        + '<p id="trouble" role="alert" hidden>The slider and the charts need a browser of 2023 or later.</p>'
        + "<noscript><p>The slider and the charts need JavaScript; what the first step says does not.</p></noscript>"
        + f"</main>{packed_json(content, 'content')}"
    )
    return File(before, f"<script>{narrow_script()}{_beside('takeaway.js')}</script></body></html>\n")


def _slider(takeaway: Takeaway, first: Step) -> str:
    moves, value = html.escape(takeaway.moves), html.escape(first.value)
    hidden = " hidden" if len(takeaway.steps) == 1 else ""
    return (
        f'<div class="slider"{hidden}><label for="step">{moves}</label><output id="now" for="step">{value}</output>'
        f'<input type="range" id="step" min="0" max="{len(takeaway.steps) - 1}" step="1" value="{takeaway.start}" '
        f'autocomplete="off" aria-valuetext="{value}"><span>{html.escape(takeaway.steps[0].value)}</span>'
        f"<span>{html.escape(takeaway.steps[-1].value)}</span></div>"
    )


def _figures(takeaway: Takeaway, first: Step) -> str:
    """Cards where all figures are of one thing, else a table with a row for each."""
    if not takeaway.heads:
        return ""
    if len(takeaway.rows) == 1:
        cards = "".join(
            f'<div><dt>{html.escape(name)}</dt><dd data-cell="0 {n}">{html.escape(first.cells[0][n])}</dd>'
            f"<dd>{html.escape(meaning)}</dd></div>"
            for n, (name, meaning) in enumerate(takeaway.heads)
        )
        return f'<dl class="cards" aria-label="Headline figures">{cards}</dl>'
    heads = "".join(
        f'<th scope="col">{html.escape(name)}<small>{html.escape(meaning)}</small></th>'
        for name, meaning in takeaway.heads
    )
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(f'<td data-cell="{r} {c}">{html.escape(text)}</td>' for c, text in enumerate(first.cells[r]))
        + "</tr>"
        for r, name in enumerate(takeaway.rows)
    )
    return (
        '<div class="wide"><table class="figures" aria-label="Headline figures">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _chart(name: str, number: int, first: Step) -> str:
    shown = first.pictures["light"][number]
    height = int(shown["layout"]["height"])
    return (
        f'<figure><h2>{html.escape(name)}</h2><p class="says" id="says{number}">{html.escape(shown["says"])}</p>'
        f'<div class="plot" id="plot{number}" role="img" aria-label="{html.escape(shown["alt"])}" '
        f'style="min-height:{height}px"></div>'
        f'<figcaption id="how{number}">{html.escape(shown["how"])}</figcaption>'
        f'<details><summary>Table of what is shown</summary><div class="wide"><table id="table{number}">'
        f"{_table(shown['table'])}</table></div></details></figure>"
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = ([html.escape(cell) for cell in row] for row in rows)
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    told = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f"<thead><tr>{heads}</tr></thead><tbody>{told}</tbody>"


def _beside(name: str) -> str:
    return files("dpviz.reports.takeaway").joinpath(name).read_text(encoding="utf-8")

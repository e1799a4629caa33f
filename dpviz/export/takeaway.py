"""A figure to take away: one HTML file that works from a folder, without a server or a network.

Invariants: all text is escaped, or put into the page as text; nothing is fetched; the first step
can be read without script; packed text ends no element, opens no tag, and is the same each time.
"""

import base64
import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from dpviz import __version__
from dpviz.base import Markup, Progress, ignore_progress, markup, monotone_progress
from dpviz.charts import LOOKS
from dpviz.charts.chart import chart_script, plotly_source
from dpviz.export.document import render_document
from dpviz.export.lessons import demonstration
from dpviz.pages.common import (
    LessonActivities,
    PageSubject,
    PageView,
    SliderFigure,
    charts_with_shared_axes,
)
from dpviz.studies import Pair

_SAFE = str.maketrans(
    "<>&", ",.:"
)  # Python's 85 signs have these three, which mean something in HTML
_WORTH = 48  # characters from which on a part that comes again is written once


def compressed_script(text: str, name: str) -> Markup:
    """A script element that no browser runs, with the text packed in it; takeaway.js reads it."""
    raw = gzip.compress(text.encode(), 9, mtime=0)
    signs = base64.b85encode(raw, pad=True).decode("ascii").translate(_SAFE)
    return markup(
        '<script type="text/plain" id="{}" data-size="{}">{}</script>', name, len(raw), signs
    )


@cache
def compressed_plotly_script() -> Markup:
    """plotly.js, 4.8 MB, as 1.8 MB."""
    return compressed_script(plotly_source(), "plotly")


def json_with_shared_parts(content: Mapping[str, Any]) -> str:
    """The content as JSON with each repeated part once, in a pool; pooled.js reads it."""
    pool: dict[str, int] = {}
    shared = _compact_json(_shared(content, pool))
    return f'{{"pool":[{",".join(pool)}],"content":{shared}}}'


def _compact_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _shared(value: Any, pool: dict[str, int]) -> Any:
    if isinstance(value, Mapping):
        value = {name: _shared(one, pool) for name, one in value.items()}
    elif isinstance(value, list | tuple):
        value = [_shared(one, pool) for one in value]
    elif not isinstance(value, str):
        return value
    text = _compact_json(value)
    return {"$": pool.setdefault(text, len(pool))} if len(text) >= _WORTH else value


@dataclass(frozen=True, eq=False)
class TakeawayFile:
    """The values of a file; plotly is put in when the page is asked for."""

    values: Mapping[str, object]

    @property
    def html(self) -> str:
        return self._page(compressed_plotly_script())

    @property
    def html_without_plotly(self) -> str:
        """The page without plotly: what can be read without script, and its steps."""
        return self._page("")

    def _page(self, plotly: str) -> str:
        return render_document(
            "takeaway",
            plotly=plotly,
            narrow=chart_script("narrow"),
            pooled=chart_script("pooled"),
            **self.values,
        )


def build_takeaway_file(
    takeaway: SliderFigure, about: Iterable[tuple[str, str]] = ()
) -> TakeawayFile:
    """The file of a takeaway; `about` are pairs that stand at its end."""
    first = takeaway.steps[takeaway.start]
    content = {
        "start": takeaway.start,
        "templates": {name: look.template for name, look in LOOKS.items()},
        "steps": [
            {"value": one.value, "sentence": one.sentence, "cells": one.cells, "pictures": pictures}
            for one, pictures in zip(
                takeaway.steps,
                charts_with_shared_axes(takeaway.steps, takeaway.moving_charts),
                strict=True,
            )
        ],
    }
    return TakeawayFile(
        {
            "title": takeaway.title,
            "lead": takeaway.lead,
            "moves": takeaway.slider_quantity,
            "values": [one.value for one in takeaway.steps],
            "start": takeaway.start,
            "sentence": first.sentence,
            "heads": takeaway.column_headings,
            "rows": takeaway.rows,
            "cells": first.cells,
            "charts": list(zip(takeaway.charts, first.pictures["light"], strict=True)),
            "note": takeaway.note,
            "about": [*about, ("Made with", f"dpviz {__version__}")],
            **_found_out(takeaway.activities),
            "content": compressed_script(json_with_shared_parts(content), "content"),
        }
    )


def _found_out(of: LessonActivities | None) -> dict[str, object]:
    if of is None:
        return dict.fromkeys(("so", "guess", "work", "formula", "rules"), "")
    return {
        "so": of.exact_chance,
        "guess": "" if of.guess is None else demonstration.render_guess_scale(of.guess),
        "work": ""
        if of.demonstration is None
        else demonstration.render_stepper(of.demonstration, of.seed, "work"),
        "formula": "" if of.formula is None else demonstration.mathml(of.formula),
        "rules": demonstration.demonstration_stylesheet(),
    }


def page_takeaway_file(
    page: PageView,
    subject: PageSubject,
    provenance_rows: tuple[Pair, ...],
    progress: Progress = ignore_progress,
) -> TakeawayFile:
    """The file of a page's figure; `provenance_rows` are what the page says of itself."""
    made, moved = (
        page.build_slider_figure(subject, monotone_progress(progress)),
        page.slider_quantity(subject),
    )
    starts = f"{moved} where the slider starts", made.steps[made.start].value
    return build_takeaway_file(
        made, [starts if what == moved else (what, value) for what, value in provenance_rows]
    )

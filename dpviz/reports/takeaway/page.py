"""The file itself: HTML that works from a folder, without a server or a network.

Invariants: all text is escaped, or put into the page as text; nothing is fetched; what the first step says can be
read without script; colours follow the reader's light or dark setting, print is light and has the step that is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpviz import __version__
from dpviz.base.progress import Progress, rising, silent
from dpviz.charts.chart import narrow_script
from dpviz.charts.look import LOOKS
from dpviz.reports.document import document
from dpviz.reports.takeaway.packed import packed_json, packed_plotly
from dpviz.studies.about import Pair
from dpviz.views.common.page import PageView, Subject
from dpviz.views.common.slider import Takeaway, held_still


@dataclass(frozen=True, eq=False)
class File:
    """What stands in a file; plotly, which is most of it, is put in when the page is asked for."""

    values: Mapping[str, object]

    @property
    def html(self) -> str:
        """The whole page."""
        return self._page(packed_plotly())

    @property
    def bare(self) -> str:
        """The page without plotly: what can be read without script, and what its steps hold."""
        return self._page("")

    def _page(self, plotly: str) -> str:
        return document("takeaway", plotly=plotly, narrow=narrow_script(), **self.values)


def written(takeaway: Takeaway, about: Iterable[tuple[str, str]] = ()) -> File:
    """The file of a takeaway; `about` says what it is, by pairs that stand at its end."""
    first = takeaway.steps[takeaway.start]
    content = {
        "start": takeaway.start,
        "templates": {name: look.template for name, look in LOOKS.items()},
        "steps": [
            {"value": one.value, "sentence": one.sentence, "cells": one.cells, "pictures": shown}
            for one, shown in zip(takeaway.steps, held_still(takeaway.steps, takeaway.moving), strict=True)
        ],
    }
    return File(
        {
            "title": takeaway.title,
            "lead": takeaway.lead,
            "moves": takeaway.moves,
            "values": [one.value for one in takeaway.steps],
            "start": takeaway.start,
            "sentence": first.sentence,
            "heads": takeaway.heads,
            "rows": takeaway.rows,
            "cells": first.cells,
            "charts": list(zip(takeaway.charts, first.pictures["light"], strict=True)),
            "note": takeaway.note,
            "about": [*about, ("Made with", f"dpviz {__version__}")],
            "content": packed_json(content, "content"),
        }
    )


def file_of(page: PageView, of: Subject, rows: tuple[Pair, ...], progress: Progress = silent) -> File:
    """The file of a page's figure; `rows` are what the page says of itself."""
    made, moved = page.slider(of, rising(progress)), page.moves(of)
    starts = f"{moved} where the slider starts", made.steps[made.start].value
    return written(made, [starts if what == moved else (what, value) for what, value in rows])

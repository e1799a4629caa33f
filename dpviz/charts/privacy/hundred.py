"""An icon array: one hundred people in ten rows, coloured by what is true of how many.

Invariants: there are a hundred icons, in the order of the parts; each part has a colour, a symbol and a line in the
legend that says how many it holds, so nothing is told by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look

__all__ = ["Part", "hundred", "shared_out"]

_ROWS, _COLUMNS = 5, 20
_SYMBOLS = ("circle", "diamond", "square", "circle-open")


@dataclass(frozen=True)
class Part:
    """So many of the hundred, and what is true of them."""

    people: int
    says: str


def shared_out(levels: Sequence[float]) -> list[int]:
    """Whole people between rising shares of 1: of 0.5, 0.55 and 1, 50, 5 and 45.

    >>> shared_out([0.5, 0.554, 1.0])
    [50, 5, 45]
    """
    ends = np.rint(100 * np.array(levels)).astype(int)
    people: list[int] = np.diff(np.concatenate([[0], ends])).tolist()
    return people


def hundred(parts: Sequence[Part], says: str, how_to_read: str, *, look: Look = LIGHT) -> Chart:
    """`parts`, at most four, that add up to a hundred; the last is drawn hollow."""
    figure, at = Figure(), 0
    colours = (look.muted, look.categories[3], look.categories[1], look.muted)
    last = len(parts) - 1
    for number, part in enumerate(parts):
        places = np.arange(at, at + part.people)
        at += part.people
        which = 3 if number == last else number
        figure.add_scatter(
            x=(places % _COLUMNS).astype(np.int16),
            y=(places // _COLUMNS).astype(np.int16),
            mode="markers",
            name=f"{part.people} {part.says}",
            marker={
                "symbol": _SYMBOLS[which],
                "color": colours[which],
                "size": 13 * look.scale,
                "line": {"width": 1.4 if which == 3 else 0, "color": colours[which]},
            },
            hovertext=f"{part.people} of 100 {part.says}",
            hoverinfo="text",
        )
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round(150 * look.scale + (1.9 * len(parts) + 1) * size),
        margin={"l": 4, "r": 4, "t": 6, "b": (1.9 * len(parts) + 0.6) * size},
        xaxis={"range": [-0.7, _COLUMNS - 0.3], "visible": False, "fixedrange": True},
        yaxis={"range": [_ROWS - 0.4, -0.6], "visible": False, "fixedrange": True},
        legend={
            "orientation": "v", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "font": {"color": look.ink},
        },
    )  # fmt: skip
    return Chart(
        figure=figure,
        alt="A hundred people: " + "; ".join(f"{part.people} {part.says}" for part in parts) + ".",
        how_to_read=how_to_read,
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {"people of 100": [part.people for part in parts], "what is true of them": [part.says for part in parts]}
        ),
    )

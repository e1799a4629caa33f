"""An icon array: one hundred people in ten rows, coloured by what is true of how many.

Invariants: there are a hundred icons, in the order of the parts; each part has a colour, a symbol and a line in the
legend that says how many it holds, so nothing is told by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axis, dots, legend_below

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
    lines = 1.9 * len(parts)  # of the legend
    starts = np.cumsum([0, *(part.people for part in parts)]).tolist()
    figure = Figure(
        look,
        [
            _people(part, start, 3 if number == len(parts) - 1 else number, look)
            for number, (part, start) in enumerate(zip(parts, starts, strict=False))
        ],
        height=150 + (lines + 1) * look.size / look.scale,
        margin={"l": 4, "r": 4, "t": 6, "b": (lines + 0.6) * look.size},
        x=axis(None, (-0.7, _COLUMNS - 0.3), visible=False),
        y=axis(None, (_ROWS - 0.4, -0.6), visible=False),
        legend=legend_below(orientation="v", font={"color": look.ink}),
    )
    return Chart(
        figure=figure,
        alt="A hundred people: " + "; ".join(f"{part.people} {part.says}" for part in parts) + ".",
        how_to_read=how_to_read,
        says_now=says,
        make_table=lambda: {
            "people of 100": [part.people for part in parts],
            "what is true of them": [part.says for part in parts],
        },
    )


def _people(part: Part, start: int, style: int, look: Look) -> Mark:
    """The icons of a part, of which the first has the place `start` of the hundred."""
    places = np.arange(start, start + part.people)
    colour = (look.muted, look.categories[3], look.categories[1], look.muted)[style]
    return dots(
        (places % _COLUMNS).astype(np.int16),
        (places // _COLUMNS).astype(np.int16),
        colour,
        13 * look.scale,
        _SYMBOLS[style],
        (1.4 if style == 3 else 0, colour),
        name=f"{part.people} {part.says}",
        hovertext=f"{part.people} of 100 {part.says}",
        hoverinfo="text",
    )

"""Axes, rows with names, and legends of a figure; places of an axis folded into bars.

An axis cannot be dragged unless it `moves`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.charts.look import Look

HALVES: dict[str, Any] = {"tickvals": [0, 0.5, 1], "ticktext": ["0", "50 %", "100 %"]}
"""Ticks of a low panel of chances."""


def axis(
    title: str | None = None,
    span: Sequence[float] | None = None,
    *,
    grid: bool | None = None,
    draggable: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """Axis with its title and ends; plotly finds the ends unless `span` gives them."""
    return {
        "title": (None if title is None else {"text": title}),
        "range": (None if span is None else list(span)),
        "showgrid": grid,
        "fixedrange": None if draggable else True,
        **more,
    }


def percent_axis(
    title: str | None = "chance", span: Sequence[float] | None = None, **more: Any
) -> dict[str, Any]:
    return axis(
        title,
        span,
        **{"tickformat": ".0%", "nticks": 5, "rangemode": None if span else "tozero", **more},
    )


def padded_span(padding_share: float, *values: Sequence[float] | Floats) -> tuple[float, float]:
    """Range of all values, with a share of it as room at either end."""
    every = np.concatenate(values)
    low, high = float(every.min()), float(every.max())
    room = padding_share * ((high - low) or 1.0)
    return low - room, high + room


def span_from_zero(padding_share: float, values: Floats) -> tuple[float, float]:
    """Range of bars from zero, with a share of it as room beyond their ends."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    room = 2 * padding_share * max(high / 2 - low / 2, np.finfo(float).tiny)
    return low - room if low < 0 else 0.0, high + room if high > 0 or low == 0 else 0.0


def axis_suffix(panel: int) -> str:
    """Suffix that plotly gives to "x", "y", "xaxis" and "yaxis" of a panel, counted from 0."""
    return "" if panel == 0 else str(panel + 1)


def row_axis(
    names: Sequence[str], look: Look, places: Sequence[float] | Floats | None = None, **more: Any
) -> dict[str, Any]:
    """Vertical axis of horizontal bars, a row for each name, the first on top."""
    at = list(range(len(names))) if places is None else places
    named: dict[str, Any] = {
        "tickvals": at,
        "ticktext": names,
        "tickfont": {"color": look.ink},
        "ticklabelstandoff": 6,  # between a name and its bar
    }
    return axis(None, [len(names) - 0.4, -0.6], grid=False, **named | more)


def horizontal_legend(y: float, anchor: str, **more: Any) -> dict[str, Any]:
    """Legend in lines from the left, whose `anchor`, "top" or "bottom", lies at y."""
    return {"orientation": "h", "x": 0, "y": y, "yanchor": anchor, **more}


def bottom_legend(**more: Any) -> dict[str, Any]:
    return horizontal_legend(0, "bottom", yref="container", **more)


def colour_bar(
    title: str, ticks: Sequence[float] | Floats, texts: Sequence[str], look: Look
) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"color": look.muted}},
        "tickvals": ticks,
        "ticktext": texts,
        "tickfont": {"color": look.muted},
        "thickness": 10,
        "outlinewidth": 0,
    }


@dataclass(frozen=True, eq=False)
class IntegerBins:
    """Bars over places: bar j holds `first[j]` to `last[j]`, and all but the last equally many.

    >>> fold = IntegerBins.from_range(1, 5, bin_limit=3)
    >>> fold.first.tolist(), fold.last.tolist(), fold.mean(np.array([1.0, 3.0, 4.0, 4.0, 9.0])).tolist()
    ([1, 3, 5], [2, 4, 5], [2.0, 4.0, 9.0])
    """

    first: Ints
    last: Ints

    @classmethod
    def from_range(cls, start: int, end: int, bin_limit: int) -> "IntegerBins":
        """Places start … end in at most `bin_limit` bars."""
        first = np.arange(start, end + 1, -(-(end - start + 1) // bin_limit))
        return cls(first, np.append(first[1:] - 1, end))

    @property
    def bin_size(self) -> int:
        return int(self.widths[0])

    @property
    def centres(self) -> Floats:
        return (self.first + self.last) / 2

    @property
    def widths(self) -> Ints:
        return self.last - self.first + 1

    def sum(self, values: Floats) -> Floats:
        """Sum over each bar's places; `values` (places,) begin at the first place."""
        return np.add.reduceat(
            values[: self.last[-1] - self.first[0] + 1], self.first - self.first[0]
        )

    def mean(self, values: Floats) -> Floats:
        return self.sum(values) / self.widths

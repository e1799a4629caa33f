"""Data of a figure with a slider: each position has a sentence, headline figures and charts.

Invariants: a position is plain data once built; chart values are no finer than `number_text`;
every axis spans all positions, except in charts where one would then be too small to see.
"""

import base64
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Floats
from dpviz.charts import LOOKS, Look
from dpviz.charts.chart import Chart, figure_data
from dpviz.pages.common.wording import table_as_text
from dpviz.teaching.lesson import Demonstration, Formula, GuessPrompt

_PER_DECADE = 16
_EACH_WAY = 16
_LARGEST = 1e6

ChartWithTable = Callable[[Look], tuple[Chart, pd.DataFrame]]
"""look → a chart with its table in words."""


@dataclass(frozen=True)
class SliderPosition:
    """Slider position; `cells` has a row for each of the figure's `rows`, by its headings."""

    value: str
    sentence: str
    cells: tuple[tuple[str, ...], ...]
    pictures: Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class LessonActivities:
    """Activities of a lesson's figure: a guess, a demonstration with a seed, and a formula."""

    seed: int
    exact_chance: str = ""
    guess: GuessPrompt | None = None
    demonstration: Demonstration | None = None
    formula: Formula | None = None


@dataclass(frozen=True)
class SliderFigure:
    """A figure with a slider.

    `column_headings` are headline figures with meanings, `rows` what they are about, ("",) for one
    thing. `moving_charts` are numbers of charts whose axes follow the slider.
    """

    title: str
    lead: str
    slider_quantity: str
    steps: tuple[SliderPosition, ...]
    start: int
    column_headings: tuple[tuple[str, str], ...] = ()
    rows: tuple[str, ...] = ("",)
    charts: tuple[str, ...] = ()
    note: str = ""
    moving_charts: tuple[int, ...] = ()
    activities: LessonActivities | None = None


def epsilon_grid(epsilon: float) -> list[float]:
    """33 values of ε in equal ratios, from a tenth to ten times `epsilon`, none above 10⁶.

    >>> steps = epsilon_grid(1.0)
    >>> steps[0], steps[16], steps[17], steps[-1], len(steps)
    (0.1, 1.0, 1.15, 10.0, 33)
    """
    values = (
        float(f"{epsilon * 10.0 ** (i / _PER_DECADE):.3g}") if i else epsilon
        for i in range(-_EACH_WAY, _EACH_WAY + 1)
    )
    return [value for value in values if 0 < value <= _LARGEST]


def build_position(
    value: str, sentence: str, cells: Iterable[Iterable[str]], *charts: ChartWithTable
) -> SliderPosition:
    return SliderPosition(
        value,
        sentence,
        tuple(tuple(row) for row in cells),
        {name: [_picture(*draw(look)) for draw in charts] for name, look in LOOKS.items()},
    )


def chart_with_table_builder(
    draw: Callable[..., Chart],
    study: object,
    as_text: Callable[[pd.DataFrame], pd.DataFrame] = table_as_text,
    **more: Any,
) -> ChartWithTable:
    def drawn(look: Look) -> tuple[Chart, pd.DataFrame]:
        chart = draw(study, look, **more)
        return chart, as_text(chart.table)

    return drawn


def charts_with_shared_axes(
    positions: Sequence[SliderPosition], free_axis_charts: Sequence[int] = ()
) -> list[Mapping[str, list[dict[str, Any]]]]:
    """Charts of all positions by look, with shared axes except in the charts `free_axis_charts`."""
    return [
        {
            name: [
                picture if n in free_axis_charts else _widened(picture, positions, name, n)
                for n, picture in enumerate(pictures)
            ]
            for name, pictures in s.items()
        }
        for s in (one.pictures for one in positions)
    ]


def _picture(chart: Chart, table: pd.DataFrame) -> dict[str, Any]:
    return {
        **browser_chart_data(chart),
        "how": chart.how_to_read,
        "table": [
            list(map(str, table.columns)),
            *([str(cell) for cell in row] for row in table.itertuples(index=False, name=None)),
        ],
    }


def browser_chart_data(chart: Chart) -> dict[str, Any]:
    """Data of a chart for the browser, without its template."""
    figure = figure_data(chart)
    return {
        "data": [_coarse(trace) for trace in figure["data"]],
        "layout": figure["layout"],
        "alt": chart.alt,
        "says": chart.says_now,
    }


def _coarse(value: Any) -> Any:
    """Numbers in four digits, arrays of them in single precision."""
    if isinstance(value, dict):
        if value.get("dtype") in {"f4", "f8"}:
            values = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
            coarse = _four(values).astype(np.float32)
            return {
                **value,
                "dtype": "f4",
                "bdata": base64.b64encode(coarse.tobytes()).decode("ascii"),
            }
        return {name: _coarse(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_coarse(one) for one in value]
    return (
        float(_four(np.array([value]))[0])
        if isinstance(value, float) and math.isfinite(value)
        else value
    )


def _four(values: Floats) -> Floats:
    """Four significant digits; whole numbers from a thousand up.

    >>> _four(np.array([0.123456, 12345.6, 0.0])).tolist()
    [0.1235, 12346.0, 0.0]
    """
    values = np.asarray(values, float)
    with np.errstate(divide="ignore"):
        places = np.clip(3 - np.floor(np.log10(np.abs(values))), 0, 300)
    return np.array(
        [
            round(v, int(p)) if math.isfinite(v) else v
            for v, p in zip(values.tolist(), places, strict=True)
        ]
    )


def _widened(
    picture: dict[str, Any], steps: Sequence[SliderPosition], look: str, number: int
) -> dict[str, Any]:
    layout = dict(picture["layout"])
    others = [one.pictures[look][number]["layout"] for one in steps]
    for name, axis in layout.items():
        ranges = (
            [other.get(name, {}).get("range") for other in others] if name[1:5] == "axis" else []
        )
        if ranges and all(ranges):
            first, last = zip(*ranges, strict=True)
            rising = ranges[0][0] <= ranges[0][1]
            widest = [min(first), max(last)] if rising else [max(first), min(last)]
            layout[name] = {**axis, "range": widest}
    return {**picture, "layout": layout}

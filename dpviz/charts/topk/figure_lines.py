"""Figures of merit at the requested ε or k: points joined by straight lines, a line a design."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from dpviz.base import ParameterError
from dpviz.base.text_format import join_with_and, number_text, percent
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure
from dpviz.charts.topk.utility_curves import curve_point_columns, figure_of_merit_title
from dpviz.topk import FigureCurve

Over: TypeAlias = Literal["epsilon", "k"]
Designs: TypeAlias = Mapping[str, Sequence[FigureCurve]]

_ALONG = {"epsilon": "ε, logarithmic", "k": "k, the length of the list"}
_LETTER = {"epsilon": "ε", "k": "k"}


def figure_lines_chart(
    designs: Designs, *, x_quantity: Over = "epsilon", look: Look = LIGHT
) -> Chart:
    """Curves by design name, with the same figures for all: a panel each, or one for one design."""
    every = [curve for curves in designs.values() for curve in curves]
    low, high = min(float(c.x.min()) for c in every), max(float(c.x.max()) for c in every)
    if len(designs) == 1:
        panels = [
            Panel(
                "",
                [
                    _line(figure_of_merit_title(c.event), at, c)
                    for at, c in enumerate(next(iter(designs.values())))
                ],
            )
        ]
    else:
        panels = [
            Panel(
                figure_of_merit_title(figure),
                [
                    _line(name, style, curves[at])
                    for style, (name, curves) in enumerate(designs.items())
                ],
                named=at == 0,
            )
            for at, figure in enumerate([curve.event for curve in next(iter(designs.values()))])
        ]
    estimated = any(curve.method == "estimated" for curve in every)
    says = _says(designs, x_quantity)
    return Chart(
        figure=panel_figure(
            panels,
            Axis(_ALONG[x_quantity], low / 1.06, high * 1.06, log=True),
            Axis("chance, or share", 0.0, 1.02, percent=True),
            look=look,
            height=360.0,
        ),
        shows=f"Lines over {_LETTER[x_quantity]} from {number_text(low)} to {number_text(high)}.",
        how_to_read="Every marker is computed. Straight lines join them."
        + (" Bands are 95 % intervals of estimated figures." if estimated else ""),
        says_now=says,
        columns=[
            curve_point_columns(name, curve, x_quantity)
            for name, curves in designs.items()
            for curve in curves
        ],
    )


def _line(name: str, style: int, curve: FigureCurve) -> Line:
    order = np.argsort(curve.x, kind="stable")
    x, value, low, high = (
        np.asarray(v, float)[order] for v in (curve.x, curve.value, curve.low, curve.high)
    )
    return Line(name, x, value, style, x, *((low, high) if curve.method == "estimated" else ()))


def _says(designs: Designs, over: Over) -> str:
    """Value of the first figure at the end of each design's line."""
    ends = [(name, curves[0], int(np.argmax(curves[0].x))) for name, curves in designs.items()]
    told = join_with_and(
        [f"{percent(float(c.value[at]))}{f' with {name}' if name else ''}" for name, c, at in ends]
    )
    _, first, last = ends[0]
    return f"At {_LETTER[over]} = {number_text(float(first.x[last]))} {figure_of_merit_title(first.event)} is {told}."


def sweep_curves(table: pd.DataFrame) -> dict[Over, dict[str, list[FigureCurve]]]:
    """Table of a sweep as curves by design, over ε and over k; first the one with more values."""
    wanted = [
        "figure",
        "value",
        "low",
        "high",
        "method",
        "mechanism",
        "parameters",
        "epsilon",
        "k",
        "data",
    ]
    if lacking := [name for name in wanted if name not in table.columns]:
        raise ParameterError(
            "result", f"a table without {', '.join(lacking)}", "a table that run_sweep gave"
        )
    overs: list[Over] = sorted(("epsilon", "k"), key=lambda name: -table[name].nunique())
    found = {}
    for over in overs:
        others = ["mechanism", "parameters", "k" if over == "epsilon" else "epsilon", "data"]
        told = [name for name in others if len(table[name].unique()) > 1]
        if "parameters" in told and table.groupby("mechanism")["parameters"].nunique().max() == 1:
            told.remove("parameters")  # the mechanism says it
        found[over] = {
            " · ".join(
                (f"{_LETTER[name]} = {value:g}" if name in _LETTER else str(value))
                for name, value in zip(told, key, strict=False)
            ): [
                _curve(str(figure), rows, over)
                for figure, rows in part.groupby("figure", sort=False)
            ]
            for key, part in table.groupby(told or ["mechanism"], sort=False)
        }
    return found


def _curve(figure: str, rows: pd.DataFrame, over: Over) -> FigureCurve:
    method = "estimated" if (rows["method"] == "estimated").any() else "exact"
    x, value, low, high = (rows[name].to_numpy() for name in (over, "value", "low", "high"))
    return FigureCurve(figure, x, value, low, high, 0.0, method)

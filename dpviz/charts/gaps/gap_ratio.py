"""What gaps do to the error of measurements: formula and simulation on one chart over k.

Symbols: ratio = mean squared error with the gaps / without them; below 1 the gaps help.
Invariants: the formula (lines) is for noise before the selection, the simulation (points with 95 %
intervals) for the items that were selected; neither is drawn as the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import number
from dpviz.gaps.gap_experiment import MeasurementExperiment

__all__ = ["GapRatios", "gap_ratio_chart"]

_EACH = 200  # k of which each has its point of the formula


@dataclass(frozen=True, eq=False)
class GapRatios:
    """Ratios of one kind of scores: `formula` at `k`; `simulated`, `low` and `high` at `at`, with their `runs`."""

    k: Ints
    formula: Floats
    at: Floats
    simulated: Floats
    low: Floats
    high: Floats
    runs: Floats

    @classmethod
    def of(
        cls, experiments: Mapping[int, MeasurementExperiment], ends: tuple[int, int], formula: Callable[[int], float]
    ) -> "GapRatios":
        """From what is simulated so far, by k; `formula` is drawn between the `ends`."""
        low, high = ends
        spaced = np.arange(low, high + 1) if high <= _EACH else np.geomspace(low, high, _EACH).astype(int)
        k = np.unique(spaced)
        told = [(at, e.ratio.value, e.ratio.low, e.ratio.high, e.runs) for at, e in experiments.items()]
        at, *ratio = np.array(told, float).reshape(-1, 5).T
        return cls(k, np.array([formula(n) for n in k.tolist()]), at, *ratio)


_STYLES = {0: (3, "solid", "circle"), 1: (0, "dash", "diamond")}


def gap_ratio_chart(kinds: Mapping[str, GapRatios], *, k: int, own: str, look: Look = LIGHT) -> Chart:
    """The ratios by kind of scores (general, monotonic); `own` is the kind of the scores at hand, k is marked."""
    return Chart(
        figure=_figure(kinds, k, look),
        alt="Error with the gaps as a share of the error without, over k. " + " ".join(_alt(kinds)),
        how_to_read=(
            "Below 1 the gaps make the measured values better. Lines are the formula, which takes the noise as it was "
            "before anything was selected; points are simulated on what was selected, with 95\u202f% intervals."
        ),
        says_now=_says(kinds[own], own, k),
        make_table=lambda: _table(kinds),
    )


def _says(ratios: GapRatios, own: str, k: int) -> str:
    here = np.flatnonzero(ratios.at == k)
    if len(here) == 0 or k == 1:
        return "With k = 1 there is no second item to compare with, so the gaps change nothing." if k == 1 else ""
    i = int(here[0])
    value, low, high = float(ratios.simulated[i]), float(ratios.low[i]), float(ratios.high[i])
    formula = float(np.interp(k, ratios.k, ratios.formula))
    sentence = (
        f"At k = {k:,} the squared error with the gaps is {_three(value)} times that without, on these scores "
        f"({_three(low)} to {_three(high)}); the formula says {_three(formula)}"
    )
    if low > 1:
        return sentence + ". Here the gaps do harm."
    if low <= formula <= high:
        return sentence + ", within the interval."
    return sentence + (", which is too good." if low > formula else ", which is too bad.")


def _three(value: float) -> str:
    return number(float(f"{value:.3g}"))


def _alt(kinds: Mapping[str, GapRatios]) -> Sequence[str]:
    return [
        f"{name}: the formula goes from {_three(float(r.formula[0]))} to "
        f"{_three(float(r.formula[-1]))}, the simulation from {_three(float(r.simulated[0]))} to "
        f"{_three(float(r.simulated[-1]))}."
        for name, r in kinds.items()
        if len(r.at)
    ]


def _figure(kinds: Mapping[str, GapRatios], k: int, look: Look) -> Figure:
    figure = Figure()
    top = 1.1
    for style, (name, r) in enumerate(kinds.items()):
        colour, dash, symbol = _STYLES[style]
        ink = look.categories[colour]
        figure.add_scatter(
            x=r.k,
            y=r.formula.astype(np.float32),
            mode="lines",
            name=f"formula, {name}",
            line={"color": ink, "dash": dash, "width": 2 * look.scale},
            hovertemplate="k = %{x}: formula <b>%{y:.3f}</b><extra></extra>",
        )
        figure.add_scatter(
            x=r.at,
            y=r.simulated.astype(np.float32),
            mode="markers",
            name=f"simulated, {name}",
            marker={"color": ink, "symbol": symbol, "size": 9 * look.scale},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": r.high - r.simulated,
                "arrayminus": r.simulated - r.low,
                "color": ink,
                "thickness": 1.4,
                "width": 4,
            },
            customdata=np.column_stack([r.low, r.high, r.runs]) if len(r.at) else None,
            hovertemplate="k = %{x}: simulated <b>%{y:.3f}</b><br>95 %: %{customdata[0]:.3f} to %{customdata[1]:.3f}"
            "<br>%{customdata[2]:,} simulated releases<extra></extra>",
        )
        if len(r.at):
            top = max(top, float(r.high.max()) * 1.06)
    span = next(iter(kinds.values())).k
    low, high = float(span[0]), float(span[-1])
    ticks = [t for t in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000) if low <= t <= high]
    figure.add_level(y=1, line={"color": look.ink, "width": 1})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1,
        xanchor="right",
        yanchor="bottom",
        text="gaps change nothing",
        showarrow=False,
        font={"color": look.muted},
    )
    figure.add_upright(x=k, line={"color": look.muted, "width": 1, "dash": "dash"})
    figure.update_layout(
        template=look.template,
        height=round(390 * look.scale),
        margin={"t": 16, "b": 7.6 * look.size},
        xaxis={
            "type": "log",
            "range": [float(np.log10(low * 0.93)), float(np.log10(high * 1.07))],
            "tickvals": ticks,
            "ticktext": [f"{t:,}" for t in ticks],
            "title": {"text": "k, how many items are selected and measured"},
            "fixedrange": True,
        },
        yaxis={
            "range": [0, top],
            "title": {"text": "error with gaps / without"},
            "nticks": 7,
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
    )
    return figure


def _table(kinds: Mapping[str, GapRatios]) -> pd.DataFrame:
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "scores": name,
                    "k": r.at.astype(int),
                    "formula": np.interp(r.at, r.k, r.formula),
                    "simulated": r.simulated,
                    "low": r.low,
                    "high": r.high,
                    "simulated releases": r.runs.astype(int),
                }
            )
            for name, r in kinds.items()
        ],
        ignore_index=True,
    )

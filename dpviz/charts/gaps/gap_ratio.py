"""What gaps do to the error of measurements: formula and simulation on one chart over k.

Symbols: ratio = mean squared error with the gaps / without them; below 1 the gaps help.
Invariants: the formula (lines) is for noise before the selection, the simulation (points with 95 %
intervals) for the items that were selected; neither is drawn as the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Marks,
    axis,
    curve,
    dots,
    errors,
    legend_below,
    level,
    note,
    upright,
)
from dpviz.charts.words import number
from dpviz.gaps.gap_experiment import MeasurementExperiment

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


_STYLES = ((3, "solid", "circle"), (0, "dash", "diamond"))


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
        make_table=lambda: [
            {
                "scores": name,
                "k": r.at.astype(int),
                "formula": np.interp(r.at, r.k, r.formula),
                "simulated": r.simulated,
                "low": r.low,
                "high": r.high,
                "simulated releases": r.runs.astype(int),
            }
            for name, r in kinds.items()
        ],
    )


def _says(ratios: GapRatios, own: str, k: int) -> str:
    here = np.flatnonzero(ratios.at == k)
    if len(here) == 0 or k == 1:
        return "With k = 1 there is no second item to compare with, so the gaps change nothing." if k == 1 else ""
    i = int(here[0])
    value, low, high = float(ratios.simulated[i]), float(ratios.low[i]), float(ratios.high[i])
    formula = float(np.interp(k, ratios.k, ratios.formula))
    sentence = (
        f"At k = {k:,} the squared error with the gaps is {number(value, 3)} times that without, on these scores "
        f"({number(low, 3)} to {number(high, 3)}); the formula says {number(formula, 3)}"
    )
    if low > 1:
        return sentence + ". Here the gaps do harm."
    if low <= formula <= high:
        return sentence + ", within the interval."
    return sentence + (", which is too good." if low > formula else ", which is too bad.")


def _alt(kinds: Mapping[str, GapRatios]) -> Sequence[str]:
    return [
        f"{name}: the formula goes from {number(float(r.formula[0]), 3)} to "
        f"{number(float(r.formula[-1]), 3)}, the simulation from {number(float(r.simulated[0]), 3)} to "
        f"{number(float(r.simulated[-1]), 3)}."
        for name, r in kinds.items()
        if len(r.at)
    ]


def _figure(kinds: Mapping[str, GapRatios], k: int, look: Look) -> Figure:
    span = next(iter(kinds.values())).k
    low, high = float(span[0]), float(span[-1])
    ticks = [t for t in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000) if low <= t <= high]
    top = max([1.1, *(float(r.high.max()) * 1.06 for r in kinds.values() if len(r.at))])
    return Figure(
        look,
        [_kind(name, r, style, look) for (name, r), style in zip(kinds.items(), _STYLES, strict=False)],
        level(1, look.ink, None),
        note("gaps change nothing", 1, 1, "right bottom", look.muted, xref="paper"),
        upright(k, look.muted),
        height=390,
        margin={"t": 16, "b": 7.6 * look.size},
        x=axis(
            "k, how many items are selected and measured",
            (float(np.log10(low * 0.93)), float(np.log10(high * 1.07))),
            type="log",
            tickvals=ticks,
            ticktext=[f"{t:,}" for t in ticks],
        ),
        y=axis("error with gaps / without", (0, top), nticks=7),
        legend=legend_below(),
    )


def _kind(name: str, r: GapRatios, style: tuple[int, str, str], look: Look) -> Marks:
    """The formula of one kind of scores as a curve, its simulation as points with their intervals."""
    colour, dash, symbol = look.categories[style[0]], *style[1:]
    return [
        curve(
            r.k,
            r.formula.astype(np.float32),
            colour,
            2 * look.scale,
            dash,
            name=f"formula, {name}",
            hover="k = %{x}: formula <b>%{y:.3f}</b>",
        ),
        dots(
            r.at,
            r.simulated.astype(np.float32),
            colour,
            9 * look.scale,
            symbol,
            name=f"simulated, {name}",
            error_y=errors(r.simulated, r.low, r.high, color=colour, thickness=1.4, width=4),
            customdata=np.column_stack([r.low, r.high, r.runs]) if len(r.at) else None,
            hover="k = %{x}: simulated <b>%{y:.3f}</b><br>95 %: %{customdata[0]:.3f} to %{customdata[1]:.3f}"
            "<br>%{customdata[2]:,} simulated releases",
        ),
    ]

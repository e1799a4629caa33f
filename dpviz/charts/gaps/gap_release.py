"""Noisy top-k with gap: one release as a staircase, and the error of measurements with its gaps.

Symbols: gap r leads from position r in noisy order to the next; ratio = mean squared error with the
gaps / without.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, Scores
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    number_text,
    safe_label,
    shorten_text,
)
from dpviz.charts.grammar import DASHES, LIGHT, Chart, Figure, Look, axes, marks
from dpviz.gaps import GapRelease, MeasurementExperiment

_NAMED = 25  # steps that are named on the axis
_STEPS = 400  # steps that are drawn


def gap_release_chart(release: GapRelease, scores: Scores, *, look: Look = LIGHT) -> Chart:
    """Staircase of `release`, with the true differences between the items beside it."""
    k = len(release.items)
    up = np.append(np.cumsum(release.gaps[::-1])[::-1], 0.0)  # above the best item left out
    above = up - up[k - 1]
    true = scores.values[release.items] - scores.values[release.items[-1]]
    names = [scores.label(int(i)) for i in release.items]
    first, last = (isolate_direction(shorten_text(name)) for name in (names[0], names[-1]))
    return Chart(
        figure=_release_figure(above, true, names, look),
        shows=(
            f"A staircase of {count_text(k, 'selected item')}, from {first} down to {last}, which"
            f" is {number_text(float(above[0]))} lower. The best item left out is another"
            f" {number_text(float(release.gaps[-1]))} below."
        ),
        how_to_read=(
            "Each bar is a gap, the distance of an item's noisy score to the next one's. The dots"
            " add up the gaps above the last item. Both are published. The diamonds are the true"
            " distances above the last item, and are not published."
            + (f" The first {_STEPS} steps are drawn." if k > _STEPS else "")
        ),
        says_now=_release_says(
            release,
            scores,
            names,
            int((scores.rank[release.items] < scores.tie_counts(k).at_or_above).sum()),
        ),
        columns={
            "place": np.arange(1, k + 1),
            "item": names,
            "gap to the next (published)": release.gaps,
            "true score (not published)": scores.values[release.items],
            "true rank (not published)": scores.rank[release.items] + 1,
        },
    )


def _release_says(release: GapRelease, scores: Scores, names: list[str], exactly: int) -> str:
    k = len(names)
    first = isolate_direction(shorten_text(names[0]))
    return (
        f"{first} is first, {number_text(release.gaps[0], 3)} above the best item left out."
        if k == 1
        else f"{first} is first, {number_text(release.gaps[0], 3)} above the second. "
        f"{'All' if exactly == k else f'{exactly:,} of the'} {k:,} belong to the true top {k:,}."
    )


def _release_figure(above: Floats, true: Floats, names: list[str], look: Look) -> Figure:
    k = min(len(names), _STEPS)
    place = np.arange(1, k + 2)
    stop, start = above[:k], above[1 : k + 1]
    hover = [
        f"place {r:,}: <b>{safe_label(name, 100)}</b><br>gap to the next {number_text(a - b, 3)}"
        for r, name, a, b in marks.zip_plain_values(place[:k], names[:k], stop, start)
    ]
    named = k <= _NAMED
    ticks = [*names[:k], "best item left out"]
    wide = max((len(shorten_text(tick, 26)) for tick in ticks), default=0) if named else 0
    size = (9 if named else 5) * look.scale
    published, unpublished = look.accent, look.ink
    return Figure(
        look,
        marks.horizontal_bars(
            (stop - start).astype(np.float32),
            place[:k],
            look.transparent_colour(published),
            base=start.tolist(),
            width=0.34 if named else 1.0,
            name="gap, published",
            hover=hover,
        ),
        marks.dots(
            above[: k + 1].astype(np.float32),
            place,
            published,
            size,
            name="place, published",
            hover="by the gaps %{x:,.4~r} above the last",
        ),
        marks.dots(
            true[:k].astype(np.float32),
            place[:k],
            unpublished,
            size,
            "diamond-open",
            (2, unpublished),
            name="true place, secret",
            hover="truly %{x:,.4~r} above the last",
        ),
        height=min(130 + 26 * (k + 1), 470) if named else 430,
        barmode="overlay",
        margin={
            "l": (wide * 0.56 + 1.6) * look.text_size if named else 4.6 * look.text_size,
            "t": 12,
            "b": 6.6 * look.text_size,
        },
        x=axes.axis(
            "distance above the last item, in score units",
            axes.padded_span(0.04, above[: k + 1], true[:k]),
        ),
        y=axes.axis(
            None if named else "place in noisy order",
            (k + 1.6, 0.4),
            grid=False,
            tickvals=place.tolist() if named else None,
            ticktext=[safe_label(tick, 26) for tick in ticks] if named else None,
            tickformat=None if named else ",d",
        ),
        legend=axes.bottom_legend(traceorder="normal", xref="container"),
    )


_EACH = 200  # k of which each has its point of the formula


@dataclass(frozen=True, eq=False)
class GapRatios:
    """Ratios of one kind of scores: `formula` at `k`; `simulated` in `low` … `high` at `at`."""

    k: Ints
    formula: Floats
    at: Floats
    simulated: Floats
    low: Floats
    high: Floats
    runs: Floats

    @classmethod
    def from_experiments(
        cls,
        experiments: Mapping[int, MeasurementExperiment],
        k_range: tuple[int, int],
        formula: Callable[[int], float],
    ) -> "GapRatios":
        """Ratios from the experiments so far, by k; `formula` is drawn between the `k_range`."""
        low, high = k_range
        spaced = (
            np.arange(low, high + 1)
            if high <= _EACH
            else np.geomspace(low, high, _EACH).astype(int)
        )
        k = np.unique(spaced)
        rows = [
            (at, e.ratio.value, e.ratio.low, e.ratio.high, e.runs) for at, e in experiments.items()
        ]
        at, *ratio = np.array(rows, float).reshape(-1, 5).T
        return cls(k, np.array([formula(n) for n in k.tolist()]), at, *ratio)


def gap_ratio_chart(
    kinds: Mapping[str, GapRatios], *, k: int, own: str, look: Look = LIGHT
) -> Chart:
    """Ratios by kind of scores (general, monotonic); `own` is the kind of these scores."""
    return Chart(
        figure=_ratio_figure(kinds, k, look),
        shows="Error with the gaps as a share of the error without, over k. "
        + " ".join(
            f"{name}: the formula goes from {number_text(float(r.formula[0]), 3)} to"
            f" {number_text(float(r.formula[-1]), 3)}, the simulation from"
            f" {number_text(float(r.simulated[0]), 3)} to {number_text(float(r.simulated[-1]), 3)}."
            for name, r in kinds.items()
            if len(r.at)
        ),
        how_to_read=(
            "Below 1 the gaps make the measured values better. Lines are the formula for the noise"
            " before the selection. Points are simulated on the selected items, with 95\u202f%"
            " intervals."
        ),
        says_now=_ratio_says(kinds[own], own, k),
        columns=[
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


def _ratio_says(ratios: GapRatios, own: str, k: int) -> str:
    here = np.flatnonzero(ratios.at == k)
    if len(here) == 0 or k == 1:
        return (
            "With k = 1 there is no second item to compare with, so the gaps change nothing."
            if k == 1
            else ""
        )
    i = int(here[0])
    value, low, high = float(ratios.simulated[i]), float(ratios.low[i]), float(ratios.high[i])
    formula = float(np.interp(k, ratios.k, ratios.formula))
    sentence = (
        f"At k = {k:,} the squared error with the gaps is {number_text(value, 3)} times that"
        f" without ({number_text(low, 3)} to {number_text(high, 3)}). The formula gives"
        f" {number_text(formula, 3)}"
    )
    if low > 1:
        return sentence + ". Here the gaps do harm."
    if low <= formula <= high:
        return sentence + ", within the interval."
    return sentence + f", which is too {'small' if low > formula else 'large'}."


def _ratio_figure(kinds: Mapping[str, GapRatios], k: int, look: Look) -> Figure:
    span = next(iter(kinds.values())).k
    low, high = float(span[0]), float(span[-1])
    ticks = [
        t
        for t in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
        if low <= t <= high
    ]
    top = max([1.1, *(float(r.high.max()) * 1.06 for r in kinds.values() if len(r.at))])
    return Figure(
        look,
        [
            [
                marks.curve_mark(
                    r.k,
                    r.formula.astype(np.float32),
                    look.designs[number],
                    2 * look.scale,
                    dash,
                    name=f"formula, {name}",
                    hover="k = %{x}: formula <b>%{y:.3f}</b>",
                ),
                marks.dots(
                    r.at,
                    r.simulated.astype(np.float32),
                    look.designs[number],
                    9 * look.scale,
                    symbol,
                    name=f"simulated, {name}",
                    error_y=marks.error_bars(
                        r.simulated,
                        r.low,
                        r.high,
                        color=look.designs[number],
                        thickness=1.4,
                        width=4,
                    ),
                    customdata=np.column_stack([r.low, r.high, r.runs]) if len(r.at) else None,
                    hover=(
                        "k = %{x}: simulated <b>%{y:.3f}</b><br>95 %: %{customdata[0]:.3f} to"
                        " %{customdata[1]:.3f}<br>%{customdata[2]:,} simulated releases"
                    ),
                ),
            ]
            for number, ((name, r), dash, symbol) in enumerate(
                zip(kinds.items(), DASHES, ("circle", "diamond"), strict=False)
            )
        ],
        marks.horizontal_line(1, look.ink, None),
        marks.text_annotation(
            "gaps change nothing", 1, 1, "right bottom", look.muted, xref="paper"
        ),
        marks.vertical_line(k, look.muted),
        height=390,
        margin={"t": 16, "b": 7.6 * look.text_size},
        x=axes.axis(
            "k, selected and measured items",
            (float(np.log10(low * 0.93)), float(np.log10(high * 1.07))),
            type="log",
            tickvals=ticks,
            ticktext=[f"{t:,}" for t in ticks],
        ),
        y=axes.axis("error with gaps / without", (0, top), nticks=7),
        legend=axes.bottom_legend(),
    )

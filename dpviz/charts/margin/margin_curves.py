"""Curves of the rules for one item: distance below the best, and quality as the universe grows.

Lower bounds are about the worst data, not the data at hand; bands show bounds.
"""

import math
from collections.abc import Mapping

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import (
    count_text,
    lower_percent_text,
    number_text,
    percent,
    power_of_ten_text,
    upper_bound_text,
)
from dpviz.charts.grammar import LIGHT, Chart, Look, marks
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure
from dpviz.margin import COMPARED, DistanceLowerBounds, GoodItemCurve

Curve = tuple[Floats, Floats]
_STYLES = {name: style for style, name in enumerate(COMPARED)}
Curves = Mapping[str, GoodItemCurve]
_MOST = 300  # steps of a curve
_SEEN = 0.9995
_BAND = 1e-3  # bounds that are farther apart are drawn as such
_SAME = 5e-4  # a difference in chance that nobody sees


def margin_promise_chart(
    laws: Mapping[str, Curve], promised: Curve, *, look: Look = LIGHT
) -> Chart:
    """`laws` are (distance, probability) by rule; `promised` are the points of Theorem 3."""
    distance, probability = promised
    widest = _widest(laws, distance)
    lines = [
        _steps(COMPARED.label(name), *curve, _STYLES[name], widest) for name, curve in laws.items()
    ]
    order = np.argsort(distance)
    says = _promise_says(laws, promised)
    return Chart(
        figure=panel_figure(
            [Panel("", lines, named=False)],
            Axis("at most this far below the best score", 0.0, widest),
            Axis("chance", 0.0, 1.04, percent=True),
            look=look,
            height=380,
            extra_marks=marks.trace(
                "scatter",
                distance[order],
                probability[order],
                mode="lines+markers",
                name="guarantee of large margin (Theorem 3)",
                line={"color": look.muted, "width": 1.5 * look.scale, "dash": "dot"},
                marker={"color": look.muted, "symbol": "triangle-up", "size": 6 * look.scale},
                hover="guaranteed within %{x:,.4~r}: <b>%{y:.2%}</b>",
            ),
        ),
        shows=(
            "Curves of the chance that the item is at most a given distance below the best, by"
            " mechanism."
        ),
        how_to_read=(
            "Each step curve is exact for these scores. A curve that rises sooner is better. The"
            " triangles are what Theorem 3 guarantees for any scores with the same front group. The"
            " exact curve of large margin is never below them."
        ),
        says_now=says,
        columns=[
            *(
                {"curve": COMPARED.label(name), "distance": x, "chance": y}
                for name, (x, y) in laws.items()
            ),
            {"curve": "guarantee (Theorem 3)", "distance": distance, "chance": probability},
        ],
    )


def _widest(laws: Mapping[str, Curve], promised: Floats) -> float:
    """End of the axis: every curve is near its top, and half of the useful promises are in view."""
    ends, spread = [], 0.0
    for x, y in laws.values():
        ends.append(float(x[np.flatnonzero(y >= _SEEN * y[-1])[0]]))
        spread = float(x[-1])
    return 1.06 * max([*ends, min(float(np.quantile(promised, 0.5)), spread), 1e-9])


def _steps(name: str, distance: Floats, probability: Floats, style: int, widest: float) -> Line:
    """Step curve, cut at the end of the axis and thinned if there are many steps."""
    kept = np.flatnonzero(distance <= widest)
    if len(kept) > _MOST:
        kept = kept[np.unique(np.rint(np.linspace(0, len(kept) - 1, _MOST)).astype(np.int64))]
    x, y = distance[kept], probability[kept]
    steps_x = np.append(np.repeat(x, 2)[1:], widest)
    return Line(name, steps_x, np.repeat(y, 2), style, _staggered(style) * widest)


def _promise_says(laws: Mapping[str, Curve], promised: Curve) -> str:
    at = int(np.argmin(np.abs(promised[1] - 0.95)))
    distance, probability = float(promised[0][at]), float(promised[1][at])
    x, y = laws["large_margin"]
    says = (
        f"Theorem 3 guarantees an item within {upper_bound_text(distance, 3)} of the best in"
        f" {lower_percent_text(probability)} of releases."
    )
    if distance >= x[-1]:
        return (
            f"{says} That has no meaning here, as no score is more than"
            f" {upper_bound_text(float(x[-1]))} below the best."
        )
    exact = float(y[np.searchsorted(x, distance, side="right") - 1])
    return f"{says} The exact chance is {percent(exact)}."


def margin_bound_chart(
    limits: DistanceLowerBounds, epsilon: float, people: int, *, look: Look = LIGHT
) -> Chart:
    """Lower bounds by number of items near the top, and the promise of large margin there."""
    near = limits.near.astype(float)
    lines = [
        Line("no ε-DP mechanism always beats this", near, limits.pure.astype(float), 1),
        Line("large margin guarantees this", near, limits.promise, 0),
    ]
    if limits.valid_point_count:
        lines.insert(
            1,
            Line(
                "no (ε, δ)-DP mechanism always beats this",
                near[: limits.valid_point_count],
                limits.approximate.astype(float),
                2,
            ),
        )
    says = (
        f"With {count_text(int(limits.near[-1]), 'item')}, every ε-DP mechanism falls"
        f" {number_text(float(limits.pure[-1]))}"
        " short on some data, in at least half of its releases"
    )
    if limits.valid_point_count:
        edge = int(limits.near[limits.valid_point_count - 1])
        says += (
            f". With {count_text(edge, 'item')} near the top, every (ε, δ)-DP mechanism falls"
            f" {number_text(float(limits.approximate[-1]))} short"
        )
    return Chart(
        figure=panel_figure(
            [Panel("", lines)],
            Axis("items near the top, in steps of ten", float(near[0]), float(near[-1]), log=True),
            Axis("distance below the best, in units of Δ", 0.0, 1.06 * float(limits.promise.max())),
            look=look,
            height=360,
        ),
        shows=(
            "Lower bounds on the distance below the best, against the number of items near the top."
        ),
        how_to_read=(
            "On the worst data a mechanism falls at least this far short in half of its releases."
            " Large margin reaches its line in at least half of them, if the scores drop far"
            " enough. For ε-DP every item of the universe counts, for (ε, δ)-DP only those near the"
            " top."
            + (
                " Where the (ε, δ)-DP line ends, δ is too large for the theorem."
                if limits.valid_point_count < len(near)
                else ""
            )
            + f" This is for {count_text(people, 'person', 'people')} and ε ="
            f" {number_text(epsilon)}."
        ),
        says_now=says + ".",
        columns={
            "items near the top": limits.near,
            "lower bound for ε-DP": limits.pure,
            "lower bound for (ε, δ)-DP": [
                *map(float, limits.approximate),
                *[np.nan] * (len(near) - limits.valid_point_count),
            ],
            "guarantee of large margin": limits.promise,
        },
    )


def universe_size_chart(
    near_curves: Curves,
    far_curves: Curves | None,
    universe: int,
    distance: float,
    half: float | None,
    *,
    look: Look = LIGHT,
) -> Chart:
    """`near_curves` goes up to ten million unlisted items, `far_curves` beyond; `universe` is
    marked.

    `half` is log10 of the size at which the exponential mechanism's chance of a good item is 1/2.
    """
    sizes = next(iter(near_curves.values())).log10_size
    axis = Axis(
        "items in the universe, in steps of ten",
        10 ** float(sizes[0]),
        10 ** float(sizes[-1]),
        log=True,
    )
    lines = [_line(name, curve, log=False) for name, curve in near_curves.items()]
    panels, along = [Panel("", lines)], [axis]
    if far_curves is not None:
        beyond = next(iter(far_curves.values())).log10_size
        farther = [_line(name, curve, log=True) for name, curve in far_curves.items()]
        panels = [
            Panel("up to ten million unlisted items", lines, named=False),
            Panel("as far as the theory goes", farther),
        ]
        along.append(Axis("unlisted items, as a power of ten", float(beyond[0]), float(beyond[-1])))
    at, where = (universe, "x") if universe <= axis.high else (math.log10(universe), "x2")
    seen = axis.low <= universe and (where == "x" or far_curves is not None)
    says = _universe_says(near_curves, universe, half)
    return Chart(
        figure=panel_figure(
            panels,
            along,
            Axis("chance of a good item", 0.0, 1.04, percent=True),
            look=look,
            height=370,
            extra_marks=[marks.vertical_line(at, look.ink, xref=where)] if seen else [],
        ),
        shows=(
            f"Curves of the chance of an item within {number_text(distance)} of the best score, by"
            f" the size of the universe."
        ),
        how_to_read=(
            "A level line means that the number of items does not matter. The vertical line is the"
            " size chosen here. All unlisted items have score zero."
            + (
                " The right axis shows powers of ten: 100 stands for 10¹⁰⁰ unlisted items."
                if far_curves is not None
                else ""
            )
            + (
                " A band shows where only bounds are known."
                if any(map(_uncertain, (far_curves or {}).values()))
                else ""
            )
        ),
        says_now=says,
        columns=[
            {
                "mechanism": COMPARED.label(name),
                "log10 of the universe size": curve.log10_size,
                "chance of a good item, at least": curve.low,
                "chance of a good item, at most": curve.high,
            }
            for curves in (near_curves, far_curves or {})
            for name, curve in curves.items()
        ],
    )


def _line(name: str, curve: GoodItemCurve, *, log: bool) -> Line:
    x = curve.log10_size if log else 10.0**curve.log10_size
    style = _STYLES[name]
    marked = x[np.unique(np.rint(_staggered(style) * (len(x) - 1)).astype(np.int64))]
    if _uncertain(curve):
        return Line(COMPARED.label(name), x, curve.high, style, marked, curve.low, curve.high)
    return Line(COMPARED.label(name), x, (curve.low + curve.high) / 2, style, marked)


def _uncertain(curve: GoodItemCurve) -> bool:
    """True if the bounds are far enough apart to be seen."""
    return float(np.max(curve.high - curve.low)) >= _BAND


def _staggered(style: int) -> Floats:
    """Places of a line's markers along the axis, apart from others', so that overlaps are seen."""
    return np.asarray((np.arange(4) + (style + 0.5) / len(_STYLES)) / 4)


def _universe_says(near: Curves, universe: int, half: float | None) -> str:
    moved = []
    for name, curve in near.items():
        first, last = float(curve.high[0]), float(curve.high[-1])
        moves = f"goes from {percent(first)} to {percent(last)}"
        moved.append(
            f"{COMPARED.label(name)} "
            + (f"stays at {percent(last)}" if abs(first - last) < _SAME else moves)
        )
    text = f"From the listed items to ten million more: {'; '.join(moved)}."
    if (near["gumbel"].low > near["large_margin"].high - _SAME).all():
        text += (
            " At each of these sizes the exponential mechanism is as good as large margin, and"
            " needs no δ."
        )
    if half is not None:
        text += (
            f" The exponential mechanism falls to one half at about {power_of_ten_text(half)} unlisted"
            " items."
        )
    return text

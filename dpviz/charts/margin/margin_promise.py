"""How far below the best the chosen item is: the exact law beside what the theorems say beforehand.

Invariants: the promise is never above the exact curve of large margin (Thm 3); lower bounds are about the worst
data with so many items near the top, and no statement on the data at hand.
"""

from collections.abc import Mapping

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.grammar import LIGHT, Chart, Look, trace
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.charts.words import count, number, percent
from dpviz.margin.compared import COMPARED
from dpviz.margin.front_group import Limits

Curve = tuple[Floats, Floats]
_STYLES = {name: style for style, name in enumerate(COMPARED)}
_MOST = 300
_SEEN = 0.9995


def margin_promise(laws: Mapping[str, Curve], promised: Curve, *, look: Look = LIGHT) -> Chart:
    """`laws` are (distance, probability) by the name of the rule, `promised` the points that Theorem 3 promises."""
    distance, probability = promised
    widest = _widest(laws, distance)
    lines = [_steps(COMPARED.label(name), *curve, _STYLES[name], widest) for name, curve in laws.items()]
    order = np.argsort(distance)
    says = _promise_says(laws, promised)
    return Chart(
        figure=draw_panels(
            [Panel("", lines, named=False)],
            Axis("at most this far below the best score", 0.0, widest),
            Axis("chance", 0.0, 1.04, percent=True),
            look=look,
            height=380,
            more=trace(
                "scatter",
                distance[order],
                probability[order],
                mode="lines+markers",
                name="promised for large margin (Theorem 3)",
                line={"color": look.muted, "width": 1.5 * look.scale, "dash": "dot"},
                marker={"color": look.muted, "symbol": "triangle-up", "size": 6 * look.scale},
                hover="promised within %{x:,.4~g}: <b>%{y:.2%}</b>",
            ),
        ),
        alt=f"Curves of the chance that the item is at most so far below the best, by mechanism. {says}",
        how_to_read=(
            "Each step curve is exact for these scores: the sooner it is at the top, the better. The triangles are "
            "what Theorem 3 promises without looking at more than where the margin is; the exact curve of large margin "
            "is never below them."
        ),
        says_now=says,
        make_table=lambda: [
            *({"curve": COMPARED.label(name), "distance": x, "chance": y} for name, (x, y) in laws.items()),
            {"curve": "promised (Theorem 3)", "distance": distance, "chance": probability},
        ],
    )


def _widest(laws: Mapping[str, Curve], promised: Floats) -> float:
    """Where every curve that gets to the top is there; at least half of what is promised, where that says anything."""
    ends, spread = [], 0.0
    for x, y in laws.values():
        there = np.flatnonzero(y >= _SEEN * y[-1])
        ends.append(float(x[there[0]]))
        spread = float(x[-1])
    return 1.06 * max([*ends, min(float(np.quantile(promised, 0.5)), spread), 1e-9])


def _steps(name: str, distance: Floats, probability: Floats, style: int, widest: float) -> Line:
    """A step curve, cut at the end of the axis and thinned where there are many steps."""
    kept = np.flatnonzero(distance <= widest)
    if len(kept) > _MOST:
        kept = kept[np.unique(np.rint(np.linspace(0, len(kept) - 1, _MOST)).astype(np.int64))]
    x, y = distance[kept], probability[kept]
    steps_x = np.append(np.repeat(x, 2)[1:], widest)
    marks = (np.arange(4) + (style + 0.5) / len(_STYLES)) / 4 * widest  # not upon those of other lines
    return Line(name, steps_x, np.repeat(y, 2), style, marks)


def _promise_says(laws: Mapping[str, Curve], promised: Curve) -> str:
    at = int(np.argmin(np.abs(promised[1] - 0.95)))
    distance, probability = float(promised[0][at]), float(promised[1][at])
    x, y = laws["large_margin"]
    if distance >= x[-1]:
        return (
            f"Theorem 3 promises an item within {number(round(distance, 1))} of the best in {percent(probability)} of "
            f"releases, which says nothing here: no score is more than {number(float(x[-1]))} below the best."
        )
    exact = float(y[np.searchsorted(x, distance, side="right") - 1])
    return (
        f"Theorem 3 promises an item within {number(round(distance, 1))} of the best in {percent(probability)} of "
        f"releases; exactly, it is {percent(exact)}."
    )


def margin_limits(found: Limits, epsilon: float, people: int, *, look: Look = LIGHT) -> Chart:
    """Lower bounds against the number of items near the top, and what large margin promises there."""
    near = found.near.astype(float)
    lines = [
        Line("no ε-DP mechanism always beats this", near, found.pure.astype(float), 1),
        Line("large margin promises this", near, found.promise, 0),
    ]
    if found.reach:
        lines.insert(
            1, Line("no (ε, δ)-DP mechanism always beats this", near[: found.reach], found.approximate.astype(float), 2)
        )
    last = int(found.near[-1])
    says = (
        f"With {count(last, 'item')}, every ε-DP mechanism falls {number(float(found.pure[-1]))} short on some data in "
        "at least half of its releases"
    )
    if found.reach:
        edge = int(found.near[found.reach - 1])
        says += (
            f"; with {count(edge, 'item')} near the top, so does every (ε, δ)-DP mechanism by "
            f"{number(float(found.approximate[-1]))}"
        )
    return Chart(
        figure=draw_panels(
            [Panel("", lines)],
            Axis("items near the top, in steps of ten", float(near[0]), float(near[-1]), log=True),
            Axis("distance below the best, in units of Δ", 0.0, 1.06 * float(found.promise.max())),
            look=look,
            height=360,
        ),
        alt=f"Lower bounds on the distance below the best, against the number of items near the top. {says}.",
        how_to_read=(
            "Distances are what a mechanism misses in at least half of its releases on the worst data; the promise is "
            "what large margin reaches in at least half of them, where its margin is there. For ε-DP every item of the "
            "universe counts, for (ε, δ)-DP only those near the top"
            + (", as far as its line goes: beyond, δ is too large for the theorem" if found.reach < len(near) else "")
            + f". Here for {count(people, 'person', 'people')} and ε = {number(epsilon)}."
        ),
        says_now=says + ".",
        make_table=lambda: {
            "items near the top": found.near,
            "lower bound for ε-DP": found.pure,
            "lower bound for (ε, δ)-DP": [*map(float, found.approximate), *[np.nan] * (len(near) - found.reach)],
            "promise of large margin": found.promise,
        },
    )

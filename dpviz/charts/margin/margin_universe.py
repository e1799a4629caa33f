"""The chance of a good item against the size of the universe, by rule: what is exact, and what lies far beyond.

Invariants: both panels share the vertical axis and the styles; a band is drawn where only bounds are known.
"""

import math
from collections.abc import Mapping

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.grammar import LIGHT, Chart, Look, upright
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.charts.words import number, percent, power
from dpviz.margin.compared import COMPARED
from dpviz.margin.universe_curve import UniverseCurve

Curves = Mapping[str, UniverseCurve]
_BAND = 1e-3
_SAME = 5e-4  # a difference in chance that nobody sees
_STYLES = {name: style for style, name in enumerate(COMPARED)}


def margin_universe(
    near: Curves, far: Curves | None, universe: int, distance: float, half: float | None, *, look: Look = LIGHT
) -> Chart:
    """`near` up to ten million unlisted items, `far` beyond if there is anything to see; `universe` is marked.

    `half` is log10 of the size at which the exponential mechanism chooses a good item half of the time.
    """
    sizes = next(iter(near.values())).log10_size
    axis = Axis("items in the universe, in steps of ten", 10 ** float(sizes[0]), 10 ** float(sizes[-1]), log=True)
    panels = [Panel("", [_line(name, curve, log=False) for name, curve in near.items()], share=1.3, named=far is None)]
    axes = [axis]
    if far is not None:
        beyond = next(iter(far.values())).log10_size
        panels = [
            Panel("up to ten million unlisted items", panels[0].lines, share=1.0, named=False),
            Panel("as far as the theory goes", [_line(name, curve, log=True) for name, curve in far.items()]),
        ]
        axes.append(Axis("unlisted items, as a power of ten", float(beyond[0]), float(beyond[-1])))
    at, where = (universe, "x") if universe <= axis.high else (math.log10(universe), "x2")
    seen = axis.low <= universe and (where == "x" or far is not None)
    says = _says_now(near, universe, half)
    return Chart(
        figure=draw_panels(
            panels,
            axes,
            Axis("chance of a good item", 0.0, 1.04, percent=True),
            look=look,
            height=370,
            more=[upright(at, look.ink, xref=where)] if seen else [],
        ),
        alt=(
            f"Curves of the chance of an item within {number(distance)} of the best score, against the size of the "
            f"universe, for {', '.join(COMPARED.label(name) for name in near)}. {says}"
        ),
        how_to_read=(
            "A mechanism whose line stays level does not care how many items there are; the dashed upright is the size "
            "chosen here. All unlisted items have score zero."
            + (
                " On the right the axis has the power of ten: 100 stands for 10¹⁰⁰ unlisted items."
                if far is not None
                else ""
            )
            + (" A band shows where only bounds are known." if _banded(far) else "")
        ),
        says_now=says,
        make_table=lambda: [
            {
                "mechanism": COMPARED.label(name),
                "log10 of the universe size": curve.log10_size,
                "chance of a good item, at least": curve.low,
                "chance of a good item, at most": curve.high,
            }
            for curves in (near, far or {})
            for name, curve in curves.items()
        ],
    )


def _line(name: str, curve: UniverseCurve, *, log: bool) -> Line:
    x = curve.log10_size if log else 10.0**curve.log10_size
    known = not _uncertain(curve)
    middle = (curve.low + curve.high) / 2
    marks = _staggered(x, _STYLES[name])
    if known:
        return Line(COMPARED.label(name), x, middle, _STYLES[name], marks)
    return Line(COMPARED.label(name), x, curve.high, _STYLES[name], marks, curve.low, curve.high)


def _uncertain(curve: UniverseCurve) -> bool:
    """Whether its bounds are far enough apart to be seen."""
    return float(np.max(curve.high - curve.low)) >= _BAND


def _banded(curves: Curves | None) -> bool:
    return curves is not None and any(_uncertain(curve) for curve in curves.values())


def _staggered(x: Floats, style: int) -> Floats:
    """Where a line has its markers: elsewhere than the others, so that lines upon each other are all seen."""
    shares = (np.arange(4) + (style + 0.5) / len(_STYLES)) / 4
    return np.asarray(x[np.unique(np.rint(shares * (len(x) - 1)).astype(np.int64))])


def _says_now(near: Curves, universe: int, half: float | None) -> str:
    moved = []
    for name, curve in near.items():
        first, last = float(curve.high[0]), float(curve.high[-1])
        moves = f"goes from {percent(first)} to {percent(last)}"
        moved.append(f"{COMPARED.label(name)} " + (f"stays at {percent(last)}" if abs(first - last) < _SAME else moves))
    text = f"From the listed items to ten million more: {'; '.join(moved)}."
    large, pure = (near[name].high for name in ("large_margin", "gumbel"))
    if (pure > large - _SAME).all():
        text += " At each of these sizes the exponential mechanism does as well as large margin, and needs no δ."
    if half is not None:
        text += f" The exponential mechanism is down to one half with about {power(half)} unlisted items."
    return text

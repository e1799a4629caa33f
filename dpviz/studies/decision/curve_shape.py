"""Where more ε buys most, and from where it buys next to nothing: two points of a curve of chances.

Symbols: p(ε) = the chance of the goal. Doubling around ε buys p(√2·ε) − p(ε/√2): the slope of p in
log ε, averaged over one doubling, which an estimated curve can tell too. Turning point: the ε
around which doubling buys most; where a whole stretch buys as much to within `CLOSE`, as around a
jump, its middle; None where doubling buys no more than `SMALL` anywhere. Levels off: the smallest ε
past it from which on doubling never again buys more than `SMALL`, as far as the curve goes; None
where it still does at its end.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.topk import FigureCurve

CLOSE, SMALL = 0.005, 0.01
_POINTS = 4001
_HALF = np.log(2) / 2


@dataclass(frozen=True)
class CurveShape:
    """Where a curve turns and levels off, as in the module."""

    turning: float | None
    gain: float
    levels_off: float | None
    method: str


def curve_shape(curve: FigureCurve) -> CurveShape:
    """The two points of a curve over ε that reaches at least one doubling.

    >>> from dpviz import Canonical, Scores
    >>> from dpviz.topk.adaptive_curves import utility_curve
    >>> m, s = Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0])
    >>> shape = curve_shape(utility_curve(m, s, low=0.01, high=100.0))  # p = 1/(1 + e^(−ε/2))
    >>> round(shape.turning, 2), round(shape.gain, 3), round(shape.levels_off, 2)
    (2.97, 0.15, 9.18)
    """
    u = np.linspace(np.log(curve.x[0]) + _HALF, np.log(curve.x[-1]) - _HALF, _POINTS)
    gain = curve.at(np.exp(u + _HALF)) - curve.at(np.exp(u - _HALF))
    best = int(np.argmax(gain))
    less = np.flatnonzero(gain < gain[best] - CLOSE)  # the stretch around `best` ends before these
    first = int(less[less < best].max(initial=-1)) + 1
    last = int(less[less > best].min(initial=_POINTS)) - 1
    large = np.flatnonzero(gain > SMALL)
    if not len(large):
        return CurveShape(None, float(gain[best]), float(curve.x[0]), curve.method)
    after = int(large[-1]) + 1
    levels_off = float(np.exp(u[after] - _HALF)) if after < _POINTS else None
    turning = float(np.exp((u[first] + u[last]) / 2))
    return CurveShape(turning, float(gain[best]), levels_off, curve.method)

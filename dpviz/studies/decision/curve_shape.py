"""Turning point of a curve of chances, and the ε where it levels off.

Symbols: p(ε) = chance of the goal; doubling around ε buys p(√2·ε) − p(ε/√2), the slope of p in log
ε averaged over one doubling, which an estimated curve has too. Turning point: the ε around which
doubling buys most, or the middle of the stretch that buys as much to within `CLOSE`; None where no
doubling buys more than `SMALL`. Levels off: the smallest ε past it from which no doubling buys more
than `SMALL`; None where one at the curve's end still does.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.topk import FigureCurve

CLOSE, SMALL = 0.005, 0.01
_POINTS = 4001
_HALF = np.log(2) / 2


@dataclass(frozen=True)
class CurveShape:
    """Turning point, the gain of one doubling there, and the ε where the curve levels off."""

    turning: float | None
    gain: float
    levels_off: float | None
    method: str


def curve_shape(curve: FigureCurve) -> CurveShape:
    """Shape of a curve over ε that spans at least one doubling."""
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
    return CurveShape(
        float(np.exp((u[first] + u[last]) / 2)), float(gain[best]), levels_off, curve.method
    )

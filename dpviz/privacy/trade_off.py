"""The trade-off of a test between two worlds: its chance of a miss at each chance of a false alarm.

Symbols: α = the chance of a false alarm, β = that of a miss; f(α) = the smallest β, convex.
Invariant: a curve is a polygon through tests that can be made, so it is never below f; it is f
where the tests go by the loss.
Sources: Neyman & Pearson 1933; Wasserman & Zhou 2010; Dong, Roth & Su 2022, Prop 2.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from dpviz.base import Floats, ReadOnlyArrays

_ROUNDS: Final = 40


@dataclass(frozen=True, eq=False)
class TradeOff(ReadOnlyArrays):
    """A polygon from its test without a false alarm to that without a miss."""

    alarms: Floats
    misses: Floats

    @classmethod
    def from_loss_tests(cls, alarms: Floats, misses: Floats) -> Self:
        """The polygon of tests that go by the loss, which only have to be joined."""
        x = np.clip(np.concatenate([[0.0], alarms, [1.0]]), 0.0, 1.0)
        y = np.clip(np.concatenate([[1.0], misses, [0.0]]), 0.0, 1.0)
        lowest = np.append(x[1:] > x[:-1], True)  # of those with the same α
        return cls(x[lowest], y[lowest])

    @classmethod
    def from_any_tests(cls, alarms: Floats, misses: Floats) -> Self:
        """The lowest polygon of any tests, and of the two constant ones."""
        order = np.lexsort((-misses, alarms))
        joined = cls.from_loss_tests(alarms[order], misses[order])
        return cls(*_corners(joined.alarms, joined.misses))

    def miss_probability(self, alpha: Floats) -> Floats:
        """β at each α, clipped to 0 … 1."""
        return np.asarray(np.interp(alpha, self.alarms, self.misses), float)


def _corners(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The lower convex hull of points by rising α."""
    for number in range(_ROUNDS):
        run, rise = x[1:-1] - x[:-2], y[1:-1] - y[:-2]
        inner = run * (y[2:] - y[:-2]) > rise * (x[2:] - x[:-2])
        if inner.all():
            return x, y
        # of two that are equal up to rounding each may seem removable, and one has to stay
        inner[number % 2 :: 2] = True
        kept = np.concatenate([[True], inner, [True]])
        x, y = x[kept], y[kept]
    corners: list[tuple[float, float]] = []
    for point in zip(x.tolist(), y.tolist(), strict=True):
        while len(corners) > 1 and not _turns_up(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    x, y = np.array(corners).T
    return x, y


def _turns_up(
    first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]
) -> bool:
    run, rise = middle[0] - first[0], middle[1] - first[1]
    return run * (last[1] - first[1]) > rise * (last[0] - first[0])

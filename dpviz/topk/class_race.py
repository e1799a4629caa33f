"""log P of any one class, however unlikely: the classes that a law may drop compete where an unlikely one wins.

Symbols: classes of size m at level q as in `canonical`; W = Σ m e^q; floor = a winning value such that all classes
dropped together show more than it with a chance below e^(−_REST). An unlikely class may win with a value far
below log W, where the classes that decide are others than those that carry the law.
Invariants: the floor is lowered, and more classes kept, until the class asked for wins above it; so log P is right
to rounding whatever was dropped.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.noise import Noise
from dpviz.numerics.unlikely_winner import log_winner
from dpviz.topk.classes import Heaviest, Score, heaviest, log_size

_REST = math.log(1e-15)
_FIRST, _DEEPER = 16.0, 1.5  # how far below log W the floor lies, and by how much it is lowered


@dataclass(frozen=True, eq=False)
class ClassRace:
    """The race of the classes of the k-subsets of ranked scores.

    Parameters
    ----------
    x
        Ranked scores over the effective sensitivity, shape (d,), descending.
    k
        How many items come out.
    score
        The level of each class, `score(x, h, t)`, that noise is added to.
    noise
        The family of the noise, at scale 1.
    log_weight
        log W of all classes, or a little less.
    """

    x: Floats
    k: int
    score: Score
    noise: Noise
    log_weight: float
    _kept: list[tuple[float, Heaviest]] = field(default_factory=list, repr=False)  # by floor, as they were needed
    _known: dict[tuple[int, int], float] = field(default_factory=dict, repr=False)

    def log_probability(self, h: int, t: int) -> float:
        """log P(C(h,t))."""
        if (h, t) not in self._known:
            self._known[h, t] = self._log_probability(h, t)
        return self._known[h, t]

    def _log_probability(self, h: int, t: int) -> float:
        at_h, at_t = np.array([h]), np.array([t])
        level, size = self.score(self.x, at_h, at_t), log_size(at_h, at_t, self.k)
        depth, lowest = 0, -math.inf
        while True:
            floor, kept = self._down_to(depth, lowest)
            own = np.flatnonzero((kept.h == h) & (kept.t == t))
            if len(own):
                value, lowest = log_winner(self.noise, kept.score, kept.log_size, int(own[0]))
            else:
                levels, sizes = np.append(level, kept.score), np.append(size, kept.log_size)
                value, lowest = log_winner(self.noise, levels, sizes, 0)
            if lowest >= floor or kept.log_dropped == -math.inf:
                return value
            depth += 1

    def _down_to(self, depth: int, lowest: float) -> tuple[float, Heaviest]:
        """(floor, classes) of the given depth; a floor need not lie below `lowest`, where the last one was missed."""
        if depth == len(self._kept):
            reach = _FIRST if depth == 0 else _DEEPER * (self.log_weight - self._kept[-1][0])
            floor = max(self.log_weight - reach, lowest)
            most = floor + _REST - math.log(self.noise.tail)
            self._kept.append((floor, heaviest(self.x, self.k, self.score, log_most=most)))
        return self._kept[depth]

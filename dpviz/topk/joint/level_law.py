"""The exact law of joint selection over sets: a mixture over loss levels of uniform answers.

Symbols: levels with reaches b_l and mass p as in `dpviz.topk.joint.level_distribution`. Given the
level, every answer within the reaches is equally likely. So within(a,b) = Σ p · (answers with ranks
1..a and none worse than b) / (answers). The law is not constant within a class C(h,t).
Invariants: sums of positive terms only; `error` covers the levels left out and dropped states.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from dpviz.base import Floats, Ints, Progress, ignore_progress
from dpviz.base.caching import cached_property
from dpviz.topk.joint import bounded_paths
from dpviz.topk.joint.level_distribution import LossLevels
from dpviz.topk.law import ClassTable, RankLaw

_ROUNDING = 1e-10
_UNLISTED = 2e-12  # of mass, before classes are listed
CELLS = 1 << 17  # states of a batch of levels: what fits into a cache
_MOST_STORED = 1 << 23


@dataclass(frozen=True, eq=False)
class LevelLaw(RankLaw):
    x: Floats
    k: int
    rate: float
    levels: LossLevels
    progress: Progress = field(default=ignore_progress, repr=False)

    @property
    def d(self) -> int:  # type: ignore[override]
        return len(self.x)

    @property
    def error(self) -> float:  # type: ignore[override]
        return _ROUNDING + self.levels.missing

    def within_table(self, a: Ints, b: Ints) -> Floats:
        a_levels, a_back = np.unique(a, return_inverse=True)
        b_levels, b_back = np.unique(b, return_inverse=True)
        table = np.full((len(a_levels), len(b_levels)), self._top)
        exact = b_levels == self.k  # only the exact top-k: whatever a
        first = int((a_levels == 0).any())
        if first and not exact.all():
            table[0] = self._worst_at_most(b_levels)
        if first < len(a_levels) and not exact.all():
            table[first:, ~exact] = np.maximum(
                self._table(a_levels[first:], b_levels[~exact]), self._top
            )
        return np.asarray(np.clip(table, 0.0, 1.0)[np.ix_(a_back, b_back)])

    @cached_property
    def _top(self) -> float:
        """P(exact top-k), accurate to relative precision, as that of one set."""
        return float(np.exp(self.log_probability(np.arange(self.k))))

    @abstractmethod
    def _worst_at_most(self, b: Ints) -> Floats:
        """P(no rank worse than b_j is in), in one go for all of b."""

    @abstractmethod
    def _table(self, a: Ints, b: Ints) -> Floats:
        """within(a_i, b_j) for ascending a > 0 and b > k."""

    def classes(self) -> ClassTable:
        """Second differences of within, over the ranges of h and t that carry the mass."""
        k, d = self.k, self.d
        last = k + int(np.searchsorted(self._worst_at_most(np.arange(k, d + 1)), 1 - _UNLISTED))
        holds = self.within_table(np.arange(k + 1), np.array([d]))[:, 0]
        most = max(1, int((holds > _UNLISTED / 4).sum()))  # P(h ≥ a) is almost 0 from a = most on
        a, b = np.arange(min(most, k) + 1), np.arange(k, min(last, d) + 1)
        table = self.within_table(a, b)
        top = float(table[0, 0])
        table -= top
        if most > k:
            table[-1] = 0.0
        mass = np.maximum(-np.diff(np.diff(table, axis=1), axis=0), 0.0)
        h, t = (v.ravel() for v in np.meshgrid(a[:-1], b[1:], indexing="ij"))
        p = mass.ravel()
        order = np.argsort(p)
        keep = np.sort(order[int(np.searchsorted(np.cumsum(p[order]), _UNLISTED, side="right")) :])
        h, t, p = np.append(h[keep], k - 1), np.append(t[keep], k), np.append(p[keep], top)
        return ClassTable(h, t, p, max(0.0, 1.0 - float(p.sum())) + self.levels.missing)

    def _batches(self, width: Ints, cells: int = CELLS) -> Iterator[slice]:
        """Levels in pieces of about `cells` states, given the `width` of each level."""
        start, size = 0, len(width)
        while start < size:
            stop = min(size, start + max(1, cells // max(1, int(width[start]))))
            yield slice(start, stop)
            start = stop


@dataclass(frozen=True, eq=False)
class SetLaw(LevelLaw):
    @cached_property
    def _caps(self) -> Ints:
        return bounded_paths.offset_caps(self.levels.reached)

    def _pieces(self, cells: int = CELLS) -> Iterator[tuple[slice, Ints]]:
        for piece in self._batches(self._caps[:, -1] + 1, cells):
            yield piece, self._caps[piece]
            self.progress(min(1.0, piece.stop / len(self._caps)))

    def _upward(self, a: int, b: Ints) -> Floats:
        out = np.zeros(len(b))
        for piece, caps in self._pieces():
            count = bounded_paths.log_counts_by_worst(caps, a, b)
            out += self.levels.probability[piece] @ np.exp(
                count - self.levels.log_count[piece, None]
            )
        return out

    def _downward(self, a: Ints, b: int) -> Floats:
        out = np.zeros(len(a))
        for piece, caps in self._pieces():
            count = bounded_paths.log_completions(np.minimum(caps, b - self.k))[:, a]
            out += self.levels.probability[piece] @ np.exp(
                count - self.levels.log_count[piece, None]
            )
        return out

    def _worst_at_most(self, b: Ints) -> Floats:
        if len(b) == 1:
            return self._downward(np.array([0]), int(b[0]))
        return self._upward(0, b)

    def _table(self, a: Ints, b: Ints) -> Floats:
        if len(b) <= len(a):
            return np.stack([self._downward(a, int(worst)) for worst in b], axis=1)
        return np.stack([self._upward(int(first), b) for first in a])

    def within_pairs(self, a: Ints, b: Ints) -> Floats:
        """One by one: a pass costs more for a larger b."""
        out = np.full(len(a), self._top)
        for i in np.flatnonzero(b > self.k):  # up to k only the exact top-k counts, whatever a
            out[i] = self.within_table(a[i : i + 1], b[i : i + 1])[0, 0]
        return out

    def inclusion(self) -> Floats:
        out = np.zeros(self.d)
        for piece, caps in self._pieces(_MOST_STORED // (8 * self.k)):
            out += bounded_paths.weighted_inclusion(caps, self.d, self.levels.probability[piece])
        return np.clip(out, 0.0, 1.0)

    def hits(self, best: int) -> Floats:
        out = np.zeros(self.k + 1)
        for piece, caps in self._pieces(_MOST_STORED // (8 * self.k)):
            out += bounded_paths.weighted_hit_distribution(
                caps, best, self.levels.probability[piece]
            )
        return out

    def log_probability(self, ranks: Ints) -> float:
        gap = float((self.x[: self.k] - self.x[ranks]).max())
        return -self.rate * gap - self.levels.log_total

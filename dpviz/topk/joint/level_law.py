"""The exact law of joint selection: a mixture over loss levels of uniform answers.

Symbols: levels with reaches b_l and mass p as in `dpviz.topk.joint.levels`; given the level every answer that
keeps to the reaches is equally likely, so within(a,b) = Σ p · (answers that also hold ranks 1..a and none
worse than b) / (answers). The law is not constant within a class C(h,t).
Invariants: sums of positive terms only; `error` covers the levels left out and what a band of states drops.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dpviz.base.arrays import Floats, Ints, tally
from dpviz.base.progress import Progress, silent
from dpviz.numerics.log_binomials import log_sum
from dpviz.topk.joint import bounded_paths, ordered_choices, ordered_marginals, path_marginals
from dpviz.topk.joint.levels import Levels
from dpviz.topk.joint.loss_levels import TooMany, log_span
from dpviz.topk.law import ClassTable, Law

__all__ = ["LevelLaw", "SequenceLaw", "SetLaw"]

_ROUNDING = 1e-10
_UNLISTED = 2e-12  # of mass, before classes are listed
_CELLS = 1 << 17  # states of a batch of levels: what fits into a cache
_SHARES = 1 << 22
_MOST_STORED = 1 << 23
_BAND = 1e-12
_FEW_MISSES = 16
_LIKELY = 1e-8
_FELT = -43.0  # log of a mass too small for any figure, even summed over all levels


@dataclass(frozen=True, eq=False)
class LevelLaw(Law):
    """What sets and sequences share. `x` are the ranked scores, `rate` is ε/4."""

    x: Floats
    k: int
    rate: float
    levels: Levels
    progress: Progress = field(default=silent, repr=False)

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
        first = int(a_levels[0] == 0)
        if first and not exact.all():
            table[0] = self._worst_at_most(b_levels)
        if first < len(a_levels) and not exact.all():
            table[first:, ~exact] = np.maximum(self._table(a_levels[first:], b_levels[~exact]), self._top)
        return np.asarray(np.clip(table, 0.0, 1.0)[np.ix_(a_back, b_back)])

    @cached_property
    def _top(self) -> float:
        """P(exact top-k), right to relative precision too, as that of one set."""
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
        below = self._worst_at_most(np.arange(k, d + 1))
        last = k + int(np.searchsorted(below, 1 - _UNLISTED))
        holds = self.within_table(np.arange(k + 1), np.array([d]))[:, 0]
        most = max(1, int((holds > _UNLISTED / 4).sum()))  # P(h ≥ a) is next to nothing from a = most on
        a, b = np.arange(min(most, k) + 1), np.arange(k, min(last, d) + 1)
        table = self.within_table(a, b)
        top = float(table[0, 0])
        table = table - top
        if most > k:
            table[-1] = 0.0
        mass = np.maximum(-np.diff(np.diff(table, axis=1), axis=0), 0.0)
        h, t = (v.ravel() for v in np.meshgrid(a[:-1], b[1:], indexing="ij"))
        p = mass.ravel()
        order = np.argsort(p)
        keep = np.sort(order[int(np.searchsorted(np.cumsum(p[order]), _UNLISTED, side="right")) :])
        h, t, p = np.append(h[keep], k - 1), np.append(t[keep], k), np.append(p[keep], top)
        return ClassTable(h, t, p, max(0.0, 1.0 - float(p.sum())) + self.levels.missing)

    def _batches(self, width: Ints, cells: int = _CELLS) -> Iterator[slice]:
        """Levels in pieces of about `cells` states; `width` is what each level needs."""
        start, size = 0, len(width)
        while start < size:
            count = max(1, cells // max(1, int(width[start])))
            stop = min(size, start + count)
            yield slice(start, stop)
            start = stop


@dataclass(frozen=True, eq=False)
class SetLaw(LevelLaw):
    """Joint selection over sets: P(y) ∝ e^(−ε/2·loss(y))."""

    @cached_property
    def _caps(self) -> Ints:
        return bounded_paths.offset_caps(self.levels.reached)

    def _pieces(self, cells: int = _CELLS) -> Iterator[tuple[slice, Ints]]:
        for piece in self._batches(self._caps[:, -1] + 1, cells):
            yield piece, self._caps[piece]
            self.progress(min(1.0, piece.stop / len(self._caps)))

    def _upward(self, held: int, b: Ints) -> Floats:
        out = np.zeros(len(b))
        for piece, caps in self._pieces():
            share = path_marginals.log_worst(caps, held, b) - self.levels.log_count[piece, None]
            out += self.levels.probability[piece] @ np.exp(share)
        return out

    def _downward(self, a: Ints, b: int) -> Floats:
        out = np.zeros(len(a))
        for piece, caps in self._pieces():
            count = bounded_paths.log_completions(np.minimum(caps, b - self.k))[:, a]
            out += self.levels.probability[piece] @ np.exp(count - self.levels.log_count[piece, None])
        return out

    def _worst_at_most(self, b: Ints) -> Floats:
        if len(b) == 1:
            return self._downward(np.array([0]), int(b[0]))
        return self._upward(0, b)

    def _table(self, a: Ints, b: Ints) -> Floats:
        if len(b) <= len(a):
            return np.stack([self._downward(a, int(worst)) for worst in b], axis=1)
        return np.stack([self._upward(int(held), b) for held in a])

    def inclusion(self) -> Floats:
        out = np.zeros(self.d)
        for piece, caps in self._pieces(_MOST_STORED // (8 * self.k)):
            out += path_marginals.included(caps, self.d, self.levels.probability[piece])
        return np.clip(out, 0.0, 1.0)

    def hits(self, best: int) -> Floats:
        out = np.zeros(self.k + 1)
        for piece, caps in self._pieces(_MOST_STORED // (8 * self.k)):
            out += path_marginals.hit_counts(caps, best, self.levels.probability[piece])
        return out

    def log_probability(self, ranks: Ints) -> float:
        gap = float((self.x[: self.k] - self.x[ranks]).max())
        return -self.rate * gap - self.levels.log_total


@dataclass(frozen=True, eq=False)
class SequenceLaw(LevelLaw):
    """Joint selection over ordered lists, seen as the set of what is on the list.

    `most` bounds the states that one pass over all levels may visit; `TooMany` is raised beyond.
    """

    most: float = np.inf

    @cached_property
    def _frame(self) -> tuple[int, int, float]:
        """(ranks, most, dropped): the top ranks followed, how many of them may be missing, and what that drops.

        Few top ranks are enough where more are never all in; all k are followed, with few of them missing,
        where most are in. Guessed from single ranks, then tried and widened.
        """
        k, d = self.k, self.d
        in_ = np.clip(self.inclusion()[:k], 1e-300, 1.0)
        ranks = min(k, int(np.searchsorted(-np.cumsum(np.log(in_)), 40.0)) + 1)
        away = self._expected_missing()
        most = min(k, int(away + 8 * np.sqrt(away + 1)) + 8)
        while True:
            self._afford(min(ranks, most))
            if ranks >= k or most < ranks:
                dropped = 1.0 - float(self._held(np.array([d]), k, most)[0, 0])
                if dropped <= _BAND or most >= k:
                    return k, most, max(dropped, 0.0)
                most = min(k, most + most // 2 + 1)
            else:
                dropped = float(self._held(np.array([d]), ranks, ranks)[ranks, 0])
                if dropped <= _BAND:
                    return ranks, ranks, dropped
                ranks = min(k, 2 * ranks)

    def _afford(self, width: int) -> None:
        if len(self.levels.probability) * self.k * (width + 1) > self.most:
            raise TooMany

    def _expected_missing(self) -> float:
        """The largest expected number of top ranks that are not used, over the levels that are likely."""
        largest = 0.0
        top = np.arange(self.k)
        likely = self.levels.probability > _LIKELY
        for b, out in zip(self.levels.reached[likely], self._kept_out[likely], strict=True):
            largest = max(largest, float(np.exp(out[np.searchsorted(b, top, side="right")]).sum()))
        return largest

    @cached_property
    def _kept_out(self) -> Floats:
        return ordered_choices.log_kept_out(self.levels.reached)

    @property
    def error(self) -> float:  # type: ignore[override]
        return super().error + self._frame[2]

    def _held(self, b: Ints, ranks: int, most: int) -> Floats:
        """within(a, b_j) for a = 0..ranks: shape (ranks + 1, len(b))."""
        out = np.zeros((ranks + 1, len(b)))
        count = max(1, min(_SHARES // (ranks * (most + 1)), _CELLS // (ranks + 2)))
        size = len(self.levels.probability)
        for start in range(0, size, count):
            p, reached = self.levels.probability[start : start + count], self.levels.reached[start : start + count]
            share = ordered_marginals.used_shares(reached, ranks, most)
            free = ordered_marginals.held(reached, self.d, share)
            with np.errstate(divide="ignore"):
                mass = np.log(p)[:, None] + ordered_marginals.log_within_reach(reached, b)
            for j, worst in enumerate(b.tolist()):
                short = reached[:, -1] <= worst  # no rank worse than this is in reach anyway
                out[:, j] += p[short] @ free[short]
                felt = np.flatnonzero(~short & (mass[:, j] > _FELT))
                if len(felt):
                    part = ordered_marginals.held(reached[felt], worst, share[:, felt])
                    out[:, j] += p[felt] @ part
                self.progress(min(1.0, (start + count * (j + 1) / len(b)) / size))
        return out

    def _worst_at_most(self, b: Ints) -> Floats:
        out = np.zeros(len(b))
        for piece in self._batches(np.full(len(self.levels.probability), len(b))):
            share = ordered_marginals.log_within_reach(self.levels.reached[piece], b)
            out += self.levels.probability[piece] @ np.exp(share)
        return out

    def _table(self, a: Ints, b: Ints) -> Floats:
        ranks, most, _ = self._frame
        followed = a <= ranks  # more than these are never all in
        out = np.zeros((len(a), len(b)))
        out[followed] = self._held(b, ranks, most)[a[followed]]
        return out

    def inclusion(self) -> Floats:
        """A rank in reach from place l on is used with probability 1 − Π_{i ≥ l} (1 − 1/(b_i − i + 1))."""
        change = np.zeros(self.d + 1)
        edges = self.levels.reached
        used = -np.expm1(self._kept_out) * self.levels.probability[:, None]
        change += tally(np.append(np.zeros(len(edges), np.int64), edges[:, :-1].ravel()), _by_edge(used), self.d + 1)
        change -= tally(edges.ravel(), used.ravel(), self.d + 1)
        return np.clip(np.cumsum(change)[: self.d], 0.0, 1.0)

    def hits(self, best: int) -> Floats:
        """By the chain over how many of the ranks 1..best are used; entries beyond them as many as are felt."""
        misses = min(self.k, _FEW_MISSES)
        while True:
            out, felt = np.zeros(self.k + 1), slice(self.k - misses, self.k + 1)
            for piece in self._batches(np.full(len(self.levels.probability), best + 2)):
                most = best - self.k + misses
                used = ordered_marginals.used(self.levels.reached[piece], self.d, best, most)
                out[felt] += self.levels.probability[piece] @ used[:, felt]
                self.progress(min(1.0, piece.stop / len(self.levels.probability)))
            if misses == self.k or 1.0 - float(out.sum()) <= _BAND:
                return out
            misses = min(self.k, 2 * misses)

    def log_probability(self, ranks: Ints) -> float:
        """log Σ over the set's orders of e^(−ε/2·loss), from how many orders there are at each level."""
        gap, orders = ordered_choices.log_orders(self.x[: self.k], self.x[ranks])
        weight = orders + log_span(self.rate, gap, np.append(gap[1:], np.inf))
        return log_sum(weight) - self.levels.log_total


def _by_edge(used: Floats) -> Floats:
    """Column 0 first, then the others row by row: as the edges they start at."""
    return np.append(used[:, 0], used[:, 1:].ravel())

"""The exact laws of joint selection: mixtures over loss levels of uniform answers.

Symbols: levels with reaches b_l and mass p as in `dpviz.topk.joint.level_distribution`. Given the
level, every answer within the reaches is equally likely. So within(a,b) = Σ p · (answers with ranks
1..a and none worse than b) / (answers). The law is not constant within a class C(h,t).
Invariants: sums of positive terms only; `error` covers the levels left out and dropped states.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from dpviz.base import Floats, Ints, Progress, cached_property, ignore_progress, tally
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.joint import bounded_paths, ordered_choices
from dpviz.topk.joint.level_distribution import LossLevels
from dpviz.topk.joint.loss_levels import WorkLimitExceeded, log_exponential_probability
from dpviz.topk.law import ClassTable, RankLaw, row_chunks

_SHARES = 1 << 22
_BAND = 1e-12
_FEW_MISSES = 16
_LIKELY = 1e-8
_FELT = -43.0  # log of a mass too small for any figure, even summed over all levels
_ROUNDING = 1e-10
_UNLISTED = 2e-12  # of mass, before classes are listed
_CELLS = 1 << 17  # states of a batch of levels: what fits into a cache
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

    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        a_levels, a_back = np.unique(complete_ranks, return_inverse=True)
        b_levels, b_back = np.unique(worst_ranks, return_inverse=True)
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


@dataclass(frozen=True, eq=False)
class SetLaw(LevelLaw):
    @cached_property
    def _caps(self) -> Ints:
        return bounded_paths.caps_from_reaches(self.levels.reached)

    def _pieces(self, cells: int = _CELLS) -> Iterator[tuple[slice, Ints]]:
        """Levels in pieces of about `cells` states, with their caps."""
        start, size = 0, len(self._caps)
        while start < size:
            piece = slice(start, start + max(1, cells // int(self._caps[start, -1] + 1)))
            yield piece, self._caps[piece]
            start = piece.stop
            self.progress(min(1.0, start / size))

    def _upward(self, a: int, b: Ints) -> Floats:
        out = np.zeros(len(b))
        for piece, caps in self._pieces():
            count = bounded_paths.log_counts_up_to_worst(caps, a, b)
            out += self.levels.probability[piece] @ np.exp(
                count - self.levels.log_count[piece, None]
            )
        return out

    def _downward(self, a: Ints, b: int) -> Floats:
        out = np.zeros(len(a))
        for piece, caps in self._pieces():
            count = bounded_paths.log_counts_with_top_ranks(np.minimum(caps, b - self.k))[:, a]
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

    def hits(self, hit_rank_count: int) -> Floats:
        out = np.zeros(self.k + 1)
        for piece, caps in self._pieces(_MOST_STORED // (8 * self.k)):
            out += bounded_paths.weighted_hit_distribution(
                caps, hit_rank_count, self.levels.probability[piece]
            )
        return out

    def log_probability(self, ranks: Ints) -> float:
        gap = float((self.x[: self.k] - self.x[ranks]).max())
        return -self.rate * gap - self.levels.log_total


@dataclass(frozen=True, eq=False)
class SequenceLaw(LevelLaw):
    """Joint selection over ordered lists, as the set of the listed items."""

    most: float = np.inf

    @cached_property
    def _frame(self) -> tuple[int, int, float]:
        """(ranks, most, dropped): top ranks followed, how many may be missing, and the loss."""
        k, d = self.k, self.d
        in_ = np.clip(self.inclusion()[:k], 1e-300, 1.0)
        ranks = min(k, int(np.searchsorted(-np.cumsum(np.log(in_)), 40.0)) + 1)
        away = self._expected_missing()
        most = min(k, int(away + 8 * np.sqrt(away + 1)) + 8)
        while True:
            if len(self.levels.probability) * k * (min(ranks, most) + 1) > self.most:
                raise WorkLimitExceeded
            if ranks >= k or most < ranks:
                dropped = 1.0 - float(self._within(np.array([d]), k, most)[0, 0])
                if dropped <= _BAND or most >= k:
                    return k, most, max(dropped, 0.0)
                most = min(k, most + most // 2 + 1)
            else:
                dropped = float(self._within(np.array([d]), ranks, ranks)[ranks, 0])
                if dropped <= _BAND:
                    return ranks, ranks, dropped
                ranks = min(k, 2 * ranks)

    def _expected_missing(self) -> float:
        """Largest expected number of unused top ranks over the likely levels."""
        top, likely = np.arange(self.k), self.levels.probability > _LIKELY
        levels = zip(self.levels.reached[likely], self._kept_out[likely], strict=True)
        missing = (np.exp(out[np.searchsorted(b, top, side="right")]).sum() for b, out in levels)
        return float(max(missing, default=0.0))

    @cached_property
    def _kept_out(self) -> Floats:
        return ordered_choices.log_unused_rank_probabilities(self.levels.reached)

    @property
    def error(self) -> float:  # type: ignore[override]
        return super().error + self._frame[2]

    def _within(self, b: Ints, ranks: int, most: int) -> Floats:
        """within(a, b_j) for a = 0..ranks: shape (ranks + 1, len(b))."""
        out = np.zeros((ranks + 1, len(b)))
        count = max(1, min(_SHARES // (ranks * (most + 1)), _CELLS // (ranks + 2)))
        size = len(self.levels.probability)
        for start in range(0, size, count):
            p, reached = (
                self.levels.probability[start : start + count],
                self.levels.reached[start : start + count],
            )
            with np.errstate(divide="ignore"):
                felt = (
                    np.log(p)[:, None] + ordered_choices.log_none_worse_probability(reached, b)
                    > _FELT
                )
            short = reached[:, -1:] <= b  # no rank worse than b_j is in reach anyway
            counts = (short | felt).any(1)
            p, reached, short, felt = (
                p[counts],
                reached[counts],
                short[counts],
                (felt & ~short)[counts],
            )
            share = ordered_choices.conditional_use_probability(reached, ranks, most)
            ends = short.any(1)
            free = np.zeros((len(p), ranks + 1))
            free[ends] = ordered_choices.within_probability(reached[ends], self.d, share[:, ends])
            for j, worst in enumerate(b.tolist()):
                whole, part = short[:, j], felt[:, j]
                out[:, j] += p[whole] @ free[whole]
                out[:, j] += p[part] @ ordered_choices.within_probability(
                    reached[part], worst, share[:, part]
                )
                self.progress(min(1.0, (start + count * (j + 1) / len(b)) / size))
        return out

    def within_pairs(self, a: Ints, b: Ints) -> Floats:
        """One pass over the levels for all pairs; a = 0 has a shorter way."""
        out = np.empty(len(a))
        for those in (a == 0, a > 0):
            out[those] = super().within_pairs(a[those], b[those])
        return out

    def _worst_at_most(self, b: Ints) -> Floats:
        out = np.zeros(len(b))
        for piece in row_chunks(len(self.levels.probability), len(b), _CELLS):
            share = ordered_choices.log_none_worse_probability(self.levels.reached[piece], b)
            out += self.levels.probability[piece] @ np.exp(share)
        return out

    def _table(self, a: Ints, b: Ints) -> Floats:
        ranks, most, _ = self._frame
        followed = a <= ranks  # more than these are never all in
        out = np.zeros((len(a), len(b)))
        out[followed] = self._within(b, ranks, most)[a[followed]]
        return out

    def inclusion(self) -> Floats:
        change = np.zeros(self.d + 1)
        edges = self.levels.reached
        used = -np.expm1(self._kept_out) * self.levels.probability[:, None]
        # each rank in reach from its place on: column 0 first, then the others row by row
        change += tally(
            np.append(np.zeros(len(edges), np.int64), edges[:, :-1].ravel()),
            np.append(used[:, 0], used[:, 1:].ravel()),
            self.d + 1,
        )
        change -= tally(edges.ravel(), used.ravel(), self.d + 1)
        return np.clip(np.cumsum(change)[: self.d], 0.0, 1.0)

    def hits(self, hit_rank_count: int) -> Floats:
        """A chain over the number of used ranks among 1..best, in a band that widens as needed."""
        misses = min(self.k, _FEW_MISSES)
        while True:
            out, felt = np.zeros(self.k + 1), slice(self.k - misses, self.k + 1)
            for piece in row_chunks(len(self.levels.probability), hit_rank_count + 2, _CELLS):
                used = ordered_choices.used_rank_distribution(
                    self.levels.reached[piece],
                    self.d,
                    hit_rank_count,
                    hit_rank_count - self.k + misses,
                )
                out[felt] += self.levels.probability[piece] @ used[:, felt]
                self.progress(min(1.0, piece.stop / len(self.levels.probability)))
            if misses == self.k or 1.0 - float(out.sum()) <= _BAND:
                return out
            misses = min(self.k, 2 * misses)

    def log_probability(self, ranks: Ints) -> float:
        """log Σ over the set's orders of e^(−ε/2·loss), from the number of orders at each level."""
        gap, orders = ordered_choices.log_order_counts_by_gap(self.x[: self.k], self.x[ranks])
        share = log_exponential_probability(self.rate, gap, np.append(gap[1:], np.inf))
        return log_sum_exp(orders + share) - self.levels.log_total

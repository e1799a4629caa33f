"""The exact law of joint selection over ordered lists, as the set of the listed items.

Symbols: as in `level_law`; within(a,b) comes from a chain over the number of missing top ranks, in
a band wide enough to drop almost nothing (`error` includes that).
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, tally
from dpviz.base.caching import cached_property
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.joint import ordered_choices
from dpviz.topk.joint.level_law import CELLS, LevelLaw
from dpviz.topk.joint.loss_levels import WorkLimitExceeded, log_exponential_probability

_SHARES = 1 << 22
_BAND = 1e-12
_FEW_MISSES = 16
_LIKELY = 1e-8
_FELT = -43.0  # log of a mass too small for any figure, even summed over all levels


@dataclass(frozen=True, eq=False)
class SequenceLaw(LevelLaw):
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
        return ordered_choices.log_exclusion_probability(self.levels.reached)

    @property
    def error(self) -> float:  # type: ignore[override]
        return super().error + self._frame[2]

    def _within(self, b: Ints, ranks: int, most: int) -> Floats:
        """within(a, b_j) for a = 0..ranks: shape (ranks + 1, len(b))."""
        out = np.zeros((ranks + 1, len(b)))
        count = max(1, min(_SHARES // (ranks * (most + 1)), CELLS // (ranks + 2)))
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
        for piece in self._batches(np.full(len(self.levels.probability), len(b))):
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

    def hits(self, best: int) -> Floats:
        """A chain over the number of used ranks among 1..best, in a band that widens as needed."""
        misses = min(self.k, _FEW_MISSES)
        while True:
            out, felt = np.zeros(self.k + 1), slice(self.k - misses, self.k + 1)
            for piece in self._batches(np.full(len(self.levels.probability), best + 2)):
                used = ordered_choices.used_rank_distribution(
                    self.levels.reached[piece], self.d, best, best - self.k + misses
                )
                out[felt] += self.levels.probability[piece] @ used[:, felt]
                self.progress(min(1.0, piece.stop / len(self.levels.probability)))
            if misses == self.k or 1.0 - float(out.sum()) <= _BAND:
                return out
            misses = min(self.k, 2 * misses)

    def log_probability(self, ranks: Ints) -> float:
        """log Σ over the set's orders of e^(−ε/2·loss), from the number of orders at each level."""
        gap, orders = ordered_choices.log_order_counts(self.x[: self.k], self.x[ranks])
        share = log_exponential_probability(self.rate, gap, np.append(gap[1:], np.inf))
        return log_sum_exp(orders + share) - self.levels.log_total

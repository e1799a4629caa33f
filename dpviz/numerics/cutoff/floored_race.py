"""The items, at most k, with the largest noisy values above a floor.

Symbols: z = the larger of the floor and the (k+1)-th largest value, which separates them from the
rest. Where that is the (k+1)-th largest, k items are released, as in a race without a floor, times
P(the floor is below z); where it is the floor, at most k pass it.
Invariants as of `cutoff_race`: figures are computed when asked for; sums that must be 1 show if the
nodes are enough.
"""

import math
from typing import Any

import numpy as np

from dpviz.base import (
    Floats,
    Ints,
    Noise,
    Progress,
    cached_property,
    ignore_progress,
    portion,
    state_without_progress,
)
from dpviz.numerics.cutoff.cutoff_race import omission_bound
from dpviz.numerics.cutoff.floor import Floor, floor_nodes
from dpviz.numerics.cutoff.floor_sums import FloorSums
from dpviz.numerics.cutoff.item_sums import hit_sums, inclusion_sums
from dpviz.numerics.cutoff.level_condensation import CondensedWindow
from dpviz.numerics.cutoff.poisson_binomial import total_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import TiltedNodes, rough_nodes, tilted_nodes
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.numerics.cutoff.worst_rank import FEW_RANKS, expected_rank_excess
from dpviz.numerics.set_probabilities import SetProbabilities
from dpviz.numerics.set_race import log_set_probability

_ENOUGH = 1e-10
_NEVER_MORE = 1e-12  # so little is left for more than k to pass
_FINER = (1.0, 1.6, 2.5, 4.0)  # times as many nodes, until P(anything) is 1
_SHARE = 0.5  # of the progress: what the floor's part takes
_TINY = 1e-290  # weights below this are 0
_ROUGH = 5e-4  # what P(anything) may lack where few nodes do
_ROUGH_FINENESS = 0.4
_NEVER = 1e4  # levels below the floor at which no item passes


class FlooredRace:
    """The largest items above a floor, at most k of them.

    >>> from dpviz.base.noise import NOISES
    >>> race = FlooredRace(np.array([1.0, 0.0]), 1, NOISES["gumbel"], Floor(0.0, noisy=True))
    >>> race.length_probabilities().round(3).tolist(), race.inclusion().round(3).tolist()
    ([0.212, 0.788], [0.576, 0.212])
    """

    def __init__(
        self,
        levels: Floats,
        k: int,
        noise: Noise,
        floor: Floor,
        progress: Progress = ignore_progress,
    ) -> None:
        self.most, self.noise, self.floor, self.progress = k, noise, floor, progress
        self._levels = levels if len(levels) else np.array([floor.level - _NEVER])
        self.full = min(k, len(self._levels))
        # of the (k+1)-th largest, where that may separate
        self._window: CondensedWindow | None = None
        for fineness in _FINER:
            self._low = FloorSums(floor_nodes(noise, self._levels, self.full, floor, fineness))
            self._high = (
                self._above(fineness) if self._low.total_probability < 1 - _NEVER_MORE else None
            )
            # P(more than k pass the floor)
            self._over = 0.0 if self._high is None else total_probability(self._high)
            if self._missed <= _ENOUGH:
                break

    def __getstate__(self) -> dict[str, Any]:
        return state_without_progress(self)

    @property
    def item_count(self) -> int:
        return len(self._levels)

    def _above(self, fineness: float) -> TiltedNodes | None:
        """Nodes over the (k+1)-th largest where that separates; None where it never does."""
        if len(self._levels) <= self.most:
            return None
        if self._window is None:
            self._window = CondensedWindow(
                **vars(cutoff_window(self.noise, self._levels, self.most))
            )
        above = -math.inf if self.floor.noisy else self.floor.level
        return self._floored(tilted_nodes(self._window, fineness, above))

    def _floored(self, nodes: TiltedNodes) -> TiltedNodes | None:
        """Nodes weighted with the chance that the floor is below them."""
        weight = nodes.weight * np.exp(self.floor.log_cdf(self.noise, nodes.z))
        some = weight > _TINY
        return nodes.select_nodes(some, weight) if some.any() else None

    @property
    def _missed(self) -> float:
        return 2 * abs(self._low.total_probability + self._over - 1.0)

    @property
    def error(self) -> float:
        """Estimated bound on the error of a figure, as of `CutoffRace`."""
        windows = [self._low.window, *([] if self._window is None else [self._window])]
        return self._missed + sum(map(omission_bound, windows))

    def length_probabilities(self) -> Floats:
        """P(exactly j are released) for j = 0..k, shape (k + 1,)."""
        full = np.zeros(self.most + 1)
        full[: self.full + 1] = np.clip(self._low.length_probabilities(), 0.0, 1.0)
        full[self.full] += self._over
        return np.minimum(full, 1.0)

    def within_table(self, a: Ints, b: Ints, *, whole: bool = False) -> Floats:
        """P(the first a_i are in, none after b_j is; `whole`: and k are), shape (a.size, b.size)."""
        return self._table(self._low, self._high, a, b, whole, self.progress)

    def rough_within_table(self, a: Ints, b: Ints) -> Floats:
        """within(a,b) from few nodes."""
        return self._table(*self._rough, a, b)

    def _table(
        self,
        low: FloorSums,
        high: TiltedNodes | None,
        a: Ints,
        b: Ints,
        whole: bool = False,
        progress: Progress = ignore_progress,
    ) -> Floats:
        n, few = len(self._levels), np.minimum(a, self.full)
        table = low.within_probabilities(
            few, np.clip(b, self.full, n), whole, portion(progress, 0.0, _SHARE)
        )
        if high is not None:
            table += within_probabilities(
                high, few, np.clip(b, self.most, n), portion(progress, _SHARE, 1.0)
            )
        table[a > self.full] = 0.0
        return table

    @cached_property
    def _rough(self) -> tuple[FloorSums, TiltedNodes | None]:
        """Nodes for figures to about 1e-3, or those of all figures where these miss 1."""
        if not self.floor.noisy:
            return self._low, self._high
        nodes = floor_nodes(self.noise, self._levels, self.full, self.floor, _ROUGH_FINENESS)
        low = FloorSums(nodes.rough_subset())
        high = (
            None
            if self._high is None or self._window is None
            else self._floored(rough_nodes(self._window))
        )
        total = low.total_probability + (0.0 if high is None else total_probability(high))
        return (low, high) if abs(total - 1.0) <= _ROUGH else (self._low, self._high)

    def expected_rank_excess(self) -> float | None:
        """Σ_{b=k}^{n−1} P(a rank after b is released); None if not smooth, or for few ranks."""
        # a floor only raises what separates, so that ranks decided without it stay so
        windows = self._low.window if len(self._low.nodes.z) else None, self._window
        last = min(window.last for window in windows if window is not None)
        if last <= self.most:
            return 0.0
        if self.noise.kinks or not self.floor.noisy or last - self.most < FEW_RANKS:
            return None
        return expected_rank_excess(
            self.noise,
            self._levels[:last],
            self.most,
            lambda z: self.floor.log_cdf(self.noise, z),
            self.progress,
        )

    def inclusion(self) -> Floats:
        """P(rank r is released), shape (n,)."""
        low, full = self._low.window, np.zeros(len(self._levels))
        full[: low.first] = self._low.total_probability
        full[low.first : low.last] = self._low.pass_probabilities(
            portion(self.progress, 0.0, _SHARE)
        )
        if self._high is not None and self._window is not None:
            window = self._window
            out, within = inclusion_sums(self._high, portion(self.progress, _SHARE, 1.0))
            full[: window.first] += self._over
            full[window.first : self.most] += self._over - out
            full[self.most : window.last] += within
        return np.clip(full, 0.0, 1.0)

    def hits(self, best: int) -> Floats:
        """P(j of the ranks 1..best are in) for j = 0..k, shape (k + 1,); best ≥ min(k, n)."""
        full = np.zeros(self.most + 1)
        full[: self.full + 1] = self._low.hit_probabilities(
            best, portion(self.progress, 0.0, _SHARE)
        )
        if self._window is not None and best >= self._window.last:
            full[self.most] += self._over
        elif self._high is not None:
            full += hit_sums(self._high, best, portion(self.progress, _SHARE, 1.0))
        return np.clip(full, 0.0, 1.0)

    def exact_prefix_probabilities(self) -> Floats:
        """P(exactly the best j) for j = 0..k, and at least these for j = k; shape (k + 1,)."""
        full = np.zeros(self.most + 1)
        full[: self.full + 1] = self._low.exact_prefix_probabilities()
        full[self.full] += self._over
        return np.clip(full, 0.0, 1.0)

    def log_probability(self, ranks: Ints) -> float:
        """log P(exactly these items are released), at most k of them."""
        if self.floor.noisy:
            # the floor is one more item that is left out; of fewer than k items the worst beats it
            # and the others left out
            at, sets = self._beside
            best = 0.0
            if len(ranks) < self.most:
                outside = np.append(np.delete(self._levels, ranks), self.floor.level)
                best = float(self.floor.level - np.logaddexp.reduce(-np.sort(-outside)))
            return best + (sets.log_probability(ranks + (ranks >= at)) if len(ranks) else 0.0)
        chosen = np.zeros(len(self._levels), bool)
        chosen[ranks] = True
        inside, outside = self._levels[chosen], self._levels[~chosen]
        every = float(self.noise.log_sf(self.floor.level - inside).sum())
        if len(ranks) == self.most and len(outside):
            return log_set_probability(self.noise, inside, outside, self.floor.level)
        return every + float(self.noise.log_cdf(self.floor.level - outside).sum())

    @cached_property
    def _beside(self) -> tuple[int, SetProbabilities]:
        """Rank of a noisy floor among the items, and the chances of sets of them all."""
        rank = int(np.searchsorted(-self._levels, -self.floor.level))
        return rank, SetProbabilities(self.noise, np.insert(self._levels, rank, self.floor.level))

"""The law of the items, at most k, with the largest noisy values above a floor.

Symbols: z = the larger of the floor and the (k+1)-th largest value, which separates them from the
rest. Where that is the (k+1)-th largest, k items are released, as in a race without a floor, times
P(the floor is below z); where it is the floor, at most k pass it.
Invariant: sums that must be 1 show if the nodes are enough.
"""

import math
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Noise,
    Progress,
    cached_property,
    ignore_progress,
    portion,
)
from dpviz.numerics.cutoff.cutoff_race import omission_bound
from dpviz.numerics.cutoff.floor import Floor, floor_value_nodes
from dpviz.numerics.cutoff.floor_sums import FloorSums
from dpviz.numerics.cutoff.item_sums import hit_count_probabilities, out_and_in_probabilities
from dpviz.numerics.cutoff.poisson_binomial import certain_event_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import TiltedNodes, rough_nodes, tilted_nodes
from dpviz.numerics.cutoff.window import CutoffWindow, cutoff_window
from dpviz.numerics.cutoff.worst_rank import FEW_RANKS, expected_worst_rank_excess
from dpviz.numerics.set_probabilities import SetProbabilities, log_set_probability
from dpviz.topk.law import ClassTable, Draw, RankLaw, row_chunks

_MISSING = 1e-10
_ENOUGH = 1e-10
_NEVER_MORE = 1e-12  # so little is left for more than k to pass
_FINER = (1.0, 1.6, 2.5, 4.0)  # times as many nodes, until P(anything) is 1
_SHARE = 0.5  # of the progress: what the floor's part takes
_TINY = 1e-290  # weights below this are 0
_ROUGH = 5e-4  # what P(anything) may lack where few nodes do
_ROUGH_FINENESS = 0.4
_LITTLE = 1e-6  # of all weights, which rough figures overlook
_NEVER = 1e4  # levels below the floor at which no item passes


class FlooredLaw(RankLaw):
    """The largest of `levels` with noise that are above a floor, at most k; d ranks in all."""

    shorter: ClassVar[bool] = True

    def __init__(
        self,
        d: int,
        levels: Floats,
        k: int,
        noise: Noise,
        floor: Floor,
        progress: Progress = ignore_progress,
    ) -> None:
        self.d, self.k, self.noise, self.floor, self.progress = d, k, noise, floor, progress
        self._occurring = len(levels)
        self._levels = levels if len(levels) else np.array([floor.level - _NEVER])
        self.full = min(k, len(self._levels))
        # of the (k+1)-th largest, where that may separate
        self._window: CutoffWindow | None = None
        for fineness in _FINER:
            self._low = FloorSums(
                floor_value_nodes(noise, self._levels, self.full, floor, fineness)
            )
            self._high = (
                self._above(fineness) if self._low.at_most_k_probability < 1 - _NEVER_MORE else None
            )
            # P(more than k pass the floor)
            self._over = 0.0 if self._high is None else certain_event_probability(self._high)
            if self._missed <= _ENOUGH:
                break

    def __setstate__(self, state: dict[str, Any]) -> None:
        race = state.pop("race", None)  # which held the sums in former pickles
        vars(self).update(state if race is None else vars(race) | state)
        self.__dict__.setdefault("_occurring", len(self._levels))

    def _above(self, fineness: float) -> TiltedNodes | None:
        """Nodes over the (k+1)-th largest where that separates; None where it never does."""
        if len(self._levels) <= self.k:
            return None
        if self._window is None:
            self._window = cutoff_window(self.noise, self._levels, self.k)
        above = -math.inf if self.floor.noisy else self.floor.level
        return self._floored(tilted_nodes(self._window, fineness, above))

    def _floored(self, nodes: TiltedNodes) -> TiltedNodes | None:
        """Nodes weighted with the chance that the floor is below them."""
        weight = nodes.weight * np.exp(self.floor.log_cdf(self.noise, nodes.z))
        some = weight > _TINY
        return nodes.select_nodes(some, weight) if some.any() else None

    @property
    def _missed(self) -> float:
        return 2 * abs(self._low.at_most_k_probability + self._over - 1.0)

    @property
    def error(self) -> float:  # type: ignore[override]  # known once figures are
        """Estimated bound on the error of a figure, as of `CutoffRace`."""
        windows = [self._low.window, *([] if self._window is None else [self._window])]
        return self._missed + sum(map(omission_bound, windows))

    def length(self) -> Floats:
        full = np.zeros(self.k + 1)
        full[: self.full + 1] = np.clip(self._low.length_probabilities(), 0.0, 1.0)
        full[self.full] += self._over
        return np.minimum(full, 1.0)

    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        return self._table(
            self._low, self._high, complete_ranks, worst_ranks, progress=self.progress
        )

    def rough_within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        return self._table(*self._rough, complete_ranks, worst_ranks)

    def full_length_within(self, complete_rank: int, worst_rank: int) -> float:
        within = self._table(
            self._low, self._high, np.array([complete_rank]), np.array([worst_rank]), whole=True
        )
        return float(np.clip(within[0, 0], 0.0, 1.0))

    def _table(
        self,
        low: FloorSums,
        high: TiltedNodes | None,
        a: Ints,
        b: Ints,
        *,
        whole: bool = False,
        progress: Progress = ignore_progress,
    ) -> Floats:
        """P(the first a_i are in, none after b_j is; `whole`: and k are), shape (a.size, b.size)."""
        n, few = len(self._levels), np.minimum(a, self.full)
        table = low.within_probabilities(
            few, np.clip(b, self.full, n), whole, portion(progress, 0.0, _SHARE)
        )
        if high is not None:
            table += within_probabilities(
                high, few, np.clip(b, self.k, n), portion(progress, _SHARE, 1.0)
            )
        table[a > self.full] = 0.0
        return table

    @cached_property
    def _rough(self) -> tuple[FloorSums, TiltedNodes | None]:
        """Nodes for figures to about 1e-3, or those of all figures where these miss 1."""
        if not self.floor.noisy:
            return self._low, self._high
        nodes = floor_value_nodes(self.noise, self._levels, self.full, self.floor, _ROUGH_FINENESS)
        some = nodes.weight > _LITTLE * nodes.weight.sum()
        low = FloorSums(nodes.select_nodes(some, nodes.weight).with_few_angles())
        high = (
            None
            if self._high is None or self._window is None
            else self._floored(rough_nodes(self._window))
        )
        total = low.at_most_k_probability + (
            0.0 if high is None else certain_event_probability(high)
        )
        return (low, high) if abs(total - 1.0) <= _ROUGH else (self._low, self._high)

    def mean_worst_rank_excess(self) -> float:
        # a floor only raises what separates, so that ranks decided without it stay so
        windows = self._low.window if len(self._low.nodes.z) else None, self._window
        last = min(window.last for window in windows if window is not None)
        if last <= self.k:
            return 0.0
        if self.noise.kinks or not self.floor.noisy or last - self.k < FEW_RANKS:
            return super().mean_worst_rank_excess()
        return expected_worst_rank_excess(
            self.noise,
            self._levels[:last],
            self.k,
            lambda z: self.floor.log_cdf(self.noise, z),
            self.progress,
        )

    def inclusion(self) -> Floats:
        low, full = self._low.window, np.zeros(max(self.d, len(self._levels)))
        full[: low.first] = self._low.at_most_k_probability
        full[low.first : low.last] = self._low.pass_probabilities(
            portion(self.progress, 0.0, _SHARE)
        )
        if self._high is not None and self._window is not None:
            window = self._window
            out, within = out_and_in_probabilities(self._high, portion(self.progress, _SHARE, 1.0))
            full[: window.first] += self._over
            full[window.first : self.k] += self._over - out
            full[self.k : window.last] += within
        return np.clip(full[: self.d], 0.0, 1.0)

    def hits(self, hit_rank_count: int) -> Floats:
        full = np.zeros(self.k + 1)
        full[: self.full + 1] = self._low.hit_probabilities(
            hit_rank_count, portion(self.progress, 0.0, _SHARE)
        )
        if self._window is not None and hit_rank_count >= self._window.last:
            full[self.k] += self._over
        elif self._high is not None:
            full += hit_count_probabilities(
                self._high, hit_rank_count, portion(self.progress, _SHARE, 1.0)
            )
        return np.clip(full, 0.0, 1.0)

    def best_list_probabilities(self) -> Floats:
        full = np.zeros(self.k + 1)
        full[: self.full + 1] = self._low.best_list_probabilities()
        full[self.full] += self._over
        return np.clip(full, 0.0, 1.0)

    def log_probability(self, ranks: Ints) -> float:
        if len(ranks) and ranks[-1] >= self._occurring:
            return -math.inf
        if self.floor.noisy:
            # the floor is one more item that is left out; of fewer than k items the worst beats it
            # and the others left out
            at, sets = self._beside
            best = 0.0
            if len(ranks) < self.k:
                outside = np.append(np.delete(self._levels, ranks), self.floor.level)
                best = float(self.floor.level - np.logaddexp.reduce(-np.sort(-outside)))
            return best + (sets.log_probability(ranks + (ranks >= at)) if len(ranks) else 0.0)
        chosen = np.zeros(len(self._levels), bool)
        chosen[ranks] = True
        inside, outside = self._levels[chosen], self._levels[~chosen]
        every = float(self.noise.log_sf(self.floor.level - inside).sum())
        if len(ranks) == self.k and len(outside):
            return log_set_probability(self.noise, inside, outside, self.floor.level)
        return every + float(self.noise.log_cdf(self.floor.level - outside).sum())

    @cached_property
    def _beside(self) -> tuple[int, SetProbabilities]:
        """Rank of a noisy floor among the items, and the chances of sets of them all."""
        rank = int(np.searchsorted(-self._levels, -self.floor.level))
        return rank, SetProbabilities(self.noise, np.insert(self._levels, rank, self.floor.level))

    def classes(self) -> ClassTable:
        a, b = np.arange(self.k + 2), np.arange(self.k, max(self.k, len(self._levels)) + 1)
        within = np.zeros((self.k + 2, len(b) + 1))
        within[:-1, 1:] = self.within_table(a[:-1], b)
        mass = -np.diff(np.diff(within, axis=1), axis=0)
        h, column = np.nonzero(mass > _MISSING / mass.size)
        return ClassTable(h, b[column], mass[h, column], _MISSING)


FlooredRace = FlooredLaw  # which held the sums of a law, in stored pickles


def floored_sampler(levels: Floats, k: int, noise: Noise, floor: Floor) -> Draw:
    def draw(size: int, rng: Generator) -> Ints:
        ranks = np.full((size, k), -1, np.int64)
        for part in row_chunks(size, len(levels)):
            rows = part.stop - part.start
            value = levels + noise.sample(rng, (rows, len(levels)))
            least = floor.level + (noise.sample(rng, (rows, 1)) if floor.noisy else 0.0)
            ranks[part] = _largest(np.where(value > least, value, -np.inf), k)
        return ranks

    return draw


def _largest(value: Floats, k: int) -> Ints:
    """Columns of at most k finite values of each row, the largest, ascending, padded with −1."""
    rows, n = value.shape
    if not n:  # nothing occurs
        return np.full((rows, k), -1, np.int64)
    chosen = np.full((rows, k), n, np.int64)
    if n > k:
        chosen[:] = np.argpartition(-value, k - 1, axis=1)[:, :k]
    else:
        chosen[:, :n] = np.arange(n)
    passed = np.isfinite(np.take_along_axis(value, np.minimum(chosen, n - 1), 1)) & (chosen < n)
    chosen = np.sort(np.where(passed, chosen, n), axis=1)
    return np.where(chosen < n, chosen, -1)

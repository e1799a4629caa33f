"""Base of the mechanisms for names not known beforehand: they choose among the items that occur.

Symbols: f_i = counts; an item with f_i ≤ 0 does not occur and never comes out. Δ = a person's
change of a count, so the name of a single person counts at most Δ.
Invariants: (ε, δ), never ε alone: a name in only one of two neighbouring worlds comes out with a
chance of at most δ in all. k may exceed the number of items, as refusing it would reveal that
number.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Noise, ParameterError, Progress, Scores, check_scores
from dpviz.numerics.cutoff.floor import Floor
from dpviz.numerics.cutoff.floored_race import FlooredRace
from dpviz.topk.approximate_mechanism import ApproximateMechanism
from dpviz.topk.law import ClassTable, Draw, RankLaw, row_chunks

_MISSING = 1e-10


class FlooredScores(NamedTuple):
    levels: Floats
    noise: Noise
    floor: Floor


@dataclass(frozen=True, kw_only=True)
class OccurringItemsMechanism(ApproximateMechanism):
    """At most k of the items that occur, under (ε, δ) for one release."""

    releases_order: ClassVar[bool] = True
    shorter: ClassVar[bool] = True
    needs_names: ClassVar[bool] = False

    def largest_list_size(self, scores: Scores) -> int:
        """k, or the number of items that occur if it is smaller."""
        return min(self.k, max(1, occurring_item_count(scores)))

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` for counts below 0, and where one person may lower some."""
        if isinstance(pair := check_scores(scores).sensitivities, tuple):
            allowed = "one number without a list of all possible items, as counts only rise"
            raise ParameterError("sensitivity", pair, allowed)
        if (lowest := float(scores.values.min())) < 0:
            raise ParameterError(
                "the lowest score", lowest, "at least 0 without a list of all possible items"
            )

    @abstractmethod
    def _floored(self, scores: Scores) -> FlooredScores:
        """The levels, their noise and the floor."""

    def _law(self, scores: Scores, progress: Progress) -> RankLaw:
        levels, noise, floor = self._floored(scores)
        return FlooredLaw(scores.d, FlooredRace(levels, self.k, noise, floor, progress))

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        levels, noise, floor = self._floored(scores)
        return floored_sampler(levels, self.k, noise, floor)


def occurring_item_count(scores: Scores) -> int:
    return int(np.count_nonzero(scores.values > 0))


def levels_relative_to_best(
    scores: Scores, items: int, k: int, scale: float, count: float
) -> tuple[Floats, float]:
    """Levels of the best items and of a count, relative to the same item: differences first.

    >>> levels_relative_to_best(Scores([9, 7, 3], monotonic=True), 3, 1, 0.5, 4.0)
    (array([ 2.,  0., -4.]), -3.0)
    """
    rank = min(k + 1, max(1, items))
    reference = float(scores.values[scores.order[rank - 1]])
    at = (count - reference) / scores.effective_sensitivity
    return scale * scores.differences_from_rank(rank)[:items], scale * at


class FlooredLaw(RankLaw):
    shorter: ClassVar[bool] = True

    def __init__(self, d: int, race: FlooredRace) -> None:
        self.d, self.k, self.race = d, race.most, race

    @property
    def error(self) -> float:  # type: ignore[override]  # known once figures are
        return self.race.error

    def length(self) -> Floats:
        return self.race.length_probabilities()

    def within_table(self, a: Ints, b: Ints) -> Floats:
        return self.race.within_table(a, b)

    def rough_within_table(self, a: Ints, b: Ints) -> Floats:
        return self.race.rough_within_table(a, b)

    def expected_rank_excess(self) -> float:
        smooth = self.race.expected_rank_excess()
        return super().expected_rank_excess() if smooth is None else smooth

    def full_length_within(self, a: int, b: int) -> float:
        within = self.race.within_table(np.array([a]), np.array([b]), whole=True)
        return float(np.clip(within[0, 0], 0.0, 1.0))

    def inclusion(self) -> Floats:
        passing = self.race.inclusion()[: self.d]
        return np.append(passing, np.zeros(self.d - len(passing)))

    def hits(self, best: int) -> Floats:
        return self.race.hits(best)

    def exact_prefix_probabilities(self) -> Floats:
        return self.race.exact_prefix_probabilities()

    def log_probability(self, ranks: Ints) -> float:
        possible = not len(ranks) or ranks[-1] < self.race.item_count
        return self.race.log_probability(ranks) if possible else -np.inf

    def classes(self) -> ClassTable:
        a, b = np.arange(self.k + 2), np.arange(self.k, max(self.k, self.race.item_count) + 1)
        within = np.zeros((self.k + 2, len(b) + 1))
        within[:-1, 1:] = self.within_table(a[:-1], b)
        mass = -np.diff(np.diff(within, axis=1), axis=0)
        h, column = np.nonzero(mass > _MISSING / mass.size)
        return ClassTable(h, b[column], mass[h, column], _MISSING)


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

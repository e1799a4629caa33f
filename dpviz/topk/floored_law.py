"""The exact law of the k largest noisy scores above a floor, and draws from it.

Symbols: as in `dpviz.numerics.cutoff.floored_race`; n of the d ranks can come out at all, classes
(h,t) as in `dpviz.topk.classes`. A draw is a row of ascending ranks, padded with −1.
"""

from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Noise
from dpviz.numerics.cutoff.floor import Floor
from dpviz.numerics.cutoff.floored_race import FlooredRace
from dpviz.topk.law import ClassTable, Draw, RankLaw, row_chunks

_MISSING = 1e-10


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
        return float(
            np.clip(
                self.race.within_table(np.array([a]), np.array([b]), whole=True)[0, 0], 0.0, 1.0
            )
        )

    def inclusion(self) -> Floats:
        passing = self.race.inclusion()[: self.d]
        return np.append(passing, np.zeros(self.d - len(passing)))

    def hits(self, best: int) -> Floats:
        return self.race.hits(best)

    def exact_prefix_probabilities(self) -> Floats:
        return self.race.exact_prefix_probabilities()

    def log_probability(self, ranks: Ints) -> float:
        return (
            self.race.log_probability(ranks)
            if not len(ranks) or ranks[-1] < self.race.item_count
            else -np.inf
        )

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

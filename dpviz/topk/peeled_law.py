"""The exact law of peeling by a chain over the sets taken so far.

Symbols: after j rounds the state is the set of items taken; from it the next item is the winner among
the rest. Which order a set was taken in does not matter for what follows, so states are sets.
Invariants: probabilities of each round add up to 1; far-out sets are summed in logs when asked for.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import Noise
from dpviz.base.progress import Progress
from dpviz.numerics.group_race import winner
from dpviz.numerics.set_race import log_set_probability
from dpviz.topk.law import EnumeratedLaw

_LIKELY = 1e-3  # from here on the logarithm of an absolute figure is exact enough


def peeled_law(levels: Floats, k: int, noise: Noise, progress: Progress) -> "PeeledLaw":
    """The law of the set that is taken after k rounds.

    Parameters
    ----------
    levels
        q in descending order, shape (d,).
    k
        How many rounds.
    noise
        The family of the noise, at scale 1.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    PeeledLaw
        Every set with its chance.

    Examples
    --------
    >>> from dpviz.base.noise import NOISES
    >>> from dpviz.base.progress import silent
    >>> law = peeled_law(np.array([1.0, 0.0, 0.0]), 2, NOISES["exponential"], silent)
    >>> law.inclusion().round(6).tolist()
    [0.94063, 0.529685, 0.529685]
    """
    d = len(levels)
    reached: dict[int, float] = {0: 1.0}  # sets as bits
    error = 0.0
    for turn in range(k):
        following: dict[int, float] = {}
        for count, (taken, mass) in enumerate(reached.items()):
            left = np.array([i for i in range(d) if not taken >> i & 1])
            won = winner(noise, levels[left], np.zeros(len(left)))
            error = max(error, won.error)
            for item, share in zip(left.tolist(), won.probability.tolist(), strict=True):
                further = taken | 1 << item
                following[further] = following.get(further, 0.0) + mass * share
            progress((turn + (count + 1) / len(reached)) / k)
        reached = following
    ranks = np.array([[i for i in range(d) if taken >> i & 1] for taken in reached], np.int64)
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.array(list(reached.values())))
    return PeeledLaw(d, k, ranks, log_mass, k * error + 1e-12, levels=levels, noise=noise)


@dataclass(frozen=True, eq=False, kw_only=True)
class PeeledLaw(EnumeratedLaw):
    """Every set with its probability; unlikely sets are summed again in logs.

    Parameters
    ----------
    d
        How many items there are.
    k
        How many come out.
    ranks
        The 0-based ranks of each set, shape (sets, k), ascending along each row.
    log_mass
        log of the chance of each, shape (sets,).
    error
        A bound on the error of any figure.
    levels
        q in descending order, shape (d,).
    noise
        The family of the noise, at scale 1.
    """

    levels: Floats
    noise: Noise

    @cached_property
    def _row(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(self.ranks)}

    def log_probability(self, ranks: Ints) -> float:
        """log P of one set: Σ over the orders in which it can be taken, as a chain over its subsets."""
        mass = float(self.log_mass[self._row[np.asarray(ranks, np.int64).tobytes()]])
        return mass if mass > math.log(_LIKELY) else self._log_chain([int(r) for r in ranks])

    def _log_chain(self, ranks: list[int]) -> float:
        reached: dict[frozenset[int], float] = {frozenset(): 0.0}
        for size in range(self.k):
            following: dict[frozenset[int], float] = {}
            for taken in map(frozenset, combinations(ranks, size)):
                left = np.array([i for i in range(self.d) if i not in taken])
                for item in set(ranks) - taken:
                    others = self.levels[left[left != item]]
                    step = reached[taken] + log_set_probability(self.noise, self.levels[[item]], others)
                    further = taken | {item}
                    following[further] = float(np.logaddexp(following.get(further, -np.inf), step))
            reached = following
        return reached[frozenset(ranks)]

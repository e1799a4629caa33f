"""Peeling: k rounds of a top-1 mechanism with ε/k each, and its exact law.

Symbols: x = ranked normalised scores, q = ε/(2k)·x, fresh noise per item and round. The next item
depends only on the set taken so far, so states are sets.
Invariants: with gumbel noise set and order have exactly the one-shot's law.
Source: Shekelyan & Loukides 2022, Sec 2; McKenna & Sheldon 2020 (permute-and-flip as top-1).
"""

import math
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import ClassVar

import numpy as np

from dpviz.base import (
    NOISES,
    Floats,
    Ints,
    Noise,
    NoiseName,
    Progress,
    Scores,
    cached_property,
    parameter,
)
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.numerics.set_probabilities import SetProbabilities
from dpviz.topk.cutoff_law import cutoff_law, top_k_sampler
from dpviz.topk.law import Draw, ListedLaw, RankLaw
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from dpviz.topk.peeling_sampler import PeelingSampler

_MOST_TRANSITIONS = 20_000


def is_chain_too_long(d: int, k: int) -> bool:
    """True if there are too many transitions: pairs (items taken, next item)."""
    counts = accumulate(math.comb(d, taken) * (d - taken) for taken in range(k))
    return any(count > _MOST_TRANSITIONS for count in counts)


@TOP_K.register(
    "peeling",
    label="Peeling",
    says=(
        "Chooses one item k times, each time with ε/k. Use it if your software can only choose one"
        " item. With Gumbel noise it is the same as one-shot."
    ),
    field_names={
        "permute-and-flip": {"noise": "exponential"},
        "top-k by peeling": {},
        "sequential exponential mechanism": {"noise": "gumbel"},
    },
)
@dataclass(frozen=True, kw_only=True)
class Peeling(TopKMechanism):
    """k rounds of "the largest of ε/(2k)·x_i + noise", without replacement.

    Exact with gumbel noise, and with the others if the chain has at most 20,000 transitions.

    Known as top-k by peeling. With exponential noise each round is permute-and-flip. With gumbel
    noise it is the sequential exponential mechanism.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items; each round takes ε/k.
    k
        Number of items that come out, from 1 to d − 1.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.

    Examples
    --------
    >>> from dpviz import Scores
    >>> m = Peeling(epsilon=1.0, k=1, noise="exponential")
    >>> round(m.distribution(Scores([2.0, 0.0])).top, 4)
    0.8161
    """

    releases_order: ClassVar[bool] = True

    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")

    @property
    def exponential_rounds(self) -> int | None:
        return self.k if NOISES[self.noise].max_stable else None

    def _levels(self, scores: Scores) -> Floats:
        return self.epsilon / (2 * self.k) * scores.differences_from_rank(self.k + 1)

    def _law(self, scores: Scores, progress: Progress) -> RankLaw | None:
        noise = NOISES[self.noise]
        if noise.max_stable or self.k == 1:  # the largest of the rest has the same law in any round
            return cutoff_law(self._levels(scores), self.k, noise, progress)
        if is_chain_too_long(scores.d, self.k):
            return None
        return peeled_law(self._levels(scores), self.k, noise, progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        levels, noise, k = self._levels(scores), NOISES[self.noise], self.k
        if noise.max_stable or k == 1:
            return top_k_sampler(levels, k, noise)
        return PeelingSampler(noise, levels, k)


_LIKELY = 1e-3  # from here on the logarithm of an absolute figure is exact enough


def peeled_law(levels: Floats, k: int, noise: Noise, progress: Progress) -> "PeeledLaw":
    d = len(levels)
    reached: dict[int, float] = {0: 1.0}  # sets as bits
    error = 0.0
    for turn in range(k):
        following: dict[int, float] = {}
        for count, (taken, mass) in enumerate(reached.items()):
            left = np.array([i for i in range(d) if not taken >> i & 1])
            won = group_win_probabilities(noise, levels[left], np.zeros(len(left)))
            error = max(error, won.error)
            for item, share in zip(left.tolist(), won.probability.tolist(), strict=True):
                further = taken | 1 << item
                following[further] = following.get(further, 0.0) + mass * share
            progress((turn + (count + 1) / len(reached)) / k)
        reached = following
    ranks = np.array([[i for i in range(d) if taken >> i & 1] for taken in reached], np.int64)
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.array(list(reached.values())))
    return PeeledLaw(d, k, ranks, log_mass, k * error + 1e-12, levels, noise)


@dataclass(frozen=True, eq=False)
class PeeledLaw(ListedLaw):
    """Every set (a row of `ranks`) with its probability; unlikely ones are summed again in logs."""

    d: int
    k: int
    ranks: Ints
    log_mass: Floats
    error: float
    levels: Floats
    noise: Noise

    @property
    def weight(self) -> Floats:
        return np.exp(self.log_mass)

    @cached_property
    def _row(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(self.ranks)}

    def log_probability(self, ranks: Ints) -> float:
        """log P of one set: Σ over the orders to take it, as a chain over its subsets."""
        mass = float(self.log_mass[self._row[np.asarray(ranks, np.int64).tobytes()]])
        return mass if mass > math.log(_LIKELY) else self._log_chain(ranks.tolist())

    def _log_chain(self, ranks: list[int]) -> float:
        reached: dict[frozenset[int], float] = {frozenset(): 0.0}
        for size in range(self.k):
            following: dict[frozenset[int], float] = {}
            for taken in map(frozenset, combinations(ranks, size)):
                for item in set(ranks) - taken:
                    further = taken | {item}
                    following[further] = float(
                        np.logaddexp(
                            following.get(further, -np.inf),
                            reached[taken] + self._log_next(taken, item),
                        )
                    )
            reached = following
        return reached[frozenset(ranks)]

    @cached_property
    def _left(self) -> dict[frozenset[int], tuple[Ints, SetProbabilities]]:
        return {}

    def _log_next(self, taken: frozenset[int], item: int) -> float:
        """log P(the item is taken next)."""
        if taken not in self._left:
            left = np.array([i for i in range(self.d) if i not in taken])
            self._left[taken] = left, SetProbabilities(self.noise, self.levels[left])
        left, chances = self._left[taken]
        return chances.log_probability(np.searchsorted(left, [item]))

"""The base of all private top-k mechanisms, and their menu.

A mechanism is a frozen description: ε, k and its own declared parameters, validated once. A family
supplies `_law` (what it does to the ranks of scores, or None where no exact law is at hand) and `_sampler`.
Symbols: x = ranked normalised scores. Laws depend on their differences only, which are formed from raw scores
(`Scores.relative_to`, `Scores.comparable`), so that the size of the scores costs no digits.
Invariants: a row of `sample` is sorted by item index, because the order in which a sampler builds its
answer would leak; a family whose ordered output is private says `releases_order`.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.described import Described
from dpviz.base.parameters import check_generator, check_integer, parameter
from dpviz.base.progress import Progress, silent
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores, check_choice
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.law import Draw, Law
from dpviz.topk.sampled_law import sampled_law

__all__ = ["TOP_K", "TopKMechanism", "estimate"]


@dataclass(frozen=True, kw_only=True)
class TopKMechanism(Described, ABC):
    """A private choice of k of d items under a total budget of ε for one release.

    Raises `ParameterError` for an ε that is not above 0 and a k that is not a whole number of at
    least 1 when it is made, and for k ≥ d when it meets the scores.
    """

    releases_order: ClassVar[bool] = False

    epsilon: float = parameter(
        low=0.0, above=True, high=1e6, label="Privacy budget ε", help="Total for one release of all k items."
    )
    k: int = parameter(low=1, integer=True, label="k", help="How many items come out.")

    @classmethod
    def _menu(cls) -> "Registry[type[TopKMechanism]]":
        return TOP_K

    @property
    def exponential_rounds(self) -> int | None:
        """Of how many exponential mechanisms of ε/rounds each, one after the other, this is the law; None of none."""
        return None

    @property
    def zcdp(self) -> float | None:
        """ρ = rounds·(ε/rounds)²/8, as an exponential mechanism is bounded-range; None for what is none."""
        rounds = self.exponential_rounds
        return None if rounds is None else self.epsilon**2 / (8 * rounds)

    def distribution(
        self, scores: Scores, *, samples: int = 10_000, rng: Generator | int | None = None, progress: Progress = silent
    ) -> TopKDistribution:
        """Which k items come out: exact where it can be, else estimated from `samples` draws.

        `progress` is told the fraction done and may raise `Cancelled`. Figures that cost much are
        computed when first read, and report to the same `progress`.
        """
        self.check_scores(scores)
        law = self._law(scores, progress)
        if law is None:
            return estimate(self, scores, samples=samples, rng=rng, progress=progress)
        return TopKDistribution(self, scores, law)

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """`size` independent releases: item indices of shape (size, k), each row sorted by index."""
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        ranks = self.sampler(scores)(size, rng)
        items = scores.order.astype(np.int32)[ranks]  # half the size sorts twice as fast
        return np.sort(items, axis=1).astype(np.int64)

    def sampler(self, scores: Scores, progress: Progress = silent) -> Draw:
        """What draws sets of ranks from these scores, its preparation done once and reported to `progress`."""
        self.check_scores(scores)
        return self._sampler(scores, progress)

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` unless 1 ≤ k ≤ d − 1."""
        check_choice(scores, self.k)

    def unit_price(self, contributions: int | None) -> float:
        """What a release costs, of the ε that the mechanism works with, where one person counts in so few items.

        At most 1, which it is for any number of items (None). A mechanism on scores with `contributions` works
        with ε over this, so that a release costs ε.
        """
        return 1.0

    def releases_scores(self, contributions: int | None) -> bool:
        """Whether ε covers noisy scores of the chosen items too, where one person counts in at most so many items."""
        return False

    def called(self, contributions: int | None) -> str:
        """What people call it where one person counts in at most so many items."""
        return TOP_K.label(self.name)

    def loss(self, x: Floats, h: Ints, t: Ints) -> Floats | None:
        """The loss of the classes C(h,t) on ranked scores, where it is one for all members; else None."""
        return None

    @abstractmethod
    def _law(self, scores: Scores, progress: Progress) -> Law | None:
        """The exact law on the ranks of `scores`, or None where it has to be estimated."""

    @abstractmethod
    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        """A sampler of ranks; one whose draws take long may go on asking `progress`."""


TOP_K: Registry[type[TopKMechanism]] = Registry("mechanism", first=("canonical", "one_shot", "peeling", "joint"))


def estimate(
    mechanism: TopKMechanism,
    scores: Scores,
    *,
    samples: int = 10_000,
    rng: Generator | int | None = None,
    progress: Progress = silent,
) -> TopKDistribution:
    """The distribution of `mechanism` on `scores`, estimated from `samples` draws.

    `rng=None` means `numpy.random.default_rng(0)`, so that a page repeats. The answer has the type
    of `mechanism.distribution`, with `method == "estimated"` and 95 % intervals.

    >>> from dpviz.topk.canonical import Canonical
    >>> dist = estimate(Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0]), samples=2000)
    >>> low, high = dist.interval("top")
    >>> low < 0.6225 < high
    True
    """
    mechanism.check_scores(scores)

    def prepare(part: Progress) -> Draw:
        return mechanism.sampler(scores, part)

    law = sampled_law(prepare, scores.d, mechanism.k, samples, rng, progress)
    return TopKDistribution(mechanism, scores, law)

"""Releases of a class's own votes, exact and private, after one person has left.

Symbols: counts of the votes, one a person; each person is as likely to leave; Ben knew all counts
before. Noisy counts have Laplace noise of size 1/ε, as one person is in one count. A list is the k
most chosen, by the exponential mechanism (one-shot) with the same ε, in no order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, Scores, check_generator
from dpviz.topk import OneShot


@dataclass(frozen=True, eq=False)
class DepartureRelease:
    """Counts before and after one person has left; `chose` is that person's choice."""

    before: Ints
    chose: int
    exact: Ints
    noisy: Floats
    epsilon: float

    @property
    def prior_belief(self) -> Floats:
        """Chance of each choice of the one who left, before anything is published."""
        return np.asarray(self.before / self.before.sum(), np.float64)

    @property
    def posterior_belief(self) -> Floats:
        """The same after the noisy counts, by Bayes: one of the counts is one smaller."""
        possible = self.before - np.eye(len(self.before))
        log_density = NOISES["laplace"].log_pdf(self.epsilon * (self.noisy - possible)).sum(axis=1)
        weights = self.prior_belief * np.exp(log_density - log_density.max())
        return np.asarray(weights / weights.sum(), np.float64)

    @property
    def choice_revealed_without_noise(self) -> int:
        """Choice that the exact counts reveal: the only one that is smaller."""
        return int(np.argmax(self.before - self.exact))


def release_after_departure(
    votes: Sequence[int], epsilon: float, rng: Generator | int
) -> DepartureRelease:
    """Publish the counts of these votes again after somebody has left.

    >>> left = release_after_departure([3, 0, 2], 1.0, 1)
    >>> left.choice_revealed_without_noise == left.chose, int(left.before.sum() - left.exact.sum())
    (True, 1)
    """
    before, rng = np.asarray(votes, np.int64), check_generator(rng)
    chose = int(rng.choice(len(before), p=before / before.sum()))
    exact = before - (np.arange(len(before)) == chose)
    noisy = exact + NOISES["laplace"].sample(rng, exact.shape) / epsilon
    return DepartureRelease(before, chose, exact, noisy, epsilon)


@dataclass(frozen=True)
class ReleasedList:
    """A drawn list of choices, and the votes and the ε that it was drawn with."""

    votes: tuple[int, ...]
    epsilon: float
    chosen: tuple[int, ...]

    @property
    def all_correct_probability(self) -> float:
        """Chance that all on such a list are among the k most chosen; ties count."""
        return float(
            OneShot(epsilon=self.epsilon, k=len(self.chosen))
            .distribution(_scores(self.votes))
            .hits[-1]
        )

    def posterior_belief(self, departure: DepartureRelease) -> Floats:
        """Chance of each choice of the one who left, by Bayes, given this list of the others."""
        weights = np.zeros(len(departure.before))
        for one in np.flatnonzero(departure.before):
            stayed = departure.before - (np.arange(len(departure.before)) == one)
            law = OneShot(epsilon=self.epsilon, k=len(self.chosen)).distribution(_scores(stayed))
            weights[one] = departure.prior_belief[one] * np.exp(law.log_probability(self.chosen))
        return np.asarray(weights / weights.sum(), np.float64)


def release_top_choices(
    votes: Sequence[int], epsilon: float, k: int, rng: Generator | int
) -> ReleasedList:
    """Draw the list of the k most chosen.

    >>> release_top_choices([9, 0, 7], 5.0, 2, 1).chosen
    (0, 2)
    """
    drawn = OneShot(epsilon=epsilon, k=k).sample(_scores(votes), 1, rng=check_generator(rng))[0]
    return ReleasedList(tuple(map(int, votes)), epsilon, tuple(map(int, drawn)))


def _scores(votes: Sequence[int] | Ints) -> Scores:
    return Scores(np.asarray(votes, np.float64), monotonic=True)

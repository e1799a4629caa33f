"""The class as data: its own votes, published exactly and privately, and the one who has left.

Symbols: counts of the votes, one a person; somebody leaves, each as likely as any other; Ben knew
all counts before. Noisy counts are the true ones with Laplace noise of size 1/ε, as one person is
in one count; ε is for all of them. A list is the k most chosen, by the exponential mechanism
(one-shot) with the same ε, in no order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, ParameterError, Scores, check_generator, check_number
from dpviz.topk import OneShot


@dataclass(frozen=True, eq=False)
class DepartureRelease:
    """What is published after one has left, and what Ben makes of it.

    `chose` is what the one who left had chosen; `exact` and `noisy` are what is published either
    way.
    """

    before: Ints
    chose: int
    exact: Ints
    noisy: Floats
    epsilon: float

    @property
    def prior_belief(self) -> Floats:
        """How likely each choice of the one who left is, before anything is published."""
        return np.asarray(self.before / self.before.sum(), np.float64)

    @property
    def posterior_belief(self) -> Floats:
        """The same once the noisy counts are out: by Bayes, over which of the counts is one
        smaller.
        """
        possible = self.before - np.eye(len(self.before))
        log_density = NOISES["laplace"].log_pdf(self.epsilon * (self.noisy - possible)).sum(axis=1)
        weights = self.prior_belief * np.exp(log_density - log_density.max())
        return np.asarray(weights / weights.sum(), np.float64)

    @property
    def revealed_choice(self) -> int:
        """Which choice the exact counts tell: the only one that is smaller."""
        return int(np.argmax(self.before - self.exact))


def release_after_departure(
    votes: Sequence[int], epsilon: float, rng: Generator | int
) -> DepartureRelease:
    """Somebody leaves the class that voted so, and the counts are published again.

    >>> left = release_after_departure([3, 0, 2], 1.0, 1)
    >>> left.found == left.chose, int(left.before.sum() - left.exact.sum())
    (True, 1)
    """
    check_number("epsilon", epsilon, low=0.0)
    before, rng = np.asarray(votes, np.int64), check_generator(rng)
    if before.sum() < 2:
        raise ParameterError("the number of votes", int(before.sum()), "at least 2")
    chose = int(rng.choice(len(before), p=before / before.sum()))
    exact = before - (np.arange(len(before)) == chose)
    noisy = exact + NOISES["laplace"].sample(rng, exact.shape) / epsilon
    return DepartureRelease(before, chose, exact, noisy, epsilon)


@dataclass(frozen=True)
class ReleasedList:
    """A list of votes that was drawn: which choices are on it, and how likely it has the most
    chosen.
    """

    votes: tuple[int, ...]
    epsilon: float
    chosen: tuple[int, ...]

    @property
    def all_correct_probability(self) -> float:
        """The chance that all on such a list are among the k most chosen; ties count."""
        return float(
            _lists(self.epsilon, len(self.chosen)).distribution(_scores(self.votes)).hits[-1]
        )

    def posterior_belief(self, left: DepartureRelease) -> Floats:
        """What Ben thinks of who left once he read this list, drawn of the votes that stayed: by
        Bayes.
        """
        weights = np.zeros(len(left.before))
        for one in np.flatnonzero(left.before):
            stayed = left.before - (np.arange(len(left.before)) == one)
            law = _lists(self.epsilon, len(self.chosen)).distribution(_scores(stayed))
            weights[one] = left.prior_belief[one] * np.exp(law.log_probability(self.chosen))
        return np.asarray(weights / weights.sum(), np.float64)


def release_top_choices(
    votes: Sequence[int], epsilon: float, k: int, rng: Generator | int
) -> ReleasedList:
    """Draw the list of the k most chosen.

    >>> release_top_choices([9, 0, 7], 5.0, 2, 1).chosen
    (0, 2)
    """
    drawn = _lists(epsilon, k).sample(_scores(votes), 1, rng=check_generator(rng))[0]
    return ReleasedList(tuple(map(int, votes)), epsilon, tuple(map(int, drawn)))


def _lists(epsilon: float, k: int) -> OneShot:
    return OneShot(epsilon=epsilon, k=k)


def _scores(votes: Sequence[int] | Ints) -> Scores:
    return Scores(np.asarray(votes, np.float64), monotonic=True)

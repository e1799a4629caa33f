"""The class as data: its own votes, published exactly and privately, and the one who has left.

Symbols: counts of the votes, one a person; somebody leaves, each as likely as any other; Ben knew all counts before.
Noisy counts are the true ones with Laplace noise of size 1/ε, as one person is in one count; ε is for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, ParameterError, check_generator, check_number


@dataclass(frozen=True, eq=False)
class OneLeft:
    """What is published after one has left, and what Ben makes of it.

    `chose` is what the one who left had chosen; `exact` and `noisy` are what is published either way.
    """

    before: Ints
    chose: int
    exact: Ints
    noisy: Floats
    epsilon: float

    @property
    def thought(self) -> Floats:
        """How likely each choice of the one who left is, before anything is published."""
        return np.asarray(self.before / self.before.sum(), np.float64)

    @property
    def believed(self) -> Floats:
        """The same once the noisy counts are out: by Bayes, over which of the counts is one smaller."""
        possible = self.before - np.eye(len(self.before))
        log_density = NOISES["laplace"].log_pdf(self.epsilon * (self.noisy - possible)).sum(axis=1)
        weights = self.thought * np.exp(log_density - log_density.max())
        return np.asarray(weights / weights.sum(), np.float64)

    @property
    def found(self) -> int:
        """Which choice the exact counts tell: the only one that is smaller."""
        return int(np.argmax(self.before - self.exact))


def one_leaves(votes: Sequence[int], epsilon: float, rng: Generator | int) -> OneLeft:
    """Somebody leaves the class that voted so, and the counts are published again.

    >>> left = one_leaves([3, 0, 2], 1.0, 1)
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
    return OneLeft(before, chose, exact, noisy, epsilon)

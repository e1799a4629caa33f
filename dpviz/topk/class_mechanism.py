"""Selection by any loss with few distinct values: one noisy loss a class, then a uniform member.

Symbols: a class holds e^(log size) options of one loss; q = −ε/2·loss; F = the noise. The option with
the largest q + noise wins, which is the class with the largest q + (largest of its noise draws).
Invariants: ε-DP if one person changes every loss by at most 1 and no size at all.
Source: Shekelyan & Loukides 2022, Def 2.1 with κ = 1, Sec 2.1, Thm 4.1.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    Floats,
    Ints,
    Mechanism,
    NoiseName,
    OutcomeComparison,
    ParameterError,
    Progress,
    RevealingOutput,
    Scores,
    SingleNameLaw,
    check_generator,
    check_integer,
    check_scores,
    ignore_progress,
    parameter,
)
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.topk.mechanism import TOP_K


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassesLaw(SingleNameLaw):
    """P(the option that wins is of each class)."""

    names: Sequence[str]
    chances: Floats
    error: float
    incomplete_list_probability: float = 0.0

    def compare_outcomes(
        self, other: "ClassesLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """By class, as its members are alike: exact, but for classes within the error of 0."""
        progress(1.0)
        here, there = (np.full(len(law.chances), law.error) for law in (self, other))
        p, q, names = self.chances, other.chances, self.names
        return OutcomeComparison(
            p, q, here, there, lambda at: RevealingOutput(names[at], (at,)), "the class"
        )


@dataclass(frozen=True, kw_only=True)
class ClassMechanism(Mechanism):
    """The base of selections of your own: one of very many options, whose losses are few.

    A subclass says `losses`, `log_sizes` and, if it likes, `class_names`. How the options of a class
    differ is its own business: `sample` gives classes, and any member of one is as likely.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or if losses and sizes are not one a class.

    Examples
    --------
    >>> from dpviz import privacy_loss
    >>> @dataclass(frozen=True, kw_only=True)
    ... class MedianAge(ClassMechanism):
    ...     widths = (18, 12, 70)
    ...     def losses(self, scores):
    ...         below = np.cumsum(scores.values) - scores.values
    ...         return np.maximum(below, scores.values.sum() - scores.values - below)
    ...     def log_sizes(self, scores):
    ...         return np.log(self.widths)
    >>> ages, more = (Scores([n, 9, 4], monotonic=True) for n in (3, 4))
    >>> MedianAge(epsilon=1.0).distribution(ages).chances.round(4).tolist()
    [0.0148, 0.8901, 0.0951]
    >>> round(privacy_loss(MedianAge(epsilon=1.0), ages, more).largest, 4)
    0.4619
    """

    _menu: ClassVar = TOP_K

    epsilon: float = parameter(
        low=0.0, above=True, high=1e6, label="ε, the privacy budget", help="Total for one release."
    )
    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")

    @abstractmethod
    def losses(self, scores: Scores) -> Floats:
        """Loss of each class, shape (classes,); one person changes each by at most 1.

        Parameters
        ----------
        scores
            The data.

        Returns
        -------
        Floats
            Any finite numbers; 0 for the best class reads best.
        """

    @abstractmethod
    def log_sizes(self, scores: Scores) -> Floats:
        """Logarithm of the number of options in each class, the same for all neighbours.

        Parameters
        ----------
        scores
            The data.

        Returns
        -------
        Floats
            Shape (classes,).
        """

    def class_names(self, scores: Scores) -> Sequence[str]:
        """Name of each class.

        Parameters
        ----------
        scores
            The data.

        Returns
        -------
        Sequence[str]
            "class 1", "class 2", … unless a subclass says others.
        """
        return [f"class {i + 1}" for i in range(len(self.log_sizes(scores)))]

    def _levels(self, scores: Scores) -> tuple[Floats, Floats]:
        losses, sizes = (
            np.asarray(each, np.float64)
            for each in (self.losses(check_scores(scores)), self.log_sizes(scores))
        )
        if losses.shape != sizes.shape or losses.ndim != 1 or not np.isfinite(losses).all():
            raise ParameterError("losses", losses.shape, "finite, one a class, as log_sizes has")
        return -self.epsilon / 2 * losses, sizes

    def distribution(self, data: Scores, *, progress: Progress = ignore_progress) -> ClassesLaw:
        """The exact law of the class that wins.

        Parameters
        ----------
        data
            The scores.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        ClassesLaw
            `chances` by class, with `error`; over the size it is the chance of one option.
        """
        won = group_win_probabilities(NOISES[self.noise], *self._levels(data), progress)
        return ClassesLaw(names=self.class_names(data), chances=won.probability, error=won.error)

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Classes of independent releases, by the noise and not by the law.

        Parameters
        ----------
        scores
            The data.
        size
            Number of releases.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Index of the class, shape (size,). Then draw one of its options uniformly.
        """
        size, rng = check_integer("size", size, low=0), check_generator(rng)
        levels, sizes = self._levels(scores)
        most = NOISES[self.noise].sample_largest(rng, np.tile(sizes, (size, 1)))
        return np.asarray((levels + most).argmax(1), np.int64)

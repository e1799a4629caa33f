"""Selection by any loss with few distinct values: the noisiest of each class, then uniform members.

Symbols: a class holds e^(log size) options of one loss; κ = how many of them win; q = −ε/(2κ)·loss.
The options with the κ largest q + noise win, so κ draws of each class at most matter.
Invariants: ε-DP if one person changes every loss by at most 1 and no size at all.
Source: Shekelyan & Loukides 2022, Def 2.1, Sec 2.1, Thm 4.1.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    ExactLaw,
    Floats,
    Ints,
    Mechanism,
    NoiseName,
    OutcomeComparison,
    ParameterError,
    Progress,
    RevealingOutput,
    Scores,
    check_generator,
    check_integer,
    check_scores,
    ignore_progress,
    parameter,
    tally,
)
from dpviz.numerics.group_counts import GroupCounts, log_members_left_by_removed
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.mechanism import TOP_K

_MOST_ANSWERS = 20_000  # that an exact law lists


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WinningClassesLaw(ExactLaw):
    """P(the winning options are of these classes): a row of `answers` each, ascending."""

    names: Sequence[str]
    answers: Ints
    probability: Floats
    error: float
    incomplete_list_probability: float = 0.0

    @property
    def requested_count(self) -> int:
        return int(self.answers.shape[1])

    @property
    def chances(self) -> Floats:
        """P(some winner is of each class)."""
        first = np.diff(self.answers, axis=1, prepend=-1) > 0
        chance = np.broadcast_to(self.probability[:, None], self.answers.shape)
        return tally(self.answers[first], chance[first], len(self.names))

    def draw(self, size: int, rng: Generator | int) -> Ints:
        size, share = check_integer("size", size, low=0), self.probability / self.probability.sum()
        return np.asarray(self.answers[check_generator(rng).choice(len(share), size, p=share)])

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P of the winners' classes, in any order."""
        mass = float(self.probability[(self.answers == np.sort([*answer])).all(1)].sum())
        return math.log(mass) if mass > 0 else -math.inf

    def compare_outcomes(
        self, other: "WinningClassesLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """By classes, as members are alike: exact, but for answers within the error of 0."""
        progress(1.0)
        here, there = (np.full(len(self.answers), law.error) for law in (self, other))

        def output(at: int) -> RevealingOutput:
            answer = tuple(self.answers[at].tolist())
            return RevealingOutput(", ".join(self.names[each] for each in answer), answer)

        return OutcomeComparison(
            self.probability,
            other.probability,
            here,
            there,
            output,
            "the class" if self.requested_count == 1 else "the classes",
        )


@dataclass(frozen=True, kw_only=True)
class ClassMechanism(Mechanism):
    """The base of selections of your own: of very many options, whose losses are few.

    A subclass says `losses`, `log_sizes` and, if it likes, `class_names`. Any member of a class
    is as likely.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.
    winners
        κ, the number of options that come out. The noise grows with it.

    Raises
    ------
    ParameterError
        If a parameter is out of range, if losses and sizes are not one a class, or if there are too
        few options, or too many answers for an exact law.
    """

    _menu: ClassVar = TOP_K

    epsilon: float = parameter(
        low=0.0, above=True, high=1e6, label="ε, the privacy budget", help="Total for one release."
    )
    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")
    winners: int = parameter(
        1, low=1, integer=True, label="Winners κ", help="The number of options that come out."
    )

    @abstractmethod
    def losses(self, scores: Scores) -> Floats:
        """Loss of each class, shape (classes,), finite; one person changes each by at most 1."""

    @abstractmethod
    def log_sizes(self, scores: Scores) -> Floats:
        """Logarithm of the number of options in each class, the same for all neighbours."""

    def class_names(self, scores: Scores) -> Sequence[str]:
        """Name of each class: "class 1", "class 2", … unless a subclass says others."""
        return [f"class {i + 1}" for i in range(len(self.log_sizes(scores)))]

    def _levels(self, scores: Scores) -> tuple[Floats, Floats]:
        losses, sizes = (
            np.asarray(each, np.float64)
            for each in (self.losses(check_scores(scores)), self.log_sizes(scores))
        )
        if losses.shape != sizes.shape or losses.ndim != 1 or not np.isfinite(losses).all():
            raise ParameterError("losses", losses.shape, "finite, one a class, as log_sizes has")
        if self.winners > 1 and log_sum_exp(sizes) < math.log(self.winners + 0.5):
            raise ParameterError("winners", self.winners, "below the number of options")
        return -self.epsilon / (2 * self.winners) * losses, sizes

    def distribution(
        self, data: Scores, *, progress: Progress = ignore_progress
    ) -> WinningClassesLaw:
        """The exact law of the classes of the options that win."""
        levels, sizes = self._levels(data)
        noise, names = NOISES[self.noise], self.class_names(data)
        if self.winners == 1:
            won = group_win_probabilities(noise, levels, sizes, progress)
            return WinningClassesLaw(
                names=names,
                answers=np.arange(len(levels))[:, None],
                probability=won.probability,
                error=won.error,
            )
        if math.comb(len(levels) + self.winners - 1, self.winners) > _MOST_ANSWERS:
            raise ParameterError(
                "winners",
                self.winners,
                f"so small that at most {_MOST_ANSWERS:,} answers are possible",
            )
        answers = np.array([*combinations_with_replacement(range(len(levels)), self.winners)])
        race = GroupCounts(noise, levels, sizes, self.winners)
        probability, error = race.probabilities(answers, progress)
        return WinningClassesLaw(names=names, answers=answers, probability=probability, error=error)

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Classes of independent releases: shape (size,), or (size, κ), ascending, if κ > 1."""
        size, rng = check_integer("size", size, low=0), check_generator(rng)
        levels, sizes = self._levels(scores)
        # by the noise and not by the law
        left = (
            log_members_left_by_removed(sizes, self.winners - 1)
            if self.winners > 1
            else sizes[:, None]
        )
        drawn = NOISES[self.noise].sample_descending(rng, np.tile(left, (size, 1, 1)))
        noisy = np.where(np.isneginf(left), -np.inf, levels[:, None] + drawn).reshape(size, -1)
        best = np.argpartition(-noisy, self.winners - 1)[:, : self.winners] // self.winners
        won = np.sort(best.astype(np.int64), axis=1)
        return won[:, 0] if self.winners == 1 else won

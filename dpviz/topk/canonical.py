"""Canonical Lipschitz mechanism: one noisy loss per utility class, then a uniform member.

Symbols: x = ranked scores / effective sensitivity; C(h,t) as in `dpviz.topk.classes`; q_C =
−ε/2·loss(C). The winner has the largest q_C + (largest of ``|C|`` noise draws). W = Σ m e^q over
classes of size m at level q; floor = a winning value that all dropped classes together pass with a
chance below e^(−_REST).
Invariants: weights stay in logs; `omitted_win_bound` bounds what pruning drops. For log P of an
unlikely class the floor is lowered until the class wins above it.
With `rounded` the loss is a number of people, as in Medina & Gillenwater 2020, Asi & Duchi 2020.
Source: Shekelyan & Loukides 2022, Alg 1, Thm 3.5, Lemma 3.1.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    Floats,
    Ints,
    Noise,
    NoiseName,
    ParameterError,
    Progress,
    Scores,
    parameter,
    portion,
)
from dpviz.base.former_names import former_names
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.numerics.log_binomials import log_binomial, log_sum_exp
from dpviz.numerics.win_probability import log_win_probability
from dpviz.topk.classes import (
    ClassScore,
    HeaviestClasses,
    draw_class_members,
    heaviest_classes,
    log_class_size,
    people_to_change,
)
from dpviz.topk.law import ClassLaw, Draw
from dpviz.topk.mechanism import TOP_K, TopKMechanism

_MISSING = 5e-11  # aimed at; the bound reported is the one reached, at most twice that
_ROUNDS = 6
# of log |C| and q_C; raising q_C by u changes no figure by more than u·P(C)
_WEIGHT_ROUNDING = 2.0**-49
_REST = math.log(1e-15)
_FIRST, _DEEPER = 16.0, 1.5  # how far below log W the floor lies, and by how much it is lowered


@former_names(weighed="relative_scores")
@TOP_K.register(
    "canonical",
    label="Canonical",
    says=(
        "Weighs whole lists and uses ε once for all k items. Begin with it, as it is usually the"
        " best for long lists."
    ),
    field_names={
        "canonical Lipschitz mechanism": {},
        "inverse sensitivity mechanism": {"rounded": True},
    },
)
@dataclass(frozen=True, kw_only=True)
class Canonical(TopKMechanism):
    """The k-subset with the largest −ε/2·loss plus noise, loss(h,t) = (1−γ)·x_[h+1] − γ·x_[t].

    With gumbel noise P(C) ∝ ``|C|``·exp(−ε/2·loss(C)), in closed form. Other noises need an
    integral over the winning value.

    The paper calls it the canonical Lipschitz mechanism. With `rounded` it is the inverse
    sensitivity mechanism.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items.
    k
        Number of items that come out, from 1 to d − 1.
    gamma
        γ from 0 to 1, the weight on the worst item that is in; 1 − γ is the weight on the best
        missing item. Start with ½; use more if no bad item may come in.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.
    rounded
        True to round the loss up to whole people first. γ must then be ½.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or `rounded` is asked for at another γ.

    Examples
    --------
    >>> from dpviz import Scores
    >>> round(Canonical(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).top, 4)
    0.6225
    """

    swift: ClassVar[bool] = True
    _added: ClassVar = frozenset({"rounded"})

    gamma: float = parameter(
        0.5,
        low=0.0,
        high=1.0,
        label="Weight γ on the worst item",
        help=(
            "At 0 only the best missing item counts, at 1 only the lowest item in the list, at ½"
            " both equally. Begin with ½. Use values near 1 if no bad item may be in the list."
        ),
    )
    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")
    rounded: bool = parameter(
        False,
        label="Round the loss up to whole people",
        help="Lists that need equally many people to change are then equally likely. Needs γ = ½.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounded and self.gamma != 0.5:
            raise ParameterError(
                "gamma",
                self.gamma,
                "0.5 where rounded is True: elsewhere more than ε would be lost",
            )

    @property
    def exponential_rounds(self) -> int | None:
        return 1 if NOISES[self.noise].max_stable else None

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """max(γ, 1−γ) if one person counts in one item and losses are not rounded, otherwise 1."""
        # half a move up and half a move down may each cross a whole number
        single = contributions == 1 and not self.rounded
        return max(self.gamma, 1 - self.gamma) if single else 1.0

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats:
        if self.rounded:
            return people_to_change(x, h, t)
        return (1 - self.gamma) * x[h] - self.gamma * x[t - 1]

    def relative_scores(self, scores: Scores) -> Floats:
        """x − x_[k] by rank, over `epsilon_cost_factor`, which acts like ε over it."""
        return scores.differences_from_rank(self.k) / self.epsilon_cost_factor(scores.contributions)

    @property
    def class_score(self) -> ClassScore | None:
        return None if self.rounded else self._score  # rounded it is not linear

    def _score(self, x: Floats, h: Ints, t: Ints) -> Floats:
        return -self.epsilon / 2 * self.class_loss(x, h, t)

    def _law(self, scores: Scores, progress: Progress) -> ClassLaw:
        x = self.relative_scores(scores)
        noise = NOISES[self.noise]
        margin = _MISSING if noise.max_stable else _MISSING / 20
        for round_ in range(_ROUNDS):
            kept = heaviest_classes(
                x, self.k, self._score, portion(progress, 0.0, 0.5), margin=margin
            )
            won = group_win_probabilities(
                noise, kept.score, kept.log_size, portion(progress, 0.5, 1.0)
            )
            dropped = kept.log_dropped
            if dropped > -math.inf:  # no class is larger than binom(d, k): |q| + log |C| is bounded
                largest = float(log_binomial(np.array(scores.d), np.array(self.k)))
                dropped += _WEIGHT_ROUNDING * (abs(dropped) + 2 * largest)
            missing = won.omitted_win_bound(dropped)
            if missing <= 2 * _MISSING or round_ == _ROUNDS - 1:
                break
            # the winner may lie far below the sum of the weights: drop less
            margin *= _MISSING / missing

        rounding = _WEIGHT_ROUNDING * float(won.probability @ (np.abs(kept.score) + kept.log_size))
        race = ClassRace(x, self.k, self._score, noise, log_sum_exp(kept.log_weight))
        return ClassLaw(
            d=len(x),
            k=self.k,
            h=kept.h,
            t=kept.t,
            probability=won.probability,
            missing=missing,
            error=won.error + missing + rounding,
            log_class=race.log_probability,
        )

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        law = self._law(scores, progress)
        levels = np.cumsum(law.probability)

        def draw(size: int, rng: Generator) -> Ints:
            at = np.searchsorted(levels, rng.random(size) * levels[-1], side="right")
            at = np.minimum(at, len(levels) - 1)
            return draw_class_members(law.h[at], law.t[at], self.k, rng)

        return draw


@dataclass(frozen=True, eq=False)
class ClassRace:
    x: Floats
    k: int
    score: ClassScore
    noise: Noise
    log_weight: float
    # by floor, as they were needed
    _kept: list[tuple[float, HeaviestClasses]] = field(default_factory=list, repr=False)
    _known: dict[tuple[int, int], float] = field(default_factory=dict, repr=False)

    def log_probability(self, h: int, t: int) -> float:
        if (h, t) not in self._known:
            self._known[h, t] = self._log_probability(h, t)
        return self._known[h, t]

    def _log_probability(self, h: int, t: int) -> float:
        at_h, at_t = np.array([h]), np.array([t])
        level, size = self.score(self.x, at_h, at_t), log_class_size(at_h, at_t, self.k)
        if self.noise.max_stable:
            return float(level[0] + size[0]) - self.log_weight
        depth, lowest = 0, -math.inf
        while True:
            floor, kept = self._down_to(depth, lowest)
            levels, sizes, own = kept.score, kept.log_size, (kept.h == h) & (kept.t == t)
            if not own.any():
                levels, sizes = np.append(level, levels), np.append(size, sizes)
            value, lowest = log_win_probability(self.noise, levels, sizes, int(own.argmax()))
            if lowest >= floor or kept.log_dropped == -math.inf:
                return value
            depth += 1

    def _down_to(self, depth: int, lowest: float) -> tuple[float, HeaviestClasses]:
        """(floor, classes) at a depth; no floor needs to lie below `lowest`."""
        if depth == len(self._kept):
            depth_below = _DEEPER * (self.log_weight - self._kept[-1][0]) if depth else _FIRST
            floor = max(self.log_weight - depth_below, lowest)
            most = floor + _REST - math.log(self.noise.tail)
            self._kept.append((floor, heaviest_classes(self.x, self.k, self.score, log_most=most)))
        return self._kept[depth]

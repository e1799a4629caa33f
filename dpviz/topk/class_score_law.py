"""Law of mechanisms that weigh utility classes: one noisy score a class, then a uniform member.

Symbols: C(h,t) as in `dpviz.topk.classes`; q_C = its score. The winner has the largest q_C +
(largest of ``|C|`` noise draws). W = Σ m e^q over classes of size m at level q; floor = a winning
value that all dropped classes together pass with a chance below e^(−_REST).
Invariants: weights stay in logs; `omitted_win_bound` bounds what pruning drops.
Source: Shekelyan & Loukides 2022, Alg 1, Thm 3.5.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Noise, ParameterError, Progress, portion
from dpviz.numerics.group_race import group_win_probabilities, log_win_and_lowest_value
from dpviz.numerics.log_binomials import log_binomial, log_sum_exp
from dpviz.topk.classes import (
    ClassScore,
    HeaviestClasses,
    draw_class_members,
    heaviest_classes,
    log_class_size,
)
from dpviz.topk.law import ClassLaw, Draw

_MISSING = 5e-11  # aimed at; the bound reported is the one reached, at most twice that
_ROUNDS = 6
# of log |C| and q_C; raising q_C by u changes no figure by more than u·P(C)
_WEIGHT_ROUNDING = 2.0**-49
_REST = math.log(1e-15)
_FIRST, _DEEPER = 16.0, 1.5  # how far below log W the floor lies, and by how much it is lowered
_LOOKED_AT = 24  # h and t, at most, where a score of one's own is tried


def check_class_score(x: Floats, k: int, score: ClassScore) -> None:
    """Refuse a score of classes that falls with h or rises with t at some of them."""
    some_h = np.unique(np.linspace(0, k - 1, _LOOKED_AT).astype(int))
    some_t = np.unique(np.linspace(k + 1, len(x), _LOOKED_AT).astype(int))
    h, t = np.meshgrid(some_h, some_t, indexing="ij")
    value = np.asarray(score(x, h.ravel(), t.ravel()), float).reshape(h.shape)
    slack = 1e-9 * (1 + np.abs(value).max())
    if (np.diff(value, axis=0) < -slack).any() or (np.diff(value, axis=1) > slack).any():
        allowed = "a score that never falls with h and never rises with t"
        raise ParameterError("class_score", "another", allowed)


def law_of_class_score(
    x: Floats, k: int, score: ClassScore, noise: Noise, progress: Progress
) -> ClassLaw:
    """The law of the class with the largest score plus the largest of its noise draws."""
    log_margin = math.log(_MISSING if noise.max_stable else _MISSING / 20)
    for round_ in range(_ROUNDS):
        kept = heaviest_classes(x, k, score, portion(progress, 0.0, 0.5), log_margin=log_margin)
        won = group_win_probabilities(noise, kept.score, kept.log_size, portion(progress, 0.5, 1.0))
        dropped = kept.log_dropped
        if dropped > -math.inf:  # no class is larger than binom(d, k): |q| + log |C| is bounded
            largest = float(log_binomial(np.array(len(x)), np.array(k)))
            dropped += _WEIGHT_ROUNDING * (abs(dropped) + 2 * largest)
        missing = won.omitted_win_bound(dropped)
        if missing <= 2 * _MISSING or round_ == _ROUNDS - 1:
            break
        # the winner may lie far below the sum of the weights: drop less
        log_margin += math.log(_MISSING / missing)

    rounding = _WEIGHT_ROUNDING * float(won.probability @ (np.abs(kept.score) + kept.log_size))
    race = ClassRace(x, k, score, noise, log_sum_exp(kept.log_unnormalised_mass))
    return ClassLaw(
        d=len(x),
        k=k,
        h=kept.h,
        t=kept.t,
        probability=won.probability,
        missing=missing,
        error=won.error + missing + rounding,
        log_class=race.log_probability,
    )


def class_law_sampler(law: ClassLaw) -> Draw:
    """Draws of a class by its law, then of a uniform member of it."""
    levels = np.cumsum(law.probability)

    def draw(size: int, rng: Generator) -> Ints:
        at = np.searchsorted(levels, rng.random(size) * levels[-1], side="right")
        at = np.minimum(at, len(levels) - 1)
        return draw_class_members(law.h[at], law.t[at], law.k, rng)

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
            # the floor is lowered until the class wins above it
            floor, kept = self._down_to(depth, lowest)
            levels, sizes, own = kept.score, kept.log_size, (kept.h == h) & (kept.t == t)
            if not own.any():
                levels, sizes = np.append(level, levels), np.append(size, sizes)
            value, lowest = log_win_and_lowest_value(self.noise, levels, sizes, int(own.argmax()))
            if lowest >= floor or kept.log_dropped == -math.inf:
                return value
            depth += 1

    def _down_to(self, depth: int, lowest: float) -> tuple[float, HeaviestClasses]:
        """(floor, classes) at a depth; no floor needs to lie below `lowest`."""
        if depth == len(self._kept):
            depth_below = _DEEPER * (self.log_weight - self._kept[-1][0]) if depth else _FIRST
            floor = max(self.log_weight - depth_below, lowest)
            most = floor + _REST - math.log(self.noise.tail)
            self._kept.append(
                (floor, heaviest_classes(self.x, self.k, self.score, log_drop_limit=most))
            )
        return self._kept[depth]

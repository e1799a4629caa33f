"""Generalised exponential mechanism: one item, each with a sensitivity of its own.

Symbols: K items (unlisted zeros too), Δ_i of item i; t = 2·log(K/β)/ε; a_i = f_i − tΔ_i, below f_i by
what noise may add; s_i = min over j of (a_i − a_j)/(Δ_i + Δ_j), j = i included, so s_i ≤ 0.
Invariants: s_i moves by at most 1, so P(i) ∝ exp(ε s_i/2) is ε-DP. Monotonic scores use the full
Δ_i: halving it needs one shift for all items. Unlisted items are alike, with the largest Δ_i.
Source: Raskhodnikova & Smith 2016; Liu & Talwar 2019, Thm 5.2.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, Progress, Scores, open_interval_parameter
from dpviz.margin.top_one import (
    TOP_ONE,
    TopOneLaw,
    TopOneMechanism,
    draw_noisy_best,
    log_of_count,
)


@TOP_ONE.register(
    "generalised_exponential",
    label="Generalised exponential",
    says=(
        "Lets each item have its own sensitivity. Use it if one person changes some scores far more"
        " than others."
    ),
    field_names={
        "generalized exponential mechanism": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class GeneralisedExponential(TopOneMechanism):
    """One item under ε-DP, its noise by its own sensitivity and not by the largest of all.

    Also spelled generalized exponential mechanism.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    delta
        Not used; above 0 and below 1.
    beta
        β above 0 and below 1: with probability at least 1 − β the item is near the best.

    Examples
    --------
    >>> scores = Scores([60.0, 50.0, 0.0], sensitivity=[40.0, 1.0, 1.0])
    >>> GeneralisedExponential(epsilon=1.0).distribution(scores).inclusion.round(4).tolist()
    [0.0225, 0.9775, 0.0]
    """

    pure: ClassVar[bool] = True

    beta: float = open_interval_parameter(
        0.05,
        "β, the chance of a bad item",
        "Smaller values avoid items with a large sensitivity more.",
    )

    @property
    def exponential_rounds(self) -> int:
        return 1

    @property
    def zcdp(self) -> float:
        """ρ = ε²/8, as of any exponential mechanism."""
        return self.epsilon**2 / 8

    def normalised_scores(self, scores: Scores, *, zeros: int = 0) -> Floats:
        """s_i of each item, and of the unlisted ones together at the end if there are any.

        Parameters
        ----------
        scores
            The scores to choose from.
        zeros
            Number of further, unlisted items of score zero.

        Returns
        -------
        Floats
            Numbers of at most 0, shape (d,) or (d + 1,).
        """
        return self._normalised(scores, log_of_count(zeros))[0]

    def _normalised(self, scores: Scores, log_zeros: float) -> tuple[Floats, float]:
        """(s_i, a bound on their rounding). Only rivals j that no other passes in a and Δ count."""
        few = int(log_zeros > -math.inf)
        values = np.append(scores.values, [0.0] * few) - float(scores.values.max())
        own = np.append(scores.item_sensitivities, [scores.sensitivity] * few)
        spread = (
            2 / self.epsilon * (np.logaddexp(math.log(scores.d), log_zeros) - math.log(self.beta))
        )
        a = values - spread * own
        by_own = np.lexsort((-a, own))
        best = np.maximum.accumulate(a[by_own])
        rivals = by_own[np.append(True, best[1:] > best[:-1])]
        found = np.zeros(len(values))
        for j in rivals.tolist():
            apart = (values - values[j]) - spread * (own - own[j])
            np.minimum(found, apart / (own + own[j]), out=found)
        far = float(np.max(-values[rivals] / own[rivals]))
        return found, 2.0**-50 * (far + spread)

    def _weights(self, scores: Scores, log_zeros: float) -> tuple[Floats, float]:
        """log weight of each item, and of all the unlisted ones together; a bound on rounding."""
        normalised, rounding = self._normalised(scores, log_zeros)
        weight = self.epsilon / 2 * normalised
        if log_zeros > -math.inf:
            weight[-1] += log_zeros
        return weight, self.epsilon * rounding

    def near_best_probability(self, scores: Scores, distance: float, log_zeros: float) -> float:
        """P(an item within `distance` of the best), with e^log_zeros unlisted ones far below.

        Parameters
        ----------
        scores
            The scores to choose from.
        distance
            In the unit of the scores, less than the best score.
        log_zeros
            The logarithm of the number of unlisted items of score zero.

        Returns
        -------
        float
            The chance.
        """
        weight, _ = self._weights(scores, log_zeros)
        good = np.flatnonzero(scores.values >= scores.values.max() - distance)
        return float(np.exp(weight[good] - scipy.special.logsumexp(weight)).sum())

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        weight, rounding = self._weights(scores, log_of_count(zeros))
        chance = np.exp(weight - scipy.special.logsumexp(weight))
        progress(1.0)
        return TopOneLaw(
            scores=scores,
            inclusion=chance[: scores.d],
            error=1e-12 + rounding,
            zeros=zeros,
            zero_mass=float(chance[scores.d :].sum()),
        )

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        weight = self.epsilon / 2 * self.normalised_scores(scores, zeros=zeros)
        listed, zero = weight[: scores.d], float(weight[-1])
        return draw_noisy_best(NOISES["gumbel"], listed, zero, zeros, size, rng)

"""Baselines of large margin: noisy max and the instability test; and the menu of all of them.

Noisy max: x = f/Δ_eff, q = ε/2·x; the item with the largest q + noise comes out, and `zeros` items
share q = 0. Distance to instability: gap = f_1 − f_2 (raw), D = one person's change of the gap. The
best item is released if gap + Lap(D/ε) > D + (D/ε)·log(1/(2δ)), else Fail. (ε, δ)-DP for δ < ½, and
tight: at gap = D the release has probability exactly δ.
Sources: Chaudhuri, Hsu & Song 2014, Sec 2.2; McSherry & Talwar 2007; Bhaskar et al. 2010; Smith &
Thakurta 2013.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    Floats,
    Ints,
    NoiseName,
    Progress,
    Registry,
    Scores,
    delta_parameter,
    ignore_progress,
    parameter,
    scaled_differences,
)
from dpviz.margin.generalised_exponential import GeneralisedExponential
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.top_one import (
    TOP_ONE,
    TopOneLaw,
    TopOneMechanism,
    draw_noisy_best,
    log_of_count,
)
from dpviz.numerics.group_race import GroupWinProbabilities, group_win_probabilities


@TOP_ONE.register(
    "noisy_max",
    label="Noisy max",
    says=(
        "Adds noise to every score and publishes the best item. Begin with it, as its error grows"
        " only with the logarithm of the number of items."
    ),
    field_names={
        "exponential mechanism": {"noise": "gumbel"},
        "report noisy max": {"noise": "laplace"},
        "permute-and-flip": {"noise": "exponential"},
        "Gumbel trick": {"noise": "gumbel"},
    },
)
@dataclass(frozen=True, kw_only=True)
class NoisyMax(TopOneMechanism):
    """The item with the largest ε/2·x_i + noise, under ε-DP.

    With gumbel noise it is the exponential mechanism (the Gumbel trick). With laplace noise it is
    report noisy max, with exponential noise permute-and-flip.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    delta
        Not used; above 0 and below 1.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.

    Examples
    --------
    >>> law = NoisyMax(epsilon=1.0).distribution(Scores([20.0, 0.0]), zeros=9998)
    >>> round(law.best_probability, 4)
    0.6878
    """

    pure: ClassVar[bool] = True

    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")

    @property
    def exponential_rounds(self) -> int | None:
        return 1 if NOISES[self.noise].max_stable else None

    @property
    def zcdp(self) -> float | None:
        """ρ = ε²/8 with gumbel noise, the exponential mechanism."""
        return self.epsilon**2 / 8 if self.exponential_rounds else None

    def _level(self, score: Floats, scores: Scores) -> Floats:
        """q of raw scores relative to the best listed one: differences first."""
        return (
            self.epsilon
            / 2
            * scaled_differences(
                score, float(scores.values[scores.order[0]]), scores.effective_sensitivity
            )
        )

    def race_groups(
        self, scores: Scores, log_zeros: float, progress: Progress = ignore_progress
    ) -> tuple[Floats, Ints, Floats, GroupWinProbabilities]:
        """(score of each group, each item's group, log of the group's size, how it fares)."""
        # items of equal score are one group, so ten million cost no more than one
        more = [] if log_zeros == -math.inf else [0.0]
        score, group, size = np.unique(
            np.append(scores.values, more), return_inverse=True, return_counts=True
        )
        at_zero = score == 0
        with np.errstate(divide="ignore"):
            log_size = np.log(size - at_zero * len(more))
        log_size[at_zero] = np.logaddexp(log_size[at_zero], log_zeros)
        won = group_win_probabilities(
            NOISES[self.noise], self._level(score, scores), log_size, progress
        )
        return score, group[: scores.d], log_size, won

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        score, group, log_size, won = self.race_groups(scores, log_of_count(zeros), progress)
        each = won.probability * np.exp(-log_size)
        at_zero = score == 0
        # unlisted part of the group
        share = np.exp(math.log(zeros) - log_size[at_zero]) if zeros else 0.0
        progress(1.0)
        return TopOneLaw(
            scores=scores,
            inclusion=each[group],
            error=won.error,
            zeros=zeros,
            zero_mass=float((won.probability[at_zero] * share).sum()),
        )

    def near_best_probability(self, scores: Scores, distance: float, log_zeros: float) -> float:
        """P(an item within `distance` of the best), with e^log_zeros unlisted ones far below."""
        score, _, _, won = self.race_groups(scores, log_zeros)
        good = score >= scores.values.max() - distance
        return min(1.0, float(won.probability[good].sum()))

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        level = self._level(np.append(scores.values, 0.0), scores)
        noise, zero = NOISES[self.noise], float(level[-1])
        return draw_noisy_best(noise, level[:-1], zero, zeros, size, rng)


@TOP_ONE.register(
    "instability",
    label="Instability test",
    says=(
        "Publishes the best item if it lies far above the second, and nothing otherwise. Use it if"
        " one item leads clearly."
    ),
    field_names={
        "distance-to-instability test": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class DistanceToInstability(TopOneMechanism):
    """The distance-to-instability test: the best item or nothing, (ε, δ)-DP with δ below ½.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    delta
        δ above 0 and below ½.

    Examples
    --------
    >>> law = DistanceToInstability(epsilon=1.0, delta=1e-6).distribution(Scores([40.0, 2.0, 0.0]))
    >>> round(law.fail, 4), law.inclusion.round(4).tolist()
    (0.0038, [0.9962, 0.0, 0.0])
    """

    delta: float = delta_parameter(high=0.5)

    def gap_sensitivity(self, scores: Scores) -> float:
        """D = 2Δ_eff: Δ for monotonic scores (both scores move the same way), else 2Δ."""
        return 2 * scores.effective_sensitivity

    def _clearance(self, scores: Scores, zeros: int) -> float:
        """(gap − threshold)/(D/ε): the release has the chance P(Laplace(1) > −clearance)."""
        # with unlisted zeros no listed score is below them
        best, second = (float(value) for value in scores.values[scores.order[:2]])
        excess = (best - second) / self.gap_sensitivity(scores) - 1
        return self.epsilon * excess + math.log(2 * self.delta)

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        clearance = np.array(self._clearance(scores, zeros))
        inclusion = np.zeros(scores.d)
        inclusion[scores.order[0]] = np.exp(NOISES["laplace"].log_cdf(clearance))
        fail = float(np.exp(NOISES["laplace"].log_sf(clearance)))
        progress(1.0)
        return TopOneLaw(
            scores=scores, inclusion=inclusion, fail=fail, zeros=zeros, error=4e-16, rounded=False
        )

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        clearance = self._clearance(scores, zeros) + rng.laplace(size=size)
        return np.where(clearance > 0, scores.order[0], -1)


COMPARED: Registry[TopOneMechanism] = Registry("mechanism")
COMPARED.add(
    "large_margin",
    LargeMargin(epsilon=1.0),
    label="Large margin",
    says=TOP_ONE.says("large_margin"),
)
COMPARED.add(
    "gumbel",
    NoisyMax(epsilon=1.0, noise="gumbel"),
    label="Exponential mechanism",
    says="Noisy max with Gumbel noise. Begin with it, as it needs no δ.",
)
COMPARED.add(
    "laplace",
    NoisyMax(epsilon=1.0, noise="laplace"),
    label="Max of Laplaces",
    says=(
        "Noisy max with Laplace noise. Use it to compare, as it does much the same with many items."
        " It needs no δ."
    ),
)
COMPARED.add(
    "instability",
    DistanceToInstability(epsilon=1.0),
    label="Instability test",
    says=TOP_ONE.says("instability"),
)
COMPARED.add(
    "generalised",
    GeneralisedExponential(epsilon=1.0),
    label=TOP_ONE.label("generalised_exponential"),
    says=TOP_ONE.says("generalised_exponential"),
)

"""One-shot top-k: noise on every score once, then the k largest.

Symbols: x = ranked normalised scores, q = ε/(2k)·x, N i.i.d. from a noise family; c = the most
items that one person counts in.
Invariants: ε-DP for the set, and for its order too. Laplace and logistic noise hide the noisy
scores themselves: a person moves c of them, so q = ε/(2·min(k, c))·x, and if c ≤ k they may be
published.
Source: Shekelyan & Loukides 2022, Alg 2 (it divides by the sensitivity twice); min(k, c) is ours.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.base import (
    NOISES,
    Floats,
    Noise,
    NoiseName,
    ParameterError,
    Progress,
    Scores,
    parameter,
)
from dpviz.topk.cutoff_law import cutoff_law, top_k_sampler
from dpviz.topk.law import Draw, RankLaw
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.noisy_counts import NoisyCountsMechanism
from dpviz.topk.stated_noise import StatedNoise


@TOP_K.register(
    "one_shot",
    label="One-shot",
    says=(
        "Adds noise to each score, more for longer lists, and publishes the k largest. Use it for"
        " short lists, for an order, or if one person counts in few items."
    ),
    field_names={
        "exponential mechanism": {"noise": "gumbel"},
        "report noisy max": {"noise": "laplace"},
        "noisy max": {"noise": "laplace"},
        "Gumbel trick": {"noise": "gumbel"},
        "noisy top-k": {"noise": "laplace"},
        "one-shot Laplace": {"noise": "laplace"},
        "one-shot Gumbel": {"noise": "gumbel"},
    },
)
@dataclass(frozen=True, kw_only=True)
class OneShot(NoisyCountsMechanism):
    """The k largest of ε/(2k)·x_i + N_i, or ε/(2·min(k, c))·x_i + N_i with laplace or logistic
    noise.

    For one item it is the exponential mechanism with gumbel noise (the Gumbel trick). With laplace
    noise it is report noisy max, with exponential noise permute-and-flip. For more items it is
    called noisy top-k, one-shot Laplace or one-shot Gumbel.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items; left out beside `scale`.
    k
        Number of items that come out, from 1 to d − 1.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic. Laplace
        and logistic cost less if one person counts in few items.
    scale
        Scale b of laplace noise on counts, above 0, in place of ε, which is min(k, c)/b.
    contributions
        c, the most items in which one person counts, from 1, beside `scale`.

    Examples
    --------
    >>> from dpviz import Scores
    >>> round(OneShot(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).top, 4)
    0.7311
    >>> OneShot(k=5, noise="laplace", scale=10.0, contributions=3).epsilon
    0.3
    """

    releases_order: ClassVar[bool] = True
    noise_scales: ClassVar[tuple[str, ...]] = ("scale",)

    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")
    scale: float | None = parameter(
        None, low=0.0, label="Scale", help="Scale of laplace noise, in place of ε."
    )

    @property
    def _stated_scale(self) -> tuple[str, float | None]:
        return "scale", self.scale

    def _epsilon_of_noise(self, noise: StatedNoise) -> float:
        return min(self.k, noise.contributions) / noise.scale

    @property
    def exponential_rounds(self) -> int | None:
        return self.k if NOISES[self.noise].max_stable else None

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """min(k, c)/k if the noise hides the noisy scores themselves, otherwise 1."""
        if contributions is None or not NOISES[self.noise].hides_values:
            return 1.0
        return min(self.k, contributions) / self.k

    def releases_scores(self, contributions: int | None) -> bool:
        """True if at most k `contributions` are known and the noise hides the noisy scores."""
        return (
            contributions is not None
            and contributions <= self.k
            and NOISES[self.noise].hides_values
        )

    def laplace_score_shifts(
        self, contributions: int | None, monotonic: bool
    ) -> tuple[int, float] | None:
        if contributions is None or self.noise != "laplace":
            return None
        if self.stated_noise is not None:
            return self.stated_noise.contributions, 1 / self.stated_noise.scale
        move = self.epsilon / (self.k * self.epsilon_cost_factor(contributions))
        return (contributions, move) if monotonic else (2 * contributions, move / 2)

    def called(self, contributions: int | None) -> str:
        return (
            "Noisy counts" if self.releases_scores(contributions) else super().called(contributions)
        )

    def _score_noise(self, scores: Scores) -> tuple[Noise, float, float]:
        if not self.releases_scores(scores.contributions):
            allowed = (
                f"said and at most k = {self.k}, with laplace or logistic noise, for scores to be"
                " released"
            )
            raise ParameterError("contributions", scores.contributions, allowed)
        spread = scores.effective_sensitivity / self._scale(scores)
        return NOISES[self.noise], spread, -math.inf

    def _scale(self, scores: Scores) -> float:
        if self.scale is not None:
            return scores.effective_sensitivity / self.scale
        return self.epsilon / (2 * self.k * self.epsilon_cost_factor(scores.contributions))

    def _levels(self, scores: Scores) -> Floats:
        return self._scale(scores) * scores.differences_from_rank(self.k + 1)

    def _law(self, scores: Scores, progress: Progress) -> RankLaw:
        return cutoff_law(self._levels(scores), self.k, NOISES[self.noise], progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        return top_k_sampler(self._levels(scores), self.k, NOISES[self.noise])

"""Gaussian counts: the k largest counts with gaussian noise, for items known beforehand.

Symbols: f_i = counts over Δ; c = the most items that one person counts in. One person moves the
counts by at most √c as an L2 distance (√(2c) if replaced); σ = that distance over the shift that
(ε, δ) allows.
Invariants: (ε, δ)-DP for names, order and noisy counts; ρ = half the square of the shift. At equal
ρ it beats one-shot with gumbel noise if c is below about 0.4·k.
Source: Balle & Wang 2018 (σ); Bun & Steinke 2016, Prop 1.6 (ρ).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.base import GAUSSIAN, Floats, Noise, Progress, Scores, parameter
from dpviz.numerics.noise_shifts import largest_gaussian_shift
from dpviz.topk.cutoff_law import cutoff_law, top_k_sampler
from dpviz.topk.law import Draw, RankLaw
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.noisy_counts import NoisyCountsMechanism, require_contributions
from dpviz.topk.occurring_items import ApproximateMechanism


@TOP_K.register(
    "gaussian_counts",
    label="Gaussian counts",
    says=(
        "Adds Gaussian noise to each count and publishes the k largest with these counts. Use it"
        " for many releases if one person counts in few items."
    ),
    field_names={
        "Gaussian mechanism": {},
        "analytic Gaussian mechanism": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class GaussianCounts(NoisyCountsMechanism, ApproximateMechanism):
    """The k largest of f_i + N(0, σ²), under (ε, δ) for one release.

    It is the Gaussian mechanism on the counts, with the smallest noise (the analytic Gaussian
    mechanism).

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release; left out beside `sigma`.
    k
        Number of items that come out, from 1 to d − 1.
    delta
        δ above 0 and below 1 that goes with ε.
    sigma
        σ above 0 in place of ε, which follows from it at δ.
    contributions
        The most items in which one person counts, from 1, beside `sigma`.

    Raises
    ------
    ParameterError
        If `contributions` of the scores is not known, or above that of a stated noise.

    Examples
    --------
    >>> counts = Scores([90, 70, 3], monotonic=True, contributions=1)
    >>> m = GaussianCounts(epsilon=1.0, k=1, delta=1e-5)
    >>> round(m.distribution(counts).top, 4), round(m.scale(counts), 4), round(m.zcdp, 6)
    (0.9999, 3.7306, 0.035926)
    >>> round(GaussianCounts(sigma=18.257, k=1, delta=1e-7, contributions=10).epsilon, 4)
    0.7998
    """

    releases_order: ClassVar[bool] = True
    needs_contributions: ClassVar[bool] = True
    noise_scales: ClassVar[tuple[str, ...]] = ("sigma",)

    sigma: float | None = parameter(
        None, low=0.0, label="σ", help="Standard deviation of the noise, in place of ε."
    )

    @property
    def _stated_scale(self) -> tuple[str, float | None]:
        return "sigma", self.sigma

    @property
    def zcdp_delta(self) -> float:
        """0: the curve of the gaussian noise covers everything."""
        return 0.0

    @property
    def gaussian_shift(self) -> float:
        """The largest shift that (ε, δ) allows, for any c; that of a stated noise."""
        if (stated := self.stated_noise) is not None:
            return math.sqrt(2 * stated.rho)
        return largest_gaussian_shift(self.epsilon, self.delta)

    def scale(self, scores: Scores) -> float:
        """σ, in the unit of the scores."""
        c = require_contributions(scores)
        if self.sigma is not None:
            return self.sigma
        return (
            math.sqrt(c if scores.monotonic else 2 * c) / self.gaussian_shift * scores.sensitivity
        )

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` unless 1 ≤ k ≤ d − 1 and c is known."""
        super().check_scores(scores)
        require_contributions(scores)

    def _score_noise(self, scores: Scores) -> tuple[Noise, float, float]:
        return GAUSSIAN, self.scale(scores), -math.inf

    def _levels(self, scores: Scores) -> Floats:
        scale = scores.effective_sensitivity / self.scale(scores)
        return scale * scores.differences_from_rank(self.k + 1)

    def _law(self, scores: Scores, progress: Progress) -> RankLaw:
        return cutoff_law(self._levels(scores), self.k, GAUSSIAN, progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        return top_k_sampler(self._levels(scores), self.k, GAUSSIAN)

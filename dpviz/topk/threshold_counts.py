"""Threshold counts: noisy counts above a public threshold, the k largest of them.

Symbols: f_i = counts over Δ; c = the most items that one person counts in. With laplace noise b =
c/ε is its scale (2c/ε if one person replaces another) and τ = 1 + b·ln(c/(2δ)), at least 1. With
gaussian noise σ and τ are chosen together.
Invariants: (ε, δ)-DP for names, order and noisy counts. A new name has a count of at most 1, and
passes with a chance p of at most δ/c. In the other direction −ln(1 − p) must be at most its share
of ε, or the mechanism is refused.
Source: Korolova, Kenthapadi, Mishne & Ntoulas 2009; Wilkins, Kifer, Zhang & Karrer 2022 (gaussian
noise).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy

from dpviz.base import (
    GAUSSIAN,
    NOISES,
    Floats,
    Ints,
    Noise,
    ParameterError,
    PrivacyCeiling,
    Scores,
    check_flag,
    declared_parameters,
    parameter,
    round_down,
    store_fields,
)
from dpviz.numerics.cutoff.floor import Floor
from dpviz.numerics.cutoff.passing_rule import PassingRule
from dpviz.numerics.noise_shifts import ROUNDING, gaussian_delta, largest_gaussian_shift
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.noisy_counts import NoisyCountsMechanism, require_contributions
from dpviz.topk.occurring_items import (
    FlooredScores,
    OccurringItemsMechanism,
    levels_relative_to_best,
    occurring_item_count,
)
from dpviz.topk.stated_noise import new_name_count_blocks, worst_new_name_delta

_SIGMAS = 24
_WIDEST = 30.0  # times the smallest σ
# halvings of each look, which lies between the neighbours of the best: only the last is returned
_HALVINGS = 26, 30, 60
_LOG_LEAST = -700.0
_NOISES: dict[str, object] = {"laplace": "Laplace", "gaussian": "Gaussian"}


@TOP_K.register(
    "threshold_counts",
    label="Threshold",
    says=(
        "Needs no list of all possible items. Publishes items with noisy counts above a threshold,"
        " with these counts. Use it if people count in few items."
    ),
    field_names={
        "partition selection": {},
        "stability histogram": {"noise": "laplace"},
        "stability-based histogram": {"noise": "laplace"},
        "private set union": {},
        "tau-thresholding": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class ThresholdCounts(NoisyCountsMechanism, OccurringItemsMechanism):
    """The k largest noisy counts above a threshold that a single person's name rarely passes.

    Lists may be shorter than k. The threshold is public: it follows from ε, δ and `contributions`.
    Or noise and threshold are stated, and ε follows. It is infinite where no ε holds at δ.

    Known as partition selection, private set union or tau-thresholding. With laplace noise it is
    the stability histogram (stability-based histogram).

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release; left out where noise and threshold are stated.
    k
        Largest number of items that come out, from 1; None for all that pass.
    delta
        δ above 0 and below 1, the cost of one release beside ε.
    noise
        "laplace", or "gaussian", which is better if people count in many items.
    sigma, scale
        The stated noise: σ of gaussian noise, or b of laplace noise, above 0.
    threshold
        The stated threshold τ, beside `sigma` or `scale`.
    contributions
        The most items in which one person counts, from 1, beside a stated noise.
    names_known
        True if all names are on a list made beforehand, beside a stated noise: items that nobody
        counts in may then pass.

    Raises
    ------
    ParameterError
        If `contributions` of the scores is not known, or δ is too large for ε.

    Examples
    --------
    >>> words = Scores([9, 7, 3], labels=["a", "b", "c"], monotonic=True, contributions=1)
    >>> m = ThresholdCounts(epsilon=1.0, k=2, delta=0.01)
    >>> m.distribution(words).length.round(4).tolist(), round(m.threshold(words), 3)
    ([0.0005, 0.0642, 0.9353], 4.912)
    >>> stated = ThresholdCounts(sigma=18.257, threshold=90, contributions=10, names_known=True)
    >>> round(stated.epsilon, 3), stated.passing_rule().chance([100, 120]).round(3).tolist()
    (0.715, [0.708, 0.95])
    """

    needs_contributions: ClassVar[bool] = True
    noise_scales: ClassVar[tuple[str, ...]] = ("sigma", "scale")
    _added: ClassVar[frozenset[str]] = NoisyCountsMechanism._added | {
        "stated_scale",
        "stated_threshold",
        "names_known",
    }

    k: int = parameter(
        None, low=1, integer=True, label="k", help="The number of items in the list."
    )
    noise: Literal["laplace", "gaussian"] = parameter("laplace", choices=_NOISES, label="Noise")
    sigma: float | None = parameter(
        None,
        low=0.0,
        above=True,
        label="σ",
        help="Standard deviation of gaussian noise, in place of ε.",
    )
    stated_scale: float | None = parameter(
        None,
        low=0.0,
        label="Scale",
        help="Scale of laplace noise, in place of ε.",
        keyword="scale",
    )
    stated_threshold: float | None = parameter(
        None,
        label="τ",
        help="The count that a noisy count must pass, beside a stated noise.",
        keyword="threshold",
    )
    names_known: bool = parameter(
        False,
        label="A list of all possible items",
        help="The items were listed beforehand. Those that nobody counts in can then be published.",
    )

    def __init__(  # its keywords `scale` and `threshold` are methods too
        self,
        *,
        epsilon: float | None = None,
        k: int | None = None,
        delta: float = 1e-6,
        noise: Literal["laplace", "gaussian"] = "laplace",
        sigma: float | None = None,
        scale: float | None = None,
        threshold: float | None = None,
        contributions: int | None = None,
        names_known: bool = False,
    ) -> None:
        store_fields(
            self,
            epsilon=epsilon,
            k=k,
            delta=delta,
            noise=noise if sigma is None else "gaussian",
            sigma=sigma,
            stated_scale=scale,
            stated_threshold=threshold,
            contributions=contributions,
            names_known=names_known,
        )
        self.__post_init__()

    def __post_init__(self) -> None:
        stated = self._stated_scale[1] is not None
        if self.sigma is not None and self.stated_scale is not None:
            raise ParameterError("scale", self.stated_scale, "left out beside sigma")
        if stated != (self.stated_threshold is not None):
            allowed = "a number beside sigma or scale, and left out otherwise"
            raise ParameterError("threshold", self.stated_threshold, allowed)
        if check_flag("names_known", self.names_known) and not stated:
            raise ParameterError("names_known", True, "False unless sigma or scale is stated")
        super().__post_init__()

    @property
    def _stated_scale(self) -> tuple[str, float | None]:
        return ("scale", self.stated_scale) if self.sigma is None else ("sigma", self.sigma)

    @property
    def _stated_threshold(self) -> float | None:
        return None if self.names_known else self.stated_threshold

    def replace(self, **changes: object) -> Self:
        now = {p.name: getattr(self, p.attribute) for p in declared_parameters(type(self))}
        if self.states_noise:
            now["epsilon"] = None
        return type(self)(**{**now, **changes})

    def fit_to_scores(self, scores: Scores) -> Self:
        """The mechanism with k as large as the number of items that may pass, where k is None."""
        none: object = self.k
        return self if none is not None else self.replace(k=max(1, self._item_count(scores)))

    @property
    def gaussian_shift(self) -> float | None:
        """With gaussian noise the largest shift that (ε, δ) allows if no new name comes out."""
        if self.noise != "gaussian":
            return None
        if (stated := self.stated_noise) is not None:
            return math.sqrt(2 * stated.rho)
        return largest_gaussian_shift(self.epsilon, self.delta)

    @property
    def zcdp(self) -> float | None:
        """ρ beside `zcdp_delta`: of the noise, if it is gaussian or stated."""
        return super().zcdp if self.stated_noise is None else self.stated_noise.rho

    @property
    def zcdp_delta(self) -> float:
        """δ, or with a stated noise the chance that a new name comes out."""
        return self.delta if self.stated_noise is None else self.stated_noise.new_name_delta

    def privacy_ceiling(self, data: Any, neighbour: Any) -> PrivacyCeiling:
        """(ε, δ) for two neighbouring data sets; ε is infinite where none holds.

        Parameters
        ----------
        data, neighbour
            The two data sets, which differ by one person.

        Returns
        -------
        PrivacyCeiling
            (ε, δ), with a sentence where they are not proved.
        """
        if self.names_known and not data.names_known:
            return PrivacyCeiling(math.inf)
        return super().privacy_ceiling(data, neighbour)

    def passing_rule(self, scores: Scores | None = None) -> PassingRule:
        """The chance of a true count to pass the threshold.

        Parameters
        ----------
        scores
            The scores; not needed where noise and threshold are stated.

        Returns
        -------
        PassingRule
            The rule; `rule.chance(counts)` are the chances of true counts.

        Raises
        ------
        ParameterError
            If neither the scores nor a noise are given.
        """
        if scores is not None:
            return PassingRule(self._noise, self.scale(scores), self.threshold(scores))
        if (stated := self.stated_noise) is None or self.stated_threshold is None:
            raise ParameterError("scores", None, "given unless noise and threshold are stated")
        return PassingRule(stated.family, stated.scale, self.stated_threshold)

    def laplace_score_shifts(
        self, contributions: int | None, monotonic: bool
    ) -> tuple[int, float] | None:
        if contributions is None or self.noise != "laplace":
            return None
        if (stated := self.stated_noise) is not None:
            return stated.contributions, 1 / stated.scale
        moved = contributions if monotonic else 2 * contributions
        return moved, self.epsilon / moved

    def scale(self, scores: Scores) -> float:
        """The scale of the noise, b or σ, in the unit of the scores."""
        return self._calibrated(scores)[0] * scores.sensitivity

    def threshold(self, scores: Scores) -> float:
        """τ in the unit of the scores, from ε, δ and c alone."""
        return self._calibrated(scores)[1] * scores.sensitivity

    @property
    def _noise(self) -> Noise:
        return GAUSSIAN if self.noise == "gaussian" else NOISES[self.noise]

    def _score_noise(self, scores: Scores) -> tuple[Noise, float, float]:
        return self._noise, self.scale(scores), self.threshold(scores)

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` for counts below 0, an unknown c, or a δ too large for ε."""
        super().check_scores(scores)
        self._calibrated(scores)

    def _calibrated(self, scores: Scores) -> tuple[float, float]:
        """(b or σ, τ), over Δ."""
        if (stated := self.stated_noise) is not None and self.stated_threshold is not None:
            return stated.scale, self.stated_threshold
        c = require_contributions(scores)
        if self.noise == "gaussian":
            return gaussian_scale_and_threshold(
                self.epsilon, self.delta, c, people_replaced=not scores.monotonic
            )
        share = self.epsilon / (c if scores.monotonic else 2 * c)
        tau = 1.0
        if 2 * self.delta < c:  # rounded up, so that no name passes too often
            tau = math.nextafter(
                1.0 + (math.log(c / (2 * self.delta)) + ROUNDING) / share, math.inf
            )
        passing = 0.5 * math.exp(-(tau - 1.0) * share)
        if -math.log1p(-passing) > share:
            raise ParameterError(
                "delta",
                self.delta,
                f"at most {round_down(-c * math.expm1(-share)):g} at ε = {self.epsilon:g} and {c:,} items"
                " a person",
            )
        return 1 / share, tau

    def _item_count(self, scores: Scores) -> int:
        """The number of best items that may pass: those that occur, or all where names are known."""
        return scores.d if self.names_known else occurring_item_count(scores)

    def _items_with_noise(self, scores: Scores) -> Ints:
        return np.arange(scores.d) if self.names_known else np.flatnonzero(scores.values > 0)

    def largest_list_size(self, scores: Scores) -> int:
        """k, or the number of items that may pass if it is smaller."""
        return min(self.fit_to_scores(scores).k, max(1, self._item_count(scores)))

    def _floored(self, scores: Scores) -> FlooredScores:
        sigma, tau = self._calibrated(scores)
        scale = scores.effective_sensitivity / (sigma * scores.sensitivity)
        levels, level = levels_relative_to_best(
            scores, self._item_count(scores), self.k, scale, tau * scores.sensitivity
        )
        return FlooredScores(np.asarray(levels), self._noise, Floor(level, noisy=False))


@lru_cache(maxsize=512)
def gaussian_scale_and_threshold(
    epsilon: float, delta: float, contributions: int, *, people_replaced: bool
) -> tuple[float, float]:
    """(σ, τ) with the lowest τ, at least 1, from ε, δ and c alone."""
    moved = np.sqrt(2 * contributions if people_replaced else contributions)
    smallest = moved / largest_gaussian_shift(epsilon, delta)
    sigmas = smallest * np.geomspace(1.0 + 1e-9, _WIDEST, _SIGMAS)
    for halvings in _HALVINGS:
        # by bisection the largest p up to ½ that keeps δ; almost 0 if none does
        low, high = np.full(len(sigmas), _LOG_LEAST), np.full(len(sigmas), np.log(0.5))
        for _ in range(halvings):
            middle = 0.5 * (low + high)
            reached = threshold_delta(
                sigmas, np.exp(middle), epsilon, contributions, people_replaced=people_replaced
            )
            kept = reached <= delta * (1 - ROUNDING)
            low, high = np.where(kept, middle, low), np.where(kept, high, middle)
        thresholds = 1.0 - sigmas * scipy.special.ndtri(np.exp(low))
        best = int(np.argmin(thresholds))
        found = float(sigmas[best]), float(thresholds[best])
        sigmas = np.linspace(sigmas[max(best - 1, 0)], sigmas[min(best + 1, _SIGMAS - 1)], _SIGMAS)
    return found


def threshold_delta(
    sigma: Floats,
    pass_probability: Floats,
    epsilon: float,
    contributions: int,
    *,
    people_replaced: bool,
) -> Floats:
    """The largest δ of any number of new names, elementwise in σ and p."""
    log_out = np.log1p(-pass_probability)
    if not people_replaced:
        return worst_new_name_delta(
            log_out,
            epsilon,
            contributions,
            lambda at, left: gaussian_delta(at, np.sqrt(left) / sigma[:, None]),
        )
    new, upto = new_name_count_blocks(contributions)
    log_stay = log_out[:, None] * upto
    # a names vanish and b are new: √(2c − a − b) for the distance, and with q_j of `stated_noise`
    # ε + log((1 − q_b)/(1 − q_a)); bounded by b = c in the logarithm and b = 0 in the distance
    shift = np.sqrt(2 * contributions - new) / sigma[:, None]
    worst = gaussian_delta(epsilon + log_out[:, None] * contributions - log_stay, shift)
    return np.asarray((-np.expm1(log_stay) + np.exp(log_stay) * worst).max(1))

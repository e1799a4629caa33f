"""The best of a random number of runs, in general: Poisson and truncated negative binomial repeats.

Symbols: J ~ Poisson(μ) or negative binomial (η, γ) cut at J ≥ 1 (η = 1 is random stopping, η = 0
logarithmic); λ = Rényi order, ε(λ) = the candidates' Rényi curve.
Privacy: negative binomial (2 + η)ε1 for pure candidates (Cor 3); in Rényi terms
ε′(λ) = ε(λ) + (1+η)(1−1/λ̂)ε(λ̂) + (1+η)log(1/γ)/λ̂ + log E[J]/(λ−1), any λ̂ (Thm 2); Poisson
ε′(λ) = ε(λ) + μδ̂ + log μ/(λ−1), candidates (ε̂, δ̂)-DP with e^ε̂ ≤ 1 + 1/(λ−1) (Thm 6).
Source: Papernot & Steinke 2022.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_inside, check_integer, check_number, parameter
from dpviz.base.progress import Progress
from dpviz.candidates.best_of import best_of, draw_best_of
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.renyi import ORDERS, renyi_of_pure, renyi_to_epsilon
from dpviz.candidates.rules import CANDIDATES, CandidateRule, Releases, SelectionLaw, check_candidate
from dpviz.candidates.run_counts import NegativeBinomial, Poisson

__all__ = ["NegativeBinomialRepeats", "PoissonRepeats", "accounted_epsilon", "gaussian_totals"]


@CANDIDATES.register(
    "negative_binomial",
    label="Negative binomial repeats",
    says="Draws first how many runs to make, and gives the best one, for 2 + η times the price of one. Take it to pay "
    "less than random stopping: η below 1.",
)
@dataclass(frozen=True, kw_only=True)
class NegativeBinomialRepeats(CandidateRule):
    """The best of J runs, J truncated negative binomial.

    >>> NegativeBinomialRepeats(shape=0.0, stop=0.01).total_epsilon(0.5)
    (1.0, 0.0)
    """

    shape: float = parameter(0.0, low=-1.0, above=True, high=100.0, label="Shape η", help="Lower costs less privacy.")
    stop: float = parameter(0.01, low=0.0, high=1.0, above=True, label="γ", help="Lower means more runs.")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_inside("stop", self.stop)

    @property
    def count(self) -> NegativeBinomial:
        """The law of the number of runs."""
        return NegativeBinomial(self.shape, self.stop)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> tuple[float, float]:
        """((2 + η)ε1, 0) for pure candidates; for others use `renyi`."""
        epsilon, _ = _pure(candidate_epsilon, candidate_delta)
        return (2 + self.shape) * epsilon, 0.0

    def renyi(self, orders: Floats, candidate: Floats) -> Floats:
        """ε′ at every order (above 1), from the candidates' ε at the same orders (Thm 2, best λ̂ among them)."""
        orders, candidate = np.asarray(orders, float), np.asarray(candidate, float)
        extra = (1 + self.shape) * np.min((1 - 1 / orders) * candidate - math.log(self.stop) / orders)
        curve = candidate + extra + math.log(self.count.mean) / (orders - 1)
        rising: Floats = np.minimum.accumulate(curve[::-1])[::-1]  # Rényi curves rise, so higher orders bound lower
        return rising

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        return best_of(pool, self.count, progress)

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        return draw_best_of(pool, self.count, size, rng)


@CANDIDATES.register(
    "poisson",
    label="Poisson repeats",
    says="Makes a number of runs that stays near its mean, and gives the best one. Take it where one run costs little "
    "and hardly any luck with the number is wanted.",
)
@dataclass(frozen=True, kw_only=True)
class PoissonRepeats(CandidateRule):
    """The best of J runs, J ~ Poisson(mean); nothing with probability e^(−mean).

    >>> epsilon, delta = PoissonRepeats(mean=10.0, delta=1e-6).total_epsilon(0.1)
    >>> round(epsilon, 3), delta
    (0.6, 1e-06)
    """

    mean: float = parameter(20.0, low=1.0, high=1e6, label="Mean number of runs μ")
    delta: float = parameter(1e-6, low=0.0, above=True, high=1.0, label="δ", help="What the total ε is stated at.")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_inside("delta", self.delta)

    @property
    def count(self) -> Poisson:
        """The law of the number of runs."""
        return Poisson(self.mean)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> tuple[float, float]:
        """(ε, δ) with this rule's δ, through Rényi orders from 1.01 to 10⁶, for pure candidates."""
        epsilon, _ = _pure(candidate_epsilon, candidate_delta)
        curve = self.renyi(ORDERS, renyi_of_pure(ORDERS, epsilon), _pure_delta(epsilon))
        return renyi_to_epsilon(ORDERS, curve, self.delta), self.delta

    def renyi(self, orders: Floats, candidate: Floats, delta_at: Callable[[float], float]) -> Floats:
        """ε′ at every order (above 1); `delta_at(ε̂)` is the δ̂ at which a candidate is (ε̂, δ̂)-DP (Thm 6)."""
        orders = np.asarray(orders, float)
        delta = np.array([delta_at(hat) for hat in np.log1p(1 / (orders - 1))])
        curve: Floats = np.asarray(candidate, float) + self.mean * delta + math.log(self.mean) / (orders - 1)
        return curve

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        return best_of(pool, self.count, progress)

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        return draw_best_of(pool, self.count, size, rng)


def accounted_epsilon(rule: NegativeBinomialRepeats | PoissonRepeats, event: Any, delta: float) -> float:
    """The total ε at `delta` by the accountant of dp-accounting, for candidates of any kind it knows.

    `event` is a dp_accounting.DpEvent for one run, such as GaussianDpEvent(4.0).
    Raises `ParameterError` where the package is missing or its accountant cannot take the rule.
    """
    dp_event, rdp = _dp_accounting()
    delta = check_inside("delta", delta)
    shape = rule.shape if isinstance(rule, NegativeBinomialRepeats) else math.inf
    if shape < 0:
        raise ParameterError("shape", shape, "at least 0 for the accountant of dp-accounting")
    repeated = dp_event.RepeatAndSelectDpEvent(event, rule.count.mean, shape)
    if not rdp.RdpAccountant().supports(repeated):
        raise ParameterError("event", event, "one that the Rényi accountant of dp-accounting supports")
    return check_number("the accounted epsilon", _composed(repeated, 1, delta), low=0.0)


def gaussian_totals(
    rules: Iterable[NegativeBinomialRepeats | PoissonRepeats], candidates: int, noise: float, delta: float
) -> dict[str, float | None]:
    """Total ε at `delta` by name: "one" run, "naive" best of K, each rule; None where the accountant has no answer.

    One run is a Gaussian mechanism, `noise` its σ over its sensitivity; all rows come from one accountant
    (Mironov 2017), so they can be compared. Raises `ParameterError` where dp-accounting is missing.
    """
    candidates = check_integer("candidates", candidates, low=1)
    noise = check_number("noise", noise, low=0.0, above=True)
    delta = check_inside("delta", delta)
    run = _dp_accounting()[0].GaussianDpEvent(noise)
    totals: dict[str, float | None] = {"one": _composed(run, 1, delta)}
    for rule in rules:
        try:
            totals[rule.name] = accounted_epsilon(rule, run, delta)
        except ParameterError:
            totals[rule.name] = None
    totals["naive"] = _composed(run, candidates, delta)
    return totals


def _dp_accounting() -> tuple[Any, Any]:
    """(dp_event, rdp) of the optional package."""
    try:
        from dp_accounting import dp_event, rdp  # noqa: PLC0415 - an extra, needed here alone
    except ImportError:
        raise ParameterError(
            "dp-accounting", "missing", "installed for this: python -m pip install dp-accounting"
        ) from None
    return dp_event, rdp


def _composed(run: Any, times: int, delta: float) -> float:
    accountant = _dp_accounting()[1].RdpAccountant()
    accountant.compose(run, times)
    return float(accountant.get_epsilon(delta))


def _pure(epsilon: object, delta: object) -> tuple[float, float]:
    epsilon1, delta1 = check_candidate(epsilon, delta)
    if delta1:
        raise ParameterError("candidate_delta", delta1, "0 for this rule; Rényi accounting covers other candidates")
    return epsilon1, delta1


def _pure_delta(epsilon: float) -> Callable[[float], float]:
    """δ̂(ε̂) of randomised response, the worst ε-DP candidate: (e^ε − e^ε̂)/(1 + e^ε), 0 from ε̂ = ε on."""

    def delta_at(hat: float) -> float:
        if hat >= epsilon:
            return 0.0
        return -math.expm1(hat - epsilon) / (1 + math.exp(-epsilon))

    return delta_at

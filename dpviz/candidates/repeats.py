"""The best of a random number of runs: Poisson and truncated negative binomial repeats.

Symbols: J ~ Poisson(μ) or negative binomial (η, γ) cut at J ≥ 1 (η = 1 is random stopping, η = 0
logarithmic); λ = Rényi order, ε(λ) = the candidates' Rényi curve.
Privacy: negative binomial (2 + η)ε1 for pure candidates (Cor 3); in Rényi terms
ε′(λ) = ε(λ) + (1+η)(1−1/λ̂)ε(λ̂) + (1+η)log(1/γ)/λ̂ + log E[J]/(λ−1), any λ̂ (Thm 2); Poisson
ε′(λ) = ε(λ) + μδ̂ + log μ/(λ−1), candidates (ε̂, δ̂)-DP with e^ε̂ ≤ 1 + 1/(λ−1) (Thm 6).
Sources: Papernot & Steinke 2022; Mironov 2017; Canonne, Kamath & Steinke 2020, Prop 12 (to (ε, δ)).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import (
    EpsilonDelta,
    Floats,
    ParameterError,
    check_integer,
    check_number,
    check_open_interval,
    delta_parameter,
    open_interval_parameter,
    parameter,
)
from dpviz.base.former_names import former_names
from dpviz.candidates.best_of_runs import BestOfRuns
from dpviz.candidates.rules import CANDIDATES, check_run_privacy
from dpviz.candidates.run_counts import NegativeBinomialRuns, PoissonRuns

ORDERS: Floats = 1 + np.geomspace(0.01, 1e6, 600)


def pure_renyi_curve(orders: Floats, epsilon: float) -> Floats:
    """ε(λ) of randomised response, which no ε-DP mechanism exceeds: log(Σ p^λ q^(1−λ))/(λ−1)."""
    orders = np.asarray(orders, float)
    log_sum = np.logaddexp(orders * epsilon, (1 - orders) * epsilon) - np.logaddexp(epsilon, 0.0)
    return np.asarray(np.minimum(np.maximum(log_sum, 0.0) / (orders - 1), epsilon), float)


def renyi_to_epsilon(orders: Floats, curve: Floats, delta: float) -> float:
    """The smallest ε over the orders: ε(λ) + log(1 − 1/λ) − log(δλ)/(λ − 1), at least 0."""
    delta = check_open_interval("delta", delta)
    orders = np.asarray(orders, float)
    least = np.min(curve + np.log1p(-1 / orders) - np.log(delta * orders) / (orders - 1))
    return max(0.0, float(least))


@former_names(renyi="renyi_curve")
@CANDIDATES.register(
    "negative_binomial",
    label="Negative binomial repeats",
    says=(
        "Draws the number of runs first and publishes the best run, for 2 + η times the cost of"
        " one. Use it with η below 1 to pay less than random stopping."
    ),
    field_names={
        "truncated negative binomial": {},
        "logarithmic repeats": {"shape": 0.0},
        "geometric repeats": {"shape": 1.0},
        "Papernot-Steinke": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class NegativeBinomialRepeats(BestOfRuns):
    """The best of J runs, J truncated negative binomial.

    Papernot-Steinke: repeats with a truncated negative binomial number of runs. Shape 0 gives
    logarithmic repeats, shape 1 geometric repeats.

    Parameters
    ----------
    shape
        η above −1 up to 100: 1 is random stopping, 0 logarithmic; lower costs less privacy.
    stop
        γ above 0 and below 1; lower means more runs.

    Examples
    --------
    >>> NegativeBinomialRepeats(shape=0.0, stop=0.01).total_epsilon(0.5)
    EpsilonDelta(epsilon=1.0, delta=0.0)
    """

    shape: float = parameter(
        0.0, low=-1.0, above=True, high=100.0, label="Shape η", help="Lower costs less privacy."
    )
    stop: float = open_interval_parameter(0.01, "γ", "Lower means more runs.")

    @property
    def run_count(self) -> NegativeBinomialRuns:
        return NegativeBinomialRuns(self.shape, self.stop)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> EpsilonDelta:
        """Cost of one release: ((2 + η)ε1, 0) for pure candidates; for others use `renyi_curve`.

        Parameters
        ----------
        candidate_epsilon, candidate_delta
            ε1 above 0, the price of one run with its score; δ1 has to be 0.

        Returns
        -------
        EpsilonDelta
            (ε, δ).

        Raises
        ------
        ParameterError
            For an ε1 not above 0 or a δ1 above 0.
        """
        return EpsilonDelta((2 + self.shape) * _pure(candidate_epsilon, candidate_delta))

    def renyi_curve(self, orders: Floats, candidate: Floats) -> Floats:
        """The Rényi curve of one release from the candidates' (Thm 2, best λ̂ of the orders).

        Parameters
        ----------
        orders, candidate
            λ above 1, and the candidates' ε at each, shape (orders,).

        Returns
        -------
        Floats
            ε′ at each order, shape (orders,).
        """
        orders, candidate = np.asarray(orders, float), np.asarray(candidate, float)
        extra = (1 + self.shape) * np.min(
            (1 - 1 / orders) * candidate - math.log(self.stop) / orders
        )
        curve = candidate + extra + math.log(self.run_count.mean) / (orders - 1)
        # Rényi curves rise, so higher orders bound lower
        return np.minimum.accumulate(curve[::-1])[::-1]


@former_names(renyi="renyi_curve")
@CANDIDATES.register(
    "poisson",
    label="Poisson repeats",
    says=(
        "Makes a number of runs near a fixed mean and publishes the best run. Use it if one run"
        " costs little and the number of runs should vary little."
    ),
    field_names={
        "Poisson random repetition": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class PoissonRepeats(BestOfRuns):
    """Poisson random repetition: the best of J ~ Poisson(mean) runs; nothing where J = 0.

    Parameters
    ----------
    mean
        μ from 1 on, the mean number of runs.
    delta
        δ above 0 and below 1, what the total ε is stated at.

    Examples
    --------
    >>> epsilon, delta = PoissonRepeats(mean=10.0, delta=1e-6).total_epsilon(0.1)
    >>> round(epsilon, 3), delta
    (0.6, 1e-06)
    """

    mean: float = parameter(20.0, low=1.0, high=1e6, label="Mean number of runs μ")
    delta: float = delta_parameter("The δ for which the total ε is stated.")

    @property
    def run_count(self) -> PoissonRuns:
        return PoissonRuns(self.mean)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> EpsilonDelta:
        """Cost of one release for pure candidates, through Rényi orders from 1.01 to 10⁶.

        Parameters
        ----------
        candidate_epsilon, candidate_delta
            ε1 above 0, the price of one run with its score; δ1 has to be 0.

        Returns
        -------
        EpsilonDelta
            (ε, δ) with this rule's δ.

        Raises
        ------
        ParameterError
            For an ε1 not above 0 or a δ1 above 0.
        """
        epsilon = _pure(candidate_epsilon, candidate_delta)

        def delta_at(hat: float) -> float:
            """δ̂(ε̂) of randomised response, the worst ε-DP candidate: (e^ε − e^ε̂)⁺/(1 + e^ε)."""
            return max(0.0, -math.expm1(hat - epsilon) / (1 + math.exp(-epsilon)))

        curve = self.renyi_curve(ORDERS, pure_renyi_curve(ORDERS, epsilon), delta_at)
        return EpsilonDelta(renyi_to_epsilon(ORDERS, curve, self.delta), self.delta)

    def renyi_curve(
        self, orders: Floats, candidate: Floats, delta_at: Callable[[float], float]
    ) -> Floats:
        """The Rényi curve of one release, from figures of the candidates (Thm 6).

        Parameters
        ----------
        orders, candidate
            λ above 1, and the candidates' ε at each, shape (orders,).
        delta_at
            `delta_at(ε̂)` is the δ̂ at which a candidate is (ε̂, δ̂)-DP.

        Returns
        -------
        Floats
            ε′ at each order, shape (orders,).
        """
        orders = np.asarray(orders, float)
        delta = np.array([delta_at(hat) for hat in np.log1p(1 / (orders - 1))])
        return np.asarray(candidate, float) + self.mean * delta + math.log(self.mean) / (orders - 1)


def accounted_epsilon(
    rule: NegativeBinomialRepeats | PoissonRepeats, event: Any, delta: float
) -> float:
    """Total ε at `delta` by dp-accounting, for one run's DpEvent such as GaussianDpEvent(4.0)."""
    from dp_accounting import dp_event, rdp  # noqa: PLC0415 - takes a second

    delta = check_open_interval("delta", delta)
    shape = rule.shape if isinstance(rule, NegativeBinomialRepeats) else math.inf
    if shape < 0:
        raise ParameterError("shape", shape, "at least 0 for the accountant of dp-accounting")
    repeated = dp_event.RepeatAndSelectDpEvent(event, rule.run_count.mean, shape)
    if not rdp.RdpAccountant().supports(repeated):
        raise ParameterError(
            "event", event, "one that the Rényi accountant of dp-accounting supports"
        )
    return check_number("the accounted epsilon", _composed(repeated, 1, delta), low=0.0)


def gaussian_rule_epsilons(
    rules: Iterable[NegativeBinomialRepeats | PoissonRepeats],
    candidates: int,
    noise: float,
    delta: float,
) -> dict[str, float | None]:
    """Costs of rules where one run is a Gaussian mechanism, all from one accountant."""
    candidates = check_integer("candidates", candidates, low=1)
    noise = check_number("noise", noise, low=0.0, above=True)
    delta = check_open_interval("delta", delta)
    from dp_accounting import dp_event  # noqa: PLC0415 - takes a second

    run = dp_event.GaussianDpEvent(noise)
    totals: dict[str, float | None] = {"one": _composed(run, 1, delta)}
    for rule in rules:
        try:
            totals[rule.name] = accounted_epsilon(rule, run, delta)
        except ParameterError:
            totals[rule.name] = None
    totals["naive"] = _composed(run, candidates, delta)
    return totals


def _composed(run: Any, times: int, delta: float) -> float:
    from dp_accounting import rdp  # noqa: PLC0415 - takes a second

    accountant = rdp.RdpAccountant()
    accountant.compose(run, times)
    return float(accountant.get_epsilon(delta))


def _pure(epsilon: object, delta: object) -> float:
    """ε1 where δ1 is 0."""
    epsilon1, delta1 = check_run_privacy(epsilon, delta)
    if delta1:
        raise ParameterError(
            "candidate_delta",
            delta1,
            "0 for this rule; Rényi accounting covers other candidates",
            "pure",
        )
    return epsilon1

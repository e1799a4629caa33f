"""The privacy loss between two worlds: one output, or one event, and its chance in both.

Symbols: P, P' and L as in `loss_laws`. δ(ε) = Σ (P − e^ε P')⁺ ≤ P(L > ε), Rényi D_α = log Σ P^α
P'^(1−α) / (α−1) and the trade-off of tests follow from the law of L alone.
Invariants: both directions are kept. A figure that grows with the loss is a lower bound, as certain
as the errors of the laws, and a miss an upper one.
Sources: Dwork & Roth 2014, Sec 3.5; Kairouz, Oh & Viswanath 2015, Thm 3.2; Dong, Roth & Su 2022.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from dpviz.base import (
    Floats,
    Frame,
    ParameterError,
    Plottable,
    PrivacyCeiling,
    ReadOnlyArrays,
    RevealingOutput,
    ValueEquality,
    cached_property,
    check_number,
    check_numbers,
    check_several,
    notebook_table,
    pd,
    round_down,
)
from dpviz.privacy.accounting import loss_laws_from_pld, pld_from_loss_laws
from dpviz.privacy.loss_laws import ROUNDING, Direction, EventLosses, LossLaw
from dpviz.privacy.trade_off import TradeOff

_DIGITS = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivacyLoss(ReadOnlyArrays, ValueEquality, Plottable):
    """The distance between the laws of the output in two neighbouring worlds.

    Parameters
    ----------
    method
        "exact", or "at least" for a lower bound with the errors of both laws counted against it.
    ceiling
        The promise of the mechanism, (ε, δ).
    seen
        The kind of output, in words.
    output
        The output that shows `largest`.
    here, there
        The loss seen from the first world, and from its neighbour.
    error
        A bound on the error of `largest` where it is exact.

    Examples
    --------
    >>> from dpviz import Canonical, Scores, privacy_loss
    >>> s, t = (Scores([top, 0.0], monotonic=True) for top in (1.0, 2.0))
    >>> loss = privacy_loss(Canonical(epsilon=1.0, k=1), s, t)
    >>> loss.method, round(loss.largest, 6), round(loss.reversed.delta(0.1), 6)
    ('exact', 0.339185, 0.043135)
    """

    method: Literal["exact", "at least"]
    ceiling: PrivacyCeiling
    seen: str
    output: RevealingOutput
    here: Direction
    there: Direction
    error: float = 0.0

    @property
    def largest(self) -> float:
        """max ``|L|`` over all outputs; a pure ε-DP mechanism keeps it at or below ε."""
        return max(self.here.highest, self.there.highest)

    @property
    def values(self) -> Floats:
        """The values that L takes under the first scores, ascending."""
        return self.here.values

    @property
    def mass(self) -> Floats:
        """The mass of each value under the first scores."""
        return self.here.mass

    @property
    def missing(self) -> float:
        """Bound on the mass that `values` leave out: δ is at most this above what `delta` says."""
        return self.here.missing

    @property
    def reversed(self) -> "PrivacyLoss":
        """The same pair with the two worlds swapped."""
        return replace(self, here=self.there, there=self.here)

    def delta(self, epsilon: float) -> float:
        """The smallest δ(ε) = Σ (P − e^ε P')⁺ at which this direction is (ε, δ)-close."""
        return float(self.delta_curve([epsilon])[0])

    def delta_curve(self, epsilons: Iterable[float]) -> Floats:
        """δ(ε) at each ε ≥ 0."""
        given = check_several("epsilons", epsilons, "a list of ε")
        return self.here.delta(np.array([check_number("epsilon", at, low=0.0) for at in given]))

    def renyi(self, order: float) -> float:
        """The Rényi divergence of order α ≥ 1: the mean loss at 1, the largest loss at inf."""
        if isinstance(order, float) and order == math.inf:
            return self.here.highest
        order = check_number("order", order, low=1.0)
        return self.here.mean if order == 1 else self.here.renyi(order)

    def renyi_curve(self, orders: Iterable[float]) -> Floats:
        """`renyi` at each order."""
        given = check_several("orders", orders, "a list of orders")
        return np.array([self.renyi(order) for order in given])

    def exceeds(self, epsilon: float) -> float:
        """P(L > ε) under the first scores, not counting ε up to rounding; δ(ε) where not exact."""
        least = self.delta(epsilon)
        if self.method != "exact" or not isinstance(self.here, LossLaw):
            return least
        return max(least, self.here.exceeds(epsilon + ROUNDING * (1 + epsilon)))

    @property
    def advantage(self) -> float:
        """The largest 1 − α − β of a test between the two worlds, their total variation."""
        return max(self.delta(0.0), self.reversed.delta(0.0))

    def trade_off(self, alpha: Floats | float) -> Floats:
        """The smallest chance of a miss of any test with the chance `alpha` of a false alarm.

        Parameters
        ----------
        alpha
            The chance to reject the first scores where they are true, from 0 to 1, of any shape.

        Returns
        -------
        Floats
            The chance of a miss, of the same shape: exact, or that of a test that can be made.

        Raises
        ------
        ParameterError
            For an alpha outside 0 to 1.
        """
        alpha = _checked(alpha)
        return np.asarray(
            np.minimum.reduce([curve.miss_probability(alpha) for curve in self._curves]), float
        )

    def trade_off_least(self, alpha: Floats | float) -> Floats:
        """A lower bound on the chance of a miss of any test with false alarm chance `alpha`.

        Parameters
        ----------
        alpha
            The chance of a false alarm, from 0 to 1, of any shape.

        Returns
        -------
        Floats
            The bound, of the same shape. It rests on the ceiling alone where the loss is not exact.

        Raises
        ------
        ParameterError
            For an alpha outside 0 to 1.
        """
        alpha = _checked(alpha)
        least = (
            self.allowed.trade_off(alpha)
            if math.isfinite(self.ceiling.epsilon)
            else np.zeros(alpha.shape)
        )
        here, there = self.here, self.there
        if (
            self.method != "exact"
            or isinstance(here, EventLosses)
            or isinstance(there, EventLosses)
        ):
            return least
        off = math.exp(self.error)  # by which a chance in the other world may be too large
        alarms, misses = there.false_alarm_and_miss_rates()
        by_there = np.interp(off * alpha + _beyond(alarms, here), alarms, misses)
        misses, alarms = here.false_alarm_and_miss_rates()
        by_here = np.interp(alpha, alarms[::-1], misses[::-1]) / off - _beyond(misses, there)
        return np.asarray(
            np.minimum(np.maximum.reduce([least, by_there, by_here]), self.trade_off(alpha)), float
        )

    @cached_property
    def _curves(self) -> list[TradeOff]:
        """One trade-off curve a direction of tests by the loss, or one through all events."""
        alarms, misses = self.there.false_alarm_and_miss_rates()
        other_misses, other_alarms = self.here.false_alarm_and_miss_rates()
        if not isinstance(self.here, LossLaw) or not isinstance(self.there, LossLaw):
            return [
                TradeOff.from_any_tests(
                    np.append(alarms, other_alarms), np.append(misses, other_misses)
                )
            ]
        other_alarms = other_alarms + self.here.unlisted_mass
        return [
            TradeOff.from_loss_tests(alarms, misses + self.there.unlisted_mass),
            TradeOff.from_loss_tests(other_alarms[::-1], other_misses[::-1]),
        ]

    @cached_property
    def allowed(self) -> "PrivacyLoss":
        """The largest loss that the ceiling allows, that of a randomised response."""
        law = ceiling_loss_law(self.ceiling)
        output = RevealingOutput("a truthful answer of a randomised response")
        return replace(self, method="exact", output=output, here=law, there=law, error=0.0)

    @property
    def mean(self) -> float:
        """E[L] under the first scores, the Kullback–Leibler divergence."""
        return self.here.mean

    def frame(self) -> Frame:
        """Figures, a row each: figure, value, at_most (allowed by the ceiling), method."""
        names = ["largest", "mean", "advantage"]
        value, at_most = ([getattr(loss, name) for name in names] for loss in (self, self.allowed))
        return pd.DataFrame(
            {"figure": names, "value": value, "at_most": at_most, "method": self.method}
        )

    def _repr_html_(self) -> str:
        rows = [
            ("largest loss", self._told(self.largest)),
            ("promised, ε", self.ceiling.epsilon),
            *([("promised, δ", self.ceiling.delta)] if self.ceiling.delta else []),
            ("mean loss", self._told(self.mean)),
            ("advantage of an attacker", self._told(self.advantage)),
            ("seen", self.seen),
            ("shown by", self.output.text),
        ]
        return notebook_table("Privacy loss", rows, self.method)

    def __repr__(self) -> str:
        return (
            f"PrivacyLoss({self._told(self.largest)} of {self.ceiling.epsilon:g},"
            f" {self.output.text})"
        )

    def to_pld(self, *, interval: float = 1e-4) -> Any:
        """The same as a PLD of dp-accounting with steps of `interval`, from above.

        Parameters
        ----------
        interval
            The step of the PLD, above 0: its `value_discretization_interval`.

        Returns
        -------
        Any
            A PrivacyLossDistribution, "remove" from the first world, "add" from its neighbour.

        Raises
        ------
        ParameterError
            Where the loss is not exact (`allowed` always is), and for a step not above 0.

        Examples
        --------
        >>> from dpviz import OneShot, Scores, privacy_loss
        >>> s, t = Scores([1.0, 0.0], monotonic=True), Scores([2.0, 0.0], monotonic=True)
        >>> loss = privacy_loss(OneShot(epsilon=0.5, k=1), s, t)
        >>> round(loss.to_pld().self_compose(52).get_epsilon_for_delta(1e-6), 2)
        9.49
        """
        here, there = self.here, self.there
        if (
            self.method != "exact"
            or isinstance(here, EventLosses)
            or isinstance(there, EventLosses)
        ):
            raise ParameterError(
                "the loss", self.method, "exact; its `allowed`, by ε and δ alone, always is"
            )
        return pld_from_loss_laws(here, there, self.error, interval)

    @classmethod
    def from_pld(cls, distribution: Any) -> "PrivacyLoss":
        """The loss of the pair of worlds that a PLD of dp-accounting describes.

        Parameters
        ----------
        distribution
            A PrivacyLossDistribution. A pessimistic one gives at least the loss of the real pair.

        Returns
        -------
        PrivacyLoss
            "remove" as seen from the first world, "add" from its neighbour; the ceiling is its own.

        Raises
        ------
        ParameterError
            For anything that is no PrivacyLossDistribution.

        Examples
        --------
        >>> from dp_accounting.pld import privacy_loss_distribution
        >>> pld = privacy_loss_distribution.from_gaussian_mechanism(2.0)
        >>> round(PrivacyLoss.from_pld(pld).advantage, 4)
        0.1974
        """
        here, there = loss_laws_from_pld(distribution)
        finite = (law.values[np.isfinite(law.values)] for law in (here, there))
        epsilon = max(float(values.max(initial=0.0)) for values in finite)
        delta = max(float(law.mass[np.isinf(law.values)].sum()) for law in (here, there))
        return cls(
            method="exact",
            ceiling=PrivacyCeiling(epsilon, delta),
            seen="what dp-accounting accounts for",
            output=RevealingOutput("an output of the largest loss"),
            here=here,
            there=there,
        )

    def _told(self, value: float) -> str:
        exact = self.method == "exact" or not math.isfinite(value)
        return f"{value:.{_DIGITS}g}" if exact else f"≥ {round_down(value, _DIGITS):g}"


def ceiling_loss_law(ceiling: PrivacyCeiling) -> LossLaw:
    """The law of L, in both worlds, of the worst mechanism under (ε, δ), a randomised response."""
    epsilon, delta = ceiling
    right = 1 / (1 + math.exp(-epsilon))
    mass = np.array([delta, (1 - delta) * right, (1 - delta) * (1 - right)])
    return LossLaw.from_losses(np.array([math.inf, epsilon, -epsilon]), mass)


def _beyond(chances: Floats, own: LossLaw) -> float:
    """The most by which a world's chances may be too large, given the other's list."""
    alone = float(own.mass[np.isinf(own.values)].sum())  # which the other world cannot list
    return max(0.0, float(chances.max()) + alone + own.missing - 1.0)


def _checked(alpha: Floats | float) -> Floats:
    alpha = check_numbers("alpha", alpha)
    if not ((alpha >= 0) & (alpha <= 1)).all():
        raise ParameterError("alpha", alpha.tolist(), "from 0 to 1")
    return alpha

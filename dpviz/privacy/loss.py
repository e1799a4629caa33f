"""The privacy loss between two worlds: what one output, or one event, can tell about one person.

Symbols: P, P' = the laws of the output with and without the person; L(y) = log P(y)/P'(y), y drawn
from P. δ(ε) = Σ (P − e^ε P')⁺, the part of P that e^ε P' does not cover, is never more than P(L >
ε), the chance of a loss above ε; it is the same where each such loss is infinite. δ, Rényi D_α =
log Σ P^α P'^(1−α) / (α−1) and the trade-off of tests follow from the law of L alone.
Invariants: both directions are kept. Each figure that grows with the loss is a lower bound, as
certain as the errors of the laws, and a miss an upper one; a loss that is only "at least" ends at
what its ceiling allows.
Sources: Dwork & Roth 2014, Sec 3.5; Kairouz, Oh & Viswanath 2015, Thm 3.2 (what (ε, δ) allows);
Dong, Roth & Su 2022.
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
    check_number,
    notebook_table,
    pd,
    round_down,
)
from dpviz.base.caching import cached_property
from dpviz.privacy.accounting import build_pld, pld_loss_laws
from dpviz.privacy.loss_laws import ROUNDING, Direction, LossLaw
from dpviz.privacy.trade_off import TradeOff

_DIGITS = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivacyLoss(ReadOnlyArrays, Plottable):
    """How far apart the laws of the output are in two neighbouring worlds.

    `largest` is max ``|L|`` over outputs, in either direction (infinite where one is possible in
    one world only). `values` and `mass` are the law of L under the first scores; `reversed` has it
    under the neighbour.

    Parameters
    ----------
    method
        "exact", or "at least" for a lower bound with the errors of both laws counted against it.
    ceiling
        What the mechanism promises, (ε, δ).
    seen
        What the output is taken to be, in words.
    output
        The output that shows `largest`.
    here
        The loss seen from the first world.
    there
        The loss seen from its neighbour.
    error
        A bound on the error of `largest` where it is exact.

    Examples
    --------
    >>> from dpviz import Canonical, Scores, privacy_loss
    >>> s, t = (Scores([top, 0.0], monotonic=True) for top in (1.0, 2.0))
    >>> loss = privacy_loss(Canonical(epsilon=1.0, k=1), s, t)
    >>> loss.method, round(loss.largest, 6), round(loss.reversed.delta(0.1), 6), loss.ceiling.epsilon
    ('exact', 0.339185, 0.043135, 1.0)
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
        """max ``|L|`` over all outputs; what a pure ε-DP mechanism keeps at or below ε."""
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
        """δ(ε) = Σ (P − e^ε P')⁺: at this ε the pair is (ε, δ)-close in this direction, and at no
        smaller δ.
        """
        return float(self.delta_curve([epsilon])[0])

    def delta_curve(self, epsilons: Iterable[float]) -> Floats:
        """δ at each ε ≥ 0."""
        return self.here.delta(
            np.array([check_number("epsilon", epsilon, low=0.0) for epsilon in epsilons])
        )

    def renyi(self, order: float) -> float:
        """The Rényi divergence of order α ≥ 1; the mean loss at 1, the largest loss of this
        direction at inf.
        """
        if order == math.inf:
            return self.here.highest
        order = check_number("order", order, low=1.0)
        return self.here.mean if order == 1 else self.here.renyi(order)

    def renyi_curve(self, orders: Iterable[float]) -> Floats:
        """`renyi` at each order."""
        return np.array([self.renyi(order) for order in orders])

    def exceeds(self, epsilon: float) -> float:
        """P(L > ε) under the first scores; δ(ε), which is never larger, where the loss is only at
        least so large.

        A loss that is ε up to rounding does not exceed it; any other is taken as it was computed.
        """
        least = self.delta(epsilon)
        if self.method != "exact" or not isinstance(self.here, LossLaw):
            return least
        return max(least, self.here.exceeds(epsilon + ROUNDING * (1 + epsilon)))

    @property
    def advantage(self) -> float:
        """The largest 1 − α − β of a test between the two worlds, their total variation: δ(0), in
        either direction.
        """
        return max(self.delta(0.0), self.reversed.delta(0.0))

    def trade_off(self, alpha: Floats | float) -> Floats:
        """The smallest chance to miss of a test that takes the scores for granted unless the output
        speaks against.

        Parameters
        ----------
        alpha
            The chance of a false alarm, to decide for the neighbour where the scores are true: any
            shape, from 0 to 1.

        Returns
        -------
        Floats
            The chance to decide for the scores where the neighbour is true, of the same shape:
            exact, or that of a test that can be made, where `trade_off_least` says how far a better
            one could go.
        """
        alpha = _checked(alpha)
        return np.asarray(
            np.minimum.reduce([curve.miss_probability(alpha) for curve in self._curves]), float
        )

    def trade_off_least(self, alpha: Floats | float) -> Floats:
        """A bound that no test passes: below `trade_off` by pruned mass and errors where exact,
        else what ε allows.

        Parameters
        ----------
        alpha
            The chance of a false alarm: any shape, from 0 to 1.

        Returns
        -------
        Floats
            A lower bound on the chance to miss, of the same shape.
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
            or not isinstance(here, LossLaw)
            or not isinstance(there, LossLaw)
        ):
            return least
        off = math.exp(self.error)  # by which a chance in the other world may be too large
        alarms, misses = there.error_rates()
        by_there = np.interp(off * alpha + _beyond(alarms, here), alarms, misses)
        misses, alarms = here.error_rates()
        by_here = np.interp(alpha, alarms[::-1], misses[::-1]) / off - _beyond(misses, there)
        return np.asarray(
            np.minimum(np.maximum.reduce([least, by_there, by_here]), self.trade_off(alpha)), float
        )

    @cached_property
    def _curves(self) -> list[TradeOff]:
        """One a direction, each of tests by the loss, or one through all events."""
        alarms, misses = self.there.error_rates()
        other_misses, other_alarms = self.here.error_rates()
        if not isinstance(self.here, LossLaw) or not isinstance(self.there, LossLaw):
            return [
                TradeOff.from_any_tests(
                    np.append(alarms, other_alarms), np.append(misses, other_misses)
                )
            ]
        kept = other_alarms + self.here.unlisted_mass, other_misses
        return [
            TradeOff.from_loss_tests(alarms, misses + self.there.unlisted_mass),
            TradeOff.from_loss_tests(*(v[::-1] for v in kept)),
        ]

    @cached_property
    def allowed(self) -> "PrivacyLoss":
        """The largest loss that the ceiling allows, that of a randomised response: no figure of any
        pair passes its.
        """
        law = ceiling_loss_law(self.ceiling)
        output = RevealingOutput("a truthful answer of a randomised response")
        return replace(self, method="exact", output=output, here=law, there=law, error=0.0)

    @property
    def mean(self) -> float:
        """E[L] under the first scores, the Kullback–Leibler divergence: the loss of an average
        output.
        """
        return self.here.mean

    def frame(self) -> Frame:
        """The figures, a row each: figure, value, at_most (what the ceiling allows), method.

        The value of a loss that is only "at least" so large is a lower bound.
        """
        names = ["largest", "mean", "advantage"]
        rows = [[getattr(loss, name) for name in names] for loss in (self, self.allowed)]
        return pd.DataFrame(
            {"figure": names, "value": rows[0], "at_most": rows[1], "method": self.method}
        )

    def _repr_html_(self) -> str:
        """The largest loss beside what is promised, the mean, and which output shows it."""
        rows = [
            ("largest loss", self._told(self.largest)),
            ("promised, ε", self.ceiling.epsilon),
            *([("promised, δ", self.ceiling.delta)] if self.ceiling.delta else []),
            ("mean loss", self._told(self.mean)),
            ("advantage of a guesser", self._told(self.advantage)),
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
        """The same for dp-accounting, which composes it with other releases: from above, a step's
        rounding included.

        Parameters
        ----------
        interval
            The PLD's step, above 0: its `value_discretization_interval`.

        Returns
        -------
        Any
            A PrivacyLossDistribution; the loss from the first world is its "remove", from the
            neighbour its "add".

        Raises
        ------
        ParameterError
            Where the loss is only at least so large (`allowed` has a PLD then).

        Examples
        --------
        >>> from dpviz import OneShot, Scores, privacy_loss
        >>> s, t = Scores([1.0, 0.0], monotonic=True), Scores([2.0, 0.0], monotonic=True)
        >>> loss = privacy_loss(OneShot(epsilon=0.5, k=1), s, t)
        >>> weekly = loss.to_pld().self_compose(52)
        >>> round(weekly.get_epsilon_for_delta(1e-6), 2)
        9.49
        """
        if (
            self.method != "exact"
            or not isinstance(self.here, LossLaw)
            or not isinstance(self.there, LossLaw)
        ):
            raise ParameterError(
                "the loss", self.method, "exact; its `allowed`, by ε and δ alone, always is"
            )
        return build_pld(self.here, self.there, self.error, interval)

    @classmethod
    def from_pld(cls, distribution: Any) -> "PrivacyLoss":
        """The loss of the pair of worlds that a PLD of dp-accounting describes.

        Parameters
        ----------
        distribution
            A PrivacyLossDistribution; one that is pessimistic describes a pair no closer than the
            real one.

        Returns
        -------
        PrivacyLoss
            "remove" as the loss from the first world, "add" as that from the neighbour; its ceiling
            is its own.

        Raises
        ------
        ParameterError
            For what is no PLD.

        Examples
        --------
        >>> from dp_accounting.pld import privacy_loss_distribution
        >>> pld = privacy_loss_distribution.from_gaussian_mechanism(2.0)
        >>> round(PrivacyLoss.from_pld(pld).advantage, 4)
        0.1974
        """
        here, there = pld_loss_laws(distribution)
        most = max(
            float(law.values[np.isfinite(law.values)].max(initial=0.0)) for law in (here, there)
        )
        ceiling = PrivacyCeiling(
            most, max(float(law.mass[np.isinf(law.values)].sum()) for law in (here, there))
        )
        return cls(
            method="exact",
            ceiling=ceiling,
            seen="what dp-accounting accounts for",
            output=RevealingOutput("an output of the largest loss"),
            here=here,
            there=there,
        )

    def _told(self, value: float) -> str:
        """A figure; one that is a lower bound is rounded down."""
        exact = self.method == "exact" or not math.isfinite(value)
        return f"{value:.{_DIGITS}g}" if exact else f"≥ {round_down(value, _DIGITS):g}"


def ceiling_loss_law(ceiling: PrivacyCeiling) -> LossLaw:
    """The law of the loss of the randomised response that loses most under (ε, δ), the same in both
    worlds.

    It tells the truth openly with chance δ, else its loss is ε, with chance 1/(1 + e^(−ε)), or −ε.

    >>> ceiling_loss_law(PrivacyCeiling(1.0)).mass.round(6).tolist()
    [0.268941, 0.731059]
    """
    epsilon, delta = ceiling
    right = 1 / (1 + math.exp(-epsilon))
    loss = np.array([math.inf, epsilon, -epsilon])
    return LossLaw.from_losses(
        loss, np.array([delta, (1 - delta) * right, (1 - delta) * (1 - right)])
    )


def _beyond(chances: Floats, own: LossLaw) -> float:
    """By how much at most the chances in a world, up to the last, are too large, by what it lists
    itself.
    """
    alone = float(own.mass[np.isinf(own.values)].sum())  # which the other world cannot list
    return max(0.0, float(chances.max()) + alone + own.missing - 1.0)


def _checked(alpha: Floats | float) -> Floats:
    alpha = np.asarray(alpha, float)
    if not ((alpha >= 0) & (alpha <= 1)).all():
        raise ParameterError("alpha", alpha.tolist(), "from 0 to 1")
    return alpha

"""The privacy loss seen from one world: the law of L over all outputs, or events that may overlap.

Symbols: P = the law of the output in this world, P' in the other; L(y) = log P(y)/P'(y), y drawn
from P.
Invariants: every sum leaves out positive terms only, so each figure is a lower bound. Losses equal
up to rounding are one. Each point of `false_alarm_and_miss_rates` is a test that can be made.
Sources: Dwork & Roth 2014, Sec 3.5; Mironov 2017; Balle & Wang 2018, Thm 5 (δ).
"""

import math
import sys
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from dpviz.base import Floats, ReadOnlyArrays, ValueEquality, cached_property

ROUNDING: Final = 1e-12  # of a loss: two that differ by less may be equal
_LEAST: Final = math.log(sys.float_info.min)


@np.errstate(invalid="ignore")
def log_ratio(log_p: Floats, log_q: Floats) -> Floats:
    """log P/P' of every output; 0 where it is possible in neither world."""
    return np.where(log_p == log_q, 0.0, log_p - log_q)


@dataclass(frozen=True, eq=False)
class LossLaw(ReadOnlyArrays, ValueEquality):
    """The law of L in one world over disjoint outputs, merged where losses are equal."""

    values: Floats
    mass: Floats
    missing: float
    highest: float
    rare: Floats | None = None  # (L, log mass) of outputs too unlikely for `mass`, shape (2, n)

    @classmethod
    def from_log_masses(
        cls, loss: Floats, log_mass: Floats, missing: float = 0.0, highest: float | None = None
    ) -> "LossLaw":
        """The law of L from log masses, some of which may be below the smallest double."""
        rare = np.isfinite(log_mass) & (log_mass < _LEAST)
        top = float(loss.max()) if highest is None else highest
        law = cls.from_losses(loss, np.where(rare, 0.0, np.exp(log_mass)), missing, top)
        return replace(law, rare=np.stack([loss, log_mass])[:, rare])

    @classmethod
    def from_losses(
        cls, loss: Floats, mass: Floats, missing: float = 0.0, highest: float | None = None
    ) -> "LossLaw":
        """The law of L from all outputs; those that never come out of this world are left out."""
        some = mass > 0
        values, which = np.unique(loss[some], return_inverse=True)
        apart = np.append(values[1:] > values[:-1] + ROUNDING * (1 + np.abs(values[:-1])), True)
        which = np.cumsum(np.append(0, apart[:-1]))[which]
        values = values[apart]  # the largest of those that are equal
        top = float(values[-1]) if highest is None else highest
        return cls(values, np.bincount(which, mass[some], len(values)).astype(float), missing, top)

    def with_unlisted_output(self, loss: float) -> "LossLaw":
        """The same law with a single unlisted output of this loss."""
        return replace(self, highest=max(self.highest, loss))

    def delta(self, epsilon: Floats) -> Floats:
        """Σ mass·(1 − e^(ε−L))⁺."""
        above = (np.minimum(at - self.values, 0.0) for at in epsilon.tolist())
        delta = np.array([-np.expm1(each) @ self.mass for each in above])
        return np.asarray(np.minimum(delta, 1.0) + 0.0)  # no minus zero

    def exceeds(self, epsilon: float) -> float:
        return min(1.0, float(self.mass[self.values > epsilon].sum()))

    def renyi(self, order: float) -> float:
        """log Σ mass·e^((α−1)L) / (α−1), at least 0."""
        listed = np.stack([self.values, np.log(self.mass)])
        values, log_mass = listed if self.rare is None else np.append(listed, self.rare, axis=1)
        power = log_mass + (order - 1) * values
        top = float(power.max())
        if top == math.inf:
            return math.inf
        return max(0.0, (top + math.log(float(np.exp(power - top).sum()))) / (order - 1))

    @np.errstate(over="ignore")
    def false_alarm_and_miss_rates(self) -> tuple[Floats, Floats]:
        """(False alarm in the other world, miss in this) of tests by the largest losses."""
        other = self.mass[::-1] * np.exp(-self.values[::-1])
        return np.cumsum(np.append(0.0, other)), np.append(0.0, np.cumsum(self.mass))[::-1]

    @property
    def unlisted_mass(self) -> float:
        """A bound on the mass outside `values`, whose masses may have been made to add up to 1."""
        return max(self.missing, 1.0 - float(self.mass.sum()))

    @property
    def mean(self) -> float:
        """Σ mass·L + r log r, r = the mass left out: the least that it can add (log-sum)."""
        left = max(0.0, 1.0 - float(self.mass.sum()))
        return max(0.0, float(self.mass @ self.values) + (left * math.log(left) if left else 0.0))


@dataclass(frozen=True, eq=False)
class EventLosses(ReadOnlyArrays, ValueEquality):
    """Events that may overlap: a figure is the largest of any one event and its complement."""

    low: Floats
    high: Floats
    single: float = 0.0  # the largest loss of a single output that was looked at besides
    missing: float = 1.0

    def __post_init__(self) -> None:
        more = self.low > self.high
        for name in ("low", "high"):
            object.__setattr__(self, name, getattr(self, name)[more])

    @cached_property
    @np.errstate(divide="ignore")
    def _best(self) -> LossLaw:
        p, q = self.low, self.high
        if not len(p):
            return LossLaw.from_losses(np.zeros(1), np.ones(1))
        # q < p, so that 1 − q is above 0
        rest = (1 - p) * np.log(np.maximum(1 - p, 1e-300) / (1 - q))
        best = int(np.argmax(p * self._ratios + np.where(p < 1, rest, 0.0)))
        return _two(float(p[best]), float(q[best]))

    @property
    def values(self) -> Floats:
        """L in the event with the largest mean loss, and in its complement (with their `mass`)."""
        return self._best.values

    @property
    def mass(self) -> Floats:
        return self._best.mass

    @cached_property
    @np.errstate(divide="ignore")
    def _ratios(self) -> Floats:
        """log low/high, above 0: an event shows more than its complement."""
        return np.asarray(np.log(self.low / self.high))

    @property
    def highest(self) -> float:
        """The largest log low/high of an event, or `single`."""
        return max(self.single, float(self._ratios.max(initial=-math.inf)))

    def with_unlisted_output(self, loss: float) -> "EventLosses":
        return replace(self, single=max(self.single, loss))

    def delta(self, epsilon: Floats) -> Floats:
        """max (low − e^ε·high)⁺."""
        above = (np.minimum(at - self._ratios, 0.0) for at in epsilon.tolist())
        delta = [(-self.low * np.expm1(each)).max(initial=0.0) for each in above]
        return np.array(delta) + 0.0  # no minus zero

    def renyi(self, order: float) -> float:
        """The largest D_α of an event and its complement, which grows as P and P' move apart."""
        pairs = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return max((_two(p, q).renyi(order) for p, q in pairs), default=0.0)

    def false_alarm_and_miss_rates(self) -> tuple[Floats, Floats]:
        """Tests by one event: (false alarm in the other, miss in this), shape (events,)."""
        return self.high, 1.0 - self.low

    @property
    def mean(self) -> float:
        return self._best.mean


@np.errstate(divide="ignore", invalid="ignore")
def _two(p: float, q: float) -> LossLaw:
    mass, other = np.array([p, 1 - p]), np.array([q, 1 - q])
    return LossLaw.from_losses(np.log(mass / other), mass)


Direction = LossLaw | EventLosses
"""The loss seen from one of the two worlds.

`values` ascending and their `mass` in that world; `missing` bounds the mass they leave out;
`highest` is the largest L, which may be shown by an output too unlikely to be listed.
"""

Outcomes = LossLaw  # the former name, in stored pickles

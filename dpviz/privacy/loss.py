"""The privacy loss between two worlds: what one output, or one event, can tell about one person.

Symbols: P, P' = the laws of the output with and without the person; L(y) = log P(y)/P'(y), y drawn from P.
δ(ε) = Σ (P − e^ε P')⁺ and Rényi D_α = log Σ P^α P'^(1−α) / (α−1) follow from the law of L alone.
Invariants: both directions are kept. Every sum runs over what is known and leaves out positive terms only, so
each figure is a lower bound, as certain as the errors of the laws; where the whole law of L is known it misses at
most `missing` of mass.
Sources: Dwork & Roth 2014, Sec 3.5; Mironov 2017; Balle & Wang 2018, Thm 5 (δ as a hockey-stick divergence).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from dpviz.base import Ceiling, Floats, Output, check_number, notebook_table

_AT_ONCE = 1 << 21


def log_ratio(log_p: Floats, log_q: Floats) -> Floats:
    """log P/P' of every output; 0 where it is possible in neither world.

    >>> log_ratio(np.array([-1.0, -np.inf, 0.0]), np.array([-2.0, -np.inf, -np.inf])).tolist()
    [1.0, 0.0, inf]
    """
    with np.errstate(invalid="ignore"):
        return np.where(log_p == log_q, 0.0, log_p - log_q)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Disjoint outputs, those of equal loss together: the law of L in one world.

    Parameters
    ----------
    values
        L, ascending, shape (values,).
    mass
        The chance of each, shape (values,).
    missing
        A bound on the mass they leave out.
    highest
        The largest L, which an output too unlikely to be listed may show.

    Examples
    --------
    >>> loss = Outcomes.of(np.array([0.5, -0.5, 0.5]), np.array([0.3, 0.4, 0.3]))
    >>> loss.values.tolist(), loss.mass.tolist(), loss.delta(np.array([0.0])).round(6).tolist()
    ([-0.5, 0.5], [0.4, 0.6], [0.236082])
    """

    values: Floats
    mass: Floats
    missing: float
    highest: float

    @classmethod
    def of(cls, loss: Floats, mass: Floats, missing: float = 0.0, highest: float | None = None) -> "Outcomes":
        """The law of L from all outputs; those that never come out of this world are left out.

        Parameters
        ----------
        loss
            L of each output, shape (outputs,).
        mass
            The chance of each in this world, shape (outputs,).
        missing
            A bound on the mass that is not listed.
        highest
            The largest L; None for that of the outputs listed.

        Returns
        -------
        Outcomes
            The law.
        """
        some = mass > 0
        values, which = np.unique(loss[some], return_inverse=True)
        top = float(values[-1]) if highest is None else highest
        return cls(values, np.bincount(which, mass[some], len(values)).astype(float), missing, top)

    def raised(self, highest: float) -> "Outcomes":
        """The same where a single output, not listed, shows a loss of `highest`."""
        return replace(self, highest=max(self.highest, highest))

    def delta(self, epsilon: Floats) -> Floats:
        """Σ mass·(1 − e^(ε−L))⁺."""
        told = np.empty(len(epsilon))
        step = max(1, _AT_ONCE // max(1, len(self.values)))
        for start in range(0, len(epsilon), step):
            above = np.minimum(epsilon[start : start + step, None] - self.values, 0.0)
            told[start : start + step] = -np.expm1(above) @ self.mass
        return np.minimum(told, 1.0) + 0.0  # no minus zero

    def renyi(self, order: float) -> float:
        """log Σ mass·e^((α−1)L) / (α−1), at least 0."""
        power = np.log(self.mass) + (order - 1) * self.values
        top = float(power.max())
        if top == math.inf:
            return math.inf
        return max(0.0, (top + math.log(float(np.exp(power - top).sum()))) / (order - 1))

    @property
    def mean(self) -> float:
        """Σ mass·L + r log r, r = the mass left out: the least that it can add (log-sum inequality)."""
        left = max(0.0, 1.0 - float(self.mass.sum()))
        return max(0.0, float(self.mass @ self.values) + (left * math.log(left) if left else 0.0))


@dataclass(frozen=True, eq=False)
class Events:
    """Events that may overlap: a figure is the largest that any one event and its complement show.

    `values` and `mass` are those of the event that tells most on average.

    Parameters
    ----------
    low
        A lower bound of each event's P, shape (events,).
    high
        An upper bound of its P', shape (events,).
    single
        The largest loss of a single output that was looked at besides.
    missing
        A bound on the mass whose loss is not known.

    Examples
    --------
    >>> Events(np.array([0.6, 0.2]), np.array([0.4, 0.2])).delta(np.array([0.0])).round(6).tolist()
    [0.2]
    """

    low: Floats
    high: Floats
    single: float = 0.0  # the largest loss of a single output that was looked at besides
    missing: float = 1.0

    @cached_property
    def _telling(self) -> tuple[Floats, Floats]:
        more = self.low > self.high
        return self.low[more], self.high[more]

    def _pairs(self) -> list[Outcomes]:
        return [_two(p, q) for p, q in zip(*(side.tolist() for side in self._telling), strict=True)]

    @cached_property
    def _best(self) -> Outcomes:
        return max(self._pairs(), key=lambda pair: pair.mean, default=Outcomes.of(np.zeros(1), np.ones(1)))

    @property
    def values(self) -> Floats:
        """L in the event that tells most on average, and in its complement."""
        return self._best.values

    @property
    def mass(self) -> Floats:
        """Their probability."""
        return self._best.mass

    @cached_property
    def highest(self) -> float:
        """log low/high of the event with the largest ratio, or `single`."""
        return max([self.single, *(pair.highest for pair in self._pairs())])

    def raised(self, highest: float) -> "Events":
        """The same where a single output shows a loss of `highest`."""
        return replace(self, single=max(self.single, highest))

    def delta(self, epsilon: Floats) -> Floats:
        """max (low − e^ε·high)⁺."""
        p, q = self._telling
        told = np.zeros(len(epsilon))
        for one, other in zip(p.tolist(), q.tolist(), strict=True):
            above = np.minimum(epsilon - math.log(one / other), 0.0) if other else np.full(len(epsilon), -math.inf)
            told = np.maximum(told, -one * np.expm1(above))
        return told + 0.0  # no minus zero

    def renyi(self, order: float) -> float:
        """The largest D_α of an event and its complement; D_α of two outcomes grows as P and P' move apart."""
        return max((pair.renyi(order) for pair in self._pairs()), default=0.0)

    @property
    def mean(self) -> float:
        """E[L] over that event and its complement."""
        return self._best.mean


def _two(p: float, q: float) -> Outcomes:
    """An event of mass p here and q there, and its complement."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mass, other = np.array([p, 1 - p]), np.array([q, 1 - q])
        return Outcomes.of(np.log(mass / other), mass)


Direction = Outcomes | Events
"""The loss seen from one of the two worlds.

`values` ascending and their `mass` in that world; `missing` bounds the mass they leave out; `highest` is the
largest L, which may be shown by an output too unlikely to be listed.
"""


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivacyLoss:
    """How far apart the laws of the output are in two neighbouring worlds.

    `largest` is max ``|L|`` over outputs, in either direction (infinite where one is possible in one world only).
    `values` and `mass` are the law of L under the first scores; `reversed` has it under the neighbour.

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
    ceiling: Ceiling
    seen: str
    output: Output
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
        """δ(ε) = Σ (P − e^ε P')⁺: at this ε the pair is (ε, δ)-close in this direction, and at no smaller δ."""
        return float(self.delta_curve([epsilon])[0])

    def delta_curve(self, epsilons: Iterable[float]) -> Floats:
        """δ at each ε ≥ 0."""
        return self.here.delta(np.array([check_number("epsilon", epsilon, low=0.0) for epsilon in epsilons]))

    def renyi(self, order: float) -> float:
        """The Rényi divergence of order α ≥ 1; the mean loss at 1, the largest loss of this direction at inf."""
        if order == math.inf:
            return self.here.highest
        order = check_number("order", order, low=1.0)
        return self.here.mean if order == 1 else self.here.renyi(order)

    def renyi_curve(self, orders: Iterable[float]) -> Floats:
        """`renyi` at each order."""
        return np.array([self.renyi(order) for order in orders])

    @property
    def mean(self) -> float:
        """E[L] under the first scores, the Kullback–Leibler divergence: the loss of an average output."""
        return self.here.mean

    def _repr_html_(self) -> str:
        """The largest loss beside what is promised, the mean, and which output shows it."""
        sign = "" if self.method == "exact" else "≥ "
        rows = [
            ("largest loss", f"{sign}{self.largest:.6g}"),
            ("promised, ε", self.ceiling.epsilon),
            *([("promised, δ", self.ceiling.delta)] if self.ceiling.delta else []),
            ("mean loss", f"{sign}{self.mean:.6g}"),
            ("seen", self.seen),
            ("shown by", self.output.text),
        ]
        return notebook_table("Privacy loss", rows, self.method)

    def __repr__(self) -> str:
        sign = "" if self.method == "exact" else "≥ "
        return f"PrivacyLoss({sign}{self.largest:.6g} of {self.ceiling.epsilon:g}, {self.output.text})"

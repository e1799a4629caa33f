"""The total of several releases, by each way to add up."""

import math
from dataclasses import dataclass

from dpviz.base import Frame, TabularResult, check_choice, pd, round_up

TOTAL_DIGITS = 4
FIXED_IN_ADVANCE = "bounded range"
"""The way that holds only if all releases are fixed in advance: it is shown and never taken."""


@dataclass(frozen=True)
class Total:
    """A total (ε, δ) of releases, and the way that proves it.

    Parameters
    ----------
    epsilon, delta
        ε of all of them, and the δ that goes with it: 0 where the total is pure.
    way
        The way's name: "basic", "pure", "rho", "own loss" or "bounded range".

    Examples
    --------
    >>> print(Total(5.00975, 1e-6, "pure"), Total(0.6, 0.0, "basic"), sep="; ")
    ε = 5.01 at δ = 1e-06; ε = 0.6
    """

    epsilon: float
    delta: float
    way: str

    def __str__(self) -> str:
        at = f" at δ = {round_up(self.delta, TOTAL_DIGITS):g}" if self.delta else ""
        return f"ε = {round_up(self.epsilon, TOTAL_DIGITS):g}{at}"


@dataclass(frozen=True)
class CompositionWay:
    """One way to add up."""

    name: str
    total: Total | None
    reason: str = ""

    @property
    def epsilon(self) -> float | None:
        """ε of the total at its δ; None where the way does not hold."""
        return None if self.total is None else self.total.epsilon


@dataclass(frozen=True, repr=False)
class Composition(TabularResult):
    """The total of some releases at one δ, way by way.

    Parameters
    ----------
    releases
        Number of releases.
    delta
        δ of all of them together.
    rho
        Sum of their ρ.
    ways
        The ways to add up, each with its total, or the reason why it does not hold.

    Examples
    --------
    >>> from dpviz import GaussianCounts, compose
    >>> compose([(GaussianCounts(epsilon=1.0, k=2, delta=1e-6), 12)])
    Composition(12 releases, no total: Their own δ adds up to 1.2e-05, above 0.)
    """

    releases: int
    delta: float
    rho: float
    ways: tuple[CompositionWay, ...]

    def find_way(self, name: str) -> CompositionWay:
        """The way of that name; "own loss" exists where some release has its own noise."""
        ways = {way.name: way for way in self.ways}
        return ways[check_choice("way", name, ways)]

    @property
    def total(self) -> Total | None:
        """The smallest total that holds adaptively (ties by δ); None without any."""
        holds = [
            way.total for way in self.ways if way.total is not None and way.name != FIXED_IN_ADVANCE
        ]
        return min(
            holds,
            key=lambda total: (round_up(total.epsilon, TOTAL_DIGITS), total.delta),
            default=None,
        )

    @property
    def epsilon(self) -> float | None:
        return None if self.total is None else self.total.epsilon

    @property
    def reason(self) -> str:
        """Reason why there is no total; "" where there is one."""
        return "" if self.total else self.ways[0].reason

    def frame(self) -> Frame:
        """A row for each way: way, epsilon, delta, taken, reason."""
        rows = [
            {
                "way": way.name,
                "epsilon": math.nan if way.total is None else way.total.epsilon,
                "delta": math.nan if way.total is None else way.total.delta,
                "taken": way.total is not None and way.total == self.total,
                "reason": way.reason,
            }
            for way in self.ways
        ]
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        total = self.total
        told = f"no total: {self.reason}" if total is None else f"{total} by {total.way}"
        return f"Composition({self.releases:,} releases, {told})"

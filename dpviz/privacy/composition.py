"""What several releases cost together, in ε at one δ, by each way that is proved for them.

Ways: basic (Σε, Σδ); by ρ (Σρ, turned into ε at δ); by bounded range (n alike, each an exponential mechanism as a
whole and all fixed in advance).
Invariant: a way that does not hold says why and gives no figure; the first two hold for releases that are
chosen in the light of earlier ones.
Sources: Dwork & Roth 2014, Thm 3.16; Bun & Steinke 2016, Lemma 1.7; Dong, Durfee & Rogers 2020, Thm 2.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpviz.base.described import Described
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_choice, check_inside, check_number
from dpviz.privacy.prices import bounded_range_epsilon, zcdp_epsilon, zcdp_of_pure


@dataclass(frozen=True)
class Way:
    """One way to add up: the total ε at δ, or None with the reason."""

    name: str
    epsilon: float | None
    reason: str = ""


@dataclass(frozen=True)
class Composition:
    """The total of some releases at one δ, way by way.

    Parameters
    ----------
    releases
        How many there are.
    delta
        δ that the totals are stated at.
    rho
        Σρ; None where some release has none.
    ways
        Each way with its total ε, or why it does not hold.
    """

    releases: int
    delta: float
    rho: float | None
    ways: tuple[Way, ...]

    def way(self, name: str) -> Way:
        """The way named "basic", "rho" or "bounded range"."""
        ways = {way.name: way for way in self.ways}
        return ways[check_choice("way", name, ways)]

    @property
    def epsilon(self) -> float | None:
        """The smallest total that holds whatever earlier releases showed: basic or by ρ; None where neither does."""
        holds = [way.epsilon for way in self.ways[:2] if way.epsilon is not None]
        return min(holds, default=None)


@dataclass(frozen=True)
class _Release:
    epsilon: float
    delta: float
    rho: float | None  # None where δ > 0
    whole: bool  # one exponential mechanism


def compose(releases: Iterable[Any], *, delta: float = 0.0) -> Composition:
    """What several releases cost together.

    A release without δ and without a ρ of its own counts as ε²/2.

    Parameters
    ----------
    releases
        Mechanisms, or pairs (ε, δ) for what is none, such as a rule's total; at least one.
    delta
        δ from 0 to below 1 that the totals are stated at.

    Returns
    -------
    Composition
        The total ε by each way that is proved.

    Raises
    ------
    ParameterError
        For no releases, and for a rule among candidates, whose price depends on theirs.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> total = compose([Canonical(epsilon=0.2, k=10)] * 30, delta=1e-6)
    >>> [(way.name, round(way.epsilon, 3)) for way in total.ways]
    [('basic', 6.0), ('rho', 2.673), ('bounded range', 2.459)]
    """
    delta = check_inside("delta", delta) if delta != 0 else 0.0
    told = [_release(release) for release in releases]
    if not told:
        raise ParameterError("the number of releases", 0, "at least 1")
    rhos = [release.rho for release in told if release.rho is not None]
    rho = math.fsum(rhos) if len(rhos) == len(told) else None
    return Composition(len(told), delta, rho, (_basic(told, delta), _by_rho(rho, delta), _by_range(told, delta)))


def _release(release: Any) -> _Release:
    if isinstance(release, Described) and hasattr(release, "epsilon"):
        epsilon, delta = release.epsilon, release.delta_spent
        rho = zcdp_of_pure(epsilon) if release.zcdp is None else release.zcdp
        return _Release(epsilon, delta, None if delta else rho, getattr(release, "exponential_rounds", None) == 1)
    if not isinstance(release, tuple) or len(release) != 2:
        raise ParameterError("a release", release, "a mechanism with an ε of its own, or a pair (ε, δ)")
    epsilon = check_number("the epsilon of a release", release[0], low=0.0)
    delta = check_number("the delta of a release", release[1], low=0.0, high=1.0)
    return _Release(epsilon, delta, None if delta else zcdp_of_pure(epsilon), whole=False)


def _basic(told: list[_Release], delta: float) -> Way:
    spent = math.fsum(release.delta for release in told)
    if spent > delta:
        return Way("basic", None, f"Their own δ adds up to {spent:g}, above {delta:g}.")
    return Way("basic", math.fsum(release.epsilon for release in told))


def _by_rho(rho: float | None, delta: float) -> Way:
    if rho is None:
        return Way("rho", None, "A release with a δ of its own has no ρ.")
    if delta == 0:
        return Way("rho", None, "Turning ρ into ε needs a δ above 0.")
    return Way("rho", zcdp_epsilon(rho, delta))


def _by_range(told: list[_Release], delta: float) -> Way:
    if not all(release.whole for release in told):
        return Way("bounded range", None, "Not every release is one exponential mechanism.")
    if len({release.epsilon for release in told}) > 1:
        return Way("bounded range", None, "The releases do not all have the same ε.")
    if delta == 0:
        return Way("bounded range", None, "It says more than basic composition only at a δ above 0.")
    return Way("bounded range", bounded_range_epsilon(delta, told[0].epsilon, len(told)))

"""What releases cost beside their ε: ρ of zero-concentrated DP, (ε, δ) of bounded range, and several of them together.

Symbols: ρ-zCDP: D_α ≤ ρα for all α > 1; ε-bounded-range: L lies in some [t − ε, t], which an exponential
mechanism of ε keeps and implies ρ = ε²/8; any ε-DP release has ρ = ε²/2.
Ways to add up: basic (Σε, Σδ); by ρ (Σρ, turned into ε at δ); by bounded range (n alike, each an exponential mechanism
as a whole and all fixed in advance).
Invariants: permute-and-flip, report noisy max and the like are not ε-bounded-range (the range of permute-and-flip
reaches 1.95ε), so they never get the exponential mechanism's price. A way that does not hold says why and gives no
figure; the first two hold for releases that are chosen in the light of earlier ones.
Sources: Bun & Steinke 2016, Prop 1.4, Lemma 1.7; Canonne, Kamath & Steinke 2020, Prop 12; Cesar & Rogers 2021, Lemma
3.2 (ε²/8); Dong, Durfee & Rogers 2020, Thm 2 (bounded range, releases fixed in advance); Dwork & Roth 2014, Thm 3.16.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from dpviz.base import Described, ParameterError, check_choice, check_inside, check_integer, check_number

_STEPS = 200
_BISECTIONS = 100


def why_no_zcdp(mechanism: Any) -> str | None:
    """Why `mechanism.zcdp` is None, in a sentence; None where it is not.

    >>> from dpviz import OneShot
    >>> why_no_zcdp(OneShot(epsilon=1.0, k=1, noise="exponential"))
    'With exponential noise it is no exponential mechanism, and its loss may range over more than ε.'
    """
    if mechanism.zcdp is not None:
        return None
    if hasattr(mechanism, "noise"):
        return f"With {mechanism.noise} noise it is no exponential mechanism, and its loss may range over more than ε."
    if mechanism.delta_spent:
        return "It is (ε, δ)-DP, and its largest loss is not bounded."
    return "It is no exponential mechanism: no ρ below the ε²/2 of any ε-DP release is proved for it."


def zcdp_of_pure(epsilon: float) -> float:
    """ρ = ε²/2, which any ε-DP release has.

    >>> zcdp_of_pure(0.5)
    0.125
    """
    return check_number("epsilon", epsilon, low=0.0) ** 2 / 2


def zcdp_epsilon(rho: float, delta: float) -> float:
    """The ε at which ρ-zCDP is (ε, δ)-DP: the smallest ρα + log(1 − 1/α) − log(δα)/(α − 1) over α > 1.

    0 where δ² ≥ 1 − e^(−ρ), as δ is at most that root (Bretagnolle & Huber).

    >>> round(zcdp_epsilon(0.02, 1e-6), 4)
    0.8999
    """
    rho = check_number("rho", rho, low=0.0)
    delta = check_inside("delta", delta)
    if rho == 0 or delta**2 >= -math.expm1(-rho):
        return 0.0
    scale = math.sqrt(-math.log(delta) / rho)

    def at(log_order: float) -> float:
        above = scale * math.exp(log_order)  # α − 1
        return rho * (1 + above) - math.log1p(1 / above) - (math.log(delta) + math.log1p(above)) / above

    return max(0.0, _least(at))


def _least(at: Any) -> float:
    """The smallest value over log orders from −14 to 14: a grid, then the best interval; any value is a bound."""
    grid = np.linspace(-14.0, 14.0, _STEPS)
    values = [at(float(point)) for point in grid]
    best = int(np.argmin(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, _STEPS - 1)]
    found = scipy.optimize.minimize_scalar(
        at, bounds=(float(low), float(high)), method="bounded", options={"xatol": 1e-9}
    )
    return min(float(values[best]), float(found.fun))


def bounded_range_delta(at: float, epsilon: float, releases: int = 1) -> float:
    """The smallest δ at ε' = `at` of n releases, each ε-bounded-range and fixed in advance.

    The largest over t of Σ_i binom(n,i) p^(n−i) (1−p)^i (1 − e^(ε'+iε−nt))⁺, p = (1 − e^(t−ε))/(1 − e^(−ε)), which
    some t = (ε' + (l+1)ε)/(n+1) reaches. For one release it is (e^(ε/2) − e^(ε'/2))²/(e^ε − 1).

    >>> round(bounded_range_delta(0.1, 0.4), 6)
    0.058852
    """
    at, epsilon = check_number("at", at, low=0.0), check_number("epsilon", epsilon, low=0.0, above=True)
    n = check_integer("releases", releases, low=1)
    if at >= n * epsilon:
        return 0.0
    i = np.arange(n + 1)
    log_binomial = scipy.special.gammaln(n + 1) - scipy.special.gammaln(i + 1) - scipy.special.gammaln(n - i + 1)
    most = 0.0
    for t in np.unique(np.clip((at + (i + 1) * epsilon) / (n + 1), 0.0, epsilon)).tolist():
        p = math.expm1(t - epsilon) / math.expm1(-epsilon)
        share = np.exp(log_binomial + scipy.special.xlogy(n - i, p) + scipy.special.xlog1py(i, -p))
        most = max(most, float(share @ -np.expm1(np.minimum(at + i * epsilon - n * t, 0.0))))
    return min(1.0, most)


def bounded_range_epsilon(delta: float, epsilon: float, releases: int = 1) -> float:
    """The smallest ε' at which `bounded_range_delta` is at most δ, from above.

    >>> round(bounded_range_epsilon(0.058852, 0.4), 4)
    0.1
    """
    delta = check_inside("delta", delta)
    low, high = 0.0, releases * check_number("epsilon", epsilon, low=0.0, above=True)
    if bounded_range_delta(0.0, epsilon, releases) <= delta:
        return 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if bounded_range_delta(middle, epsilon, releases) <= delta:
            high = middle
        else:
            low = middle
    return high


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

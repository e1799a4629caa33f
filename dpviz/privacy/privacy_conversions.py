"""Prices of a release beside its ε: ρ of zero-concentrated DP, and (ε, δ) of bounded range.

Symbols: ρ-zCDP: D_α ≤ ρα for all α > 1; ε-bounded-range: L lies in some [t − ε, t], which an
exponential mechanism of ε keeps and implies ρ = ε²/8; any ε-DP release has ρ = ε²/2; gaussian noise
that moves by s has ρ = s²/2. Permute-and-flip and the like are not ε-bounded-range.
Sources: Bun & Steinke 2016, Prop 1.4; Canonne, Kamath & Steinke 2020, Prop 12; Cesar & Rogers 2021,
Lemma 3.2 (ε²/8); Dong, Durfee & Rogers 2020, Thm 2; Balle & Wang 2018, Thm 8 (gaussian noise).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from dpviz.base import check_integer, check_number, check_open_interval
from dpviz.numerics.gaussian_shift import gaussian_delta
from dpviz.numerics.interval_search import bisect


def explain_missing_zcdp(mechanism: Any) -> str | None:
    """The reason why `mechanism.zcdp` is None, in a sentence; None where it is not."""
    if mechanism.zcdp is not None:
        return None
    if hasattr(mechanism, "noise"):
        return (
            f"With {mechanism.noise} noise it is no exponential mechanism, and its loss may range"
            " over more than ε."
        )
    if mechanism.delta_spent:
        return "It is (ε, δ)-DP, and its largest loss is not bounded."
    return (
        "It is no exponential mechanism: no ρ below the ε²/2 of any ε-DP release is proved for it."
    )


def pure_to_zcdp(epsilon: float) -> float:
    """ρ = ε²/2, which any ε-DP release has."""
    return check_number("epsilon", epsilon, low=0.0) ** 2 / 2


def zcdp_epsilon(rho: float, delta: float) -> float:
    """The ε at which ρ-zCDP is (ε, δ)-DP: min over α > 1 of ρα + log(1 − 1/α) − log(δα)/(α − 1)."""
    rho = check_number("rho", rho, low=0.0)
    delta = check_open_interval("delta", delta)
    if rho == 0 or delta**2 >= -math.expm1(-rho):  # by Bretagnolle & Huber
        return 0.0
    scale = math.sqrt(-math.log(delta) / rho)

    def at(log_order: float) -> float:
        above = scale * math.exp(log_order)  # α − 1
        return (
            rho * (1 + above)
            - math.log1p(1 / above)
            - (math.log(delta) + math.log1p(above)) / above
        )

    grid = np.linspace(-14.0, 14.0, 200).tolist()
    values = [at(point) for point in grid]
    best = int(np.argmin(values))
    bounds = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    found = scipy.optimize.minimize_scalar(
        at, bounds=bounds, method="bounded", options={"xatol": 1e-9}
    )
    return max(0.0, min(values[best], float(found.fun)))  # any value is a bound


def zcdp_variation(rho: float) -> float:
    """The most that ρ-zCDP lets the total variation be: √(ρ/2), and √(1 − e^(−ρ)) for large ρ."""
    rho = check_number("rho", rho, low=0.0)
    return min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))


def bounded_range_delta(at: float, epsilon: float, releases: int = 1) -> float:
    """The smallest δ at ε' = `at` of n releases, each ε-bounded-range and fixed in advance."""
    at = check_number("at", at, low=0.0)
    epsilon = check_number("epsilon", epsilon, low=0.0, above=True)
    n = check_integer("releases", releases, low=1)
    if at >= n * epsilon:
        return 0.0
    i = np.arange(n + 1)
    log_binomial = (
        scipy.special.gammaln(n + 1)
        - scipy.special.gammaln(i + 1)
        - scipy.special.gammaln(n - i + 1)
    )
    # the largest over t of Σ_i binom(n,i) p^(n−i) (1−p)^i (1 − e^(ε'+iε−nt))⁺,
    # p = (1 − e^(t−ε))/(1 − e^(−ε)), which some t = (ε' + (l+1)ε)/(n+1) reaches;
    # for n = 1 it is (e^(ε/2) − e^(ε'/2))²/(e^ε − 1)
    most = 0.0
    for t in np.unique(np.clip((at + (i + 1) * epsilon) / (n + 1), 0.0, epsilon)).tolist():
        p = math.expm1(t - epsilon) / math.expm1(-epsilon)
        share = np.exp(log_binomial + scipy.special.xlogy(n - i, p) + scipy.special.xlog1py(i, -p))
        most = max(most, float(share @ -np.expm1(np.minimum(at + i * epsilon - n * t, 0.0))))
    return min(1.0, most)


def bounded_range_epsilon(delta: float, epsilon: float, releases: int = 1) -> float:
    """The smallest ε' at which `bounded_range_delta` is at most δ, from above."""
    delta = check_open_interval("delta", delta)
    most = releases * check_number("epsilon", epsilon, low=0.0, above=True)
    return bisect_epsilon(lambda at: bounded_range_delta(at, epsilon, releases) <= delta, most)


def gaussian_epsilon(shift: float, delta: float) -> float:
    """The smallest ε' at δ, from above, of gaussian noise that moves by `shift` deviations."""
    shift, delta = check_number("shift", shift, low=0.0), check_open_interval("delta", delta)
    most = shift * (shift / 2 + math.sqrt(-2 * math.log(delta)))  # by ρ = s²/2 and a normal tail
    return bisect_epsilon(lambda at: float(gaussian_delta(at, shift)) <= delta, most)


def bisect_epsilon(holds: Callable[[float], bool], most: float) -> float:
    """The smallest ε from 0 to `most` at which a monotone condition holds, from above."""
    return 0.0 if holds(0.0) else bisect(holds, 0.0, most, rounds=64)[1]

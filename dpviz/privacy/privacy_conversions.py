"""(ε, δ) of releases: from their ε alone, from ρ of zero-concentrated DP, and from bounded range.

Symbols: ρ-zCDP: D_α ≤ ρα for all α > 1; ε-bounded-range: L lies in some [t − ε, t], which an
exponential mechanism of ε keeps and implies ρ = ε²/8; any ε-DP release has ρ = ε²/2; gaussian noise
that moves by s has ρ = s²/2. Permute-and-flip and the like are not ε-bounded-range.
By ε alone a release tells no more than a randomised response, whose loss is ε with chance 1/(1 +
e^(−ε)), else −ε. So n of ε lose (n − 2l)ε with chance binom(n, l) e^((n−l)ε)/(1 + e^ε)^n, and δ(e)
= Σ_{L>e} P(L)(1 − e^(e−L)) is exact. Unlike ε are convolved on a grid, from above.
Invariant: rounding and left out tails are taken off δ or added to ε; no figure is below the truth.
Sources: Kairouz, Oh & Viswanath 2015, Thms 3.2 and 3.3; Murtagh & Vadhan 2016 (unlike ε); Bun &
Steinke 2016, Prop 1.4; Canonne, Kamath & Steinke 2020, Prop 12; Cesar & Rogers 2021, Lemma 3.2
(ε²/8); Dong, Durfee & Rogers 2020, Thm 2; Balle & Wang 2018, Thm 8 (gaussian noise).
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from dpviz.base import Floats, check_integer, check_number, check_open_interval
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.noise_shifts import gaussian_delta

_LEAST_DELTA = 1e-250  # below it floating point cannot tell tails apart, and only Σε is claimed
_CELLS = 1 << 14  # of the grid of unlike ε
_LEFT_OUT = 1e-9  # of δ, of which tails may take so much
_ROUNDING = 2.0**-48

_Times = tuple[tuple[float, int], ...]  # each ε, and how often it comes


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
    log_delta, furthest = math.log(delta), math.sqrt(-math.log(delta) / rho)

    def slope(above: float) -> float:  # by α, times (α − 1)²; above = α − 1
        return rho * above**2 + math.log1p(above) + log_delta

    above = scipy.optimize.brentq(slope, 0.0, furthest, xtol=1e-12 * furthest)
    epsilon = rho * (1 + above) - math.log1p(1 / above) - (log_delta + math.log1p(above)) / above
    return max(0.0, epsilon)  # at any α it is a bound


def zcdp_total_variation_bound(rho: float) -> float:
    """The most that ρ-zCDP lets the total variation be: √(ρ/2), and √(1 − e^(−ρ)) for large ρ."""
    rho = check_number("rho", rho, low=0.0)
    return min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))


def bounded_range_delta(total_epsilon: float, range_epsilon: float, releases: int = 1) -> float:
    """The smallest δ at ε' = `total_epsilon` of n releases, each ε-bounded-range and fixed in
    advance.
    """
    total_epsilon = check_number("at", total_epsilon, low=0.0)
    range_epsilon = check_number("epsilon", range_epsilon, low=0.0, above=True)
    n = check_integer("releases", releases, low=1)
    if total_epsilon >= n * range_epsilon:
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
    for t in np.unique(
        np.clip((total_epsilon + (i + 1) * range_epsilon) / (n + 1), 0.0, range_epsilon)
    ).tolist():
        p = math.expm1(t - range_epsilon) / math.expm1(-range_epsilon)
        share = np.exp(log_binomial + scipy.special.xlogy(n - i, p) + scipy.special.xlog1py(i, -p))
        most = max(
            most,
            float(share @ -np.expm1(np.minimum(total_epsilon + i * range_epsilon - n * t, 0.0))),
        )
    return min(1.0, most)


def bounded_range_epsilon(delta: float, range_epsilon: float, releases: int = 1) -> float:
    """The smallest ε' at which `bounded_range_delta` is at most δ, from above."""
    delta = check_open_interval("delta", delta)
    most = releases * check_number("epsilon", range_epsilon, low=0.0, above=True)
    return bisect_epsilon(
        lambda at: bounded_range_delta(at, range_epsilon, releases) <= delta, most
    )


def gaussian_epsilon(shift: float, delta: float) -> float:
    """The smallest ε' at δ, from above, of gaussian noise that moves by `shift` deviations."""
    shift, delta = check_number("shift", shift, low=0.0), check_open_interval("delta", delta)
    most = shift * (shift / 2 + math.sqrt(-2 * math.log(delta)))  # by ρ = s²/2 and a normal tail
    return bisect_epsilon(lambda at: float(gaussian_delta(at, shift)) <= delta, most)


def bisect_epsilon(is_large_enough: Callable[[float], bool], largest_epsilon: float) -> float:
    """The smallest ε from 0 to `largest_epsilon` at which a monotone condition holds, from above."""
    return (
        0.0 if is_large_enough(0.0) else bisect(is_large_enough, 0.0, largest_epsilon, rounds=64)[1]
    )


def pure_composition_delta(total_epsilon: float, releases: Mapping[float, int]) -> float:
    """δ at ε' = `total_epsilon` of pure releases: exact where all have one ε, else from above."""
    total_epsilon, releases = check_number("at", total_epsilon, low=0.0), _checked(releases)
    return _composed_delta(total_epsilon, tuple(releases.items())) if releases else 0.0


@lru_cache(maxsize=1024)  # mechanisms of one ε cost the same by it alone
def _composed_delta(at: float, releases: _Times) -> float:
    return min(1.0, _delta(at, *_law(releases, 0.0)))


def pure_composition_epsilon(delta: float, releases: Mapping[float, int]) -> float:
    """The smallest ε' at which pure releases are (ε', δ)-DP by their ε alone, from above."""
    delta, releases = check_open_interval("delta", delta), _checked(releases)
    sum_of_all = math.fsum(epsilon * times for epsilon, times in releases.items())
    if delta < _LEAST_DELTA or not sum_of_all:
        return sum_of_all
    return _composed_epsilon(delta, tuple(releases.items()), sum_of_all)


@lru_cache(maxsize=1024)
def _composed_epsilon(delta: float, releases: _Times, sum_of_all: float) -> float:
    cut = _LEFT_OUT * delta / len(releases)
    loss, mass = _law(releases, cut)
    n = sum(times for _, times in releases)
    # of logs of chances, and of their sums
    rounding = _ROUNDING * (n * math.log(n) + n + _CELLS * len(releases))
    held = delta * (1 - _LEFT_OUT - rounding)
    found = bisect_epsilon(lambda at: _delta(at, loss, mass) <= held, sum_of_all)
    return min(sum_of_all, found + _ROUNDING * sum_of_all) if found else 0.0  # as is a loss


def _checked(releases: Mapping[float, int]) -> dict[float, int]:
    told = {
        check_number("epsilon", epsilon, low=0.0): check_integer("releases", times, low=1)
        for epsilon, times in releases.items()
    }
    return {epsilon: times for epsilon, times in told.items() if epsilon}


def _delta(at: float, loss: Floats, mass: Floats) -> float:
    return float(mass @ -np.expm1(np.minimum(at - loss, 0.0)))


def _law(releases: _Times, cut: float) -> tuple[Floats, Floats]:
    """The losses of all together, from above, and the chance of each."""
    laws = [_alike(epsilon, times, cut) for epsilon, times in releases]
    if len(laws) == 1:
        return laws[0]
    # 1.0 where one loss of each is kept
    step = sum(float(loss[0] - loss[-1]) for loss, _ in laws) / _CELLS or 1.0
    lowest = 0.0
    together: Floats = np.ones(1)
    for loss, mass in laws:
        cells = discretise_loss_mass(loss - loss[-1], mass, step)
        before = together
        together = np.zeros(len(before) + len(cells) - 1)
        for at in np.flatnonzero(cells).tolist():  # which are few
            together[at : at + len(before)] += cells[at] * before
        lowest += float(loss[-1])
    present = np.flatnonzero(together)
    losses: Floats = lowest + step * present.astype(float)
    return losses, together[present]


def _alike(epsilon: float, times: int, cut: float) -> tuple[Floats, Floats]:
    """The losses of n releases of ε, falling, and their chances, without tails of at most `cut`."""
    wrong = np.arange(times + 1, dtype=float)
    log_binomial = -scipy.special.betaln(times - wrong + 1, wrong + 1) - math.log(times + 1)
    mass = np.exp(log_binomial - times * math.log1p(math.exp(-epsilon)) - wrong * epsilon)
    first = int(np.searchsorted(np.cumsum(mass), cut, side="right"))
    last = times - int(np.searchsorted(np.cumsum(mass[::-1]), cut, side="right"))
    kept = slice(first, last + 1)
    loss: Floats = (times - 2 * wrong[kept]) * epsilon
    chance: Floats = mass[kept].copy()
    chance[-1] += mass[last + 1 :].sum()
    return loss, chance


def discretise_loss_mass(loss: Floats, mass: Floats, interval: float) -> Floats:
    """A law on multiples of a step that keeps the chance of each loss in both worlds."""
    below = np.floor(loss / interval).astype(int)
    up = mass * np.expm1(below * interval - loss) / math.expm1(-interval)
    cells = np.bincount(below, mass - up, below.max() + 2)
    cells[1:] += np.bincount(below, up, len(cells) - 1)
    return np.maximum(cells, 0.0)

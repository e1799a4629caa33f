"""The smallest total of ε-DP releases at δ that follows from their ε alone.

Symbols: a release of ε tells no more than a randomised response, whose loss is ε with chance 1/(1 +
e^(−ε)), else −ε. So n of ε lose (n − 2l)ε with chance binom(n, l) e^((n−l)ε)/(1 + e^ε)^n, and δ(e)
= Σ_{L>e} P(L)(1 − e^(e−L)) is exact. Unlike ε are convolved on a grid, from above.
Invariant: rounding and left out tails are taken off δ or added to ε; no figure is below the truth.
Sources: Kairouz, Oh & Viswanath 2015, Thms 3.2 and 3.3; Murtagh & Vadhan 2016 (unlike ε).
"""

import math
from collections.abc import Mapping

import numpy as np
import scipy

from dpviz.base import Floats, check_integer, check_number, check_open_interval
from dpviz.privacy.privacy_conversions import bisect_epsilon

_LEAST_DELTA = 1e-250  # below it floating point cannot tell tails apart, and only Σε is claimed
_CELLS = 1 << 14  # of the grid of unlike ε
_LEFT_OUT = 1e-9  # of δ, of which tails may take so much
_ROUNDING = 2.0**-48


def pure_composition_delta(at: float, releases: Mapping[float, int]) -> float:
    """δ at ε' = `at` of pure releases: exact where all have one ε, else from above."""
    at, releases = check_number("at", at, low=0.0), _checked(releases)
    return min(1.0, _delta(at, *_law(releases, 0.0))) if releases else 0.0


def pure_composition_epsilon(delta: float, releases: Mapping[float, int]) -> float:
    """The smallest ε' at which pure releases are (ε', δ)-DP by their ε alone, from above."""
    delta, releases = check_open_interval("delta", delta), _checked(releases)
    sum_of_all = math.fsum(epsilon * times for epsilon, times in releases.items())
    if delta < _LEAST_DELTA or not sum_of_all:
        return sum_of_all
    cut = _LEFT_OUT * delta / len(releases)
    loss, mass = _law(releases, cut)
    n = sum(releases.values())
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


def _law(releases: Mapping[float, int], cut: float) -> tuple[Floats, Floats]:
    """The losses of all together, from above, and the chance of each."""
    laws = [_alike(epsilon, times, cut) for epsilon, times in releases.items()]
    if len(laws) == 1:
        return laws[0]
    # 1.0 where one loss of each is kept
    step = sum(float(loss[0] - loss[-1]) for loss, _ in laws) / _CELLS or 1.0
    lowest, together = 0.0, np.ones(1)
    for loss, mass in laws:
        together = np.convolve(together, discretise_loss(loss - loss[-1], mass, step))
        lowest += float(loss[-1])
    losses: Floats = lowest + step * np.arange(len(together), dtype=float)
    return losses, together


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


def discretise_loss(loss: Floats, mass: Floats, step: float) -> Floats:
    """A law on multiples of a step that keeps the chance of each loss in both worlds."""
    below = np.floor(loss / step).astype(int)
    up = mass * np.expm1(below * step - loss) / math.expm1(-step)
    cells = np.bincount(below, mass - up, below.max() + 2)
    cells[1:] += np.bincount(below, up, len(cells) - 1)
    return np.maximum(cells, 0.0)

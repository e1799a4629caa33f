"""Gaussian noise and the lowest threshold that (ε, δ) allows, chosen together.

Symbols: c = items of one person, σ = the noise, τ = the threshold, in units of a person's change; p
= Φ((1 − τ)/σ), the chance that a new name passes; q_j = 1 − (1 − p)^j, that some of j new names
does; s = the shift of the other counts over σ. With j of the c names new: δ_j = q_j + (1 − q_j)·δ(ε
− log(1 − q_j); s) and, the other way, δ(ε + log(1 − q_j); s), at s = √(c − j)/σ. If one person
replaces another, a names vanish and b are new: √(2c − a − b) for the distance and ε + log((1 −
q_b)/(1 − q_a)), bounded by b = c in the logarithm and b = 0 in the distance.
Invariants: no pair (σ, τ) returned exceeds δ for any number of new names.
Source: Wilkins, Kifer, Zhang & Karrer 2022 (cost of new names); the search for τ is ours.
"""

from functools import lru_cache

import numpy as np
import scipy

from dpviz.base import Floats
from dpviz.numerics.gaussian_shift import ROUNDING, gaussian_delta, largest_gaussian_shift

_LOOKS = 3  # each between the neighbours of the best
_SIGMAS = 24
_WIDEST = 30.0  # times the smallest σ
_HALVINGS = 60
_LOG_LEAST = -700.0
_EACH = 200  # up to so many new names are looked at one by one


@lru_cache(maxsize=512)
def gaussian_threshold(
    epsilon: float, delta: float, contributions: int, *, replaced: bool
) -> tuple[float, float]:
    """(σ, τ) with the lowest τ, at least 1, from ε, δ and c alone.

    >>> sigma, tau = gaussian_threshold(1.0, 1e-5, 1, replaced=False)
    >>> round(sigma, 3), round(tau, 3)
    (3.731, 16.911)
    """
    moved = np.sqrt(2 * contributions if replaced else contributions)
    smallest = moved / largest_gaussian_shift(epsilon, delta)
    sigmas = smallest * np.geomspace(1.0 + 1e-9, _WIDEST, _SIGMAS)
    for _ in range(_LOOKS):
        passing = _largest_passing(sigmas, epsilon, delta, contributions, replaced)
        thresholds = 1.0 - sigmas * scipy.special.ndtri(passing)
        best = int(np.argmin(thresholds))
        found = float(sigmas[best]), float(thresholds[best])
        sigmas = np.linspace(sigmas[max(best - 1, 0)], sigmas[min(best + 1, _SIGMAS - 1)], _SIGMAS)
    return found


def _largest_passing(
    sigmas: Floats, epsilon: float, delta: float, contributions: int, replaced: bool
) -> Floats:
    """For each σ the largest p up to ½ that keeps δ; almost 0 if none does."""
    low, high = np.full(len(sigmas), _LOG_LEAST), np.full(len(sigmas), np.log(0.5))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        reached = threshold_delta(sigmas, np.exp(middle), epsilon, contributions, replaced=replaced)
        kept = reached <= delta * (1 - ROUNDING)
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.asarray(np.exp(low))


def threshold_delta(
    sigma: Floats, passing: Floats, epsilon: float, contributions: int, *, replaced: bool
) -> Floats:
    """The largest δ of any number of new names, elementwise in σ and p."""
    new = (
        np.arange(contributions + 1)
        if contributions <= _EACH
        else np.linspace(0, contributions, _EACH).astype(int)
    )
    upto = np.append(new[1:] - 1, contributions)  # whole blocks from above where c is large
    log_out = np.log1p(-passing)[:, None]
    log_stay, some = log_out * upto, -np.expm1(log_out * upto)  # log(1 − q_j), q_j
    if replaced:
        shift = np.sqrt(2 * contributions - new) / sigma[:, None]
        worst = gaussian_delta(epsilon + log_out * contributions - log_stay, shift)
        return np.asarray((some + (1 - some) * worst).max(1))
    shift = np.sqrt(contributions - new) / sigma[:, None]
    there = some + (1 - some) * gaussian_delta(epsilon - log_stay, shift)
    return np.asarray(np.maximum(there, gaussian_delta(epsilon + log_stay, shift)).max(1))

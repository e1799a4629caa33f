"""Numerical checks of a noise family before it goes on the menu.

Symbols as in `noise`; f/S is its hazard rate, the slope of −log S. Noise of hazard h loses h·ε, so
ε holds where h ≤ 1. A grid proves no supremum: a family that passes is checked, not proved.
"""

import math
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats, log1mexp
from dpviz.base.errors import ParameterError

POINTS = 4_000
_DEEPEST = 700.0  # −log of the tails looked at
_SLACK = 1e-9
_ROUNDING = 2.0**-48  # of a log or a place
_FAR = 350.0  # −log S from where a hazard that still grows is taken to grow for ever
_FAR_OUT = np.array([60.0, 100.0, 300.0, 600.0])
_NEAR, _ABOUT = 0.5, 0.01  # of a log, within which Simpson's rule is right to less than this
_JUMPS = 0.02  # of the intervals, in which a density may jump


def check_noise_privacy(name: str, noise: Any) -> str:
    """Refuse a noise for which ε would not hold; return a sentence unless that is proved."""
    u = _places(name, noise)
    log_sf, log_cdf, log_pdf = noise.log_sf(u), noise.log_cdf(u), noise.log_pdf(u)
    gap, rounding = np.diff(u), _ROUNDING * (1 + np.abs(u[1:]) + np.abs(log_sf[1:]))
    # slopes come from log S itself, so that a wrong density hides nothing
    fall = -np.diff(log_sf)
    steep = fall - gap * (1 + _SLACK) > rounding
    hazard = np.exp(
        np.append(log_pdf - log_sf, np.log(np.maximum(fall[steep] / gap[steep], 1e-300)))
    )
    if steep.any() or hazard.max() > 1 + _SLACK:
        _refuse_hazard(name, hazard, np.append(log_sf, log_sf[1:][steep]))
    right = log_sf[1:] < log_cdf[1:]
    rise = np.where(right, fall, np.diff(log_cdf))
    at = [
        np.exp(noise.log_pdf(z) - np.where(right, noise.log_sf(z), noise.log_cdf(z)))
        for z in (u[:-1], 0.5 * (u[1:] + u[:-1]), u[1:])
    ]
    near = (rise > 1e-6) & (rise < _NEAR)
    ratio = (gap * (at[0] + 4 * at[1] + at[2]) / 6)[near] / rise[near]  # Simpson's rule
    off = np.abs(ratio - 1) > _ABOUT
    if np.mean(off) > _JUMPS:
        raise ParameterError(
            f"the density of {name} over the slope of its cdf", _short(np.median(ratio[off])), "1"
        )
    far = noise.log_sf(_FAR_OUT) + _FAR_OUT
    if not np.ptp(far) <= _SLACK:
        rate = _short(1 - (far[-1] - far[-2]) / np.ptp(_FAR_OUT[-2:]))
        allowed = (
            f"1, as laws are computed for tails that fall as e^−u: take noise {rate:.4g} times as"
            f" wide at {rate:.4g} ε"
        )
        raise ParameterError(f"the hazard rate of {name} far out", rate, allowed)
    if noise.hides_values and (
        (np.abs(np.diff(log_pdf)) > gap * (1 + _SLACK) + rounding).any()
        or np.isinf(noise.log_pdf(u[[0, -1]] + [-1, 1])).any()
    ):
        raise ParameterError(
            f"hides_values of {name}",
            True,
            "False, as its log density falls faster than 1 somewhere",
        )
    if noise.max_stable and not np.allclose(
        noise.log_cdf(u - math.log(3)), 3 * log_cdf, rtol=1e-9, atol=1e-12
    ):
        allowed = "False, as the largest of three draws is not one draw moved up by log 3"
        raise ParameterError(f"max_stable of {name}", True, allowed)
    if vars(type(noise)).get("hazard_proved"):  # its own: a subclass may be of another shape
        return ""
    return f"That ε holds with the noise {name} was checked at {POINTS:,} points, not proved."


def _places(name: str, noise: Any) -> Floats:
    """Points to check: by quantiles, tails included, and evenly spaced between them."""
    tail = -np.geomspace(1e-9, _DEEPEST, POINTS // 4)
    rest = log1mexp(-tail)
    log_p, log_q = np.concatenate([tail, rest]), np.concatenate([rest, tail])
    u = np.asarray(noise.quantile(log_p, log_q), float)
    cdf, sf = noise.log_cdf(u), noise.log_sf(u)
    if np.isneginf(sf).any():  # its support ends
        _refuse_hazard(name, np.array([1.0, np.inf]), np.array([0.0, -np.inf]))
    missed = np.maximum(np.abs(cdf - log_p) + log_p * _SLACK, np.abs(sf - log_q) + log_q * _SLACK)
    if not missed.max() <= _SLACK:  # NaN too
        factor = np.exp(np.clip(missed.max(), 0.0, _DEEPEST))
        raise ParameterError(
            f"the cdf of {name} at its quantile over what was asked", _short(factor), "1"
        )
    return np.unique(np.concatenate([u, np.linspace(u.min(), u.max(), POINTS // 2)]))


def _refuse_hazard(name: str, hazard: Floats, log_sf: Floats) -> None:
    far = log_sf < -_FAR
    most, before = float(hazard[far].max(initial=0.0)), float(hazard[~far].max(initial=0.0))
    help = "it still grows far out, so that no wider noise of its shape will do"
    if most <= before * (1 + 1e-6):
        help = f"make the noise at least {math.ceil(1e4 * before - 1e-6) / 1e4:g} times as wide"
    raise ParameterError(
        f"the hazard rate of {name}",
        _short(max(most, before)),
        f"at most 1 everywhere, or ε does not hold: {help}",
    )


def _short(value: float) -> float:
    return float(f"{value:.10g}")

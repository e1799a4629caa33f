"""The five noise families of mechanisms.md 2, in ball arithmetic.

Each gives (F, S, f) at distance u from a level, u a real or complex ball; `right` says on which
side of the level, so that each side is one analytic function. Invariant: no difference of close
numbers and no division by a ball near 0, so far tails keep their digits and boxes stay small.
"""

from collections.abc import Callable

from flint import acb, arb

from tests.oracle.balls import Ball

Tails = tuple[Ball, Ball, Ball]
_DEEP = 30  # units below a level, where gumbel noise has F < e^(−1e13)


def _gumbel(u: Ball, right: bool) -> Tails:
    if u.real < -_DEEP:
        cdf = _deep(u)
        return cdf, 1 - cdf, arb(_DEEP).exp() * cdf  # t·e^(−ct) falls in t once ct > 1
    t = (-u).exp()
    cdf = (-t).exp()
    return cdf, -(-t).expm1(), (-u - t).exp()


def _deep(u: Ball) -> Ball:
    """exp(−e^(−u)) so far down that its exponent would need millions of digits: a ball around 0."""
    steep = u.imag.cos().lower() if isinstance(u, acb) else arb(1)
    if not steep > 0.01:
        return u * arb.nan()  # no bound: the panel is halved
    size = (-steep * arb(_DEEP).exp()).exp().upper() * arb(0, 1)
    return acb(size, size) if isinstance(u, acb) else size


def _exponential(u: Ball, right: bool) -> Tails:
    if not right:
        return 0 * u, 0 * u + 1, 0 * u
    t = (-u).exp()
    return 1 - t, t, t


def _laplace(u: Ball, right: bool) -> Tails:
    half = (-u if right else u).exp() / 2
    return (1 - half, half, half) if right else (half, 1 - half, half)


def _logistic(u: Ball, right: bool) -> Tails:
    t = (-u if right else u).exp()
    near = 1 / (1 + t)
    return (near, t * near, t * near * near) if right else (t * near, near, t * near * near)


def _half_logistic(u: Ball, right: bool) -> Tails:
    if not right:
        return 0 * u, 0 * u + 1, 0 * u
    t = (-u).exp()
    r = 1 / (1 + t)
    return (1 - t) * r, 2 * t * r, 2 * t * r * r


TAILS: dict[str, Callable[[Ball, bool], Tails]] = {
    "gumbel": _gumbel,
    "exponential": _exponential,
    "laplace": _laplace,
    "logistic": _logistic,
    "half_logistic": _half_logistic,
}
KINKED = {"exponential", "laplace", "half_logistic"}
START_AT_LEVEL = {"exponential", "half_logistic"}

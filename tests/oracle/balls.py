"""Rigorous integrals of vectors of functions, in ball arithmetic: what the laws of the oracle rest
on.

Symbols: ρ = size of a Bernstein ellipse around a panel, M = bound of |g| on it, n = nodes of the
panel. Gauss–Legendre with n nodes on a panel of half length l is off by at most
l·(64/15)·M·ρ^(−2n)/(1 − ρ^(−2)): Chebyshev coefficients are at most 2Mρ^(−j), those of degree below
2n and odd ones are integrated exactly. M comes from one evaluation on a complex box that holds the
ellipse. Panels end where a branch does.
Invariants: every value is a ball that contains the truth, whatever the machine rounds.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from flint import acb, arb, ctx, fmpq

Ball = arb | acb
Integrand = Callable[[Ball], list[Ball]]  # the functions to integrate, at one real or complex point

_MOST_NODES = 60  # of a panel, before it is halved
_HALVINGS = 60


def exact(number: float) -> fmpq:
    """The rational number that a float is."""
    return fmpq(*float(number).as_integer_ratio())


def precise(bits: int) -> "ctx.workprec":
    """A context in which balls have a mantissa of `bits`."""
    return ctx.workprec(bits)


def interval(low: arb | int, high: arb | int) -> arb:
    """The ball that holds everything from `low` to `high`."""
    return arb(low).union(arb(high))


@cache
def _rule(n: int, bits: int) -> list[tuple[arb, arb]]:
    with precise(bits):
        return [arb.legendre_p_root(n, i, weight=True) for i in range(n)]


def integrate(
    pieces: Callable[[arb], Integrand], cuts: Sequence[arb], tolerance: arb, unit: float = 1.0
) -> list[arb]:
    """∫ over `cuts` of `pieces(middle)`, analytic between them; `unit` is of little change."""
    total: list[arb] = []
    for low, high in pairwise(cuts):
        at = pieces((low + high) / 2)
        waiting = [(low, high, 0)]
        while waiting:
            a, b, halvings = waiting.pop()
            part = _panel(at, a, b, tolerance, unit)
            if part is None:
                if halvings >= _HALVINGS:
                    raise ArithmeticError(f"no bound for the integrand between {a} and {b}")
                middle = ((a + b) / 2).mid()
                waiting += [(a, middle, halvings + 1), (middle, b, halvings + 1)]
            else:
                total = [x + y for x, y in zip(total, part, strict=True)] if total else part
    return total


def _panel(at: Integrand, a: arb, b: arb, tolerance: arb, unit: float) -> list[arb] | None:
    """The integrals over [a, b] with their error in the radius; None if that passes `tolerance`."""
    middle, half = (a + b) / 2, (b - a) / 2
    length = float(half) / unit
    if length > 40:
        return None
    rho = 2.0 ** min(8, max(1, math.floor(-math.log2(length)))) if length > 0 else 256.0
    wide, high = half * ((rho + 1 / rho) / 2), half * ((rho - 1 / rho) / 2)
    box = acb(middle + wide * arb(0, 1), high * arb(0, 1))
    bounds = [half * 64 / 15 * abs(value).upper() / (1 - arb(rho) ** -2) for value in at(box)]
    if not all(bound.is_finite() for bound in bounds):
        return None
    bits = max(
        (float((bound / tolerance).log()) / math.log(2) for bound in bounds if bound > 0),
        default=0.0,
    )
    n = max(2, math.ceil((bits + 1) / (2 * math.log2(rho))))
    if n > _MOST_NODES:
        return None
    errors = [(bound * arb(rho) ** (-2 * n)).upper() for bound in bounds]
    total: list[arb] = []
    for node, weight in _rule(n, ctx.prec):
        values = [weight * value for value in at(middle + half * node)]
        total = [x + y for x, y in zip(total, values, strict=True)] if total else values
    return [half * value + error * arb(0, 1) for value, error in zip(total, errors, strict=True)]


def integrate_unimodal(
    pieces: Callable[[arb], Integrand],
    low: arb,
    high: arb,
    kinks: Sequence[arb],
    *,
    starts: bool = False,
    bits: int = 56,
) -> arb:
    """∫ g over the line, right relative to itself however small, g log-concave with its peak in
    [low, high].

    `starts` says that g is 0 below `low`. Beyond where g falls below 2^(−bits) of its peak,
    log-concavity bounds the rest: ∫_b^∞ g ≤ g(b)·(b − a)/(log g(a) − log g(b)) for any a < b with
    g(a) > g(b). `kinks` ascend.
    """

    def g(z: arb) -> arb:
        return pieces(z)(z)[0]

    peak = _peak(g, low, high)
    top = g(peak)
    least = top * arb(2) ** -bits

    def beyond(sign: int) -> tuple[arb, arb]:
        step = arb(1) / 64
        while True:
            end = (peak + sign * step).mid()
            if starts and end <= low:
                return low, arb(0)
            value = g(end)
            if value < least:
                return end, interval(
                    0, (value * step / (top / value).log()).upper() if value > 0 else 0
                )
            step = 2 * step if step < 8 else step * 5 / 4

    left, left_tail = beyond(-1)
    right, right_tail = beyond(1)
    inside = [kink for kink in kinks if left < kink < right]
    cuts = [left, *inside, right]
    return integrate(pieces, cuts, least)[0] + left_tail + right_tail


def _peak(g: Callable[[arb], arb], low: arb, high: arb) -> arb:
    """About where log-concave g is largest: thirds, until they are a thousandth long."""
    while high - low > arb(1) / 4096:
        third = (high - low) / 3
        a, b = (low + third).mid(), (high - third).mid()
        if (
            g(a) < g(b) or not g(a) > 0
        ):  # a ball that holds 0 lies where F vanishes: left of the peak
            low = a
        else:
            high = b
    return ((low + high) / 2).mid()

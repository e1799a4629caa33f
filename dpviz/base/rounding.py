"""Rounding of numbers that must keep a promise."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

_DIGITS = 3


def round_up(value: float, digits: int = _DIGITS) -> float:
    """Smallest number of `digits` digits that is not below: a rounded ε meets its goal."""
    return _rounded(value, digits, ROUND_CEILING)


def round_down(value: float, digits: int = _DIGITS) -> float:
    """Largest number of `digits` significant digits that is not above.

    >>> round_down(1.2399), round_down(0.123), round_down(10.32999, 4)
    (1.23, 0.123, 10.32)
    """
    return _rounded(value, digits, ROUND_FLOOR)


def percent_upper_bound(bound: float) -> int:
    """A bound on a chance in whole per cent, rounded up, as guesses are shown and compared."""
    return min(100, math.ceil(100 * Decimal(repr(drop_last_bits(bound)))))


def drop_last_bits(value: float) -> float:
    """The value without what rounding leaves in the last bits of a sum."""
    return float(f"{value:.15g}")


def _rounded(value: float, digits: int, rounding: str) -> float:
    # its decimal is as a person would write it, and never rounds past the value
    shortest = repr(float(value))
    return float(Context(prec=digits, rounding=rounding).create_decimal(shortest))

"""Rounding a number that has to hold what it promises."""

from decimal import ROUND_CEILING, Context

_DIGITS = 3


def rounded_up(value: float) -> float:
    """The smallest number of three significant digits that is not below: an ε told so meets its goal.

    >>> rounded_up(1.2301), rounded_up(0.123), rounded_up(0.12300000000000001), rounded_up(4321.0)
    (1.24, 0.123, 0.124, 4330.0)
    """
    shortest = repr(float(value))  # whose decimal is as a person would write it, and never rounds below the value
    return float(Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(shortest))

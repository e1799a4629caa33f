"""Numbers in the words of the report: three digits, never more."""

import math

__all__ = ["chance", "epsilon", "joined", "times"]


def epsilon(value: float) -> str:
    """An ε with three significant digits, thousands set apart.

    >>> epsilon(0.0503181), epsilon(90.3388), epsilon(2847.98)
    ('0.0503', '90.3', '2,850')
    """
    if not math.isfinite(value):
        return "not reached"
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"


def times(ratio: float) -> str:
    """A multiple.

    >>> times(1.0), times(25.14), times(440.6)
    ('1×', '25.1×', '441×')
    """
    return "1×" if ratio == 1.0 else f"{epsilon(ratio)}×"


def chance(p: float) -> str:
    r"""A round probability in per cent.

    >>> chance(0.99)
    '99\u202f%'
    """
    return f"{100 * p:g}\u202f%"


def joined(items: "list[str] | tuple[str, ...]") -> str:
    """A list in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]

"""Numbers in the words of the report: three digits, never more."""

import math
from collections.abc import Mapping, Sequence


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


def beside(values: Mapping[str, float]) -> dict[str, str]:
    """Each ε with how many times the least of them it is.

    >>> beside({"a": 0.5, "b": 1.0, "c": math.inf})
    {'a': '0.500 (1×)', 'b': '1.00 (2.00×)', 'c': 'not reached'}
    """
    least = min(values.values())
    return {
        name: f"{epsilon(value)} ({times(value / least)})" if math.isfinite(value) else epsilon(value)
        for name, value in values.items()
    }


def chance(p: float) -> str:
    r"""A round probability in per cent.

    >>> chance(0.99)
    '99\u202f%'
    """
    return f"{100 * p:g}\u202f%"


def rounded_up(error: float) -> float:
    """A bound above 0, rounded up to one digit.

    >>> rounded_up(0.0171), rounded_up(2e-12)
    (0.02, 2e-12)
    """
    unit = 10.0 ** math.floor(math.log10(error))
    return float(f"{math.ceil(error / unit * (1 - 1e-12)) * unit:.0e}")


def joined(items: Sequence[str]) -> str:
    """A list in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]

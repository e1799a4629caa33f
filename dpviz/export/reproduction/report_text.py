"""Numbers in words, as the parts of the report write them."""

import math
from collections.abc import Mapping

from dpviz.base.text_format import round_to_fifteen_digits, round_up
from dpviz.charts import number_text


def format_epsilon(value: float) -> str:
    """An ε with three significant digits, thousands set apart.

    >>> format_epsilon(0.0503181), format_epsilon(90.3388), format_epsilon(2847.98)
    ('0.0503', '90.3', '2,850')
    """
    if not math.isfinite(value):
        return "not reached"
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    digits = 0 if rounded >= 100 else max(0, 2 - math.floor(math.log10(rounded)))
    return f"{rounded:,.{digits}f}"


def format_multiple(ratio: float) -> str:
    return "1×" if ratio == 1.0 else f"{format_epsilon(ratio)}×"


def epsilons_with_multiples(values: Mapping[str, float]) -> dict[str, str]:
    """Each ε with how many times the least of them it is.

    >>> epsilons_with_multiples({"a": 0.5, "b": 1.0, "c": math.inf})
    {'a': '0.500 (1×)', 'b': '1.00 (2.00×)', 'c': 'not reached'}
    """
    least = min(values.values())
    return {
        name: f"{format_epsilon(value)} ({format_multiple(value / least)})"
        if math.isfinite(value)
        else format_epsilon(value)
        for name, value in values.items()
    }


def format_with_error(value: float, error: float, unit: str = "") -> str:
    r"""A value with four digits, and its error where it can be seen in them.

    >>> format_with_error(48.85153, 1e-12), format_with_error(-1.1356, 0.0171, "%")
    ('48.85', '−113.6\u202f% ± 2')
    >>> format_with_error(17770.0, 0.0), format_with_error(1e-16, 1e-10)
    ('17,770', 'at most 1×10⁻¹⁰')
    """
    if 0 < abs(value) < 1e-6 or abs(value) < error:  # nothing is left of its digits
        return (
            f"at most {_four_digits(round_up(round_to_fifteen_digits(max(abs(value), error)), 1))}"
        )
    scale, after = {"%": (100.0, "\u202f%"), "×": (1.0, "×")}.get(unit, (1.0, ""))
    text = _four_digits(scale * value) + after
    if error <= 1e-4 * abs(value):
        return text
    return f"{text} ± {_four_digits(round_up(round_to_fifteen_digits(scale * error), 1))}"


def _four_digits(value: float) -> str:
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    return number_text(float(f"{value:.4g}")).replace("-", "−")

"""Numbers as text: percentages, natural frequencies, large and small numbers, and safe labels.

Nothing is called certain or impossible, and a bound is rounded to its safe side.
"""

import math
import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from dpviz.base.errors import ParameterError
from dpviz.base.html import escape

_DIGITS = 3
_LONGEST = 200  # of a text that a person gives
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATES = re.compile("[\ud800-\udfff]")

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW = "\u202f"  # a space that does not break, before %


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
    return min(100, math.ceil(100 * Decimal(repr(round_to_fifteen_digits(bound)))))


def round_to_fifteen_digits(value: float) -> float:
    """The value without what rounding leaves in the last bits of a sum."""
    return float(f"{value:.15g}")


def _rounded(value: float, digits: int, rounding: str) -> float:
    # its decimal is as a person would write it, and never rounds past the value
    shortest = repr(float(value))
    return float(Context(prec=digits, rounding=rounding).create_decimal(shortest))


def percent(p: float, low: float | None = None, high: float | None = None) -> str:
    """Probability to three digits, from "<0.1 %" to ">99.9 %", no finer than its interval."""
    low, high = (p if low is None else min(low, p)), (p if high is None else max(high, p))
    if p < 0.001:
        return f"<{0.1 * math.ceil(max(1000 * high, 1.0) - 1e-9):.3g}{_NARROW}%"
    if p > 0.999:
        return f">{100 - 0.1 * math.ceil(max(1000 * (1 - low), 1.0) - 1e-9):.3g}{_NARROW}%"
    percentage = 100 * p
    places = max(0, 2 - math.floor(math.log10(percentage)))
    if high > low:
        known = max(0, math.floor(-math.log10(50 * (high - low))))
        # one digit always: 0 % would say never
        places = min(places, max(known, -math.floor(math.log10(percentage))))
    if round(percentage, places) >= 100:  # and 100 % always
        places = 1
    return f"{percentage:.{places}f}{_NARROW}%"


def upper_bound_text(value: float, digits: int = 4) -> str:
    """Upper bound in the form of `number_text`, never below what it bounds."""
    return number_text(round_up(round_to_fifteen_digits(value), _told(value, digits)))


def lower_bound_text(value: float, digits: int = 4) -> str:
    """Lower bound in the form of `number_text`, never above what it bounds."""
    return number_text(round_down(round_to_fifteen_digits(value), _told(value, digits)))


def upper_percent_text(p: float) -> str:
    """Upper bound on a chance in whole per cent, as guesses are told; to three digits below 1 %."""
    return (
        f"{percent_upper_bound(p)}{_NARROW}%"
        if p >= 0.01
        else percent(max(0.001, round_up(round_to_fifteen_digits(p))))
    )


def lower_percent_text(p: float) -> str:
    """Lower bound on a chance in whole per cent; three digits below 1 %, and 0 % below 0.1 %."""
    whole = f"{100 - percent_upper_bound(1 - p)}{_NARROW}%"
    return whole if p >= 0.01 or p < 0.001 else percent(round_down(round_to_fifteen_digits(p)))


def _told(value: float, digits: int) -> int:
    """Number of digits, and no more than `power_of_ten_text` shows."""
    return digits if 1e-3 <= abs(value) < 1e9 else 2


def stated_percent_text(p: float) -> str:
    """Probability that someone chose, in their own form.

    >>> stated_percent_text(0.95).replace(chr(0x202f), " "), stated_percent_text(1 - 0.999).replace(chr(0x202f), " ")
    ('95 %', '0.1 %')
    """
    return f"{100 * p:.4g}{_NARROW}%"


def release_frequency_text(p: float, low: float | None = None, high: float | None = None) -> str:
    """Probability as a natural frequency, no finer than its interval and `percent`."""
    low, high = (p if low is None else min(low, p)), (p if high is None else max(high, p))
    if p < 0.001:
        return f"fewer than {math.ceil(max(1000 * high, 1.0) - 1e-9):,} of 1,000 releases"
    if p > 0.999:
        return (
            f"more than {1000 - math.ceil(max(1000 * (1 - low), 1.0) - 1e-9):,} of 1,000 releases"
        )
    among = round(100 * p)
    if 1 <= among < 100:
        return f"{among:,} of 100 releases"
    return f"{round(1000 * p):,} of 1,000 releases"


def releases_per_hundred_text(p: float, low: float | None = None, high: float | None = None) -> str:
    """Number of 100 releases, in short form.

    >>> releases_per_hundred_text(0.926), releases_per_hundred_text(0.0042), releases_per_hundred_text(1.0)
    ('93', '0.4', '>99.9')
    """
    among = round(100 * p)
    if 1 <= among < 100:
        return f"{among}"
    text = percent(p, low, high).rstrip(f"{_NARROW}%")
    return text if text[0] in "<>" else f"{float(text):.1f}"


def number_text(value: float, digits: int | None = None) -> str:
    """Number with at most four significant digits, or with `digits`; large ones are grouped.

    >>> [number_text(value) for value in (12345.6, 3.14159, -2.0, 1e300, -0.0, math.inf)]
    ['12,346', '3.142', '-2', '1×10³⁰⁰', '0', '∞']
    >>> number_text(12345.6, digits=3), number_text(3.14159, digits=3)
    ('12,300', '3.14')
    """
    if digits is not None:
        value = float(f"{value:.{digits}g}")
    if value == 0:
        return "0"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    size = abs(value)
    if size >= 1e9 or size < 1e-3:
        return power_of_ten_text(math.log10(size), negative=value < 0)
    return f"{value:,.0f}" if float(value).is_integer() or size >= 1000 else f"{value:.4g}"


def power_of_ten_text(log10: float, *, negative: bool = False) -> str:
    """10^log10 written out while it is short, else as a power of ten."""
    sign = "-" if negative else ""
    if -3 <= log10 < 9:
        return sign + (f"{10**log10:,.0f}" if log10 >= 2 else f"{10**log10:.3g}")
    exponent = math.floor(log10 + 1e-12)
    digits = f"{10 ** (log10 - exponent):.2g}"
    if digits == "10":
        digits, exponent = "1", exponent + 1
    return f"{sign}{digits}×10{str(exponent).translate(_SUPERSCRIPT)}"


def stated_number_text(value: float) -> str:
    """Number with all the digits that somebody stated.

    >>> stated_number_text(12.058), stated_number_text(5.06e-9)
    ('12.058', '5.06×10⁻⁹')
    """
    digits, _, exponent = f"{value:.10g}".partition("e")
    return f"{digits}×10{str(int(exponent)).translate(_SUPERSCRIPT)}" if exponent else digits


def count_text(n: int, singular: str, plural: str | None = None) -> str:
    """Count with its noun."""
    return f"{whole_number_text(n)} {singular if n == 1 else plural or singular + 's'}"


def whole_number_text(n: int) -> str:
    """Integer, grouped while it can be read, else as a power of ten.

    >>> whole_number_text(7_998_000), whole_number_text(10**400), whole_number_text(3 * 10**20)
    ('7,998,000', '10⁴⁰⁰', '3×10²⁰')
    """
    return f"{n:,}" if abs(n) < 10**15 else power_of_ten_text(math.log10(n)).removeprefix("1×")


def join_with_and(parts: Iterable[str]) -> str:
    """Things in a sentence, with "and" before the last."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def shorten_text(text: str, length_limit: int = 40) -> str:
    """Text cut with an ellipsis after `length_limit` characters."""
    return text if len(text) <= length_limit else text[: length_limit - 1].rstrip() + "…"


def isolate_direction(text: str) -> str:
    """Text inside Unicode marks that keep its writing direction from affecting its neighbours."""
    return f"\u2068{text}\u2069"


def safe_label(text: str, length_limit: int = 40) -> str:
    """Label fit for a figure or for HTML: cut, escaped, and isolated from the text around it."""
    # with signs by their numbers: plotly knows few of their names
    return isolate_direction(str(escape(shorten_text(text, length_limit))))


def replace_surrogates(text: str) -> str:
    """Text with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def fold_to_line(text: str) -> str:
    """Label on one line: runs of control characters and line breaks become one space."""
    if text.isascii() and text.isprintable():  # of millions, nearly all
        return text
    return replace_surrogates(_BREAKS.sub(" ", text))


def check_text(name: str, value: object) -> str:
    """The text on one line, stripped; raises `ParameterError` above 200 characters."""
    if not isinstance(value, str) or len(value) > _LONGEST or replace_surrogates(value) != value:
        raise ParameterError(name, value, f"a text of at most {_LONGEST} characters")
    return " ".join(fold_to_line(value).split())

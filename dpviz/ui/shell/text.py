"""Text from people, shown as it is: labels, cells and sentences that quote them are data, never markup."""

import html
import re

from dpviz.charts.words import number

__all__ = ["bidi", "four", "plain", "three", "times", "two"]

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    r"""The text for where markdown is read: every sign that could mean something there is escaped.

    >>> plain("*k* <b>")
    '\\*k\\* \\<b\\>'
    """
    return _PUNCTUATION.sub(r"\\\1", text)


def bidi(text: str) -> str:
    """The text for HTML: escaped, and with a direction of writing of its own.

    >>> bidi("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{html.escape(text)}</bdi>"


def two(value: float) -> str:
    """Two decimal places; three significant digits below 1.

    >>> two(12.3456), two(0.123456)
    ('12.35', '0.123')
    """
    return number(round(value, 2)) if value >= 1 else three(value)


def three(value: float) -> str:
    """Three significant digits.

    >>> three(12.3456), three(123456.0)
    ('12.3', '123,000')
    """
    return number(float(f"{float(value):.3g}"))


def four(value: float) -> str:
    """Four significant digits.

    >>> four(12.3456), four(123456.0)
    ('12.35', '123,500')
    """
    return number(float(f"{float(value):.4g}"))


def times(multiple: float) -> str:
    """How many times the least something is.

    >>> times(1.0), times(1.2345), times(12.345), times(1234.5)
    ('the least', '× 1.23', '× 12.3', '× 1,234')
    """
    if multiple < 1.0005:
        return "the least"
    return f"× {multiple:.2f}" if multiple < 9.95 else f"× {multiple:,.1f}" if multiple < 99.5 else f"× {multiple:,.0f}"

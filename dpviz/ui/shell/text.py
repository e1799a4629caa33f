"""Text from people, shown as it is: labels, cells and sentences that quote them are data, never markup."""

import html
import re

__all__ = ["bidi", "plain"]

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

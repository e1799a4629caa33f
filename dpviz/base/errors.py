"""Exceptions of dpviz; a `ParameterError` has a sentence for people and a code for programs."""

from typing import Literal

Code = Literal["value", "range", "choice", "missing", "needless", "unreachable", "pure"]
"""Kind of error, for programs: "unreachable": no ε reaches the goal; "pure": holds at δ = 0 alone.
"""

_LONGEST = 60


def _shown(value: object) -> str:
    try:
        text = (
            value.item().__repr__()
            if type(value).__module__ == "numpy"
            and hasattr(value, "item")
            and not hasattr(value, "__setitem__")  # an array of one number is no number
            else repr(value)
        )
    except ValueError:  # Python writes no number of more than some thousand digits
        text = "a number of thousands of digits"
    return printable_line(text)


def printable_line(text: str, length_limit: int = _LONGEST) -> str:
    """The text on one line, cut at `length_limit` characters, with unprintable characters replaced.

    >>> printable_line("one long line", 9)
    'one long…'
    """
    text = " ".join(text[: 4 * length_limit].split())
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return text if len(text) <= length_limit else text[: length_limit - 1] + "…"


class ParameterError(ValueError):
    """A parameter that cannot be used, explained in one sentence.

    The sentence is ``<parameter> must be <allowed>, not <value>.``

    Parameters
    ----------
    parameter
        The parameter's name as the caller knows it.
    value
        The value given; None where none was given.
    allowed
        The rest of the sentence after "must be".
    code : {"value", "range", "choice", "missing", "needless", "unreachable", "pure"}
        The kind of error, for programs.

    Examples
    --------
    >>> error = ParameterError("epsilon", -1.0, "a finite number above 0", "range")
    >>> str(error)
    'epsilon must be a finite number above 0, not -1.0.'
    >>> error.code, error.value
    ('range', -1.0)
    """

    def __init__(self, parameter: str, value: object, allowed: str, code: Code = "value") -> None:
        super().__init__(parameter, value, allowed, code)  # all, so that it survives pickling
        self.parameter = parameter
        self.value = value
        self.allowed = allowed
        self.code = code

    def __str__(self) -> str:
        missing = self.value is None and self.allowed.startswith("given")  # nobody wrote None
        return f"{printable_line(self.parameter)} must be {self.allowed}" + (
            "." if missing else f", not {_shown(self.value)}."
        )


class Cancelled(Exception):
    """Raised by a `progress` callback to stop the work that reports to it."""


class WorkLost(Exception):
    """Work that lost its memory, workers or cluster; the sentence says what stays."""


class TerminationSignal(KeyboardInterrupt):
    """SIGTERM, which ends work as Ctrl-C does."""

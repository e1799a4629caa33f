"""What dpviz raises.

`ParameterError` says in one sentence which parameter is wrong, what it was and what is allowed, and
has a code for programs, which never read the sentence; `Cancelled` ends long work that the person
who started it no longer wants, `TerminationSignal` what the system stops; `WorkLost` is work that ended
for want of memory or of those who did it.
"""

from typing import Literal

Code = Literal["value", "range", "choice", "missing", "needless", "unreachable", "pure"]
"""What is wrong, for programs. "value": anything that no other word says; "range": no number, or
one out of its limits; "choice": not on the menu; "missing": it has to be given; "needless": it has
to be left out; "unreachable": no ε reaches this goal; "pure": a theorem that holds at δ = 0 alone.
"""

_LONGEST = 60


def _shown(value: object) -> str:
    """The value as a person would recognise it, cut where it would drown the sentence."""
    try:
        text = (
            value.item().__repr__()
            if type(value).__module__ == "numpy"
            and hasattr(value, "item")
            and getattr(value, "size", 1) == 1
            else repr(value)
        )
    except ValueError:  # Python writes no number of more than some thousand digits
        text = "a number of thousands of digits"
    return printable_line(text)


def printable_line(text: str, most: int = _LONGEST) -> str:
    """A text on one line, cut when long, with nothing in it that no screen shows or no encoding
    writes.

    >>> printable_line("one long line", 9)
    'one long…'
    """
    text = " ".join(text[: 4 * most].split())
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return text if len(text) <= most else text[: most - 1] + "…"


class ParameterError(ValueError):
    """A parameter that cannot be used, told in one sentence.

    Formula of the sentence: ``<parameter> must be <allowed>, not <value>.``; without the value
    where one is missing.

    Parameters
    ----------
    parameter
        The parameter as who set it calls it.
    value
        What it was; None where it was not given.
    allowed
        What it must be, as the sentence goes on after "must be".
    code : {"value", "range", "choice", "missing", "needless", "unreachable", "pure"}
        What is wrong, for programs: none has to read the sentence.

    Examples
    --------
    >>> error = ParameterError("epsilon", -1.0, "a finite number above 0", "range")
    >>> str(error)
    'epsilon must be a finite number above 0, not -1.0.'
    >>> error.code, error.value
    ('range', -1.0)
    """

    def __init__(self, parameter: str, value: object, allowed: str, code: Code = "value") -> None:
        super().__init__(
            parameter, value, allowed, code
        )  # the arguments, so that it survives pickling
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
    """Work that could not go on: its memory, its workers or its cluster have gone. The sentence
    says what stays.
    """


class TerminationSignal(KeyboardInterrupt):
    """SIGTERM, which ends work as Ctrl-C does."""

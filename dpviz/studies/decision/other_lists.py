"""Other lists about the same people, such as a yearly one, whose cost is in the total.

Written "12 at 0.5; 1 at 2 (1e-7)": a number of lists, the ε of each and, in brackets, its δ.
"""

import re
from typing import NamedTuple

from dpviz.base import ParameterError, check_integer, check_number

_MOST = 100_000
_NUMBER = r"[0-9]{0,15}\.?[0-9]{1,15}(?:e-?[0-9]{1,3})?"
_WRITTEN = re.compile(
    rf"(?P<times>[0-9]{{1,9}}) *at *(?:ε *=)? *(?P<epsilon>{_NUMBER})(?: *\((?:δ *=)? *(?P<delta>{_NUMBER})\))?"
)


class OtherLists(NamedTuple):
    """Some lists alike: (ε, δ) of each, and their number, as `compose` takes them."""

    each: tuple[float, float]
    times: int

    @property
    def delta(self) -> float:
        return self.each[1] * self.times

    def __str__(self) -> str:
        epsilon, delta = self.each
        return f"{self.times} at {epsilon:.15g}" + (f" ({delta:.15g})" if delta else "")


def read_other_lists(text: str) -> tuple[OtherLists, ...]:
    """The lists that `text` names; raises `ParameterError` where it names none.

    >>> *map(str, read_other_lists("12 at 0.50; 1 at ε = 2 (1e-7)")), read_other_lists("")
    ('12 at 0.5', '1 at 2 (1e-07)', ())
    """
    return tuple(map(_read_one, text.split(";"))) if text.strip() else ()


def _read_one(text: str) -> OtherLists:
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        raise ParameterError(
            "also", text, 'written as "12 at 0.5" or "12 at 0.5 (1e-7)": lists, ε and δ of each'
        )
    delta = float(match["delta"] or 0)
    return OtherLists(
        (
            check_number(
                "the epsilon of other lists", float(match["epsilon"]), low=0.0, above=True
            ),
            check_number("the delta of other lists", delta, low=0.0, high=1.0, below=True),
        ),
        check_integer("the number of other lists", int(match["times"]), low=1, high=_MOST),
    )

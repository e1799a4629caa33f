"""Who is who: one letter, colour, dash and marker for each design, the same in every chart and table of a page.

Invariants: neighbours in the order differ in hue and in lightness; nothing is told by colour alone.
"""

from dataclasses import dataclass

from dpviz.charts.line_panels import DASHES, MARKERS
from dpviz.charts.look import Look

MOST = 6


@dataclass(frozen=True)
class Identity:
    """How one of several designs is recognised."""

    letter: str
    colour: str
    dash: str
    marker: str

    def named(self, label: str) -> str:
        """The label with the letter before it, which tells equal designs apart."""
        return f"{self.letter} {label}"


def identity(number: int, look: Look) -> Identity:
    """The identity of the design with this number, from 0.

    >>> from dpviz.charts.look import LIGHT
    >>> identity(1, LIGHT).named("Peeling")
    'B Peeling'
    """
    at = number % MOST
    return Identity("ABCDEF"[at], look.distinct[at], DASHES[at], MARKERS[at])

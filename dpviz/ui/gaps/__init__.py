"""The parts of the page on gaps: a switch between its two halves, and the halves."""

from dpviz.ui.gaps.halves import halves, no_mechanism
from dpviz.ui.gaps.settings import FIRST

__all__ = ["FIRST", "halves", "no_mechanism"]

"""The parts of the page on a clear front group: its controls, its work beside the page, its sections."""

from dpviz.ui.margin.controls import controls
from dpviz.ui.margin.sections import figures, front, items, promise, title, universe
from dpviz.ui.margin.settings import FIRST
from dpviz.ui.margin.study import study

__all__ = ["FIRST", "controls", "figures", "front", "items", "promise", "study", "title", "universe"]

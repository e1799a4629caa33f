"""The parts of the page that compares designs, from the sidebar's editors to the replayed seeds."""

from dpviz.ui.compare.against import against
from dpviz.ui.compare.designs import designs
from dpviz.ui.compare.figures import figures
from dpviz.ui.compare.frame import pending, title
from dpviz.ui.compare.maps import maps
from dpviz.ui.compare.replay import replay
from dpviz.ui.compare.sides import begin, sides

__all__ = ["against", "begin", "designs", "figures", "maps", "pending", "replay", "sides", "title"]

"""The app's parts on the screen: pages are made of these and of charts, and do no mathematics."""

from dpviz.ui.class_map import class_map
from dpviz.ui.compute import Answer, compute
from dpviz.ui.draws import draws
from dpviz.ui.page import banner, title
from dpviz.ui.show import heading, headline, pending, sentence, show, waiting
from dpviz.ui.start import look, navigation, start, start_without_scores

__all__ = [
    "Answer",
    "banner",
    "class_map",
    "compute",
    "draws",
    "heading",
    "headline",
    "look",
    "navigation",
    "pending",
    "sentence",
    "show",
    "start",
    "start_without_scores",
    "title",
    "waiting",
]

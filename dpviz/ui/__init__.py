"""The app's parts on the screen: pages are made of these and of charts, and do no mathematics."""

from dpviz.ui.explore.class_map import class_map
from dpviz.ui.explore.draws import draws
from dpviz.ui.explore.headline import headline, sentence
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.show import heading, show, waiting
from dpviz.ui.shell.start import look, navigation, start, start_without_scores
from dpviz.ui.work.answer import Answer, compute
from dpviz.ui.work.pending import pending

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

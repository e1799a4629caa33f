"""The app's parts on the screen: pages are made of these and of charts, and do no mathematics.

`shell` is what every page shares: how it starts, the session's scenario, its controls, how a chart is shown. `work` is
what is computed beside a page. Then comes a folder a page. Styles and scripts are the .css and .js files here.
Read `shell/start.py` first, then a page in `pages/` and its folder.
"""

from dpviz.ui.explore.class_map import class_map
from dpviz.ui.explore.draws import draws
from dpviz.ui.explore.headline import headline, sentence
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.show import heading, show, waiting
from dpviz.ui.shell.start import look, navigation, start, start_without_scores
from dpviz.ui.work.answer import Answer, compute
from dpviz.ui.work.pending import filling, part, there
from dpviz.ui.work.turns import turn

__all__ = [
    "Answer",
    "banner",
    "class_map",
    "compute",
    "draws",
    "filling",
    "heading",
    "headline",
    "look",
    "navigation",
    "part",
    "sentence",
    "show",
    "start",
    "start_without_scores",
    "there",
    "title",
    "turn",
    "waiting",
]

"""The app's parts on the screen: pages are made of these and of charts, and do no mathematics.

`shell` is what every page shares: how it starts, the session's scenario, its controls, how a chart is shown. `work` is
what is computed beside a page. Then comes a folder a page. Styles and scripts are the .css and .js files here.
Read `shell/start.py` first, then a page in `pages/` and its folder.
"""

from dpviz.ui.explore.closer import closer
from dpviz.ui.explore.goal import goal, law_of_hits
from dpviz.ui.explore.headline import WORDS, headline
from dpviz.ui.explore.picture import picture
from dpviz.ui.explore.play import play, played
from dpviz.ui.explore.question import question
from dpviz.ui.explore.releases import others, releases, ten
from dpviz.ui.shell.explain import explain, lines, term
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.show import heading, show, waiting
from dpviz.ui.shell.start import look, navigation, start, start_alone, start_without_scores
from dpviz.ui.work.answer import Answer, compute
from dpviz.ui.work.pending import filling, part, there
from dpviz.ui.work.turns import turn

__all__ = [
    "WORDS",
    "Answer",
    "banner",
    "closer",
    "compute",
    "explain",
    "filling",
    "goal",
    "heading",
    "headline",
    "law_of_hits",
    "lines",
    "look",
    "navigation",
    "others",
    "part",
    "picture",
    "play",
    "played",
    "question",
    "releases",
    "show",
    "start",
    "start_alone",
    "start_without_scores",
    "ten",
    "term",
    "there",
    "title",
    "turn",
    "waiting",
]

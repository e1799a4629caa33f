"""Parts that the views of pages share; read `page_view` first.

`page_view` is what a page's view is, `slider_file` its figure to take away, `epsilon_preview` how a
page follows ε while it is dragged. `wording` is how views put things, `top_k_figures` how they put
the figures of a law of k items, `lesson_figures` the picture of a lesson's experiment.
"""

from dpviz.pages.common.epsilon_preview import Asked, Hand, PageStep, Said, nearest_first, said_of
from dpviz.pages.common.page_view import PageView
from dpviz.pages.common.slider_file import (
    FindsOut,
    Place,
    Takeaway,
    around,
    held_still,
    pictured,
    place,
)
from dpviz.pages.common.subject import Exact, FigureSource, Headline, Simulated, Subject, headline
from dpviz.pages.common.wording import (
    NOTHING,
    four,
    in_words,
    list_length,
    of_data,
    short,
    three,
    titled,
    two,
)

__all__ = [
    "NOTHING",
    "Asked",
    "Exact",
    "FigureSource",
    "FindsOut",
    "Hand",
    "Headline",
    "PageStep",
    "PageView",
    "Place",
    "Said",
    "Simulated",
    "Subject",
    "Takeaway",
    "around",
    "four",
    "headline",
    "held_still",
    "in_words",
    "list_length",
    "nearest_first",
    "of_data",
    "pictured",
    "place",
    "said_of",
    "short",
    "three",
    "titled",
    "two",
]

"""What views share: `page` says what a page's view is, with its headline figures (read it first),
`slider` its figure.

`hand` is how a page follows ε under the hand, `wording` is how they put things, `top_k` how they
put the figures of a law of k items, `lessons` the picture of a lesson's experiment, which has no
page of its own here.
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

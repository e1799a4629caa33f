"""The settings of the page Neighbours with their controls; they are declared in `dpviz.studies.pages.neighbours`.

What does not fit the data at hand is told in one sentence and left out.
"""

from dpviz.studies.pages.neighbours import FIRST, MOST_TICKED, NEIGHBOURS_PAGE, WAYS, WHO, Settings, written
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["FIRST", "MOST_TICKED", "PAGE", "WAYS", "WHERE", "WHO", "Settings", "read", "written"]

WHERE = "neighbours"
PAGE = PageParameters.of(NEIGHBOURS_PAGE, where=WHERE, tell=True)


def read() -> Settings:
    """The page's settings; what a link has wrong is told in the sidebar."""
    return PAGE.read()[0]

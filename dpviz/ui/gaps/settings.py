"""The settings of the page Gaps as the session has them; they are declared in `dpviz.studies.pages.gaps`."""

from dpviz.base.scores import Scores
from dpviz.studies.pages.gaps import BY, CUSTOM, FIRST, GAPS_PAGE, HALVES, SPLIT_MENU, Settings
from dpviz.studies.pages.gaps import read as read_off
from dpviz.ui.shell import state
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["BY", "CUSTOM", "FIRST", "HALVES", "PAGE", "SPLIT_MENU", "Settings", "read"]

PAGE = PageParameters.of(GAPS_PAGE)


def read(scores: Scores) -> Settings:
    """The settings of the session's scenario. Raises `ParameterError` for one that cannot be used."""
    return read_off(state.scenario(), scores)

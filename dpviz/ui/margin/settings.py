"""The settings of the page Margin with their controls; they are declared in `dpviz.studies.pages.margin`."""

from dpviz.base.scores import Scores
from dpviz.studies.pages.margin import (
    DELTA,
    FIRST,
    MOST_DIGITS,
    MOST_PEOPLE,
    Settings,
    declared_for,
    negative,
    read,
)
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["DELTA", "FIRST", "MOST_DIGITS", "MOST_PEOPLE", "Settings", "negative", "page_for", "read"]


def page_for(scenario: Scenario, scores: Scores) -> PageParameters[Settings]:
    """The page's parameters as these scores allow them."""
    return PageParameters.of(declared_for(scenario, scores), where="margin")

"""The parameters of the page with their controls; they are declared in `dpviz.studies.pages.candidates`.

A value in a link that its declaration refuses is left out, and the sidebar says so.
"""

from functools import partial

from dpviz.candidates import CandidateRule, PercentileSparseVector
from dpviz.studies.pages import candidates as declared
from dpviz.studies.pages.candidates import FIRST, FORMS, MOST_STEPS, POOLS, VIEWS
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = [
    "DEMONSTRATIONS",
    "FIRST",
    "FORM",
    "FORMS",
    "GAUSSIAN",
    "LIMITS",
    "MOST_STEPS",
    "PAGE",
    "POOLS",
    "SEARCH",
    "VIEWS",
    "WHERE",
    "of_rule",
]

WHERE = "candidates"  # of the sidebar: where sentences on these stand

_told = partial(PageParameters.of, where=WHERE, tell=True)  # other pages have parameters of the same names
PAGE: PageParameters[declared.CandidatesParameters] = _told(declared.CANDIDATES_PAGE)
GAUSSIAN: PageParameters[declared.GaussianRun] = _told(declared.GAUSSIAN)
DEMONSTRATIONS: PageParameters[declared.Demonstrations] = _told(declared.DEMONSTRATIONS)
FORM: PageParameters[declared.SearchForm] = _told(declared.FORM)
SEARCH: PageParameters[PercentileSparseVector] = _told(declared.SEARCH)
LIMITS: PageParameters[object] = _told(declared.LIMITS)


def of_rule(name: str, threshold: float) -> PageParameters[CandidateRule]:
    """The parameters of a rule; `threshold` is its default for one that has a threshold."""
    return _told(declared.of_rule(name, threshold))

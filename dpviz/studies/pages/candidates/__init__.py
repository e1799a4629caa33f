"""The page Candidates: `settings` is what it adds to the scenario, the other modules what is
computed with them.
"""

from dpviz.studies.pages.candidates.choice import ChoiceStudy, PriceStudy, StopStudy
from dpviz.studies.pages.candidates.leaks import LeakStudy
from dpviz.studies.pages.candidates.runs import Runs, RunsStudy
from dpviz.studies.pages.candidates.search import SearchStudy
from dpviz.studies.pages.candidates.settings import (
    CANDIDATES_PAGE,
    DEMONSTRATIONS,
    FIRST_RULE,
    FORM,
    FORMS,
    GAUSSIAN,
    LARGEST_LEAK,
    LIMITS,
    POOLS,
    SEARCH,
    VIEWS,
    page_settings,
)

__all__ = [
    "CANDIDATES_PAGE",
    "DEMONSTRATIONS",
    "FIRST_RULE",
    "FORM",
    "FORMS",
    "GAUSSIAN",
    "LARGEST_LEAK",
    "LIMITS",
    "POOLS",
    "SEARCH",
    "VIEWS",
    "ChoiceStudy",
    "LeakStudy",
    "PriceStudy",
    "Runs",
    "RunsStudy",
    "SearchStudy",
    "StopStudy",
    "page_settings",
]

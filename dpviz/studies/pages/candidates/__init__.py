"""The page Candidates: `settings` is what it adds to the scenario, `study` what is computed with them."""

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
from dpviz.studies.pages.candidates.study import (
    ChoiceStudy,
    LeakStudy,
    PriceStudy,
    Runs,
    RunsStudy,
    SearchStudy,
    StopStudy,
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

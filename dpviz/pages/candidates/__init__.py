"""Candidates: one of many private runs. `settings` are page parameters; then studies and views."""

from dpviz.pages.candidates.choice_study import ChoiceStudy, PriceStudy, StopStudy
from dpviz.pages.candidates.leaks_study import LeakStudy
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.search_study import SearchStudy
from dpviz.pages.candidates.settings import (
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
    page_parameter_names,
)
from dpviz.studies.candidate_runs import CandidateRuns

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
    "CandidateRuns",
    "ChoiceStudy",
    "LeakStudy",
    "PriceStudy",
    "RunsStudy",
    "SearchStudy",
    "StopStudy",
    "page_parameter_names",
]

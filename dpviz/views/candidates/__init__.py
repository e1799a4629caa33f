"""Candidates in words and pictures, a view of the page each: `choice` what a rule makes of runs, `search`, `leaks`."""

from collections.abc import Callable
from typing import Any

from dpviz.base import Progress
from dpviz.studies.pages.candidates import (
    ChoiceStudy,
    LeakStudy,
    PriceStudy,
    RunsStudy,
    SearchStudy,
    StopStudy,
    page_settings,
)
from dpviz.views.candidates import choice, leaks, search
from dpviz.views.candidates.words import described, held
from dpviz.views.common import PageView, Subject, Takeaway

STUDIES: dict[str, type[RunsStudy]] = {
    "outcome": ChoiceStudy,
    "price": PriceStudy,
    "stop": StopStudy,
    "percentile": SearchStudy,
    "leaks": LeakStudy,
}
_SLIDERS: dict[str, Callable[[Any, Progress], Takeaway]] = {
    "outcome": choice.slider,
    "price": choice.price_slider,
    "stop": choice.stop_slider,
    "percentile": search.slider,
    "leaks": leaks.slider,
}


def study_of(of: Subject) -> RunsStudy:
    """The study of the view that the page has open."""
    view = RunsStudy(scenario=of.scenario).settings.view
    return STUDIES[view](scenario=of.scenario, table=of.table)


def _slider(of: Subject, progress: Progress) -> Takeaway:
    study = study_of(of)
    return _SLIDERS[study.settings.view](study, progress)


def _moves(of: Subject) -> str:
    view = study_of(of).settings.view
    if view == "percentile":
        return "ε of the whole search"
    by_stop = view == "stop" or (view == "outcome" and of.table is not None)
    return "γ, the chance to stop," if by_stop else "ε1 of one run"


PAGE = PageView(
    title="Candidates",
    slider=_slider,
    holds=lambda of: held(study_of(of)),
    settings=page_settings(),
    shown=lambda of: described(study_of(of)),
    moves=_moves,
    among=lambda scenario: True,
)

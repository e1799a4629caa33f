"""Candidates in words and pictures, a view of the page each: `choice` what a rule makes of runs,
`search`, `leaks`.
"""

from collections.abc import Callable
from typing import Any

from dpviz.base import Progress
from dpviz.pages.candidates import (
    CANDIDATES_PAGE,
    LARGEST_LEAK,
    ChoiceStudy,
    LeakStudy,
    PriceStudy,
    RunsStudy,
    SearchStudy,
    StopStudy,
    page_settings,
)
from dpviz.pages.candidates import choice_view as choice
from dpviz.pages.candidates import leaks_view as leaks
from dpviz.pages.candidates import search_view as search
from dpviz.pages.candidates.sentences import described, held
from dpviz.pages.common import Asked, Hand, PageStep, PageView, Subject, Takeaway
from dpviz.studies import Scenario

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
_STEPS: dict[str, Callable[[Any, Asked], PageStep]] = {
    "outcome": choice.step,
    "price": choice.price_step,
    "stop": choice.stop_step,
    "percentile": search.step,
    "leaks": leaks.step,
}
_HAPPENS = (10.0, 10_000.0)  # ε1 times the people trained on: from noise alone to next to none


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


def step(of: Subject, epsilon1: float, asked: Asked) -> PageStep:
    """The view that is open, at another price of one run, under the hand."""
    study = study_of(of).at(epsilon1)
    return _STEPS[study.settings.view](study, asked)


def reached(of: Subject) -> tuple[float, float] | None:
    """As far as runs change with their price, and what is drawn of leaks; None where nothing is
    drawn.
    """
    settings = study_of(of).settings
    low, high = (most / settings.people for most in _HAPPENS)
    if settings.view != "leaks":
        return low, high
    return None if settings.epsilon1 > LARGEST_LEAK else (low, min(high, LARGEST_LEAK))


def _at(of: Subject, epsilon1: float) -> Scenario:
    return study_of(of).at(epsilon1).scenario


PAGE = PageView(
    title="Candidates",
    slider=_slider,
    holds=lambda of: held(study_of(of)),
    settings=page_settings(),
    shown=lambda of: described(study_of(of)),
    moves=_moves,
    among=lambda scenario: True,
    hand=Hand(
        step,
        reached,
        seeded=True,
        dear=True,
        moves=CANDIDATES_PAGE.prefix + "epsilon1",
        value=lambda of: study_of(of).settings.epsilon1,
        at=_at,
    ),
)

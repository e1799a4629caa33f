"""Candidates: the `PAGE`, which passes each call to the view that is open."""

from collections.abc import Callable
from typing import Any

from dpviz.base import Progress
from dpviz.pages import common
from dpviz.pages.candidates import choice_takeaway
from dpviz.pages.candidates import choice_view as choice
from dpviz.pages.candidates import leaks_view as leaks
from dpviz.pages.candidates import search_view as search
from dpviz.pages.candidates.sentences import describe_settings, file_disclosure
from dpviz.pages.candidates.settings import CANDIDATES_PAGE, LARGEST_LEAK, page_parameter_names
from dpviz.pages.candidates.study import (
    ChoiceStudy,
    LeakStudy,
    PriceStudy,
    RunsStudy,
    SearchStudy,
    StopStudy,
)
from dpviz.studies import Scenario

STUDIES: dict[str, type[RunsStudy]] = {
    "outcome": ChoiceStudy,
    "price": PriceStudy,
    "stop": StopStudy,
    "percentile": SearchStudy,
    "leaks": LeakStudy,
}
_SLIDERS: dict[str, Callable[[Any, Progress], common.SliderFigure]] = {
    "outcome": choice_takeaway.build_slider_figure,
    "price": choice_takeaway.build_price_slider_figure,
    "stop": choice_takeaway.build_stop_slider_figure,
    "percentile": search.build_slider_figure,
    "leaks": leaks.build_slider_figure,
}
_STEPS: dict[str, Callable[[Any, common.PreviewRequest], common.PagePreview]] = {
    "outcome": choice.build_slider_preview,
    "price": choice.build_price_preview,
    "stop": choice.build_stop_preview,
    "percentile": search.build_slider_preview,
    "leaks": leaks.build_slider_preview,
}
_HAPPENS = (10.0, 10_000.0)  # ε1 times the people trained on: from noise alone to next to none


def page_study(subject: common.PageSubject) -> RunsStudy:
    view = RunsStudy(scenario=subject.scenario).settings.view
    return STUDIES[view](scenario=subject.scenario, table=subject.table)


def _slider(subject: common.PageSubject, progress: Progress) -> common.SliderFigure:
    study = page_study(subject)
    return _SLIDERS[study.settings.view](study, progress)


def _moves(subject: common.PageSubject) -> str:
    view = page_study(subject).settings.view
    if view == "percentile":
        return "ε of the whole search"
    by_stop = view == "stop" or (view == "outcome" and subject.table is not None)
    return "γ, the chance to stop," if by_stop else "ε1 of one run"


def build_slider_preview(
    subject: common.PageSubject, epsilon1: float, request: common.PreviewRequest
) -> common.PagePreview:
    study = page_study(subject).with_epsilon(epsilon1)
    return _STEPS[study.settings.view](study, request)


def preview_range(subject: common.PageSubject) -> tuple[float, float] | None:
    """Range of ε1 where runs change, or None where leaks are not drawn."""
    settings = page_study(subject).settings
    low, high = (most / settings.people for most in _HAPPENS)
    if settings.view != "leaks":
        return low, high
    return None if settings.epsilon1 > LARGEST_LEAK else (low, min(high, LARGEST_LEAK))


def _at(subject: common.PageSubject, epsilon1: float) -> Scenario:
    return page_study(subject).with_epsilon(epsilon1).scenario


PAGE = common.PageView(
    title="Candidates",
    build_slider_figure=_slider,
    file_disclosure=lambda subject: file_disclosure(page_study(subject)),
    settings=page_parameter_names(),
    describe_settings=lambda subject: describe_settings(page_study(subject)),
    slider_quantity=_moves,
    uses_candidates=lambda scenario: True,
    build_slider_preview=build_slider_preview,
    preview_range=preview_range,
    seeded=True,
    is_costly=True,
    parameter_name=CANDIDATES_PAGE.prefix + "epsilon1",
    current_value=lambda subject: page_study(subject).settings.epsilon1,
    scenario_at_value=_at,
)

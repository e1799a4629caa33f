"""Gaps: the `PAGE`, which passes each call to the half that is open, `top_k` or `sparse`."""

from dpviz.base import ParameterError, Progress, ignore_progress
from dpviz.gaps import GAPS
from dpviz.pages import common
from dpviz.pages.gaps import sparse, top_k
from dpviz.pages.gaps.study import CUSTOM, FIRST, GAPS_PAGE, GapWorthStudy, QueryStudy
from dpviz.studies import ShownMechanism, find_epsilon_range, format_setting

_BEYOND = 20.0


def describe_settings(subject: common.PageSubject) -> ShownMechanism:
    values, _ = GAPS_PAGE.read_values(subject.scenario.page)
    if _is_top_k(subject):
        return ShownMechanism(mechanism=GAPS.label("noisy_top_k_with_gap"))
    by = "threshold" if values["by"] == "value" else "quantile"
    asked = (by, "split", *(("share",) if values["split"] == CUSTOM else ()), "order", "confidence")
    settings = tuple(format_setting(GAPS_PAGE.declared[name], values[name]) for name in asked)
    return ShownMechanism(mechanism="Sparse vector with gap, plain and adaptive", settings=settings)


def build_slider_figure(
    subject: common.PageSubject, progress: Progress = ignore_progress
) -> common.SliderFigure:
    queries = QueryStudy.from_scenario(subject.scenario, subject.loaded_scores)
    if queries.settings.half == "top_k":
        return top_k.build_slider_figure(
            GapWorthStudy.from_scenario(subject.scenario, subject.loaded_scores), progress
        )
    return sparse.build_slider_figure(queries, progress)


def file_disclosure(subject: common.PageSubject) -> str:
    held: str = (top_k if _is_top_k(subject) else sparse).file_disclosure(
        subject.scenario, subject.loaded_scores
    )
    return held


def build_slider_preview(
    subject: common.PageSubject, epsilon: float, request: common.PreviewRequest
) -> common.PagePreview:
    if _is_top_k(subject):
        return top_k.build_slider_preview(
            GapWorthStudy.from_scenario(subject.scenario, subject.loaded_scores).with_epsilon(
                epsilon
            ),
            request,
        )
    return sparse.build_slider_preview(
        QueryStudy.from_scenario(subject.scenario, subject.loaded_scores).with_epsilon(epsilon),
        request,
    )


def preview_range(subject: common.PageSubject) -> tuple[float, float] | None:
    """Range of ε where the release changes; for top-k beyond, as values still get better."""
    if _is_top_k(subject):
        low, high = find_epsilon_range(subject.scenario.mechanisms[0], subject.loaded_scores)
        return low, _BEYOND * high
    try:
        return sparse.sparse_preview_range(
            QueryStudy.from_scenario(subject.scenario, subject.loaded_scores)
        )
    except ParameterError:  # which the page says
        return None


def _is_top_k(subject: common.PageSubject) -> bool:
    return bool(GAPS_PAGE.read_values(subject.scenario.page)[0]["half"] == "top_k")


PAGE = common.PageView(
    title="Gaps",
    build_slider_figure=build_slider_figure,
    file_disclosure=file_disclosure,
    describe_settings=describe_settings,
    settings=GAPS_PAGE.prefixed_names,
    first_scenario=FIRST,
    build_slider_preview=build_slider_preview,
    preview_range=preview_range,
    seeded=True,
    range_note="The slider goes further than on Explore, as published values still get better there.",
)

"""Gaps: the `PAGE`, which passes each call to the half that is open, `top_k` or `sparse`."""

from dpviz.base import ParameterError, Progress, ignore_progress
from dpviz.gaps import GAPS
from dpviz.pages import common
from dpviz.pages.gaps import sparse, top_k
from dpviz.pages.gaps.study import CUSTOM, FIRST, GAPS_PAGE, GapWorthStudy, QueryStudy
from dpviz.studies import ShownMechanism, find_epsilon_range, format_setting

_BEYOND = 20.0


def describe_settings(of: common.PageSubject) -> ShownMechanism:
    values, _ = GAPS_PAGE.read_values(of.scenario.page)
    if _is_top_k(of):
        return ShownMechanism(mechanism=GAPS.label("noisy_top_k_with_gap"))
    by = "threshold" if values["by"] == "value" else "quantile"
    asked = (by, "split", *(("share",) if values["split"] == CUSTOM else ()), "order", "confidence")
    settings = tuple(format_setting(GAPS_PAGE.declared[name], values[name]) for name in asked)
    return ShownMechanism(mechanism="Sparse vector with gap, plain and adaptive", settings=settings)


def build_takeaway(of: common.PageSubject, progress: Progress = ignore_progress) -> common.Takeaway:
    queries = QueryStudy.from_scenario(of.scenario, of.loaded_scores)
    if queries.settings.half == "top_k":
        return top_k.build_takeaway(
            GapWorthStudy.from_scenario(of.scenario, of.loaded_scores), progress
        )
    return sparse.build_takeaway(queries, progress)


def data_disclosure(of: common.PageSubject) -> str:
    held: str = (top_k if _is_top_k(of) else sparse).data_disclosure(of.scenario, of.loaded_scores)
    return held


def build_preview(
    of: common.PageSubject, epsilon: float, asked: common.PreviewRequest
) -> common.PagePreview:
    if _is_top_k(of):
        return top_k.build_preview(
            GapWorthStudy.from_scenario(of.scenario, of.loaded_scores).with_epsilon(epsilon), asked
        )
    return sparse.build_preview(
        QueryStudy.from_scenario(of.scenario, of.loaded_scores).with_epsilon(epsilon), asked
    )


def preview_range(of: common.PageSubject) -> tuple[float, float] | None:
    """Range of ε where the release changes; for top-k beyond, as values still get better."""
    if _is_top_k(of):
        low, high = find_epsilon_range(of.scenario.mechanisms[0], of.loaded_scores)
        return low, _BEYOND * high
    try:
        return sparse.sparse_preview_range(QueryStudy.from_scenario(of.scenario, of.loaded_scores))
    except ParameterError:  # which the page says
        return None


def _is_top_k(of: common.PageSubject) -> bool:
    return bool(GAPS_PAGE.read_values(of.scenario.page)[0]["half"] == "top_k")


PAGE = common.PageView(
    title="Gaps",
    build_takeaway=build_takeaway,
    data_disclosure=data_disclosure,
    describe_settings=describe_settings,
    settings=GAPS_PAGE.prefixed_names,
    first_scenario=FIRST,
    build_preview=build_preview,
    preview_range=preview_range,
    seeded=True,
    range_note="The slider goes further than on Explore, as published values still get better there.",
)

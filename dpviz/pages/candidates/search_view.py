"""Candidates in words and charts: the percentile search; the slider moves the ε of all of it."""

from dpviz.base import Progress, iterate_with_progress, portion
from dpviz.charts import (
    Chart,
    Look,
    count_text,
    number_text,
    percent,
    release_frequency_text,
    stated_percent_text,
    upper_bound_text,
)
from dpviz.charts import candidates as drawn
from dpviz.pages import common
from dpviz.pages.candidates.sentences import (
    MADE_UP,
    format_price,
    page_head_texts,
    run_law_caveat,
    run_law_headline,
)
from dpviz.pages.candidates.settings import SEARCH
from dpviz.pages.candidates.study import SearchStudy

_RIGHT, _WRONG, _NONE = (
    "the search stops at a candidate that reaches p*",
    "the search stops at a candidate that does not reach p*",
    "all candidates were asked and none was accepted",
)


def headlines(study: SearchStudy) -> list[common.Headline]:
    epsilon, delta = study.search.total_epsilon()
    right, wrong = study.right_wrong_stop_probabilities
    cards = [
        common.Headline(
            "Total ε",
            upper_bound_text(epsilon),
            f"δ = {upper_bound_text(delta)}" if delta else "for the whole search",
        ),
        run_law_headline("Right", percent(right), _RIGHT, study.law, study),
        run_law_headline("Wrong", percent(wrong), _WRONG, study.law, study),
        run_law_headline("None", percent(study.law.none), _NONE, study.law, study),
    ]
    if study.search.samples is not None:
        cards.append(
            common.Headline("Runs", f"{study.search.samples:,}", "for each candidate asked")
        )
    return cards


def search_stop_chart(study: SearchStudy, look: Look) -> Chart:
    pool, percentile = study.runs.pool, study.search.percentile
    return drawn.percentile_search_chart(
        [pool.label(k) for k in range(pool.size)],
        study.success_probabilities,
        percentile,
        study.law,
        study.threshold,
        look=look,
    )


def noise_explanation(study: SearchStudy) -> str:
    """Noise of the search, its theorem, and the runs that its law is about."""
    rule = study.search
    said = (
        "One person moves the log odds of a chance by at most S ="
        f" {upper_bound_text(rule.sensitivity)}. So each answer gets Laplace noise of scale 4S/ε3 ="
        f" {number_text(rule.query_scale)}, and"
        " p* gets half as much"
    )
    if rule.samples is None:
        said += (
            " (Liu & Talwar 2018, Theorem 4.1). It needs the exact chances, which nobody knows in"
            " practice."
        )
    else:
        said += (
            f" (Theorem 4.4). Chances come from {count_text(rule.samples, 'run')} of each"
            f" candidate. D = {number_text(rule.offset)} runs are added to both sides, so that few"
            " runs do not"
            " reveal too much."
        )
    return f"{said} {run_law_caveat(study, ties=False)}"


def build_slider_preview(study: SearchStudy, request: common.PreviewRequest) -> common.PagePreview:
    study.compute(request.progress, "runs", "law")
    heading, lead, below = page_head_texts(study)
    right, _ = study.right_wrong_stop_probabilities
    return common.PagePreview(
        texts={"heading": heading, "lead": lead, "sub": below, "noise": noise_explanation(study)}
        | common.headline_texts_by_live_name(headlines(study)),
        charts={"percentile": search_stop_chart(study, request.look)},
        lead=f"The search stops at one that reaches p* in {release_frequency_text(right)}.",
        height=right,
    )


def build_slider_figure(study: SearchStudy, progress: Progress) -> common.SliderFigure:
    runs, values = (
        study.compute(portion(progress, 0.0, 0.2), "runs").runs,
        common.epsilon_grid(study.search.epsilon),
    )

    def at(epsilon: float) -> SearchStudy:
        return study.with_page_parameters(**{SEARCH.prefix + "epsilon": epsilon}).replace(
            results={"runs": runs}
        )

    return common.SliderFigure(
        title=f"{study.name}: the first good candidate",
        lead=(
            f"The search goes through {count_text(study.candidate_count, 'candidate')} in order. It"
            f" stops at the first whose runs score at least {number_text(study.threshold)} with a"
            f" chance of {stated_percent_text(study.search.percentile)}."
        ),
        slider_quantity="ε of the whole search",
        steps=tuple(
            _searched(at(value).compute(part))
            for value, part in iterate_with_progress(values, portion(progress, 0.2, 1.0))
        ),
        start=values.index(study.search.epsilon),
        column_headings=(
            ("Total ε", "for the whole search"),
            ("Right", _RIGHT),
            ("Wrong", _WRONG),
            ("None", _NONE),
        ),
        charts=("Where the search stops",),
        note=(
            MADE_UP
            if study.settings.pool == "built_in"
            else (
                "The file contains each candidate's name and how often its runs reach the"
                " threshold."
            )
        ),
    )


def _searched(study: SearchStudy) -> common.SliderPosition:
    (right, wrong), epsilon = (
        study.right_wrong_stop_probabilities,
        common.format_slider_value(study.search.epsilon),
    )
    said = (
        f"At ε = {epsilon} the search names a candidate that reaches p* in"
        f" {release_frequency_text(right)} (exact, error at most"
        f" {upper_bound_text(max(study.law.error, 1e-16))})."
    )
    cells = [
        format_price(study.search.total_epsilon()),
        percent(right),
        percent(wrong),
        percent(study.law.none),
    ]
    chart = common.chart_with_table_builder(search_stop_chart, study)
    return common.build_position(epsilon, said, [cells], chart)

"""Candidates in words and charts: the run that comes out, prices, and the time to stop."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from dpviz.base import ParameterError
from dpviz.candidates import CANDIDATES
from dpviz.candidates.utility import (
    RuleUtility,
    StopProbabilityCurve,
    mean_score_error,
    top_quantile,
)
from dpviz.charts import (
    Chart,
    Look,
    number_text,
    percent,
    power_of_ten_text,
    stated_percent_text,
    upper_bound_text,
)
from dpviz.charts import candidates as drawn
from dpviz.pages import common
from dpviz.pages.candidates.sentences import (
    LABELS,
    NOT_COVERED,
    page_head_texts,
    rule_description,
    run_law_headline,
    uncovered_theorem_reason,
)
from dpviz.pages.candidates.study import ChoiceStudy, PriceStudy, StopStudy
from dpviz.studies import StepRefusal

Worth = Literal["within", "score"]
WORTHS: tuple[Worth, ...] = ("within", "score")
_LOG10_RUNS_A_YEAR = math.log10(3.156e13)  # a million a second
NO_CHANCE = 1e-12  # a chance of nothing that is none


def headlines(study: ChoiceStudy) -> list[common.Headline]:
    worth, total, law = study.chosen_rule_utility, study.total_or_error(study.rule), study.law
    price, nothing = (
        common.Headline("Total ε", NOT_COVERED, "for one release"),
        worth.bottom > NO_CHANCE,
    )
    if not isinstance(total, ParameterError):
        price = common.Headline(
            "Total ε",
            upper_bound_text(total[0]),
            f"and δ = {upper_bound_text(total[1])}" if total[1] else "for one release",
        )
    scores = common.ExactSource(mean_score_error(worth, study.runs.pool))
    share = f"In the top {stated_percent_text(study.settings.share)}"
    of_score = "of the published run" + (", if there is one" if nothing else "")
    none = (
        [run_law_headline("Nothing", percent(worth.bottom), "⊥: no run is published", law, study)]
        if nothing
        else []
    )
    return [
        price,
        run_law_headline("Mean score", format_mean_score(worth), of_score, scores, study),
        run_law_headline(share, percent(worth.within), "among the best of all runs", law, study),
        *none,
        run_law_headline(
            "Runs", format_mean_run_count(worth), "on average; the number stays secret", law, study
        ),
    ]


def candidate_chance_chart(study: ChoiceStudy, look: Look) -> Chart:
    return drawn.chosen_candidate_chart(
        study.law, study.runs.pool.mean_scores, study.naive_law.candidate, look=look
    )


def score_distribution_chart(study: ChoiceStudy, look: Look) -> Chart:
    one_run, share = float(np.mean(study.runs.pool.mean_scores)), study.settings.share
    return drawn.output_score_chart(
        study.score_histogram,
        study.chosen_rule_utility,
        one_run,
        top_quantile(study.runs.pool, share),
        share,
        look=look,
    )


def number_of_runs_chart(study: ChoiceStudy, look: Look) -> Chart:
    return drawn.run_count_chart(study.law.runs, look=look)


def price_quality_chart(study: PriceStudy, look: Look) -> Chart:
    name, share = study.rule.name, study.settings.share
    return drawn.cost_quality_chart(study.prices, LABELS, chosen=name, share=share, look=look)


def search_runs_needed_chart(study: PriceStudy, look: Look) -> Chart:
    return drawn.runs_needed_chart(study.runs_needed, look=look)


def threshold_search_explanation(study: PriceStudy) -> str:
    """Search for the threshold in words, and its number of runs in years."""
    log10_years = float(study.runs_needed["search"][1][-1]) - _LOG10_RUNS_A_YEAR
    return (
        "A known threshold is cheap, but who knows it? A private search can find it (Liu & Talwar"
        " 2018, Theorems 4.6 and 4.7). It goes down in 10 steps and stops at the first that runs"
        " reach often enough. Half of ε0 pays for it, so its runs grow as 1,100 to the power"
        " 6 + 12·ε1/ε0. It works on paper only. At a million runs a second it takes"
        f" {power_of_ten_text(log10_years)} years. Random stopping needs no threshold."
    )


def quality_by_gamma_chart(
    study: StopStudy, look: Look, quantity: Worth = "within", marked_gamma: float | None = None
) -> Chart:
    """Quality against γ: share "within" the best, or mean "score"; the page's γ or `marked_gamma`
    is marked.
    """
    return drawn.stop_chance_chart(
        stop_curves_by_rule_label(study),
        quantity,
        stop=study.stop_probability if marked_gamma is None else marked_gamma,
        share=study.settings.share,
        dearer=[CANDIDATES.label(name) for name in study.rules_costlier_with_runs],
        look=look,
    )


def stop_curves_by_rule_label(study: StopStudy) -> dict[str, StopProbabilityCurve]:
    return {CANDIDATES.label(name): curve for name, curve in study.curve.items()}


def omitted_rule_sentences(study: PriceStudy) -> list[str]:
    return [
        f"{CANDIDATES.label(name)}: {rule.reason}"
        for name, rule in study.rules_by_name.items()
        if isinstance(rule, StepRefusal)
    ]


def theorem_rows(study: PriceStudy) -> list[tuple[str, str, str, str, str]]:
    """Rows of label, action, price, reason why the theorem does not hold here or "", and source."""
    said = {way.name: rule_description(way.name) for way in study.prices}
    return [
        (
            LABELS[way.name],
            said[way.name].does,
            said[way.name].costs,
            "" if way.problem is None else uncovered_theorem_reason(way.problem),
            said[way.name].source,
        )
        for way in study.prices
    ]


# ---- preview while ε is dragged ------------------------------------------------------------------


def build_slider_preview(study: ChoiceStudy, request: common.PreviewRequest) -> common.PagePreview:
    study.compute(
        request.progress, "runs", "law", "chosen_rule_utility", "score_histogram", "naive_law"
    )
    look = request.look
    charts = {
        "chosen": candidate_chance_chart(study, look),
        "scores": score_distribution_chart(study, look),
        "runs": number_of_runs_chart(study, look),
    }
    return _step(study, charts)


def build_price_preview(study: PriceStudy, request: common.PreviewRequest) -> common.PagePreview:
    study.compute(request.progress, "runs", "law", "chosen_rule_utility", "prices")
    step = _step(
        study,
        {
            "prices": price_quality_chart(study, request.look),
            "runs_needed": search_runs_needed_chart(study, request.look),
        },
    )
    return replace(step, texts={**step.texts, "search": threshold_search_explanation(study)})


def build_stop_preview(study: StopStudy, request: common.PreviewRequest) -> common.PagePreview:
    study.compute(request.progress, "runs", "law", "chosen_rule_utility", "curve")
    return _step(
        study,
        {f"stops_{what}": quality_by_gamma_chart(study, request.look, what) for what in WORTHS},
    )


def _step(study: ChoiceStudy, charts: Mapping[str, Chart]) -> common.PagePreview:
    asked, lead, below = page_head_texts(study)
    worth = study.chosen_rule_utility
    return common.PagePreview(
        texts={"heading": asked, "lead": lead, "sub": below}
        | common.headline_texts_by_live_name(headlines(study)),
        charts=charts,
        lead=f"{asked} Mean score {format_mean_score(worth)}.",
        height=min(max(worth.score or 0.0, 0.0), 1.0),
    )


# ---- tables, for the command line ----------------------------------------------------------------


def candidate_chance_rows(study: ChoiceStudy) -> list[dict[str, Any]]:
    """Rows for the command line: chance of each candidate under each rule."""
    rows = [
        {"rule": rule.name, **row}
        for rule in study.given
        for row in study.with_rules(rule).law.table().to_dict("records")
    ]
    return [{str(name): cell for name, cell in row.items()} for row in rows]


def price_quality_rows(study: PriceStudy) -> list[dict[str, Any]]:
    """Rows for the command line: price and quality of each way to choose."""
    return [
        {
            "way": price.name,
            "epsilon": price.epsilon,
            "delta": price.delta,
            "score": price.utility.score,
            "good": price.utility.within,
            "nothing": price.utility.bottom,
            "runs": price.utility.runs,
            "error": price.utility.error,
            "reason": "" if price.problem is None else str(price.problem),
        }
        for price in study.prices
    ]


def format_mean_score(utility: RuleUtility) -> str:
    return "none" if utility.score is None else number_text(utility.score)


def format_mean_run_count(utility: RuleUtility) -> str:
    return number_text(round(utility.runs, 2))

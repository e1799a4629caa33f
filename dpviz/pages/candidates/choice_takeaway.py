"""Candidates: the figures with a slider of a rule's outcome, of all prices, and of the time to stop."""

from functools import partial

import numpy as np
import pandas as pd

from dpviz.base import Progress, iterate_with_progress, portion
from dpviz.candidates.utility import RuleUtility
from dpviz.charts import (
    Chart,
    Look,
    count_text,
    percent,
    release_frequency_text,
    stated_percent_text,
    upper_bound_text,
)
from dpviz.pages import common
from dpviz.pages.candidates.choice_view import (
    NO_CHANCE,
    WORTHS,
    Worth,
    candidate_chance_chart,
    format_mean_run_count,
    format_mean_score,
    price_quality_chart,
    quality_by_gamma_chart,
    score_distribution_chart,
    stop_curves_by_rule_label,
)
from dpviz.pages.candidates.sentences import (
    LABELS,
    NOT_COVERED,
    file_disclosure,
    format_price,
    rule_description,
    rule_with_parameters,
)
from dpviz.pages.candidates.study import ChoiceStudy, PriceStudy, StopStudy

_ONE = "ε1, the price of one run"
_GAMMA = "γ, the chance to stop after a run"
_OF_RUNS = (
    "The chances are exact for the runs that were made. ε is for new runs, made for a release."
)


def build_slider_figure(study: ChoiceStudy, progress: Progress) -> common.SliderFigure:
    """Figure of the outcome by ε1, or by γ for a table of runs."""
    start = study.settings.epsilon1
    values = common.epsilon_grid(start)
    studies = (study.with_epsilon(value) for value in values)
    if study.table is not None:
        of, rule = StopStudy(scenario=study.scenario, table=study.table), study.settings.rule
        values, start = of.allowed_stop_probabilities(rule), of.stop_probability
        studies = (study.with_rules(of.rule_at_gamma(rule, value)) for value in values)
    return common.SliderFigure(
        title=f"{study.name}: whose run is published",
        lead=(
            f"One of {count_text(study.candidate_count, 'private candidate')}, by {rule_with_parameters(study.rule)}."
            f" {rule_description(study.rule.name).does}"
        ),
        slider_quantity=_ONE if study.table is None else _GAMMA,
        steps=tuple(
            _chosen(one, value, part)
            for one, (value, part) in zip(
                studies, iterate_with_progress(values, progress), strict=True
            )
        ),
        start=values.index(start) if start in values else len(values) - 1,
        column_headings=_heads(study),
        charts=("Chance of each candidate", "Score of the published run"),
        note=_note(study),
    )


def _chosen(study: ChoiceStudy, value: float, progress: Progress) -> common.SliderPosition:
    worth, total = (
        study.compute(progress).chosen_rule_utility,
        format_price(study.total_or_error(study.rule)),
    )
    where = (
        f"At ε1 = {common.format_slider_value(value)} a run"
        if study.table is None
        else f"At γ = {common.format_slider_value(value)}"
    )
    said = (
        f"{where} ({_in_all(total)}), the published run is among the best"
        f" {stated_percent_text(study.settings.share)} in {release_frequency_text(worth.within)}"
        f" (exact for these runs, error at most {upper_bound_text(max(worth.error, 1e-16))})."
    )
    return common.build_position(
        common.format_slider_value(value),
        said,
        [_cells(total, worth)],
        common.chart_with_table_builder(candidate_chance_chart, study),
        common.chart_with_table_builder(score_distribution_chart, study),
    )


def _in_all(price: str) -> str:
    """A price as the end of a sentence."""
    return "no theorem covers it" if price == NOT_COVERED else f"ε = {price} in all"


def build_price_slider_figure(study: PriceStudy, progress: Progress) -> common.SliderFigure:
    values, names = (
        common.epsilon_grid(study.settings.epsilon1),
        [way.name for way in study.compared_rules],
    )
    return common.SliderFigure(
        title=f"{study.name}: privacy cost of each way to choose",
        lead=(
            f"Ways to publish one run of {count_text(study.candidate_count, 'private candidate')}."
        ),
        slider_quantity=_ONE,
        steps=tuple(
            _priced(study.with_epsilon(value).compute(part, "runs", "prices"), value)
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(study.settings.epsilon1),
        column_headings=_heads(study),
        rows=tuple(LABELS[name] for name in ("one", *names, "naive")),
        charts=("Total cost of one release",),
        note=_note(study),
        moving_charts=(0,),  # totals go with ε1
    )


def _priced(study: PriceStudy, epsilon: float) -> common.SliderPosition:
    totals = {
        price.name: format_price(price.problem or (price.epsilon or 0.0, price.delta or 0.0))
        for price in study.prices
    }
    said = (
        f"At ε1 = {common.format_slider_value(epsilon)} a run, {LABELS[study.rule.name]}:"
        f" {_in_all(totals.get(study.rule.name, NOT_COVERED))}. The best of one run each:"
        f" {_in_all(totals['naive'])}."
    )
    return common.build_position(
        common.format_slider_value(epsilon),
        said,
        [_cells(totals[price.name], price.utility) for price in study.prices],
        common.chart_with_table_builder(price_quality_chart, study),
    )


def build_stop_slider_figure(study: StopStudy, progress: Progress) -> common.SliderFigure:
    study.compute(portion(progress, 0.0, 0.9), "runs", "curve")
    return common.SliderFigure(
        title=f"{study.name}: more runs, better choices",
        lead=(
            f"Each rule runs {count_text(study.candidate_count, 'private candidate')} at random"
            " until a coin says stop."
        ),
        slider_quantity=_GAMMA,
        steps=tuple(
            _stop_at(study, stop)
            for stop, _ in iterate_with_progress(
                study.curve_stop_probabilities, portion(progress, 0.9, 1.0)
            )
        ),
        start=study.curve_stop_probabilities.index(study.stop_probability),
        column_headings=_heads(study),
        rows=tuple(stop_curves_by_rule_label(study)),
        charts=(
            f"Among the best {stated_percent_text(study.settings.share)} of all runs",
            "Mean score of the published run",
        ),
        note=_note(study),
    )


def _stop_at(study: StopStudy, stop: float) -> common.SliderPosition:
    by_label = stop_curves_by_rule_label(study)

    cells = []
    for name, curve in study.curve.items():
        if stop not in curve.stop:
            cells.append(["not at this γ", "", "", "", ""])
            continue
        at = int(np.flatnonzero(curve.stop == stop)[0])
        score, within, bottom, runs = (
            float(by[at]) for by in (curve.score, curve.within, curve.bottom, curve.runs)
        )
        worth = RuleUtility(score, within, bottom, runs, curve.error)
        cells.append(
            _cells(format_price(study.total_or_error(study.rule_at_gamma(name, stop))), worth)
        )
    chance, best = max(
        (curve.figure_at("within", stop) or 0.0, name) for name, curve in by_label.items()
    )
    said = (
        f"At γ = {common.format_slider_value(stop)} {best} most often publishes one of the best"
        f" {stated_percent_text(study.settings.share)} of all runs, in"
        f" {release_frequency_text(chance)} (exact for these runs)."
    )
    charts = [partial(_stops_at, study, what, stop) for what in WORTHS]
    return common.build_position(common.format_slider_value(stop), said, cells, *charts)


def _stops_at(study: StopStudy, what: Worth, stop: float, look: Look) -> tuple[Chart, pd.DataFrame]:
    here = {
        name: curve.figure_at(what, stop)
        for name, curve in stop_curves_by_rule_label(study).items()
    }
    table = pd.DataFrame({"rule": list(here), "at this γ": list(here.values())})
    return quality_by_gamma_chart(study, look, what, stop), common.table_as_text(table)


def _heads(study: ChoiceStudy) -> tuple[tuple[str, str], ...]:
    return (
        ("Total ε", "of one release"),
        ("Mean score", "of what comes out"),
        (f"In the top {stated_percent_text(study.settings.share)}", "among the best of all runs"),
        ("Nothing", "⊥: no run is published"),
        ("Runs", "made on average, and kept secret"),
    )


def _cells(total: str, worth: RuleUtility) -> list[str]:
    return [
        total,
        format_mean_score(worth),
        percent(worth.within),
        percent(worth.bottom) if worth.bottom > NO_CHANCE else "0",
        format_mean_run_count(worth),
    ]


def _note(study: ChoiceStudy) -> str:
    return f"{file_disclosure(study)} {_OF_RUNS}" if study.is_empirical else file_disclosure(study)

"""Candidates in words and charts: the run that comes out, prices, and the time to stop.

Invariants: built-in runs are made anew at each ε1; a table of runs has an ε1 of its own, so there
the slider moves γ. Laws are exact for the runs at hand.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from dpviz.base import Floats, ParameterError, Progress, iterate_with_progress, portion
from dpviz.candidates import CANDIDATES, naive_epsilon
from dpviz.candidates.utility import RuleUtility, StopProbabilityCurve
from dpviz.charts import (
    Chart,
    Look,
    count_text,
    input_percent_text,
    number_text,
    percent,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.charts import candidates as drawn
from dpviz.pages.candidates import ChoiceStudy, PriceStudy, StopStudy
from dpviz.pages.candidates.sentences import (
    LABELS,
    data_disclosure,
    format_price,
    heading_texts,
    rule_description,
    rule_summary,
    run_law_headline,
    uncovered_theorem_reason,
)
from dpviz.pages.common import (
    ExactSource,
    Headline,
    PagePreview,
    PreviewRequest,
    SliderPosition,
    Takeaway,
    build_position,
    charts_with_tables,
    epsilon_grid,
    format_slider_value,
    headline_texts,
    table_as_text,
)
from dpviz.studies import StepRefusal

Worth = Literal["within", "score"]
_WORTHS: tuple[Worth, ...] = ("within", "score")
_ONE = "Privacy budget ε1 of one run"
_GAMMA = "γ, the chance to stop after a run"
_OF_RUNS = "Laws are exact for the runs that were made; ε is about new ones, made for a release."
_NONE = 1e-12  # a chance of nothing that is none


def headlines(study: ChoiceStudy) -> list[Headline]:
    """Price of the rule, quality of the run that comes out, and number of runs."""
    worth, total, levels, law = (
        study.run_worth,
        study.total_or_error(study.rule),
        study.runs.pool.score_levels,
        study.law,
    )
    naive = f"the naive best costs {upper_bound_text(naive_epsilon(study.candidate_count, study.settings.epsilon1))}"
    price, nothing = Headline("Total ε", "not covered", naive), worth.bottom > _NONE
    if not isinstance(total, ParameterError):
        price = Headline(
            "Total ε",
            upper_bound_text(total[0]),
            (f"and δ = {upper_bound_text(total[1])}; " if total[1] else "") + naive,
        )
    scores = ExactSource(worth.error * max(1.0, float(levels[-1] - levels[0])))
    share = f"In the top {input_percent_text(study.settings.share)}"
    of_score = "of what comes out" + (", when something does" if nothing else "")
    none = (
        [run_law_headline("Nothing", percent(worth.bottom), "⊥: no run is published", law, study)]
        if nothing
        else []
    )
    return [
        price,
        run_law_headline("Mean score", _score(worth), of_score, scores, study),
        run_law_headline(share, percent(worth.within), "among the best of all runs", law, study),
        *none,
        run_law_headline("Runs", _runs(worth), "made on average, and kept secret", law, study),
    ]


def uncovered_reason(study: ChoiceStudy) -> str:
    """Reason why the rule has no total here; "" where it has one."""
    total = study.total_or_error(study.rule)
    return (
        f"No total ε for this rule here: {uncovered_theorem_reason(total)}."
        if isinstance(total, ParameterError)
        else ""
    )


def chosen_chart(study: ChoiceStudy, look: Look) -> Chart:
    return drawn.chosen_candidate_chart(
        study.law, study.runs.pool.mean_scores, study.naive_law.candidate, look=look
    )


def score_distribution_chart(study: ChoiceStudy, look: Look) -> Chart:
    one_run, share = float(np.mean(study.runs.pool.mean_scores)), study.settings.share
    return drawn.output_score_chart(
        study.score_histogram, study.run_worth, one_run, study.good_run_score, share, look=look
    )


def runs_chart(study: ChoiceStudy, look: Look) -> Chart:
    return drawn.run_count_chart(study.law.runs, look=look)


def prices_chart(study: PriceStudy, look: Look) -> Chart:
    name, share = study.rule.name, study.settings.share
    return drawn.cost_quality_chart(study.prices, LABELS, chosen=name, share=share, look=look)


def stop_curves_chart(study: StopStudy, what: Worth, stop: float, look: Look) -> Chart:
    """Quality against γ with `stop` marked: share "within" the best, or mean "score"."""
    dearer, share = (
        [CANDIDATES.label(name) for name in study.rules_costlier_with_runs],
        study.settings.share,
    )
    return drawn.stop_chance_chart(
        curves_by_label(study), what, stop=stop, share=share, dearer=dearer, look=look
    )


def curves_by_label(study: StopStudy) -> dict[str, StopProbabilityCurve]:
    return {CANDIDATES.label(name): curve for name, curve in study.curve.items()}


def omitted_rule_sentences(study: PriceStudy) -> list[str]:
    return [
        f"{CANDIDATES.label(name)}: {rule.reason}"
        for name, rule in study.rules_by_name.items()
        if isinstance(rule, StepRefusal)
    ]


def theorems(study: PriceStudy) -> list[tuple[str, str, str, str, str]]:
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


def gaussian_repeats_table(totals: Mapping[str, float | None]) -> pd.DataFrame:
    rounded = [None if total is None else float(f"{total:.4g}") for total in totals.values()]
    return pd.DataFrame(
        {"way to choose": [LABELS[name] for name in totals], "total epsilon": rounded}
    )


# ---- under the hand ------------------------------------------------------------------------------


def build_preview(study: ChoiceStudy, asked: PreviewRequest) -> PagePreview:
    """Preview of the outcome, at the study's price of one run."""
    study.compute(asked.progress, "runs", "law", "run_worth", "score_histogram", "naive_law")
    look = asked.look
    charts = {
        "chosen": chosen_chart(study, look),
        "scores": score_distribution_chart(study, look),
        "runs": runs_chart(study, look),
    }
    return _step(study, charts)


def build_price_preview(study: PriceStudy, asked: PreviewRequest) -> PagePreview:
    study.compute(asked.progress, "runs", "law", "run_worth", "prices")
    return _step(study, {"prices": prices_chart(study, asked.look)})


def build_stop_preview(study: StopStudy, asked: PreviewRequest) -> PagePreview:
    study.compute(asked.progress, "runs", "law", "run_worth", "curve")
    return _step(
        study,
        {
            f"stops_{what}": stop_curves_chart(study, what, study.stop_probability, asked.look)
            for what in _WORTHS
        },
    )


def _step(study: ChoiceStudy, charts: Mapping[str, Chart]) -> PagePreview:
    asked, lead, below = heading_texts(study)
    worth = study.run_worth
    return PagePreview(
        said={"heading": asked, "lead": lead, "sub": below} | headline_texts(headlines(study)),
        charts=charts,
        lead=f"{asked} Mean score {_score(worth)}.",
        height=min(max(worth.score or 0.0, 0.0), 1.0),
    )


# ---- tables, for the command line ----------------------------------------------------------------


def chosen_table(study: ChoiceStudy) -> list[dict[str, Any]]:
    """Rows for the command line: chance of each candidate under each rule."""
    rows = [
        {"rule": rule.name, **row}
        for rule in study.given
        for row in study.with_rules(rule).law.table().to_dict("records")
    ]
    return [{str(name): cell for name, cell in row.items()} for row in rows]


def prices_table(study: PriceStudy) -> list[dict[str, Any]]:
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


# ---- the figures to take away --------------------------------------------------------------------


def build_takeaway(study: ChoiceStudy, progress: Progress) -> Takeaway:
    """Figure of the outcome by ε1, or by γ for a table of runs."""
    epsilon1 = study.settings.epsilon1
    values, start, at = (
        (epsilon_grid(epsilon1), epsilon1, study.with_epsilon)
        if study.table is None
        else _by_stop(study)
    )
    return Takeaway(
        title=f"{study.name}: whose run comes out",
        lead=(
            f"One of {count_text(study.candidate_count, 'private candidate')}, by {rule_summary(study.rule)}."
            f" {rule_description(study.rule.name).does}"
        ),
        moves=_ONE if study.table is None else _GAMMA,
        steps=tuple(
            _chosen(at(value), value, part)
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(start) if start in values else len(values) - 1,
        heads=_heads(study),
        charts=("Whose run comes out", "How good it is"),
        note=_note(study),
    )


def _by_stop(study: ChoiceStudy) -> tuple[list[float], float, Callable[[float], ChoiceStudy]]:
    """Values of the slider, its start, and the study at each value."""
    of, name = StopStudy(scenario=study.scenario, table=study.table), study.settings.rule
    return (
        of.allowed_stop_probabilities(name),
        of.stop_probability,
        lambda gamma: study.with_rules(of.rule_makers[name](gamma)),
    )


def _chosen(study: ChoiceStudy, value: float, progress: Progress) -> SliderPosition:
    worth, total = study.compute(progress).run_worth, format_price(study.total_or_error(study.rule))
    in_look = charts_with_tables(
        partial(chosen_chart, study), partial(score_distribution_chart, study)
    )
    where = (
        f"At ε1 = {format_slider_value(value)} a run"
        if study.table is None
        else f"At γ = {format_slider_value(value)}"
    )
    said = (
        f"{where}, ε = {total} in all: what comes out is among the best"
        f" {input_percent_text(study.settings.share)} of all runs in {release_frequency_text(worth.within)} (exact for"
        f" these runs, error at most {upper_bound_text(max(worth.error, 1e-16))})."
    )
    return build_position(format_slider_value(value), said, [_cells(total, worth)], in_look)


def build_price_takeaway(study: PriceStudy, progress: Progress) -> Takeaway:
    """Figure of the prices by ε1."""
    values, names = (
        epsilon_grid(study.settings.epsilon1),
        [way.name for way in study.compared_rules],
    )
    return Takeaway(
        title=f"{study.name}: what each way to choose costs",
        lead=f"{count_text(study.candidate_count, 'private candidate')}, and the ways to publish one run of them.",
        moves=_ONE,
        steps=tuple(
            _priced(study.with_epsilon(value).compute(part, "runs", "prices"), value)
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(study.settings.epsilon1),
        heads=_heads(study),
        rows=tuple(LABELS[name] for name in ("one", *names, "naive")),
        charts=("What one release costs in all",),
        note=_note(study),
        moving=(0,),  # totals go with ε1
    )


def _priced(study: PriceStudy, epsilon: float) -> SliderPosition:
    totals = {
        price.name: format_price(price.problem or (price.epsilon or 0.0, price.delta or 0.0))
        for price in study.prices
    }
    said = (
        f"At ε1 = {format_slider_value(epsilon)} a run, {LABELS[study.rule.name]} costs ε ="
        f" {totals.get(study.rule.name, 'not covered')}; publishing the best of one run each costs"
        f" {totals['naive']}."
    )
    return build_position(
        format_slider_value(epsilon),
        said,
        [_cells(totals[price.name], price.utility) for price in study.prices],
        charts_with_tables(partial(prices_chart, study)),
    )


def build_stop_takeaway(study: StopStudy, progress: Progress) -> Takeaway:
    """Figure of every rule's quality by γ."""
    study.compute(portion(progress, 0.0, 0.9), "runs", "curve")
    return Takeaway(
        title=f"{study.name}: more runs, better choices",
        lead=(
            f"{count_text(study.candidate_count, 'private candidate')}; each rule draws them until a coin says"
            " stop."
        ),
        moves=_GAMMA,
        steps=tuple(
            _stop_at(study, stop)
            for stop, _ in iterate_with_progress(
                study.stop_probabilities, portion(progress, 0.9, 1.0)
            )
        ),
        start=study.stop_probabilities.index(study.stop_probability),
        heads=_heads(study),
        rows=tuple(curves_by_label(study)),
        charts=(
            f"Among the best {input_percent_text(study.settings.share)} of all runs",
            "Mean score of what comes out",
        ),
        note=_note(study),
    )


def _stop_at(study: StopStudy, stop: float) -> SliderPosition:
    by_label = curves_by_label(study)

    def in_look(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        return [_stops_at(study, what, stop, look) for what in _WORTHS]

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
            _cells(format_price(study.total_or_error(study.rule_makers[name](stop))), worth)
        )
    best = max(by_label, key=lambda label: _at(by_label[label], "within", stop))
    said = (
        f"At γ = {format_slider_value(stop)} {best} is most often among the best {input_percent_text(study.settings.share)}"
        f" of all runs: in {release_frequency_text(_at(by_label[best], 'within', stop))} (exact for these"
        " runs)."
    )
    return build_position(format_slider_value(stop), said, cells, in_look)


def _stops_at(study: StopStudy, what: Worth, stop: float, look: Look) -> tuple[Chart, pd.DataFrame]:
    here = {name: _at(curve, what, stop) for name, curve in curves_by_label(study).items()}
    table = pd.DataFrame({"rule": list(here), "at this γ": list(here.values())})
    return stop_curves_chart(study, what, stop, look), table_as_text(table)


def _at(curve: StopProbabilityCurve, what: Worth, stop: float) -> float:
    values: Floats = getattr(curve, what)
    return float(np.interp(np.log(stop), np.log(curve.stop), values))


def _heads(study: ChoiceStudy) -> tuple[tuple[str, str], ...]:
    return (
        ("Total ε", "of one release"),
        ("Mean score", "of what comes out"),
        (f"In the top {input_percent_text(study.settings.share)}", "among the best of all runs"),
        ("Nothing", "⊥: no run is published"),
        ("Runs", "made on average, and kept secret"),
    )


def _cells(total: str, worth: RuleUtility) -> list[str]:
    nothing = percent(worth.bottom) if worth.bottom > _NONE else "0"
    return [total, _score(worth), percent(worth.within), nothing, _runs(worth)]


def _score(worth: RuleUtility) -> str:
    return "none" if worth.score is None else number_text(worth.score)


def _runs(worth: RuleUtility) -> str:
    return number_text(round(worth.runs, 2))


def _note(study: ChoiceStudy) -> str:
    return f"{data_disclosure(study)} {_OF_RUNS}" if study.is_empirical else data_disclosure(study)

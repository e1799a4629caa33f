"""Neighbours in charts, the `PAGE`, and its figure with the same person at every position."""

import math

import numpy as np
import pandas as pd

from dpviz.base import Progress, iterate_with_progress, portion
from dpviz.charts import Chart, Look, count_text, percent_upper_bound, upper_bound_text
from dpviz.charts.privacy.frequencies import (
    PeopleGroup,
    hundred_people_chart,
    paired_frequencies_chart,
    split_hundred_people,
)
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.pages import common
from dpviz.pages.candidates.sentences import MADE_UP, describe_rule
from dpviz.pages.candidates.settings import page_parameter_names
from dpviz.pages.gaps.study import GAPS_PAGE
from dpviz.pages.margin.study import MARGIN_PAGE
from dpviz.pages.neighbours.sentences import (
    belief_sentences,
    epsilon_symbol,
    guessed_statement,
    headlines,
    largest_chance_error,
    lead_sentence,
    page_heading,
    release_denominator,
    right_guess_probability,
    right_guesses_per_hundred,
    uncertain_difference,
    world_names,
)
from dpviz.pages.neighbours.settings import FIRST, NEIGHBOURS_PAGE, WHO, is_candidate_rule
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import ShownMechanism, design_settings, find_epsilon_range


def two_lists_chart(study: NeighboursStudy, look: Look, denominator: int | None = None) -> Chart:
    """Chances of items in both worlds, counted out of `denominator` releases."""
    first, second = study.inclusion_probabilities
    return paired_frequencies_chart(
        study.data.label,
        np.asarray(study.data.order),
        first.value,
        second.value,
        study.two_worlds.moved,
        worlds=world_names(study),
        noun=study.family.noun,
        verb=study.family.verb,
        dot_meaning="a candidate whose runs she improves"
        if study.scores is None
        else "an item that she counts in",
        error=largest_chance_error(study.inclusion_probabilities),
        uncertain_difference=uncertain_difference(study),
        denominator=denominator,
        look=look,
    )


def loss_chart(study: NeighboursStudy, look: Look) -> Chart:
    return loss_distribution_chart(study.loss, worlds=world_names(study), look=look)


def delta_chart(study: NeighboursStudy, look: Look) -> Chart:
    curve, loss = study.delta_curve, study.loss
    return delta_curve_chart(
        curve.epsilons,
        curve.forth,
        curve.back,
        worlds=world_names(study),
        largest=loss.largest,
        exceeds=(curve.above, curve.above_back) if loss.method == "exact" else None,
        upper_bounds=None if loss.method == "exact" else curve.most,
        look=look,
    )


def trade_off_chart(study: NeighboursStudy, look: Look) -> Chart:
    tests, exact = study.trade_off_curve, study.loss.method == "exact"
    return trade_off_curve_chart(
        tests.alarms,
        tests.misses,
        tests.least,
        tests.allowed,
        worlds=world_names(study),
        exact=exact,
        look=look,
    )


def attacker_guesses_chart(study: NeighboursStudy, look: Look) -> Chart:
    loss = study.loss
    person = right_guesses_per_hundred(loss)
    bound, most = (
        "at most" if loss.method == "exact" else "at least",
        max(percent_upper_bound(study.guess_bound), person),
    )
    guessing, hers, others, wrong = split_hundred_people([0.5, person / 100, most / 100, 1.0])
    parts = [
        PeopleGroup(guessing, "are right by pure guessing"),
        PeopleGroup(hers, f"more can be right after one release, {bound}"),
        PeopleGroup(others, "more could be right about somebody else"),
        PeopleGroup(wrong, "must guess wrong"),
    ]
    says = (
        f"Of 100 attackers who guess whether {guessed_statement(study)}, {bound} {50 + hers} can be"
        f" right. About anybody, at most {50 + hers + others} can be right."
    )
    how = (
        "Each attacker knows everything except whether this one person is in the data. The attacker"
        " sees one release and guesses."
    )
    return hundred_people_chart(parts, says, how, look=look)


_STEPS = ("data", "two_worlds", "inclusion_probabilities", "loss")
_SHOWN = 30  # rows of the slider's tables
_EACH = 5  # of the chances of a false alarm one has a row


def page_study(subject: common.PageSubject) -> NeighboursStudy:
    return NeighboursStudy(
        scenario=subject.scenario,
        scores=None if is_candidate_rule(subject.scenario) else subject.loaded_scores,
        table=subject.table,
    )


def describe_settings(study: NeighboursStudy) -> ShownMechanism:
    if study.scores is None:
        return describe_rule(study.runs_study, study.mechanism)
    settings = design_settings(study.scenario.designs[0]) if study.family.designed else ()
    whose = ("Whose data", WHO[study.settings.who].lower())
    return ShownMechanism(
        mechanism=study.mechanism_label,
        settings=(*settings, whose),
        k=None if study.family.has_k(study.mechanism_name) else 1,
        needs_names=study.family.menu[study.mechanism_name].needs_names,
    )


def file_disclosure(study: NeighboursStudy) -> str:
    if study.scores is not None:
        return common.disclosure_sentence(
            study.scenario,
            "the names of the items shown and whether she counts in them, but no score",
        )
    return (
        MADE_UP
        if study.runs_study.settings.pool == "built_in"
        else "The file contains each candidate's name and chance, but no run and no person."
    )


def build_slider_figure(study: NeighboursStudy, progress: Progress) -> common.SliderFigure:
    """Figure of the page's mechanism and person; raises `ParameterError` for bad settings."""
    study.compute(portion(progress, 0.0, 0.3), *_STEPS[:-1])
    values, rest, whose = (
        common.epsilon_grid(study.epsilon),
        portion(progress, 0.3, 1.0),
        WHO[study.settings.who].lower(),
    )
    base = release_denominator(study)
    if study.settings.who == "worst":
        whose = f"the worst found at ε = {common.format_slider_value(study.epsilon)}; others may be worse"
    if study.scores is None:
        what, called, budget = "candidate", study.runs_study.name, "ε1, the price of one run"
        change = "One person changes every run as much as ε1 allows."
    else:
        what, called, budget = (
            "item",
            common.takeaway_title(study.scenario, "").rstrip(": "),
            "ε, the privacy budget",
        )
        change = f"{study.scores.change[:1].upper()}{study.scores.change[1:]}"
    counts = f"She counts in {count_text(len(study.two_worlds.person_items), what)} ({whose})."
    return common.SliderFigure(
        title=f"{called}: what one person's data change",
        lead=f"{study.mechanism_label} on {count_text(study.data.d, what)}. {counts} {change}",
        slider_quantity=budget,
        steps=tuple(
            _place(study.with_epsilon(value), base, part)
            for value, part in iterate_with_progress(values, rest)
        ),
        start=values.index(study.epsilon),
        column_headings=(
            ("Privacy loss", "the most one release can reveal, and its limit"),
            ("Odds", "how much likelier one release can be with her data, or without"),
            ("An attacker is right", "who guesses whether she is in the data (pure guessing: 50)"),
            ("At this ε, at most", "right guesses of an attacker about anybody"),
            ("On average", "the privacy loss of a release with her data"),
        ),
        charts=("Two lists side by side", "How much a release reveals", "Errors of the best test"),
        note=file_disclosure(study),
        moving_charts=(1,),  # a loss is held against its ε
    )


def _place(study: NeighboursStudy, base: int, progress: Progress) -> common.SliderPosition:
    loss = study.compute(progress, *_STEPS, "trade_off_curve").loss

    def most_changed(table: pd.DataFrame) -> pd.DataFrame:
        return _largest(table, (table.iloc[:, 2] - table.iloc[:, 3]).abs())

    return common.build_position(
        common.format_slider_value(study.epsilon),
        _sentence(study),
        [_cells(loss, study.guess_bound)],
        common.chart_with_table_builder(two_lists_chart, study, most_changed, denominator=base),
        common.chart_with_table_builder(
            loss_chart, study, lambda table: _largest(table, table["chance"])
        ),
        common.chart_with_table_builder(
            trade_off_chart, study, lambda table: common.table_as_text(table.iloc[::_EACH])
        ),
    )


def _sentence(study: NeighboursStudy) -> str:
    loss, draws = study.loss, study.inclusion_probabilities[0].draws
    of = (
        f"limit ε = {upper_bound_text(loss.ceiling.epsilon)}; "
        if math.isfinite(loss.ceiling.epsilon)
        else ""
    )
    how = (
        f"exact, error at most {upper_bound_text(max(loss.error, 1e-16))}"
        if loss.method == "exact"
        else "a certified lower bound"
    )
    largest, *_ = headlines(loss, study.guess_bound)
    counts = (largest.value or "").replace("≥", "at least")
    said = (
        f"At {epsilon_symbol(study)} = {common.format_slider_value(study.epsilon)} the largest privacy"
        f" loss is {counts} ({of}{how})."
    )
    return (
        f"{said} Chances come from {draws:,} simulated releases in each world." if draws else said
    )


def _cells(loss: PrivacyLoss, most_right: float) -> list[str]:
    largest, odds, right, average, *_ = (
        f"{one.value}{one.of}" for one in headlines(loss, most_right)
    )
    return [largest, odds, right, f"{percent_upper_bound(most_right)} in 100", average]


def _largest(table: pd.DataFrame, by: "pd.Series[float]") -> pd.DataFrame:
    return common.table_as_text(table.loc[by.nlargest(_SHOWN).sort_index().index])


def build_slider_preview(
    subject: common.PageSubject, epsilon: float, request: common.PreviewRequest
) -> common.PagePreview:
    study = page_study(subject).compute(request.progress, "two_worlds").with_epsilon(epsilon)
    study.compute(request.progress, *_STEPS)
    look, says = request.look, lead_sentence(study)
    return common.PagePreview(
        texts={"heading": page_heading(study), "lead": says, "belief": belief_sentences(study)}
        | common.headline_texts_by_live_name(headlines(study.loss, study.guess_bound)),
        charts={
            "two_lists": two_lists_chart(study, look),
            "loss_law": loss_chart(study, look),
            "hundred": attacker_guesses_chart(study, look),
            "trade_off": trade_off_chart(study, look),
        },
        lead=says,
        height=min(max(2 * right_guess_probability(study.loss) - 1, 0.0), 1.0),
    )


def preview_range(subject: common.PageSubject) -> tuple[float, float] | None:
    """Range of ε where the release changes; None for the worst person, found for one ε alone."""
    study = page_study(subject)
    return (
        None
        if study.settings.who == "worst" or not study.family.designed
        else find_epsilon_range(subject.scenario.mechanisms[0], subject.loaded_scores)
    )


PAGE = common.PageView(
    title="Neighbours",
    build_slider_figure=lambda subject, progress: build_slider_figure(
        page_study(subject), progress
    ),
    file_disclosure=lambda subject: file_disclosure(page_study(subject)),
    settings=(
        *NEIGHBOURS_PAGE.prefixed_names,
        *GAPS_PAGE.prefixed_names,
        *MARGIN_PAGE.prefixed_names,
        *page_parameter_names(),
    ),
    describe_settings=lambda subject: describe_settings(page_study(subject)),
    slider_quantity=lambda subject: "ε1 of one run" if is_candidate_rule(subject.scenario) else "ε",
    first_scenario=FIRST,
    uses_candidates=is_candidate_rule,
    build_slider_preview=build_slider_preview,
    preview_range=preview_range,
)

"""The page One item: by large margin where a clear front group stands apart, and by its rivals."""

import math

import streamlit as st

from dpviz import charts
from dpviz.base import GLOSSARY, Scores
from dpviz.base.text_format import number_text, percent, whole_number_text
from dpviz.charts.margin.margin_curves import (
    margin_bound_chart,
    margin_promise_chart,
    universe_size_chart,
)
from dpviz.charts.margin.uneven_sensitivities import uneven_sensitivities_chart
from dpviz.margin import COMPARED, MOST_UNLISTED
from dpviz.pages.margin import sentences
from dpviz.pages.margin import view as margin
from dpviz.pages.margin.study import (
    DELTA,
    FIRST,
    MOST_DIGITS,
    MOST_PEOPLE,
    MarginSettings,
    MarginStudy,
    has_negative_scores,
    margin_parameters,
    read_margin_settings,
)
from dpviz.studies import Scenario, StepRefusal, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.session import state

_POWERS = (8, 9, 12, 15, 20, 30, 50, 70, 100, 150, 200, 250, 300, 400, 500, 700, 1000)


def margin_page_parameters(scenario: Scenario, scores: Scores) -> ui.PageParameters[MarginSettings]:
    return ui.PageParameters(margin_parameters(scenario, scores), place="margin")


def show_sidebar_controls(scenario: Scenario) -> None:
    if scenario.needs_data:
        return
    scores = state.scores(scenario)
    settings, refused = read_margin_settings(scenario, scores)
    chosen = f"δ = {number_text(settings.delta)}, {whole_number_text(settings.universe)} items"
    opened = bool(refused)
    with ui.sidebar_section("Large margin", chosen, "margin", is_open=opened) as is_open:
        if is_open:
            _show_margin_controls(settings, scores, margin_page_parameters(scenario, scores))
            for sentence in refused:
                st.error(ui.escape_markdown(sentence))
            ui.show_notice("margin")


def _show_margin_controls(
    settings: MarginSettings, scores: Scores, parameters: ui.PageParameters[MarginSettings]
) -> None:
    ui.slider_and_box(
        "margin_delta",
        settings.delta,
        ui.edit_for_keyword(parameters.change, "delta"),
        labels=("δ, the leeway", "δ, exactly"),
        helps=(
            GLOSSARY["delta"].says + " " + DELTA.help,
            "Any value between 0 and 1. The slider goes from 10⁻¹² to 0.05.",
        ),
        stops=ui.SMALL,
        format_value=number_text,
    )
    _universe_controls(settings.universe, scores, parameters)
    st.number_input(
        "A good item: at most this far below the best",
        value=settings.good,
        format="%.10g",
        help="In score units. It only changes which items the charts count as good.",
        **parameters.bind_control("good", settings.good),
    )


def _universe_controls(
    universe: int, scores: Scores, parameters: ui.PageParameters[MarginSettings]
) -> None:
    if has_negative_scores(scores):
        ui.show_paragraph(
            "Some scores are below zero, so unlisted items with score zero would not come last. The"
            " universe is therefore the listed items.",
            "note",
        )
        return
    d, most = scores.d, scores.d + MOST_UNLISTED
    steps = {d, most, universe, *(10**e for e in _POWERS)}
    steps |= {m * 10**e for e in range(1, 8) for m in (1, 2, 5)}

    def edit(size: int) -> None:
        listed = size <= most
        parameters.change(
            universe=size if listed else None, digits=None if listed else round(math.log10(size))
        )

    st.select_slider(
        "K, items in the universe",
        options=sorted(size for size in steps if size >= d or size == universe),
        format_func=whole_number_text,
        value=universe,
        help=(
            "All possible items. Items without a score in the data are unlisted and have score"
            " zero."
        ),
        **ui.bind_control("margin_universe_slider", universe, edit),
    )
    if universe > most:
        ui.number_box(
            "K, as a power of ten",
            round(math.log10(universe)),
            lambda power: edit(max(d, 10**power)),
            "margin_digits",
            low=1,
            high=MOST_DIGITS,
            step=10,
            help="400 stands for 10⁴⁰⁰ items.",
        )
    else:
        ui.number_box(
            "K, exactly",
            universe,
            edit,
            "margin_universe",
            low=d,
            high=most,
            help=(
                f"From the {d:,} listed items to {MOST_UNLISTED:,} more. The slider goes up to"
                " 10¹⁰⁰⁰."
            ),
        )


def show_page(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    now, _ = ui.compute_in_background(MarginStudy.from_scenario(scenario, scores))
    at, settings = scenario.epsilon, now.settings
    with ui.show_job_progress("laws"):
        with st.container(key="margin_first"):
            with ui.live_part():
                ui.show_page_title(
                    scenario,
                    scores,
                    margin.PAGE.title,
                    read_if_ready(sentences.large_margin_verdict, now) or "",
                    f"Large margin at δ = {number_text(settings.delta)}",
                    sentences.page_heading(now),
                    at,
                )
            left, right = st.columns([1, 2.6], gap="medium")
            with left, ui.live_part():
                ui.show_figures(sentences.headlines(now), slider_value=at)
            with right, ui.live_part("The front group"):
                ui.show_first_chart(margin.score_drop_chart(now, look), "margin-scores", at)
                if now.front_group_of_scores.rank is None:
                    with st.container(horizontal=True, vertical_alignment="center"):
                        st.markdown("With a larger ε or δ a smaller margin is enough.")
                        st.button(
                            "Show an example with a clear front group",
                            on_click=state.change_scenario,
                            kwargs={
                                "data": FIRST.data,
                                "epsilon": FIRST.epsilon,
                                "k": FIRST.k,
                                "scores": None,
                                "page": {},
                            },
                            type="tertiary",
                        )
            ui.show_not_private_banner("large_margin")
        with ui.live_part("The chance of each item"):
            _show_items(now, look)
        with ui.fold(
            "universe",
            "Effect of a larger universe on the chance of a good item, by mechanism",
            "The curve over the universe",
        ) as opened:
            if opened and has_negative_scores(scores):
                ui.show_paragraph(
                    "Some scores are below zero, so unlisted items with score zero would not come"
                    " last. To see a larger universe, shift the scores so that zero is the least"
                    " possible score."
                )
            elif opened:
                chart = universe_size_chart(
                    now.curves,
                    now.huge_universe_curves,
                    settings.universe,
                    settings.good,
                    now.half_chance_log10_universe,
                    look=look,
                )
                ui.show_chart(chart, "margin-universe")
        with ui.fold(
            "uneven",
            "Where each exponential mechanism wins, if one item is more sensitive than the others",
            "The curves over the sensitivity",
        ) as opened:
            if opened:
                ui.show_paragraph(
                    sentences.uneven_sensitivity_sentence(
                        now.best_probability_by_sensitivity, scores
                    ),
                    "says",
                )
                ui.show_chart(
                    uneven_sensitivities_chart(now.best_probability_by_sensitivity, look=look),
                    "margin-uneven",
                )
        with ui.fold(
            "promise",
            "What theorems guarantee for any data, and limits that no mechanism can beat",
            "The bounds",
        ) as opened:
            if opened:
                _show_bounds(now, look)


def _show_items(study: MarginStudy, look: charts.Look) -> None:
    ui.heading("Chance of each item, by mechanism")
    for sentence in sentences.omitted_rule_sentences(study):
        st.info(ui.escape_markdown(sentence), icon=":material/info:")
    at, (heads, rows) = study.scenario.epsilon, margin.item_chance_headings_and_rows(study)
    small = {percent(0.0), "0", rows[-1][1]}  # a row of these, or the total, says nothing new
    ui.show_table(
        "Chance of each item",
        ("Item", *heads),
        (
            (
                ui.Cell(
                    ui.isolate_bidi(name), "" if set(chances) - small else "dp-alike", heads=True
                ),
                *(ui.live_text(f"cell-{row}-{n}", text, at) for n, text in enumerate(chances, 1)),
            )
            for row, (name, *chances) in enumerate(rows)
        ),
        "dp-items",
    )
    with ui.fold(
        "margin_items", "The same as bars, with a table of all items to download"
    ) as opened:
        if opened:
            ui.show_chart(margin.item_chance_chart(study, look), "margin-items", at)
    ui.show_menu_help(COMPARED, summary="What these mechanisms do, and when to use each")
    ui.show_glossary(
        "universe", "front_group", "distance", "epsilon", "delta", "sensitivity", "release"
    )
    ui.show_paragraph(sentences.sensitivity_division_text(study.scores))


def _show_bounds(study: MarginStudy, look: charts.Look) -> None:
    bounds = study.lower_bounds
    promise = margin_promise_chart(
        study.distance_below_best_cdfs, study.promised_distance_curve, look=look
    )
    ui.show_chart(promise, "margin-promise")
    if isinstance(bounds, StepRefusal):
        ui.show_paragraph(bounds.reason)
        return
    ui.number_box(
        "People in the data, for the lower bounds",
        study.settings.people,
        ui.edit_for_keyword(margin_page_parameters(study.scenario, study.scores).change, "people"),
        "margin.people",
        parameter_name="The number of people",
        low=2,
        high=MOST_PEOPLE,
        width=340,
        help="The lower bounds are at most half of the people.",
    )
    limits = margin_bound_chart(bounds, study.scenario.epsilon, study.settings.people, look=look)
    ui.show_chart(limits, "margin-limits")

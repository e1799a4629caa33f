"""The page Gaps: noisy top-k, or sparse vector."""

from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import ParameterError, Scores, markup
from dpviz.gaps import GAPS
from dpviz.gaps.noisy_top_k import GAP_NOISES
from dpviz.pages.gaps import release_details
from dpviz.pages.gaps import top_k as words
from dpviz.pages.gaps.study import GapWorthStudy, QueryStudy, read_gaps_settings
from dpviz.studies import Scenario, StepRefusal, read_if_ready, result_or_refusal
from dpviz.web import widgets as ui
from dpviz.web.screens.gaps import sparse
from dpviz.web.screens.gaps.run import PAGE, SAME_RUN, show_page_half_choice
from dpviz.web.session import state

__all__ = ["show_page", "show_sidebar_controls"]

_WHY = markup(
    "<b>Why they differ.</b> The formula uses the noise before the selection. But an item is often"
    " selected <i>because</i> its noise was high. The noise of selected items is then not centred"
    " at zero, and their gaps are biased. If the scores are far apart compared with the noise, the"
    " formula and the simulation agree. If many scores are close together, the gaps can do harm."
)


def show_sidebar_controls(scenario: Scenario) -> None:
    """Sidebar for the queries; the mechanisms of this page are not in the menu."""
    if scenario.needs_data:
        return
    settings = result_or_refusal(read_gaps_settings, scenario, state.scores(scenario))
    # a refusal stands on the page
    if not isinstance(settings, StepRefusal) and settings.half != "top_k":
        sparse.show_query_section(settings)


def show_page(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    try:
        settings = read_gaps_settings(scenario, scores)
    except ParameterError as err:
        ui.show_page_title(scenario, scores, "Gaps", "", "gaps", words.page_heading(scenario))
        ui.show_not_private_banner()
        st.error(ui.escape_markdown(str(err)))
        ui.button(
            "Start this page anew",
            "gaps_anew",
            state.change_scenario,
            kwargs={
                "page": {
                    name: value
                    for name, value in scenario.page.items()
                    if not name.startswith(PAGE.prefix)
                }
            },
        )
        return

    if settings.half == "top_k":
        _show_top_k(GapWorthStudy.from_scenario(scenario, scores), look)
    else:
        sparse.show_sparse_vector_half(
            QueryStudy(scenario=scenario, scores=scores, settings=settings), look
        )
    state.write_changed_link()


def _show_top_k(study: GapWorthStudy, look: charts.Look) -> None:
    """The half on noisy top-k."""
    now, _ = ui.compute_in_background(study)
    scenario, at = study.scenario, study.scenario.epsilon
    with ui.live_part():
        ui.show_page_title(
            scenario,
            study.scores,
            "Gaps",
            words.lead_sentence(now),
            GAPS.label("noisy_top_k_with_gap"),
            words.page_heading(scenario),
            at,
        )
    show_page_half_choice("top_k")
    with ui.show_job_progress("laws"):
        ui.show_in_fragment("release", partial(_release, study, look), None)
        ui.show_not_private_banner("noisy_top_k_with_gap")
        ui.heading("Value of the gaps for measured values")
        with ui.live_part():
            ui.show_paragraph(
                "Half of ε selects items with their gaps. The other half measures the selected items."
                " The gaps then correct the measurements, with the best weights for noise before the"
                " selection."
            )
            experiment = read_if_ready(lambda: now.current_experiment)
            headlines = words.measurement_error_headlines(
                now.error_without_gaps, experiment, now.predicted_squared_error_ratio(now.k)
            )
            ui.show_figures(headlines, "Error of measured values", at)
        with ui.fold(
            "ratios", "Error by k: formula, simulation, and why they differ", "The error by k"
        ) as opened:
            if opened:
                now.current_experiment  # noqa: B018 - before anything else there is nothing to show
                ui.show_chart(words.error_ratio_chart(now, look), "gap_ratio")
                ui.show_paragraph(_WHY, "aside")
        with sparse.show_alignment_fold() as opened:
            if opened:
                ui.show_chart(release_details.top_k_alignment_chart(study, look), "alignment", at)
        ui.show_glossary("gap", "release", "distance", "top_k", "noise")


def _release(study: GapWorthStudy, look: charts.Look) -> None:
    study = study.replace(scenario=study.scenario.replace(seed=state.scenario().seed))
    ui.show_first_chart(words.release_chart(study, look), "gap_release", study.scenario.epsilon)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ui.button("Release again", "gaps_again", ui.advance_seed, icon="casino")
        ui.seed_box("gaps_seed", SAME_RUN)
    state.write_changed_link()
    if study.k == 1:
        PAGE.choice_buttons("noise", "Noise", GAP_NOISES.__getitem__, study.mechanism.noise)
        ui.show_paragraph(words.gap_survival_sentence(study))

"""The page Gaps: noisy top-k, or sparse vector."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import ParameterError, Scores, markup
from dpviz.gaps import GAPS
from dpviz.gaps.noisy_top_k import GAP_NOISES
from dpviz.pages.gaps import release_details
from dpviz.pages.gaps import top_k as words
from dpviz.pages.gaps.study import HALVES, GapWorthStudy, read_gaps_settings
from dpviz.studies import Scenario, StepRefusal, read_if_ready, result_or_refusal
from dpviz.web import widgets as ui
from dpviz.web.screens.gaps import sparse
from dpviz.web.screens.gaps.run import PAGE, SAME_RUN
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
    settings = result_or_refusal(partial(read_gaps_settings, scenario, state.scores(scenario)))
    # a refusal stands on the page
    if not isinstance(settings, StepRefusal) and settings.half != "top_k":
        sparse.show_query_sidebar(settings)


def show_page(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    try:
        settings = read_gaps_settings(scenario, scores)
    except ParameterError as err:
        ui.show_page_title(scenario, scores, "Gaps", "", "gaps", words.page_heading(scenario))
        ui.show_not_private_banner()
        st.error(ui.escape_markdown(str(err)))
        st.button(
            "Start this page anew",
            on_click=state.change_scenario,
            kwargs={
                "page": {
                    name: value
                    for name, value in scenario.page.items()
                    if not name.startswith(PAGE.prefix)
                }
            },
            key="gaps_anew",
        )
        return

    def switch() -> None:
        PAGE.choice_buttons(
            "half",
            "Part of the page",
            HALVES.__getitem__,
            settings.half,
            label_visibility="collapsed",
        )

    if settings.half == "top_k":
        _top_k(GapWorthStudy.from_scenario(scenario, scores), look, switch)
    else:
        sparse.show_sparse_vector(scenario, scores, settings, look, switch)
    state.write_link()


def _top_k(study: GapWorthStudy, look: charts.Look, switch: Callable[[], None]) -> None:
    """The half on noisy top-k; `switch` draws the choice between the halves."""
    now, job = ui.compute_in_background(study)
    subject = GAPS.label("noisy_top_k_with_gap")
    at = study.scenario.epsilon
    ui.show_live_view(
        lambda: ui.show_page_title(
            study.scenario,
            study.scores,
            "Gaps",
            words.lead_sentence(now),
            subject,
            words.page_heading(study.scenario),
            at,
        ),
    )
    switch()
    with ui.show_job_progress(lambda: [job]):
        ui.show_in_fragment("release", partial(_release, study, look), None)
        ui.show_not_private_banner("noisy_top_k_with_gap")
        ui.heading("Value of the gaps for measured values")
        ui.show_live_view(partial(_worth, now))
        ui.folded_view(
            "ratios",
            "Error by k: formula, simulation, and why they differ",
            partial(_ratios, now, look),
            "The error by k",
        )
        sparse.show_alignment(
            partial(release_details.top_k_alignment_chart, study, look), study.scenario.epsilon
        )
        ui.show_glossary("gap", "release", "distance", "top_k", "noise")


def _release(study: GapWorthStudy, look: charts.Look) -> None:
    study = study.replace(scenario=study.scenario.replace(seed=state.scenario().seed))
    ui.show_chart_with_table(
        words.release_chart(study, look),
        "gap_release",
        brief=True,
        leads=True,
        at=study.scenario.epsilon,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Release again", icon=":material/casino:", on_click=ui.advance_seed, key="gaps_again"
        )
        ui.seed_box("gaps_seed", SAME_RUN)
    state.write_link()
    if study.k == 1:
        PAGE.choice_buttons("noise", "Noise", GAP_NOISES.__getitem__, study.mechanism.noise)
        ui.paragraph(words.gap_survival_sentence(study))


def _worth(study: GapWorthStudy) -> None:
    ui.paragraph(
        "Half of ε selects items with their gaps. The other half measures the selected items. The"
        " gaps then correct the measurements, with the best weights for noise before the selection."
    )
    ui.show_figures(
        words.measurement_error_headlines(
            study.error_without_gaps,
            read_if_ready(lambda: study.current_experiment),
            study.predicted_error_ratio(study.k),
        ),
        "Error of measured values",
        study.scenario.epsilon,
    )


def _ratios(study: GapWorthStudy, look: charts.Look) -> None:
    study.current_experiment  # noqa: B018 - before anything else there is nothing to show
    ui.show_chart_with_table(words.ratio_chart(study, look), "gap_ratio")
    ui.paragraph(_WHY, "aside")

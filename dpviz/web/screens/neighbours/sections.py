"""The page Neighbours, from the sentence that matters most to a hundred attackers."""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import streamlit as st

from dpviz.base import Progress, markup
from dpviz.charts import shorten_text
from dpviz.pages.neighbours import sentences, view
from dpviz.pages.neighbours.study import NeighboursStudy, TwoWorlds, WorstPersonSearch
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import StepPending, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.jobs import (
    PATIENCE,
    Done,
    WorkStep,
    session_cache,
    session_job_queue,
    work_steps,
)
from dpviz.web.screens.candidates.sections import add_runs_to_study
from dpviz.web.screens.neighbours.controls import PAGE, set_up_neighbours_page, show_person_controls

_FIGURES = "Figures of the privacy loss"


Found = dict[str, Any]
"""Best find of a search: its two worlds and their loss, as results of a study, and its number."""


def show_page() -> None:
    now, found = _begun(set_up_neighbours_page())
    look, at = ui.current_look(), now.epsilon
    with st.container(key="neighbours_first"), ui.show_job_progress("worst", "laws"):
        with ui.live_part():
            _show_title(now)
        show_person_controls(now)
        left, right = st.columns([1, 2.3], gap="medium")
        with left, ui.live_part(read_state=None if found is None else partial(found.get, "number")):
            if found is None:
                loss = read_if_ready(lambda: now.loss)
                bound = read_if_ready(lambda: now.guess_bound)
                ui.show_figures(sentences.headlines(loss, bound), _FIGURES, at)
            else:
                ui.show_figures(sentences.headlines(found.get("loss")), _FIGURES)
                if found:
                    ui.show_paragraph(
                        "This is the largest loss found so far. The search continues."
                    )
        with right, ui.live_part("The two lists"):
            ui.show_first_chart(view.two_lists_chart(now, look), "two_lists", at)
            if draws := now.inclusion_probabilities[0].draws:
                ui.show_paragraph(
                    ui.estimated_badge(f"From {draws:,} simulated releases in each world.", "")
                )
        ui.show_not_private_banner(None)
    with ui.live_part("A hundred attackers"):
        ui.heading("What one list may reveal")
        ui.show_chart(view.attacker_guesses_chart(now, look), "hundred", at)
    ui.heading("Details")
    with ui.fold(
        "loss_law",
        "How much a release reveals: the chance of each privacy loss",
        "The privacy loss",
    ) as opened:
        if opened:
            ui.show_chart(view.loss_chart(now, look), "loss_law", at)
            ui.show_paragraph(
                markup(
                    "Most revealing: {}.", ui.isolate_bidi(shorten_text(now.loss.output.text, 200))
                )
            )
            ui.show_glossary("privacy_loss", "epsilon", "delta", "neighbour")
    with ui.fold("delta_curve", "δ if a smaller ε were claimed", "δ at each ε") as opened:
        if opened:
            ui.show_chart(view.delta_chart(now, look), "delta_curve")
    with ui.fold(
        "trade_off",
        "How often the best test misses her, by its false alarms",
        "The errors of the best test",
    ) as opened:
        if opened:
            ui.show_chart(view.trade_off_chart(now, look), "trade_off", at)
    with ui.fold("belief", "How far one release can move a suspicion", "The suspicion") as opened:
        if opened:
            PAGE.percent_box(
                "prior",
                now.settings.prior,
                "Suspicion before the release, %",
                (1.0, 99.0),
                step=5.0,
                width=260,
            )
            ui.show_paragraph(ui.live_text("belief", sentences.belief_sentences(now), at), "says")


def _begun(study: NeighboursStudy) -> tuple[NeighboursStudy, Found | None]:
    """The study so far, and the best find where the worst person is still sought."""
    queue = session_job_queue()
    try:
        if study.scores is None:
            study = study.replace(results={"data": add_runs_to_study(study.runs_study).runs.pool})
    except StepPending:
        queue.request_jobs("worst", [], queue_place=0)  # nobody waits for a search any more
        return study.replace(beside=True), None
    if study.settings.who != "worst":
        queue.request_jobs("worst", [], queue_place=0)
        return ui.compute_in_background(study)[0], None
    found: Found = session_cache("worst neighbours", 6).get_or_make(study.key, dict)
    wanted = study.key, partial(_steps_of_search, study, found)
    (searching,) = queue.request_jobs("worst", [wanted], queue_place=0, patience_seconds=PATIENCE)
    if not found or not (searching.finished or searching.cancelled):
        queue.request_jobs("laws", [])
        return study.replace(results=study.results, beside=True), found
    return ui.compute_in_background(study.replace(results={**study.results, **found}))[0], None


def _steps_of_search(study: NeighboursStudy, found: Found) -> Mapping[str, WorkStep]:
    """Steps of the search job; large data are searched in a process."""
    steps = work_steps(WorstPersonSearch(study), ["find"], in_own_process=study.is_large_study)
    steps["search"] = partial(_search, steps.pop("find"), found)
    return steps


def _search(find: WorkStep, found: Found, progress: Progress, done: Done) -> int:
    """Try everybody that the study proposes, and keep the person with the largest loss."""
    while better := find(progress, found):
        pair, loss = cast(tuple[TwoWorlds, PrivacyLoss], better)
        found.update(two_worlds=pair, loss=loss, number=found.get("number", 0) + 1)
    return len(found)


def _show_title(study: NeighboursStudy) -> None:
    heading, lead = sentences.page_heading(study), sentences.lead_sentence(study)
    if study.scores is None:
        below = f"{study.runs_study.name} · {study.mechanism_label} · one person changes every run as much as ε1"
        ui.show_page_head("Neighbours", heading, lead, f"{below} allows")
    else:
        ui.show_page_title(
            study.scenario,
            study.scores,
            "Neighbours",
            lead,
            study.mechanism_label,
            heading,
            slider_value=study.epsilon,
        )

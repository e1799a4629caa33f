"""The page Neighbours, from the sentence that matters most to a hundred attackers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import streamlit as st

from dpviz.base import Progress, markup
from dpviz.charts import Look, shorten_text
from dpviz.pages.neighbours import sentences, view
from dpviz.pages.neighbours.study import NeighboursStudy, TwoWorlds, WorstSearch
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import StepPending, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.jobs import (
    PATIENCE,
    Done,
    Job,
    RecentCache,
    WorkStep,
    session_cache,
    session_job_queue,
    start_page_jobs,
    work_steps,
)
from dpviz.web.screens.candidates.sections import add_runs_to_study
from dpviz.web.screens.neighbours.controls import PAGE, set_up_neighbours_page, show_person_controls
from dpviz.web.session import current_look

_FIGURES = "Figures of the privacy loss"


Found = dict[str, Any]
"""Best find of a search: its two worlds and their loss, as results of a study, and its number."""


@dataclass(frozen=True, eq=False)
class StudyProgress:
    """The study so far, with its jobs; it `waits` for the first, with the best `found` so far."""

    study: NeighboursStudy
    jobs: list[Job]
    waits: bool = False
    found: Found | None = None

    def first_job_ended(self) -> bool:
        return self.jobs[0].finished or self.jobs[0].cancelled

    def can_continue(self) -> bool:
        """True where two worlds can be made of the first job's results."""
        return self.first_job_ended() and bool(
            self.jobs[0].results if self.found is None else self.found
        )


def show_page() -> None:
    begun = _begun(set_up_neighbours_page())
    now, look = begun.study, current_look()
    with st.container(key="neighbours_first"), ui.show_job_progress(lambda: begun.jobs):
        if begun.waits:
            ui.show_live_part(partial(_title, now), begun.first_job_ended)
        else:
            ui.show_live_view(partial(_title, now))
        show_person_controls(now)
        left, right = st.columns([1, 2.3], gap="medium")
        with left:
            if (found := begun.found) is None:
                ui.show_live_view(
                    lambda: ui.show_figures(
                        sentences.headlines(
                            read_if_ready(lambda: now.loss), read_if_ready(lambda: now.guess_bound)
                        ),
                        _FIGURES,
                        now.epsilon,
                    ),
                )
            else:
                ui.show_live_part(partial(_figures_so_far, found), lambda: found.get("number"))
        with right:
            ui.show_live_view(partial(_lists, now, look), "The two lists")
        ui.show_not_private_banner(None)
    ui.show_live_view(partial(_guesses, now, look), "A hundred attackers")
    ui.heading("Details")
    ui.folded_view(
        "loss_law",
        "How much a release reveals: the chance of each privacy loss",
        partial(_losses, now, look),
        "The privacy loss",
    )
    ui.folded_chart(
        "delta_curve",
        "δ if a smaller ε were claimed",
        partial(view.delta_chart, now, look),
        "δ at each ε",
    )
    ui.folded_chart(
        "trade_off",
        "How often the best test misses her, by its false alarms",
        partial(view.trade_off_chart, now, look),
        "The errors of the best test",
        at=now.epsilon,
    )
    ui.folded_view(
        "belief",
        "How far one release can move a suspicion",
        partial(_beliefs, now),
        "The suspicion",
    )


def _begun(study: NeighboursStudy) -> StudyProgress:
    if study.scores is None:
        try:
            study = study.replace(results={"data": add_runs_to_study(study.runs_study).runs.pool})
        except StepPending:
            return StudyProgress(
                study.replace(beside=True), session_job_queue().jobs("laws"), waits=True
            )
    if study.settings.who != "worst":
        session_job_queue().request_jobs("worst", [], place=0)  # nobody waits for a search any more
        now, job = ui.compute_in_background(study)
        return StudyProgress(now, [job])
    searches: RecentCache[Found] = session_cache("worst neighbours", 6)
    found = searches.get_or_make(study.key, dict)
    wanted = study.key, lambda: _steps_of_search(study, found)
    (searching,) = session_job_queue().request_jobs("worst", [wanted], place=0, patience=PATIENCE)
    waiting = StudyProgress(
        study.replace(results=study.results, beside=True), [searching], waits=True, found=found
    )
    if not waiting.can_continue():
        start_page_jobs()
        return waiting
    now, job = ui.compute_in_background(study.replace(results={**study.results, **found}))
    return StudyProgress(now, [searching, job])


def _steps_of_search(study: NeighboursStudy, found: Found) -> Mapping[str, WorkStep]:
    """Steps of the search job; large data are searched in a process."""
    steps = work_steps(WorstSearch(study), ["find"], apart=study.is_large_study)
    steps["search"] = partial(_search, steps.pop("find"), found)
    return steps


def _search(find: WorkStep, found: Found, progress: Progress, done: Done) -> int:
    """Try everybody that the study proposes, and keep the person with the largest loss."""
    while better := find(progress, found):
        pair, loss = cast(tuple[TwoWorlds, PrivacyLoss], better)
        found.update(two_worlds=pair, loss=loss, number=found.get("number", 0) + 1)
    return len(found)


def _title(study: NeighboursStudy) -> None:
    heading, lead = sentences.page_heading(study), sentences.lead_sentence(study)
    if study.scores is None:
        below = (
            f"{study.runs_study.name} · {study.label} · one person changes every run as much as ε1"
        )
        ui.show_page_head("Neighbours", heading, lead, f"{below} allows")
    else:
        ui.show_page_title(
            study.scenario, study.scores, "Neighbours", lead, study.label, heading, at=study.epsilon
        )


def _figures_so_far(found: Found) -> None:
    ui.show_figures(sentences.headlines(found.get("loss")), _FIGURES)
    if found:
        ui.paragraph("This is the largest loss found so far. The search continues.")


def _lists(study: NeighboursStudy, look: Look) -> None:
    ui.show_chart_with_table(
        view.two_lists_chart(study, look), "two_lists", brief=True, leads=True, at=study.epsilon
    )
    if draws := study.inclusion_probabilities[0].draws:
        ui.paragraph(ui.estimated_badge(f"From {draws:,} simulated releases in each world.", ""))


def _losses(study: NeighboursStudy, look: Look) -> None:
    ui.show_chart_with_table(view.loss_chart(study, look), "loss_law", at=study.epsilon)
    ui.paragraph(
        markup("Most revealing: {}.", ui.isolate_bidi(shorten_text(study.loss.output.text, 200)))
    )
    ui.show_glossary("privacy_loss", "epsilon", "delta", "neighbour")


def _guesses(study: NeighboursStudy, look: Look) -> None:
    ui.heading("What one list may reveal")
    ui.show_chart_with_table(view.guesses_chart(study, look), "hundred", at=study.epsilon)


def _beliefs(study: NeighboursStudy) -> None:
    PAGE.percent_box(
        "prior",
        study.settings.prior,
        "Suspicion before the release, %",
        (1.0, 99.0),
        step=5.0,
        width=260,
    )
    ui.paragraph(ui.live_text("belief", sentences.belief_sentences(study), study.epsilon), "says")

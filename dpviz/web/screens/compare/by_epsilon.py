"""Sections of Compare over ε and k, computed after the laws: curves, goals, the papers' bounds."""

import math
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import pandas as pd
import streamlit as st

from dpviz.base import PROGRAM, Markup, markup
from dpviz.charts import Look, stated_percent_text, upper_bound_text
from dpviz.charts.topk.design_curves import NamedDesign, k_curves_chart, shortfall_chart
from dpviz.pages.compare import sentences
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import (
    DRAWS,
    ComparedDesign,
    CurvesByEpsilonStudy,
    CurvesByKStudy,
    ShortfallStudy,
)
from dpviz.studies import PROBABILITIES, LawStudy, SmallestEpsilonStudy, StepPending, Study
from dpviz.topk import EVENTS, TopKMechanism
from dpviz.web import widgets as ui
from dpviz.web.jobs import Job
from dpviz.web.screens.compare import controls

S = TypeVar("S", bound=Study)
_GROUPS = ("curves", "budgets", "shortfalls", "names", "by k")  # most important first
Asked = tuple[list[S], list[Job]]


@dataclass(frozen=True)
class SmallestEpsilons:
    """The smallest ε of each design for an event, as far as its studies have come."""

    of: Sequence[ComparedDesign]
    asked: Asked[SmallestEpsilonStudy]
    event: str

    def rows(self) -> sentences.SmallestEpsilonRows:
        return sentences.smallest_epsilon_rows(self.of, self.asked[0])

    def are_complete(self) -> bool:
        return len(self.rows()) == len(self.of) * len(PROBABILITIES)

    def cell(self, design: ComparedDesign, probability: float) -> Markup:
        """ε of a design over its bar, with the multiple of the smallest."""
        column = {
            other.number: row for other, row in self.rows() if row["probability"] == probability
        }
        if design.number not in column:
            if not any(job.cancelled for job in self.asked[1]):
                return ui.WAIT
            return markup('<span class="dp-why">not computed</span>')
        epsilon, multiple = column[design.number]["epsilon"], column[design.number]["multiple"]
        if not math.isfinite(epsilon):
            why = "not reached" if controls.guarantee_holds_for_names(design) else "not valid"
            return markup('<span class="dp-why">{}</span>', why)
        most = max(row["multiple"] for row in column.values() if math.isfinite(row["multiple"]))
        shown = upper_bound_text(epsilon, digits=3), ui.multiple_text(multiple)
        return controls.figure_bar_html(
            design.number, markup("{} <small>{}</small>", *shown), multiple / most
        )


def show_figure_choice(event: str, events: Collection[str]) -> None:
    bounds = controls.PAGE.current_settings().bounds
    with st.container(
        key="compare_figure", horizontal=True, vertical_alignment="center", gap="large"
    ):
        controls.PAGE.choice_buttons(
            "event", "Figure", _label, event, options=events, label_visibility="collapsed"
        )
        st.toggle(
            "The papers' bounds",
            value=bounds,
            help=(
                "Shows the chance that the papers prove for any data, beside the chance on these"
                " data."
            ),
            **ui.bind_control(
                "bounds", bounds, lambda shown: controls.PAGE.change(bounds=shown or None)
            ),
        )


def show_chances_and_curves(
    designs: Sequence[ComparedDesign], event: str, look: Look
) -> SmallestEpsilons:
    """Chances at this ε beside curves over ε; return the goals, which are under way."""
    law, epsilon = designs[0].law, designs[0].at
    curves = _ask(
        "curves",
        [
            CurvesByEpsilonStudy(mechanism=mechanism, scores=law.scores, events=law.events)
            for mechanism in _mechanisms_at_one(designs)
        ],
    )
    needs = SmallestEpsilons(designs, _ask_needs("budgets", designs, event), event)
    with st.container(key="compare_first"):
        left, right = st.columns([1, 1.35], gap="medium")
    with left, ui.live_part():
        _show_chances_and_needs(needs)
    with right, _part_by_design("The curves", curves):
        come = _studies_so_far(designs, curves)
        chart = compare.chance_by_epsilon_chart(
            come,
            epsilon=epsilon,
            event=event,
            look=look,
            show_guarantees=controls.PAGE.current_settings().bounds,
        )
        at = epsilon if len(come) == len(designs) else None
        ui.show_first_chart(chart, "epsilon_curves", at)
    return needs


def show_smallest_epsilons(smallest_epsilons: SmallestEpsilons, look: Look) -> None:
    """Smallest ε for each goal, the same with a list of all items, and the papers' bounds."""
    of, event = smallest_epsilons.of, smallest_epsilons.event
    scores = of[0].law.scores
    with ui.fold("budgets", sentences.goal_table_caption(event)) as opened:
        if opened:
            _show_table(smallest_epsilons)
    if not scores.names_known:
        listed = replace(scores, names_known=True)
        known = [replace(side, law=side.law.replace(scores=listed)) for side in of]
        with_list = SmallestEpsilons(known, _ask_needs("names", known, event), event)
        with ui.live_part():
            _show_worth_of_list(smallest_epsilons, with_list)
    bounds = controls.PAGE.current_settings().bounds
    # they go over ε, which a stated noise does not have as a choice
    bounded = [side for side in of if bounds and not side.law.mechanism.states_noise]
    asked = _ask(
        "shortfalls",
        [ShortfallStudy(mechanism=one, scores=scores) for one in _mechanisms_at_one(bounded)],
    )
    if bounded:
        ui.heading("How low the worst item may score")
        with st.container(key="pale_shortfalls"), _part_by_design("The shortfalls", asked):
            come = _studies_so_far(bounded, asked)
            curves = {who: study.curve for who, study in come.items()}
            ui.show_chart(shortfall_chart(curves, of[0].at, look=look), "shortfalls")


def _mechanisms_at_one(designs: Sequence[ComparedDesign]) -> list[TopKMechanism]:
    return [side.law.with_epsilon(1.0).mechanism for side in designs]


def _label(event: str) -> str:
    return EVENTS[event].label


def show_curves_over_k(designs: Sequence[ComparedDesign], event: str, look: Look) -> None:
    """Curves over k; they cost as much as all others, so they wait for somebody to open them."""
    law = designs[0].law
    asked = _ask(
        "by k",
        [
            CurvesByKStudy(mechanism=side.law.mechanism, scores=law.scores, events=law.events)
            for side in designs
        ],
    )
    with (
        ui.show_job_progress("by k", key="by k"),
        st.container(key="pale_by_k"),
        _part_by_design("The curves over k", asked),
    ):
        come = _studies_so_far(designs, asked)
        curves = {who: study.curves[event] for who, study in come.items()}
        ui.show_chart(k_curves_chart(curves, law.k, designs[0].at, draws=DRAWS, look=look), "by_k")


def _ask(group: str, studies: Sequence[S]) -> Asked[S]:
    """Studies of a group, which waits for the groups before it; equal designs share one."""
    return ui.compute_all_in_background(studies, group, queue_place=_GROUPS.index(group))


def _ask_needs(
    group: str, designs: Sequence[ComparedDesign], event: str
) -> Asked[SmallestEpsilonStudy]:
    scores = designs[0].law.scores
    return _ask(
        group,
        [
            SmallestEpsilonStudy(mechanism=mechanism, scores=scores, event=event)
            for mechanism in _mechanisms_at_one(designs)
        ],
    )


def _part_by_design(what: str, asked: Asked[S]) -> AbstractContextManager[None]:
    """Part with the designs so far: all at once if they come soon, else each as it comes."""
    return ui.live_part(
        what,
        show_wait=ui.show_chart_placeholder,
        read_state=partial(ui.showable_job_count, asked[1]),
    )


def _studies_so_far(designs: Sequence[ComparedDesign], asked: Asked[S]) -> dict[NamedDesign, S]:
    """Study of each design that has come; refused while they are to be shown together."""
    studies, jobs = asked
    come = {
        sentences.named_design(side): study
        for side, study in zip(designs, studies, strict=True)
        if study.results
    }
    if not come or not ui.showable_job_count(jobs):
        raise StepPending
    return come


def _show_chances_and_needs(needs: SmallestEpsilons) -> None:
    figure = _label(needs.event)
    ui.show_table(
        "Chance and ε",
        [
            ("Mechanism", ""),
            (figure, "chance at this ε"),
            ("ε needed", f"{figure} in {stated_percent_text(sentences.GOAL)} of releases"),
        ],
        [
            [
                controls.design_cell(side),
                controls.chance_cell(side, needs.event, "now"),
                needs.cell(side, sentences.GOAL),
            ]
            for side in needs.of
        ],
        "dp-designs",
    )
    if needs.are_complete():
        said = sentences.smallest_epsilon_sentence(needs.rows(), needs.event)
        ui.show_paragraph(controls.sentence_html(said), "says")
    for sentence in sentences.design_remarks(needs.of):
        ui.show_paragraph(controls.sentence_html(sentence), "note")


def _show_worth_of_list(now: SmallestEpsilons, with_list: SmallestEpsilons) -> None:
    """The same goals if there were a list of all possible items."""
    if with_list.are_complete():
        said = sentences.known_names_sentence(now.rows(), with_list.rows(), now.event)
        ui.show_paragraph(controls.sentence_html(said), "says")
    with ui.fold("names_worth", "The same goals with a list of all possible items") as opened:
        if opened:
            _show_table(with_list, download=False)


def _show_table(needs: SmallestEpsilons, *, download: bool = True) -> None:
    figure, rows = _label(needs.event), needs.rows()
    ui.show_table(
        f"Smallest ε for {figure}",
        [
            f"Smallest ε for {figure} in …",
            *(f"{stated_percent_text(p)} of releases" for p in PROBABILITIES),
        ],
        [
            [controls.design_cell(side), *(needs.cell(side, p) for p in PROBABILITIES)]
            for side in needs.of
        ],
        "dp-designs",
    )
    ui.show_paragraph(
        markup(
            "Each ε is rounded up. The estimated error, or the low end of the interval, counts"
            " against it. Multiples compare with the smallest ε in the column, and a longer bar"
            " means more ε. This command gives the same figures for the scenario's file: <code>{}"
            " smallest-epsilon --figure {}</code>.",
            PROGRAM,
            needs.event,
        )
    )
    reasons = [row["reason"] for _, row in rows if row["reason"]]
    if reasons:
        _show_reasons(reasons, needs.event, needs.of[0].law)
    if download and needs.are_complete():
        about = ui.page_provenance()
        ui.show_download_button(
            "Table as CSV",
            ui.csv_with_provenance(pd.DataFrame([row for _, row in rows]), about.caption),
            f"{about.file_name('budget')}.csv",
            "budget_csv",
            icon=":material/table:",
        )


def _show_reasons(reasons: Sequence[str], event: str, law: LawStudy) -> None:
    if event != "top" or "optimal" not in law.events:
        ui.show_paragraph(" ".join(list(dict.fromkeys(reasons))[:3]))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        ui.show_paragraph(
            f"Scores tie at rank {law.k:,}. The true top {law.k:,} is one of several equal choices,"
            " so no ε makes it likely. OPTIMAL counts all of them."
        )
        ui.button("Show OPTIMAL", "to_optimal", controls.PAGE.change, kwargs={"event": "optimal"})

"""Sections of Compare over ε and k, computed after the laws: curves, goals, the papers' bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import pandas as pd
import streamlit as st

from dpviz.base import PROGRAM, Markup, markup
from dpviz.charts import Chart, Look, input_percent_text, upper_bound_text
from dpviz.charts.topk.design_curves import NamedDesign, k_curves_chart, shortfall_chart
from dpviz.pages import common
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import (
    DRAWS,
    ComparedDesign,
    CurvesByEpsilonStudy,
    CurvesByKStudy,
    ShortfallStudy,
)
from dpviz.studies import PROBABILITIES, LawStudy, SmallestEpsilonStudy, StepPending, Study
from dpviz.topk import EVENTS
from dpviz.web import widgets as ui
from dpviz.web.jobs import Job, session_job_queue
from dpviz.web.screens.compare.controls import (
    PAGE,
    chance_cell,
    design_cell,
    figure_bar_html,
    guarantee_holds_for,
    sentence_html,
)
from dpviz.web.session import state

S = TypeVar("S", bound=Study)
_GROUPS = ("curves", "budgets", "shortfalls", "names", "by k")  # most important first
Asked = tuple[list[S], list[Job]]


@dataclass(frozen=True)
class _Needs:
    """The smallest ε of each design for an event, as far as its studies have come."""

    of: Sequence[ComparedDesign]
    asked: Asked[SmallestEpsilonStudy]
    event: str

    def rows(self) -> compare.SmallestEpsilonRows:
        return compare.smallest_epsilon_rows(self.of, self.asked[0])

    def are_complete(self) -> bool:
        return len(self.rows()) == len(self.of) * len(PROBABILITIES)

    def cell(self, side: ComparedDesign, probability: float) -> Markup:
        """ε of a design over its bar, with the multiple of the smallest."""
        column = {
            other.number: row for other, row in self.rows() if row["probability"] == probability
        }
        if side.number not in column:
            stopped = any(job.cancelled for job in self.asked[1])
            return markup('<span class="dp-why">not computed</span>') if stopped else ui.WAIT
        epsilon, multiple = column[side.number]["epsilon"], column[side.number]["multiple"]
        if not math.isfinite(epsilon):
            why = "not reached" if guarantee_holds_for(side) else "not valid"
            return markup('<span class="dp-why">{}</span>', why)
        most = max(row["multiple"] for row in column.values() if math.isfinite(row["multiple"]))
        shown = upper_bound_text(epsilon, digits=3), ui.multiple_text(multiple)
        return figure_bar_html(side.number, markup("{} <small>{}</small>", *shown), multiple / most)


def show_epsilon_sections(
    of: Sequence[ComparedDesign], look: Look, show_others: Callable[[], None]
) -> None:
    scores, events, epsilon = of[0].law.scores, of[0].law.events, of[0].at
    event = common.select_event(of[0].law, state.scenario().page.get("event"))
    bounds = PAGE.current_settings().bounds
    laws = [side.law.with_epsilon(1.0).mechanism for side in of]
    curves = _ask(
        "curves",
        [CurvesByEpsilonStudy(mechanism=law, scores=scores, events=events) for law in laws],
    )
    needs = _Needs(of, _ask_needs("budgets", of, event), event)
    # the papers' bounds go over ε, which a stated noise does not have as a choice
    bounded = [side for side in of if bounds and not side.law.mechanism.states_noise]
    shortfalls = _ask(
        "shortfalls",
        [ShortfallStudy(mechanism=laws[side.number], scores=scores) for side in bounded],
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        PAGE.choice_buttons(
            "event", "Figure", _label, event, options=events, label_visibility="collapsed"
        )
        st.toggle(
            "The papers' bounds",
            value=bounds,
            help=(
                "Shows the chance that the papers prove for any data, beside the chance on these"
                " data."
            ),
            **ui.bind_control("bounds", bounds, lambda shown: PAGE.change(bounds=shown or None)),
        )
    with ui.show_job_progress(
        lambda: session_job_queue().jobs("curves", "budgets", "shortfalls", "names"), "rest"
    ):
        with st.container(key="compare_first"):
            left, right = st.columns([1, 1.35], gap="medium")
        with left:
            ui.show_live_view(partial(_chances_and_needs, needs))
        with right:
            _as_they_come(
                "epsilon_curves",
                of,
                curves,
                partial(
                    compare.chance_by_epsilon_chart,
                    epsilon=epsilon,
                    event=event,
                    look=look,
                    bounds=bounds,
                ),
                "The curves",
                leads=True,
            )
        show_others()
        caption = compare.goal_table_caption(event)
        ui.show_live_view(lambda: ui.show_expander(caption, "budgets", partial(_table, needs)))
        if not scores.names_known:
            listed = replace(scores, names_known=True)
            known = [replace(side, law=side.law.replace(scores=listed)) for side in of]
            with_list = _Needs(known, _ask_needs("names", known, event), event)
            ui.show_live_view(partial(_worth, needs, with_list))
        if bounded:
            ui.heading("How low the worst item may score")
            with st.container(key="pale_shortfalls"):
                _as_they_come(
                    "shortfalls",
                    bounded,
                    shortfalls,
                    lambda come: shortfall_chart(
                        {who: study.curve for who, study in come.items()}, epsilon, look=look
                    ),
                    "The shortfalls",
                )
    ui.folded_view(
        "by_k",
        "Effect of k: the same chances for shorter and longer lists, at the same ε",
        partial(_by_k, of, event, look),
    )
    state.write_link()


def _label(event: str) -> str:
    return EVENTS[event].label


def _by_k(of: Sequence[ComparedDesign], event: str, look: Look) -> None:
    """Curves over k; they cost as much as all others, so they wait for somebody to open them."""
    law = of[0].law
    asked = _ask(
        "by k",
        [
            CurvesByKStudy(mechanism=side.law.mechanism, scores=law.scores, events=law.events)
            for side in of
        ],
    )

    def chart(come: dict[NamedDesign, CurvesByKStudy]) -> Chart:
        curves = {who: study.curves[event] for who, study in come.items()}
        return k_curves_chart(curves, law.k, of[0].at, draws=DRAWS, look=look)

    with ui.show_job_progress(lambda: asked[1], "by k"), st.container(key="pale_by_k"):
        _as_they_come("by_k", of, asked, chart, "The curves over k")


def _ask(group: str, studies: Sequence[S]) -> Asked[S]:
    """Studies of a group, which waits for the groups before it; equal designs share one."""
    return ui.compute_all_in_background(studies, group, place=_GROUPS.index(group))


def _ask_needs(group: str, of: Sequence[ComparedDesign], event: str) -> Asked[SmallestEpsilonStudy]:
    return _ask(
        group,
        [
            SmallestEpsilonStudy(
                mechanism=side.law.with_epsilon(1.0).mechanism, scores=side.law.scores, event=event
            )
            for side in of
        ],
    )


def _as_they_come(
    key: str,
    of: Sequence[ComparedDesign],
    asked: Asked[S],
    chart: Callable[[dict[NamedDesign, S]], Chart],
    what: str,
    *,
    leads: bool = False,
) -> None:
    """A chart of the designs so far: all at once if they come soon, else each as it comes."""
    studies, jobs = asked

    def show_chart() -> None:
        come = {
            compare.chart_design(side): study
            for side, study in zip(of, studies, strict=True)
            if study.results
        }
        if not come or not ui.showable_job_count(jobs):
            raise StepPending(what)
        follows = key == "epsilon_curves" and len(come) == len(of)
        ui.show_chart_with_table(
            chart(come), key, brief=leads, leads=leads, at=of[0].at if follows else None
        )

    ui.show_live_part(
        partial(ui.show_or_wait, show_chart, what, wait=ui.show_chart_placeholder),
        partial(ui.showable_job_count, jobs),
    )


def _chances_and_needs(needs: _Needs) -> None:
    figure = _label(needs.event)
    ui.show_table(
        "Chance and ε",
        [
            ("Mechanism", ""),
            (figure, "chance at this ε"),
            ("ε needed", f"{figure} in {input_percent_text(compare.GOAL)} of releases"),
        ],
        [
            [
                design_cell(side),
                chance_cell(side, needs.event, "now"),
                needs.cell(side, compare.GOAL),
            ]
            for side in needs.of
        ],
        "dp-designs",
    )
    if needs.are_complete():
        said = compare.smallest_epsilon_sentence(needs.rows(), needs.event)
        ui.paragraph(sentence_html(said), "says")
    for sentence in compare.remarks(needs.of):
        ui.paragraph(sentence_html(sentence), "note")


def _worth(now: _Needs, with_list: _Needs) -> None:
    """The same goals if there were a list of all possible items."""
    if with_list.are_complete():
        said = compare.known_names_sentence(now.rows(), with_list.rows(), now.event)
        ui.paragraph(sentence_html(said), "says")
    ui.show_expander(
        "The same goals with a list of all possible items",
        "names_worth",
        partial(_table, with_list, download=False),
    )


def _table(needs: _Needs, *, download: bool = True) -> None:
    figure, rows = _label(needs.event), needs.rows()
    ui.show_table(
        f"Smallest ε for {figure}",
        [
            f"Smallest ε for {figure} in …",
            *(f"{input_percent_text(p)} of releases" for p in PROBABILITIES),
        ],
        [[design_cell(side), *(needs.cell(side, p) for p in PROBABILITIES)] for side in needs.of],
        "dp-designs",
    )
    ui.paragraph(
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
        ui.paragraph(" ".join(list(dict.fromkeys(reasons))[:3]))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        ui.paragraph(
            f"Scores tie at rank {law.k:,}. The true top {law.k:,} is one of several equal choices,"
            " so no ε makes it likely. OPTIMAL counts all of them."
        )
        st.button(
            "Show OPTIMAL", key="to_optimal", on_click=PAGE.change, kwargs={"event": "optimal"}
        )

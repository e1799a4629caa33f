"""Sections of Compare over ε and k, computed after the laws: curves, goals, the papers' bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pandas as pd
import streamlit as st

from dpviz.base import PROGRAM, Markup, markup
from dpviz.charts import Chart, Look, input_percent_text, upper_bound_text
from dpviz.charts.topk.design_curves import NamedDesign
from dpviz.pages.common.top_k_figures import select_event
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.needs import (
    GOAL,
    SmallestEpsilonRows,
    goal_table_caption,
    known_names_sentence,
    smallest_epsilon_rows,
    smallest_epsilon_sentence,
)
from dpviz.pages.compare.study import (
    ComparedDesign,
    CurvesByEpsilonStudy,
    CurvesByKStudy,
    ShortfallStudy,
)
from dpviz.studies import PROBABILITIES, StepPending, Study
from dpviz.studies.mechanism_studies import LawStudy, SmallestEpsilonStudy
from dpviz.topk import EVENTS
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
from dpviz.web.widgets import (
    WAIT,
    bind_control,
    compute_all_in_background,
    csv_with_provenance,
    heading,
    multiple_text,
    page_provenance,
    paragraph,
    show_chart_placeholder,
    show_chart_with_table,
    show_download_button,
    show_expander,
    show_job_progress,
    show_live_part,
    show_live_view,
    show_or_wait,
    show_table,
    showable_job_count,
)

S = TypeVar("S", bound=Study)
_GROUPS = ("curves", "budgets", "shortfalls", "names", "by k")  # most important first
Asked = tuple[list[S], list[Job]]


def show_epsilon_sections(
    of: Sequence[ComparedDesign], look: Look, show_others: Callable[[], None]
) -> None:
    """The chances and the ε needed beside curves over ε, the other sections, and what is folded."""
    scores, events = of[0].law.scores, of[0].law.events
    epsilon = of[0].at
    event, bounds = (
        select_event(of[0].law, state.scenario().page.get("event")),
        PAGE.current_settings().bounds,
    )
    laws = [side.law.with_epsilon(1.0).mechanism for side in of]
    curves = _ask(
        "curves",
        [CurvesByEpsilonStudy(mechanism=law, scores=scores, events=events) for law in laws],
    )
    needs = _ask(
        "budgets", [SmallestEpsilonStudy(mechanism=law, scores=scores, event=event) for law in laws]
    )
    # the papers' bounds go over ε, which a stated noise does not have as a choice
    bounded = [side for side in of if bounds and not side.law.mechanism.states_noise]
    shortfalls = _ask(
        "shortfalls",
        [
            ShortfallStudy(mechanism=side.law.with_epsilon(1.0).mechanism, scores=scores)
            for side in bounded
        ],
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
            **bind_control("bounds", bounds, lambda shown: PAGE.change(bounds=shown or None)),
        )
    with show_job_progress(
        lambda: session_job_queue().jobs("curves", "budgets", "shortfalls", "names"), "rest"
    ):
        with st.container(key="compare_first"):
            left, right = st.columns([1, 1.35], gap="medium")
        with left:
            show_live_view(partial(_chances_and_needs, of, *needs, event))
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
        show_live_view(partial(_budgets, of, *needs, event))
        if not scores.names_known:
            listed = replace(scores, names_known=True)
            known_needs = _ask(
                "names",
                [SmallestEpsilonStudy(mechanism=law, scores=listed, event=event) for law in laws],
            )
            show_live_view(
                partial(
                    _worth,
                    of,
                    needs[0],
                    [replace(side, law=side.law.replace(scores=listed)) for side in of],
                    *known_needs,
                    event,
                ),
            )
        if bounded:
            heading("How low the worst item may score")
            with st.container(key="pale_shortfalls"):
                _as_they_come(
                    "shortfalls",
                    bounded,
                    shortfalls,
                    partial(compare.worst_choice_shortfall_chart, epsilon=epsilon, look=look),
                    "The shortfalls",
                )
    line = "Effect of k: the same chances for shorter and longer lists, at the same ε"
    sizes = [
        CurvesByKStudy(mechanism=side.law.mechanism, scores=scores, events=events) for side in of
    ]
    show_live_view(
        lambda: show_expander(line, "by_k", partial(_by_k, of, sizes, event, look)),
    )
    state.write_link()


def _label(event: str) -> str:
    return EVENTS[event].label


def _by_k(
    of: Sequence[ComparedDesign], sizes: Sequence[CurvesByKStudy], event: str, look: Look
) -> None:
    """Curves over k; they cost as much as all others, so they wait for somebody to open them."""
    asked = _ask("by k", sizes)
    chart = partial(compare.chance_by_k_chart, epsilon=of[0].at, event=event, look=look)
    with show_job_progress(lambda: asked[1], "by k"), st.container(key="pale_by_k"):
        _as_they_come("by_k", of, asked, chart, "The curves over k")


def _ask(group: str, studies: Sequence[S]) -> Asked[S]:
    """Studies of a group, which waits for the groups before it; equal designs share one."""
    return compute_all_in_background(studies, group, place=_GROUPS.index(group))


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
        if not come or not showable_job_count(jobs):
            raise StepPending(what)
        follows = key == "epsilon_curves" and len(come) == len(of)
        show_chart_with_table(
            chart(come),
            key,
            brief=leads,
            leads=leads,
            at=of[0].at if follows else None,
        )

    show_live_part(
        partial(show_or_wait, show_chart, what, wait=show_chart_placeholder),
        partial(showable_job_count, jobs),
    )


def _chances_and_needs(
    of: Sequence[ComparedDesign],
    studies: Sequence[SmallestEpsilonStudy],
    jobs: Sequence[Job],
    event: str,
) -> None:
    """Chance of an event at this ε and the ε of its goal, for each design."""
    needed, stopped = smallest_epsilon_rows(of, studies), _is_stopped(jobs)
    figure, share = _label(event), input_percent_text(GOAL)
    show_table(
        "Chance and ε",
        [
            ("Mechanism", ""),
            (figure, "chance at this ε"),
            ("ε needed", f"{figure} in {share} of releases"),
        ],
        [
            [
                design_cell(side),
                chance_cell(side, event, "now"),
                _need(side, needed, GOAL, stopped=stopped),
            ]
            for side in of
        ],
        "dp-designs",
    )
    if len(needed) == len(of) * len(PROBABILITIES):
        paragraph(sentence_html(smallest_epsilon_sentence(needed, event)), "says")
    for sentence in compare.remarks(of):
        paragraph(sentence_html(sentence), "note")


def _is_stopped(jobs: Sequence[Job]) -> bool:
    return any(job.cancelled for job in jobs)


def _budgets(
    of: Sequence[ComparedDesign],
    studies: Sequence[SmallestEpsilonStudy],
    jobs: Sequence[Job],
    event: str,
) -> None:
    needed = smallest_epsilon_rows(of, studies)
    complete = len(needed) == len(of) * len(PROBABILITIES)
    stopped = _is_stopped(jobs)
    show_expander(
        goal_table_caption(event),
        "budgets",
        partial(_needs, of, needed, event, stopped=stopped, complete=complete),
    )


def _worth(
    of: Sequence[ComparedDesign],
    now: Sequence[SmallestEpsilonStudy],
    with_list: Sequence[ComparedDesign],
    studies: Sequence[SmallestEpsilonStudy],
    jobs: Sequence[Job],
    event: str,
) -> None:
    needed = smallest_epsilon_rows(with_list, studies)
    if len(needed) == len(of) * len(PROBABILITIES):
        paragraph(
            sentence_html(known_names_sentence(smallest_epsilon_rows(of, now), needed, event)),
            "says",
        )
    show_expander(
        "The same goals with a list of all possible items",
        "names_worth",
        partial(
            _needs,
            with_list,
            needed,
            event,
            stopped=_is_stopped(jobs),
            complete=False,
        ),
    )


def _needs(
    of: Sequence[ComparedDesign],
    needed: SmallestEpsilonRows,
    event: str,
    *,
    stopped: bool,
    complete: bool,
) -> None:
    figure = _label(event)
    show_table(
        f"Smallest ε for {figure}",
        [
            f"Smallest ε for {figure} in …",
            *(f"{input_percent_text(p)} of releases" for p in PROBABILITIES),
        ],
        [
            [design_cell(side), *(_need(side, needed, p, stopped=stopped) for p in PROBABILITIES)]
            for side in of
        ],
        "dp-designs",
    )
    paragraph(
        markup(
            "Each ε is rounded up. The estimated error, or the low end of the interval, counts"
            " against it. Multiples compare with the smallest ε in the column, and a longer bar"
            " means more ε. This command gives the same figures for the scenario's file: <code>{}"
            " smallest-epsilon --figure {}</code>.",
            PROGRAM,
            event,
        )
    )
    _reasons([row["reason"] for _, row in needed if row["reason"]], event, of[0].law)
    if complete:
        about = page_provenance()
        show_download_button(
            "Table as CSV",
            csv_with_provenance(pd.DataFrame([row for _, row in needed]), about.caption),
            f"{about.file_name('budget')}.csv",
            "budget_csv",
            icon=":material/table:",
        )


def _need(
    side: ComparedDesign, needed: SmallestEpsilonRows, probability: float, *, stopped: bool
) -> Markup:
    column = {other.number: row for other, row in needed if row["probability"] == probability}
    if side.number not in column:
        return markup('<span class="dp-why">not computed</span>') if stopped else WAIT
    epsilon, multiple = column[side.number]["epsilon"], column[side.number]["multiple"]
    if not math.isfinite(epsilon):
        return markup(
            '<span class="dp-why">{}</span>',
            "not reached" if guarantee_holds_for(side) else "not valid",
        )
    most = max(row["multiple"] for row in column.values() if math.isfinite(row["multiple"]))
    return figure_bar_html(
        side.number,
        markup(
            "{} <small>{}</small>", upper_bound_text(epsilon, digits=3), multiple_text(multiple)
        ),
        multiple / most,
    )


def _reasons(reasons: Sequence[str], event: str, law: LawStudy) -> None:
    k = law.k
    if reasons and event == "top" and "optimal" in law.events:
        with st.container(horizontal=True, vertical_alignment="center"):
            paragraph(
                f"Scores tie at rank {k:,}. The true top {k:,} is one of several equal choices, so"
                " no ε makes it likely. OPTIMAL counts all of them."
            )
            st.button(
                "Show OPTIMAL",
                key="to_optimal",
                on_click=PAGE.change,
                kwargs={"event": "optimal"},
            )
    elif reasons:
        paragraph(" ".join(list(dict.fromkeys(reasons))[:3]))

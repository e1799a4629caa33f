"""The page: the headline figures of all designs, what ε buys, what kinds of answer come out, the
same seeds replayed.

What ε buys is computed after the laws, what matters most first; it does not depend on the ε of now,
so moving that leaves it as it is.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pandas as pd
import streamlit as st

from dpviz.base import PROGRAM, Markup, Scores, join_markup, markup
from dpviz.charts import Chart, Look, count_text, input_percent_text, percent, upper_bound_text
from dpviz.charts.topk.design_curves import NamedDesign
from dpviz.pages.common.top_k_figures import format_expected_hits, format_worst_rank, select_event
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import (
    RELEASES,
    ComparedDesign,
    CurvesByEpsilonStudy,
    CurvesByKStudy,
    HeatmapsStudy,
    ReplayStudy,
    ShortfallStudy,
    compared_designs,
)
from dpviz.studies import PROBABILITIES, Scenario, StepPending, Study, read_if_ready
from dpviz.studies.mechanism_studies import LawStudy, SmallestEpsilonStudy
from dpviz.topk import EVENTS
from dpviz.web.jobs import PATIENCE, Job, session_job_queue
from dpviz.web.screens.compare.controls import (
    PAGE,
    design_label_html,
    design_style_rules,
    figure_bar_html,
    marked_design_label,
)
from dpviz.web.session import state
from dpviz.web.widgets import (
    WAIT,
    Cell,
    advance_seed,
    bind_control,
    compute_all_in_background,
    compute_in_background,
    csv_with_provenance,
    heading,
    law_badge,
    live_text,
    multiple_text,
    page_head,
    page_provenance,
    paragraph,
    seed_box,
    show_chart_placeholder,
    show_chart_with_table,
    show_download_button,
    show_expander,
    show_glossary,
    show_job_progress,
    show_live_part,
    show_live_view,
    show_or_wait,
    show_table,
    showable_job_count,
    style,
)

S = TypeVar("S", bound=Study)
_GROUPS = ("curves", "budgets", "shortfalls", "names", "by k")  # what comes first matters most
_CELL = '<div class="dp-cell">{}</div>'
Asked = tuple[list[S], list[Job]]


def show_page(scenario: Scenario, scores: Scores, look: Look) -> None:
    """The page."""
    designs = compared_designs(scenario, scores)
    laws, _ = compute_all_in_background([side.law for side in designs])
    of = [replace(side, law=law) for side, law in zip(designs, laws, strict=True)]
    show_live_view("title", partial(_title, scenario, scores, of))
    with show_job_progress(lambda: session_job_queue().jobs("laws", "maps"), "laws"):
        with st.container(key="compare_first"):
            show_live_view(
                "maps",
                partial(_maps, of, look),
                "The heatmaps",
                wait=show_chart_placeholder,
                alone=True,
            )
        show_live_view("figures", partial(_figures, of))
        page_head.show_not_private_banner()
        show_live_view("against", partial(_against, of, look), alone=True)
        replay = f"The same seeds, replayed: {RELEASES} releases of every mechanism, item by item"
        show_live_view(
            "replay",
            lambda: show_expander(replay, "replay", partial(_replay, of, look)),
            alone=True,
        )


def _title(scenario: Scenario, scores: Scores, of: Sequence[ComparedDesign]) -> None:
    """What is compared, and the one sentence that matters most."""
    style.add_style_rules(design_style_rules())
    lead = read_if_ready(lambda: compare.lead_sentence(of)) or ()
    asked, at = compare.page_heading(scenario.k, scores.d), of[0].law.mechanism.epsilon
    page_head.show_page_title(
        scenario, scores, "Compare", _in_colour(lead), count_text(len(of), "mechanism"), asked, at
    )


def _in_colour(sentence: compare.Sentence) -> Markup:
    return join_markup(
        part if isinstance(part, str) else design_label_html(part.number, part.label)
        for part in sentence
    )


# ---- headline figures ----------------------------------------------------------------------------


def _figures(of: Sequence[ComparedDesign]) -> None:
    """A row a design, a column a figure."""
    show_table(
        "Headline figures",
        [("Mechanism", ""), *compare.design_column_headings(of)],
        map(_row, of),
        "dp-designs",
    )


def _row(side: ComparedDesign) -> list[object]:
    law = side.law
    at = law.mechanism.epsilon
    return [
        _who(side),
        *(read_if_ready(partial(_chance, side, name)) or WAIT for name in law.events),
        markup(_CELL, read_if_ready(lambda: _right(side)) or WAIT),
        markup(
            _CELL,
            read_if_ready(lambda: live_text(f"worst-{side.number}", format_worst_rank(law), at))
            or WAIT,
        ),
    ]


def _right(side: ComparedDesign) -> Markup:
    at = side.law.mechanism.epsilon
    return markup(
        "{} <small>of {:,}</small>",
        live_text(f"right-{side.number}", format_expected_hits(side.law), at),
        side.law.k,
    )


def _who(side: ComparedDesign) -> Cell:
    mark = "" if _holds(side) else markup(' <small class="dp-why">needs known names</small>')
    return Cell(
        join_markup(
            (
                marked_design_label(side.number, side.label),
                law_badge(read_if_ready(lambda: side.law.distribution)),
                mark,
            )
        ),
        "dp-who",
    )


def _holds(side: ComparedDesign) -> bool:
    return side.law.mechanism.guarantee_holds(side.law.scores.names_known)


def _chance(side: ComparedDesign, event: str) -> Markup:
    chance, of, at = (
        side.law.event_probability[event],
        f"{event}-{side.number}",
        side.law.mechanism.epsilon,
    )
    figure = figure_bar_html(
        side.number,
        live_text(of, percent(*chance), at),
        chance.value,
        live_text(f"bar-{of}", "", at),
    )
    if side.law.distribution.method == "exact":
        return figure
    low, high = percent(chance.low), percent(chance.high)
    return figure + markup(
        '<small class="dp-range">{}</small>', live_text(f"range-{of}", f"{low} to {high}", at)
    )


# ---- what ε buys ---------------------------------------------------------------------------------


def _against(of: Sequence[ComparedDesign], look: Look) -> None:
    """Curves of one figure against ε, the ε that goals take, the theorems beside it, and what k
    costs.
    """
    scores, events = of[0].law.scores, of[0].law.events
    epsilon = of[0].law.mechanism.epsilon
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
    shortfalls = _ask(
        "shortfalls", [ShortfallStudy(mechanism=law, scores=scores) for law in laws if bounds]
    )
    heading("What ε buys")
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        PAGE.choice_buttons(
            "event", "Figure", _label, event, options=events, label_visibility="collapsed"
        )
        st.toggle(
            "The papers' bounds",
            value=bounds,
            help="What the papers prove for any data, laid beside the exact law of these data.",
            **bind_control("bounds", bounds, lambda shown: PAGE.change(bounds=shown or None)),
        )
    with show_job_progress(
        lambda: session_job_queue().jobs("curves", "budgets", "shortfalls", "names"), "rest"
    ):
        chart = partial(
            compare.chance_by_epsilon_chart, epsilon=epsilon, event=event, look=look, bounds=bounds
        )
        _as_they_come("epsilon_curves", of, curves, chart, "The curves", brief=True)
        show_live_view("budgets", partial(_budgets, of, *needs, event))
        if not scores.names_known:
            listed = replace(scores, names_known=True)
            known_needs = _ask(
                "names",
                [SmallestEpsilonStudy(mechanism=law, scores=listed, event=event) for law in laws],
            )
            with_list = [replace(side, law=side.law.replace(scores=listed)) for side in of]
            show_live_view("names", partial(_worth, of, needs[0], with_list, *known_needs, event))
        if bounds:
            heading("How far down the worst choice may lie")
            below = partial(compare.shortfalls_chart, epsilon=epsilon, look=look)
            _as_they_come("shortfalls", of, shortfalls, below, "The shortfalls")
    line = "What a longer list costs: the chance of the figure above as k grows, at the same ε"
    sizes = [
        CurvesByKStudy(mechanism=side.law.mechanism, scores=scores, events=events) for side in of
    ]
    show_live_view(
        "by k",
        lambda: show_expander(line, "by_k", partial(_by_k, of, sizes, event, look)),
        alone=True,
    )
    state.write_link()


def _label(event: str) -> str:
    return EVENTS[event].label


def _by_k(
    of: Sequence[ComparedDesign], sizes: Sequence[CurvesByKStudy], event: str, look: Look
) -> None:
    """Its curves take as long as the others together, so they are asked for where somebody looks."""
    asked = _ask("by k", sizes)
    chart = partial(
        compare.chance_by_k_chart, epsilon=sizes[0].mechanism.epsilon, event=event, look=look
    )
    with show_job_progress(lambda: asked[1], "by k"):
        _as_they_come("by_k", of, asked, chart, "The curves over k")


def _ask(group: str, studies: Sequence[S]) -> Asked[S]:
    """Those of a group that may wait for those before it; equal designs share one."""
    return compute_all_in_background(studies, group, place=_GROUPS.index(group))


def _as_they_come(
    key: str,
    of: Sequence[ComparedDesign],
    asked: Asked[S],
    chart: Callable[[dict[NamedDesign, S]], Chart],
    what: str,
    *,
    brief: bool = False,
) -> None:
    """A chart of what has come of the designs: of all at once if they come soon, else of each as it
    comes.
    """
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
            chart(come), key, brief=brief, at=of[0].law.mechanism.epsilon if follows else None
        )

    show_live_part(
        key,
        partial(show_or_wait, show_chart, what, wait=show_chart_placeholder),
        partial(showable_job_count, jobs),
        alone=True,
    )


def _budgets(
    of: Sequence[ComparedDesign],
    studies: Sequence[SmallestEpsilonStudy],
    jobs: Sequence[Job],
    event: str,
) -> None:
    """A row a design, a column a probability; what is out of reach says why."""
    heading("The ε it takes")
    needed = compare.smallest_epsilon_rows(of, studies)
    complete = len(needed) == len(of) * len(PROBABILITIES)
    stopped = any(job.cancelled for job in jobs)
    if complete:
        paragraph(_in_colour(compare.smallest_epsilon_sentence(needed, event)), "says")
    elif needed:
        paragraph(
            "Not every goal was computed." if stopped else "The goals are being computed.", "says"
        )
    show_expander(
        compare.goal_table_caption(event),
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
    """What a list of names known beforehand would be worth."""
    needed = compare.smallest_epsilon_rows(with_list, studies)
    complete = len(needed) == len(of) * len(PROBABILITIES)
    if complete:
        paragraph(
            _in_colour(
                compare.known_names_sentence(compare.smallest_epsilon_rows(of, now), needed, event)
            ),
            "says",
        )
    stopped = any(job.cancelled for job in jobs)
    line = "The same, had the names been known beforehand: what a list of them is worth"
    table_of = partial(_needs, with_list, needed, event, stopped=stopped, complete=False)
    show_expander(line, "names_worth", table_of)


def _needs(
    of: Sequence[ComparedDesign],
    needed: compare.SmallestEpsilonRows,
    event: str,
    *,
    stopped: bool,
    complete: bool,
) -> None:
    """The table, and once it is complete its download."""
    figure = _label(event)
    heads = [
        f"Smallest ε for {figure} in …",
        *(f"{input_percent_text(p)} of releases" for p in PROBABILITIES),
    ]
    rows = [
        [_who(side), *(_need(side, needed, p, stopped=stopped) for p in PROBABILITIES)]
        for side in of
    ]
    show_table(f"Smallest ε for {figure}", heads, rows, "dp-designs")
    paragraph(
        markup(
            "The smallest ε at which the figure reaches this share of releases, rounded up, with"
            " its estimated error bound, or the low end of its interval, counted against it;"
            " multiples are of the least, and a longer bar is more ε. The same figures: <code>{}"
            " budget --figure {}</code> with the scenario's file.",
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
    side: ComparedDesign, needed: compare.SmallestEpsilonRows, probability: float, *, stopped: bool
) -> Markup:
    """A cell: the ε, over a bar that is as long as it is against the most that any design takes."""
    column = {other.number: row for other, row in needed if row["probability"] == probability}
    if side.number not in column:
        return markup('<span class="dp-why">not computed</span>') if stopped else WAIT
    epsilon, multiple = column[side.number]["epsilon"], column[side.number]["multiple"]
    if not math.isfinite(epsilon):
        return markup(
            '<span class="dp-why">{}</span>', "out of reach" if _holds(side) else "does not hold"
        )
    most = max(row["multiple"] for row in column.values() if math.isfinite(row["multiple"]))
    figure = markup(
        "{} <small>{}</small>", upper_bound_text(epsilon, digits=3), multiple_text(multiple)
    )
    return figure_bar_html(side.number, figure, multiple / most)


def _reasons(reasons: Sequence[str], event: str, law: LawStudy) -> None:
    """Why a goal is out of reach, once; ties point to OPTIMAL."""
    k = law.k
    if reasons and event == "top" and "optimal" in law.events:
        with st.container(horizontal=True, vertical_alignment="center"):
            paragraph(
                f"Scores tie at rank {k:,}: the true top {k:,} is one of several equal choices, and"
                " no ε makes it likely. OPTIMAL counts every one of them."
            )
            st.button(
                "Look at OPTIMAL",
                key="to_optimal",
                on_click=PAGE.change,
                kwargs={"event": "optimal"},
            )
    elif reasons:
        paragraph(" ".join(list(dict.fromkeys(reasons))[:3]))


# ---- all laws, and the same seeds ----------------------------------------------------------------


def _maps(of: Sequence[ComparedDesign], look: Look) -> None:
    """The heatmaps of all designs on the same axes, once every law is there."""
    if not all(side.law.is_complete for side in of):
        raise StepPending("the laws")
    study, _ = compute_in_background(
        HeatmapsStudy(laws=[side.law for side in of]), "maps", patience=PATIENCE
    )
    with st.container(key="compare_maps_box"):
        show_chart_with_table(
            compare.maps_chart(of, study, look), "compare_maps", brief=True, leads=True
        )
    show_glossary("h", "t", "top", "great", "good", "chance")


def _replay(of: Sequence[ComparedDesign], look: Look) -> None:
    """A few releases of every design, each row of them with one seed for all."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = seed_box(
            "compare_seed", "The same seeds give the same releases again.", "First seed"
        )
        st.button(
            f"Next {RELEASES} seeds",
            icon=":material/casino:",
            key="next_seeds",
            on_click=advance_seed,
            args=(RELEASES,),
        )
    replays = [
        ReplayStudy(mechanism=side.law.mechanism, scores=side.law.scores, seed=seed) for side in of
    ]
    studies, _ = compute_all_in_background(replays, "draws", patience=PATIENCE)
    with show_job_progress(lambda: session_job_queue().jobs("draws"), "replay"):
        chart = partial(compare.replay_chart, of, studies, look)
        show_live_view(
            "releases",
            lambda: show_chart_with_table(chart(), "replay"),
            "The releases",
            wait=show_chart_placeholder,
            alone=True,
        )
    paragraph(page_head.ILLUSTRATIONS)
    state.write_link()

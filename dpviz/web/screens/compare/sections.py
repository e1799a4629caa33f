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

from dpviz.base import PROGRAM, Markup, Scores, joined, markup
from dpviz.charts import Chart, Look, as_typed, at_most, count, percent
from dpviz.charts.topk.design_curves import Named
from dpviz.pages.common.top_k_figures import event_meant, right, worst
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import (
    RELEASES,
    CurvesStudy,
    MapsStudy,
    ReplayStudy,
    ShortfallStudy,
    Side,
    SizesStudy,
    sides,
)
from dpviz.studies import PROBABILITIES, Pending, Scenario, Study, known
from dpviz.studies.mechanism_studies import LawStudy, NeedStudy
from dpviz.topk import EVENTS
from dpviz.web.jobs import PATIENCE, Job, desk
from dpviz.web.screens.compare.controls import PAGE, in_words, named, rules, with_bar
from dpviz.web.session import state
from dpviz.web.widgets import (
    WAIT,
    Cell,
    all_beside,
    awaited,
    badge,
    beside,
    bound,
    computing,
    csv_with_about,
    download,
    explain,
    filling,
    folded,
    heading,
    next_seed,
    page_head,
    paragraph,
    part,
    placed,
    seed_box,
    show,
    shown_now,
    style,
    table,
    times,
    together,
    view,
)

S = TypeVar("S", bound=Study)
_GROUPS = ("curves", "budgets", "shortfalls", "names", "by k")  # what comes first matters most
_CELL = '<div class="dp-cell">{}</div>'
Asked = tuple[list[S], list[Job]]


def show_page(scenario: Scenario, scores: Scores, look: Look) -> None:
    """The page."""
    designs = sides(scenario, scores)
    laws, _ = all_beside([side.law for side in designs])
    of = [replace(side, law=law) for side, law in zip(designs, laws, strict=True)]
    view("title", partial(_title, scenario, scores, of))
    with filling(lambda: desk().jobs("laws", "maps"), "laws"):
        with st.container(key="compare_first"):
            view("maps", partial(_maps, of, look), "The heatmaps", wait=computing, alone=True)
        view("figures", partial(_figures, of))
        page_head.banner()
        view("against", partial(_against, of, look), alone=True)
        replay = f"The same seeds, replayed: {RELEASES} releases of every mechanism, item by item"
        view("replay", lambda: folded(replay, "replay", partial(_replay, of, look)), alone=True)


def _title(scenario: Scenario, scores: Scores, of: Sequence[Side]) -> None:
    """What is compared, and the one sentence that matters most."""
    style.rules(rules())
    lead = known(lambda: compare.lead(of)) or ()
    asked, at = compare.question(scenario.k, scores.d), of[0].law.mechanism.epsilon
    page_head.title(
        scenario, scores, "Compare", _in_colour(lead), count(len(of), "mechanism"), asked, at
    )


def _in_colour(sentence: compare.Sentence) -> Markup:
    return joined(
        part if isinstance(part, str) else in_words(part.number, part.label) for part in sentence
    )


# ---- headline figures ----------------------------------------------------------------------------


def _figures(of: Sequence[Side]) -> None:
    """A row a design, a column a figure."""
    table(
        "Headline figures", [("Mechanism", ""), *compare.columns(of)], map(_row, of), "dp-designs"
    )


def _row(side: Side) -> list[object]:
    law = side.law
    at = law.mechanism.epsilon
    return [
        _who(side),
        *(known(partial(_chance, side, name)) or WAIT for name in law.events),
        markup(_CELL, known(lambda: _right(side)) or WAIT),
        markup(_CELL, known(lambda: placed(f"worst-{side.number}", worst(law), at)) or WAIT),
    ]


def _right(side: Side) -> Markup:
    at = side.law.mechanism.epsilon
    return markup(
        "{} <small>of {:,}</small>", placed(f"right-{side.number}", right(side.law), at), side.law.k
    )


def _who(side: Side) -> Cell:
    mark = "" if _holds(side) else markup(' <small class="dp-why">needs known names</small>')
    return Cell(
        joined((named(side.number, side.label), badge(known(lambda: side.law.distribution)), mark)),
        "dp-who",
    )


def _holds(side: Side) -> bool:
    return side.law.mechanism.holds(side.law.scores.names_known)


def _chance(side: Side, event: str) -> Markup:
    chance, of, at = side.law.event[event], f"{event}-{side.number}", side.law.mechanism.epsilon
    figure = with_bar(
        side.number, placed(of, percent(*chance), at), chance.value, placed(f"bar-{of}", "", at)
    )
    if side.law.distribution.method == "exact":
        return figure
    low, high = percent(chance.low), percent(chance.high)
    return figure + markup(
        '<small class="dp-range">{}</small>', placed(f"range-{of}", f"{low} to {high}", at)
    )


# ---- what ε buys ---------------------------------------------------------------------------------


def _against(of: Sequence[Side], look: Look) -> None:
    """Curves of one figure against ε, the ε that goals take, the theorems beside it, and what k
    costs.
    """
    scores, events = of[0].law.scores, of[0].law.events
    epsilon = of[0].law.mechanism.epsilon
    event, bounds = event_meant(of[0].law, state.scenario().page.get("event")), PAGE.read().bounds
    laws = [side.law.at(1.0).mechanism for side in of]
    curves = _ask(
        "curves", [CurvesStudy(mechanism=law, scores=scores, events=events) for law in laws]
    )
    needs = _ask("budgets", [NeedStudy(mechanism=law, scores=scores, event=event) for law in laws])
    shortfalls = _ask(
        "shortfalls", [ShortfallStudy(mechanism=law, scores=scores) for law in laws if bounds]
    )
    heading("What ε buys")
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        PAGE.switch("event", "Figure", _label, event, options=events, label_visibility="collapsed")
        st.toggle(
            "The papers' bounds",
            value=bounds,
            help="What the papers prove for any data, laid beside the exact law of these data.",
            **bound("bounds", bounds, lambda shown: PAGE.change(bounds=shown or None)),
        )
    with filling(lambda: desk().jobs("curves", "budgets", "shortfalls", "names"), "rest"):
        chart = partial(
            compare.curves_chart, epsilon=epsilon, event=event, look=look, bounds=bounds
        )
        _as_they_come("epsilon_curves", of, curves, chart, "The curves", brief=True)
        view("budgets", partial(_budgets, of, *needs, event))
        if not scores.names_known:
            listed = replace(scores, names_known=True)
            known_needs = _ask(
                "names", [NeedStudy(mechanism=law, scores=listed, event=event) for law in laws]
            )
            with_list = [replace(side, law=side.law.replace(scores=listed)) for side in of]
            view("names", partial(_worth, of, needs[0], with_list, *known_needs, event))
        if bounds:
            heading("How far down the worst choice may lie")
            below = partial(compare.shortfalls_chart, epsilon=epsilon, look=look)
            _as_they_come("shortfalls", of, shortfalls, below, "The shortfalls")
    line = "What a longer list costs: the chance of the figure above as k grows, at the same ε"
    sizes = [SizesStudy(mechanism=side.law.mechanism, scores=scores, events=events) for side in of]
    view("by k", lambda: folded(line, "by_k", partial(_by_k, of, sizes, event, look)), alone=True)
    state.write_link()


def _label(event: str) -> str:
    return EVENTS[event].label


def _by_k(of: Sequence[Side], sizes: Sequence[SizesStudy], event: str, look: Look) -> None:
    """Its curves take as long as the others together, so they are asked for where somebody looks."""
    asked = _ask("by k", sizes)
    chart = partial(compare.sizes_chart, epsilon=sizes[0].mechanism.epsilon, event=event, look=look)
    with filling(lambda: asked[1], "by k"):
        _as_they_come("by_k", of, asked, chart, "The curves over k")


def _ask(group: str, studies: Sequence[S]) -> Asked[S]:
    """Those of a group that may wait for those before it; equal designs share one."""
    return all_beside(studies, group, place=_GROUPS.index(group))


def _as_they_come(
    key: str,
    of: Sequence[Side],
    asked: Asked[S],
    chart: Callable[[dict[Named, S]], Chart],
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
            compare.named(side): study
            for side, study in zip(of, studies, strict=True)
            if study.results
        }
        if not come or not together(jobs):
            raise Pending(what)
        follows = key == "epsilon_curves" and len(come) == len(of)
        show(chart(come), key, brief=brief, at=of[0].law.mechanism.epsilon if follows else None)

    part(
        key, partial(awaited, show_chart, what, wait=computing), partial(together, jobs), alone=True
    )


def _budgets(
    of: Sequence[Side], studies: Sequence[NeedStudy], jobs: Sequence[Job], event: str
) -> None:
    """A row a design, a column a probability; what is out of reach says why."""
    heading("The ε it takes")
    needed = compare.needs(of, studies)
    complete = len(needed) == len(of) * len(PROBABILITIES)
    stopped = any(job.cancelled for job in jobs)
    if complete:
        paragraph(_in_colour(compare.takes(needed, event)), "says")
    elif needed:
        paragraph(
            "Not every goal was computed." if stopped else "The goals are being computed.", "says"
        )
    folded(
        compare.goals(event),
        "budgets",
        partial(_needs, of, needed, event, stopped=stopped, complete=complete),
    )


def _worth(
    of: Sequence[Side],
    now: Sequence[NeedStudy],
    with_list: Sequence[Side],
    studies: Sequence[NeedStudy],
    jobs: Sequence[Job],
    event: str,
) -> None:
    """What a list of names known beforehand would be worth."""
    needed = compare.needs(with_list, studies)
    complete = len(needed) == len(of) * len(PROBABILITIES)
    if complete:
        paragraph(_in_colour(compare.worth(compare.needs(of, now), needed, event)), "says")
    stopped = any(job.cancelled for job in jobs)
    line = "The same, had the names been known beforehand: what a list of them is worth"
    table_of = partial(_needs, with_list, needed, event, stopped=stopped, complete=False)
    folded(line, "names_worth", table_of)


def _needs(
    of: Sequence[Side], needed: compare.Needed, event: str, *, stopped: bool, complete: bool
) -> None:
    """The table, and once it is complete its download."""
    figure = _label(event)
    heads = [
        f"Smallest ε for {figure} in …",
        *(f"{as_typed(p)} of releases" for p in PROBABILITIES),
    ]
    rows = [
        [_who(side), *(_need(side, needed, p, stopped=stopped) for p in PROBABILITIES)]
        for side in of
    ]
    table(f"Smallest ε for {figure}", heads, rows, "dp-designs")
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
        about = shown_now()
        download(
            "Table as CSV",
            csv_with_about(pd.DataFrame([row for _, row in needed]), about.line),
            f"{about.file_name('budget')}.csv",
            "budget_csv",
            icon=":material/table:",
        )


def _need(side: Side, needed: compare.Needed, probability: float, *, stopped: bool) -> Markup:
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
    figure = markup("{} <small>{}</small>", at_most(epsilon, digits=3), times(multiple))
    return with_bar(side.number, figure, multiple / most)


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


def _maps(of: Sequence[Side], look: Look) -> None:
    """The heatmaps of all designs on the same axes, once every law is there."""
    if not all(side.law.finished for side in of):
        raise Pending("the laws")
    study, _ = beside(MapsStudy(laws=[side.law for side in of]), "maps", patience=PATIENCE)
    with st.container(key="compare_maps_box"):
        show(compare.maps_chart(of, study, look), "compare_maps", brief=True, leads=True)
    explain("h", "t", "top", "great", "good", "chance")


def _replay(of: Sequence[Side], look: Look) -> None:
    """A few releases of every design, each row of them with one seed for all."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = seed_box(
            "compare_seed", "The same seeds give the same releases again.", "First seed"
        )
        st.button(
            f"Next {RELEASES} seeds",
            icon=":material/casino:",
            key="next_seeds",
            on_click=next_seed,
            args=(RELEASES,),
        )
    replays = [
        ReplayStudy(mechanism=side.law.mechanism, scores=side.law.scores, seed=seed) for side in of
    ]
    studies, _ = all_beside(replays, "draws", patience=PATIENCE)
    with filling(lambda: desk().jobs("draws"), "replay"):
        chart = partial(compare.replay_chart, of, studies, look)
        view(
            "releases", lambda: show(chart(), "replay"), "The releases", wait=computing, alone=True
        )
    paragraph(page_head.ILLUSTRATIONS)
    state.write_link()

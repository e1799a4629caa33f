"""The last screen: plans by what all releases cost, what would help, drift, a person's odds, a
miss, A beside B.

Everything is one study, computed beside the page; its words are those of the sheet.
"""

import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import ParameterError, Scores, markup
from dpviz.charts import at_most
from dpviz.pages.decide import sentences as words
from dpviz.pages.decide import view as decide
from dpviz.studies import known
from dpviz.studies.decision import Question, goal_words
from dpviz.studies.decision.decide_study import DecideStudy
from dpviz.web.jobs import Job
from dpviz.web.screens.decide.downloads import show_beside, take_along
from dpviz.web.screens.decide.question import BUDGET, WHERE, edit, mark, step, stops, study_of
from dpviz.web.session import state
from dpviz.web.widgets import (
    Cell,
    banner,
    beside,
    bidi,
    bound,
    bullets,
    explain,
    figures,
    filling,
    head,
    heading,
    notice,
    paragraph,
    part,
    placed,
    show,
    table,
    there,
    view,
)
from dpviz.web.widgets import (
    slider_preview as hand,
)
from dpviz.web.widgets.slider_preview import Followed

_LEAST = "least"


def answer(question: Question, scores: Scores, look: charts.Look) -> None:
    """The whole screen, which fills as the answer comes."""
    asked = study_of(question, scores)
    study, job = beside(asked)
    if (values := stops(asked)) is not None and job.problem is None:
        hand.follow_slider(
            Followed(
                slider=f"{BUDGET}_slider",
                mark=mark(asked),
                values=values,
                value=state.scenario().epsilon,
                step=partial(decide.step, asked),
                uses=[asked],
            )
        )
    with st.container(key="decide_first"), filling(lambda: [job]):
        part("title", partial(_title, study, job), there(job))
        notice(WHERE)
        left, right = st.columns([1, 2.3], gap="medium")
        with left:
            view(
                "figures",
                _where_there_is_one(
                    study,
                    job,
                    lambda: figures(
                        decide.headlines(study), "Figures of the decision", at=study.epsilon
                    ),
                ),
                "The figures",
            )
        with right:
            view(
                "curves",
                _where_there_is_one(
                    study,
                    job,
                    lambda: show(
                        decide.cost_chart(study, look), "cost_lines", brief=True, at=study.epsilon
                    ),
                ),
                "How good for what it costs",
            )
        banner(None)
    view("needs", partial(_needs, study, job), "What each mechanism costs")
    _by_hand(question)
    view("helps", partial(known, partial(_helps, study)))
    view("caps", partial(known, partial(_caps, study)))
    sections: dict[str, Callable[[], None]] = {
        "drift": partial(_drift, study, look),
        "odds": partial(_odds, study, look),
        "misses": partial(_misses, study),
        "totals": partial(_totals, study),
        "beside": lambda: show_beside(study.decision, look),
        "take": lambda: take_along(study.decision),
    }
    for name, show_section in sections.items():
        with st.container(key=f"pale_{name}"):  # it does not follow the hand
            view(
                name, partial(known, show_section)
            )  # below what waits there is nothing to wait for
    st.button("Back", icon=":material/arrow_back:", on_click=step, args=(-1,), key="decide_back")


def _refusal(study: DecideStudy, job: Job) -> ParameterError | None:
    """Why there is no plan, as soon as that is known; None where there is one, or nobody knows yet."""
    try:
        known(lambda: study.epsilon)
    except ParameterError as err:
        return err
    return job.refused


def _where_there_is_one(
    study: DecideStudy, job: Job, draw: Callable[[], None]
) -> Callable[[], None]:
    """Draws, but where no plan reaches the goal, and nothing is to come."""
    return lambda: draw() if job.problem is None and _refusal(study, job) is None else None


def _title(study: DecideStudy, job: Job) -> None:
    question = study.question
    over, what = (
        "Decide · the answer",
        bidi(question.name) if question.name else f"A list of {question.k:,}",
    )
    refused = _refusal(study, job)
    decision = known(lambda: study.decision) if job.problem is None and refused is None else None
    if decision is None:
        title = f"The plan with {words.least_of(question)}"
        lead = f"{words.goal(question)}: what that costs is being computed."
        if refused is not None:
            title, lead = words.refused(refused)
        elif job.failed:
            title, lead = words.FAILED
        head(over, title, lead, what)
        return
    if state.scenario().epsilon != decision.epsilon and question.epsilon is None:
        state.settle(
            epsilon=decision.epsilon
        )  # the stage shows it, the link has it, other pages begin with it
        st.rerun()
    at = decision.epsilon
    unit, data = markup("one {}", bidi(question.unit)), bidi(words.data_name(decision))
    below = markup(" · ").join((what, decision.need.label, unit, words.releases(decision), data))
    head(
        over,
        placed("heading", words.title(decision), at),
        placed("lead", decide.lead(decision), at),
        below,
    )


def _by_hand(question: Question) -> None:
    """The mechanism and the ε, where they are not left to the goal."""
    labels = {_LEAST: f"The mechanism with {words.least_of(question)}"}
    labels |= {str(i): question.label(design) for i, design in enumerate(question.designs)}
    taken, fixed = (
        _LEAST if question.taken is None else str(question.taken),
        question.epsilon is not None,
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Published with",
            list(labels),
            index=list(labels).index(taken),
            format_func=labels.__getitem__,
            width=330,
            **bound(
                "decide.taken",
                taken,
                lambda name: edit(taken=None if name == _LEAST else int(name)),
                labels,
            ),
        )
        st.segmented_control(
            "ε",
            [False, True],
            format_func=lambda hand: "by hand" if hand else "smallest for the goal",
            default=fixed,
            required=True,
            **bound(
                "decide.fixed",
                fixed,
                lambda hand: edit(epsilon=state.scenario().epsilon if hand else None),
            ),
        )


def _needs(study: DecideStudy, job: Job) -> None:
    """The plans ranked by what they cost, each as it comes."""
    heading("What each mechanism costs for the goal")
    came = study.plans.come()
    taken = known(lambda: study.taken) if len(came) == len(study.plans) else None
    delta = at_most(study.question.delta)
    heads = (
        ("Mechanism", "● is published with"),
        ("ε of all releases", f"the smallest total at δ = {delta}"),
        ("Of the least", ""),
        ("Guessers right", "of 100, at most"),
        ("ε of one release", goal_words(study.question.target, study.question.k)),
    )
    least = min(
        (plan.total.epsilon for plan in came.values() if plan.total is not None), default=0.0
    )
    rows = []
    for place, plan in sorted(came.items(), key=lambda row: row[1].order(study.question)):
        multiple = plan.total.epsilon / least if plan.total is not None and least > 0 else math.nan
        total, *others = words.need_cells(plan, multiple)
        total, _, at = total.partition(" at ")
        name = f"{int(place) + 1} {plan.label}{' ●' if int(place) == taken else ''}"
        below = plan.reason or (f"at {at}" if at else "")
        cell = markup("{} <small>{}</small>", total, below) if below else total
        rows.append(
            [Cell(name, "dp-who"), Cell(cell, "dp-why" if plan.reason else "dp-cell"), *others]
        )
    missing = (
        "Its search has not ended."
        if not job.finished
        else "Not known: its search did not come to an end."
    )
    for number, design in enumerate(study.question.designs):
        if f"{number}" not in came:
            name = f"{number + 1} {study.question.label(design)}"
            rows.append([Cell(name, "dp-who"), Cell(missing, "dp-why"), "", "", ""])
    table("What each mechanism costs", heads, rows, "dp-needs")
    if study.question.menu:
        paragraph(words.searched(study.question), "note")


def _helps(study: DecideStudy) -> None:
    """What a list of names would save and, where no plan will do, what the accepted cost buys and
    what would help.
    """
    sentences = words.help_sentences(study)  # before the heading: it waits for them
    if not study.wanting and not sentences:
        return
    heading("What would help")
    bullets(sentences or ["Nothing that was tried: publish nothing of this kind."])
    if study.wanting:
        paragraph("Not to publish is an answer.")


def _caps(study: DecideStudy) -> None:
    """What a cap would save, where the log is at hand to be counted again."""
    if sentences := words.cap_sentences(study):
        heading("What a cap would save")
        bullets(sentences)


def _drift(study: DecideStudy, look: charts.Look) -> None:
    """How the chance of the goal changes as the data do."""
    decision = study.decision  # before the heading: it waits for it
    heading("If next month's data differ")
    show(decide.drift_chart(study, look), "drift_strip")
    paragraph(words.drift_sentence(decision), "says")


def _odds(study: DecideStudy, look: charts.Look) -> None:
    """What ε means for a person."""
    decision = study.decision
    heading(f"What it means for one {study.question.unit}")
    show(decide.people_chart(study, look), "decide_hundred")
    paragraph(words.belief_sentence(decision), "says")
    explain("epsilon", "privacy_loss", "unit")


def _misses(study: DecideStudy) -> None:
    """A miss in the names of the items."""
    decision = study.decision
    heading("What a miss looks like")
    bullets(words.miss_sentences(decision))
    paragraph(words.hits_sentence(decision), "says")


def _totals(study: DecideStudy) -> None:
    """All releases together, by each way to add them up."""
    decision = study.decision
    heading("All releases together")
    rows = [
        (
            Cell(words.WAYS[way].title, "dp-who"),
            Cell(epsilon, "dp-cell" if epsilon else ""),
            delta,
            Cell(reason, "dp-why" if reason else ""),
        )
        for way, epsilon, delta, reason in words.totals(decision)
    ]
    table("Totals of all releases", ("Way to add up", "Total ε", "δ", ""), rows, "dp-needs")
    paragraph(
        f"{words.releases(decision)}. Each line is a way to add them up that is proved: any one of"
        " them holds, and the smallest is taken, but for bounded range, which holds only for lists"
        f" fixed in advance. By ρ they come to {at_most(decision.account.rho)}."
    )
    if both := words.everyone(decision):
        paragraph(both, "says")
    explain("delta", "rho", "contributions")

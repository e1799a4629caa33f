"""The last screen: the smallest ε by mechanism, what it means for a person, a miss, totals and caps, A beside B.

Everything is one `Decision`, computed beside the page; its words are those of the sheet.
"""

import html
import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.charts.decision.goal_curves import goal_curves
from dpviz.charts.words import count, number, of_releases, percent
from dpviz.reports.decision import words
from dpviz.reports.decision.guessers import guessers
from dpviz.studies.decision import Decision, Question, decide, goal_words
from dpviz.ui.decide.asked import edit, go
from dpviz.ui.decide.beside import beside
from dpviz.ui.decide.settings import PAGE, WHERE
from dpviz.ui.decide.take import take
from dpviz.ui.shell import state
from dpviz.ui.shell.badges import estimated, exact
from dpviz.ui.shell.controls import bound, notice
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.page import banner
from dpviz.ui.shell.show import card, cards, heading, show, table, waiting
from dpviz.ui.shell.text import bidi
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.job import Done, Job
from dpviz.ui.work.pending import filling, part, there

__all__ = ["answer"]

_LEAST = "least"
_RARE = 1e-3


def answer(question: Question, scores: Scores, look: charts.Look) -> None:
    """The whole screen, filled when the decision is there."""
    digest = PAGE.read()[0].digest
    key = f"decide {question!r} {digest} {scores.digest}"

    def made(progress: Progress, done: Done) -> Decision:
        own = scores if question.data.source == "uploaded" else None
        return decide(question, own, digest=digest, progress=progress)

    (job,) = work_on((key, lambda: {"decision": made}))
    known = there(job)

    def drawn(draw: Callable[[Decision], None]) -> None:
        """What a decision that is there shows."""
        decision = _decision(job)
        if decision is not None:
            draw(decision)

    with st.container(key="decide_first"), filling(lambda: [job]):
        part("title", partial(_title, question, job), known)
        notice(WHERE)
        told, shown = st.columns([1, 2.3], gap="medium")
        with told:
            part("figures", partial(_figures, question, job), known)
        with shown:
            part("curves", partial(_curves, job, look), known)
        banner(None)
    part("needs", partial(_needs, job), known)
    _by_hand(question)
    sections: dict[str, Callable[[Decision], None]] = {
        "odds": partial(_odds, look=look),
        "misses": _misses,
        "totals": _totals,
        "beside": partial(beside, look=look),
        "take": take,
    }
    for name, draw in sections.items():
        part(name, partial(drawn, draw), known)
    st.button("Back", icon=":material/arrow_back:", on_click=go, args=("allowed",), key="decide_back")


def _decision(job: Job) -> Decision | None:
    return job.result("decision", Decision)


def _title(question: Question, job: Job) -> None:
    decision = _decision(job)
    what = bidi(question.name) if question.name else f"A list of {question.k:,}"
    if decision is None:
        title, lead = "The smallest ε for the goal", f"{_goal(question)}: the ε for it is being computed."
        if job.problem is not None:
            lead = "There is no answer to these questions yet."
        below = what
    else:
        if state.scenario().epsilon != decision.epsilon and question.epsilon is None:
            state.settle(epsilon=decision.epsilon)  # the stage shows it, the link has it, other pages begin with it
            st.rerun()
        title = f"ε = {words.number(decision.epsilon)} for the {question.k:,} best of {decision.d:,}"
        lead = html.escape(words.headline(decision))
        below = f"{what} · {decision.need.label} · one {bidi(question.unit)} · {html.escape(words.releases(decision))}"
        below += f" · {bidi(words.data_name(decision))}"
    st.html(
        f'<div class="dp-over">Decide · the answer</div><h1 class="dp-title">{title}</h1>'
        f'<p class="dp-lead">{lead}</p><p class="dp-sub">{below}</p>'
    )


def _goal(question: Question) -> str:
    told = goal_words(question.target, question.k)
    return f"{told[0].upper()}{told[1:]}"


def _by_hand(question: Question) -> None:
    """The mechanism and the ε, where they are not left to the goal."""
    labels = {_LEAST: "The mechanism with the smallest ε"}
    labels |= {
        str(i): design.label_for(question.k, question.data.contributions) for i, design in enumerate(question.designs)
    }
    taken = _LEAST if question.taken is None else str(question.taken)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Published with",
            list(labels),
            index=list(labels).index(taken),
            format_func=labels.__getitem__,
            width=330,
            **bound("decide.taken", taken, lambda name: edit(taken=None if name == _LEAST else int(name)), labels),
        )
        fixed = question.epsilon is not None
        st.segmented_control(
            "ε",
            [False, True],
            format_func=lambda hand: "by hand" if hand else "smallest for the goal",
            default=fixed,
            required=True,
            **bound("decide.fixed", fixed, partial(_fix, question)),
        )


def _fix(question: Question, by_hand: bool) -> None:
    edit(epsilon=state.scenario().epsilon if by_hand else None)


def _badge(decision: Decision) -> str:
    found = decision.utility
    if found.method == "exact":
        return exact(found.error)
    return estimated(f"Estimated from {count(found.draws, 'draw')}.", f"{percent(found.low)} to {percent(found.high)}")


def _figures(question: Question, job: Job) -> None:
    decision = _decision(job)
    names = ("ε of one release", "The goal", "All releases", "A guesser is right", "Missing")
    if decision is None:
        cards((card(name, None, "", "") for name in names), "Figures of the decision")
        return
    found, goal = decision.utility, goal_words(question.target, question.k)
    total = decision.total.epsilon
    every = question.releases
    guess = words.at_most_of_100(decision.total_odds.guess)
    shown = [
        card(
            names[0],
            words.number(decision.epsilon),
            f"{'set by hand; ' if question.epsilon is not None else ''}the goal needs {_needed(decision.need.epsilon)}",
            "",
        ),
        card(
            names[1],
            percent(found.chance, found.low, found.high),
            html.escape(goal),
            _badge(decision),
        ),
        card(
            names[2],
            words.number(decision.epsilon) if total is None else words.number(total),
            f"ε of all {every:,}, for one who counts in each" if every > 1 else "ε in all; what else is published adds",
            "",
        ),
        card(
            names[3],
            f'≤ {guess}<span class="dp-of"> of 100</span>',
            f"about one {bidi(question.unit)}, after {'it' if every == 1 else 'all releases'}; a coin about 50",
            "",
        ),
        card(names[4], f"{found.missed:.2g}", f"of the true top {question.k:,}, on average", ""),
    ]
    cards(shown, "Figures of the decision")


def _curves(job: Job, look: charts.Look) -> None:
    """How good against ε."""
    decision = _decision(job)
    if decision is None:
        waiting("How good against ε")
        return
    question = decision.question
    labels = [need.label for need in decision.needs]
    names = [str(i + 1) for i in range(len(labels))]
    taken = [(decision.taken, decision.epsilon, "ε")]
    what = "chance of the goal" if question.target.event != "share" else "expected share"
    chart = goal_curves(decision.needs, names, labels, taken, question.target.probability, what, look=look)
    show(chart, "goal_curves", brief=True)


def _needs(job: Job) -> None:
    """The table of the smallest ε by mechanism."""
    decision = _decision(job)
    heading("What each mechanism needs for the goal")
    if decision is None:
        waiting("The smallest ε by mechanism")
        return
    goal = goal_words(decision.question.target, decision.question.k)
    heads = (
        ("Mechanism", "● is published with"),
        ("Smallest ε", html.escape(goal)),
        ("Of the least", ""),
        ("Turns", "doubling buys most"),
        ("Levels off", "doubling buys &lt; 1 point"),
        ("Law", ""),
    )
    rows = []
    for place in sorted(range(len(decision.needs)), key=lambda i: decision.needs[i].epsilon):
        need = decision.needs[place]
        mark = " ●" if place == decision.taken else ""
        cells = [
            f'<td class="dp-who">{place + 1} {html.escape(need.label)}{mark}</td>',
            f'<td class="dp-cell">{_needed(need.epsilon)}'
            + (f"<small>{html.escape(need.reason)}</small></td>" if need.reason else "</td>"),
            f"<td>{f'× {need.multiple:.2f}' if math.isfinite(need.multiple) else ''}</td>",
            f"<td>{words.number(need.shape.turning)}</td>",
            f"<td>{'' if need.shape.levels_off is None else words.number(need.shape.levels_off)}</td>",
            f"<td>{need.method}</td>",
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    table("Smallest ε by mechanism", [f"<th>{a}<small>{b}</small></th>" for a, b in heads], rows, "dp-needs")
    st.html(
        '<p class="dp-how">The smallest ε is rounded up to three digits, so that it still reaches the goal. It is said '
        "in full where the pointer rests on it, and in the JSON below.</p>"
    )


def _needed(epsilon: float) -> str:
    """HTML of a smallest ε: rounded up, in full where the pointer is."""
    said = words.least(epsilon)
    return f'<span title="{epsilon!r}">{said}</span>' if math.isfinite(epsilon) else said


def _odds(decision: Decision, *, look: charts.Look) -> None:
    """What ε means for a person."""
    unit = decision.question.unit
    heading("What it means for one " + html.escape(unit))
    chart = guessers(decision.question, decision.odds.guess, decision.total_odds.guess, look=look)
    show(chart, "decide_hundred")
    st.html(f'<p class="dp-says">{html.escape(words.belief_sentence(decision))}</p>')
    explain("epsilon", "privacy_loss", "unit")


def _misses(decision: Decision) -> None:
    """A miss in the names of the items."""
    heading("What a miss looks like")
    listed = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in words.miss_sentences(decision))
    st.html(f'<ul class="dp-list">{listed}</ul>')
    hits = decision.utility.hits
    k = len(hits) - 1
    likely = sorted(range(k + 1), key=lambda j: -hits[j])[:3]
    told = [f"{j:,} in {of_releases(hits[j])}" for j in sorted(likely, reverse=True) if hits[j] > _RARE]
    st.html(f'<p class="dp-says">So many of the {k:,} are right: {", ".join(told)}.</p>')


def _totals(decision: Decision) -> None:
    """All releases together, and what a cap on contributions would save."""
    heading("All releases together")
    names = {"basic": "Basic composition", "rho": "By ρ (zCDP)", "bounded range": "Bounded range, if fixed in advance"}
    rows = []
    for way in decision.total.ways:
        delta = "0" if way.name == "basic" else number(decision.total.delta)
        cells = (
            f'<td class="dp-cell">{words.number(way.epsilon)}</td><td>{delta}</td><td></td>'
            if way.epsilon is not None
            else f'<td></td><td></td><td class="dp-why">{html.escape(way.reason)}</td>'
        )
        rows.append(f'<tr><td class="dp-who">{names[way.name]}</td>{cells}</tr>')
    rho = "" if decision.total.rho is None else f" By ρ they come to {number(decision.total.rho)}."
    heads = ("<th>Way to add up</th>", "<th>Total ε</th>", "<th>δ</th>", "<th></th>")
    table("Totals of all releases", heads, rows, "dp-needs")
    st.html(
        f'<p class="dp-how">{html.escape(words.releases(decision))}, for one who counts in each. Each line is a way to '
        f"add them up that is proved: any one of them holds.{rho}</p>"
    )
    caps = words.cap_sentences(decision)
    if caps:
        heading("What a cap would save")
        st.html(f'<ul class="dp-list">{"".join(f"<li>{html.escape(cap)}</li>" for cap in caps)}</ul>')
        st.html(
            '<p class="dp-how">With the same scores. A cap that cuts people down lowers the scores too, '
            "which this does not know.</p>"
        )
    explain("delta", "rho", "contributions")

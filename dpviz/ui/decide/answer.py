"""The last screen: the smallest ε by mechanism, what it means for a person, a miss, totals and caps, A beside B.

Everything is one study, computed beside the page; its words are those of the sheet.
Pins live in the session. They hold figures and names of items, never a score, and so does all that leaves the page,
which is made when it is asked for; no seed is in it either.
"""

from collections.abc import Callable
from datetime import date
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import Scores, markup
from dpviz.charts import at_most
from dpviz.reports.decision import decision_json, decision_sheet, release_code
from dpviz.studies import known
from dpviz.studies.decision import Decision, Question, goal_words
from dpviz.studies.decision.answer import DecideStudy
from dpviz.ui.decide.asked import PAGE, WHERE, edit, go
from dpviz.ui.decide.particulars import ask_particulars, particulars_said
from dpviz.ui.shell import (
    Cell,
    Slot,
    banner,
    bidi,
    bound,
    bullets,
    download,
    explain,
    figures,
    head,
    heading,
    notice,
    paragraph,
    plain,
    show,
    state,
    table,
)
from dpviz.ui.work import Job, beside, filling, part, there, view
from dpviz.views import decide
from dpviz.views.decide import words

_LEAST = "least"
_PINS: Slot[dict[str, Decision]] = Slot("decide.pins", dict)  # by letter
_LETTERS = ("A", "B")
_WAYS = {
    "basic": "Basic composition",
    "pure": "As little as ε allows",
    "rho": "By ρ (zCDP)",
    "bounded range": "Bounded range, if fixed in advance",
}


def answer(question: Question, scores: Scores, look: charts.Look) -> None:
    """The whole screen, which fills as the answer comes."""
    study, job = beside(DecideStudy.of(question, scores, digest=PAGE.read().digest))
    with st.container(key="decide_first"), filling(lambda: [job]):
        part("title", partial(_title, study, job), there(job))
        notice(WHERE)
        left, right = st.columns([1, 2.3], gap="medium")
        with left:
            view("figures", lambda: figures(decide.headlines(study), "Figures of the decision"))
        with right:
            view(
                "curves",
                lambda: show(decide.curves_chart(study, look), "goal_curves", brief=True),
                "How good against ε",
            )
        banner(None)
    view("needs", partial(_needs, study), "The smallest ε by mechanism")
    _by_hand(question)
    sections: dict[str, Callable[[], None]] = {
        "odds": partial(_odds, study, look),
        "misses": partial(_misses, study),
        "totals": partial(_totals, study),
        "beside": lambda: _beside(study.decision, look),
        "take": lambda: _take(study.decision),
    }
    for name, show_section in sections.items():
        view(name, partial(known, show_section))  # below what waits there is nothing to wait for
    st.button("Back", icon=":material/arrow_back:", on_click=go, args=("allowed",), key="decide_back")


def _title(study: DecideStudy, job: Job) -> None:
    question, decision = study.question, known(lambda: study.decision)
    over, what = "Decide · the answer", bidi(question.name) if question.name else f"A list of {question.k:,}"
    if decision is None:
        lead = f"{words.goal(question)}: the ε for it is being computed."
        if job.problem is not None:
            lead = "There is no answer to these questions yet."
        head(over, "The smallest ε for the goal", lead, what)
        return
    if state.scenario().epsilon != decision.epsilon and question.epsilon is None:
        state.settle(epsilon=decision.epsilon)  # the stage shows it, the link has it, other pages begin with it
        st.rerun()
    title = f"ε = {words.number(decision.epsilon)} for the {question.k:,} best of {decision.d:,}"
    unit, data = markup("one {}", bidi(question.unit)), bidi(words.data_name(decision))
    below = markup(" · ").join((what, decision.need.label, unit, words.releases(decision), data))
    head(over, title, words.headline(decision), below)


def _by_hand(question: Question) -> None:
    """The mechanism and the ε, where they are not left to the goal."""
    labels = {_LEAST: "The mechanism with the smallest ε"}
    labels |= {
        str(i): design.label_for(question.k, question.data.contributions) for i, design in enumerate(question.designs)
    }
    taken, fixed = _LEAST if question.taken is None else str(question.taken), question.epsilon is not None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Published with",
            list(labels),
            index=list(labels).index(taken),
            format_func=labels.__getitem__,
            width=330,
            **bound("decide.taken", taken, lambda name: edit(taken=None if name == _LEAST else int(name)), labels),
        )
        st.segmented_control(
            "ε",
            [False, True],
            format_func=lambda hand: "by hand" if hand else "smallest for the goal",
            default=fixed,
            required=True,
            **bound("decide.fixed", fixed, lambda hand: edit(epsilon=state.scenario().epsilon if hand else None)),
        )


def _needs(study: DecideStudy) -> None:
    """The table of the smallest ε by mechanism."""
    heading("What each mechanism needs for the goal")
    decision = study.decision
    heads = (
        ("Mechanism", "● is published with"),
        ("Smallest ε", goal_words(study.question.target, study.question.k)),
        ("Of the least", ""),
        ("Turns", "doubling buys most"),
        ("Levels off", "doubling buys < 1 point"),
        ("Law", ""),
    )
    rows = []
    for place, need, (least, *others) in words.needs(decision):
        name = f"{place} {need.label}{' ●' if need is decision.need else ''}"
        in_full = markup('<span title="{!r}">{}</span>', need.epsilon, least)
        epsilon = markup("{}<small>{}</small>", least, need.reason) if need.reason else in_full
        rows.append([Cell(name, "dp-who"), Cell(epsilon, "dp-cell"), *others])
    table("Smallest ε by mechanism", heads, rows, "dp-needs")
    paragraph(
        "The smallest ε is rounded up to three digits, so that it still reaches the goal. It is said in full where the "
        "pointer rests on it, and in the JSON below."
    )


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
    """All releases together, and what a cap on contributions would save."""
    decision = study.decision
    heading("All releases together")
    rows = [
        (
            Cell(_WAYS[way], "dp-who"),
            Cell(epsilon, "dp-cell" if epsilon else ""),
            delta,
            Cell(reason, "dp-why" if reason else ""),
        )
        for way, epsilon, delta, reason in words.totals(decision)
    ]
    table("Totals of all releases", ("Way to add up", "Total ε", "δ", ""), rows, "dp-needs")
    paragraph(
        f"{words.releases(decision)}, for one who counts in each. Each line is a way to add them up that is proved: "
        f"any one of them holds. By ρ they come to {at_most(decision.total.rho)}."
    )
    if caps := words.cap_sentences(decision):
        heading("What a cap would save")
        bullets(caps)
        paragraph("With the same scores. A cap that cuts people down lowers the scores too, which this does not know.")
    explain("delta", "rho", "contributions")


# ---- two decisions side by side, and what can be taken along ------------------------------------


def _beside(decision: Decision, look: charts.Look) -> None:
    """Pin the decision, and the table of the two that are pinned; with one pin, of it and the one of now.

    What differs is in bold.
    """
    heading("Two scenarios side by side")
    pinned = _PINS.value
    with st.container(horizontal=True, gap="small"):
        for letter in _LETTERS:
            if st.button(f"Pin this as {letter}", key=f"decide_pin_{letter}"):
                pinned[letter] = decision
                st.rerun()  # the sheet has it too
        if pinned and st.button("Take the pins away", type="tertiary", key="decide_unpin"):
            pinned.clear()
            st.rerun()
    if not pinned:
        paragraph(
            "Pin this decision, go back and change what matters, say the goal or the mechanisms: the two then stand "
            "side by side, here and on the sheet."
        )
        return
    both = {letter: pinned[letter] for letter in _LETTERS if letter in pinned}
    if len(both) == 1:
        both["now"] = decision
    rows = []
    for name, figure in words.SIDE_BY_SIDE.items():
        cells: list[str] = [figure(each) for each in both.values()]
        if cells[0] != cells[1]:
            cells = [markup("<strong>{}</strong>", cell) for cell in cells]
        rows.append([Cell(name, heads=True), *cells])
    table("Two scenarios", ["", *both], rows, "dp-beside")
    show(decide.beside_chart(both, look), "beside_curves")


def _take(decision: Decision) -> None:
    """Buttons for all that can be taken along, and the code as it stands on the sheet."""
    heading("Take it along")
    pinned, first, other = _PINS.value, decision, None
    if len(pinned) == 2:
        first, other = pinned["A"], pinned["B"]
        paragraph("The sheet has A and B side by side, and the code of A.")
    ask_particulars()
    first = particulars_said(first)
    today = date.today()  # noqa: DTZ011 - the day of whoever decides, where the app runs
    with st.container(horizontal=True, gap="small"):
        download(
            "Decision sheet",
            lambda: decision_sheet(first, date=today, beside=other),
            "decision-sheet.html",
            "decide_sheet",
            icon=":material/description:",
            type="primary",
            help="One file that prints on two pages, with lines to sign.",
        )
        download(
            "The same as JSON",
            lambda: decision_json(first, date=today, beside=other),
            "decision-sheet.json",
            "decide_json",
            icon=":material/data_object:",
            help="For a registry, an inventory or a script.",
        )
        download(
            "Scenario without scores",
            first.scenario.to_json,
            "dpviz-decision.json",
            "decide_scenario",
            icon=":material/share:",
            help="To circulate: it opens this page with the same answers, and asks for the file where one was used.",
        )
    digest = PAGE.read().digest
    st.toggle(
        "Put a digest of the data on the sheet",
        digest,
        help="It proves on which data this was decided; that of small counts can be guessed.",
        **PAGE.bound("digest", digest),
    )
    code = release_code(first)
    heading(f"The code of the release, with {code.tool}")
    st.code(code.text, language="python", wrap_lines=False, height=320)
    download(
        "release.py",
        lambda: code.text,
        "release.py",
        "decide_code",
        icon=":material/code:",
    )
    st.caption(plain(code.note))

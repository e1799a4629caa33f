"""The questions, one a screen, each with a sensible answer already in and a sentence that says what it means."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz import charts
from dpviz.base import ADDED, REPLACED, Scores, markup
from dpviz.charts import as_typed, count
from dpviz.studies import Design
from dpviz.studies.decision import ALLOWED, DECIDED_ON, UNITS, Question, default_goal, goal_text, goal_words
from dpviz.studies.pages.decide import ANSWER, SCREENS
from dpviz.topk import EVENTS, TOP_K, Goal
from dpviz.ui.decide.answer import answer
from dpviz.ui.decide.asked import WHERE, edit, go, screen
from dpviz.ui.shell import ask_items, bidi, bound, data_panel, explain, head, notice, number_box, paragraph, state

_MENU = (*ALLOWED, Design(mechanism="peeling"), Design(mechanism="peeling", parameters={"noise": "exponential"}))
_SHARES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
_KNOWN = {"unsaid": None, "known": True, "read": False}
_KNOWN_WORDS = {"unsaid": "Not said", "known": "Yes, it was", "read": "No, it comes from the data"}
_KINDS = {"hits": "So many must be right", "event": "A miss that would hurt"}


def show_page(question: Question, scores: Scores | None, look: charts.Look) -> None:
    """The screen that is open."""
    opened = screen()
    if opened != ANSWER:
        _ask(opened, question, scores)
    elif scores is None:
        _without_data()
    else:
        answer(question, scores, look)


def _ask(name: str, question: Question, scores: Scores | None) -> None:
    """The screen of one question, with the ways back and forward."""
    names = list(SCREENS)
    at = names.index(name)
    head(f"Decide · question {at + 1} of {len(names) - 1}", SCREENS[name])
    notice(WHERE)
    _SHOW[name](question, scores)
    with st.container(horizontal=True, gap="small"):
        if at:
            st.button("Back", icon=":material/arrow_back:", on_click=go, args=(names[at - 1],), key="decide_back")
        after = names[at + 1]
        label = "Show the answer" if after == ANSWER else "Next"
        st.button(label, icon=":material/arrow_forward:", type="primary", on_click=go, args=(after,), key="decide_next")
        if after != ANSWER:
            st.button("Straight to the answer", type="tertiary", on_click=go, args=(ANSWER,), key="decide_straight")


def _without_data() -> None:
    """The answer needs scores that a link never holds."""
    head("Decide · the answer", "The data are not here")
    st.info(
        "This link was made with uploaded data, which links never hold. Load the file, or decide on an example.",
        icon=":material/upload_file:",
    )
    st.button("On which data?", on_click=go, args=("data",), type="primary", key="decide_data_first")


def _changed(name: str) -> Callable[[Any], None]:
    return lambda value: edit(**{name: value})


def _text(label: str, name: str, value: str, placeholder: str) -> None:
    st.text_input(
        label, value, max_chars=200, placeholder=placeholder, **bound(f"decide.{name}", value, _changed(name))
    )


def _published(question: Question, scores: Scores | None) -> None:
    _text("What is it called?", "name", question.name, "such as: services most asked for")
    left, middle, right = st.columns(3)
    highest = None if scores is None else max(scores.d - 1, question.k)
    with left:
        number_box(
            "How many items are on the list? (k)", question.k, _changed("k"), "decide.k", called="k", low=1,
            high=highest, why="" if scores is None else f", as there are {scores.d:,} items",
        )  # fmt: skip
    with middle:
        number_box(
            "How often is it published?", question.releases, _changed("releases"), "decide.releases",
            called="The number of releases", low=1, high=100_000,
        )  # fmt: skip
    with right:
        _text("Over what time?", "period", question.period, "such as: a year")
    again = (
        "It is published once. What else is published about the same people adds to its ε."
        if question.releases == 1
        else f"Whoever counts in all {question.releases:,} releases pays for each of them: that is added up at the end."
    )
    paragraph(f"A private list of the {question.k:,} best items, without their scores. {again}", "says")
    explain("release", "item", "score", "rank")


def _protected(question: Question, scores: Scores | None) -> None:
    data = question.data
    left, right = st.columns(2)
    with left:
        units = list(dict.fromkeys([*UNITS, question.unit]))
        st.selectbox(
            "Whose data does ε hide?", units, index=units.index(question.unit), accept_new_options=True,
            help="One of the list, or a word of your own.",
            **bound("decide.unit", question.unit, lambda unit: edit(said={"unit": unit})),
        )  # fmt: skip
        st.radio(
            f"Two data sets are neighbours if they differ by one {question.unit}",
            options=[True, False],
            format_func=lambda added: "added or removed" if added else "replaced by another",
            index=0 if data.monotonic else 1,
            captions=[
                "All scores then move the same way, as counts do: half the noise is enough.",
                "Scores may move both ways at once.",
            ],
            **bound("decide.monotonic", data.monotonic, lambda added: edit(said={"monotonic": added})),
        )
    with right:
        d = question.k + 1 if scores is None else scores.d
        change = data.sensitivity or (1.0 if scores is None else scores.sensitivity)
        ask_items("decide.contributions", data.contributions, d, lambda most: edit(said={"contributions": most}))
        number_box(
            f"How much can one {question.unit} change a score at most? (Δ)", change,
            lambda most: edit(said={"sensitivity": most}), "decide.sensitivity", called="Δ", low=1e-9,
        )  # fmt: skip
        known = next(name for name, said in _KNOWN.items() if said == data.items_known)
        st.radio(
            "Was the list of items known before the data were?",
            options=list(_KNOWN),
            format_func=_KNOWN_WORDS.__getitem__,
            index=list(_KNOWN).index(known),
            horizontal=True,
            help="A list of items that is read off the data can give away who has a rare one.",
            **bound("decide.items_known", known, lambda name: edit(said={"items_known": _KNOWN[name]})),
        )
    relation = (ADDED if data.monotonic else REPLACED).replace("person", question.unit)
    most = "any number of items" if data.contributions is None else f"at most {count(data.contributions, 'item')}"
    paragraph(
        markup(
            "What is published looks almost the same with {}; one {} counts in {}. Keep to it when you count, and "
            "never read it off the data: they are private themselves.",
            bidi(relation),
            bidi(question.unit),
            most,
        ),
        "says",
    )
    explain("unit", "neighbour", "contributions", "sensitivity")


def _good(question: Question, scores: Scores | None) -> None:
    goal, k = question.target, question.k
    kind = "hits" if goal.event == "hits" else "event"
    first = {"hits": default_goal(k), "event": Goal(event="good", probability=goal.probability)}

    def change(new: Goal, **changes: Any) -> None:
        edit(goal=goal_text(replace(new, **changes), k))

    st.segmented_control(
        "How is it said?", list(_KINDS), format_func=_KINDS.__getitem__, default=kind, required=True,
        **bound("decide.kind", kind, lambda wanted: change(first[wanted], probability=goal.probability)),
    )  # fmt: skip
    if goal.at_least is not None:
        number_box(
            f"At least so many of the {k:,} must be right", goal.at_least,
            lambda least: change(goal, at_least=least), "decide.at_least", low=1, high=k, width=340,
            help="Right: its score is at least the k-th largest. Equal scores may stand in for each other.",
        )  # fmt: skip
    else:
        events = [*EVENTS, "share"]
        st.radio(
            "It would hurt unless, in a release,",
            events,
            index=events.index(goal.event),
            format_func=lambda event: goal_words(Goal(event=event, probability=goal.probability), k),
            **bound("decide.event", goal.event, lambda event: change(goal, event=event), events),
        )
    st.select_slider(
        "In what share of releases?" if goal.event != "share" else "What share?",
        options=sorted({*_SHARES, goal.probability}),
        value=goal.probability,
        format_func=as_typed,
        **bound("decide.probability", goal.probability, lambda share: change(goal, probability=share)),
    )
    where = "as a share" if goal.event == "share" else f"in {as_typed(goal.probability)} of releases"
    paragraph(f"Good enough: {goal_words(goal, k)}, {where}. The smallest ε that reaches this is the answer.", "says")
    explain("hits", "top", "optimal", "great", "good")


def _data(question: Question, scores: Scores | None) -> None:
    paragraph(
        "Never decide on the private data themselves: an ε picked by looking at them tells about the people in them. "
        "Take data that look like them and that you may look at.",
        "says",
    )
    left, right = st.columns(2, gap="large")
    with left:
        data_panel.show_section(state.scenario())
    with right:
        st.radio(
            "These data are",
            list(DECIDED_ON),
            index=list(DECIDED_ON).index(str(question.decided_on)),
            format_func=DECIDED_ON.__getitem__,
            **bound("decide.decided_on", question.decided_on, _changed("decided_on")),
        )
        called = question.data.called or ""
        st.text_input(
            "What are they called, on the sheet?", called, max_chars=200, placeholder="such as: calls of last year",
            **bound("decide.called", called, lambda name: edit(said={"called": name})),
        )  # fmt: skip


def _allowed(question: Question, scores: Scores | None) -> None:
    most = None if scores is None else scores.contributions
    menu = [*_MENU, *(design for design in question.designs if design not in _MENU)]
    for number, design in enumerate(menu):
        chosen = design in question.designs
        st.checkbox(
            design.label_for(question.k, most),
            chosen,
            help=TOP_K.says(design.mechanism) or None,
            **bound(f"decide.design.{number}", chosen, partial(_allow, question, menu, design)),
        )
    paragraph(
        f"{count(len(question.designs), 'mechanism')} may be used. The one with the smallest ε for the goal is taken, "
        "unless you choose another with the answer.",
        "says",
    )
    if question.releases > 1:
        number_box(
            "δ that totals of many releases are stated at", question.delta, _changed("delta"), "decide.delta",
            called="δ", low=0.0, high=0.5, format="%.3g", step=1e-7, width=340,
        )  # fmt: skip
    explain("mechanism", "noise")


def _allow(question: Question, menu: list[Design], design: Design, wanted: bool) -> None:
    new = tuple(each for each in menu if (wanted if each == design else each in question.designs))
    edit(designs=new, taken=None)


_SHOW: dict[str, Callable[[Question, Scores | None], None]] = {
    "published": _published,
    "protected": _protected,
    "good": _good,
    "data": _data,
    "allowed": _allowed,
}

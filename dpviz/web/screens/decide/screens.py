"""The questions, one a screen, each with a sensible answer already in and a sentence that says what
it means.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz import charts
from dpviz.base import ADDED, REPLACED, Scores, markup
from dpviz.charts import as_typed, count
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import ANSWER, QUESTIONS, SCREENS
from dpviz.studies import Design
from dpviz.studies.decision import UNITS, Question, default_goal, goal_text, goal_words, menu_for
from dpviz.studies.decision.design_menus import suited
from dpviz.topk import EVENTS, TOP_K, Goal
from dpviz.web.screens.decide import data_screen
from dpviz.web.screens.decide.answer import answer
from dpviz.web.screens.decide.question import WHERE, changed, edit, go, place, screen, step
from dpviz.web.session import soon, state
from dpviz.web.widgets import (
    Cell,
    ask_items,
    bidi,
    bound,
    explain,
    head,
    notice,
    number_box,
    paragraph,
    plain,
    table,
)

_MORE = (
    Design(mechanism="peeling"),
    Design(mechanism="peeling", parameters={"noise": "exponential"}),
)
_SHARES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
_KNOWN = {"unsaid": None, "known": True, "read": False}
_KNOWN_WORDS = {"unsaid": "Not said", "known": "Yes, it was", "read": "No, it comes from the data"}
_COSTS = {"right": "Right guesses", "epsilon": "ε at δ", "show": "Show me"}
_RIGHT = 60  # of 100, where it is said so first
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
    """The screen of one question, with the ways back and forward; mechanisms lie behind the answer."""
    at = place(name)
    over = (
        f"Decide · question {at + 1} of {len(QUESTIONS)}"
        if name in QUESTIONS
        else "Decide · for those who know them"
    )
    head(over, SCREENS[name])
    notice(WHERE)
    _SHOW[name](question, scores)
    if told := sentences.contradictions(question).get(name):
        st.warning(plain(told), icon=":material/contrast:")
    with st.container(horizontal=True, gap="small"):
        if at:
            st.button(
                "Back", icon=":material/arrow_back:", on_click=step, args=(-1,), key="decide_back"
            )
        last = at >= len(QUESTIONS) - 1
        label = "Show the answer" if last else "Next"
        st.button(
            label,
            icon=":material/arrow_forward:",
            type="primary",
            on_click=step,
            args=(1,),
            key="decide_next",
        )
        if not last:
            st.button(
                "Straight to the answer",
                type="tertiary",
                on_click=go,
                args=(ANSWER,),
                key="decide_straight",
            )


def _without_data() -> None:
    """The answer needs scores: a link never holds them, and an example may have too few items."""
    notice(WHERE)
    if state.scenario().needs_data:
        head("Decide · the answer", "The data are not here")
        told = (
            "This link was made with uploaded data, which links never hold. Load the file, or"
            " decide on an example."
        )
    else:
        head("Decide · the answer", "The example is too small")
        told = (
            "The answer needs more items than the list has places. Load your data, or ask for fewer"
            " items."
        )
    st.info(told, icon=":material/upload_file:")
    st.button(
        "On which data?", on_click=go, args=("data",), type="primary", key="decide_data_first"
    )


def _text(label: str, name: str, value: str, placeholder: str) -> None:
    st.text_input(
        label,
        value,
        max_chars=200,
        placeholder=placeholder,
        **bound(f"decide.{name}", value, changed(name)),
    )


def _published(question: Question, scores: Scores | None) -> None:
    left, right = st.columns(2)
    limited = scores is not None and question.data.names_known and state.chosen()
    highest = max(scores.d - 1, question.k) if scores is not None and limited else None
    with left:
        number_box(
            "How many items are on the list? (k)", question.k, changed("k"), "decide.k", called="k", low=1,
            high=highest, why="" if highest is None or scores is None else f", as there are {scores.d:,} items",
        )  # fmt: skip
    with right:
        number_box(
            "How often is it published?", question.releases, changed("releases"), "decide.releases",
            called="The number of releases", low=1, high=100_000,
        )  # fmt: skip
    with st.expander("What it is called, and over what time it is published", key="decide_called"):
        _text("What is it called?", "name", question.name, "such as: services most asked for")
        _text("Over what time?", "period", question.period, "such as: a year")
    again = (
        "It is published once. What else is published about the same people adds to what it costs"
        " them."
        if question.releases == 1
        else (
            f"Whoever counts in all {question.releases:,} releases pays for each of them: that is"
            " added up at the end."
        )
    )
    paragraph(
        f"A private list of the {question.k:,} best items, without their scores. {again}", "says"
    )
    explain("release", "item", "score", "rank")


def _protected(question: Question, scores: Scores | None) -> None:
    data = question.data
    left, right = st.columns(2)
    with left:
        units = list(dict.fromkeys([*UNITS, question.unit]))
        st.selectbox(
            "Whose data are hidden?", units, index=units.index(question.unit), accept_new_options=True,
            help="One of the list, or a word of your own.",
            **bound("decide.unit", question.unit, lambda unit: edit(said={"unit": unit})),
        )  # fmt: skip
        st.radio(
            f"What must not show: one {question.unit}",
            options=[True, False],
            format_func=lambda added: "added or removed" if added else "replaced by another",
            index=0 if data.monotonic else 1,
            captions=[
                "All scores then move the same way, as counts do: half the noise is enough.",
                "Scores may move both ways at once.",
            ],
            **bound(
                "decide.monotonic", data.monotonic, lambda added: edit(said={"monotonic": added})
            ),
        )
    with right:
        d = question.k + 1 if scores is None else scores.d
        change = data.sensitivity or (1.0 if scores is None else scores.sensitivity)
        ask_items(
            "decide.contributions", data.contributions, d,
            # a log is counted again
            lambda most: soon(partial(edit, said={"contributions": most})),
        )  # fmt: skip
        number_box(
            f"How much can one {question.unit} change a score at most? (Δ)", change,
            lambda most: edit(said={"sensitivity": most}), "decide.sensitivity", called="Δ", low=1e-9,
        )  # fmt: skip
        if question.releases > 1:
            number_box(
                f"In how many of the {question.releases:,} releases can one {question.unit} count?", question.each,
                changed("counts_in"), "decide.counts_in", called="The number of releases",
                low=1, high=question.releases,
            )  # fmt: skip
    relation = (ADDED if data.monotonic else REPLACED).replace("person", question.unit)
    most = (
        "any number of items"
        if data.contributions is None
        else f"at most {count(data.contributions, 'item')}"
    )
    paragraph(
        markup(
            "The plan limits by how much the chance of a list changes with {}. One {} counts in {}."
            " Keep to it when you count, and never read it off the data: they are private"
            " themselves.",
            bidi(relation),
            bidi(question.unit),
            most,
        ),
        "says",
    )
    explain("unit", "neighbour", "contributions", "sensitivity")


def _cost(question: Question, scores: Scores | None) -> None:
    kind = (
        "right"
        if question.most_right is not None
        else "epsilon"
        if question.most_epsilon is not None
        else "show"
    )
    first: dict[str, dict[str, Any]] = {
        "right": {"most_right": _RIGHT, "most_epsilon": None},
        "epsilon": {"most_right": None, "most_epsilon": 1.0},
        "show": {"most_right": None, "most_epsilon": None},
    }
    st.segmented_control(
        "How is it said?", list(_COSTS), format_func=_COSTS.__getitem__, default=kind, required=True,
        **bound("decide.cost_kind", kind, lambda wanted: edit(**first[wanted])),
    )  # fmt: skip
    if question.most_right is not None:
        rights = sorted({51, 52, 55, 60, 65, 70, 75, 80, 90, 95, 99, question.most_right})
        st.select_slider(
            "After all of it, a guesser who knows everything else may be right in at most so many"
            " of 100",
            options=rights,
            value=question.most_right,
            **bound("decide.most_right", question.most_right, changed("most_right")),
        )
        paragraph(
            f"Who tosses a coin to say whether one {question.unit} is in the data is right about 50"
            f" of 100 times. After all that is published it may be at most {question.most_right},"
            " whatever else the guesser knows.",
            "says",
        )
    elif question.most_epsilon is not None:
        number_box("ε of all releases together", question.most_epsilon, changed("most_epsilon"), "decide.most_epsilon",
                   called="ε", low=0.0, above=True, width=340)  # fmt: skip
    else:
        paragraph(
            "The answer shows what it costs, in odds, and says where it hardly protects anybody.",
            "says",
        )
    if kind == "epsilon":
        number_box(
            "at δ, of all releases together", question.delta, changed("delta"), "decide.delta",
            called="δ", low=0.0, high=0.5, step=1e-7, width=340,
        )  # fmt: skip
        explain("epsilon", "delta")
    if any(design.build(1.0, question.k).delta_beside_rho for design in question.designs):
        paragraph(sentences.delta_of_one(question), "note")


def _names(question: Question, scores: Scores | None) -> None:
    known = next(name for name, said in _KNOWN.items() if said == question.data.items_known)
    st.radio(
        "Was the list of items known before the data were?",
        options=list(_KNOWN),
        format_func=_KNOWN_WORDS.__getitem__,
        index=list(_KNOWN).index(known),
        **bound("decide.items_known", known, lambda name: edit(said={"items_known": _KNOWN[name]})),
    )
    paragraph(
        "A name that only one person has gives her away by being there at all, whatever ε is. A"
        " list that was fixed beforehand, with zeros in it, gives nobody away. Where there is none,"
        " mechanisms that hide such names are searched: they cost more, and the list may be"
        " shorter.",
        "says",
    )
    if question.menu:
        said = question.data.contributions is not None
        few = (
            sentences.contributions_of(question)
            if said
            else "few items, and it is said in how many"
        )
        heads = (
            "",
            *(f"One {question.unit} counts in {most}" for most in (few, "any number of items")),
        )
        rows = [
            (Cell(names, heads=True), *map(_case, of)) for names, *of in sentences.cases(question)
        ]
        table("Which mechanisms are searched", heads, rows, "dp-cases")
        paragraph(sentences.searched(question), "note")


def _case(case: sentences.SearchedCase) -> Cell:
    """What is searched in one of the four cases; the one that was asked about says so."""
    if not case.now:
        return Cell(case.mechanisms)
    return Cell(markup("<strong>Your case</strong><br>{}", case.mechanisms), "dp-case-now")


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
            format_func=lambda event: goal_words(
                Goal(event=event, probability=goal.probability), k
            ),
            **bound("decide.event", goal.event, lambda event: change(goal, event=event), events),
        )
    st.select_slider(
        "In what share of releases?" if goal.event != "share" else "What share?",
        options=sorted({*_SHARES, goal.probability}),
        value=goal.probability,
        format_func=as_typed,
        **bound(
            "decide.probability", goal.probability, lambda share: change(goal, probability=share)
        ),
    )
    where = (
        "as a share" if goal.event == "share" else f"in {as_typed(goal.probability)} of releases"
    )
    paragraph(
        f"Good enough: {goal_words(goal, k)}, {where}. The plan with {sentences.least_of(question)}"
        " that reaches it is taken.",
        "says",
    )
    explain("hits", "top", "optimal", "great", "good")


def _allowed(question: Question, scores: Scores | None) -> None:
    more = _MORE if question.data.names_known else ()
    offered = suited(
        (*menu_for(question.data, question.k), *more),
        question.k,
        question.delta,
        question.delta_of_one,
    )
    menu = [*offered, *(design for design in question.designs if design not in offered)]
    for number, design in enumerate(menu):
        chosen = design in question.designs
        st.checkbox(
            question.label(design),
            chosen,
            help=TOP_K.says(design.mechanism) or None,
            **bound(f"decide.design.{number}", chosen, partial(_allow, question, menu, design)),
        )
    paragraph(
        f"{count(len(question.designs), 'mechanism')} may be used. The one with"
        f" {sentences.least_of(question)} for the goal is taken, unless you choose another with the"
        " answer.",
        "says",
    )
    explain("mechanism", "noise")


def _allow(question: Question, menu: list[Design], design: Design, wanted: bool) -> None:
    new = tuple(each for each in menu if (wanted if each == design else each in question.designs))
    edit(designs=new, taken=None, picked=True)


_SHOW: dict[str, Callable[[Question, Scores | None], None]] = {
    "published": _published,
    "protected": _protected,
    "cost": _cost,
    "good": _good,
    "data": data_screen.show,
    "names": _names,
    "allowed": _allowed,
}

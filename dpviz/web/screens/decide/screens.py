"""The questions of Decide, one a screen, each with a sensible answer and what it means."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Scores
from dpviz.charts import Look, count_text, input_percent_text
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import ANSWER, QUESTIONS, SCREENS
from dpviz.studies import Design
from dpviz.studies.decision import (
    Question,
    default_goal,
    describe_goal,
    design_menu,
    goal_text,
)
from dpviz.studies.decision.design_menus import adapt_designs
from dpviz.topk import EVENTS, TOP_K, Goal
from dpviz.web.screens.decide import data_screen
from dpviz.web.screens.decide.answer import show_answer
from dpviz.web.screens.decide.question import (
    WHERE,
    answer_setter,
    current_screen,
    edit_answers,
    go_to_screen,
    move_by_screens,
    screen_index,
)
from dpviz.web.session import state
from dpviz.web.widgets import (
    bind_control,
    escape_markdown,
    number_box,
    paragraph,
    show_glossary,
    show_notice,
    show_page_head,
)

_MORE = (
    Design(mechanism="peeling"),
    Design(mechanism="peeling", parameters={"noise": "exponential"}),
)
_COSTS = {"right": "Right guesses", "epsilon": "ε at δ", "show": "Show me"}
_KINDS = {"hits": "So many must be right", "event": "A miss that would hurt"}


def show_page(question: Question, scores: Scores | None, look: Look) -> None:
    opened = current_screen()
    if opened != ANSWER:
        _ask(opened, question, scores)
    elif scores is None:
        _without_data()
    else:
        show_answer(question, scores, look)


def _ask(name: str, question: Question, scores: Scores | None) -> None:
    at = screen_index(name)
    show_page_head(
        f"Decide · question {at + 1} of {len(QUESTIONS)}"
        if name in QUESTIONS
        else "Decide · for those who know them",
        SCREENS[name],
    )
    show_notice(WHERE)
    _SHOW[name](question, scores)
    if told := sentences.contradictions(question).get(name):
        st.warning(escape_markdown(told), icon=":material/contrast:")
    with st.container(horizontal=True, gap="small"):
        if at:
            st.button(
                "Back",
                icon=":material/arrow_back:",
                on_click=move_by_screens,
                args=(-1,),
                key="decide_back",
            )
        last = at >= len(QUESTIONS) - 1
        st.button(
            "Show the answer" if last else "Next",
            icon=":material/arrow_forward:",
            type="primary",
            on_click=move_by_screens,
            args=(1,),
            key="decide_next",
        )
        if not last:
            st.button(
                "Straight to the answer",
                type="tertiary",
                on_click=go_to_screen,
                args=(ANSWER,),
                key="decide_straight",
            )


def _without_data() -> None:
    show_notice(WHERE)
    if state.scenario().needs_data:
        show_page_head("Decide · the answer", "The data are not here")
        told = (
            "This link was made with uploaded data, which links never hold. Load the file, or"
            " decide on an example."
        )
    else:
        show_page_head("Decide · the answer", "The example is too small")
        told = (
            "The answer needs more items than the list has places. Load your data, or ask for fewer"
            " items."
        )
    st.info(told, icon=":material/upload_file:")
    st.button(
        "On which data?",
        on_click=go_to_screen,
        args=("data",),
        type="primary",
        key="decide_data_first",
    )


def _text(label: str, name: str, value: str, placeholder: str) -> None:
    st.text_input(
        label,
        value,
        max_chars=200,
        placeholder=placeholder,
        **bind_control(f"decide.{name}", value, answer_setter(name)),
    )


def _published(question: Question, scores: Scores | None) -> None:
    left, right = st.columns(2)
    limited = scores is not None and question.data.names_known and state.is_data_chosen()
    highest = max(scores.d - 1, question.k) if scores is not None and limited else None
    with left:
        number_box(
            "How many items are on the list? (k)",
            question.k,
            answer_setter("k"),
            "decide.k",
            called="k",
            low=1,
            high=highest,
            why="" if highest is None or scores is None else f", as there are {scores.d:,} items",
        )
    with right:
        number_box(
            "How often is it published?",
            question.releases,
            answer_setter("releases"),
            "decide.releases",
            called="The number of releases",
            low=1,
            high=100_000,
        )
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
    show_glossary("release", "item", "score", "rank")


def _cost(question: Question, scores: Scores | None) -> None:
    kind = (
        "right"
        if question.most_right is not None
        else "epsilon"
        if question.most_epsilon is not None
        else "show"
    )
    first: dict[str, dict[str, Any]] = {
        "right": {"most_right": 60, "most_epsilon": None},
        "epsilon": {"most_right": None, "most_epsilon": 1.0},
        "show": {"most_right": None, "most_epsilon": None},
    }
    st.segmented_control(
        "How is it said?",
        list(_COSTS),
        format_func=_COSTS.__getitem__,
        default=kind,
        required=True,
        **bind_control("decide.cost_kind", kind, lambda wanted: edit_answers(**first[wanted])),
    )
    if question.most_right is not None:
        st.select_slider(
            "After all of it, a guesser who knows everything else may be right in at most so many"
            " of 100",
            options=sorted({51, 52, 55, 60, 65, 70, 75, 80, 90, 95, 99, question.most_right}),
            value=question.most_right,
            **bind_control("decide.most_right", question.most_right, answer_setter("most_right")),
        )
        paragraph(
            f"Who tosses a coin to say whether one {question.unit} is in the data is right about 50"
            f" of 100 times. After all that is published it may be at most {question.most_right},"
            " whatever else the guesser knows.",
            "says",
        )
    elif question.most_epsilon is not None:
        number_box(
            "ε of all releases together",
            question.most_epsilon,
            answer_setter("most_epsilon"),
            "decide.most_epsilon",
            called="ε",
            low=0.0,
            above=True,
            width=340,
        )
    else:
        paragraph(
            "The answer shows what it costs, in odds, and says where it hardly protects anybody.",
            "says",
        )
    if kind == "epsilon":
        number_box(
            "at δ, of all releases together",
            question.delta,
            answer_setter("delta"),
            "decide.delta",
            called="δ",
            low=0.0,
            high=0.5,
            step=1e-7,
            width=340,
        )
        show_glossary("epsilon", "delta")
    if any(design.build(1.0, question.k).zcdp_delta for design in question.designs):
        paragraph(sentences.release_delta_sentence(question), "note")


def _good(question: Question, scores: Scores | None) -> None:
    goal, k = question.parsed_goal, question.k
    kind = "hits" if goal.event == "hits" else "event"
    first = {"hits": default_goal(k), "event": Goal(event="good", probability=goal.probability)}

    def change(new: Goal, **changes: Any) -> None:
        edit_answers(goal=goal_text(replace(new, **changes), k))

    st.segmented_control(
        "How is it said?",
        list(_KINDS),
        format_func=_KINDS.__getitem__,
        default=kind,
        required=True,
        **bind_control(
            "decide.kind", kind, lambda wanted: change(first[wanted], probability=goal.probability)
        ),
    )
    if goal.at_least is not None:
        number_box(
            f"At least so many of the {k:,} must be right",
            goal.at_least,
            lambda least: change(goal, at_least=least),
            "decide.at_least",
            low=1,
            high=k,
            width=340,
            help="Right: its score is at least the k-th largest. Equal scores may stand in for each other.",
        )
    else:
        events = [*EVENTS, "share"]
        st.radio(
            "It would hurt unless, in a release,",
            events,
            index=events.index(goal.event),
            format_func=lambda event: describe_goal(
                Goal(event=event, probability=goal.probability), k
            ),
            **bind_control(
                "decide.event", goal.event, lambda event: change(goal, event=event), events
            ),
        )
    st.select_slider(
        "In what share of releases?" if goal.event != "share" else "What share?",
        options=sorted({0.5, 0.8, 0.9, 0.95, 0.99, 0.999, goal.probability}),
        value=goal.probability,
        format_func=input_percent_text,
        **bind_control(
            "decide.probability", goal.probability, lambda share: change(goal, probability=share)
        ),
    )
    where = (
        "as a share"
        if goal.event == "share"
        else f"in {input_percent_text(goal.probability)} of releases"
    )
    paragraph(
        f"Good enough: {describe_goal(goal, k)}, {where}. The plan with"
        f" {sentences.minimised_quantity(question)}"
        " that reaches it is taken.",
        "says",
    )
    show_glossary("hits", "top", "optimal", "great", "good")


def _allowed(question: Question, scores: Scores | None) -> None:
    offered = adapt_designs(
        (*design_menu(question.data, question.k), *(_MORE if question.data.names_known else ())),
        question.k,
        question.delta,
        question.release_delta,
    )
    menu = [*offered, *(design for design in question.designs if design not in offered)]
    for number, design in enumerate(menu):
        chosen = design in question.designs
        st.checkbox(
            question.label(design),
            chosen,
            help=TOP_K.says(design.mechanism) or None,
            **bind_control(
                f"decide.design.{number}", chosen, partial(_allow, question, menu, design)
            ),
        )
    paragraph(
        f"{count_text(len(question.designs), 'mechanism')} may be used. The one with"
        f" {sentences.minimised_quantity(question)} for the goal is taken, unless you choose"
        " another with the"
        " answer.",
        "says",
    )
    show_glossary("mechanism", "noise")


def _allow(question: Question, menu: list[Design], design: Design, wanted: bool) -> None:
    edit_answers(
        designs=tuple(
            each for each in menu if (wanted if each == design else each in question.designs)
        ),
        taken=None,
        picked=True,
    )


_SHOW: dict[str, Callable[[Question, Scores | None], None]] = {
    "published": _published,
    "protected": data_screen.show_people_screen,
    "cost": _cost,
    "good": _good,
    "data": data_screen.show_data_screen,
    "names": data_screen.show_names_screen,
    "allowed": _allowed,
}

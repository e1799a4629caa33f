"""The questions of Decide, one a screen, each with a sensible answer and its meaning."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Scores
from dpviz.charts import Look, count_text, stated_percent_text, upper_bound_text
from dpviz.pages.decide.sentences import basis, phrases, price
from dpviz.pages.decide.settings import ANSWER, QUESTIONS, SCREENS
from dpviz.studies import Design
from dpviz.studies.decision import (
    Question,
    default_goal,
    describe_goal,
    describe_goal_and_probability,
    design_menu,
    goal_text,
)
from dpviz.studies.decision.design_menus import adapt_designs_to_release
from dpviz.studies.stated_rule import design_with_stated_noise, stated_rule_sentences
from dpviz.topk import EVENTS, TOP_K, Goal
from dpviz.web import widgets as ui
from dpviz.web.screens.decide import data_screen
from dpviz.web.screens.decide.answer import show_answer
from dpviz.web.screens.decide.question import (
    WHERE,
    current_screen,
    edit_answers,
    go_to_screen,
    move_by_screens,
    screen_index,
    show_previous_question_button,
)
from dpviz.web.session import state
from dpviz.web.widgets import person_questions
from dpviz.web.widgets.design_controls import show_parameter_controls

_MORE = (
    Design(mechanism="peeling"),
    Design(mechanism="peeling", parameters={"noise": "exponential"}),
)
_COSTS = {"right": "Right guesses", "epsilon": "Total ε", "show": "No limit yet"}
_KINDS = {"hits": "A number of right items", "event": "An error to avoid"}


def show_page(question: Question, scores: Scores | None, look: Look) -> None:
    opened = current_screen()
    if opened != ANSWER:
        _ask(opened, question, scores)
    elif scores is None:
        _without_data()
    else:
        person_questions.ask_if_people_counts()
        show_answer(question, scores, look)


def _ask(name: str, question: Question, scores: Scores | None) -> None:
    at = screen_index(name)
    ui.show_page_head(
        f"Decide · question {at + 1} of {len(QUESTIONS)}"
        if name in QUESTIONS
        else "Decide · advanced",
        SCREENS[name],
    )
    ui.show_notice(WHERE)
    _SHOW[name](question, scores)
    if told := basis.answer_warnings_by_topic(question).get(name):
        st.warning(ui.escape_markdown(told), icon=":material/contrast:")
    with st.container(horizontal=True, gap="small"):
        if at:
            show_previous_question_button()
        last = at >= len(QUESTIONS) - 1
        ui.button(
            "Show the answer" if last else "Next",
            "decide_next",
            move_by_screens,
            1,
            icon="arrow_forward",
            type="primary",
        )
        if not last:
            ui.button(
                "Straight to the answer", "decide_straight", go_to_screen, ANSWER, type="tertiary"
            )


def _without_data() -> None:
    ui.show_notice(WHERE)
    if state.scenario().needs_data:
        ui.show_page_head("Decide · the answer", "The data are not here")
        told = "A link never holds the data. Please load the file again, or choose an example."
    else:
        ui.show_page_head("Decide · the answer", "The example is too small")
        told = "The list is as long as the example. Please load your data, or ask for fewer items."
    st.info(told, icon=":material/upload_file:")
    ui.button("Choose the data", "decide_data_first", go_to_screen, "data", type="primary")


def _text(label: str, name: str, value: str, placeholder: str) -> None:
    st.text_input(
        label,
        value,
        max_chars=200,
        placeholder=placeholder,
        **ui.bind_control(f"decide.{name}", value, ui.edit_for_keyword(edit_answers, name)),
    )


def _published(question: Question, scores: Scores | None) -> None:
    left, right = st.columns(2)
    limited = scores is not None and state.is_data_chosen()
    highest = max(scores.d - 1, question.k) if scores is not None and limited else None
    with left:
        ui.number_box(
            "How many items are on the list? (k)",
            question.k,
            ui.edit_for_keyword(edit_answers, "k"),
            "decide.k",
            parameter_name="k",
            low=1,
            high=highest,
            why="" if highest is None or scores is None else f", as there are {scores.d:,} items",
        )
    with right:
        ui.number_box(
            "How many times is it published?",
            question.releases,
            ui.edit_for_keyword(edit_answers, "releases"),
            "decide.releases",
            parameter_name="The number of releases",
            low=1,
            high=100_000,
        )
    with st.expander("Name, period and other lists", key="decide_called"):
        _text("What is the list called?", "name", question.name, "such as: most borrowed books")
        _text("Over which period?", "period", question.period, "such as: a year")
        _text(
            "Other lists about the same people",
            "also",
            question.also,
            "such as: 1 at 0.5, which is one list with ε = 0.5",
        )
    again = (
        "Other publications about the same people add to the risk."
        if question.releases == 1 and not question.also
        else f"The answer adds up the risk of {phrases.covered_lists_phrase(question)}."
    )
    ui.show_paragraph(
        f"Each list names the top {question.k:,} items, without their scores. {again}", "says"
    )
    ui.show_glossary("release", "item", "score", "rank")


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
    ui.choice_buttons(
        "State the limit as",
        _COSTS,
        kind,
        lambda wanted: edit_answers(**first[wanted]),
        "decide.cost_kind",
    )
    if question.most_right is not None:
        st.select_slider(
            "After all lists, how often may an attacker guess right, out of 100?",
            options=sorted({51, 52, 55, 60, 65, 70, 75, 80, 90, 95, 99, question.most_right}),
            value=question.most_right,
            **ui.bind_control(
                "decide.most_right",
                question.most_right,
                ui.edit_for_keyword(edit_answers, "most_right"),
            ),
        )
        ui.show_paragraph(
            f"The attacker guesses if one {question.unit} is in the data, and knows all the rest."
            " Pure guessing is right 50 times in 100.",
            "says",
        )
    elif question.most_epsilon is not None:
        ui.number_box(
            "ε of all lists together",
            question.most_epsilon,
            ui.edit_for_keyword(edit_answers, "most_epsilon"),
            "decide.most_epsilon",
            parameter_name="ε",
            low=0.0,
            above=True,
            width=340,
        )
    else:
        ui.show_paragraph(
            f"An attacker guesses if one {question.unit} is in the data. Pure guessing is right 50"
            " times in 100. The answer says how often the attacker is right after all lists. Set a"
            " limit here if your rules have one.",
            "says",
        )
    if kind == "epsilon":
        ui.number_box(
            "at δ, of all lists together",
            question.delta,
            ui.edit_for_keyword(edit_answers, "delta"),
            "decide.delta",
            parameter_name="δ",
            low=0.0,
            high=0.5,
            step=1e-7,
            width=340,
        )
        designs = (design.build(1.0, question.k) for design in question.designs)
        if any(map(basis.splits_delta_by_release, designs)):
            ui.show_paragraph(basis.release_delta_sentence(question), "note")
        ui.show_glossary("epsilon", "delta")


def _good(question: Question, scores: Scores | None) -> None:
    goal, k = question.parsed_goal, question.k
    kind = "hits" if goal.event == "hits" else "event"
    first = {"hits": default_goal(k), "event": Goal(event="good", probability=goal.probability)}

    def change(new: Goal, **changes: Any) -> None:
        edit_answers(goal=goal_text(replace(new, **changes), k))

    ui.choice_buttons(
        "State the goal as",
        _KINDS,
        kind,
        lambda wanted: change(first[wanted], probability=goal.probability),
        "decide.kind",
    )
    if goal.at_least is not None:
        ui.number_box(
            f"At least how many of the {k:,} must be right?",
            goal.at_least,
            ui.edit_for_keyword(change, "at_least", new=goal),
            "decide.at_least",
            low=1,
            high=k,
            width=340,
            help="An item is right if its score is at least the k-th largest.",
        )
    else:
        goals = [Goal(event=event, probability=goal.probability) for event in (*EVENTS, "share")]
        names = {each.event: describe_goal(each, k) for each in goals}
        ui.radio(
            "In each list it matters that",
            names,
            goal.event,
            ui.edit_for_keyword(change, "event", new=goal),
            "decide.event",
        )
    st.select_slider(
        "In what share of lists?" if goal.event != "share" else "What share?",
        options=sorted({0.5, 0.8, 0.9, 0.95, 0.99, 0.999, goal.probability}),
        value=goal.probability,
        format_func=stated_percent_text,
        **ui.bind_control(
            "decide.probability",
            goal.probability,
            ui.edit_for_keyword(change, "probability", new=goal),
        ),
    )
    ui.show_paragraph(
        f"Good enough: {describe_goal_and_probability(goal, k)}. Of the plans that reach this, the one with"
        f" {price.minimised_quantity(question)} is used.",
        "says",
    )
    ui.show_glossary("hits", "top", "optimal", "great", "good")


def _allowed(question: Question, scores: Scores | None) -> None:
    offered = adapt_designs_to_release(
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
            **ui.bind_control(
                f"decide.design.{number}", chosen, partial(_allow, question, menu, design)
            ),
        )
    ui.show_paragraph(
        f"{count_text(len(question.designs), 'mechanism')} may be used. The one that reaches the"
        f" goal with {price.minimised_quantity(question)} is used, unless you choose another.",
        "says",
    )
    ui.show_glossary("mechanism", "noise")
    show_stated_noise_controls(question, scores)


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


_FIRST = Design(mechanism="threshold_counts", parameters={"noise": "gaussian"})


def show_stated_noise_controls(question: Question, scores: Scores | None) -> None:
    """Controls of the stated rule, and what it promises; a button where none is stated."""
    ui.heading("A rule with stated noise")
    if not question.states_noise:
        if scores is not None:
            ui.button(
                "We publish what passes a threshold",
                "decide_rule",
                lambda: _take(design_with_stated_noise(_FIRST, 1.0, question.k, scores)),
            )
        ui.show_paragraph("You state the noise and the threshold. The answer says what they cost.")
        return
    design = question.designs[0]

    def edit(name: str, value: object) -> None:
        _take(replace(design, parameters={**design.parameters, name: value}))

    show_parameter_controls(
        TOP_K[design.mechanism],
        design.parameters,
        edit,
        "decide.rule",
        hidden_names=("noise", "delta"),
    )
    rule = stated_rule_sentences(design.build(1.0, question.k), upper_bound_text)
    ui.show_paragraph(" ".join(rule), "says")


def _take(design: Design) -> None:
    edit_answers(designs=(design,), taken=None, picked=True)

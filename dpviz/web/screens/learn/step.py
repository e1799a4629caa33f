"""The pieces of a lesson's step, for one reader, a class on a projector, and its students."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from dpviz import charts
from dpviz.base import Ints, Markup, join_markup, markup
from dpviz.export.lessons import demonstration as drawn_at_work
from dpviz.export.lessons.prose import markdown_with_powers
from dpviz.pages.common import PagePreview, lesson_figures
from dpviz.teaching.lesson import (
    LETTERS,
    Demonstration,
    Experiment,
    Formula,
    Lesson,
    MultipleChoice,
    PageLink,
)
from dpviz.web import widgets as ui
from dpviz.web.screens.learn.position import go_to_place
from dpviz.web.server.static_files import read_asset


def show_question(
    question: MultipleChoice,
    predicted: int | None,
    key: str,
    on_change: Callable[[], None] | None = None,
) -> int | None:
    return st.radio(
        markdown_with_powers(question.text),
        options=range(len(question.choices)),
        format_func=lettered_choices(question.choices).__getitem__,
        index=predicted,
        key=key,
        on_change=on_change,
    )


def abilities_html(says: str, taught: Lesson) -> Markup:
    return markup(
        '<div class="dp-able"><p>{}</p><ul>{}</ul></div>',
        says,
        join_markup(markup("<li>{}</li>", one) for one in taught.able),
    )


def lettered_choices(choices: Iterable[str]) -> tuple[str, ...]:
    """Choices in markdown, each with its letter, and powers of e as formulas."""
    return tuple(
        f"**{letter}.** {markdown_with_powers(choice)}"
        for letter, choice in zip(LETTERS, choices, strict=False)
    )


def markdown_list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def show_lesson_text(text: str) -> None:
    st.markdown(markdown_with_powers(text))


def lettered_reasons(question: MultipleChoice) -> list[str]:
    """Each choice with the reason why it is right or wrong, as lines of markdown."""
    reasons, right = (
        zip(question.choices, question.choice_reasons(), strict=True),
        question.answer,
    )
    lines = lettered_choices(f"{choice}. {why}" for choice, why in reasons)
    return [("✓ " if n == right else "") + line for n, line in enumerate(lines)]


def show_folded_answer(question: MultipleChoice) -> None:
    show_lesson_text(f"**A question.** {question.text}")
    st.markdown(markdown_list(lettered_choices(question.choices)))
    box = st.expander(
        "Show the answer", icon=":material/lightbulb:", on_change="rerun", key="learn_answer"
    )
    if box.open:
        with box:
            with st.spinner("Computing…"):
                reasons, right = lettered_reasons(question), question.answer
            st.markdown(reasons.pop(right))
            st.markdown(f"Why not the others?\n\n{markdown_list(reasons)}")


def prediction_verdict(question: MultipleChoice | None, predicted: int | None) -> str:
    """Sentence on a prediction, right or wrong; "" without one."""
    if question is None or predicted is None:
        return ""
    right = question.answer
    chose = f"You chose {LETTERS[predicted]} ({question.choices[predicted]})."
    if predicted == right:
        return f"{chose} That is right."
    return (
        f"{chose} {question.mistakes[predicted]}"  # which speaks of what was chosen
        f" The right answer is {LETTERS[right]} ({question.choices[right]})."
    )


def show_mechanism_stepper(of: Demonstration, seed: int, key: str) -> None:
    ui.add_style_rules(drawn_at_work.demonstration_stylesheet())
    ui.html(drawn_at_work.render_stepper(of, seed, key))


def show_formula(of: Formula) -> None:
    """A formula, set by Streamlit, which does not let MathML through."""
    st.latex(of.latex.replace("\\ ", r"\ \allowbreak "))


def show_outcome_chart(
    of: Experiment,
    setting: float,
    counts: Ints,
    look: charts.Look,
    key: str,
    *,
    law_shown: bool = True,
    mark: int | None = None,
    told_apart: bool = False,
) -> None:
    """Counts of each outcome beside the exact law; `told_apart` leaves out the sentence."""
    chart = lesson_figures.experiment_chart(
        of, setting, counts, look, law_shown=law_shown, mark=mark
    )
    ui.show_chart_with_table(
        replace(chart, says_now="") if told_apart else chart,
        key,
        brief=True,
        at=None if of.control is None or told_apart else of.control.value_label(setting),
    )


def show_experiment_control(
    of: Experiment,
    setting: float,
    key: str,
    moved: Callable[[float], None],
    about: object,
    step: Callable[[float, charts.Look], PagePreview],
    *,
    but: bool = False,
) -> None:
    """The control of an experiment; `step` previews the picture at each setting.

    `about` identifies these previews; `but` leaves out the current setting, where drawing goes on.
    """
    if of.control is None:
        return
    values, shown = of.control.values, of.control.value_label
    stops = [*map(float, range(1, len(values) + 1))]  # with as much way between them

    def at(stop: float) -> float:
        return values[round(stop) - 1]

    def called(stop: float) -> str:
        return shown(at(stop))

    now, mark = values.index(setting) + 1.0, ui.hash_preview_key(about)
    ui.slider(
        key,
        of.control.label,
        stops,
        now,
        lambda stop: moved(at(stop)),
        shown=called,
        ends=(shown(values[0]), shown(values[-1])),
        mark=mark,
        alone=True,
    )
    ui.enable_slider_preview(
        ui.PreviewedSlider(
            slider=key,
            mark=mark,
            values=[stop for stop in stops if not but or stop != now],
            value=now,
            step=lambda stop, asked: step(at(stop), asked.look),
            shown=called,
        )
    )


def show_page_link(to: PageLink) -> None:
    page, query = to.page_and_query()
    st.link_button(to.says, f"{page}?{urlencode(query)}", icon=":material/open_in_new:")


def show_back_button(says: str, move: Callable[[int], None], *, disabled: bool) -> None:
    st.button(
        says,
        icon=":material/chevron_left:",
        key="learn_back",
        on_click=move,
        args=(-1,),
        disabled=disabled,
        help="Key ←",
    )


def show_next_button(
    says: str, act: Callable[..., None], *given: object, disabled: bool = False, help: str = "Key →"
) -> None:
    """Button that leads on, which keys press too."""
    st.button(
        says,
        icon=":material/chevron_right:",
        icon_position="right",
        key="learn_next",
        type="primary",
        on_click=act,
        args=given,
        disabled=disabled,
        help=help,
    )


def bind_arrow_keys(at: str) -> None:
    """Have ← and →, and a presenter's keys, press these buttons; a new step begins at the top."""
    with st.container(key="learn_keys"):
        ui.component(
            "dpviz_learn",
            read_asset("lesson_arrow_keys.js"),
            data={"at": at},
            key="learn_keys_script",
        )


def show_list_button() -> None:
    st.button(
        "All lessons",
        icon=":material/arrow_back:",
        type="tertiary",
        key="learn_list",
        on_click=go_to_place,
        args=(None,),
    )

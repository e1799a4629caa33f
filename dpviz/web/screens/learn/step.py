"""A place in the lessons, kept in the link only, and the pieces of a step for reader and class."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz import charts
from dpviz.base import Ints, Markup, join_markup, markup
from dpviz.export.lessons import demonstration as drawn_at_work
from dpviz.export.lessons.prose import markdown_with_powers
from dpviz.pages.common import PagePreview, lesson_figures
from dpviz.studies import LARGEST_SEED
from dpviz.teaching.lesson import (
    FULL,
    LETTERS,
    RELEASES,
    Demonstration,
    Experiment,
    Formula,
    Lesson,
    MultipleChoice,
)
from dpviz.teaching.lessons import LESSONS, StepReference
from dpviz.web import widgets as ui
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import state

SIZES = (1, 10, 100, RELEASES)


@dataclass(frozen=True)
class LessonPlace(StepReference):
    """A step of a lesson, with its seed, releases, setting, expected chance (`mark`), and `law`."""

    seed: int = 1
    setting: float | None = None
    releases: int = 0
    mark: int | None = None
    law: bool = False

    @property
    def law_shown(self) -> bool:
        """True where the exact chances are shown: at once where no mark is asked for."""
        return (
            self.law
            or self.step_content.experiment is None
            or self.step_content.experiment.guess is None
        )

    @property
    def can_draw(self) -> bool:
        """True where releases can be made: after the mark, where one is asked for."""
        return self.law_shown or self.mark is not None or self.releases > 0

    @property
    def current_setting(self) -> float:
        """Setting of its experiment: the control's start, unless one was chosen."""
        return (
            self.setting or 0.0
            if self.setting is not None or self.step_content.experiment is None
            else self.step_content.experiment.start
        )

    def to_query(self) -> dict[str, str]:
        """Query parameters of a link, where steps count from 1."""
        query = {
            "lesson": self.lesson,
            "step": str(self.step + 1),
            "seed": str(self.seed),
            "setting": None if self.setting is None else f"{self.setting:g}",
            "releases": str(self.releases) if self.releases else None,
            "mark": None if self.mark is None else str(self.mark),
            "law": "1" if self.law else None,
        }
        return {name: value for name, value in query.items() if value is not None}


def current_lesson_place() -> LessonPlace | None:
    """Place in the link; None for the list of lessons."""
    query = st.query_params
    key = query.get("lesson", "")
    if key not in LESSONS:
        return None
    lesson = LESSONS[key]
    step = _whole(query.get("step"), 1, 1, len(lesson.steps)) - 1
    place = LessonPlace(key, step, _whole(query.get("seed"), lesson.seed, 0, LARGEST_SEED))
    if (experiment := lesson.steps[step].experiment) is None:
        return place
    settings = {f"{value:g}": value for value in experiment.settings()}
    releases = _whole(query.get("releases"), 0, 0, RELEASES)
    releases = releases if releases in SIZES else 0
    return replace(
        place,
        setting=settings.get(query.get("setting", "")),
        releases=releases,
        mark=_whole(query["mark"], 0, 0, FULL) if "mark" in query else None,
        law=query.get("law") == "1",
    )


def learn_query(**query: str) -> dict[str, str]:
    """Query of a link within Learn, which stays in the presenter view."""
    return query | state.presenter_query()


def open_in_learn(**query: str) -> None:
    st.query_params.from_dict(learn_query(**query))


def go_to_lesson_place(place: LessonPlace | None) -> None:
    """Go to a place; None is the list."""
    open_in_learn(**({} if place is None else place.to_query()))


def move_by_steps(offset: int) -> None:
    """Move from the step that is open when the press arrives; the drawing may be older."""
    if (place := current_lesson_place()) is not None:
        step = min(max(place.step + offset, 0), len(place.lesson_content.steps) - 1)
        go_to_lesson_place(LessonPlace(place.lesson, step, place.seed))


def change_lesson_place(**changes: Any) -> None:
    if (place := current_lesson_place()) is not None:
        go_to_lesson_place(replace(place, **changes))


def draw_next_releases() -> None:
    """Draw as many releases of the next seed, or all of them where there were none."""
    if (place := current_lesson_place()) is not None:
        go_to_lesson_place(replace(place, releases=place.releases or RELEASES, seed=place.seed + 1))


def _whole(text: str | None, default: int, low: int, high: int) -> int:
    """Integer in a link, within limits; the default where it is none."""
    return (
        default
        if text is None or not (text.isascii() and text.isdigit() and len(text) <= 10)
        else min(max(int(text), low), high)
    )


def abilities_html(lead_in: str, lesson: Lesson) -> Markup:
    return markup(
        '<div class="dp-able"><p>{}</p><ul>{}</ul></div>',
        lead_in,
        join_markup(markup("<li>{}</li>", one) for one in lesson.able),
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


def show_question_with_folded_answer(question: MultipleChoice) -> None:
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


def prediction_verdict(question: MultipleChoice | None, predicted_choice: int | None) -> str:
    """Sentence on a prediction, right or wrong; "" without one."""
    if question is None or predicted_choice is None:
        return ""
    right = question.answer
    chose = f"You chose {LETTERS[predicted_choice]} ({question.choices[predicted_choice]})."
    if predicted_choice == right:
        return f"{chose} That is right."
    return (
        f"{chose} {question.mistakes[predicted_choice]}"  # which speaks of what was chosen
        f" The right answer is {LETTERS[right]} ({question.choices[right]})."
    )


def show_mechanism_stepper(demonstration: Demonstration, seed: int, key: str) -> None:
    ui.add_style_rules(drawn_at_work.demonstration_stylesheet())
    ui.html(drawn_at_work.render_stepper(demonstration, seed, key))


def show_formula(formula: Formula) -> None:
    """A formula, set by Streamlit, which does not let MathML through."""
    st.latex(formula.latex.replace("\\ ", r"\ \allowbreak "))


def show_outcome_chart(
    experiment: Experiment,
    setting: float,
    counts: Ints,
    look: charts.Look,
    key: str,
    *,
    show_law: bool,
    guess_of_hundred: int | None = None,
    without_sentence: bool = False,
) -> None:
    """Counts of each outcome beside the exact law; `without_sentence` leaves out the sentence."""
    chart = lesson_figures.experiment_chart(
        experiment, setting, counts, look, show_law=show_law, guess_of_hundred=guess_of_hundred
    )
    ui.show_chart(
        replace(chart, says_now="") if without_sentence else chart,
        key,
        None
        if experiment.control is None or without_sentence
        else experiment.control.value_label(setting),
        help_folded=True,
    )


def show_experiment_control(
    experiment: Experiment,
    setting: float,
    key: str,
    on_move: Callable[[float], object],
    preview_inputs: object,  # identifies the previews
    build_preview: Callable[[float, charts.Look], PagePreview],
    *,
    leaves_out_current: bool = False,  # leaves out the current setting, where drawing goes on
) -> None:
    """The control of an experiment; `build_preview` previews the picture at each setting."""
    if experiment.control is None:
        return
    values, shown = experiment.control.values, experiment.control.value_label
    stops = [*map(float, range(1, len(values) + 1))]  # with as much way between them

    def at(stop: float) -> float:
        return values[round(stop) - 1]

    def called(stop: float) -> str:
        return shown(at(stop))

    now, mark = values.index(setting) + 1.0, ui.hash_preview_key(preview_inputs)
    ui.slider(
        key,
        experiment.control.label,
        stops,
        now,
        lambda stop: on_move(at(stop)),
        format_value=called,
        end_labels=(shown(values[0]), shown(values[-1])),
        preview_key=mark,
        shows_value=True,
    )
    ui.enable_slider_preview(
        ui.PreviewedSlider(
            slider=key,
            mark=mark,
            values=[stop for stop in stops if not leaves_out_current or stop != now],
            value=now,
            step=lambda stop, asked: build_preview(at(stop), asked.look),
            shown=called,
        )
    )


def show_back_button(label: str, move: Callable[[int], None], *, disabled: bool) -> None:
    ui.button(label, "learn_back", move, -1, icon="chevron_left", disabled=disabled, help="Key ←")


def show_next_button(
    label: str,
    act: Callable[..., None],
    *given: object,
    disabled: bool = False,
    help: str = "Key →",
) -> None:
    """Button that leads on, which keys press too."""
    ui.button(
        label,
        "learn_next",
        act,
        *given,
        icon="chevron_right",
        icon_position="right",
        type="primary",
        disabled=disabled,
        help=help,
    )


def bind_arrow_keys(place_key: str) -> None:
    """Have ← and →, and a presenter's keys, press these buttons; a new step begins at the top."""
    with st.container(key="learn_keys"):
        ui.component(
            "dpviz_learn",
            read_asset("lesson_arrow_keys.js"),
            data={"at": place_key},
            key="learn_keys_script",
        )


def show_all_lessons_button() -> None:
    ui.button(
        "All lessons", "learn_list", go_to_lesson_place, None, icon="arrow_back", type="tertiary"
    )

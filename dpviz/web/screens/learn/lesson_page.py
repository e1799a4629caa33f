"""A lesson for one reader, step by step."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from functools import partial
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base import Ints, Markup, join_markup, markup
from dpviz.export import takeaway
from dpviz.export.lessons.prose import markdown_with_powers, render_inline
from dpviz.pages.common import PagePreview, lesson_figures
from dpviz.pages.common.lesson_figures import build_lesson_figure
from dpviz.teaching.lesson import FULL, WORDS, Experiment, MultipleChoice, Step
from dpviz.teaching.lessons import LESSONS
from dpviz.web import widgets as ui
from dpviz.web.jobs import session_cache
from dpviz.web.screens.learn import step
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import print_header

_PREDICTED: SessionValue[dict[tuple[str, int | None], int]] = SessionValue("learn.predicted", dict)
_KEPT = 40  # experiments
_FIRST = "Set your mark first: where do you expect it?"
_MOST_WORDS = 60  # of a step's text on a projector at first
_WITH_QUESTION = 76  # and of the text with the question below it
_AT_WORK = 10  # of a mechanism at work, below both
_WORD = re.compile(r"\S*[^\W\d_]\S*")  # numbers and lines of tables are none
_SENTENCES = re.compile(r"(?<=[.?!]) ")


def show_lesson(
    place: step.LessonPlace, look: charts.Look, draw_buttons: Callable[[str], None]
) -> None:
    """The lesson at this place; `draw_buttons` draws more buttons in its first line."""
    _head(place, draw_buttons)
    experiment = place.step_content.experiment
    with st.container(key=f"learn_step_{place.lesson}_{place.step + 1}"):
        _step(place, look)
        if experiment is not None:
            today = print_header.browser_date()
            ui.show_download_button(
                "Download this figure",
                lambda: _file(place, experiment, today),
                f"dpviz-{place.lesson.replace('_', '-')}.html",
                "learn_take",
                icon=":material/tune:",
                type="tertiary",
                help=(
                    "One file with every setting of the control. It opens anywhere, also without a"
                    " network."
                ),
            )
        if place.step == len(place.lesson_content.steps) - 1:
            ui.show_paragraph(markup("<b>Proof.</b> {}", place.lesson_content.proved))
    _foot(place)
    step.bind_arrow_keys(f"{place.lesson} {place.step}")
    settings = [("Lesson", place.lesson_content.title), ("Step", place.step_content.title)]
    if experiment is not None:
        if experiment.control is not None:
            settings.append(
                (experiment.control.label, experiment.control.value_label(place.current_setting))
            )
        settings.append(("Releases", experiment.name))
    print_header.set_provenance_without_scenario(tuple(settings), place.seed, place.to_query())


def _head(place: step.LessonPlace, beside: Callable[[str], None]) -> None:
    taught, number = place.lesson_content, list(LESSONS).index(place.lesson) + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_head"):
        step.show_all_lessons_button()
        ui.show_markup(
            '<span class="dp-over">{}</span>',
            f"Lesson {number} of {len(LESSONS)} · {taught.minutes} minutes",
        )
        beside(place.lesson)
        ui.show_presenter_button()
    ui.show_markup(
        '<div class="dp-lesson-head"><h1 class="dp-title">{}</h1>'
        '<ol class="dp-steps" aria-label="Steps of this lesson">{}</ol></div>',
        taught.title,
        join_markup(
            markup(
                '<li class="dp-{}"{}>{}</li>',
                "done" if n < place.step else "now" if n == place.step else "later",
                Markup(' aria-current="step"') if n == place.step else "",
                WORDS[each.kind],
            )
            for n, each in enumerate(taught.steps)
        ),
    )
    if place.step == 0:
        ui.html(step.abilities_html("Afterwards you can say", taught))


def _step(place: step.LessonPlace, look: charts.Look) -> None:
    of = place.step_content
    ui.show_markup('<h2 class="dp-step-title">{}</h2>', of.title)
    prose, pictured = (
        (nullcontext(), None) if of.experiment is None else st.columns([1, 1.45], gap="large")
    )
    with prose, st.container(key="learn_prose"):
        if of.kind in {"tell", "explain"}:
            _remember(place)
        _prose(of)
        if of.question is not None:
            if of.kind == "predict":
                _ask(place, of.question)
            else:
                step.show_question_with_folded_answer(of.question)
        if of.formula is not None:
            step.show_formula(of.formula)
        if of.at_work is not None:
            step.show_mechanism_stepper(of.at_work, place.seed, f"work_{place.lesson}")
        if of.experiment is not None:
            _find_out(place, of.experiment)
        if of.way is not None:
            page, query = of.way.page_and_query()
            address = f"{page}?{urlencode(query)}"
            st.link_button(of.way.says, address, icon=":material/open_in_new:")
    if of.experiment is not None and pictured is not None:
        key = f"{place.lesson}_{place.step + 1}"
        with pictured, st.container(key="learn_picture"):
            shown = f"learn_{key}_{place.seed}"
            step.show_outcome_chart(
                of.experiment,
                place.current_setting,
                _drawn(place, of.experiment),
                look,
                shown,
                show_law=place.law_shown,
                guess_of_hundred=place.mark,
            )
            step.show_experiment_control(
                of.experiment,
                place.current_setting,
                f"learn_setting_{key}",
                ui.edit_for_keyword(step.change_lesson_place, "setting"),
                replace(place, setting=None),
                partial(_at, place, of.experiment, shown),
            )


def _prose(of: Step) -> None:
    if not state.is_presenting():
        step.show_lesson_text(of.text)
        return
    told, folded = split_for_projector(of)
    step.show_lesson_text(told)
    if folded:
        with st.expander("The rest of the text", key="learn_rest"):
            step.show_lesson_text(folded)


def split_for_projector(step: Step) -> tuple[str, str]:
    """Beginning of the text for a projector, and the rest: less where a question stands below."""
    if step.question is None or step.kind == "predict":
        return split_at_word_limit(step.text, _MOST_WORDS)
    below = word_count([step.question.text, *step.question.choices]) + (
        _AT_WORK if step.at_work else 0
    )
    return split_at_word_limit(step.text, min(_MOST_WORDS, _WITH_QUESTION - below))


def word_count(texts: Iterable[str]) -> int:
    return sum(len(_WORD.findall(text)) for text in texts)


def split_at_word_limit(text: str, word_limit: int) -> tuple[str, str]:
    r"""First paragraphs of at most `word_limit` words, and the rest; a long first one is cut.

    >>> split_at_word_limit("One two.\n\nThree.\n\nFour.", 3)
    ('One two.\n\nThree.', 'Four.')
    >>> split_at_word_limit("One two. Three. Four.", 3)
    ('One two. Three.', 'Four.')
    """
    paragraphs = text.split("\n\n")
    if told := _fitting(paragraphs, word_limit):
        return "\n\n".join(paragraphs[:told]), "\n\n".join(paragraphs[told:])
    sentences = _SENTENCES.split(paragraphs[0])
    told = max(1, _fitting(sentences, word_limit))
    return " ".join(sentences[:told]), "\n\n".join(
        filter(None, [" ".join(sentences[told:]), *paragraphs[1:]])
    )


def _fitting(parts: Sequence[str], most: int) -> int:
    """Number of leading parts with at most `most` words together."""
    return int(
        np.searchsorted(np.cumsum([word_count([part]) for part in parts]), most, side="right")
    )


def _at(
    place: step.LessonPlace, experiment: Experiment, key: str, setting: float, look: charts.Look
) -> PagePreview:
    return lesson_figures.experiment_preview(
        lesson_figures.experiment_chart(
            experiment,
            setting,
            experiment.draw_outcome_counts_per_law(setting, place.seed, place.releases),
            look,
            show_law=place.law_shown,
            guess_of_hundred=place.mark,
        ),
        key,
    )


def _asked(place: step.LessonPlace) -> tuple[str, int | None]:
    return place.lesson, place.lesson_content.prediction_step_number(place.step)


def _ask(place: step.LessonPlace, question: MultipleChoice) -> None:
    def answered(choice: int) -> None:
        _PREDICTED.value[_asked(place)] = choice

    ui.radio(
        markdown_with_powers(question.text),
        dict(enumerate(step.lettered_choices(question.choices))),
        _PREDICTED.value.get(_asked(place)),
        answered,
        f"predict_{place.lesson}_{place.step + 1}",
    )


def _remember(place: step.LessonPlace) -> None:
    lesson, asked = _asked(place)
    question = None if asked is None else place.lesson_content.steps[asked].question
    if says := step.prediction_verdict(question, _PREDICTED.value.get((lesson, asked))):
        ui.show_paragraph(render_inline(says), "verdict")


def _drawn(place: step.LessonPlace, experiment: Experiment) -> Ints:
    counts = session_cache("lessons", _KEPT).get_or_make(
        repr(place),
        experiment.draw_outcome_counts_per_law,
        place.current_setting,
        place.seed,
        place.releases,
    )
    return np.asarray(counts)


def _find_out(place: step.LessonPlace, experiment: Experiment) -> None:
    if experiment.guess is not None and not place.law_shown:
        key = f"learn_mark_{place.lesson}_{place.step + 1}"
        st.slider(
            experiment.guess.asks,
            0,
            FULL,
            FULL // 2 if place.mark is None else place.mark,
            key=key,
            format=f"%d of {FULL}",
        )
        ui.button(
            "Set my mark" if place.mark is None else "Move my mark here",
            "learn_mark",
            lambda: step.change_lesson_place(mark=int(st.session_state[key])),
            icon="flag",
            type="primary" if place.mark is None else "secondary",
        )
    ui.show_markup('<p class="dp-make">Make releases</p>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for size in step.SIZES:
            ui.button(
                f"{size:,}",
                f"learn_draw_{size}",
                step.change_lesson_place,
                kwargs={"releases": size},
                type="primary" if size == place.releases else "secondary",
                disabled=not place.can_draw,
                help=None if place.can_draw else _FIRST,
            )
        ui.button(
            "Others",
            "learn_others",
            step.draw_next_releases,
            icon="casino",
            help="Draws as many new releases. The link keeps them." if place.can_draw else _FIRST,
            disabled=not place.can_draw,
        )
    if not place.law_shown:
        if place.releases:
            ui.button(
                "Show the exact chances",
                "learn_law",
                step.change_lesson_place,
                icon="target",
                kwargs={"law": True},
                type="primary",
            )
        return
    if said := lesson_figures.guess_feedback_sentence(experiment, place.mark):
        ui.show_paragraph(said, "verdict")
    if place.releases:
        _remember(place)


def _file(place: step.LessonPlace, experiment: Experiment, today: date) -> str:
    rows = [
        ("Lesson", place.lesson_content.title),
        ("Step", place.step_content.title),
        ("Seed", str(place.seed)),
    ]
    return takeaway.build_takeaway_file(
        build_lesson_figure(
            place.lesson_content,
            experiment,
            seed=place.seed,
            start_setting=place.current_setting,
            releases=place.releases,
        ),
        [*rows, ("Date", today.isoformat())],
    ).html


def _foot(place: step.LessonPlace) -> None:
    names = list(LESSONS)
    after = names[names.index(place.lesson) + 1 :][:1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        step.show_back_button("Back", step.move_by_steps, disabled=place.step == 0)
        if place.step < len(place.lesson_content.steps) - 1:
            step.show_next_button("Next", step.move_by_steps, 1)
        elif after:
            step.show_next_button(
                f"Next lesson: {LESSONS.label(after[0])}",
                step.go_to_lesson_place,
                step.LessonPlace(after[0], 0, LESSONS[after[0]].seed),
            )

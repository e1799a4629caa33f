"""Slides and handout: whole, in order, with the figures of the library and the releases of the
seeds.
"""

import re
from html import unescape

import pytest

from dpviz.export.lessons import render_handout
from dpviz.export.lessons.experiment_picture import experiment_svg
from dpviz.export.lessons.prose import render_inline
from dpviz.export.lessons.slides import lesson_slides
from dpviz.teaching.lesson import RELEASES, Experiment, Lesson
from dpviz.teaching.lessons import LESSONS


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).replace("\u202f", " ").split())


def said(text: str) -> str:
    """A text of a lesson, as `plain` has it."""
    return plain(render_inline(text))


def experiments(lesson: Lesson) -> list[Experiment]:
    return [step.experiment for step in lesson.steps if step.experiment is not None]


@pytest.mark.parametrize("key", LESSONS)
def test_a_question_and_its_answer_stand_on_slides_of_their_own(key: str) -> None:
    shown = [(slide, plain(slide.body)) for slide in lesson_slides(LESSONS[key])]
    for question in (step.question for step in LESSONS[key].steps if step.question is not None):
        told, asked = said(question.because), said(question.text)
        every = [said(choice) for choice in question.choices]
        choices = [
            n
            for n, (slide, text) in enumerate(shown)
            if 'class="choices"' in slide.body and all(choice in text for choice in every)
        ]
        (answer,) = (n for n, (_, text) in enumerate(shown) if told in text and asked in text)
        assert min(choices) < answer
        assert answer not in choices
        right = question.answer
        assert f"{'ABCDEFGH'[right]} {every[right]} {told}" in shown[answer][1]


@pytest.mark.parametrize("key", LESSONS)
def test_slides_show_what_the_seed_draws_and_every_exact_chance(key: str) -> None:
    lesson = LESSONS[key]
    text = plain("".join(slide.body for slide in lesson_slides(lesson)))
    for of in experiments(lesson):
        for size in (10, RELEASES):
            for count in of.draw_outcome_counts(of.start, lesson.seed, size):
                assert f"{count:,} of {size:,}" in text
        assert said(of.says(of.start)) in text
        for setting in of.settings() if of.control else ():
            assert of.control is not None
            assert of.control.value_label(setting) in text


@pytest.mark.parametrize("key", LESSONS)
def test_no_prose_gets_lost(key: str) -> None:
    lesson = LESSONS[key]
    text = plain("".join(slide.body for slide in lesson_slides(lesson)))
    for step in lesson.steps:
        for sentence in re.findall(r"[A-Za-z][^|*\n]{20,}?\.(?!\d)", step.text):
            assert said(sentence) in text
    assert said(lesson.proved) in text
    assert all(said(one) in text for one in lesson.able)


def test_bars_and_marks_stand_where_their_shares_are() -> None:
    of = experiments(LESSONS["a_bound_that_does_not_hold"])[0]
    drawn = experiment_svg(of, 2.0, of.draw_outcome_counts(2.0, 1, 1000))
    bar = r'<rect x="13.0" y="[\d.]+" width="([\d.]+)" height="24"'
    bars = [float(width) for width in re.findall(bar, drawn)]
    marks = [float(x) - 13 for x in re.findall(r'<path d="M([\d.]+) [\d.]+l11 11', drawn)]
    marks = marks[1:]  # after that of the legend
    counts, law = of.draw_outcome_counts(2.0, 1, 1000), of.law(2.0)
    assert bars[0] / bars[1] == pytest.approx(counts[0] / counts[1], rel=5e-3)
    assert marks[0] / marks[1] == pytest.approx(law[0] / law[1], rel=5e-3)
    assert bars[0] / marks[0] == pytest.approx(counts[0] / 1000 / law[0], rel=1e-3)


def test_the_handout_asks_first_and_answers_last() -> None:
    lessons = list(LESSONS.values())
    page = render_handout("All of it", lessons, "https://example.org/app")
    asked, answers = plain(page).split(" Answers 1. ")
    for number, lesson in enumerate(lessons, 1):
        address = f"https://example.org/app/learn?lesson={lesson.key}&step=1&seed={lesson.seed}"
        assert f"{number}. {lesson.title}" in asked
        assert address in asked
        for question in (step.question for step in lesson.steps if step.question is not None):
            right, told = question.answer, said(question.because)
            assert said(question.text) in asked
            assert told not in asked
            assert f"{'ABCDEFGH'[right]} {said(question.choices[right])}. {told}" in answers
        for of in experiments(lesson):
            counts = [of.draw_outcome_counts(of.start, lesson.seed, n) for n in (10, 100, 1000)]
            for outcome, few, more, most in zip(of.outcomes, *counts, strict=True):
                shares = f"{few:,} of 10, {more:,} of 100, {most:,} of 1,000, exactly"
                assert f"{outcome} {shares}" in answers

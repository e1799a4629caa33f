"""Slides: one HTML file for the projector, with its own keys, that prints a slide on each page.

Invariants: nothing is fetched; slides read without script; no answer is on its question's slide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpviz.base import Markup, join_markup, markup
from dpviz.export.document import render_document
from dpviz.export.lessons.demonstration import (
    demonstration_stylesheet,
    mathml,
    render_guess_scale,
    render_moves,
)
from dpviz.export.lessons.experiment_picture import exact_chances_table, experiment_svg
from dpviz.export.lessons.prose import Block, blocks, paragraphs, render_inline
from dpviz.teaching.lesson import LETTERS, RELEASES, WORDS, Experiment, Lesson, MultipleChoice, Step

_ROOM = 120  # words on a slide that a last row can read
_FEW = 10  # releases of the first picture


@dataclass(frozen=True)
class Slide:
    """A heading and a body; `over` names the lesson, `kind` the look."""

    title: str
    body: Markup
    over: str = ""
    kind: str = ""


def render_slides(title: str, lessons: Sequence[Lesson], lead: str = "") -> str:
    """The slides of these lessons as one HTML page.

    >>> from dpviz.teaching.lessons import LESSONS
    >>> page = render_slides("Order", [LESSONS["order_of_queries"]])
    >>> page.count("<h1>"), "://" in page
    (2, False)
    """
    listed = join_markup(markup("<li>{}</li>", lesson.title) for lesson in lessons)
    opening = Slide(title, markup("<p>{}</p><ol>{}</ol>", lead, listed), kind="opening")
    all_slides = [opening, *(slide for lesson in lessons for slide in lesson_slides(lesson))]
    return render_document(
        "slides",
        title=title,
        slides=all_slides,
        inline=render_inline,
        more=demonstration_stylesheet(),
    )


def lesson_slides(lesson: Lesson) -> Iterator[Slide]:
    able = join_markup(markup("<li>{}</li>", one) for one in lesson.able)
    after = '<p>{}</p><p class="small">After it you can say</p><ul>{}</ul>'
    yield Slide(
        lesson.title, markup(after, lesson.says, able), f"{lesson.minutes} minutes", "lesson"
    )
    asked: MultipleChoice | None = None
    last = [step for step in lesson.steps if step.question is not None][-1:]
    for step in lesson.steps:
        over = f"{lesson.title} · {WORDS[step.kind]}"
        if step.kind == "predict" and step.question is not None:
            yield Slide(step.title, paragraphs(step.text) + _asked(step.question), over, "question")
            asked = step.question
            continue
        if step.experiment is not None:
            yield from _run(step, step.experiment, lesson.seed, over)
        else:
            for number, body in enumerate(_packed(blocks(step.text))):
                continued = ", continued" if number else ""
                yield Slide(step.title + continued, body, over)
        yield from _at_work(step, lesson.seed, over)
        if step.experiment is not None and asked is not None:
            yield _answer(asked, "What you predicted", lesson.title)
            asked = None
        if step.question is not None:
            yield Slide("A question", _asked(step.question), lesson.title)
            proved = markup('<p class="small">Where it is proved: {}</p>', lesson.proved)
            yield _answer(step.question, "The answer", lesson.title, proved if step in last else "")


def _packed(parts: Sequence[Block]) -> list[Markup]:
    fewest = len(_filled(parts, _ROOM))
    by_room = (_filled(parts, room) for room in range(1, _ROOM + 1))
    even = next(packed for packed in by_room if len(packed) == fewest)  # none nearly empty
    return [join_markup(part.html for part in together) for together in even]


def _filled(parts: Sequence[Block], room: int) -> list[list[Block]]:
    """Blocks by slide, each with as much as has room, at least a paragraph."""
    packed: list[list[Block]] = []
    for part in parts:
        if packed and sum(other.weight for other in packed[-1]) + part.weight <= room:
            packed[-1].append(part)
        else:
            packed.append([part])
    return packed


def _asked(question: MultipleChoice) -> Markup:
    pairs = zip(LETTERS, question.choices, strict=False)
    choices = join_markup(
        markup("<li><b>{}</b> {}</li>", letter, render_inline(choice)) for letter, choice in pairs
    )
    return markup(
        '<p class="asks">{}</p><ul class="choices">{}</ul>', render_inline(question.text), choices
    )


def _answer(question: MultipleChoice, title: str, over: str, below: str = "") -> Slide:
    right = question.answer
    choice, because = render_inline(question.choices[right]), render_inline(question.because)
    body = '<p class="asks">{}</p><p class="right"><b>{}</b> {}</p><p>{}</p>{}'
    return Slide(
        title,
        markup(body, render_inline(question.text), LETTERS[right], choice, because, below),
        over,
    )


def _run(step: Step, experiment: Experiment, seed: int, over: str) -> Iterator[Slide]:
    """A guess; few releases of all that is drawn; then all of them, exact; then every setting."""
    at = (
        ""
        if experiment.control is None
        else f" · {experiment.control.label}: {experiment.control.value_label(experiment.start)}"
    )
    seeded = markup('<p class="small">Seed {}{}</p>', seed, at)
    if experiment.guess is not None:
        yield Slide(
            "Where do you expect it?",
            markup('<div class="dp-guess">{}</div>', render_guess_scale(experiment.guess)),
            over,
        )
    few = experiment_svg(
        experiment,
        experiment.start,
        experiment.draw_outcome_counts_per_law(experiment.start, seed, _FEW),
        law_shown=experiment.guess is None,
    )
    yield Slide(step.title, join_markup((paragraphs(step.text), few, seeded)), over)
    sentence = markup("<p>{}</p>", render_inline(experiment.says(experiment.start)))
    all_drawn = experiment_svg(
        experiment,
        experiment.start,
        experiment.draw_outcome_counts_per_law(experiment.start, seed, RELEASES),
    )
    yield Slide(
        f"{step.title}: {RELEASES:,} releases", join_markup((sentence, all_drawn, seeded)), over
    )
    if experiment.control is not None:
        yield Slide(f"{step.title}: every setting, exactly", exact_chances_table(experiment), over)


def _at_work(step: Step, seed: int, over: str) -> Iterator[Slide]:
    """The formula, and the mechanism at work, a slide a move."""
    if step.formula is not None:
        yield Slide(
            f"{step.title}: in symbols",
            join_markup((mathml(step.formula), markup("<p>{}</p>", step.formula.says))),
            over,
        )
    if step.at_work is not None:
        shown = render_moves(step.at_work, seed)
        for number, move in enumerate(shown, 1):
            title = f"{step.at_work.title}: step {number} of {len(shown)}"
            yield Slide(title, markup('<div class="slide-move">{}</div>', move), over)

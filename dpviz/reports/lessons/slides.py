"""Slides: one HTML file for the projector, with its own keys, that prints a slide on each page.

Invariants: nothing is fetched, and without script all slides stand below each other; a text that does not fit goes on
on the next slide; the order is that of the lessons' steps, and an answer never stands on the slide of its question.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from dpviz.reports.lessons.picture import chances_table, picture
from dpviz.reports.lessons.prose import Block, blocks, inline
from dpviz.teaching.lesson import RELEASES, WORDS, Experiment, Lesson, Question, Step

__all__ = ["Slide", "slides", "slides_of"]

_ROOM = 120  # words on a slide that a last row can read
_FEW = 10  # releases of the first picture
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_LETTERS = "ABCDEFGH"


@dataclass(frozen=True)
class Slide:
    """What stands on a slide: a heading and HTML below it; `over` is what it belongs to, `kind` how it looks."""

    title: str
    body: str
    over: str = ""
    kind: str = ""


def slides(title: str, lessons: Sequence[Lesson], lead: str = "") -> str:
    """The slides of these lessons as one HTML page.

    >>> import dpviz.teaching.lessons
    >>> from dpviz.teaching.lesson import LESSONS
    >>> page = slides("Order", [LESSONS["order_of_queries"]])
    >>> page.count("<h1>"), "://" in page
    (2, False)
    """
    told = "".join(f"<li>{html.escape(lesson.title)}</li>" for lesson in lessons)
    opening = Slide(title, f"<p>{html.escape(lead)}</p><ol>{told}</ol>", kind="opening")
    shown = [opening, *(slide for lesson in lessons for slide in slides_of(lesson))]
    body = "".join(_section(slide, number, len(shown)) for number, slide in enumerate(shown, 1))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light">'
        f"<title>{html.escape(title)}</title><style>{_beside('slides.css')}</style></head>"
        f"<body>{body}<script>{_beside('slides.js')}</script></body></html>\n"
    )


def slides_of(lesson: Lesson) -> Iterator[Slide]:
    """The slides of one lesson."""
    able = "".join(f"<li>{html.escape(one)}</li>" for one in lesson.able)
    yield Slide(
        lesson.title,
        f"<p>{html.escape(lesson.says)}</p><p class=small>After it you can say</p><ul>{able}</ul>",
        f"{lesson.minutes} minutes",
        "lesson",
    )
    asked: Question | None = None
    last = [step for step in lesson.steps if step.question is not None][-1:]
    for step in lesson.steps:
        over = f"{lesson.title} · {WORDS[step.kind]}"
        if step.kind == "predict" and step.question is not None:
            yield _question(step, step.question, over)
            asked = step.question
            continue
        if step.experiment is not None:
            yield from _run(step, step.experiment, lesson.seed, over)
        else:
            yield from _told(step, over)
        if step.experiment is not None and asked is not None:
            yield _answer(asked, "What you predicted", lesson.title)
            asked = None
        if step.question is not None:
            yield Slide("A question", _asked(step.question), lesson.title)
            proved = f'<p class="small">Where it is proved: {html.escape(lesson.proved)}</p>'
            yield _answer(step.question, "The answer", lesson.title, proved if step in last else "")


def _told(step: Step, over: str) -> Iterator[Slide]:
    for number, body in enumerate(_packed(blocks(step.text()))):
        yield Slide(step.title if number == 0 else f"{step.title}, continued", body, over)


def _packed(parts: Sequence[Block]) -> list[str]:
    """Paragraphs together as far as they fit on a slide."""
    fewest = len(_filled(parts, _ROOM))
    even = next(room for room in range(1, _ROOM + 1) if len(_filled(parts, room)) == fewest)  # none nearly empty
    return ["".join(part.html for part in together) for together in _filled(parts, even)]


def _filled(parts: Sequence[Block], room: int) -> list[list[Block]]:
    """One slide after the other, each with as much as has room, at least a paragraph."""
    packed: list[list[Block]] = []
    for part in parts:
        if packed and sum(other.weight for other in packed[-1]) + part.weight <= room:
            packed[-1].append(part)
        else:
            packed.append([part])
    return packed


def _question(step: Step, question: Question, over: str) -> Slide:
    told = "".join(block.html for block in blocks(step.text()))
    return Slide(step.title, told + _asked(question), over, "question")


def _asked(question: Question) -> str:
    choices = "".join(
        f"<li><b>{letter}</b> {inline(choice)}</li>" for letter, choice in zip(_LETTERS, question.choices, strict=False)
    )
    return f'<p class="asks">{inline(question.text)}</p><ul class="choices">{choices}</ul>'


def _answer(question: Question, title: str, over: str, below: str = "") -> Slide:
    right = question.answer()
    body = f'<p class="asks">{inline(question.text)}</p>'
    body += f'<p class="right"><b>{_LETTERS[right]}</b> {inline(question.choices[right])}</p>'
    return Slide(title, f"{body}<p>{inline(question.because())}</p>{below}", over)


def _run(step: Step, of: Experiment, seed: int, over: str) -> Iterator[Slide]:
    """What happens at the setting where the control starts: few releases, then all; then every setting."""
    words = "".join(block.html for block in blocks(step.text()))
    seeded = f'<p class="small">Seed {seed}{_setting(of, of.start)}</p>'
    few = picture(of, of.start, of.counts(of.start, seed, _FEW))
    yield Slide(step.title, words + few + seeded, over)
    told = f"<p>{inline(of.says(of.start))}</p>"
    all_drawn = picture(of, of.start, of.counts(of.start, seed, RELEASES))
    yield Slide(f"{step.title}: {RELEASES:,} releases", told + all_drawn + seeded, over)
    if of.control is not None:
        yield Slide(f"{step.title}: every setting, exactly", chances_table(of), over)


def _setting(of: Experiment, setting: float) -> str:
    return "" if of.control is None else f" · {html.escape(of.control.label)}: {html.escape(of.control.shown(setting))}"


def _section(slide: Slide, number: int, of: int) -> str:
    kind = f' class="{slide.kind}"' if slide.kind else ""
    heading = "h1" if slide.kind in {"opening", "lesson"} else "h2"
    return (
        f'<section{kind} id="s{number}" aria-label="Slide {number} of {of}"><header>{html.escape(slide.over)}</header>'
        f'<div class="body"><{heading}>{inline(slide.title)}</{heading}>{slide.body}</div>'
        f"<footer>{number} / {of}</footer></section>"
    )


def _beside(name: str) -> str:
    return files("dpviz.reports.lessons").joinpath(name).read_text(encoding="utf-8")

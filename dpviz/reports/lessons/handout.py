"""The handout of a session: on paper, with seeds and room to write; the answers come last, on a page of their own.

Invariant: who draws with a handout's seeds sees the releases that its answers count, for the draws of a lesson's seed
never change (the tests pin them).
"""

import html
from collections.abc import Sequence
from importlib.resources import files
from urllib.parse import urlencode

from dpviz.charts.words import percent
from dpviz.reports.lessons.prose import inline, paragraphs
from dpviz.teaching.lesson import IN_SHORT, RELEASES, WORDS, Experiment, Lesson, Question, Step

__all__ = ["handout"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SIZES = (10, 100, RELEASES)
_LETTERS = "ABCDEFGH"
_LEAD = (
    f"{IN_SHORT}: write your prediction down before you draw. With the seed that stands here you see the releases that "
    "the answers count; with one of your own you see others, and the same exact chances."
)


def handout(title: str, lessons: Sequence[Lesson], address: str = "") -> str:
    """The handout for these lessons as one HTML page; `address` is that of the app, for the links.

    >>> import dpviz.teaching.lessons
    >>> from dpviz.teaching.lesson import LESSONS
    >>> page = handout("Order", [LESSONS["order_of_queries"]])
    >>> page.index("Answers") > page.index("Why do you think so?"), "<script" in page
    (True, False)
    """
    body = "".join(_lesson(lesson, number, address) for number, lesson in enumerate(lessons, 1))
    answers = "".join(_answers(lesson, number) for number, lesson in enumerate(lessons, 1))
    style = files("dpviz.reports.lessons").joinpath("handout.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head><body><main><h1>{html.escape(title)}</h1>"
        f"<p>{_LEAD}</p>{body}<section class=answers><h1>Answers</h1>{answers}</section></main></body>"
        "</html>\n"
    )


def _lesson(lesson: Lesson, number: int, address: str) -> str:
    link = f"{address}/learn?" + urlencode({"lesson": lesson.key, "step": 1, "seed": lesson.seed})
    parts = [
        f"<h2>{number}. {html.escape(lesson.title)}</h2>",
        f'<p class="small">{lesson.minutes} minutes · seed {lesson.seed} · {html.escape(link)}</p>',
        f"<p>{html.escape(lesson.says)}</p>",
    ]
    return f"<section>{''.join(parts)}{''.join(map(_step, lesson.steps))}</section>"


def _step(step: Step) -> str:
    """What there is to write in a step; nothing where it only tells."""
    if step.kind == "predict" and step.question is not None:
        told = f"{paragraphs(step.text())}{_asked(step.question)}<p>Why do you think so?</p>{_lines(2)}"
        return f"<div><h3>{WORDS[step.kind]}: {inline(step.title)}</h3>{told}</div>"
    own = (
        f"<div><h3>{WORDS[step.kind]}: {inline(step.title)}</h3>{_to_fill(step.experiment)}</div>"
        if step.experiment
        else ""
    )
    if step.question is None:
        return own
    return own + f"<div><h3>A question</h3>{_asked(step.question)}{_lines(2)}</div>"


def _asked(question: Question) -> str:
    choices = "".join(
        f"<li><span class=box></span><b>{letter}</b> {inline(choice)}</li>"
        for letter, choice in zip(_LETTERS, question.choices, strict=False)
    )
    return f"<p><b>{inline(question.text)}</b></p><ul class=choices>{choices}</ul>"


def _to_fill(of: Experiment) -> str:
    """Empty cells for what one draws at the first setting, and a line for another."""
    heads = "".join(f'<th class="number">of {size:,}</th>' for size in _SIZES)
    empty = "<td></td>" * (len(_SIZES) + 1)
    rows = "".join(f"<tr><td>{html.escape(outcome)}</td>{empty}</tr>" for outcome in of.outcomes)
    at, other = "", ""
    if of.control is not None:
        label = html.escape(of.control.label)
        at = f'<p class="small">{label}: {html.escape(of.control.shown(of.start))}</p>'
        tried = ", ".join(html.escape(of.control.shown(value)) for value in of.settings() if value != of.start)
        other = f"<p>{label}: now {tried}. What changes?</p>{_lines(1)}"
    head = f'<thead><tr><th>How often</th>{heads}<th class="number">exactly</th></tr></thead>'
    return f'{at}<table class="fill">{head}<tbody>{rows}</tbody></table>{other}'


def _lines(count: int) -> str:
    return '<div class="line"></div>' * count


def _answers(lesson: Lesson, number: int) -> str:
    parts = [f"<h3>{number}. {html.escape(lesson.title)}</h3>"]
    for step in lesson.steps:
        if step.experiment is not None:
            parts.append(_filled(step.experiment, lesson.seed))
        if step.question is not None:
            right = step.question.answer()
            parts.append(
                f"<p><b>{_LETTERS[right]}</b> {inline(step.question.choices[right])}. "
                f"{inline(step.question.because())}</p>"
            )
    return f"<div>{''.join(parts)}<p class=small>{html.escape(lesson.proved)}</p></div>"


def _filled(of: Experiment, seed: int) -> str:
    """What the seed of the lesson draws at the first setting, beside the exact chances."""
    drawn, law = [of.counts(of.start, seed, size) for size in _SIZES], of.law(of.start)
    told = []
    for row, outcome in enumerate(of.outcomes):
        came = ", ".join(f"{counts[row]:,} of {size:,}" for size, counts in zip(_SIZES, drawn, strict=True))
        told.append(f"{html.escape(outcome)} {came}, exactly {html.escape(percent(float(law[row])))}")
    return f'<p class="small">Seed {seed}: {"; ".join(told)}.</p>'

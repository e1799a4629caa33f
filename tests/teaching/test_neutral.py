"""No title, card or step before a lesson's first question names its right choice, or who wins."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dpviz.teaching.lesson import LESSONS, Lesson

_VERDICT = re.compile(
    r"\b(wins?|beats?|loses?|leaks?|fails?|breaks?|harms?|(does|do) not|never|half|twice|costs"
    r" nothing|cheaper|better|"
    r"more often|less often|too (small|large)|refutes?|independent|grows?|bias(es)?|why no)\b"
)
_ASKS = re.compile(r"\?$|^(whether|what|which|how)\b", re.IGNORECASE)


def _before(lesson: Lesson) -> Iterator[str]:
    """Sentences of the card, and titles of the steps up to the first question."""
    yield lesson.title
    yield from re.split(r"(?<=[.?!])\s+", lesson.says)
    yield from lesson.able
    for step in lesson.steps:
        yield step.title
        if step.kind == "predict":
            return


def given_away(lesson: Lesson) -> list[str]:
    """The titles and sentences before the first question that tell its answer."""
    asked = next(step.question for step in lesson.steps if step.kind == "predict")
    assert asked is not None
    right = asked.choices[asked.answer()].lower()
    wrong = [choice.lower() for n, choice in enumerate(asked.choices) if n != asked.answer()]

    def tells(said: str) -> bool:
        named = right in said.lower() and not any(choice in said.lower() for choice in wrong)
        verdict = _VERDICT.search(said) and not _ASKS.search(said)
        return bool(verdict) or (named and not _ASKS.search(said))

    return [said for said in _before(lesson) if tells(said)]


@pytest.mark.parametrize("key", LESSONS)
def test_nothing_before_the_question_answers_it(key: str) -> None:
    assert given_away(LESSONS[key]) == []


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("noisy_counts", "When plain noisy counts win"),
        ("counts_and_the_factor_two", "The same votes and the same ε, and half the noise."),
    ],
)
def test_what_stood_there_once_is_found(key: str, said: str) -> None:
    assert given_away(replace(LESSONS[key], says=said)) == [said]


@pytest.mark.parametrize("key", LESSONS)
def test_no_step_before_the_question_has_its_figures(key: str) -> None:
    """Why the right choice is right stands in no earlier text."""
    steps = LESSONS[key].steps
    number = next(n for n, step in enumerate(steps) if step.kind == "predict")
    asked = steps[number].question
    assert asked is not None
    told = "".join(step.text() for step in steps[: number + 1])
    assert asked.because() not in told

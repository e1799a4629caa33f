"""The questions of a lesson, in the order in which they are asked."""

from dpviz.teaching.lesson import MultipleChoice
from dpviz.teaching.lessons import LESSONS


def questions(key: str) -> list[MultipleChoice]:
    """All that a lesson asks."""
    return [step.question for step in LESSONS[key].steps if step.question is not None]


def chosen(question: MultipleChoice) -> str:
    """The choice that the lesson says is right."""
    return question.choices[question.answer]

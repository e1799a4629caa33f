"""The course of a class: its stops, over all steps of its lessons, one after the other.

A stop is a step of a lesson; after a step that explains comes one more, with its question, which
everyone answers twice: alone, and after having talked about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base import ParameterError
from dpviz.teaching.lesson import LESSONS, Experiment, MultipleChoice, StepReference

TWICE = "Answer, talk, answer again"
"""What a stop is called that asks twice."""


@dataclass(frozen=True)
class CourseStop(StepReference):
    """A step of a lesson, or its question where `twice`."""

    twice: bool = False

    @property
    def title(self) -> str:
        """What stands above it; of a question that is discussed nothing that answers it."""
        return TWICE if self.twice else self.step_content.title

    @property
    def question(self) -> MultipleChoice | None:
        """What everyone is asked here."""
        return (
            self.step_content.question
            if self.twice or self.step_content.kind == "predict"
            else None
        )

    @property
    def experiment(self) -> Experiment | None:
        """What everyone draws here."""
        return None if self.twice else self.step_content.experiment

    @property
    def reveals_answer(self) -> bool:
        """Whether what was asked before is answered here."""
        return not self.twice and self.step_content.kind in {"tell", "explain"}


@cache
def build_course(lessons: tuple[str, ...]) -> tuple[CourseStop, ...]:
    """All stops of a class on the lessons with these keys.

    >>> [(stop.step, stop.twice) for stop in build_course(("permute_and_flip",))]
    [(0, False), (1, False), (2, False), (3, False), (3, True)]
    """
    stops = []
    for key in lessons:
        for number, step in enumerate(LESSONS[key].steps):
            stops.append(CourseStop(key, number))
            if step.question is not None and step.kind != "predict":
                stops.append(CourseStop(key, number, twice=True))
    return tuple(stops)


@cache
def find_question_place(lessons: tuple[str, ...], place: int) -> int | None:
    """The stop whose question the one at `place` asks, tries out, or answers."""
    stops = build_course(lessons)
    stop = stops[place]
    if stop.question is not None:
        return place
    step = stop.lesson_content.prediction_step(stop.step)
    return None if step is None else stops.index(CourseStop(stop.lesson, step))


def first_experiment_place(lessons: tuple[str, ...], place: int) -> int:
    """The first stop of this lesson that has the same experiment: there its draws are kept."""
    stops = build_course(lessons)
    here = stops[place]
    return next(
        n
        for n, one in enumerate(stops)
        if one.lesson == here.lesson and one.experiment is here.experiment
    )


def check_lessons(lessons: Sequence[str]) -> tuple[str, ...]:
    """The keys, each once and each on the menu."""
    keys = tuple(lessons)
    if not keys or len(set(keys)) < len(keys) or not set(keys) <= set(LESSONS):
        raise ParameterError("lesson", lessons, f"each one of {', '.join(LESSONS)}, and none twice")
    return keys

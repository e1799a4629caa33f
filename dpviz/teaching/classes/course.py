"""Course of a class: its stops, over all steps of its lessons.

A stop is a step. After a step with a question that is no prediction comes one more stop, where
everyone answers it twice: alone, and after a talk.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from dpviz.base import ParameterError
from dpviz.teaching.lesson import Experiment, MultipleChoice
from dpviz.teaching.lessons import LESSONS, StepReference

TWICE = "Answer, talk, answer again"
"""Title of a stop that asks twice."""


@dataclass(frozen=True)
class CourseStop(StepReference):
    """A step of a lesson, or its question where `twice`."""

    twice: bool = False

    @property
    def title(self) -> str:
        """Title of the stop; that of a discussed question answers nothing."""
        return TWICE if self.twice else self.step_content.title

    @property
    def question(self) -> MultipleChoice | None:
        return (
            self.step_content.question
            if self.twice or self.step_content.kind == "predict"
            else None
        )

    @property
    def experiment(self) -> Experiment | None:
        return None if self.twice else self.step_content.experiment

    @property
    def reveals_answer(self) -> bool:
        """True where the question asked before is answered here."""
        return not self.twice and self.step_content.kind in {"tell", "explain"}


@cache
def build_course(lessons: tuple[str, ...]) -> tuple[CourseStop, ...]:
    """All stops of a class on the lessons with these keys.

    >>> [(stop.step, stop.twice) for stop in build_course(("permute_and_flip",))]
    [(0, False), (1, False), (2, False), (3, False), (3, True)]
    """
    return tuple(
        CourseStop(key, number, twice)
        for key in lessons
        for number, step in enumerate(LESSONS[key].steps)
        for twice in (False, True)
        if not twice or (step.question is not None and step.kind != "predict")
    )


@cache
def find_question_stop_index(lessons: tuple[str, ...], stop_index: int) -> int | None:
    """Index of the stop whose question the one at `stop_index` asks, tries out, or answers."""
    stops = build_course(lessons)
    stop = stops[stop_index]
    if stop.question is not None:
        return stop_index
    step = stop.lesson_content.prediction_step_number(stop.step)
    return None if step is None else stops.index(CourseStop(stop.lesson, step))


def first_stop_index_of_experiment(lessons: tuple[str, ...], stop_index: int) -> int:
    """Index of the first stop of this lesson with the same experiment, where its draws are kept."""
    stops = build_course(lessons)
    here = stops[stop_index]
    return next(
        n
        for n, one in enumerate(stops)
        if one.lesson == here.lesson and one.experiment is here.experiment
    )


def check_lessons(lessons: Sequence[str]) -> tuple[str, ...]:
    """Check that the keys are on the menu, and none is there twice; return them."""
    keys = tuple(lessons)
    if not keys or len(set(keys)) < len(keys) or not set(keys) <= set(LESSONS):
        raise ParameterError("lesson", lessons, f"each one of {', '.join(LESSONS)}, and none twice")
    return keys

"""The menu of lessons, one a file, and places among their steps."""

from dataclasses import dataclass

from dpviz.base import Registry
from dpviz.teaching.lesson import Lesson, Step
from dpviz.teaching.lessons import (
    a_bound_that_does_not_hold,
    a_name_of_one,
    anonymous_and_private,
    best_of_many_runs,
    counts_and_the_factor_two,
    gaps_and_their_bias,
    large_margin,
    noisy_counts,
    opening_story,
    order_of_queries,
    permute_and_flip,
    ten_releases_later,
    ties,
    what_is_learnt_without_you,
    what_k_costs,
    why_the_gap_is_free,
    worth_of_a_list,
)

LESSONS: Registry[Lesson] = Registry("lesson")
"""The menu, in teaching order."""


def add_lesson(lesson: Lesson) -> None:
    LESSONS.add(lesson.key, lesson, label=lesson.title, says=lesson.says)


for _lesson in (
    opening_story.LESSON,
    anonymous_and_private.LESSON,
    what_is_learnt_without_you.LESSON,
    permute_and_flip.LESSON,
    what_k_costs.LESSON,
    noisy_counts.LESSON,
    ties.LESSON,
    a_name_of_one.LESSON,
    worth_of_a_list.LESSON,
    counts_and_the_factor_two.LESSON,
    ten_releases_later.LESSON,
    a_bound_that_does_not_hold.LESSON,
    best_of_many_runs.LESSON,
    order_of_queries.LESSON,
    gaps_and_their_bias.LESSON,
    why_the_gap_is_free.LESSON,
    large_margin.LESSON,
):
    add_lesson(_lesson)


@dataclass(frozen=True)
class StepReference:
    """A step of a lesson on the menu, counted from 0."""

    lesson: str
    step: int = 0

    @property
    def lesson_content(self) -> Lesson:
        return LESSONS[self.lesson]

    @property
    def step_content(self) -> Step:
        return self.lesson_content.steps[self.step]

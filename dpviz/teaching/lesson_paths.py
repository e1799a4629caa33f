"""Paths through the lessons: each takes a few of them, and together they take all."""

from dataclasses import dataclass

from dpviz.teaching.lesson import Lesson
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import OWN


@dataclass(frozen=True)
class LessonPath:
    """Lessons in order."""

    key: str
    title: str
    says: str
    lessons: tuple[str, ...]

    @property
    def lesson_contents(self) -> tuple[Lesson, ...]:
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def minutes(self) -> int:
        """Minutes of all lessons together."""
        return sum(lesson.minutes for lesson in self.lesson_contents)


PATHS: dict[str, LessonPath] = {
    path.key: path
    for path in (
        LessonPath(
            "anyone", "For anyone", "How a list without names exposes people, and what a promise can say instead.",
            ("opening_story", "anonymous_and_private", "what_is_learnt_without_you"),
        ),
        LessonPath(
            "list", "Choosing a list", "Which mechanism finds the winner or the first few, and when a list is right."
            " Take the lessons for anyone first.",
            ("permute_and_flip", "what_k_costs", "noisy_counts", "ties"),
        ),
        LessonPath(
            "people", "Names and people", "What a rare name reveals, and what is promised to one person."
            " Take the lessons for anyone first.",
            ("a_name_of_one", "worth_of_a_list", "counts_and_the_factor_two"),
        ),
        LessonPath(
            "many", "Many releases", "What several lists cost together, and what the best of many runs costs."
            " The first lesson needs no knowledge. The others use logarithms.",
            ("ten_releases_later", "a_bound_that_does_not_hold", "best_of_many_runs"),
        ),
        LessonPath(
            "more", "Other choices", "The first above a threshold, how far the winner leads, a choice among all texts."
            " They use logarithms and averages.",
            ("order_of_queries", "gaps_and_their_bias", "why_the_gap_is_free", "large_margin"),
        ),
    )
}  # fmt: skip
if OWN is not None:
    PATHS["own"] = LessonPath("own", OWN.title, "The session of this app.", OWN.lessons)

"""Three paths through the lessons: twenty minutes for anyone, ninety with a class, all for those
who will use it.

Invariant: a path's minutes are those of its lessons, or of the session that it is; what it takes
for granted is said.
"""

from dataclasses import dataclass

from dpviz.teaching.lesson import LESSONS, Lesson
from dpviz.teaching.session_plans import SESSIONS


@dataclass(frozen=True)
class LessonPath:
    """Lessons in the order in which to take them; `session` where a class takes it, with talk and a
    break.
    """

    key: str
    title: str
    says: str
    needs: str
    lessons: tuple[str, ...]
    session: str = ""

    @property
    def lesson_contents(self) -> tuple[Lesson, ...]:
        """The lessons."""
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return (
            SESSIONS[self.session].minutes
            if self.session
            else sum(lesson.minutes for lesson in self.lesson_contents)
        )


PATHS: dict[str, LessonPath] = {
    path.key: path
    for path in (
        LessonPath(
            "anyone", "For anyone", "Why a list without names tells on people, and what may be promised instead.",
            "Nothing need be known.",
            ("opening_story", "anonymous_and_private", "what_is_learnt_without_you"),
        ),
        LessonPath(
            "class", "With a class",
            "Few lessons, and time to talk: everyone predicts, draws, and answers again after a talk.",
            "Nothing need be known; chances and percentages help.",
            SESSIONS["90"].lessons, "90",
        ),
        LessonPath(
            "all", "All of it", "For those who will publish: what a list costs, what breaks a promise, what adds up.",
            "Logarithms and means; the path for anyone first.",
            tuple(LESSONS),
        ),
    )
}  # fmt: skip
"""The paths, by key."""

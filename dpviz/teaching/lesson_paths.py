"""Three paths through the lessons: for anyone, with a class, and all of it."""

from dataclasses import dataclass

from dpviz.teaching.lesson import LESSONS, Lesson
from dpviz.teaching.session_plans import SESSIONS


@dataclass(frozen=True)
class LessonPath:
    """Lessons in order; `session` names the class session that takes them."""

    key: str
    title: str
    says: str
    needs: str
    lessons: tuple[str, ...]
    session: str = ""

    @property
    def lesson_contents(self) -> tuple[Lesson, ...]:
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def minutes(self) -> int:
        """Minutes of the session, or of all lessons together."""
        return (
            SESSIONS[self.session].minutes
            if self.session
            else sum(lesson.minutes for lesson in self.lesson_contents)
        )


PATHS: dict[str, LessonPath] = {
    path.key: path
    for path in (
        LessonPath(
            "anyone", "For anyone", "How a list without names exposes people, and what a promise can say instead.",
            "You need no knowledge before.",
            ("opening_story", "anonymous_and_private", "what_is_learnt_without_you"),
        ),
        LessonPath(
            "class", "With a class",
            "Few lessons and time to talk. Everyone predicts, draws, and answers again after a talk.",
            "You need no knowledge before. Chances and percentages help.",
            SESSIONS["90"].lessons, "90",
        ),
        LessonPath(
            "all", "All of it", "For people who will publish: what a list costs, what breaks a promise, what adds up.",
            "You need logarithms and averages, and the path for anyone first.",
            tuple(LESSONS),
        ),
    )
}  # fmt: skip

"""Sessions: which lessons a class goes through in 45 and in 90 minutes, or one alone, and when each begins.

Invariant: the parts of a session take exactly its minutes. A lesson takes its own; what is left is for the talk at the
end, never less than `LEAST_TALK`.
"""

from dataclasses import dataclass
from functools import cached_property

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base.errors import ParameterError
from dpviz.teaching.lesson import LESSONS, Lesson

__all__ = ["LEAST_TALK", "SESSIONS", "Part", "Session", "session_of"]

LEAST_TALK = 5
_WELCOME = 3
_BREAK = 5


@dataclass(frozen=True)
class Part:
    """What happens from minute `begins` on, for `minutes`; `lesson` where it is one."""

    title: str
    says: str
    begins: int
    minutes: int
    lesson: Lesson | None = None


@dataclass(frozen=True)
class Session:
    """Lessons in their order, by key; where `after` names one, a break follows it."""

    key: str
    minutes: int
    lessons: tuple[str, ...]
    after: str = ""

    def __post_init__(self) -> None:
        if self.talk < LEAST_TALK:
            allowed = f"at most {self.minutes - LEAST_TALK}, so that {LEAST_TALK} are left to talk"
            raise ParameterError("the minutes of the lessons", self.minutes - self.talk, allowed)

    @property
    def taught(self) -> tuple[Lesson, ...]:
        """The lessons."""
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def talk(self) -> int:
        """The minutes that are left at the end."""
        pause = _BREAK if self.after else 0
        return self.minutes - _WELCOME - pause - sum(lesson.minutes for lesson in self.taught)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The session from its first minute to its last."""
        told: list[tuple[str, str, int, Lesson | None]] = [
            ("Welcome", "Handouts out; everybody opens the app and joins.", _WELCOME, None)
        ]
        for lesson in self.taught:
            told.append((lesson.title, lesson.says, lesson.minutes, lesson))
            if lesson.key == self.after:
                told.append(("Break", "Time to stand up.", _BREAK, None))
        told.append(("Talk", "Questions, and what was predicted wrongly by most.", self.talk, None))
        parts, begins = [], 0
        for title, says, minutes, taught in told:
            parts.append(Part(title, says, begins, minutes, taught))
            begins += minutes
        return tuple(parts)


SESSIONS: dict[str, Session] = {
    session.key: session
    for session in (
        Session("45", 45, ("opening_story", "permute_and_flip", "what_k_costs", "ties", "best_of_many_runs")),
        Session("90", 90, tuple(LESSONS), after="counts_and_the_factor_two"),
    )
}
"""The sessions that are planned, by key; the longer one has every lesson."""


def session_of(key: str) -> Session | None:
    """The session with this key, or that of the one lesson with it.

    >>> session_of("ties").parts[1].title, session_of("none")
    ('When places tie', None)
    """
    if key not in LESSONS:
        return SESSIONS.get(key)
    return Session(key, _WELCOME + LESSONS[key].minutes + LEAST_TALK, (key,))

"""Plans of class sessions: the lessons of 45, 60 or 90 minutes, or one alone, with start times.

Invariant: the slots take exactly the session's minutes, of which the talk at the end gets at least
`LEAST_TALK`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.base.arrays import cached_property
from dpviz.teaching.lesson import Lesson
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.poll import HARMLESS, Poll
from dpviz.teaching.session_file import KEY, load_startup_session

LEAST_TALK = 5
_WELCOME = 3
_BREAK = 5


@dataclass(frozen=True)
class TimeSlot:
    """A part of a session from minute `begins` on; `lesson` where it is one."""

    title: str
    says: str
    begins: int
    minutes: int
    lesson: Lesson | None = None


@dataclass(frozen=True)
class SessionPlan:
    """Lessons of a session in order, by key, and the time around them."""

    key: str
    minutes: int
    lessons: tuple[str, ...]
    after: str = ""  # the lesson before the break
    drops: tuple[str, ...] = ()  # left out first when time runs short
    talks: int = 0  # minutes for a second answer after each lesson
    data: int = 0  # minutes that make the class's poll into data
    poll: Poll = HARMLESS
    title: str = "Choosing privately"

    @property
    def lesson_contents(self) -> tuple[Lesson, ...]:
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def talk_minutes(self) -> int:
        """Minutes left for talk at the end."""
        pause = _BREAK if self.after else 0
        return self.minutes - _WELCOME - pause - self.data - self._take(self.lessons)

    def _take(self, lessons: Iterable[str]) -> int:
        """Minutes of these lessons, with the talk after each."""
        return sum(LESSONS[key].minutes + self.talks for key in lessons)

    def lessons_to_skip(
        self, lesson: str, done_share: float, minutes_gone: float
    ) -> tuple[str, ...]:
        """Lessons after this one to leave out after `minutes_gone` minutes, so that time to talk is
        left.

        `done_share` is the finished share of this lesson, from 0 to 1.

        >>> plan = SESSIONS["45"]
        >>> [plan.lessons_to_skip("opening_story", *done) for done in ((0.0, 3), (1.0, 22))]
        [(), ('what_is_learnt_without_you',)]
        """
        later = self.lessons[self.lessons.index(lesson) + 1 :]
        order = [*self.drops, *(key for key in reversed(later) if key not in self.drops)]
        room = self.minutes - minutes_gone - LEAST_TALK - (1 - done_share) * self._take([lesson])
        out: list[str] = []
        for key in (key for key in order if key in later):
            if self._take(one for one in later if one not in out) <= room:
                break
            out.append(key)
        return tuple(key for key in later if key in out)

    @cached_property
    def time_slots(self) -> tuple[TimeSlot, ...]:
        slots = [
            TimeSlot(
                "Welcome", "Give out the handouts. Everybody opens the app and joins.", 0, _WELCOME
            )
        ]

        def add(title: str, says: str, minutes: int, lesson: Lesson | None = None) -> None:
            slots.append(
                TimeSlot(title, says, slots[-1].begins + slots[-1].minutes, minutes, lesson)
            )

        for lesson in self.lesson_contents:
            add(lesson.title, lesson.says, lesson.minutes, lesson)
            if self.talks:
                add(
                    "Answer, talk, answer again",
                    "The last question: alone, then after a talk.",
                    self.talks,
                )
            if lesson.key == self.after:
                add("Break", "Time to stand up.", _BREAK)
        if self.data:
            add(
                "Your class as data",
                "In the console, open a poll. Ask something harmless and publish the votes. One"
                " person leaves. Find out how that person voted.",
                self.data,
            )
        add("Talk", "Questions, and the predictions that most got wrong.", self.talk_minutes)
        return tuple(slots)


SESSIONS: dict[str, SessionPlan] = {
    session.key: session
    for session in (
        SessionPlan(
            "45",
            45,
            ("opening_story", "anonymous_and_private", "what_is_learnt_without_you"),
            talks=5,
        ),
        SessionPlan(  # for who publishes what people typed, searched or visited
            "60",
            60,
            (
                "opening_story", "permute_and_flip", "what_k_costs", "noisy_counts", "a_name_of_one",
                "worth_of_a_list", "counts_and_the_factor_two",
            ),
        ),
        SessionPlan(
            "90",
            90,
            ("opening_story", "anonymous_and_private", "permute_and_flip", "what_k_costs", "ten_releases_later"),
            after="permute_and_flip",
            drops=("permute_and_flip",),
            talks=6,
            data=10,
        ),
    )
}  # fmt: skip
"""Planned sessions by key. Tests check that each leaves time to talk; start-up does not."""


OWN = load_startup_session()
"""Session file of this app, or None."""
if OWN is not None:
    SESSIONS[KEY] = SessionPlan(
        KEY, OWN.minutes, OWN.lessons, title=OWN.title, poll=OWN.poll or HARMLESS
    )


def session_for_lessons(lessons: tuple[str, ...]) -> SessionPlan:
    """Planned session of these lessons, or one that takes as long as they do."""
    planned = (session for session in SESSIONS.values() if session.lessons == lessons)
    minutes = _WELCOME + LEAST_TALK + sum(LESSONS[key].minutes for key in lessons)
    return next(planned, SessionPlan("", minutes, lessons))


def find_session(key: str) -> SessionPlan | None:
    """Session with this key, or that of the one lesson with it.

    >>> find_session("ties").time_slots[1].title, find_session("none")
    ('When places tie', None)
    """
    if key not in LESSONS:
        return SESSIONS.get(key)
    return SessionPlan(key, _WELCOME + LESSONS[key].minutes + LEAST_TALK, (key,))


@dataclass(frozen=True)
class LessonPath:
    """Lessons in order; all paths together take every lesson."""

    key: str
    title: str
    says: str
    lessons: tuple[str, ...]

    @property
    def lesson_contents(self) -> tuple[Lesson, ...]:
        return tuple(LESSONS[key] for key in self.lessons)

    @property
    def minutes(self) -> int:
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

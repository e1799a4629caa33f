"""State of a class at one moment, and of one student of it; plain data.

Symbols: a student has a number from 0 and the seed `base * 1024 + number`, so two never share one.
A code has six letters that are not confused when read aloud: 22⁶ = 113 million, all as likely.
"""

import secrets
from collections import Counter
from dataclasses import dataclass

from dpviz.base import Ints, check_integer, export_csv, pd
from dpviz.teaching.classes.course import (
    CourseStop,
    build_course,
    find_question_stop_index,
    first_stop_index_of_experiment,
)
from dpviz.teaching.lesson import FULL, NEAR, Experiment, MultipleChoice
from dpviz.teaching.lesson import LETTERS as ANSWERS
from dpviz.teaching.poll import Poll

STRIDE = 1024
"""Seeds of a class: one for each possible student."""
LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"  # without those that look like others: I, O, Q, U
LENGTH = 6
_LONGEST = 40  # characters that are looked at: a code with many spaces in it


def new_code() -> str:
    """New code, drawn by the system's generator of secrets.

    >>> len(new_code()), set(new_code()) <= set(LETTERS)
    (6, True)
    """
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def parse_code(typed_code: str) -> str | None:
    """Code that a text means; None where it means none.

    >>> parse_code(" abc-def "), parse_code("abc")
    ('ABCDEF', None)
    """
    code = "".join(typed_code[:_LONGEST].split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None


@dataclass(frozen=True)
class QuestionFlags:
    """Progress of a question: `again` after the talk, `shown` its answer."""

    again: bool = False
    shown: bool = False
    bars: bool = False  # how the class answered is shown, and the vote closed


@dataclass(frozen=True)
class StopAnswers:
    """Answers of a class at a stop, by choice, or its `marks`; `after` is empty without a talk."""

    place: int
    stop: CourseStop
    first: tuple[int, ...]
    after: tuple[int, ...]
    marks: tuple[int, ...] = ()  # guesses of the chance that is asked for here, rising


@dataclass(frozen=True)
class RunningPoll:
    """A poll of a class, its votes, and whether all see them."""

    place: int  # below 0 and no other poll's, so a late vote never counts for another poll
    poll: Poll
    votes: tuple[int, ...]
    shown: bool


@dataclass(frozen=True)
class Timer:
    """End of a timer on the server's clock, and its length in seconds."""

    ends: float
    seconds: float

    def seconds_left(self, now: float) -> float:
        """Seconds left; 0 once it has ended.

        >>> Timer(100.0, 60.0).seconds_left(70.0), Timer(100.0, 60.0).seconds_left(200.0)
        (30.0, 0.0)
        """
        return min(max(self.ends - now, 0.0), self.seconds)


@dataclass(frozen=True, eq=False)
class ClassState:
    """A class at one moment; nothing in it tells one student from another."""

    code: str
    lessons: tuple[str, ...]
    place: int
    setting: int
    vote: QuestionFlags
    version: int
    began: float
    over: bool
    locked: bool
    door: str  # the secret of its link and picture
    students: int
    here: int  # who was heard of lately
    first: tuple[int, ...]  # answers to the question asked last, by choice; empty where none was
    after: tuple[int, ...]  # the same after the talk; empty where there was none
    counts: Ints  # everyone's draws at this stop and setting, shape (drawn, outcomes)
    drawing: int  # how many people these are of
    timer: Timer | None = None
    law_shown: bool = False  # whether the exact chances of what is drawn here are seen
    polled: RunningPoll | None = None  # what is asked in place of the stop
    marks: tuple[int, ...] = ()  # guesses of the chance that is asked for here, rising

    @property
    def course_stops(self) -> tuple[CourseStop, ...]:
        return build_course(self.lessons)

    @property
    def current_stop(self) -> CourseStop:
        return self.course_stops[self.place]

    @property
    def question_stop_index(self) -> int | None:
        """Stop whose question was asked last."""
        return find_question_stop_index(self.lessons, self.place)

    @property
    def question(self) -> MultipleChoice | None:
        return (
            None
            if self.question_stop_index is None
            else self.course_stops[self.question_stop_index].question
        )

    @property
    def answer_count(self) -> int:
        """People who have answered the poll, or the question in this round."""
        if self.polled is not None:
            return sum(self.polled.votes)
        return sum(self.after if self.vote.again else self.first)

    @property
    def class_answers_shown(self) -> bool:
        """True while all see how the class answered."""
        return self.vote.shown or self.vote.bars

    @property
    def experiment(self) -> Experiment | None:
        return self.current_stop.experiment

    @property
    def experiment_stop_index(self) -> int:
        """Stop at which draws from this experiment, and marks of it, are kept."""
        return first_stop_index_of_experiment(self.lessons, self.place)

    @property
    def draws_key(self) -> tuple[str, int, int]:
        """Key of the draws in the store: class, stop, setting."""
        return self.code, self.experiment_stop_index, self.setting

    @property
    def setting_value(self) -> float:
        """Value of the control at this stop; 0 without one."""
        return 0.0 if self.experiment is None else self.experiment.settings()[self.setting]


@dataclass(frozen=True)
class Seat:
    """A student's place in a class."""

    code: str
    number: int
    seed: int
    token: str


@dataclass(frozen=True, eq=False)
class StudentStopRecord:
    """Answers to the last question, draws of shape (drawn, outcomes), and guess of a student."""

    first: int | None
    after: int | None
    counts: Ints
    mark: int | None = None
    changes: int = 0  # by this student: of two looks the one with fewer is older

    @property
    def latest_answer(self) -> int | None:
        """Second answer, else the first."""
        return self.first if self.after is None else self.after

    @property
    def draw_count(self) -> int:
        return int(self.counts[0].sum())


def student_seed(class_seed: int, number: int) -> int:
    """Seed of student `number` in a class with this base; different for each.

    >>> student_seed(5, 0), student_seed(5, 1), student_seed(6, 0)
    (5120, 5121, 6144)
    """
    return class_seed * STRIDE + check_integer("number", number, low=0, high=STRIDE - 1)


def answers_csv(stop_answers: tuple[StopAnswers, ...]) -> str:
    """Rows of answers in the order asked, then of marks; nothing tells students apart."""
    answers: list[tuple[object, ...]] = [
        (title, question.text, choice, "yes" if n == right else "no", one.first[n], after, letter)
        for one in stop_answers
        if (question := one.stop.question) is not None
        for title, right in ((one.stop.lesson_content.title, question.answer),)
        for n, (choice, letter) in enumerate(zip(question.choices, ANSWERS, strict=False))
        for after in (one.after[n] if one.after else None,)
    ]
    marks = [
        (one.stop.lesson_content.title, of.guess.asks, f"{mark} of {FULL}", near, count, None, "")
        for one in stop_answers
        if (of := one.stop.experiment) is not None and of.guess is not None
        for mark, count in Counter(one.marks).items()
        for near in ("yes" if abs(mark - of.exact_percentage_at_start) <= NEAR else "no",)
    ]
    columns = ["lesson", "question", "answer", "right", "first", "after", "letter"]
    return export_csv(pd.DataFrame([*answers, *marks], columns=columns).astype({"after": "Int64"}))

"""A class by its code, what it shows at one moment, and what one student of it has; plain data.

Symbols: a class has lessons, a place among their stops, a setting of the stop's control (its
index), and of each question how far it has come; a student has a number from 0, and the seed
`base * 1024 + number`, so that two never share one. A code is six letters that nobody confuses when
they are read from a projector or said aloud, drawn by the system's generator of secrets, each as
likely as any other of 22⁶ = 113 million; it may be typed in small letters, with spaces or hyphens
in it.
"""

import secrets
from dataclasses import dataclass

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes.course import CourseStop, build_course, find_question_place
from dpviz.teaching.lesson import Experiment, MultipleChoice
from dpviz.teaching.poll import Poll

STRIDE = 1024
"""Seeds of a class, one for each student that there can be."""
LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"  # without those that look like others: I, O, Q, U
LENGTH = 6
_LONGEST = 40  # characters that are looked at: a code with many spaces in it


def new_code() -> str:
    """A code that cannot be told from those before.

    >>> len(new_code()), set(new_code()) <= set(LETTERS)
    (6, True)
    """
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """The code that was meant; None where it can be none.

    >>> read_code(" abc-def "), read_code("abc")
    ('ABCDEF', None)
    """
    code = "".join(typed[:_LONGEST].split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None


@dataclass(frozen=True)
class QuestionProgress:
    """How far the question of a stop has come: `again` once it was talked about, `shown` with its
    answer.

    `bars`: whether how the class answered is seen though the answer is not.
    """

    again: bool = False
    shown: bool = False
    bars: bool = False


@dataclass(frozen=True)
class StopAnswers:
    """What a class answered at a stop: by choice, first and after the talk (empty where there was
    none).
    """

    place: int
    stop: CourseStop
    first: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class RunningPoll:
    """A poll of a class: at which place its votes are kept, what is asked, the votes, and whether
    all see them.

    The place is below 0, where no stop is, and no two polls of a class share one: a vote that waits
    on a cut line for one that is over never counts for another.
    """

    place: int
    poll: Poll
    votes: tuple[int, ...]
    shown: bool


@dataclass(frozen=True)
class Timer:
    """When a timer ends, in seconds as the server counts them, and how many it began with."""

    ends: float
    seconds: float

    def seconds_left(self, now: float) -> float:
        """The seconds that are left; none once it has ended.

        >>> Timer(100.0, 60.0).seconds_left(70.0), Timer(100.0, 60.0).seconds_left(200.0)
        (30.0, 0.0)
        """
        return min(max(self.ends - now, 0.0), self.seconds)


@dataclass(frozen=True, eq=False)
class ClassState:
    """What a class shows at one moment; nothing of it tells one student from another."""

    code: str
    lessons: tuple[str, ...]
    place: int
    setting: int
    vote: QuestionProgress
    version: int
    began: float
    ends: float
    over: bool
    locked: bool
    door: str  # the secret of its link and picture
    students: int
    here: int  # who was heard of lately
    first: tuple[int, ...]  # answers to the question asked last, by choice; empty where none was
    after: tuple[int, ...]  # the same after the talk; empty where there was none
    counts: (
        Ints | None
        # everyone's draws at this stop and setting, shape (drawn, outcomes); None where there are none
    )
    drawing: int  # how many people these are of
    timer: Timer | None = None
    law_shown: bool = False  # whether the exact chances of what is drawn here are seen
    polled: RunningPoll | None = None  # what is asked in place of the stop
    marks: tuple[
        int, ...
    ] = ()  # where the class expects the chance that is asked for here, of a hundred, rising

    @property
    def course_stops(self) -> tuple[CourseStop, ...]:
        """All stops of the class."""
        return build_course(self.lessons)

    @property
    def current_stop(self) -> CourseStop:
        """Where the class is."""
        return self.course_stops[self.place]

    @property
    def lesson_key(self) -> str:
        """The key of the lesson it is in."""
        return self.current_stop.lesson

    @property
    def question_place(self) -> int | None:
        """The stop whose question was asked last."""
        return find_question_place(self.lessons, self.place)

    @property
    def question(self) -> MultipleChoice | None:
        """That question."""
        return (
            None if self.question_place is None else self.course_stops[self.question_place].question
        )

    @property
    def answer_count(self) -> int:
        """How many have answered what is asked now: the poll, or the question in this round."""
        if self.polled is not None:
            return sum(self.polled.votes)
        return sum(self.after if self.vote.again else self.first)

    @property
    def answer_shown(self) -> bool:
        """Whether its answer is shown."""
        return self.vote.shown

    @property
    def class_answers_shown(self) -> bool:
        """Whether all see how the class answered."""
        return self.vote.shown or self.vote.bars

    @property
    def experiment(self) -> Experiment | None:
        """What is drawn here."""
        return self.current_stop.experiment

    @property
    def setting_value(self) -> float:
        """The setting itself."""
        return 0.0 if self.experiment is None else self.experiment.settings()[self.setting]


@dataclass(frozen=True)
class Seat:
    """A student's place in a class."""

    code: str
    number: int
    seed: int
    token: str


@dataclass(frozen=True, eq=False)
class StudentProgress:
    """What one student did: the answers to the question asked last, first and after the talk, the
    draws here, the mark.

    The draws have the shape (drawn, outcomes). `changes` counts whatever this student did in the
    class so far: of two looks at the same student that with the lower one is older.
    """

    first: int | None
    after: int | None
    counts: Ints | None
    mark: int | None = None
    changes: int = 0

    @property
    def latest_answer(self) -> int | None:
        """The answer that counts: the later one."""
        return self.first if self.after is None else self.after

    @property
    def draw_count(self) -> int:
        """How many draws these are."""
        return 0 if self.counts is None else int(self.counts[0].sum())


def student_seed(base: int, number: int) -> int:
    """The seed of student `number` of the class with this base: different for each.

    >>> student_seed(5, 0), student_seed(5, 1), student_seed(6, 0)
    (5120, 5121, 6144)
    """
    return base * STRIDE + check_integer("number", number, low=0, high=STRIDE - 1)

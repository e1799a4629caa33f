"""What a class is called by, what it shows at one moment, and what one student of it has; plain data.

Symbols: a class has a lesson, a step, a setting of the step's control (its index), and a bit for each step whose
answer is shown; a student a number from 0 and the seed  base·1024 + number,  so that two never share one.
A code is six letters that nobody confuses when they are read from a projector or said aloud, drawn by the system's
generator of secrets, each as likely as any other of 22⁶ = 113 million; it may be typed in small letters, with spaces or
hyphens in it.
"""

import secrets
from dataclasses import dataclass

from dpviz.base import Ints, check_integer
from dpviz.teaching.lesson import LESSONS, Experiment

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


@dataclass(frozen=True, eq=False)
class ClassState:
    """What a class shows at one moment; nothing of it tells one student from another."""

    code: str
    lesson: str
    step: int
    setting: int
    shown: int
    version: int
    ends: float
    students: int
    predictions: tuple[int, ...]  # by choice, of the question asked last; empty where none was
    counts: Ints | None  # everyone's draws at this step and setting, by outcome; None where nothing is drawn
    drawing: int  # how many people these are of

    @property
    def asked(self) -> int | None:
        """The step whose question was asked last."""
        return LESSONS[self.lesson].prediction(self.step)

    @property
    def answer_shown(self) -> bool:
        """Whether the answer to that question is shown."""
        return self.asked is not None and bool(self.shown >> self.asked & 1)

    @property
    def experiment(self) -> Experiment | None:
        """What is drawn at this step."""
        return LESSONS[self.lesson].steps[self.step].experiment

    @property
    def value(self) -> float:
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
class Mine:
    """What one student did: the choice at the question asked last, and the draws at this step and setting."""

    prediction: int | None
    counts: Ints | None

    @property
    def draws(self) -> int:
        """How many draws these are."""
        return 0 if self.counts is None else int(self.counts.sum())


def student_seed(base: int, number: int) -> int:
    """The seed of student `number` of the class with this base: different for each.

    >>> student_seed(5, 0), student_seed(5, 1), student_seed(6, 0)
    (5120, 5121, 6144)
    """
    return base * STRIDE + check_integer("number", number, low=0, high=STRIDE - 1)

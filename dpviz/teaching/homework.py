"""Homework: a sheet for each student with made-up numbers of its own, and the exact key.

Invariant: seed, lessons and number of a sheet fix its numbers.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from dpviz.base import ParameterError, check_integer
from dpviz.privacy.odds import guess_bound
from dpviz.studies.scenario import LARGEST_SEED
from dpviz.teaching.lesson import Case, Experiment, Lesson
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.lessons.lesson_helpers import TRIP, winner_law
from dpviz.teaching.session_file import CustomSession
from dpviz.topk import OneShot, smallest_epsilon
from dpviz.topk.peeling import Peeling

_MOST_STUDENTS = 1000
_ITEMS = 5
_TENTH = 0.1  # tolerance of an answer with one decimal place
_HALF_PERCENT = 0.005  # and with three digits
_GOAL = 0.9
_EPSILONS = tuple(round(0.3 + 0.05 * i, 2) for i in range(19))


class HomeworkQuestion(NamedTuple):
    """A question with its exact answer, and how far an answer may be off."""

    title: str
    text: str
    answer: float
    tolerance: float


@dataclass(frozen=True)
class HomeworkSheet:
    """Questions of one student."""

    number: int
    name: str
    questions: tuple[HomeworkQuestion, ...]


Asked = tuple[str, float, float]
"""Question, answer and tolerance."""
Kind = Callable[[str, Case], Asked]
"""Name of the item with most votes, and a case → what is asked."""


def _chance(question: str, chance: float) -> Asked:
    return f"{question} Give one decimal place.", 100 * chance, _TENTH


def _number(question: str, number: float) -> Asked:
    return f"{question} Give three digits.", number, _HALF_PERCENT * number


def _winner(best: str, case: Case) -> Asked:
    return _chance(
        f"The exponential mechanism announces one of them at ε = {case.epsilon:g}. In how many of"
        f" 100 releases is it {best}?",
        float(winner_law(case.scores, case.epsilon).max()),
    )


def _flipped(best: str, case: Case) -> Asked:
    return _chance(
        f"Permute-and-flip announces one of them at ε = {case.epsilon:g}. In how many of 100"
        f" releases is it not {best}?",
        1 - float(winner_law(case.scores, case.epsilon, "exponential").max()),
    )


def _list(best: str, case: Case) -> Asked:
    law = Peeling(epsilon=case.epsilon, k=case.k).distribution(case.scores)
    return _chance(
        f"Peeling draws {case.k} of them one after the other by the exponential mechanism, at ε ="
        f" {case.epsilon:g} for the whole list. In how many of 100 releases is the whole list"
        " right?",
        law.top,
    )


def _group(best: str, case: Case) -> Asked:
    return _number(
        f"{case.k} friends take part or stay away together, at ε = {case.epsilon:g}. At most, by"
        " which factor can that change the chance of a result?",
        math.exp(case.k * case.epsilon),
    )


def _noise(best: str, case: Case) -> Asked:
    counts = OneShot(epsilon=case.epsilon, k=case.k, noise="laplace")
    shifts = counts.laplace_score_shifts(case.k, monotonic=True)
    return _number(
        f"Each child has at most {case.k} votes. Laplace noise on each count keeps ε ="
        f" {case.epsilon:g} for all counts together. How large is its scale?",
        math.inf if shifts is None else 1 / shifts[1],
    )


def _replaced(best: str, case: Case) -> Asked:
    scores = replace(case.scores, monotonic=False)
    return _number(
        "Now one child is swapped for another. So one count may fall and another rise. At which"
        f" smallest ε does the exponential mechanism announce {best} in {100 * _GOAL:g} of 100"
        " releases?",
        smallest_epsilon(OneShot(epsilon=1.0, k=1), scores, probability=_GOAL),
    )


def _many(best: str, case: Case) -> Asked:
    lists = 2 * case.k
    return _chance(
        f"{lists} lists about the same children are published, each at ε = {case.epsilon / lists:.2g}."
        " Add up ε. An attacker guesses whether one child took part. Both are equally likely at"
        " first. In how many of 100 cases is the guess right, at most?",
        guess_bound(lists * float(f"{case.epsilon / lists:.2g}")),
    )


KINDS: dict[str, Kind] = {
    "opening_story": _winner,
    "what_is_learnt_without_you": _group,
    "permute_and_flip": _flipped,
    "what_k_costs": _list,
    "noisy_counts": _noise,
    "counts_and_the_factor_two": _replaced,
    "ten_releases_later": _many,
}
"""Kind of question by lesson; a teacher's own lesson with data asks for its winner."""


def draw_homework(
    session: CustomSession, names: Sequence[str], seed: int
) -> tuple[HomeworkSheet, ...]:
    """A sheet for each name; raises `ParameterError` where no lesson has a kind of question."""
    seed = check_integer("seed", seed, low=0, high=LARGEST_SEED)
    if not 1 <= len(names) <= _MOST_STUDENTS or len(set(names)) < len(names):
        allowed = f"from 1 to {_MOST_STUDENTS:,} different names"
        raise ParameterError("the students", f"{len(names):,} names", allowed)
    lessons = lessons_with_questions(session)
    if not lessons:
        allowed = f"some of {', '.join(KINDS)}, or a lesson of your own with data"
        raise ParameterError("lessons", ", ".join(session.lessons), allowed)
    return tuple(
        HomeworkSheet(number, name, tuple(_draw(one, rng) for one in lessons))
        for number, name in enumerate(names, 1)
        for rng in [np.random.default_rng([seed, number])]
    )


def lessons_with_questions(session: CustomSession) -> list[Lesson]:
    own = {one.key: one for one in session.own}
    lessons = [own.get(key) or LESSONS[key] for key in session.lessons]
    return [one for one in lessons if one.key in KINDS or (one.key in own and _data_of(one))]


def _data_of(lesson: Lesson) -> Experiment | None:
    return next((step.experiment for step in lesson.steps if step.experiment is not None), None)


def _draw(lesson: Lesson, rng: Generator) -> HomeworkQuestion:
    """Counts with leads of 1 to 3 votes, in a random order, and an ε."""
    names, epsilons = TRIP.names[:_ITEMS], _EPSILONS
    if lesson.key not in KINDS and (of := _data_of(lesson)) is not None and of.control is not None:
        names, epsilons = of.outcomes, of.control.values
    counts = rng.permutation(rng.integers(4, 9) + np.cumsum(rng.integers(1, 4, len(names))))
    case = Case(
        tuple(counts.tolist()),
        float(rng.choice(epsilons)),
        int(rng.integers(2, 4)) if len(names) > 3 else 1,
        (0,) * len(names),
    )
    votes = ", ".join(f"{name} {n}" for name, n in zip(names, case.counts, strict=True))
    best = names[int(np.argmax(case.counts))]
    asked, answer, tolerance = KINDS.get(lesson.key, _winner)(best, case)
    text = f"Votes: {votes}. One child more adds at most one vote to each place. {asked}"
    return HomeworkQuestion(lesson.title, text, answer, tolerance)

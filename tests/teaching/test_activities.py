"""Lessons let one find out: a mark first, draws of all compared, a mechanism at work, the law last."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.export.lessons import demonstration
from dpviz.teaching.lesson import ComparedLaw, Demonstration, Experiment, Lesson, Walkthrough
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.lessons.large_margin import DIGITS, DRAWN, LARGE, winner_kind_law
from dpviz.teaching.lessons.lesson_helpers import percentage
from tests.teaching.test_lessons import UNLUCKY, misfit

BOUNDS = {"limit, by added ε"}  # no mechanism or world: nothing can be drawn of it
DRAWS, PLAYS = 4000, 120


def first_run(lesson: Lesson) -> Experiment:
    """What a lesson runs first."""
    return next(step.experiment for step in lesson.steps if step.experiment is not None)


def works(lesson: Lesson) -> list[Demonstration]:
    return [step.at_work for step in lesson.steps if step.at_work is not None]


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_has_a_mark_draws_of_all_it_compares_and_a_mechanism_at_work(key: str) -> None:
    lesson = LESSONS[key]
    of = first_run(lesson)
    assert of.guess is not None
    assert of.guess.asks.endswith("?")
    assert of.guess.outcome < len(of.outcomes)
    assert {other.name for other in of.beside if other.draw is None} <= BOUNDS
    assert works(lesson)
    (formula,) = [step.formula for step in lesson.steps if step.formula is not None]
    assert formula.says.endswith(".")
    assert "<math" in demonstration.mathml(formula)


@pytest.mark.parametrize("key", LESSONS)
def test_what_is_drawn_beside_follows_its_own_law(key: str) -> None:
    of = first_run(LESSONS[key])
    for other in of.beside:
        if other.draw is not None:
            drawn = other.draw(of.start, np.random.default_rng(20261123), DRAWS)
            counts = np.bincount(drawn, minlength=len(of.outcomes))
            assert misfit(counts, other.law(of.start)) > UNLUCKY
    counts = of.draw_outcome_counts_per_law(of.start, 3, 10)
    assert counts.shape == (len(of.drawn_law_names), len(of.outcomes))
    assert counts[0].tolist() == of.draw_outcome_counts(of.start, 3, 10).tolist()


def test_what_is_drawn_beside_does_not_share_its_seed() -> None:
    of = first_run(LESSONS["permute_and_flip"])
    twice = replace(of, beside=tuple(ComparedLaw(name, of.law, of.draw) for name in ("b", "c")))
    counts = twice.draw_outcome_counts_per_law(of.start, 3)
    assert len({tuple(row) for row in counts.tolist()}) == 3


@pytest.mark.parametrize("key", LESSONS)
def test_what_is_seen_at_work_is_what_is_drawn(key: str) -> None:
    """The outcomes of plays have the law of the experiment."""
    of = first_run(LESSONS[key])
    for work in works(LESSONS[key]):
        plays = [work.play(np.random.default_rng(seed)) for seed in range(PLAYS)]
        counts = np.bincount([play.outcome for play in plays], minlength=len(of.outcomes))
        assert misfit(counts, of.law(of.start)) > UNLUCKY
        assert work.play(np.random.default_rng(5)) == plays[5]


def turned_round(play: Walkthrough) -> list[str]:
    """Moves that say up and go down, or the other way: a running number, or a count by its noise."""
    found = []
    for before, move in pairwise(play.moves):
        if number := re.search(r"the number goes (up|down)", move.says):
            found.append((move, number, move.rows[-1].value > before.rows[-1].value))
        if noise := re.search(r"gets its noise and goes (up|down) by", move.says):
            (row,) = (row for row in move.rows if row.sign == "now")
            found.append((move, noise, row.noise > 0))
    return [move.says for move, said, goes_up in found if (said[1] == "up") is not goes_up]


@pytest.mark.parametrize("key", LESSONS)
def test_a_move_says_the_way_that_it_goes(key: str) -> None:
    for work in works(LESSONS[key]):
        for seed in range(3):
            assert turned_round(work.play(np.random.default_rng(seed))) == []


@pytest.mark.parametrize("key", LESSONS)
def test_no_step_before_the_reveal_tells_the_result(key: str) -> None:
    lesson = LESSONS[key]
    of = first_run(lesson)
    assert of.guess is not None
    exact = percentage(of.law(of.start)[of.guess.outcome])
    texts = []
    for step in lesson.steps[: [one.experiment for one in lesson.steps].index(of) + 1]:
        texts += [step.title, step.text]
        if step.at_work is not None:
            play = step.at_work.play(np.random.default_rng(lesson.seed))
            texts += [move.says for move in play.moves]
    assert [text for text in texts if exact in text or of.says(of.start) in text] == []


@pytest.mark.parametrize("key", LESSONS)
def test_no_step_before_the_question_says_why_its_right_choice_is_right(key: str) -> None:
    steps = LESSONS[key].steps
    number = next(n for n, step in enumerate(steps) if step.kind == "predict")
    asked = steps[number].question
    assert asked is not None
    assert asked.because not in "".join(step.text for step in steps[: number + 1])


def test_a_universe_of_more_texts_than_are_drawn_has_the_same_law() -> None:
    for digits in DIGITS:
        drawn = winner_kind_law(LARGE, min(digits, np.log10(DRAWN)))
        assert winner_kind_law(LARGE, digits) == pytest.approx(drawn, abs=1e-9)

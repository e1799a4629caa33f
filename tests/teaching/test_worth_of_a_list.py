"""What a list of names is worth: simulated races with a nameless item."""

import math

import numpy as np
import pytest

from dpviz.base.arrays import Floats
from dpviz.teaching.lessons import worth_of_a_list as lesson
from tests.teaching.asked import chosen, questions

COUNTS = np.array([round(1000 / i) for i in range(1, 301)], float)
RUNS = 20_000


def race(epsilon: float, candidates: int, delta: float) -> tuple[Floats, Floats]:
    """How many come out and how many of them are among the ten largest, drawn item by item."""
    rng, share = np.random.default_rng(5), epsilon / 10
    nameless = COUNTS[candidates] + 1 + math.log(candidates / delta) / share
    keys = COUNTS[:candidates] + rng.gumbel(scale=1 / share, size=(RUNS, candidates))
    bar = nameless + rng.gumbel(scale=1 / share, size=RUNS)
    tenth = -np.partition(-keys, 9, axis=1)[:, 9]
    out = keys >= np.maximum(bar, tenth)[:, None]
    return out.sum(axis=1), out[:, :10].sum(axis=1)


@pytest.mark.parametrize("epsilon", lesson.EPSILONS)
def test_both_laws_without_a_list(epsilon: float) -> None:
    found = lesson.law_without_catalogue(epsilon)
    for drawn, law in zip(race(epsilon, 60, 1e-6), (found.length, found.hits), strict=True):
        seen = np.bincount(drawn, minlength=11) / RUNS
        assert np.abs(seen - law).max() < 5 * 0.5 / math.sqrt(RUNS)
    assert lesson.law(epsilon).sum() == pytest.approx(1.0)
    nameless = COUNTS[60] + 1 + 10 / epsilon * math.log(60e6)
    assert lesson.nameless_word_score(epsilon) == pytest.approx(nameless)


def test_hits_with_a_list() -> None:
    rng = np.random.default_rng(6)
    keys = COUNTS + rng.gumbel(scale=10 / 1.5, size=(RUNS, 300))
    right = (np.argpartition(-keys, 9, axis=1)[:, :10] < 10).sum(axis=1)
    found = np.bincount(right, minlength=11) / RUNS
    assert np.abs(found - lesson.law_with_catalogue(1.5).hits).max() < 5 * 0.5 / math.sqrt(RUNS)


def test_the_prices() -> None:
    assert lesson.smallest_epsilon_with_catalogue() == pytest.approx(0.791, abs=1e-3)
    without = [lesson.smallest_epsilon_at_best_limit(delta) for delta in lesson.DELTAS]
    assert without == pytest.approx([2.012, 2.674], abs=1e-3)


def test_the_answers() -> None:
    predicted, stricter = questions("worth_of_a_list")
    assert chosen(predicted).startswith("About two and a half")
    assert (
        math.sqrt(2.5)
        < lesson.smallest_epsilon_at_best_limit(1e-6) / lesson.smallest_epsilon_with_catalogue()
        < 5
    )
    assert chosen(stricter) == "The list becomes shorter"
    drawn = (race(1.5, 60, delta) for delta in lesson.DELTAS)
    (out, right), (fewer, fewer_right) = ([d.mean() for d in each] for each in drawn)
    assert 10 - out > 100 * (out - right)
    assert out - fewer > 1 > fewer - fewer_right

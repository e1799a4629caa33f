"""`agrees` tells a right implementation from one that is a little off, and says where."""

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy import stats

from dpviz import (
    Canonical,
    JointExponential,
    OneShot,
    ParameterError,
    Scores,
    ThresholdCounts,
    agrees,
    estimate,
)
from dpviz.base import Ints

S = Scores([3, 2, 2, 0], labels=["a", "b", "c", "d"], monotonic=True, contributions=1)
PAIRS = Canonical(epsilon=1.0, k=2)
LAW = PAIRS.distribution(S)
JOINT = JointExponential(epsilon=1.0, k=2)
LARGE = Scores(np.linspace(0.0, 20.0, 40))


def stray(scores: Scores, size: int, rng: Generator) -> Ints:
    """Right, but for one draw of ten thousand that has an item twice."""
    rows = PAIRS.sample(scores, size, rng=rng)
    rows[::10_000] = 0
    return rows


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        (PAIRS, Canonical(epsilon=1.1, k=2).distribution(S)),
        (PAIRS, OneShot(epsilon=1.0, k=2).distribution(S)),
        (JOINT, JOINT.replace(over="sequences").distribution(S)),
        (stray, LAW),
        # no set comes out twice
        (Canonical(epsilon=1.1, k=6), Canonical(epsilon=1.0, k=6).distribution(LARGE)),
        (lambda s, n, rng: np.full((n, 2), [0, -1]), LAW),
    ],
)
def test_a_law_that_is_a_little_off_is_found(draw: Any, law: Any) -> None:
    found = agrees(draw, law, samples=40_000)
    assert not found.holds
    assert found.seen.sum() == pytest.approx(found.expected.sum()) == found.draws


@pytest.mark.parametrize("mechanism", [PAIRS, JOINT, ThresholdCounts(epsilon=2.0, k=2, delta=0.1)])
def test_the_right_law_agrees(mechanism: Any) -> None:
    assert agrees(mechanism, mechanism.distribution(S), samples=40_000).holds


def test_the_answer_that_shows_it_is_named() -> None:
    found = agrees(stray, LAW)
    assert found.shown_by == "anything else came out 10 times, not 0"
    assert found.frame()["answer"].iloc[-1] == "anything else"


@pytest.mark.parametrize("runs", [80, pytest.param(2_000, marks=pytest.mark.long)])
def test_right_ones_are_refused_no_more_often_than_said(runs: int) -> None:
    given = {"samples": 1_000, "confidence": 0.9}
    found = [agrees(lambda s, n, rng: LAW.draw(n, rng), LAW, rng=i, **given) for i in range(runs)]
    alarms = sum(not one.holds for one in found)
    assert alarms <= stats.binom.ppf(1 - 1e-6, runs, 0.1)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="law must be an exact law"):
        agrees(PAIRS, estimate(PAIRS, S, samples=10))
    with pytest.raises(ParameterError, match="item indices from 0 to 3"):
        agrees(lambda s, n, rng: np.full((n, 2), 4), LAW)

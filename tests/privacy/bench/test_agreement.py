"""`agrees` tells an implementation that has the law from one that is a little off, and says where."""

from functools import partial
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

S = Scores([3, 2, 2, 0], labels=["a", "b", "c", "d"], monotonic=True)
LARGE = Scores(np.linspace(0.0, 20.0, 40))


def stray(scores: Scores, size: int, rng: Generator) -> Ints:
    """Right, but for one draw of ten thousand that has an item twice."""
    rows = Canonical(epsilon=1.0, k=2).sample(scores, size, rng=rng)
    rows[::10_000] = 0
    return rows


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        (Canonical(epsilon=1.0, k=2), Canonical(epsilon=1.1, k=2).distribution(S)),
        (Canonical(epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2).distribution(S)),
        (
            JointExponential(epsilon=1.0, k=2),
            JointExponential(epsilon=1.0, k=2, over="sequences").distribution(S),
        ),
        (stray, Canonical(epsilon=1.0, k=2).distribution(S)),
        (
            Canonical(epsilon=1.1, k=6),
            Canonical(epsilon=1.0, k=6).distribution(LARGE),
        ),  # no set comes out twice
        (lambda s, n, rng: np.full((n, 2), [0, -1]), Canonical(epsilon=1.0, k=2).distribution(S)),
    ],
)
def test_what_is_a_little_off_is_found(draw: Any, law: Any) -> None:
    found = agrees(draw, law)
    assert not found.holds
    assert found.seen.sum() == pytest.approx(found.expected.sum()) == found.draws


@pytest.mark.parametrize(
    "mechanism",
    [
        Canonical(epsilon=1.0, k=2),
        JointExponential(epsilon=1.0, k=2),
        ThresholdCounts(epsilon=2.0, k=2, delta=0.1),
    ],
)
def test_what_is_right_agrees(mechanism: Any) -> None:
    scores = Scores(S.values, labels=S.labels, monotonic=True, contributions=1)
    assert agrees(mechanism, mechanism.distribution(scores)).holds


def test_order_in_a_row_is_not_looked_at() -> None:
    law = Canonical(epsilon=1.0, k=2).distribution(S)
    assert agrees(lambda s, n, rng: law.draw(n, rng)[:, ::-1], law, rng=1).holds


def test_what_showed_it_is_named() -> None:
    found = agrees(stray, Canonical(epsilon=1.0, k=2).distribution(S))
    assert found.shown_by == "anything else came out 10 times, not 0"
    assert found.frame()["answer"].iloc[-1] == "anything else"


@pytest.mark.parametrize("runs", [80, pytest.param(2_000, marks=pytest.mark.long)])
def test_right_ones_are_refused_no_more_often_than_said(runs: int) -> None:
    law, confidence = Canonical(epsilon=1.0, k=2).distribution(S), 0.9
    check = partial(
        agrees, lambda s, n, rng: law.draw(n, rng), law, samples=1_000, confidence=confidence
    )
    alarms = sum(not check(rng=seed).holds for seed in range(runs))
    assert alarms <= stats.binom.ppf(1 - 1e-6, runs, 1 - confidence)


def test_bad_input() -> None:
    law = Canonical(epsilon=1.0, k=2).distribution(S)
    with pytest.raises(ParameterError, match="law must be an exact law"):
        agrees(Canonical(epsilon=1.0, k=2), estimate(Canonical(epsilon=1.0, k=2), S, samples=10))
    with pytest.raises(ParameterError, match="item indices from 0 to 3"):
        agrees(lambda s, n, rng: np.full((n, 2), 4), law)

"""Scores that one person lowers and raises by different amounts: every neighbour, and twins."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpviz import (
    TOP_K,
    TOP_ONE,
    Design,
    OneShot,
    Question,
    Scores,
    SparseVector,
    decide,
    privacy_loss,
)
from dpviz.base import Mechanism
from dpviz.export.release.plan import build_release_plan
from dpviz.gaps import NoisyTopKWithGap
from dpviz.studies import DataSpec
from tests import meters
from tests.contract import PURE

FALL, RISE = 1.0, 3.0
VALUES, APART = [4.0, 3.0, 0.0], [0.0, 40.0, 0.0]
ALIKE = [TOP_K[name](epsilon=1.0, k=1) for name in PURE] + [
    TOP_ONE["noisy_max"](epsilon=1.0, noise=noise) for noise in ("gumbel", "exponential")
]
"""Mechanisms that only compare scores, so that a shift of all of them changes nothing."""


def told(values: list[float], *, added: bool = True) -> Scores:
    return Scores(values, sensitivity=(FALL, RISE), monotonic=added)


def neighbours(s: Scores) -> Iterator[Scores]:
    """Everything that adding one person makes at a corner, or replacing one by another."""
    ways = (-FALL, RISE) if s.monotonic else (-FALL - RISE, FALL + RISE)
    for step in itertools.product(ways, repeat=s.d):
        yield replace(s, values=[v + move for v, move in zip(s.values, step, strict=True)])


def largest(m: Mechanism, s: Scores) -> float:
    return max(privacy_loss(m, s, other).largest for other in neighbours(s))


def spent_at(sensitivity: float, m: OneShot | SparseVector, s: Scores) -> float:
    """What it would lose between these neighbours if it took this for the sensitivity."""

    def law(scores: Scores) -> dict[Any, float]:
        less = Scores(scores.values, sensitivity=sensitivity)
        if isinstance(m, SparseVector):
            return dict(m.answer_strings(less))
        return dict(enumerate(m.distribution(less).inclusion.tolist()))

    return max(meters.largest_loss(law(s), law(other)) for other in neighbours(s))


@pytest.mark.parametrize("m", ALIKE, ids=lambda m: m.key)
def test_what_only_compares_scores_spends_epsilon_and_no_more(m: Mechanism) -> None:
    for values, added in itertools.product((VALUES, APART), (True, False)):
        assert largest(m, told(values, added=added)) <= 1 + 1e-9
    if m.name not in {"canonical", "joint"}:  # of one item these use half of ε at most
        assert largest(m, told(APART)) > 0.99, "(fall + rise)/2 is no more than is needed"


def test_what_compares_with_a_public_number_takes_the_larger() -> None:
    s = told([60.0, 60.0, 60.0, 0.0])
    sparse = SparseVector(epsilon=1.0, k=1, threshold=20.0)
    assert sparse.match_monotonicity(s).monotonic is False, "scores move both ways"
    assert largest(sparse, s) <= 1 + 1e-9
    assert spent_at((FALL + RISE) / 2, sparse, s) > 1.15, "half of both is too little"
    gap = NoisyTopKWithGap(epsilon=1.0, k=1)
    assert gap.scale(s) == FALL + RISE
    assert largest(gap, told(VALUES)) <= 1 + 1e-9


def test_the_difference_of_both_is_too_little() -> None:
    """The paper's main text has a minus sign, whose sensitivity loses twice ε here."""
    one_shot = OneShot(epsilon=1.0, k=1)
    assert spent_at((RISE - FALL) / 2, one_shot, told(APART)) == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(
    ("data", "scores", "released"),
    [
        (DataSpec(sensitivity=(FALL, RISE)), None, FALL + RISE),
        (DataSpec(source="uploaded"), Scores(range(20), sensitivity=[5.0, *[1.0] * 19]), 5.0),
    ],
    ids=["pair", "items"],
)
def test_a_release_has_noise_for_all_that_one_person_can_change(
    data: DataSpec, scores: Scores | None, released: float
) -> None:
    """Release tools know one number: the sum of both, or the largest of all items."""
    question = Question(data=data, k=2, designs=(Design(),))
    decision = decide(question, scores)
    assert build_release_plan(decision).sensitivity == released

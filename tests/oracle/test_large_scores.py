"""Scores up to 1e15 and sensitivities that are no power of two: laws depend on differences alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import (
    Canonical,
    DistanceToInstability,
    JointExponential,
    LargeMargin,
    NoisyTopKWithGap,
    OneShot,
    Scores,
)
from dpviz.margin.baselines import NoisyMax
from tests.oracle.balls import exact
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import gap, outside, top_k_gaps
from tests.oracle.noise import TAILS
from tests.oracle.races import winners
from tests.oracle.top_k import ranked
from tests.oracle.walk_cases import (
    instability_gaps,
    margin_gaps,
    survival_gap,
    threshold_case,
    threshold_gaps,
)

SELECTED = 4


@pytest.mark.parametrize(
    ("law", "variant"), [(law, v) for law, variants in VARIANTS.items() for v in variants]
)
def test_figures_are_within_their_error(law: str, variant: str) -> None:
    cases = top_k_cases(law, variant, SELECTED, most_items=6, large=True)
    gaps = [gap for case in cases for gap in top_k_gaps(case.mechanism, case.scores)]
    assert len(gaps) > 20 * SELECTED
    assert outside(iter(gaps)) == []


def far_scores(base: float, offsets: list[float], sensitivity: float, monotonic: bool) -> Scores:
    return Scores([base + each for each in offsets], sensitivity=sensitivity, monotonic=monotonic)


scores = st.builds(
    far_scores,
    st.floats(-1e15, 1e15),
    st.lists(st.floats(-20.0, 20.0), min_size=3, max_size=5),
    st.floats(0.01, 100.0),
    st.booleans(),
)


@settings(max_examples=20, derandomize=True)
@given(
    s=scores,
    noise=st.sampled_from(sorted(TAILS)),
    over=st.sampled_from(["sets", "sequences"]),
    gamma=st.floats(0.0, 1.0),
    epsilon=st.floats(0.01, 20.0),
    k=st.integers(1, 2),
)
def test_any_scores_give_figures_within_their_error(
    s: Scores, noise: str, over: str, gamma: float, epsilon: float, k: int
) -> None:
    for m in (
        Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise),
        OneShot(epsilon=epsilon, k=k, noise=noise),
        JointExponential(epsilon=epsilon, k=k, over=over),
    ):
        assert outside(top_k_gaps(m, s)) == []


@pytest.mark.parametrize("adaptive", [False, True])
def test_sparse_vectors_far_from_0(adaptive: bool) -> None:
    rng = np.random.default_rng(6)
    for exponent in (6, 9, 12, 15):
        m, s = threshold_case(adaptive, rng)
        base = 10.0**exponent
        moved = Scores(base + np.round(s.values), sensitivity=0.7, monotonic=s.monotonic)
        assert outside(threshold_gaps(m.replace(threshold=base + round(m.threshold)), moved)) == []


@pytest.mark.parametrize("base", [1e6, 1e9, 1e12, 1e15])
def test_one_item_far_from_0(base: float) -> None:
    s = Scores([base + offset for offset in (400.0, 395.0, 20.0, 0.0)], sensitivity=0.7)
    gaps = [
        *margin_gaps(LargeMargin(epsilon=1.0, delta=1e-3), s),
        *instability_gaps(DistanceToInstability(epsilon=1.0, delta=1e-3), s),
        survival_gap(NoisyTopKWithGap(epsilon=1.0, k=1), s, 1, 2.5),
    ]
    best, levels = NoisyMax(epsilon=0.1, noise="laplace"), ranked(s)[0]
    law, rate = best.distribution(s), exact(0.1) / 2
    true = winners("laplace", [rate * x for x in levels], [1] * s.d)
    for told, p in zip(law.inclusion[s.order], true, strict=True):
        gaps.append(gap("noisy max", float(told), p, law.error))
    assert outside(iter(gaps)) == []

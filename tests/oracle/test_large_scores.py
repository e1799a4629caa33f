"""Scores up to 1e15 with any sensitivity: laws depend on differences alone."""

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
from tests.oracle.choices import gap_survival, instability
from tests.oracle.compare import gap, outside, top_k_gaps
from tests.oracle.noise import TAILS
from tests.oracle.walk_cases import threshold_case, threshold_gaps
from tests.oracle.walks import large_margin

epsilons = st.floats(0.01, 20.0)
scores = st.builds(
    lambda base, offsets, sensitivity, monotonic: Scores(
        [base + offset for offset in offsets], sensitivity=sensitivity, monotonic=monotonic
    ),
    st.floats(-1e15, 1e15),
    st.lists(st.floats(-20.0, 20.0), min_size=3, max_size=5),
    st.floats(0.01, 100.0),
    st.booleans(),
)


@settings(max_examples=20, derandomize=True)
@given(scores, st.sampled_from(sorted(TAILS)), st.floats(0.0, 1.0), epsilons, st.integers(1, 2))
def test_any_scores(s: Scores, noise: str, gamma: float, epsilon: float, k: int) -> None:
    told = {"epsilon": epsilon, "k": k, "noise": noise}
    for m in (Canonical(gamma=gamma, **told), OneShot(**told)):
        assert outside(top_k_gaps(m, s)) == []


@settings(max_examples=20, derandomize=True)
@given(scores, st.sampled_from(["sets", "sequences"]), epsilons, st.integers(1, 2))
def test_any_scores_jointly(s: Scores, over: str, epsilon: float, k: int) -> None:
    assert outside(top_k_gaps(JointExponential(epsilon=epsilon, k=k, over=over), s)) == []


@pytest.mark.parametrize("adaptive", [False, True])
def test_sparse_vectors_far_from_0(adaptive: bool) -> None:
    """Only f − T matters: far from 0, with Δ no power of two."""
    rng = np.random.default_rng(6)
    for exponent in (6, 9, 12, 15):
        m, s = threshold_case(adaptive, rng)
        base = 10.0**exponent
        moved = Scores(base + np.round(s.values), sensitivity=0.7, monotonic=s.monotonic)
        assert outside(threshold_gaps(m.replace(threshold=base + round(m.threshold)), moved)) == []


@pytest.mark.parametrize("base", [1e6, 1e9, 1e12, 1e15])
def test_one_item_far_from_0(base: float) -> None:
    """Large margin, distance to instability and noisy max with gap."""
    s = Scores([base + offset for offset in (400.0, 395.0, 20.0, 0.0)], sensitivity=0.7)
    case = (base, s.values.tolist())
    margin = LargeMargin(epsilon=1.0, delta=1e-3)
    law, (ranks, items) = margin.distribution(s), large_margin(margin, s)
    assert law.rank_law is not None
    told = zip([*law.rank_law, *law.inclusion], [*ranks, *items], strict=True)
    gaps = [gap("rank law, then items", figure, p, law.error, case) for figure, p in told]
    stable = DistanceToInstability(epsilon=1.0, delta=1e-3)
    released, true = stable.distribution(s), instability(stable, s)
    gaps.append(gap("released", released.inclusion.max(), true, released.error, case))
    noisy = NoisyTopKWithGap(epsilon=1.0, k=1)
    true = gap_survival(noisy, s, 1, 2.5)
    gaps.append(gap("gap survival", noisy.gap_survival(s, 1, 2.5), true, 1e-10 * float(true), case))
    assert outside(iter(gaps)) == []

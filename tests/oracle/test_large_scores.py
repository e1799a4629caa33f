"""Scores up to 1e15 and sensitivities that are no power of two: laws depend on differences alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import Canonical, JointExponential, OneShot, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import outside, top_k_gaps
from tests.oracle.noise import TAILS

SELECTED = 8


@pytest.mark.parametrize(("law", "variant"), [(law, v) for law, variants in VARIANTS.items() for v in variants])
def test_figures_are_within_their_error(law: str, variant: str) -> None:
    cases = top_k_cases(law, variant, SELECTED, large=True)
    gaps = [gap for case in cases for gap in top_k_gaps(case.mechanism, case.scores)]
    assert len(gaps) > 20 * SELECTED
    assert outside(iter(gaps)) == []


sensitivities = st.floats(0.01, 100.0)
scores = st.builds(
    lambda base, offsets, sensitivity, monotonic: Scores(
        [base + offset for offset in offsets], sensitivity=sensitivity, monotonic=monotonic
    ),
    st.floats(-1e15, 1e15),
    st.lists(st.floats(-20.0, 20.0), min_size=3, max_size=6),
    sensitivities,
    st.booleans(),
)


@settings(max_examples=40, derandomize=True)
@given(
    scores,
    st.sampled_from(sorted(TAILS)),
    st.floats(0.0, 1.0),
    st.floats(0.01, 20.0),
    st.integers(1, 2),
)
def test_any_scores(s: Scores, noise: str, gamma: float, epsilon: float, k: int) -> None:
    for m in (Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise), OneShot(epsilon=epsilon, k=k, noise=noise)):
        assert outside(top_k_gaps(m, s)) == []


@settings(max_examples=30, derandomize=True)
@given(scores, st.sampled_from(["sets", "sequences"]), st.floats(0.01, 20.0), st.integers(1, 2))
def test_any_scores_jointly(s: Scores, over: str, epsilon: float, k: int) -> None:
    assert outside(top_k_gaps(JointExponential(epsilon=epsilon, k=k, over=over), s)) == []

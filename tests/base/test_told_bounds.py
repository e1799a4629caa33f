"""A bound that is told in words is on its safe side, wherever it is told."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz import (
    CandidatePool,
    Canonical,
    LargeMargin,
    OneShot,
    ParameterError,
    RandomStopping,
    Scores,
    SparseVector,
    ThresholdCounts,
    smallest_epsilon,
)
from dpviz.base.notebook import method_and_error_text
from dpviz.export.audit_report import audit_report_html
from dpviz.margin.front_group import least_distance_from_best
from dpviz.privacy.bench.agreement import Agreement
from dpviz.privacy.bench.audit import Audit

DOCS = Path(__file__).resolve().parents[2] / "assets" / "docs"
VOTES = Scores([31, 28, 25, 19, 15, 13], monotonic=True)
often = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def told(text: str, before: str) -> float:
    found = re.search(rf"{before} at most ([\d.e-]*\d)", text)
    assert found is not None
    return float(found[1])


@given(st.floats(1e-17, 1e-2))
@often
def test_the_error_of_a_law(error: float) -> None:
    assert told(method_and_error_text("exact", error), "error") >= error


@pytest.mark.parametrize(
    "law",
    [
        OneShot(epsilon=0.7, k=2, noise="exponential").distribution(VOTES),
        Canonical(epsilon=0.7, k=2, noise="logistic").distribution(VOTES),
        SparseVector(epsilon=1.0, k=2, threshold=20.0).distribution(VOTES),
        LargeMargin(epsilon=0.3, delta=1e-6).distribution(VOTES, zeros=10**7),
        RandomStopping(stop=0.07).distribution(CandidatePool([[0.3, 0.7, 0.9], [0.2, 0.3, 0.3]])),
    ],
    ids=lambda law: type(law).__name__,
)
def test_the_error_that_a_notebook_shows(law: OneShot) -> None:
    assert told(law._repr_html_(), "error") >= law.error


@given(st.floats(1e-8, 1.0))
@often
def test_the_chance_of_what_an_audit_found(chance: float) -> None:
    counts = np.array([1.0])
    found = Agreement(
        p_value=chance,
        confidence=0.99,
        draws=100,
        cells=("a",),
        expected=counts,
        seen=counts,
        shown_by="a came out 1 time, not 1",
    )
    page = audit_report_html("An audit", Audit(findings=(), delta=0.0, confidence=0.99), found, "")
    assert told(page, "its chance is") >= chance


@given(st.lists(st.integers(1, 4), min_size=3, max_size=9), st.integers(1, 8))
@often
def test_a_goal_that_a_tie_allows(counts: list[int], k: int) -> None:
    assume(k < len(counts))
    scores = Scores(counts, monotonic=True)
    mechanism = Canonical(epsilon=1.0, k=k)
    try:
        smallest_epsilon(mechanism, scores, probability=0.999, figure="top")
    except ParameterError as refused:
        allowed = told(str(refused), "must be") * (1 - 1e-9)  # no finite ε reaches the limit itself
        assert smallest_epsilon(mechanism, scores, probability=allowed, figure="top") > 0


@given(st.floats(0.001, 0.6), st.integers(1, 5))
@often
def test_a_delta_that_a_threshold_allows(epsilon: float, most: int) -> None:
    scores = Scores([9, 5, 2], monotonic=True, contributions=most, names_known=False)
    made = ThresholdCounts(epsilon=epsilon, k=2, delta=0.99)
    try:
        made.distribution(scores)
    except ParameterError as refused:
        made.replace(delta=told(str(refused), "must be")).distribution(scores)


@given(st.floats(0.01, 0.9), st.integers(3, 2000))
@often
def test_a_delta_that_a_lower_bound_allows(epsilon: float, near: int) -> None:
    with pytest.raises(ParameterError) as refused:
        least_distance_from_best(near, epsilon, 0.99, 10)
    assert least_distance_from_best(near, epsilon, told(str(refused.value), "must be"), 10) >= 0


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_no_page_rounds_an_error_to_the_nearest(page: Path) -> None:
    assert not re.findall(r"\{\w+\.(?:error|missing):", page.read_text(encoding="utf-8"))

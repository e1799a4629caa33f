"""General sentences of lessons: random counts refute none of them."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from dpviz import Peeling
from dpviz.teaching.lesson import LESSONS, Case, Claim
from dpviz.teaching.lessons import best_of_many_runs as runs
from dpviz.teaching.lessons import what_k_costs as k_costs
from tests.teaching.texts import texts

CLAIMS = [(key, claim) for key in LESSONS for claim in LESSONS[key].claims]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Few items, so that every list can be gone through, with ties and wide gaps."""
    counts = draw(st.lists(st.integers(0, 40), min_size=3, max_size=6))
    moves = draw(st.lists(st.integers(0, 1), min_size=len(counts), max_size=len(counts)))
    epsilon = draw(st.sampled_from((0.05, 0.12, 0.5, 1.0, 2.0, 4.0)))
    return Case(tuple(counts), epsilon, draw(st.integers(1, len(counts) - 1)), tuple(moves))


@pytest.mark.parametrize(
    ("key", "claim"), CLAIMS, ids=[f"{key}: {claim.says[:40]}" for key, claim in CLAIMS]
)
def test_no_case_refutes_a_claim(key: str, claim: Claim) -> None:
    assert any(claim.says in text for text in texts(LESSONS[key])), "it is not what the lesson says"

    @settings(max_examples=20, deadline=None, derandomize=True, database=None)
    @given(cases())
    def holds(case: Case) -> None:
        assert claim.holds(case)

    holds()


def test_a_claim_that_is_false_is_refuted() -> None:
    """So it was told once: they lose only where names are close at the cut-off."""

    def loses_as_the_list_grows(case: Case) -> bool:
        laws = [Peeling(epsilon=case.epsilon, k=k) for k in range(1, len(case.counts))]
        chances = [float(law.distribution(case.scores).hits[-1]) for law in laws]
        return all(later <= before for before, later in pairwise(chances))

    long = settings(max_examples=4000, deadline=None, database=None, phases=[Phase.generate])
    find(cases(), lambda case: not loses_as_the_list_grows(case), settings=long)


def test_the_vector_that_refuted_the_distance_is_told() -> None:
    tops = [k_costs.clear_margin_probability("canonical", k) for k in (1, 2, 5)]
    # What lists with one name exchanged do.
    one_name = [1 / (1 + k * (100 - k) * math.exp(-10)) for k in (1, 2, 5)]
    assert tops == sorted(tops, reverse=True)
    assert tops[0] == pytest.approx(1 / (1 + 99 * math.exp(-10)), abs=1e-9)
    assert all(top <= most + 1e-9 for top, most in zip(tops, one_name, strict=True))
    assert "0.997" in f"{k_costs.clear_margin_probability('one_shot', 2):.3f}"


def test_known_threshold_publishes_nothing_in_some_releases() -> None:
    said = [runs.nothing_published_probability(tries) for tries in runs.TRIES]
    assert np.all(np.diff(said) > 0)
    assert 0.04 < said[0] < said[-1] < 0.12

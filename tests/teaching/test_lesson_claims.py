"""General sentences of lessons: random counts refute none of them."""

from itertools import pairwise

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from dpviz import Peeling
from dpviz.teaching.lesson import Case, Claim
from dpviz.teaching.lessons import LESSONS
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

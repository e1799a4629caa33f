"""General sentences of lessons: random counts refute none, but those that stood there before."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from dpviz import Canonical, OneShot, Peeling, Scores, ThresholdCounts
from dpviz.privacy.composition import least_total
from dpviz.teaching.lesson import LESSONS, SLACK, Case, Claim
from dpviz.teaching.lessons import a_bound_that_does_not_hold as bound
from dpviz.teaching.lessons import best_of_many_runs as runs
from dpviz.teaching.lessons import noisy_counts as noisy
from dpviz.teaching.lessons import opening_story as story
from dpviz.teaching.lessons import order_of_queries as order
from dpviz.teaching.lessons import what_is_learnt_without_you as learnt
from dpviz.teaching.lessons import what_k_costs as k_costs
from tests.teaching.morals import texts

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


def _all_right(case: Case, k: int) -> float:
    return float(Peeling(epsilon=case.epsilon, k=k).distribution(case.scores).hits[-1])


def _by_distance_alone(case: Case) -> bool:
    """Canonical's chance does not follow k: clear names, the same distance at the cut-off."""
    lists = [(Canonical(epsilon=case.epsilon, k=k), k) for k in (1, 2, 5)]
    tops = [m.distribution(k_costs.clear_margin_scores(k, 100)).top for m, k in lists]
    return max(tops) - min(tops) < 0.01


def _exponential_gains(case: Case) -> bool:
    k = min(case.k + 1, len(case.counts) - 1)
    one, other = (
        OneShot(epsilon=case.epsilon, k=k, noise=noise).distribution(case.scores).hits[-1]
        for noise in ("exponential", "gumbel")
    )
    return bool(one > other)


def _noisy_is_ahead(case: Case, most: int) -> bool:
    """Noisy counts are right more often than canonical."""
    of_canonical = noisy.case_probability(noisy.CANONICAL, case, most)
    return noisy.case_probability(noisy.NOISY, case, most) > of_canonical + SLACK


def _loses_as_the_list_grows(case: Case) -> bool:
    chances = [_all_right(case, k) for k in range(1, len(case.counts))]
    return all(later <= before for before, later in pairwise(chances))


def _hits_belong_to_the_top(case: Case) -> bool:
    law = OneShot(epsilon=case.epsilon, k=case.k).distribution(case.scores)
    return math.isclose(law.inclusion[case.scores.order[: case.k]].sum(), law.expected_hits)


def _never_comes_out(case: Case) -> bool:
    log = Scores([1, 0], monotonic=True, contributions=1, names_known=False)
    law = ThresholdCounts(epsilon=case.epsilon, k=1, delta=1e-6).distribution(log)
    return law.inclusion[0] == 0


def _order_does_not_matter(case: Case) -> bool:
    first, later = order.yes_probability(1, 1, float(case.counts[0])), order.law(float(1 + case.k))
    return math.isclose(first, later[0], abs_tol=0.2 / case.k)


def _nobody_is_more(case: Case) -> bool:
    most = runs.posterior_bound(0.5, case.epsilon)
    return runs.largest_posterior(case, case.k / (case.k + 1)) <= most


OLD = (
    Claim("Canonical's chance does not follow k. It follows the distance at", _by_distance_alone),
    Claim("Peeling and one-shot lose as the list grows", _loses_as_the_list_grows),
    Claim("exponential noise gains a little.", _exponential_gains),
    Claim(
        "win where c is 1 or 2",
        lambda case: [_noisy_is_ahead(case, c) for c in (1, 2, 3)] == [True, True, False],
    ),
    Claim(
        "Noisy counts win where ε is small",
        lambda case: case.epsilon > 0.2 or _noisy_is_ahead(case, 1),
    ),
    Claim(
        "makes him right only a little more often",
        lambda case: story.guess_bound(case.epsilon) < 0.6,
    ),
    Claim(
        "permute-and-flip has bounded range",
        lambda case: bound.is_range_bounded(bound.FLIPPED, case),
    ),
    Claim("hits belong to the true top k, ties or not", _hits_belong_to_the_top),
    Claim("behind a threshold a word of one person never comes out", _never_comes_out),
    Claim("it does not matter what is asked first", _order_does_not_matter),
    Claim(
        "composed they cost what one costs",
        lambda case: least_total([(case.epsilon, 0.0)] * 2).epsilon < case.epsilon,
    ),
    Claim(
        "a group is promised e^ε",
        lambda case: learnt.group_factor(case.k, case.epsilon) <= math.exp(case.epsilon),
    ),
    Claim(
        "for whether Ana read the book",
        lambda case: story.two_lists_guess_probability(case) <= story.guess_bound(case.epsilon),
    ),
    Claim("would never let anyone be more", _nobody_is_more),
    Claim(
        "so 5 change it e^(5ε) times",
        lambda case: learnt.group_factor(case.k, case.epsilon) == math.exp(case.k * case.epsilon),
    ),
    Claim(
        "noisy counts need more noise for more names",
        lambda case: noisy.count_noise_scale(case.k + 1, 1) > noisy.count_noise_scale(1, 1),
    ),
)


@pytest.mark.parametrize("claim", OLD, ids=[claim.says for claim in OLD])
def test_what_was_said_before_is_refuted_and_not_said_any_more(claim: Claim) -> None:
    long = settings(max_examples=4000, deadline=None, database=None, phases=[Phase.generate])
    try:
        find(cases(), lambda case: not claim.holds(case), settings=long)
    except NoSuchExample:
        pytest.fail("nothing refutes it")
    assert not [key for key in LESSONS for text in texts(LESSONS[key]) if claim.says in text]


def test_the_vector_that_refuted_the_distance_is_told() -> None:
    tops = [k_costs.clear_margin_probability("canonical", k) for k in (1, 2, 5)]
    # What lists with one name exchanged do.
    one_name = [1 / (1 + k * (100 - k) * math.exp(-10)) for k in (1, 2, 5)]
    assert tops == sorted(tops, reverse=True)
    assert tops[0] == pytest.approx(1 / (1 + 99 * math.exp(-10)), abs=1e-9)
    assert all(top <= most + 1e-9 for top, most in zip(tops, one_name, strict=True))
    assert "0.997" in f"{k_costs.clear_margin_probability('one_shot', 2):.3f}"


def test_a_loss_above_epsilon_comes_more_often_than_delta() -> None:
    """δ was told as its chance."""
    assert bound.excess_loss_probability() > 2 * bound.true_delta()


def test_known_threshold_publishes_nothing_in_some_releases() -> None:
    said = [runs.nothing_published_probability(tries) for tries in runs.TRIES]
    assert np.all(np.diff(said) > 0)
    assert 0.04 < said[0] < said[-1] < 0.12

"""Of who left a class exact counts tell everything, noisy ones and lists at most what ε allows."""

import math

import numpy as np
import pytest

from dpviz.teaching.classes.vote_releases import release_after_departure, release_top_choices

VOTES = (11, 6, 3)
WITH_NONE = (*VOTES, 0)


def test_exact_counts_always_find_who_left() -> None:
    for seed in range(50):
        left = release_after_departure(VOTES, 1.0, seed)
        assert left.choice_revealed_without_noise == left.chose
        assert left.before.tolist() == list(VOTES)
        assert left.exact.sum() == sum(VOTES) - 1


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_what_is_believed_is_bayes_and_stays_within_two_epsilon(epsilon: float) -> None:
    """Who left is one person here or one there: one taken out of one count and put into another."""
    stayed = np.array(VOTES) - np.eye(3)  # in row j one of j has left
    for seed in range(50):
        left = release_after_departure(VOTES, epsilon, seed)
        odds = left.posterior_belief / left.prior_belief
        assert odds.max() / odds.min() <= math.exp(2 * epsilon) * (1 + 1e-9)
        by_hand = VOTES * np.exp(-epsilon * np.abs(left.noisy - stayed).sum(axis=1))
        assert left.posterior_belief == pytest.approx(by_hand / by_hand.sum(), abs=1e-12)


def test_noise_is_of_the_size_that_it_says() -> None:
    left = [release_after_departure(VOTES, 0.5, seed) for seed in range(2000)]
    off = [np.abs(one.noisy - one.exact) for one in left]
    assert np.mean(off) == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_what_is_believed_of_a_list_is_bayes_and_stays_within_two_epsilon(
    epsilon: float, k: int
) -> None:
    left = release_after_departure(WITH_NONE, epsilon, 1)
    weights = np.exp(epsilon * (left.before - np.eye(4)))  # in row j one of j has left
    law = weights / weights.sum(axis=1, keepdims=True)  # the exponential mechanism
    for seed in range(10):
        listed = release_top_choices(left.exact, epsilon, k, seed)
        assert len(set(listed.chosen)) == k
        believed = listed.posterior_belief(left)
        assert believed[3] == 0  # nobody had chosen it
        odds = believed[:3] / left.prior_belief[:3]  # of one there for one here
        assert odds.max() / odds.min() <= math.exp(2 * epsilon) * (1 + 1e-9)
        if k == 1:
            by_hand = WITH_NONE * law[:, listed.chosen[0]]
            assert believed == pytest.approx(by_hand / by_hand.sum(), abs=1e-12)


def test_lists_come_as_often_right_as_is_said() -> None:
    drawn = [release_top_choices(WITH_NONE, 0.5, 2, seed) for seed in range(200)]
    share = np.mean([one.chosen == (0, 1) for one in drawn])
    assert share == pytest.approx(drawn[0].all_correct_probability, abs=4 * math.sqrt(0.25 / 200))

"""Of who left a class exact counts tell everything, and noisy ones at most what ε allows."""

import math

import numpy as np
import pytest

from dpviz.teaching.classes.vote_releases import release_after_departure

VOTES = (11, 6, 3)


def test_exact_counts_always_find_who_left() -> None:
    for seed in range(50):
        left = release_after_departure(VOTES, 1.0, seed)
        assert left.revealed_choice == left.chose
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

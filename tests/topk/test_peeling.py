"""Peeling: its contract, and where it is the one-shot and where it is not."""

import numpy as np

from dpviz import NOISES, Peeling, Scores, TopKMechanism
from dpviz.base.progress import ignore_progress
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.topk.peeling import is_chain_too_long, peeled_law
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import peeled_sets


class TestPeeling(MechanismContract):
    examples = [
        *(Peeling(epsilon=2.0, k=2, noise=n) for n in NOISES),
        Peeling(epsilon=3.0, k=1, noise="logistic"),
    ]
    vector_name = "peeling"
    vector_parameters = ("noise",)

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """k rounds of the largest of ε/(2k)·x + fresh noise, by following every order."""
        return of_ranks(s, peeled_sets(m.epsilon / (2 * m.k) * s.ranked, m.k, m.noise))  # type: ignore[attr-defined]


def test_long_chains_are_estimated_and_gumbel_ones_are_not() -> None:
    s = Scores(np.arange(40.0))
    assert is_chain_too_long(40, 5)
    assert (
        Peeling(epsilon=1.0, k=5, noise="exponential").distribution(s, samples=200).method
        == "estimated"
    )
    assert Peeling(epsilon=1.0, k=5).distribution(s).method == "exact"


def test_the_error_of_every_round_is_in_the_law() -> None:
    levels, noise = np.array([1.0, 0.4, 0.0, -0.3]), NOISES["laplace"]
    one_round = group_win_probabilities(noise, levels, np.zeros(4)).error
    assert peeled_law(levels, 3, noise, ignore_progress).error >= 3 * one_round > 0

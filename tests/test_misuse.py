"""What people hand over by mistake is answered by what to hand over instead."""

from typing import Any

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest

import dpviz
from dpviz import OneShot, ParameterError, Scores, compose

dp.enable_features("contrib")
VOTES, MORE = (Scores({"a": top, "b": 3, "c": 1}, monotonic=True) for top in (5, 6))
M = OneShot(epsilon=1.0, k=1)
FRAME = pd.DataFrame({"item": ["a", "b"], "n": [3, 1]})
SPACE = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
MEASUREMENT = dp.m.make_noisy_max(*SPACE, dp.max_divergence(), scale=2.0)
CALL_IT, FROM_OPENDP = r"such as OneShot\(epsilon=…, k=…\)", r"from_opendp\(measurement\) makes one"
FROM_FRAME = r"Scores\.from_frame\(frame, score=…, label=…\)"


def draw(scores: Any, size: int, rng: Any) -> Any:
    return np.zeros((size, 1), int)


BY_MECHANISM = {
    "privacy_loss": lambda m: dpviz.privacy_loss(m, VOTES, MORE),
    "worst_neighbour": lambda m: dpviz.worst_neighbour(m, VOTES, rng=1),
    "smallest_epsilon": lambda m: dpviz.smallest_epsilon(m, VOTES, probability=0.9),
    "figures_by_epsilon": lambda m: dpviz.figures_by_epsilon(m, VOTES, [1.0]),
    "estimate": lambda m: dpviz.estimate(m, VOTES),
    "compose": lambda m: compose([(m, 12)]),
    "table_of_epsilon": lambda m: dpviz.table_of_epsilon([m], VOTES, ["top in 0.9"]),
}


@pytest.mark.parametrize("call", BY_MECHANISM)
def test_what_is_no_mechanism_is_told_what_makes_one(call: str) -> None:
    for given, instead in (
        (OneShot, CALL_IT),
        (MEASUREMENT, FROM_OPENDP),
        (draw, r"FromSampler\(draw, epsilon=…, k=…\) makes one"),
        ("one_shot", r"Design\(mechanism='one_shot'\)\.build\(epsilon, k\)"),
    ):
        with pytest.raises(ParameterError, match=instead):
            BY_MECHANISM[call](given)


@pytest.mark.parametrize(
    ("call", "given", "instead"),
    [
        (M.distribution, [FRAME], FROM_FRAME),
        (M.distribution, [[3, 1]], r"Scores\(values\) makes them of numbers"),
        (dpviz.LargeMargin(epsilon=1.0).distribution, [FRAME], FROM_FRAME),
        (dpviz.privacy_loss, [M, FRAME, MORE], FROM_FRAME),
        (dpviz.figures_by_epsilon, [M, FRAME, [1.0]], FROM_FRAME),
        (dpviz.decide, [dpviz.Question(k=1), FRAME], FROM_FRAME),
        (dpviz.decide, ["x"], "question must be a Question"),
        (dpviz.run_sweep, [[M]], "sweep must be a Sweep"),
        (dpviz.expected, [M, draw], "law must be a law, as mechanism.distribution"),
        (dpviz.naive_best, [VOTES], "pool must be a dpviz CandidatePool"),
        (dpviz.audit, [OneShot, VOTES, MORE], CALL_IT),
        (dpviz.audit, [MEASUREMENT, VOTES, MORE], FROM_OPENDP),
        (compose, [M], r"a list such as \[\(mechanism, 12\), other_mechanism\]"),
        (compose, [[0.5]], r"a pair \(ε, δ\) in a list such as"),
        (compose, [[(12, M)]], r"the mechanism first: \(mechanism, 12\)"),
        (compose, [[(0.5, 1)]], r"for 1 times ε write \(\(ε, 0\), 1\), not \(0.5, 1\)"),
        (compose, [[(0.5, 12)]], r"for 12 times ε write \(\(ε, 0\), 12\)"),
        (compose, [[(M, 1.5)]], "the times of a release must be a whole number"),
    ],
)
def test_a_mistake_is_told_what_is_allowed(call: Any, given: list[Any], instead: str) -> None:
    with pytest.raises(ParameterError, match=instead):
        call(*given)


def test_a_plan_takes_pairs_of_both_kinds() -> None:
    pairs = compose([(M, 3), ((0.5, 0), 2), (0.25, 1e-6)], delta=1e-5)
    assert (pairs.releases, pairs.find_way("basic").epsilon) == (6, 4.25)
    assert compose([[M, 3]]) == compose([(M, 3)]) == compose([M, M, M])

"""What people hand over by mistake is answered by what to hand over instead."""

from collections.abc import Callable
from typing import Any

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest

import dpviz
from dpviz import OneShot, ParameterError, Question, Scores

dp.enable_features("contrib")
VOTES, MORE = (Scores({"a": top, "b": 3, "c": 1}, monotonic=True) for top in (5, 6))
M = OneShot(epsilon=1.0, k=1)
FRAME = pd.DataFrame({"item": ["a", "b"], "n": [3, 1]})
MEASUREMENT = dp.m.make_noisy_max(
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.linf_distance(T=float, monotonic=True),
    dp.max_divergence(),
    scale=2.0,
)


def draw(scores: Any, size: int, rng: Any) -> Any:
    return np.zeros((size, 1), int)


BY_MECHANISM: dict[str, Callable[[Any], Any]] = {
    "privacy_loss": lambda m: dpviz.privacy_loss(m, VOTES, MORE),
    "worst_neighbour": lambda m: dpviz.worst_neighbour(m, VOTES, rng=1),
    "inclusion": lambda m: dpviz.inclusion_with_and_without(m, VOTES, MORE),
    "smallest_epsilon": lambda m: dpviz.smallest_epsilon(m, VOTES, probability=0.9),
    "figures_by_epsilon": lambda m: dpviz.figures_by_epsilon(m, VOTES, [1.0]),
    "estimate": lambda m: dpviz.estimate(m, VOTES),
    "compose": lambda m: dpviz.compose([(m, 12)]),
    "table_of_epsilon": lambda m: dpviz.table_of_epsilon([m], VOTES, ["top in 0.9"]),
}
INSTEAD = [
    (OneShot, r"such as OneShot\(epsilon=…, k=…\)"),
    (MEASUREMENT, r"from_opendp\(measurement\) makes one of it"),
    (draw, r"FromSampler\(draw, epsilon=…, k=…\) makes one"),
    ("one_shot", r"Design\(mechanism='one_shot'\)\.build\(epsilon, k\)"),
]


@pytest.mark.parametrize("call", BY_MECHANISM)
@pytest.mark.parametrize(("given", "instead"), INSTEAD)
def test_what_is_no_mechanism_is_told_what_makes_one(call: str, given: Any, instead: str) -> None:
    with pytest.raises(ParameterError, match=instead):
        BY_MECHANISM[call](given)


@pytest.mark.parametrize(("given", "instead"), INSTEAD[:2])
def test_an_audit_is_told_what_draws(given: Any, instead: str) -> None:
    with pytest.raises(ParameterError, match=instead):
        dpviz.audit(given, VOTES, MORE, epsilon=1.0, samples=200)


@pytest.mark.parametrize(
    "call",
    [
        M.distribution,
        dpviz.LargeMargin(epsilon=1.0).distribution,
        lambda s: M.sample(s, rng=1),
        lambda s: dpviz.privacy_loss(M, s, MORE),
        lambda s: dpviz.smallest_epsilon(M, s, probability=0.9),
        lambda s: dpviz.figures_by_epsilon(M, s, [1.0]),
        lambda s: dpviz.decide(Question(k=1), s),
        lambda s: dpviz.Sweep(scores={"a": s}),
    ],
)
def test_what_are_no_scores_is_told_what_makes_them(call: Callable[[Any], Any]) -> None:
    with pytest.raises(ParameterError, match=r"Scores\.from_frame\(frame, score=…, label=…\)"):
        call(FRAME)
    with pytest.raises(ParameterError, match=r"Scores\(values\) makes them|a dpviz.Scores"):
        call([3, 1])


@pytest.mark.parametrize(
    ("plan", "instead"),
    [
        (M, r"a list such as \[\(mechanism, 12\), other_mechanism\]"),
        (12, r"a list such as"),
        ([0.5], r"a pair \(ε, δ\) in a list such as"),
        ([(12, M)], r"the mechanism first: \(mechanism, 12\)"),
        ([(0.5, 1)], r"for 1 times ε write \(\(ε, 0\), 1\), not \(0.5, 1\)"),
        ([(0.5, 1.0)], r"a pair \(ε, δ\) with δ below 1"),
        ([(0.5, 12)], r"for 12 times ε write \(\(ε, 0\), 12\)"),
        ([(M, 1.5)], "the times of a release must be a whole number"),
    ],
)
def test_a_plan_that_may_mean_two_things_is_refused(plan: Any, instead: str) -> None:
    with pytest.raises(ParameterError, match=instead):
        dpviz.compose(plan)


def test_a_plan_takes_pairs_of_both_kinds() -> None:
    pairs = dpviz.compose([(M, 3), ((0.5, 0), 2), (0.25, 1e-6)], delta=1e-5)
    assert (pairs.releases, pairs.find_way("basic").epsilon) == (6, 4.25)
    assert dpviz.compose([[M, 3]]) == dpviz.compose([(M, 3)]) == dpviz.compose([M, M, M])


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (lambda: dpviz.decide("x"), "question must be a Question"),  # type: ignore[arg-type]
        (lambda: dpviz.run_sweep([M]), "sweep must be a Sweep"),  # type: ignore[arg-type]
        (lambda: dpviz.expected(M, draw), r"law must be a law, as mechanism.distribution"),  # type: ignore[arg-type]
        (lambda: dpviz.naive_best(VOTES), "pool must be a dpviz CandidatePool"),  # type: ignore[arg-type]
        (lambda: dpviz.Design(mechanism=draw), "a name on the menu, or a mechanism"),
        (lambda: dpviz.FromSampler(OneShot, epsilon=1.0, k=1), "draw must be a function"),
    ],
)
def test_other_mistakes_are_told_what_is_allowed(call: Callable[[], Any], instead: str) -> None:
    with pytest.raises(ParameterError, match=instead):
        call()

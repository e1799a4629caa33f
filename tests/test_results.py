"""Every result of a public function shows itself: as a frame, in a notebook, by its repr, by value."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy

import dpviz
from dpviz import Canonical, OneShot, ParameterError, Scores, Sweep, compose, smallest_epsilon
from dpviz.studies.data_spec import DataSpec
from tests.hostile import read

VOTES = Scores({"zoo": 9, "lake": 14, "castle": 12, "<b>cave": 2}, monotonic=True)
MORE = Scores({"zoo": 9, "lake": 15, "castle": 12, "<b>cave": 3}, monotonic=True)
M, ONE = Canonical(epsilon=1.0, k=2), OneShot(epsilon=1.0, k=1)
TRIP = DataSpec(name="class_trip")
TWO = (dpviz.Design(mechanism="one_shot"), dpviz.Design())
QUESTION = dpviz.Question(k=2, goal="2 of 2 in 0.9", data=TRIP, releases=12, designs=TWO)
LOG = pd.DataFrame({"who": ["ann", "bo", "ann"], "what": ["tea", "tea", "rye"]})
POOL = dpviz.CandidatePool([[0.7, 0.8], [0.6, 0.9]], labels=["a", "<b>"])
STOP = dpviz.PercentileSparseVector(percentile=0.5, epsilon=1.0, candidate_epsilon=0.1)


def draw(scores: Scores, size: int, rng: np.random.Generator) -> Any:
    return ONE.sample(scores, size, rng=rng)


def curves() -> Any:
    return dpviz.figures_by_epsilon(M, VOTES, [0.5, 1.0])


DRAWN: dict[str, tuple[Callable[[], Any], str]] = {  # results with a picture
    "decide": (lambda: dpviz.decide(QUESTION), "One-shot at ε = 1.811 meets '2 of 2 in 0.9'"),
    "curves": (curves, "top 0.5153 … 0.7594, great"),
    "a curve": (lambda: curves()["good"], "good, 2 points"),
    "a loss": (lambda: dpviz.privacy_loss(M, VOTES, MORE), "0.[0-9]+ of 1"),
    "k items": (lambda: M.distribution(VOTES), r"P\(TOP\) 0.7594"),
    "estimated": (lambda: dpviz.estimate(M, VOTES, samples=500), r"P\(TOP\) 0.7"),
    "gaps": (lambda: dpviz.NoisyTopKWithGap(epsilon=1.0, k=1).distribution(VOTES), "lake 0."),
    "queries": (
        lambda: dpviz.SparseVector(epsilon=1.0, k=1, threshold=5.0).distribution(VOTES),
        "likeliest",
    ),
    "one item": (lambda: dpviz.LargeMargin(epsilon=1.0).distribution(VOTES), "likeliest"),
    "candidates": (lambda: dpviz.naive_best(POOL), "likeliest a 0."),
}
RESULTS = DRAWN | {
    "compose": (lambda: compose([(M, 12)], delta=1e-6), "12 releases, ε = "),
    "count": (lambda: dpviz.count(LOG, person="who", item="what"), "2 items of 3 rows, most tea 2"),
    "a sweep": (lambda: Sweep(scores={"votes": VOTES}, ks=[1, 2]), "2 ks: 2 laws"),
    "a pool": (lambda: dpviz.CandidatePool([[0.7], [0.6, 0.9]], labels=["a", "<b>"]), "2 candid"),
    "chances": (lambda: dpviz.inclusion_with_and_without(ONE, VOTES, MORE)[1], "4 items, chances"),
    "a mean": (lambda: dpviz.expected(M.distribution(VOTES), lambda s: 0 in s), "value=0."),
    "an audit": (lambda: dpviz.audit(draw, VOTES, MORE, epsilon=1.0, samples=200), "no claim"),
    "agreement": (lambda: dpviz.agrees(draw, ONE.distribution(VOTES), samples=2_000), "p = "),
    "a stop": (lambda: STOP.distribution([0.2, 0.9]), "2 steps, likeliest 2: 0."),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_a_frame_a_table_a_repr_and_equal_by_value(name: str) -> None:
    make, told = RESULTS[name]
    result, again = make(), make()
    assert (result == again) is True
    assert hash(result) == hash(again)
    assert re.search(told, repr(result)), repr(result)
    assert len(repr(result)) < 400
    assert len(result.frame())
    shown = result._repr_html_()
    assert "<table" in shown
    assert not re.search("<script|<b>", shown)  # labels stay texts
    read(shown)
    assert hasattr(result, "plot") is (name in DRAWN)
    if name in DRAWN:
        assert result.plot().data
    assert type(result).__name__ in dpviz.__all__


def test_results_of_other_data_differ() -> None:
    for name, other in (
        ("decide", dpviz.decide(QUESTION.replace(releases=13))),
        ("a loss", dpviz.privacy_loss(M, MORE, VOTES)),
        ("count", dpviz.count(LOG[1:], person="who", item="what")),
        ("a sweep", Sweep(scores={"votes": MORE}, ks=[1, 2])),
        ("a stop", STOP.distribution([0.3, 0.9])),
    ):
        assert RESULTS[name][0]() != other, name


def test_a_frame_holds_the_figures_of_its_result() -> None:
    by = compose([(M, 12)], delta=1e-6)
    rows = by.frame().set_index("way")
    assert by.total is not None
    assert rows[rows["taken"]].index.tolist() == [by.total.way]
    assert (rows.loc["rho", "epsilon"], by.reason) == (by.find_way("rho").epsilon, "")
    none = compose([(dpviz.GaussianCounts(epsilon=1.0, k=2, delta=1e-6), 12)])
    assert (none.total, none.reason) == (None, "Their own δ adds up to 1.2e-05, above 0.")
    assert none.reason in none._repr_html_()
    pool = dpviz.CandidatePool([[1.0, 2.0, 3.0, 4.0], scipy.stats.norm(0.0, 1.0)]).frame()
    assert pool["median"].tolist() == [2.0, 0.0]
    assert pool["high"].tolist() == [4.0, pytest.approx(1.6449, abs=1e-4)]
    many = Scores(range(100))
    shown = dpviz.inclusion_with_and_without(ONE, many, many)[0]._repr_html_()
    assert ("… 80 more rows" in shown, shown.count("<tr>")) == (True, 22)


def test_epsilon_across_mechanisms_is_that_of_each_alone() -> None:
    mechanisms = [M, OneShot(epsilon=9.0, k=2, noise="exponential")]
    table = dpviz.table_of_epsilon(mechanisms, VOTES, ["2 of 2 in 0.9", "share in 0.95"])
    hits: dict[str, Any] = {"figure": "hits", "at_least": 2, "probability": 0.9}
    share: dict[str, Any] = {"figure": "share", "probability": 0.95}
    alone = [smallest_epsilon(m, VOTES, **goal) for m in mechanisms for goal in (hits, share)]
    assert table["epsilon"].tolist() == alone
    best = table.groupby("figure")["epsilon"].transform("min")
    assert table["multiple"].tolist() == (table["epsilon"] / best).tolist()
    for bad in ([M, ONE], []):
        with pytest.raises(ParameterError, match="mechanisms for the same k items"):
            dpviz.table_of_epsilon(bad, VOTES, ["top in 0.9"])


def test_a_sweep_takes_mechanisms_and_names() -> None:
    mechanisms: Any = [M, OneShot(epsilon=3.0, k=9, noise="laplace"), "permute-and-flip"]
    sweep = Sweep(scores={"votes": VOTES}, designs=mechanisms, epsilons=[1.0], ks=[1])
    told = [(design.mechanism, design.parameters["noise"]) for design in sweep.designs]
    assert told == [("canonical", "gumbel"), ("one_shot", "laplace"), ("peeling", "exponential")]
    assert len(dpviz.run_sweep(sweep)) == 5 * 3

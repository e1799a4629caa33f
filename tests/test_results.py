"""Every result of a public function shows itself: as a frame, in a notebook, by its repr, by value."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy

import dpviz
from dpviz import (
    CandidatePool,
    Canonical,
    Design,
    GaussianCounts,
    KnownThreshold,
    LargeMargin,
    NoisyTopKWithGap,
    OneShot,
    ParameterError,
    PercentileSparseVector,
    Question,
    Scores,
    SparseVector,
    Sweep,
    agrees,
    audit,
    compose,
    count,
    decide,
    estimate,
    expected,
    figures_by_epsilon,
    inclusion_with_and_without,
    naive_best,
    plot,
    privacy_loss,
    run_sweep,
    smallest_epsilon,
    table_of_epsilon,
    worst_neighbour,
)
from dpviz.studies.data_spec import DataSpec
from tests.hostile import read

VOTES = Scores({"zoo": 9, "lake": 14, "castle": 12, "<b>cave": 2}, monotonic=True)
MORE = Scores({"zoo": 9, "lake": 15, "castle": 12, "<b>cave": 3}, monotonic=True)
M = Canonical(epsilon=1.0, k=2)
ONE = OneShot(epsilon=1.0, k=1)
QUESTION = Question(k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip"), releases=12)
LOG = pd.DataFrame({"who": ["ann", "bo", "ann"], "what": ["tea", "tea", "rye"]})
POOL = CandidatePool([[0.7, 0.8], [0.6, 0.9]], labels=["a", "<b>"])


def draw(scores: Scores, size: int, rng: np.random.Generator) -> Any:
    return ONE.sample(scores, size, rng=rng)


RESULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "compose": (lambda: compose([(M, 12)], delta=1e-6), "12 releases, ε = "),
    "count": (lambda: count(LOG, person="who", item="what"), "2 items of 3 rows, most tea 2"),
    "decide": (lambda: decide(QUESTION), r"One-shot at ε = 1.811 meets '2 of 2 in 0.9', in total"),
    "curves": (lambda: figures_by_epsilon(M, VOTES, [0.5, 1.0]), "top, 2 points: 0.5"),
    "a curve": (lambda: figures_by_epsilon(M, VOTES, [0.5, 1.0])["good"], "good, 2 points"),
    "a sweep": (lambda: Sweep(scores={"votes": VOTES}, ks=[1, 2]), "2 ks: 2 laws"),
    "a pool": (lambda: CandidatePool([[0.7, 0.8], [0.6, 0.9]], labels=["a", "<b>"]), "2 candid"),
    "a loss": (lambda: privacy_loss(M, VOTES, MORE), "0.[0-9]+ of 1"),
    "a lower bound": (lambda: worst_neighbour(OneShot(epsilon=1.0, k=2), VOTES, rng=1)[1], "of 1"),
    "chances": (lambda: inclusion_with_and_without(ONE, VOTES, MORE)[1], "4 items, chances from"),
    "a mean": (lambda: expected(M.distribution(VOTES), lambda chosen: 0 in chosen), "value=0."),
    "an audit": (lambda: audit(draw, VOTES, MORE, epsilon=1.0, samples=200), "no claim refuted"),
    "agreement": (lambda: agrees(draw, ONE.distribution(VOTES), samples=2_000), "agrees, p = "),
    "k items": (lambda: M.distribution(VOTES), r"P\(TOP\) 0.7594"),
    "estimated": (lambda: estimate(M, VOTES, samples=500), r"P\(TOP\) 0.7"),
    "gaps": (lambda: NoisyTopKWithGap(epsilon=1.0, k=1).distribution(VOTES), "likeliest lake 0."),
    "queries": (
        lambda: SparseVector(epsilon=1.0, k=1, threshold=5.0).distribution(VOTES),
        "likeliest ",
    ),
    "one item": (lambda: LargeMargin(epsilon=1.0).distribution(VOTES), "likeliest "),
    "candidates": (
        lambda: KnownThreshold(stop=0.1, threshold=0.8).distribution(POOL),
        "likeliest a 0.",
    ),
    "the best of all runs": (lambda: naive_best(POOL), "likeliest "),
    "a stop": (
        lambda: PercentileSparseVector(
            percentile=0.5, epsilon=1.0, candidate_epsilon=0.1
        ).distribution([0.2, 0.9]),
        "2 steps, likeliest 2: 0.",
    ),
}
PICTURES = {"decide", "curves", "a curve", "a loss", "a lower bound", "k items", "estimated"} | {
    "gaps",
    "queries",
    "one item",
    "candidates",
    "the best of all runs",
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_a_frame_a_table_a_repr_and_equal_by_value(name: str) -> None:
    make, told = RESULTS[name]
    result, again = make(), make()
    assert (result == again) is True
    assert hash(result) == hash(again)
    assert result != make.__name__
    assert re.search(told, repr(result)), repr(result)
    assert len(repr(result)) < 400
    frame = result.frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame)
    shown = result._repr_html_()
    assert "<table" in shown
    assert "<script" not in shown
    assert "<b>" not in shown  # labels stay texts
    read(shown)
    assert hasattr(result, "plot") is (name in PICTURES)
    if name in PICTURES:
        assert result.plot().data
    assert type(result).__name__ in dpviz.__all__ or type(result).__name__ == "FromSampler"


def test_results_of_other_data_differ() -> None:
    for name, other in (
        ("decide", decide(QUESTION.replace(releases=13))),
        ("a loss", privacy_loss(M, MORE, VOTES)),
        ("count", count(LOG[1:], person="who", item="what")),
        ("a sweep", Sweep(scores={"votes": MORE}, ks=[1, 2])),
        ("a stop", PercentileSparseVector(epsilon=1.0).distribution([0.2, 0.9])),
    ):
        assert RESULTS[name][0]() != other, name


def test_a_frame_holds_the_figures_of_its_result() -> None:
    by = compose([(M, 12)], delta=1e-6)
    rows = by.frame().set_index("way")
    assert by.total is not None
    assert rows[rows["taken"]].index.tolist() == [by.total.way]
    assert rows.loc["rho", "epsilon"] == by.find_way("rho").epsilon
    decision = decide(QUESTION)
    (taken,) = decision.frame().query("taken").to_dict("records")
    assert (taken["design"], taken["total"]) == ("One-shot", decision.total.epsilon)  # type: ignore[union-attr]
    spread = scipy.stats.norm(0.0, 1.0)
    pool = CandidatePool([[1.0, 2.0, 3.0, 4.0], spread]).frame()
    assert pool["median"].tolist() == [2.0, 0.0]
    assert pool["high"].tolist() == [4.0, pytest.approx(1.6449, abs=1e-4)]


def test_a_composition_without_a_total_says_why() -> None:
    by = compose([(GaussianCounts(epsilon=1.0, k=2, delta=1e-6), 12)])
    assert by.total is None
    assert by.reason == "Their own δ adds up to 1.2e-05, above 0."
    assert by.reason in repr(by)
    assert by.reason in by._repr_html_()
    assert compose([M]).reason == ""


def test_a_long_frame_is_cut_in_a_notebook() -> None:
    law = OneShot(epsilon=1.0, k=2).distribution(Scores(range(100)))
    chances = inclusion_with_and_without(law.mechanism, law.scores, law.scores)[0]
    assert "… 80 more rows" in chances._repr_html_()
    assert chances._repr_html_().count("<tr>") == 22


def test_epsilon_across_mechanisms_is_that_of_each_alone() -> None:
    mechanisms = [M, OneShot(epsilon=9.0, k=2, noise="exponential")]
    table = table_of_epsilon(mechanisms, VOTES, ["2 of 2 in 0.9", "share in 0.95"])
    for (_, row), (mechanism, event, at_least, probability) in zip(
        table.iterrows(),
        [(m, *goal) for m in mechanisms for goal in (("hits", 2, 0.9), ("share", None, 0.95))],
        strict=True,
    ):
        alone = smallest_epsilon(
            mechanism, VOTES, probability=probability, figure=event, at_least=at_least
        )
        assert row["epsilon"] == alone
    best = table.groupby("figure")["epsilon"].transform("min")
    assert table["multiple"].tolist() == (table["epsilon"] / best).tolist()
    for bad, allowed in (
        ([M, ONE], "mechanisms for the same k items"),
        ([], "mechanisms for the same k items"),
        ([OneShot], "such as OneShot"),
    ):
        with pytest.raises(ParameterError, match=allowed):
            table_of_epsilon(bad, VOTES, ["top in 0.9"])  # type: ignore[arg-type]


def test_a_sweep_takes_mechanisms_and_names() -> None:
    mechanisms = [M, OneShot(epsilon=3.0, k=9, noise="laplace"), "permute-and-flip"]
    sweep = Sweep(scores={"votes": VOTES}, designs=mechanisms, epsilons=[1.0], ks=[1])  # type: ignore[list-item]
    assert sweep.designs == (
        Design(),
        Design(mechanism="one_shot", parameters={"noise": "laplace"}),
        Design(mechanism="peeling", parameters={"noise": "exponential"}),
    )
    assert len(run_sweep(sweep)) == 5 * 3
    with pytest.raises(ParameterError, match="such as Question"):
        decide(M)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="result must be a law"):
        plot(M)

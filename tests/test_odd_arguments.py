"""Whatever is handed over for a parameter is taken, or refused in one sentence that names it."""

import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz import Design, OneShot, ParameterError, Question, Scores, ThresholdCounts
from tests.data.conftest import one_duckdb  # noqa: F401 - a fixture

VOTES, MORE = (
    Scores([top, 7, 3, 1], labels=list("abcd"), monotonic=True, contributions=2) for top in (9, 10)
)
M = dpviz.Canonical(epsilon=1.0, k=2)
SPARSE = dpviz.SparseVector(epsilon=1.0, k=2, threshold=3.0, monotonic=True)
LAW, LOSS = M.distribution(VOTES), dpviz.privacy_loss(M, VOTES, MORE)
FRAME = pd.DataFrame({"who": ["u", "v", "u"], "what": ["x", "y", "z"], "n": [1, 2, 3]})
ODD: tuple[Any, ...] = (
    *(None, True, "x", "", b"x", 0, -1, 0.5, 2.0, 1e-300, 1e300, 2**70, 10**400, 1j, Ellipsis),
    *(float("nan"), float("inf"), Decimal("0.5"), Fraction(1, 3), object(), len),
    *([], [1], [1, 2], (1, 2), {}, {1: 2}, {1, 2}, [[1, 2], [3]], range(3), VOTES, Scores, pd.NA),
    *(np.array(1.0), np.array([1.0, 2.0]), np.array([]), np.float32(0.5), np.int8(1), np.bool_(1)),
    *(np.timedelta64(1, "s"), np.datetime64("2020-01-01"), np.ma.masked_array([1, 2], [0, 1])),
    *(pd.NaT, pd.Series([1, 2]), pd.DataFrame({"a": [1]})),
)
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Scores": (
        Scores,
        {
            "values": [2, 1],
            "labels": ["a", "b"],
            "sensitivity": 1.0,
            "sensitivities": None,
            "contributions": 1,
        },
    ),
    "one-shot": (OneShot, {"epsilon": 1.0, "k": 2, "noise": "laplace"}),
    "stated scale": (
        OneShot,
        {"k": 2, "noise": "laplace", "scale": 2.0, "contributions": 2},
    ),
    "stated σ": (dpviz.GaussianCounts, {"k": 2, "sigma": 2.0, "delta": 0.01, "contributions": 2}),
    "stated threshold": (
        ThresholdCounts,
        {"k": 2, "scale": 2.0, "threshold": 3.0, "contributions": 2, "names_known": False},
    ),
    "limited domain": (
        lambda **given: dpviz.LimitedDomain(**given).distribution(VOTES),
        {"epsilon": 1.0, "k": 2, "delta": 0.01, "candidates": 0},
    ),
    "event": (LAW.event_probability, {"name": "top"}),
    "log_probability": (LAW.log_probability, {"items": [0, 1]}),
    "delta_curve": (LOSS.delta_curve, {"epsilons": [0.1]}),
    "renyi_curve": (LOSS.renyi_curve, {"orders": [2.0]}),
    "coverage": (SPARSE.coverage, {"scores": VOTES, "confidence": 0.9}),
    "renyi": (LOSS.renyi, {"order": 2.0}),
    "trade_off": (LOSS.trade_off, {"alpha": 0.1}),
    "compose": (dpviz.compose, {"releases": [M], "delta": 1e-6, "contributions": 2}),
    "figures_by_epsilon": (
        dpviz.figures_by_epsilon,
        {"m": M, "s": VOTES, "epsilons": [1.0], "figures": ("top",)},
    ),
    "table_of_epsilon": (
        dpviz.table_of_epsilon,
        {"mechanisms": [M], "scores": VOTES, "goals": ["1 of 2 in 0.5"], "limit": 9.0},
    ),
    "expected": (dpviz.expected, {"law": LAW, "figure": [1.0, 2.0, 3.0, 4.0]}),
    "compare": (dpviz.compare, {"mechanisms": [M], "scores": VOTES}),
    "Sweep": (
        dpviz.Sweep,
        {"scores": {"a": VOTES}, "designs": [Design()], "epsilons": (1.0,), "ks": (2,)},
    ),
    "figures of a Sweep": (dpviz.Sweep, {"scores": {"a": VOTES}, "figures": ("top",)}),
    "Design": (Design, {"mechanism": "canonical", "parameters": {}}),
    "Scenario": (dpviz.Scenario, {"designs": (Design(),), "page": {}, "k": 2, "seed": 0}),
    "Question": (Question, {"k": 2, "releases": 2, "counts_in": 1, "decided_on": None}),
    "delta of a Question": (Question, {"delta": 1e-6, "own_share": 0.5}),
    "from_frame": (
        Scores.from_frame,
        {"frame": FRAME, "score": "n", "label": "what", "duplicates": "sum"},
    ),
    "scores_from": (dpviz.scores_from, {"source": FRAME, "score": "n", "label": "what"}),
    "count": (
        dpviz.count,
        {"frame": FRAME, "person": "who", "item": "what", "items": None, "contributions": None},
    ),
    "CandidatePool": (
        dpviz.CandidatePool,
        {"candidates": [[1.0], [2.0]], "labels": ["a", "b"]},
    ),
    "runs of a candidate": (lambda runs: dpviz.CandidatePool([runs]), {"runs": [1.0, 2.0]}),
    "naive_epsilon": (dpviz.naive_epsilon, {"candidates": 2, "candidate_epsilon": 1.0}),
    "delta_of_one": (dpviz.delta_of_one, {"delta": 1e-6, "releases": 2, "share": 0.5}),
}
OWN_FILE = {("scores_from", "source"), ("count", "items")}  # where a text is the path of a file


@pytest.mark.usefixtures("one_duckdb")
@pytest.mark.parametrize("call", CALLS)
def test_an_odd_argument_is_taken_or_refused_in_one_sentence(call: str) -> None:
    function, usual = CALLS[call]
    function(**usual)
    sentences: list[str] = []
    for name in usual:
        for odd in ODD:
            if (call, name) in OWN_FILE and isinstance(odd, str):
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    function(**{**usual, name: odd})
                except ParameterError as err:
                    sentences.append(str(err))
                except Exception as err:
                    raise AssertionError(f"{call}: {name} = {odd!r}") from err
    assert sentences
    assert all(one.endswith(".") and "\n" not in one for one in sentences)


LAWS: dict[str, tuple[Any, int]] = {  # each with the number of names that come out
    "top-k": (LAW, 2),
    "gaps": (dpviz.NoisyTopKWithGap(epsilon=1.0, k=2).distribution(VOTES), 2),
    "queries": (SPARSE.distribution(VOTES), 2),
    "one item": (dpviz.LargeMargin(epsilon=1.0).distribution(VOTES), 1),
    "candidates": (dpviz.RandomStopping().distribution(dpviz.CandidatePool([[1.0]] * 4)), 1),
}


@pytest.mark.parametrize("kind", LAWS)
def test_an_answer_that_no_release_can_have_is_refused(kind: str) -> None:
    law, k = LAWS[kind]
    first = list(range(k))
    usual = law.log_probability(first)
    assert usual < 0
    assert law.log_probability(first[::-1]) == usual
    for answer in ([-1, *first[1:]], [4, *first[1:]], [0.5, *first[1:]], [0] * (k + 1), 0, "a"):
        with pytest.raises(ParameterError):
            law.log_probability(answer)


@pytest.mark.parametrize(
    "given", [{1.0, 2.0}, {0.5: 1, 3.0: 1}, np.ma.masked_array([1, 2], [0, 1])]
)
def test_sensitivities_without_an_order_or_with_a_mask_are_refused(given: object) -> None:
    with pytest.raises(ParameterError, match="sensitivity must be"):
        Scores([5, 3], sensitivity=given)


def test_a_refused_value_is_never_one_that_its_sentence_allows() -> None:
    for call, value, allowed in (
        (lambda at: dpviz.compose([M], delta=at), 1.0, "at least 0 and below 1"),
        (lambda at: Question(delta=at), 1.0, "at least 0 and below 1"),
        (lambda at: OneShot(epsilon=at, k=1), np.array(1.0), r"not array\(1.\)"),
        (lambda at: Scores.from_frame(FRAME.set_axis([0, 1, 2], axis=1), score=at), "2", "2, not"),
    ):
        with pytest.raises(ParameterError, match=allowed):
            call(value)


@pytest.mark.parametrize("field", ["values", "labels"])
def test_what_columns_have_is_not_given_beside_them(field: str) -> None:
    with pytest.raises(ParameterError, match=f"{field} must be left out"):
        Scores.from_frame(FRAME, score="n", **{field: ["a", "b", "c"]})


def test_decimals_are_numbers() -> None:
    given = Scores([Decimal("1.5"), Decimal(2)], sensitivity=Decimal("0.5"))
    assert (given.values.tolist(), given.sensitivity) == ([1.5, 2.0], 0.5)
    with pytest.raises(ParameterError, match=r"values\[0\] must be a finite number"):
        Scores([Decimal("sNaN"), Decimal(2)])


def test_a_log_whose_columns_have_numbers_is_counted_by_the_names_that_an_error_lists() -> None:
    log = FRAME[["who", "what"]].set_axis([0, 1], axis=1)
    with pytest.raises(ParameterError, match="one of the columns '0', '1', not 'who'"):
        dpviz.count(log, person="who", item="what")
    assert dpviz.count(log, person="0", item="1", items=["x", "y"]).table["item"].tolist() == list(
        "xy"
    )

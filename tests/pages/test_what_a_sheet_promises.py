"""What a decision promises one person holds on neighbouring data at every ε."""

import math
import re
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpviz import Scores, decide, guess_bound
from dpviz.pages.decide.sentences import basis
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question
from dpviz.studies.design import Design

COUNTS, K = np.array([9, 7, 5, 2]), 2
KNOWN = ("canonical", "one_shot", "peeling", "joint")
UNKNOWN = ("threshold_counts", "limited_domain")
DESIGNS = [
    *(Design(mechanism=name) for name in KNOWN),
    *(Design(mechanism=name, parameters={"delta": 1e-3}) for name in UNKNOWN),
]
EPSILONS = (0.05, 0.5, 2.0, 20.0)
MOVES = [*((epsilon, True) for epsilon in EPSILONS), (0.5, False), (2.0, False)]


def decided(at: int, epsilon: float, monotonic: bool = True) -> Any:
    """What the sentence is made of, without the search for an ε."""
    known = DESIGNS[at].mechanism in KNOWN
    spec = DataSpec(source="uploaded", monotonic=monotonic, contributions=1, items_known=known)
    given: dict[str, Any] = {"designs": (DESIGNS[at],), "picked": True, "delta": 2e-3}
    question = Question(k=K, data=spec, epsilon=epsilon, **given)
    m = DESIGNS[at].build(epsilon, K)
    return SimpleNamespace(question=question, epsilon=epsilon, mechanism=m)


def promised(decision: Any) -> tuple[float, float]:
    """The factor on a list's chance, and the chance beside it, read from the sentence."""
    said = basis.protection_sentence(decision)
    (times,) = re.findall(r"at most ([\d.,×⁰¹²³⁴⁵⁶⁷⁸⁹⁻∞]+) times as likely", said)
    beside = re.findall(r"plus a chance of ([\d.,×⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", said)
    return number(times), number(beside[0].rstrip(",")) if beside else 0.0


def number(text: str) -> float:
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    plain = text.replace(",", "").translate(digits).replace("×10", "e")
    return math.inf if plain == "∞" else float(plain)


def chances(decision: Any, counts: list[int]) -> np.ndarray:
    """Of every list of at most k."""
    data = decision.question.data
    told = {"monotonic": bool(data.monotonic), "names_known": data.names_known}
    scores = Scores(counts, contributions=1, **told)
    law = decision.mechanism.distribution(scores)
    lengths = range(K + 1) if decision.mechanism.shorter else (K,)
    lists = [items for length in lengths for items in combinations(range(len(counts)), length)]
    return np.exp([law.log_probability(list(items)) for items in lists])


@pytest.mark.parametrize(("epsilon", "monotonic"), MOVES)
@pytest.mark.parametrize("at", range(len(DESIGNS)), ids=lambda at: DESIGNS[at].mechanism)
def test_no_list_is_more_times_as_likely_than_is_said(
    at: int, epsilon: float, monotonic: bool
) -> None:
    decision = decided(at, epsilon, monotonic)
    times, beside = promised(decision)
    assert times >= math.exp(epsilon)
    assert times == pytest.approx(math.exp(epsilon), rel=2e-3 if times < 1e9 else 0.1)
    assert beside == pytest.approx(decision.mechanism.delta_spent, rel=1e-3)
    here = chances(decision, COUNTS.tolist())
    ones = np.eye(len(COUNTS), dtype=int)
    for move in ones if monotonic else [a - b for a in ones for b in ones]:
        there = chances(decision, (COUNTS + move).tolist())
        assert (here <= times * there + beside + 1e-9).all()
        assert (there <= times * here + beside + 1e-9).all()


def test_an_epsilon_of_which_no_float_holds_the_power_is_told_without_limit() -> None:
    assert "at most ∞ times as likely" in basis.protection_sentence(decided(0, 800.0))


@pytest.mark.parametrize("epsilon", EPSILONS[:3])
def test_the_bound_on_guessers_is_for_two_worlds_as_likely_as_each_other(epsilon: float) -> None:
    here, there = (chances(decided(1, epsilon), counts) for counts in ([9, 7, 5, 2], [9, 8, 5, 2]))
    right = {prior: np.maximum(prior * here, (1 - prior) * there).sum() for prior in (0.5, 0.99)}
    assert right[0.5] <= guess_bound(epsilon)
    assert right[0.99] > guess_bound(epsilon)


@pytest.mark.parametrize("taken", [None, 0, 1])
def test_a_number_of_candidates_is_called_the_best_where_no_other_is_cheaper(
    taken: int | None,
) -> None:
    scores = Scores(np.round(400 / np.arange(1, 41)), contributions=3, monotonic=True)
    person: dict[str, Any] = {"monotonic": True, "contributions": 3, "items_known": False}
    menu = tuple(
        Design(mechanism="limited_domain", parameters={"candidates": count}) for count in (6, 30)
    )
    question = Question(
        k=3, data=DataSpec(source="uploaded", **person), designs=menu, delta=1e-5, taken=taken
    )
    decision = decide(question, scores)
    cheapest = min(decision.needs, key=lambda need: need.guess_bound)
    is_cheapest = decision.chosen_plan_with_curves is cheapest
    said = basis.candidate_count_sentence(decision)
    assert ("that number is the best on these data." in said) == is_cheapest
    assert ("that number was chosen by hand." in said) == (not is_cheapest)

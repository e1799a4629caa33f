"""Beliefs, bounds and δ on the page Neighbours, against enumerated answers."""

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpviz import (
    Canonical,
    Design,
    LargeMargin,
    OneShot,
    PrivacyLoss,
    Scenario,
    Scores,
    privacy_loss,
)
from dpviz.base import OutcomeComparison, PrivacyCeiling, RevealingOutput
from dpviz.charts.look import LIGHT
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.pages.common import PageSubject
from dpviz.pages.neighbours import sentences, tables, view
from dpviz.pages.neighbours.settings import FIRST
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.pages.neighbours.view import page_study
from dpviz.privacy.loss_laws import EventLosses, LossLaw
from dpviz.privacy.outcomes import comparison_loss
from dpviz.studies.data_spec import DataSpec
from tests.privacy.oracle import log_laws

MANY = 10_000
TRIP = Scores([9, 7, 4, 3, 2, 1], monotonic=True)
WITHOUT = Scores([8, 6, 4, 2, 2, 1], monotonic=True)
MECHANISM = Canonical(epsilon=1.0, k=2)
PERCENT = re.compile(r"(at most|at least) ([\d.]+)\u202f%")


def study(loss: PrivacyLoss, prior: float = 0.5) -> Any:
    """As much of a study as a belief needs."""
    return SimpleNamespace(loss=loss, settings=SimpleNamespace(prior=prior), has_replacement=False)


def made(
    forth: float, back: float, *, epsilon: float = math.inf, method: Any = "exact"
) -> PrivacyLoss:
    """A loss whose largest value in each direction is given."""
    here, there = (LossLaw(np.array([0.0]), np.ones(1), 0.0, most) for most in (forth, back))
    ceiling, output = PrivacyCeiling(epsilon), RevealingOutput("")
    return PrivacyLoss(
        method=method, ceiling=ceiling, seen="", output=output, here=here, there=there
    )


def lost(p: list[float], q: list[float], ceiling: PrivacyCeiling) -> PrivacyLoss:
    """Loss of one answer whose chances in the two worlds are given."""
    chances = np.array(p), np.array(q)
    both = OutcomeComparison(*chances, 0.0, 0.0, lambda at: RevealingOutput("it"), "it")
    return comparison_loss(both, ceiling)


@cache
def trip() -> PrivacyLoss:
    return privacy_loss(MECHANISM, TRIP, WITHOUT)


def bounds(text: str) -> list[tuple[str, Decimal]]:
    return [(which, Decimal(value)) for which, value in PERCENT.findall(text)]


def test_a_belief_rises_and_falls_as_the_answers_themselves_say() -> None:
    """Bayes' rule over every list that can come out: up to 55 %, and down to 42 %."""
    log_p, log_q = log_laws(MECHANISM, TRIP, WITHOUT)
    beliefs = 1 / (1 + np.exp(log_q - log_p))
    said = sentences.belief_sentences(study(trip()))
    (_, rises), (_, falls), *_ = told = bounds(said)
    assert [which for which, _ in told] == ["at most", "at least", "at most", "at least"]
    assert 0 <= float(rises) - 100 * beliefs.max() < 1
    assert 0 <= 100 * beliefs.min() - float(falls) < 1
    assert (rises, falls) == (55, 42)
    assert float(rises) < 57.6  # what the answer that points the other way would make of it


def check_bounds(belief: Callable[[Any], str]) -> None:
    """Beliefs, read back, hold what Bayes' rule makes of the largest loss of each direction."""
    rng = np.random.default_rng(5)
    losses = np.exp(rng.uniform(-6, 3, (MANY // 4, 3))).tolist()
    priors, methods = rng.uniform(0.01, 0.99, MANY // 4).tolist(), ["exact", "at least"]
    for (forth, back, more), prior, method in zip(losses, priors, itertools.cycle(methods)):
        epsilon = max(forth, back) + more
        loss = made(forth, back, epsilon=epsilon, method=method)
        odds = Decimal(prior) / (1 - Decimal(prior))
        truth = [odds * Decimal(way).exp() for way in (forth, -back, epsilon, -epsilon)]
        told = bounds(belief(study(loss, prior)))
        expected = ["at most", "at least"] if method == "exact" else ["at least", "at most"]
        assert [which for which, _ in told] == [*expected, "at most", "at least"]
        for (which, shown), at in zip(told, truth, strict=True):
            exact = 100 * at / (1 + at)
            slack = Decimal("1e-11")
            assert shown >= exact - slack if which == "at most" else shown <= exact + slack
            assert abs(shown - exact) < 1 + slack


def test_ten_thousand_beliefs_are_on_the_safe_side(monkeypatch: pytest.MonkeyPatch) -> None:
    belief = sentences.belief_sentences
    check_bounds(sentences.belief_sentences)
    with pytest.raises(AssertionError):
        check_bounds(lambda of: belief(study(of.loss.reversed, of.settings.prior)))
    for name in ("upper_percent_text", "lower_percent_text"):
        with monkeypatch.context() as broken:
            broken.setattr(sentences, name, lambda p: f"{100 * p:.1f}\u202f%")
            with pytest.raises(AssertionError):
                check_bounds(belief)


def test_without_a_bound_for_everybody_it_says_so_and_hers_stay() -> None:
    loss = lost([0.9, 0.1, 0.0], [0.7, 0.0, 0.3], PrivacyCeiling(1.0, 0.3))
    said = sentences.belief_sentences(study(loss))
    assert bounds(said) == [("at most", Decimal(100)), ("at least", Decimal(0))]
    assert "may reveal everything about somebody else" in said
    large = privacy_loss(LargeMargin(epsilon=1.0, delta=0.01), TRIP, WITHOUT)
    assert all(0 < value < 100 for _, value in bounds(sentences.belief_sentences(study(large))))


def test_delta_has_the_chance_of_a_loss_above_epsilon_beside_it() -> None:
    loss = lost([0.02, 0.98], [0.006, 0.994], PrivacyCeiling(1.0, 0.01))
    (card,) = [card for card in sentences.headlines(loss) if card.name == "δ at ε"]
    delta = 0.02 - math.e * 0.006
    assert card.value == f"{delta:.3g}"
    assert card.meaning.endswith("has chance 0.02")
    assert float(card.value) < 0.02
    assert "δ at ε" not in [card.name for card in sentences.headlines(trip())]


def test_what_is_only_at_least_ends_at_what_is_allowed() -> None:
    """A certified 0 is no figure on its own, and no lower bound is rounded up."""
    many = Scores(np.arange(40.0)[::-1], monotonic=True)
    more = Scores(many.values + (np.arange(40) % 2), monotonic=True)
    least = privacy_loss(OneShot(epsilon=1.0, k=10), more, many)
    values = {card.name: card.value or "" for card in sentences.headlines(least)}
    assert all(value.startswith("≥ ") for value in values.values()), values
    told = float(values["Privacy loss"][2:])
    assert told <= least.largest < told * 1.01
    nothing = EventLosses(np.array([0.5]), np.array([0.5]))
    unknown = replace(least, here=nothing, there=nothing)
    values = {card.name: (card.value or "") + card.of for card in sentences.headlines(unknown)}
    assert values == {
        "Privacy loss": "0 to 1",
        "Odds": "× 1 to 2.72",
        "An attacker is right": "50 to 74 in 100",
        "On average": "0 to 0.463",
    }
    says = loss_distribution_chart(unknown, worlds=("a", "b")).says_now
    assert "Nothing is known of the loss except its limit, ε = 1" in says


def test_charts_and_tables_have_each_direction_where_it_belongs() -> None:
    """A false alarm is raised in the world without her; the command's tables start from scores."""
    ticked = {"neighbours.who": "ticked", "neighbours.items": "i0-1-3"}
    page = page_study(PageSubject(FIRST.replace(page=ticked)))
    loss, at = page.loss, np.linspace(0, 1, 101)
    chart = view.trade_off_chart(page, LIGHT).table
    np.testing.assert_allclose(chart["misses"], loss.reversed.trade_off(at), atol=1e-12)
    assert np.abs(loss.reversed.trade_off(at) - loss.trade_off(at)).max() > 1e-3
    test = tables.trade_off_table(page)
    np.testing.assert_allclose(test["miss"], loss.trade_off(at), atol=1e-12)
    for curve in (tables.delta_curve_table(page), view.delta_chart(page, LIGHT).table):
        _, *columns = (curve[name].to_numpy() for name in curve.columns)
        for chances, way in zip(columns[2:4], (loss, loss.reversed), strict=True):
            assert chances.tolist() == [way.exceeds(float(epsilon)) for epsilon in curve["epsilon"]]


def test_where_a_name_is_in_one_world_only_nothing_is_called_a_ceiling() -> None:
    """Neither by cards nor by charts of a mechanism that needs names."""
    here, there, same = (
        Scores(counts, monotonic=True, names_known=False)
        for counts in ([5, 4, 1], [5, 4, 0], [5, 5, 1])
    )
    exact, finite = (privacy_loss(Canonical(epsilon=1.0, k=1), here, to) for to in (there, same))
    unknown = replace(made(0.0, 0.0, method="at least"), here=EventLosses(np.zeros(0), np.zeros(0)))
    for loss in (exact, finite, replace(exact, method="at least"), unknown):
        chart = loss_distribution_chart(loss, worlds=("with her", "without"))
        told = [
            sentences.belief_sentences(study(loss)),
            chart.how_to_read,
            chart.says_now,
            chart.alt,
        ]
        for card in sentences.headlines(loss):
            told += [card.value or "", card.meaning, card.remark, card.of]
        ceiling = r"ceiling holds for|its ceiling|±ε is|ε = ∞|of at most|at this ε|Only δ"
        assert [text for text in told if re.search(ceiling, text)] == []
    assert sentences.headlines(exact)[0].value == "∞"


@pytest.mark.parametrize("case", range(40))
def test_no_loss_is_told_as_larger_than_its_limit(case: int) -> None:
    rng = np.random.default_rng([8, case])
    epsilon = float(10.0 ** rng.uniform(-2, 1.5))
    method = "exact" if case % 2 else "at least"
    largest = epsilon * float(rng.choice([0.0, 0.5, 1.0])) if case % 2 == 0 else epsilon
    loss = made(largest, largest, epsilon=epsilon, method=method)
    headline, *_ = sentences.headlines(loss, 0.9)
    for told in (f"{headline.value}{headline.of}", loss_distribution_says(loss)):
        numbers = [float(each) for each in re.findall(r"(?<![\d.])\d+(?:\.\d+)?", told)]
        assert max(numbers) == numbers[-1], told
        assert numbers[-1] >= epsilon * (1 - 1e-12), told


def loss_distribution_says(loss: PrivacyLoss) -> str:
    says = loss_distribution_chart(loss, worlds=("with her", "without her"), look=LIGHT).says_now
    return says.partition(")")[0]


@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize(
    "mechanism",
    [Canonical(epsilon=0.5, k=1, noise="laplace"), MECHANISM, OneShot(epsilon=0.5, k=1)],
)
def test_only_of_an_exact_law_it_is_said_how_often_the_loss_is_large(
    mechanism: Any, k: int
) -> None:
    """A bound on an event's loss says nothing of each answer in it."""
    many = Scores(np.round(300 / np.arange(1, 61) ** 0.7), monotonic=True)
    more = Scores(many.values + np.isin(np.arange(60), [0, 1, 3, 7, 20]), monotonic=True)
    loss = privacy_loss(mechanism.replace(k=k), more, many)
    says = loss_distribution_chart(loss, worlds=("with her", "without her"), look=LIGHT).says_now
    assert "over half" not in says or loss.method == "exact", says


@pytest.mark.parametrize("case", range(20))
def test_from_where_delta_is_said_to_be_0_it_is(case: int) -> None:
    rng = np.random.default_rng([9, case])
    p, q = (float(each) for each in rng.uniform(0.01, 0.99, 2))
    loss = lost([p, 1 - p], [q, 1 - q], PrivacyCeiling(5.0))
    epsilons = np.linspace(0.0, 5.0, 41)
    says = delta_curve_chart(
        epsilons,
        loss.delta_curve(epsilons),
        loss.reversed.delta_curve(epsilons),
        worlds=("with her", "without her"),
        largest=loss.largest,
        look=LIGHT,
    ).says_now
    (told,) = re.findall(r"From ε' = (\S+) on, it is 0", says)
    assert loss.delta(float(told)) == loss.reversed.delta(float(told)) == 0.0, says


def test_an_epsilon_without_a_limit_is_told_as_such() -> None:
    design = Design(
        mechanism="threshold_counts",
        parameters={"scale": 2.0, "threshold": 0.5, "contributions": 1, "noise": "laplace"},
    )
    scores = Scores([9, 7, 4], monotonic=True, contributions=1, names_known=False)
    data = DataSpec(source="uploaded", monotonic=True, contributions=1, items_known=False)
    at = NeighboursStudy(scenario=Scenario(k=1, designs=(design,), data=data), scores=scores)
    assert at.mechanism.epsilon == math.inf
    assert sentences.page_heading(at) == "What do one person's data change, at ε = ∞?"


@pytest.mark.parametrize(
    ("scores", "epsilon"),
    [
        (Scores(np.round(300 / np.arange(1, 61) ** 0.7), monotonic=True), 0.01),
        (Scores(np.round(300 / np.arange(1, 61) ** 0.7), monotonic=True), 6.0),
        (Scores([9, 8, 7, 6, 5, 5, 5, 4, *[0] * 52], monotonic=True), 12.0),
    ],
)
def test_no_difference_is_told_that_a_simulation_cannot_tell(
    scores: Scores, epsilon: float
) -> None:
    """What is told of simulated chances is held against the exact ones of a mechanism so close."""
    design = Design(mechanism="peeling", parameters={"noise": "exponential"})
    data = DataSpec(source="uploaded", monotonic=True)
    scenario = Scenario(k=5, epsilon=epsilon, designs=(design,), data=data)
    drawn = NeighboursStudy(scenario=scenario, scores=scores)
    exact = drawn.replace(scenario=scenario.replace(designs=(Design(mechanism="peeling"),)))
    first, second = (side.value for side in exact.inclusion_probabilities)
    assert drawn.inclusion_probabilities[0].draws
    said = view.two_lists_chart(drawn, LIGHT).says_now, sentences.lead_sentence(drawn)
    if np.abs(first - second).max() < 1e-3:  # far below the error of the simulation
        assert all("larger than the error of the simulation" in text for text in said), said
    else:
        assert np.abs(first - second).max() > 0.05
        assert "more times" in said[0]

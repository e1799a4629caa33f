"""Rules, bounds and numbers that charts name, where a rule, a list or a tie ends."""

import math
import re
from functools import cache

import numpy as np
import pytest

from dpviz import Scenario, Scores
from dpviz.candidates import CANDIDATES
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import LIGHT
from dpviz.charts.candidates.leaks import lowered_threshold_leak_chart, naive_leak_chart
from dpviz.charts.gaps.answer_counts import threshold_answer_count_chart
from dpviz.charts.gaps.gap_release import gap_release_chart
from dpviz.charts.topk.design_curves import NamedDesign, k_curves_chart
from dpviz.charts.topk.map_frame import hover_texts
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.gaps import GapRelease
from dpviz.pages.candidates import choice_takeaway
from dpviz.pages.candidates.study import PriceStudy, StopStudy
from dpviz.pages.gaps.study import QueryStudy
from dpviz.topk.figure_curve import FigureCurve
from dpviz.topk.law_grid import Grid


@cache
def stops() -> StopStudy:
    return StopStudy(scenario=Scenario()).compute()


@pytest.mark.parametrize("place", [0, 3, -2, -1])
def test_the_rule_that_is_said_to_be_best_allows_this_gamma_and_none_is_better(place: int) -> None:
    study = stops()
    stop = study.curve_stop_probabilities[place]
    sentence = choice_takeaway._stop_at(study, stop).sentence
    allowed = {
        CANDIDATES.label(name): float(curve.within[curve.stop == stop][0])
        for name, curve in study.curve.items()
        if stop in curve.stop
    }
    (named,) = (label for label in map(CANDIDATES.label, CANDIDATES) if label in sentence)
    assert allowed.get(named, -1.0) == max(allowed.values()), sentence
    assert "is best" not in sentence  # by which measure
    chart, table = choice_takeaway._stops_at(study, "within", stop, LIGHT)
    for label in map(CANDIDATES.label, CANDIDATES):
        assert (f" {label} " in chart.says_now) is (label in allowed), chart.says_now
    told = dict(zip(table["rule"], table["at this γ"], strict=True))
    assert {label for label, value in told.items() if value} == set(allowed)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("rule", ["known_threshold", "random_stopping"])
def test_a_price_that_no_theorem_states_is_no_epsilon(rule: str, delta: float) -> None:
    page = {"pc.rule": rule, "pc.delta1": delta}
    study = PriceStudy(scenario=Scenario(page=page)).compute()
    sentence = choice_takeaway._priced(study, study.settings.epsilon1).sentence
    assert not re.search("ε = [^0-9]", sentence), sentence
    assert "ε = " in sentence


@pytest.mark.parametrize("epsilon", np.random.default_rng(3).uniform(0.01, 3.0, 12))
def test_what_is_said_to_be_the_most_is_not_passed(epsilon: float) -> None:
    leak = naive_leak(8, epsilon, 0.37)
    (told,) = re.findall(r"more than (\S+) times", naive_leak_chart(leak, epsilon, 5).says_now)
    assert float(told.replace(",", "")) >= math.exp(float(leak.stopping[4])) * (1 - 1e-9)
    lost = threshold_leak(3, 0.1 / (1 + math.exp(epsilon)), 0.5, epsilon)
    (told,) = re.findall(
        r"more than (\S+) times", lowered_threshold_leak_chart(lost, epsilon).says_now
    )
    assert float(told.replace(",", "")) >= math.exp(epsilon) * (1 - 1e-9)


@pytest.mark.parametrize("case", range(20))
def test_items_that_tie_at_the_cutoff_are_right_in_every_release_drawn(case: int) -> None:
    rng = np.random.default_rng([4, case])
    d = int(rng.integers(3, 9))
    k = int(rng.integers(2, d))
    scores = Scores(rng.integers(0, 4, d).astype(float))
    items = rng.choice(d, k, replace=False)
    right = int((scores.values[items] >= np.sort(scores.values)[-k]).sum())
    chart = gap_release_chart(GapRelease(items, np.ones(k)), scores)
    told = f"{'All' if right == k else f'{right} of the'} {k} belong to the true top {k}."
    assert chart.says_now.endswith(told)
    seeds = replayed_seeds_chart(["one"], [scores.rank[items][np.newaxis]], [7], scores)
    assert seeds.says_now.endswith(f"A one {int(right == k)}."), seeds.says_now
    assert (seeds.table["true top"] == "yes").sum() == right
    tied = scores.tie_counts(k)[1] > k
    assert ("exactly the true top" in seeds.says_now) is not tied
    assert ("unless its score ties" in seeds.how_to_read) is tied


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_no_more_answers_are_said_to_be_possible_than_the_law_has(branches: int) -> None:
    page = {
        "gaps.half": "sparse_vector",
        "gaps.by": "value",
        "gaps.threshold": 2.0,
        "gaps.branches": branches,
    }
    scores = Scores([90.0, 80.0, 70.0, 60.0, 50.0, 40.0, 30.0], monotonic=True)
    study = QueryStudy.from_scenario(Scenario(k=2, epsilon=9.0, page=page), scores)
    law = study.law["adaptive"].answer_count_probabilities
    chart = threshold_answer_count_chart(np.array([0.0, 0.0, 1.0]), law, 2)
    (told,) = re.findall(r"can give up to (\d+)", chart.how_to_read)
    assert int(told) == len(law) - 1
    assert "pays half" not in chart.how_to_read


@pytest.mark.parametrize("digits", [2, 3])
def test_no_cell_of_the_map_has_a_chance_as_a_power_of_ten(digits: int) -> None:
    grid = Grid(
        1, np.array([0, 1, 2]), np.array([1, 2, 3]), np.eye(2)[::-1] * 0.9996, np.zeros((2, 2))
    )
    assert not any("e+" in text for row in hover_texts(grid, digits) for text in row)


def test_a_list_is_called_the_longest_only_of_those_computed() -> None:
    """One of 9 is as often right, but none of 9 was computed."""
    lengths = np.array([1, 2, 4, 8, 16])
    chance = np.where(lengths <= 9, 0.7, 0.2)
    curve = FigureCurve("top", lengths, chance, chance, chance, 0.0, "exact")
    says = k_curves_chart({NamedDesign(0, "one"): curve}, 4, 1.0).says_now
    assert says.startswith("The longest of the lists computed, up to 16, ")
    assert "k = 8 with" in says

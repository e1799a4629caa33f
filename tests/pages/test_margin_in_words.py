"""What Margin says of its mechanisms holds for the laws it is said of."""

import re
import unicodedata

import numpy as np
import pytest

from dpviz import Scenario, Scores
from dpviz.base import ignore_progress
from dpviz.charts.margin.margin_curves import margin_promise_chart
from dpviz.margin import GeneralisedExponential, NoisyMax
from dpviz.margin.uneven_sensitivities import uneven_curves
from dpviz.pages.margin.sentences import (
    large_margin_verdict,
    sensitivity_division_text,
    uneven_sensitivity_sentence,
)
from dpviz.pages.margin.study import FIRST, MarginStudy

BOTH = NoisyMax(epsilon=1.0), GeneralisedExponential(epsilon=1.0)


@pytest.mark.parametrize(
    "scores",
    [
        Scores([30.0, 10.0, 0.0]),
        Scores([1e6, 10.0, 0.0]),  # both find the best item, whatever the factor
        Scores([5.0, 4.9, 4.8, 0.0]),
        Scores([40.0, 1.0, 0.0], sensitivities=[1.0, 1.0, 30.0]),
        Scores([3.0, 2.0, 1.0], monotonic=True),
    ],
)
def test_where_the_generalised_mechanism_is_said_to_be_better_it_is(scores: Scores) -> None:
    curves = uneven_curves(*BOTH, scores, ignore_progress)
    sentence = uneven_sensitivity_sentence(curves, scores)
    better = curves.generalised - curves.exponential
    assert ("as the others" in sentence) == (scores.sensitivities is None)
    if "no better" in sentence:
        assert better.max() <= 5e-4
    else:
        (factor,) = re.findall(r"about ([\d.]+) times", sentence)
        first = np.flatnonzero(better > 0.0005)[0]
        assert better[:first].max() <= 5e-4
        assert float(factor) == pytest.approx(curves.factors[first], rel=0.05)


@pytest.mark.parametrize("best", [600.0, 700.0, 900.0])
def test_the_exponential_mechanism_is_half_as_sure_where_it_is_said(best: float) -> None:
    scores = Scores([best, *np.linspace(1.0, 0.0, 40)])
    study = MarginStudy.from_scenario(Scenario(k=1, epsilon=1.0), scores)
    study.compute()
    said = re.search(r"With about ([\d.]+)×10(\S+) items", large_margin_verdict(study))
    assert said is not None
    size = round(float(said[1]) * 10) * 10 ** (int(unicodedata.normalize("NFKC", said[2])) - 1)
    law = NoisyMax(epsilon=1.0).distribution(scores, zeros=size - scores.d)
    assert law.near_best_probability(study.settings.good) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("scores", "what", "better"),
    [
        (None, "a good item", True),  # the example, of a huge universe
        (Scores([5.0, 4.0, 3.0]), "a good item", False),
        (Scores([500.0, 4.0, 3.0]), "the best item", False),
    ],
)
def test_a_good_item_decides_unless_all_mechanisms_find_one(
    scores: Scores | None, what: str, better: bool
) -> None:
    example = FIRST if scores is None else Scenario(k=1, epsilon=1.0)
    study = MarginStudy.from_scenario(example, scores or FIRST.load())
    study.compute(ignore_progress, "law", "half_chance_log10_universe", "front_group_of_scores")
    good = {
        rule: law.near_best_probability(study.settings.good) for rule, law in study.laws.items()
    }
    ours, others = good.pop("large_margin"), max(good.values())
    assert (ours > others + 0.0005) == better
    assert (min(ours, others) > 0.9995) == (what == "the best item")
    begins = f"Large margin {'is' if better else 'is not'} better here. It gives {what} in"
    assert large_margin_verdict(study).startswith(begins)


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("sensitivity", [2.0, (1.0, 0.5), (0.0, 2.0), np.array([1.0, 2.0, 1.0])])
def test_what_scores_are_said_to_be_divided_by_is_what_they_are(
    sensitivity: object, monotonic: bool
) -> None:
    scores = Scores([3.0, 2.0, 1.0], sensitivity=sensitivity, monotonic=monotonic)
    text = sensitivity_division_text(scores)
    own = isinstance(scores.sensitivities, np.ndarray)
    assert ("each item's own" in text) is own
    if own:
        return
    assert f"Δ = {scores.sensitivity:g}" in text
    divided = re.search(r"exponential mechanism and max of Laplaces divide by (Δ/2|[\d.]+)", text)
    told = {"Δ": scores.sensitivity, "Δ/2": scores.sensitivity / 2}
    by = "Δ" if divided is None else divided[1].rstrip(".")
    assert (told[by] if by in told else float(by)) == scores.effective_sensitivity


@pytest.mark.parametrize("case", range(20))
def test_a_guarantee_is_told_no_better_than_it_is(case: int) -> None:
    rng = np.random.default_rng([6, case])
    distance = np.sort(rng.uniform(1.0, 400.0, 9))
    probability = np.sort(np.append(rng.uniform(0.2, 0.99, 8), 0.9496))
    law = np.array([0.0, 500.0]), np.array([0.4, 1.0])
    says = margin_promise_chart({"large_margin": law}, (distance, probability)).says_now
    told = re.findall(r"within (\S+) of the best in ([\d.]+)\u202f%", says)
    at = int(np.argmin(np.abs(probability - 0.95)))
    assert float(told[0][0]) >= distance[at], says
    assert float(told[0][1]) / 100 <= probability[at], says

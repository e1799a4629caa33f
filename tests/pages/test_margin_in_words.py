"""What Margin says of its mechanisms holds for the laws it is said of."""

import re
import unicodedata

import numpy as np
import pytest

from dpviz import Scenario, Scores
from dpviz.base import ignore_progress
from dpviz.margin import GeneralisedExponential, NoisyMax
from dpviz.margin.uneven_sensitivities import uneven_curves
from dpviz.pages.margin.study import MarginStudy
from dpviz.pages.margin.view import large_margin_verdict, uneven_sensitivity_sentence

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

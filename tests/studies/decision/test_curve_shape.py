"""Where a curve turns and levels off, against formulas."""

import math

import numpy as np
import pytest
import scipy

from dpviz import Canonical, Scores
from dpviz.studies.decision import curve_shape
from dpviz.topk import FigureCurve, utility_curves


def figure_curve(x: np.ndarray, p: np.ndarray) -> FigureCurve:
    return FigureCurve("top", x, p, p, p, 0.0, "exact")


@pytest.mark.parametrize("gap", [1.0, 7.0, 100.0])
def test_two_items_with_gumbel_noise(gap: float) -> None:
    """p = 1/(1 + e^(−ε·gap/4)): both points are roots of one variable."""

    def p(epsilon: float) -> float:
        return 1 / (1 + math.exp(-epsilon * gap / 4))

    m, s = Canonical(epsilon=1.0, k=1), Scores([gap, 0.0])
    shape = curve_shape(utility_curves(m, s, events=("top",), low=0.02 / gap, high=500 / gap)[0])
    bracket, half = (math.log(1 / gap), math.log(20 / gap)), math.log(2) / 2
    best = scipy.optimize.minimize_scalar(
        lambda u: p(math.exp(u - half)) - p(math.exp(u + half)), bracket=bracket
    )
    level = scipy.optimize.brentq(lambda e: p(2 * e) - p(e) - 0.01, 8 / gap, 100 / gap)
    assert shape.turning == pytest.approx(math.exp(best.x), rel=0.01)
    assert shape.gain == pytest.approx(-best.fun, abs=1e-3)
    assert shape.levels_off == pytest.approx(level, rel=0.005)


def test_around_a_jump_the_turning_point_is_the_jump() -> None:
    x = np.geomspace(0.01, 100, 4001)
    shape = curve_shape(figure_curve(x, np.where(x < 2.7, 0.001, 0.999)))
    assert shape.turning == pytest.approx(2.7, rel=0.01)
    assert shape.gain == pytest.approx(0.998, abs=1e-3)  # a spline overshoots a little at a jump
    assert shape.levels_off == pytest.approx(2.7, rel=0.01)


def test_the_last_rise_counts_where_there_are_two() -> None:
    x = np.geomspace(0.01, 1000, 400)
    p = 0.6 / (1 + (0.1 / x) ** 6) + 0.3 / (1 + (30 / x) ** 6)
    shape = curve_shape(figure_curve(x, p))
    assert shape.turning == pytest.approx(0.1, rel=0.02)
    assert shape.levels_off is not None
    assert 30 < shape.levels_off < 100


def test_a_curve_that_never_rises_is_level_from_its_start() -> None:
    x = np.geomspace(0.01, 10, 200)
    shape = curve_shape(figure_curve(x, np.full(200, 0.25)))
    assert shape.levels_off == pytest.approx(0.01)
    assert shape.gain == pytest.approx(0.0, abs=1e-12)

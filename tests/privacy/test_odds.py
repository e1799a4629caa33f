"""Odds: what one person's data can change in a belief and in a guess."""

import math

import pytest

from dpviz import ParameterError, guess_bound, posterior_bound


def test_odds() -> None:
    assert posterior_bound(0.5, 0.0) == 0.5
    assert posterior_bound(0.1, 1.0) == pytest.approx(0.1 * math.e / (0.1 * math.e + 0.9))
    assert posterior_bound(0.0, 5.0) == 0.0
    assert posterior_bound(0.2, 1e4) == 1.0
    assert guess_bound(0.0) == 0.5
    assert guess_bound(1.0) == pytest.approx(posterior_bound(0.5, 1.0))
    assert guess_bound(1.0, 0.1) == pytest.approx((math.e + 0.1) / (1 + math.e))
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="prior must be a number from 0 to 1"):
            posterior_bound(bad, 1.0)

"""Rounding up: never below, and nothing smaller of three digits would do."""

import numpy as np
import pytest

from dpviz.base.text_format import round_up


@pytest.mark.parametrize("power", range(-12, 13))
def test_three_digits_stay_and_the_next_float_does_not(power: int) -> None:
    for digits in (100, 123, 500, 999):
        value = float(f"{digits}e{power}")
        assert round_up(value) == value
        assert round_up(np.nextafter(value, np.inf)) == float(f"{digits + 1}e{power}")
        assert round_up(np.nextafter(value, 0.0)) == value

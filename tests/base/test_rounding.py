"""Rounding up: never below, and nothing smaller of three digits would do."""

import numpy as np
import pytest

from dpviz.base.rounding import round_up


def test_rounding_up_gives_the_next_number_of_three_digits() -> None:
    rng = np.random.default_rng(5)
    for value in 10.0 ** rng.uniform(-12, 12, 3_000):
        up = round_up(value)
        assert up >= value
        assert up == float(f"{up:.2e}"), "three digits"
        power = np.floor(np.log10(value)) - 2
        below = float(f"{up - 10.0**power:.2e}")
        assert below < value


@pytest.mark.parametrize("power", range(-12, 13))
def test_three_digits_stay_and_the_next_float_does_not(power: int) -> None:
    for digits in (100, 123, 500, 999):
        value = float(f"{digits}e{power}")
        assert round_up(value) == value
        assert round_up(np.nextafter(value, np.inf)) == float(f"{digits + 1}e{power}")
        assert round_up(np.nextafter(value, 0.0)) == value

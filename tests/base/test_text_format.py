"""Figures in words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base.text_format import (
    percent,
    power_of_ten_text,
    release_frequency_text,
    round_up,
    safe_label,
)

THIN = "\u202f"


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.0, "<0.1"),
        (0.00099, "<0.1"),
        (0.001, "0.100"),
        (0.0123456, "1.23"),
        (0.5, "50.0"),
        (0.87745, "87.7"),
        (0.9989, "99.9"),
        (0.99901, ">99.9"),
        (1.0, ">99.9"),
    ],
)
def test_percent_has_three_digits_and_never_says_certain(p: float, shown: str) -> None:
    assert percent(p) == f"{shown}{THIN}%"


@pytest.mark.parametrize(
    ("p", "low", "high", "shown"),
    [
        (0.52, 0.5, 0.54, "52"),
        (0.52, 0.517, 0.523, "52"),
        (0.52, 0.5195, 0.5205, "52.0"),
        (0.52, 0.4, 0.7, "52"),
        (0.0, 0.0, 0.0004, "<0.1"),
        (0.0, 0.0, 0.0036, "<0.4"),
        (1.0, 0.9964, 1.0, ">99.6"),
        (1.0, 0.969, 1.0, ">96.9"),
    ],
)
def test_percent_shows_no_digit_that_the_interval_leaves_open(
    p: float, low: float, high: float, shown: str
) -> None:
    assert percent(p, low, high) == f"{shown}{THIN}%"


@pytest.mark.parametrize(("p", "half"), [(0.9985, 0.001), (0.9972, 0.02), (0.96, 0.3)])
def test_percent_never_says_all(p: float, half: float) -> None:
    assert not percent(p, p - half, min(1.0, p + half)).startswith("100")


@given(st.floats(0.001, 0.999))
def test_a_frequency_is_the_probability_rounded(p: float) -> None:
    among, base = (
        int(part.replace(",", ""))
        for part in release_frequency_text(p).removesuffix(" releases").split(" of ")
    )
    assert 1 <= among < base
    assert abs(among / base - p) <= 0.5 / base + 1e-12


def test_a_frequency_never_says_never_nor_always() -> None:
    assert release_frequency_text(0.0) == "fewer than 1 of 1,000 releases"
    assert release_frequency_text(1.0) == "more than 999 of 1,000 releases"
    assert release_frequency_text(0.99921) == "more than 999 of 1,000 releases"  # beside ">99.9 %"
    assert release_frequency_text(0.00079) == "fewer than 1 of 1,000 releases"  # beside "<0.1 %"


@given(st.floats(0, 1), st.floats(0, 0.3))
def test_a_frequency_and_a_percentage_beside_each_other_are_equally_sure(
    p: float, half: float
) -> None:
    interval = max(0.0, p - half), min(1.0, p + half)
    often, share = release_frequency_text(p, *interval), percent(p, *interval)
    assert often.startswith("more than ") == (share[0] == ">")
    assert often.startswith("fewer than ") == (share[0] == "<")
    if share[0] in "<>":
        among, base = (
            int(part.replace(",", ""))
            for part in often.split("than ")[1].split(" releases")[0].split(" of ")
        )
        assert math.isclose(float(share[1:].rstrip("%").strip()), 100 * among / base, rel_tol=6e-3)


@given(st.floats(-400, 30_000))
def test_a_power_tells_its_size(log10: float) -> None:
    shown = power_of_ten_text(log10).replace(",", "")
    if "×" in shown:
        digits, exponent = shown.split("×10")
        plain = exponent.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        assert abs(math.log10(float(digits)) + int(plain) - log10) < 0.03
    else:
        assert math.isclose(float(shown), 10**log10, rel_tol=6e-3)


@given(st.text("<>\"'&a$ε "))
def test_a_label_holds_no_markup(text: str) -> None:
    assert not set("<>\"'") & set(safe_label(text))


@pytest.mark.parametrize("power", range(-12, 13))
def test_three_digits_stay_and_the_next_float_is_rounded_up(power: int) -> None:
    for digits in (100, 123, 500, 999):
        value = float(f"{digits}e{power}")
        assert round_up(value) == value
        assert round_up(np.nextafter(value, np.inf)) == float(f"{digits + 1}e{power}")
        assert round_up(np.nextafter(value, 0.0)) == value

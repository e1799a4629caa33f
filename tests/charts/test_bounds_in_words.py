"""No bound that is printed lies on the wrong side: thousands of totals, beliefs and odds."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import numpy as np
import pytest

from dpviz import guess_bound, posterior_bound
from dpviz.base.text_format import (
    lower_bound_text,
    lower_percent_text,
    number_text,
    percent_upper_bound,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.privacy.composition_result import Total

MANY = 10_000
_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read(shown: str) -> Decimal:
    plain = shown.replace(",", "").removesuffix("\u202f%")
    value, *power = plain.split("×10")
    return Decimal(value) * (Decimal(10) ** int(power[0].translate(_DIGITS)) if power else 1)


def sizes(seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    typed = [0.0, 6.0, 0.1, 999.95, 1e-3, 9.9999e8, 1e9, 0.00099999]
    return [*np.exp(rng.uniform(-18, 25, MANY)).tolist(), *typed]


def chances(seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    epsilons = np.exp(rng.uniform(-9, 4, MANY)).tolist()
    priors = rng.random(MANY).tolist()
    beliefs = [posterior_bound(*one) for one in zip(priors, epsilons, strict=True)]
    return [*beliefs, *(guess_bound(epsilon, 1e-6) for epsilon in epsilons)]


def check_numbers(upper: Callable[[float], str], lower: Callable[[float], str]) -> None:
    """Each holds, and says as much as two digits can."""
    for value in sizes(1):
        told, least = read(upper(value)), read(lower(value))
        assert least <= Decimal(value) * (1 + Decimal("1e-14"))
        assert told >= Decimal(value) * (1 - Decimal("1e-14"))
        assert told - least <= Decimal(value) / 9


def check_chances(upper: Callable[[float], str], lower: Callable[[float], str]) -> None:
    for p in chances(2):
        told, least = read(upper(p)), read(lower(p))
        assert 0 <= least <= Decimal(p) * 100 * (1 + Decimal("1e-14")) + Decimal("1e-12")
        assert 100 >= told >= Decimal(p) * 100 * (1 - Decimal("1e-14"))
        assert told - least <= (1 if p >= 0.01 else Decimal("0.2"))


def test_numbers() -> None:
    check_numbers(upper_bound_text, lower_bound_text)
    check_numbers(partial(upper_bound_text, digits=3), partial(lower_bound_text, digits=3))
    assert upper_bound_text(10.32499) == "10.33"
    assert upper_bound_text(math.fsum([0.1] * 3)) == upper_bound_text(0.1 + 0.2) == "0.3"


def test_chances() -> None:
    check_chances(upper_percent_text, lower_percent_text)
    assert upper_percent_text(0.832018) == "84\u202f%"
    for p in chances(3):
        told = percent_upper_bound(p)
        assert Decimal(p) * 100 * (1 - Decimal("1e-14")) <= told < Decimal(p) * 100 + 1


def test_a_total_that_says_itself() -> None:
    for value in sizes(4):
        epsilon, delta = re.findall(r"= (\S+)", str(Total(value, 1.23456e-7, "rho")))
        assert float(epsilon) >= value * (1 - 1e-14)
        assert float(delta) >= 1.23456e-7


def test_twins_that_round_to_the_nearest_are_caught() -> None:
    for upper, lower in ((number_text, lower_bound_text), (upper_bound_text, number_text)):
        with pytest.raises(AssertionError):
            check_numbers(upper, lower)
    nearest = lambda p: f"{100 * p:.1f}"  # noqa: E731
    for upper, lower in ((nearest, lower_percent_text), (upper_percent_text, nearest)):
        with pytest.raises(AssertionError):
            check_chances(upper, lower)

"""A noise goes on the menu only if ε holds as measured, and it is one distribution."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpviz import (
    NOISES,
    Canonical,
    FromSampler,
    OneShot,
    ParameterError,
    Peeling,
    Scores,
    privacy_loss,
)
from dpviz.base.arrays import Floats
from dpviz.base.noise import GAUSSIAN, Noise
from dpviz.base.noise_check import check_noise_privacy


class Scaled(Noise):
    """A family on the menu, so many times as wide."""

    def __init__(self, family: str, width: float, **claims: object) -> None:
        self.one, self.width = NOISES[family], width
        kinks = tuple(kink * width for kink in self.one.kinks)
        vars(self).update({"start": self.one.start * width, "kinks": kinks, **claims})

    def log_pdf(self, u: Floats) -> Floats:
        return self.one.log_pdf(u / self.width) - np.log(self.width)

    def log_cdf(self, u: Floats) -> Floats:
        return self.one.log_cdf(u / self.width)

    def log_sf(self, u: Floats) -> Floats:
        return self.one.log_sf(u / self.width)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return self.width * self.one.quantile(log_p, log_q)


class LargerOfTwo(Noise):
    """The larger of two exponential values."""

    start, kinks = 0.0, (0.0,)

    def log_pdf(self, u: Floats) -> Floats:
        return np.log(2) + NOISES["exponential"].log_pdf(u) + NOISES["exponential"].log_cdf(u)

    def log_cdf(self, u: Floats) -> Floats:
        return 2 * NOISES["exponential"].log_cdf(u)

    def log_sf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_sf(u) + np.log1p(-np.expm1(-np.maximum(u, 0.0)))

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return np.log1p(np.exp(log_p / 2)) - log_q


@pytest.fixture
def menu() -> Iterator[None]:
    yield
    if "own" in NOISES:
        NOISES.remove("own")


def largest_loss(noise: str) -> float:
    """Of each mechanism at ε = 1 over small pairs."""
    rng, found = np.random.default_rng(3), 0.0
    pairs = [rng.integers(0, 4, (2, 3)) for _ in range(4)]
    for kind, k, (values, step) in itertools.product((OneShot, Canonical, Peeling), (1, 2), pairs):
        s, other = Scores(values), Scores(values + step % 3 - 1)
        found = max(found, privacy_loss(kind(epsilon=1.0, k=k, noise=noise), s, other).largest)
    return found


@pytest.mark.parametrize("family", list(NOISES))
def test_noise_on_the_menu_passes_and_is_proved(family: str) -> None:
    assert check_noise_privacy(family, NOISES[family]) == ""
    assert not OneShot(epsilon=1.0, k=1, noise=family).unproved_reason  # type: ignore[arg-type]


@pytest.mark.parametrize("family", list(NOISES))
@pytest.mark.parametrize("width", [0.1, 0.999, 1 - 1e-8])
def test_narrower_noise_is_refused_with_the_factor_that_it_lacks(family: str, width: float) -> None:
    says = "the hazard rate of own must be at most 1 everywhere"
    with pytest.raises(ParameterError, match=says) as refused:
        NOISES.put("own", Scaled(family, width), label="Own")
    factor = float(str(refused.value).split("at least ")[1].split(" times")[0])
    assert 1 / width <= factor <= 1 / width + 1e-4
    assert "own" not in NOISES


CDF = "the cdf of own at its quantile"


@pytest.mark.parametrize(
    ("family", "changes", "says"),
    [
        ("laplace", {"log_pdf": lambda u: NOISES["laplace"].log_pdf(u) - 1}, "the density of own"),
        ("laplace", {"log_sf": NOISES["logistic"].log_sf}, CDF),
        ("laplace", {"quantile": NOISES["logistic"].quantile}, CDF),
        ("laplace", {"quantile": lambda p, q: p + np.nan}, CDF),
        ("exponential", {"hides_values": True}, "hides_values of own must be False"),
        ("gumbel", {"hides_values": True}, "hides_values of own must be False"),
        ("exponential", {"max_stable": True}, "max_stable of own must be False"),
    ],
)
def test_inconsistent_noise_or_a_false_claim_is_refused(
    family: str, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(ParameterError, match=says):
        NOISES.put("own", Scaled(family, 1.0, **changes), label="Own")
    assert "own" not in NOISES


def test_noise_whose_hazard_grows_is_refused_at_any_width() -> None:
    with pytest.raises(ParameterError, match="still grows far out, so that no wider noise of its"):
        NOISES.put("own", GAUSSIAN, label="Own")


def test_noise_that_passes_keeps_epsilon_and_is_called_checked_not_proved(menu: None) -> None:
    NOISES.put("own", LargerOfTwo(), label="Own")
    assert largest_loss("own") <= 1 + 1e-9
    told = "That ε holds with the noise own was checked at 4,000 points, not proved."
    m = OneShot(epsilon=1.0, k=1, noise="own")  # type: ignore[arg-type]
    loss = privacy_loss(m, Scores([3.0, 1.0]), Scores([2.0, 2.0]))
    assert NOISES.says("own") == m.unproved_reason == loss.ceiling.unproved == told
    NOISES.put("own", type("Proved", (LargerOfTwo,), {"hazard_proved": True})(), label="Own")
    assert not m.unproved_reason


def test_an_unproved_mechanism_says_so() -> None:
    own = FromSampler(lambda scores, size, rng: np.zeros(size, int), epsilon=1.0, k=1)
    halved = type("Halved", (Canonical,), {"__module__": "somewhere"})(epsilon=1.0, k=1)
    for m in (own, halved):
        assert m.unproved_reason == "Its ε is what its author claims. dpviz has no proof of it."

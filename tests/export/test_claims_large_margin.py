"""Numbers of Chaudhuri, Hsu & Song another way: formulas, all neighbours, sums over the noise."""

import math
from itertools import product

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy import stats

from dpviz import LargeMargin, Scores
from dpviz.data.examples import EXAMPLES
from dpviz.export.reproduction.claims import large_margin
from tests.export.claim_checks import finding, value


def asked(r: np.ndarray | float, delta: float) -> np.ndarray:
    """T_r at ε = 1, the parts of it added up."""
    shared = 3 * math.log(3 / (2 * delta)) + 6 * math.log(3 / delta)
    return np.asarray(
        shared + 12 * np.log(3 * r * (r + 1) / delta) + 6 * (1 + np.log(3 * r / delta))
    )


def rank_law(s: np.ndarray, delta: float, tests: int) -> np.ndarray:
    """P(ℓ = r) for the first tests at ε = 1, by a sum over the noise that all tests share."""
    u = np.linspace(-150, 150, 1201)[:, None]  # Lap(3) − Lap(6)
    density = (6 * np.exp(-np.abs(u) / 6) - 3 * np.exp(-np.abs(u) / 3)) / (2 * (36 - 9))
    passes = stats.laplace.cdf(
        s[0] - s[1 : tests + 1] - asked(np.arange(1.0, tests + 1), delta) + u, scale=12
    )
    reached = np.cumprod(np.hstack([np.ones_like(u), 1 - passes[:, :-1]]), axis=1)
    return np.trapezoid(density * reached * passes, u[:, 0], axis=0)


def front_losses(s: np.ndarray, most: int, rate: float) -> np.ndarray:
    """How far below the best the choice among the top 1, …, most lies on average."""
    w = np.exp(rate * (s[:most] - s[0]))
    return np.cumsum(w * (s[0] - s[:most])) / np.cumsum(w)


@pytest.mark.checks("large_margin.exponential_mechanism", "large_margin.instability_fails")
def test_chances_of_one_item():
    assert value("large_margin.exponential_mechanism") == pytest.approx(
        math.exp(5) / (999 + math.exp(5))
    )
    fail = 1 - 0.5 * math.exp(-1 - math.log(1 / (2e-6)))  # P(Lap(D/ε) > D + (D/ε)·log(1/(2δ)))
    assert 1 - value("large_margin.instability_fails") == pytest.approx(1 - fail, rel=1e-6)


@pytest.mark.checks("large_margin.half_must_move")
def test_who_must_move():
    assert large_margin.changes_to_lose_best(2, 3) == 2
    assert large_margin.changes_to_lose_best(3, 2) == 3
    assert value("large_margin.half_must_move") == 1  # item 1 has n: another needs all of them


@pytest.mark.checks("large_margin.range_independent")
def test_people_needed_are_the_least():
    for size in (6, 240):
        _, other = large_margin.margin_and_exponential_least_people(size)
        assert other == math.ceil(2 * (math.log(19) + size * math.log(10)))
    own, _ = large_margin.margin_and_exponential_least_people(6)
    mechanism = LargeMargin(epsilon=1.0, delta=1e-6)
    assert mechanism.distribution(Scores([own + 3.0, 0.0]), zeros=10**6).best_probability >= 0.95
    assert mechanism.distribution(Scores([own - 3.0, 0.0]), zeros=10**6).best_probability < 0.95


@pytest.mark.checks("large_margin.theorem_2")
@pytest.mark.parametrize(
    ("mechanism", "values", "at"),
    [
        (LargeMargin(epsilon=0.1, delta=0.2), [60.0, 0.0], 1e-3),
        (LargeMargin(epsilon=1.0, delta=1e-3), [230.0, 228.0, 20.0, 0.0], 1.0),
    ],
)
def test_the_worst_delta_is_that_of_the_laws(mechanism, values, at):
    law = mechanism.distribution(Scores(values)).inclusion
    deltas, losses = [], []
    for step in product((-1, 0, 1), repeat=len(values)):
        other = mechanism.distribution(Scores(np.array(values) + np.array(step))).inclusion
        for p, q in ((law, other), (other, law)):
            deltas.append(float(np.maximum(p - math.exp(at) * q, 0).sum()))
            losses.append(float(np.log(p / q)[np.minimum(p, q) > 1e-9].max()))
    got = large_margin.worst_delta_and_loss(mechanism, Scores(values), at)
    assert got == pytest.approx((max(deltas), max(losses)), abs=1e-9)
    if at == 1.0:
        assert value("large_margin.theorem_2") == max(deltas) / 1e-3
        assert f" 10⁻⁹ is {max(losses):.3f}, " in finding("large_margin.theorem_2").why
    else:
        assert max(deltas) > 1e-6


@pytest.mark.checks("large_margin.itemsets", "large_margin.learning")
@pytest.mark.parametrize(
    ("claim", "example"), [("itemsets", "bought_together"), ("learning", "simple_rules")]
)
def test_the_mean_loss_in_an_example(claim, example):
    s = np.sort(EXAMPLES[example].scores().values)[::-1]
    law = rank_law(s, 1e-6, 300)
    assert law.sum() == pytest.approx(1, abs=1e-6)
    unlisted = 0 if EXAMPLES[example].universe is None else EXAMPLES[example].universe - len(s)
    rate = 1.0 if EXAMPLES[example].monotonic else 0.5  # counts cost the exponential mechanism half
    w = np.append(np.exp(rate * (s - s[0])), unlisted * math.exp(-rate * s[0]))
    other = w @ (s[0] - np.append(s, 0.0)) / w.sum()
    expected = other - law @ front_losses(s, 300, 1 / 6)
    assert value(f"large_margin.{claim}") == pytest.approx(expected, rel=1e-4)


@pytest.mark.checks("large_margin.theorem_3", "large_margin.itemsets_promise")
def test_the_promise_in_an_example():
    example = EXAMPLES["bought_together"]
    s = np.sort(example.scores().values)[::-1]
    near = next(r for r in range(1, 300) if s[0] - s[r] > 21 * math.log(3 / 0.05) + asked(r, 1e-6))
    distance = 6 * math.log(2 * near / 0.05)
    other = 2 * math.log(example.universe / 0.05)
    assert value("large_margin.itemsets_promise") == pytest.approx(other / distance)
    w = np.exp((s[:300] - s[0]) / 6)
    within = np.cumsum(w * (s[:300] >= s[0] - distance)) / np.cumsum(w)  # among the top 1, 2, …
    missed = rank_law(s, 1e-6, 300) @ (1 - within)
    assert 1 - value("large_margin.theorem_3") == pytest.approx(missed, rel=1e-4)


@pytest.mark.checks("large_margin.proposition_1", "large_margin.theorem_1")
def test_lower_bounds():
    assert value("large_margin.proposition_1") == pytest.approx(math.log(4_999_999.5) * 2 / 10)
    assert "with it, 5 people" in finding("large_margin.proposition_1").why  # half of the ten
    near = np.array([1e2, 1e4, 1e6])
    ratios = 12 * np.log(4 * near) / np.floor(2 * np.log((near - 1) / 2))
    assert value("large_margin.theorem_1") == pytest.approx(ratios.min())


@pytest.mark.checks("large_margin.lemma_3")
def test_the_size_of_the_front_group_by_an_integral_over_its_noise():
    ranked, step = np.array([60.0, 20.0, 110.0, 20.0, 110.0]), np.array([0, -1, 1, -1, 1])
    node, weight = leggauss(20)

    def law(scores: np.ndarray, m: float, half: float = 1.0) -> np.ndarray:
        leads = m - scores[1:] - 10.0
        edges = np.unique([*np.linspace(-80, 80, 161), *leads])
        wide = np.diff(edges)[:, None] / 2
        g = (edges[:-1, None] + wide * (node + 1)).ravel()
        passes = stats.laplace.cdf(leads[:, None] - g, scale=4 * half)
        goes_on = np.cumprod(np.vstack([np.ones(len(g)), 1 - passes]), axis=0)
        chance = np.vstack([passes, np.ones(len(g))]) * goes_on
        return chance @ (stats.laplace.pdf(g, scale=2 * half) * (wide * weight).ravel())

    exact, twin = (
        max(np.abs(np.log(law(ranked, m, h) / law(ranked + step, m, h))).max() for m in (20, 60))
        for h in (1.0, 0.5)
    )
    assert 0.3 < exact <= value("large_margin.lemma_3") + 1e-6 < 1 < twin


@pytest.mark.checks("large_margin.bounded_growth")
def test_one_near_maximiser_needs_the_margin_that_the_theorem_asks_for():
    assert value("large_margin.bounded_growth") == 1 / 1000
    needed = 21 * math.log(3 / 0.05) + 3 * math.log(3 / 2e-6) + 6 * math.log(3 / 1e-6)
    needed += 12 * math.log(3 * 2 / 1e-6) + 6 * (1 + math.log(3 / 1e-6))
    assert needed < 1000

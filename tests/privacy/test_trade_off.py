"""Trade-off, advantage and P(loss > ε), against linear programming and enumeration."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import scipy

from dpviz import (
    NOISES,
    TOP_K,
    Canonical,
    OneShot,
    Peeling,
    PrivacyLoss,
    Scores,
    guess_bound,
    privacy_loss,
)
from dpviz.base import Floats, PrivacyCeiling, RevealingOutput
from dpviz.privacy import common_order, top_k_loss
from dpviz.privacy.loss import ceiling_loss_law
from dpviz.privacy.loss_laws import LossLaw
from dpviz.topk.mechanism import TopKMechanism
from tests.meters import random_neighbour
from tests.privacy.oracle import both_ways, delta, log_laws, loss_of, without

ALPHA = np.array([0.0, 1e-4, 0.01, 0.05, 0.2, 0.5, 0.8, 0.97, 1.0])
DENSE = np.linspace(0.0, 1.0, 2001)
PAIR = Scores([5, 3, 3, 1, 0], monotonic=True), Scores([6, 3, 4, 1, 0], monotonic=True)
GENERAL = Scores([5, 3, 3, 1, 0]), Scores([6, 2, 4, 0, 1])
EXACT = [
    (Canonical(epsilon=1.5, k=2), PAIR),
    (Canonical(epsilon=1.5, k=2), GENERAL),
    (Canonical(epsilon=1.5, k=2, noise="exponential"), PAIR),
    (OneShot(epsilon=3.0, k=2, noise="laplace"), GENERAL),
    (Peeling(epsilon=0.5, k=3), PAIR),
]
ONCE_WRONG = [
    # once 0.5 for 0.125 at 0.5
    (Canonical(epsilon=4.0, k=1), [3, 7, 3, 6, 7], [4, 7, 4, 6, 8]),
    # once 0.71329 for 0.71230 at 0.2
    (Peeling(epsilon=1.0, k=2), [0, 5, 5, 5, 0], [0, 6, 6, 5, 1]),
    # a loss of 1e-35 and one of 20
    (Canonical(epsilon=40.0, k=1), [9, 1, 0], [10, 1, 0]),
    # what pruning dropped may come out too
    (Canonical(epsilon=8.0, k=3, gamma=0.0), [3, 1, 6, 7], [4, 2, 6, 8]),
]
COUNTED = [(m, [Scores(s, monotonic=True) for s in pair]) for m, *pair in ONCE_WRONG]


def best_miss(p: Floats, q: Floats, alpha: float) -> float:
    """The smallest Q(kept) over all randomised tests that are wrong with chance α under P."""
    found = scipy.optimize.linprog(-q, A_ub=p[None], b_ub=[alpha], bounds=(0, 1), method="highs")
    return 1 + float(found.fun)


def filled_misses(p: Floats, q: Floats) -> Floats:
    """The misses where each α is spent on the lists that tell most, one after the other."""
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(p == 0, math.inf, q / p), kind="stable")
    alarms, misses = (np.append(0.0, np.cumsum(side[order])) for side in (p, q))
    last = np.append(np.diff(alarms) > 0, True)  # of those with the same α
    return 1 - np.interp(ALPHA, alarms[last], misses[last])


def check_exact(found: PrivacyLoss, log_p: Floats, log_q: Floats) -> None:
    """Every figure of both directions, from the lists themselves, to the error that is told."""
    for way, a, b in both_ways(found, log_p, log_q):
        p, q = np.exp(a), np.exp(b)
        with np.errstate(invalid="ignore"):
            loss = np.where(a == b, 0.0, a - b)
        truth = filled_misses(p, q)
        told, least = way.trade_off(ALPHA), way.trade_off_least(ALPHA)
        np.testing.assert_allclose(told, truth, rtol=0, atol=1e-9)
        np.testing.assert_allclose(least, truth, rtol=0, atol=1e-6)
        assert (least <= np.minimum(told, truth + 1e-10)).all()
        for at in (0.0, *np.abs(loss[np.isfinite(loss)]), way.ceiling.epsilon, 5.0):
            surely = p[loss > at + 1e-11 * (1 + at)].sum()
            assert surely - 1e-9 <= way.exceeds(at) <= p[loss > at].sum() + 1e-9
            assert way.delta(at) <= way.exceeds(at)
        infinite = pytest.approx(float(p[np.isposinf(loss)].sum()), abs=1e-12)
        assert way.exceeds(1e3) == way.delta(1e3) == infinite
        assert (np.diff(way.values) > 1e-12).all()
        assert way.advantage == pytest.approx(np.abs(p - q).sum() / 2, abs=1e-9)
        assert way.delta(0.2) == pytest.approx(delta(a, b, 0.2), abs=1e-9)


@pytest.mark.parametrize(("m", "pair"), COUNTED, ids=str)
def test_exact_ones_are_the_best_test(m: TopKMechanism, pair: tuple[Scores, Scores]) -> None:
    found, laws = privacy_loss(m, *pair), log_laws(m, *pair)
    assert found.method == "exact"
    check_exact(found, *laws)
    p, q = np.exp(laws)
    lowest = [best_miss(p, q, at) for at in ALPHA]
    np.testing.assert_allclose(filled_misses(p, q), lowest, atol=2e-7)


def test_broken_figures_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    m, pair = EXACT[0]
    laws, tests = log_laws(m, *pair), LossLaw.false_alarm_and_miss_rates
    twins = {  # the smallest losses first; δ for the chance; the chance for δ; a bound too high
        "false_alarm_and_miss_rates": lambda law: (
            tests(law)[0],
            1.0 - np.append(0.0, np.cumsum(law.mass)),
        ),
        "exceeds": lambda law, epsilon: float(law.delta(np.array([epsilon]))[0]),
        "delta": lambda law, epsilon: np.array([law.exceeds(float(at)) for at in epsilon]),
        "trade_off_least": lambda loss, alpha: loss.trade_off(alpha) + 1e-3,
    }
    for name, twin in twins.items():
        with monkeypatch.context() as broken:
            broken.setattr(LossLaw if hasattr(LossLaw, name) else PrivacyLoss, name, twin)
            with pytest.raises(AssertionError):
                check_exact(privacy_loss(m, *pair), *laws)


def check_band(found: PrivacyLoss, log_p: Floats, log_q: Floats) -> None:
    """A lower bound encloses the truth, in every figure and both ways."""
    for way, a, b in both_ways(found, log_p, log_q):
        p, q = np.exp(a), np.exp(b)
        truth = filled_misses(p, q)
        assert (way.trade_off_least(ALPHA) <= truth + 1e-7).all()
        assert (truth <= way.trade_off(ALPHA) + 1e-7).all()
        gained = 1 - DENSE - way.trade_off(DENSE)
        assert gained.max() == pytest.approx(way.advantage, abs=1e-3)
        assert way.advantage - 1e-9 <= np.abs(p - q).sum() / 2 <= way.allowed.advantage + 1e-9
        assert way.mean - 1e-9 <= float(p @ (a - b)) <= way.allowed.mean
        assert way.largest - 1e-9 <= np.abs(a - b).max() <= way.allowed.largest + 1e-9
        for at in (0.0, 0.1, 0.3):
            assert way.delta(at) - 1e-9 <= delta(a, b, at) <= way.allowed.delta(at) + 1e-9
            assert way.exceeds(at) <= float(p[a - b > at].sum()) + 1e-9


@pytest.mark.parametrize(("m", "pair"), EXACT, ids=str)
def test_a_loss_that_is_at_least_comes_with_a_band(
    m: TopKMechanism, pair: tuple[Scores, Scores], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(top_k_loss, "MOST_SETS", 0)
    monkeypatch.setattr(common_order, "_MOST_WORK", 0)
    found, laws = privacy_loss(m, *pair), log_laws(m, *pair)
    check_band(found, *laws)
    if found.method == "at least":
        with pytest.raises(AssertionError):
            check_band(replace(found, ceiling=PrivacyCeiling(0.1 * found.largest)), *laws)


@pytest.mark.parametrize(("side", "opposite"), [("here", "there"), ("there", "here")])
def test_each_side_of_the_band_counts_what_it_does_not_list(side: str, opposite: str) -> None:
    """With the other side's list empty, the band rests on this one alone."""
    whole = privacy_loss(EXACT[3][0], *GENERAL)
    law, other = getattr(whole, side), getattr(whole, opposite)
    none = replace(other, values=other.values[:1], mass=np.full(1, 1e-300), missing=1.0)
    for at in range(len(law.values)):
        pruned = replace(whole, **{side: without(law, at), opposite: none})
        assert (pruned.trade_off_least(DENSE) <= whole.trade_off(DENSE) + 1e-7).all()


@pytest.mark.parametrize(("epsilon", "delta_"), [(1.0, 0.0), (0.3, 0.01), (0.0, 0.2), (2.0, 1e-6)])
def test_a_randomised_response_reaches_what_is_allowed(epsilon: float, delta_: float) -> None:
    ceiling = PrivacyCeiling(epsilon, delta_)
    law, output = ceiling_loss_law(ceiling), RevealingOutput("")
    found = PrivacyLoss(
        method="exact", ceiling=ceiling, seen="", output=output, here=law, there=law
    )
    assert (1 + found.advantage) / 2 == pytest.approx(guess_bound(epsilon, delta_))
    assert found.delta(epsilon) == pytest.approx(delta_, abs=1e-15)
    steep = 1 - delta_ - math.exp(epsilon) * ALPHA
    flat = math.exp(-epsilon) * (1 - delta_ - ALPHA)
    lowest = np.maximum(np.maximum(steep, flat), 0.0)
    np.testing.assert_allclose(found.trade_off(ALPHA), lowest, atol=1e-12)


def random_pairs(
    rng: np.random.Generator, number: int
) -> Iterator[tuple[TopKMechanism, Scores, Scores]]:
    """Mechanisms of the whole menu with each of their noises, on small random neighbours."""
    noisy = (Canonical, OneShot, Peeling)
    kinds = [(kind, {"noise": noise}) for kind in noisy for noise in NOISES]
    kinds += [(kind, {}) for kind in TOP_K.values() if kind not in noisy]
    for at in range(number):
        kind, told = kinds[at % len(kinds)]
        k, epsilon = int(rng.integers(1, 4)), float(rng.choice([0.5, 1.0, 4.0]))
        if kind is Canonical:
            told = {**told, "gamma": float(rng.choice([0.5, 0.2, 1.0]))}
        if "delta" in kind.__dataclass_fields__:
            told = {**told, "delta": 1e-3}
        d, monotonic = int(rng.integers(k + 1, 6)), bool(rng.integers(2))
        most = int(rng.integers(1, d + 1)) if kind.needs_contributions or rng.integers(2) else None
        values = rng.integers(1, 8, d).astype(float)
        scores = Scores(values, monotonic=monotonic, contributions=most)
        other = random_neighbour(scores, rng, corner=bool(rng.integers(3)))
        yield kind(epsilon=epsilon, k=k, **told), scores, other


def test_every_figure_of_random_pairs_of_the_whole_menu() -> None:
    infinite = 0
    for m, *pair in random_pairs(np.random.default_rng(8), 80):
        found = privacy_loss(m, *pair)
        assert found.method == "exact"
        check_exact(found, *log_laws(m, *pair))
        infinite += found.largest == math.inf
    assert infinite > 1


def test_losses_equal_up_to_rounding_are_one() -> None:
    loss = np.array([0.5, np.nextafter(0.5, 1), -0.2, np.nextafter(-0.2, -1), math.inf, 1e-9, 0.0])
    law = LossLaw.from_losses(loss, np.array([0.1, 0.2, 0.3, 0.1, 0.05, 0.2, 0.05]))
    np.testing.assert_allclose(law.values, [-0.2, 0.0, 1e-9, 0.5, math.inf], atol=1e-15)
    np.testing.assert_allclose(law.mass, [0.4, 0.05, 0.2, 0.3, 0.05], atol=1e-15)
    found = replace(loss_of(np.ones(1), np.ones(1)), here=law, error=1e-8)
    # 1e-9 is above 0, whatever bound its error has
    assert found.exceeds(0.0) == pytest.approx(0.55)
    assert found.exceeds(0.5) == pytest.approx(0.05)


def test_errors_of_the_chances_are_in_the_band() -> None:
    """No law within the errors misses less than the least."""
    rng = np.random.default_rng(4)
    exact = 0
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(5), 2) * (rng.random((2, 5)) > 0.2)
        p, q = p / p.sum(), q / q.sum()
        errors = [1e-7 * side * rng.random(5) for side in (p, q)]
        sides = zip((p, q), errors, strict=True)
        found = loss_of(*(side + bound * rng.uniform(-1, 1, 5) for side, bound in sides), *errors)
        exact += found.method == "exact"
        for way, a, b in both_ways(found, p, q):
            truth = filled_misses(a, b)
            assert (way.trade_off_least(ALPHA) <= truth + 1e-15).all()
            assert (truth <= way.trade_off(ALPHA) + 1e-6).all()
    assert exact > 150


def test_an_output_that_may_be_impossible_in_one_world_is_not_exact() -> None:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.6, 0.0, 0.4])
    p, q = np.append(p - 0.01 * p, 0.01), np.append(q - 1e-9 * q, 1e-9)
    found = loss_of(p, q, 0.0, np.array([0.0, 0.0, 0.0, 1e-8]))
    assert (found.method, found.largest) == ("at least", math.inf)

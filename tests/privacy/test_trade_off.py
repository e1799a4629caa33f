"""Trade-off, advantage and P(loss > ε), against linear programming and enumeration."""

import itertools
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
    LargeMargin,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    guess_bound,
    privacy_loss,
)
from dpviz.base import PrivacyCeiling, RevealingOutput
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.privacy import common_order, loss, top_k_loss
from dpviz.privacy.loss import ceiling_loss_law
from dpviz.privacy.loss_laws import EventLosses, LossLaw
from dpviz.privacy.neighbours import random_neighbour
from dpviz.privacy.outcomes import outcome_loss
from dpviz.topk.mechanism import TopKMechanism
from tests.privacy.oracle import delta, log_laws

ALPHA = np.array([0.0, 1e-4, 0.01, 0.05, 0.2, 0.5, 0.8, 0.97, 1.0])
DENSE = np.linspace(0.0, 1.0, 2001)
PAIR = Scores([5, 3, 3, 1, 0], monotonic=True), Scores([6, 3, 4, 1, 0], monotonic=True)
GENERAL = Scores([5, 3, 3, 1, 0]), Scores([6, 2, 4, 0, 1])
EXACT: list[tuple[TopKMechanism, tuple[Scores, Scores]]] = [
    (Canonical(epsilon=1.5, k=2), PAIR),
    (Canonical(epsilon=1.5, k=2), GENERAL),
    (Canonical(epsilon=1.5, k=2, noise="exponential"), PAIR),
    (OneShot(epsilon=3.0, k=2, noise="laplace"), GENERAL),
    (Peeling(epsilon=0.5, k=3), PAIR),
]


def compared(
    p: np.ndarray, q: np.ndarray, error: np.ndarray | float = 0.0, other: np.ndarray | float = 0.0
) -> PrivacyLoss:
    """The loss of outputs with these chances in two worlds."""
    ceiling = PrivacyCeiling(math.inf)
    return outcome_loss(p, q, error, other, lambda at: RevealingOutput("it"), ceiling, "it")


def best_miss(p: np.ndarray, q: np.ndarray, alpha: float) -> float:
    """The smallest Q(kept) over all randomised tests that are wrong with chance α at most under P."""
    found = scipy.optimize.linprog(-q, A_ub=p[None], b_ub=[alpha], bounds=(0, 1), method="highs")
    return 1 + float(found.fun)


def check_pair(found: PrivacyLoss, log_p: np.ndarray, log_q: np.ndarray) -> None:
    """Every figure of both directions against the laws themselves."""
    for way, a, b in ((found, log_p, log_q), (found.reversed, log_q, log_p)):
        p, q = np.exp(a), np.exp(b)
        np.testing.assert_allclose(
            way.trade_off(ALPHA), [best_miss(p, q, at) for at in ALPHA], atol=2e-7
        )
        assert (way.trade_off_least(ALPHA) <= way.trade_off(ALPHA) + 1e-12).all()
        np.testing.assert_allclose(way.trade_off_least(ALPHA), way.trade_off(ALPHA), atol=1e-6)
        assert way.advantage == pytest.approx(np.abs(p - q).sum() / 2, abs=1e-9)
        for at in (0.0, 0.1, 0.3, way.here.highest, 5.0):
            assert way.exceeds(at) == pytest.approx(float(p[a - b > at + 1e-7].sum()), abs=1e-9)


@pytest.mark.parametrize(("m", "pair"), EXACT, ids=str)
def test_exact_ones_are_the_best_test(m: TopKMechanism, pair: tuple[Scores, Scores]) -> None:
    found = privacy_loss(m, *pair)
    assert found.method == "exact"
    check_pair(found, *log_laws(m, *pair))


def test_twins_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    m, pair = EXACT[0]
    laws, tests = log_laws(m, *pair), LossLaw.error_rates
    twins = {  # the smallest losses first; δ for the chance; the chance for δ
        "error_rates": lambda law: (tests(law)[0], 1.0 - np.append(0.0, np.cumsum(law.mass))),
        "exceeds": lambda law, epsilon: float(law.delta(np.array([epsilon]))[0]),
        "delta": lambda law, epsilon: np.array([law.exceeds(float(at)) for at in epsilon]),
    }
    for name, twin in twins.items():
        with monkeypatch.context() as broken:
            broken.setattr(LossLaw, name, twin)
            with pytest.raises(AssertionError):
                check_pair(privacy_loss(m, *pair), *laws)
    monkeypatch.setattr(
        loss.PrivacyLoss, "trade_off_least", lambda self, alpha: self.trade_off(alpha) + 1e-3
    )
    with pytest.raises(AssertionError):
        check_pair(privacy_loss(m, *pair), *laws)


def test_it_is_a_trade_off() -> None:
    """From 1 − P'(P = 0) down to 0, convex, and its mirror is that of the worlds swapped."""
    found = privacy_loss(*EXACT[3][:1], *GENERAL)
    alpha = np.linspace(0, 1, 401)
    curve = found.trade_off(alpha)
    assert curve[0] == pytest.approx(1)
    assert curve[-1] == 0
    assert (np.diff(curve) <= 0).all()
    assert (np.diff(curve, 2) >= -1e-12).all()
    np.testing.assert_allclose(
        found.reversed.trade_off(curve), np.minimum(alpha, alpha[np.argmax(curve == 0)]), atol=1e-9
    )
    assert (1 - alpha - curve).max() == pytest.approx(found.advantage, abs=1e-3)
    assert found.trade_off(np.full((2, 3), 0.1)).shape == (2, 3)
    assert found.trade_off(np.array(0.1)).shape == ()
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="alpha"):
            found.trade_off(np.array([0.5, bad]))


def test_what_is_possible_in_one_world_only() -> None:
    p, q = np.array([0.9, 0.1, 0.0]), np.array([0.7, 0.0, 0.3])
    found = compared(p, q)
    np.testing.assert_allclose(
        found.trade_off(ALPHA), [best_miss(p, q, at) for at in ALPHA], atol=1e-12
    )
    assert found.trade_off(np.zeros(1)) == pytest.approx(0.7)
    assert found.advantage == pytest.approx(0.3)
    assert found.exceeds(100.0) == pytest.approx(0.1)
    assert found.reversed.exceeds(100.0) == pytest.approx(0.3)


def check_band(found: PrivacyLoss, log_p: np.ndarray, log_q: np.ndarray) -> None:
    """Whatever is only known in part encloses the truth, in every figure and both ways."""
    for way, a, b in ((found, log_p, log_q), (found.reversed, log_q, log_p)):
        p, q = np.exp(a), np.exp(b)
        truth = np.array([best_miss(p, q, at) for at in ALPHA])
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
    found = privacy_loss(m, *pair)
    laws = log_laws(m, *pair)
    check_band(found, *laws)
    if found.method == "at least":
        with pytest.raises(AssertionError):
            check_band(replace(found, ceiling=PrivacyCeiling(0.1 * found.largest)), *laws)


@pytest.mark.parametrize("at", [0, 4, -1])
def test_pruned_mass_opens_the_band_by_no_more_than_itself(at: int) -> None:
    whole = privacy_loss(EXACT[3][0], *GENERAL)
    laws = []
    for law in (whole.here, whole.there):
        assert isinstance(law, LossLaw)
        values, mass = np.delete(law.values, at), np.delete(law.mass, at)
        laws.append(replace(law, values=values, mass=mass, missing=float(law.mass[at])))
    for here, there in (laws, (laws[0], whole.there), (whole.here, laws[1])):
        pruned = replace(whole, here=here, there=there)
        low, truth = pruned.trade_off_least(ALPHA), whole.trade_off(ALPHA)
        assert (low <= truth + 1e-7).all()
        assert (truth <= pruned.trade_off(ALPHA) + 1e-7).all()
        assert (low > pruned.allowed.trade_off(ALPHA) + 1e-3).any()


@pytest.mark.parametrize("side", ["here", "there"])
def test_each_side_of_the_band_counts_what_it_does_not_list(side: str) -> None:
    """With the other side's list empty, the band rests on this one alone."""
    whole = privacy_loss(EXACT[3][0], *GENERAL)
    law, other = (whole.here, whole.there) if side == "here" else (whole.there, whole.here)
    assert isinstance(law, LossLaw)
    assert isinstance(other, LossLaw)
    none = replace(other, values=other.values[:1], mass=np.full(1, 1e-300), missing=1.0)
    for at in range(len(law.values)):
        values, mass = np.delete(law.values, at), np.delete(law.mass, at)
        pruned = replace(law, values=values, mass=mass, missing=float(law.mass[at]))
        parts = {side: pruned, "there" if side == "here" else "here": none}
        dense = np.linspace(0, 1, 201)
        least = replace(whole, **parts).trade_off_least(dense)
        assert (least <= whole.trade_off(dense) + 1e-7).all()


def test_what_is_not_all_that_comes_out_says_no_more_than_what_is_allowed() -> None:
    whole = privacy_loss(EXACT[0][0], *PAIR)
    part = replace(whole, method="at least")
    np.testing.assert_array_equal(part.trade_off_least(ALPHA), whole.allowed.trade_off(ALPHA))
    assert part.exceeds(0.1) == part.delta(0.1) < whole.exceeds(0.1)


def test_what_is_allowed_is_reached_by_a_randomised_response() -> None:
    for epsilon, delta_ in ((1.0, 0.0), (0.3, 0.01), (0.0, 0.2), (2.0, 1e-6)):
        law = ceiling_loss_law(PrivacyCeiling(epsilon, delta_))
        found = PrivacyLoss(
            method="exact",
            ceiling=PrivacyCeiling(epsilon, delta_),
            seen="",
            output=RevealingOutput(""),
            here=law,
            there=law,
        )
        assert (1 + found.advantage) / 2 == pytest.approx(guess_bound(epsilon, delta_))
        assert found.delta(epsilon) == pytest.approx(delta_, abs=1e-15)
        steep = np.maximum(
            1 - delta_ - math.exp(epsilon) * ALPHA, math.exp(-epsilon) * (1 - delta_ - ALPHA)
        )
        np.testing.assert_allclose(found.trade_off(ALPHA), np.maximum(steep, 0.0), atol=1e-12)
    large = privacy_loss(LargeMargin(epsilon=1.0, delta=0.01), *PAIR)
    assert large.allowed.largest == math.inf
    assert isinstance(
        privacy_loss(NoisyTopKWithGap(epsilon=1.0, k=2), *PAIR).here, EventLosses | LossLaw
    )


def random_pairs(
    rng: np.random.Generator, number: int
) -> Iterator[tuple[TopKMechanism, Scores, Scores]]:
    """Mechanisms of the whole menu with each of their noises, on small random neighbours."""
    noises = [
        (kind, {"noise": noise}) for kind in (Canonical, OneShot, Peeling) for noise in NOISES
    ]
    others = [
        (TOP_K[name], {}) for name in TOP_K if TOP_K[name] not in (Canonical, OneShot, Peeling)
    ]
    for at in range(number):
        kind, told = (noises + others)[at % (len(noises) + len(others))]
        k, epsilon = int(rng.integers(1, 4)), float(rng.choice([0.5, 1.0, 4.0]))
        if kind is Canonical:
            told = {**told, "gamma": float(rng.choice([0.5, 0.2, 1.0]))}
        if "delta" in kind.__dataclass_fields__:
            told = {**told, "delta": 1e-3}
        d, monotonic = int(rng.integers(k + 1, 6)), bool(rng.integers(2))
        most = int(rng.integers(1, d + 1)) if kind.needs_contributions or rng.integers(2) else None
        scores = Scores(
            rng.integers(1, 8, d).astype(float), monotonic=monotonic, contributions=most
        )
        yield (
            kind(epsilon=epsilon, k=k, **told),
            scores,
            random_neighbour(scores, rng, corner=bool(rng.integers(3))),
        )


def all_log_laws(m: TopKMechanism, *worlds: Scores) -> list[np.ndarray]:
    """log P of every list that may come out."""
    sizes = range(min(m.k, worlds[0].d) + 1) if m.shorter else [m.k]
    lists = [items for size in sizes for items in itertools.combinations(range(worlds[0].d), size)]
    laws = [m.distribution(world) for world in worlds]
    return [np.array([law.log_probability(items) for items in lists]) for law in laws]


def filled_miss(p: np.ndarray, q: np.ndarray, alpha: float) -> float:
    """The miss where α is spent on the lists that tell most, one after the other."""
    left, miss = alpha, 0.0
    for at in sorted(
        range(len(p)), key=lambda i: math.inf if p[i] == 0 else q[i] / p[i], reverse=True
    ):
        share = 1.0 if p[at] <= left else left / p[at]
        left -= share * p[at]
        miss += (1 - share) * q[at]
    return miss


def check_exact(found: PrivacyLoss, log_p: np.ndarray, log_q: np.ndarray) -> None:
    """Every figure of one direction, from the lists themselves, to the error that is told."""
    p, q = np.exp(log_p), np.exp(log_q)
    with np.errstate(invalid="ignore"):
        loss = np.where(log_p == log_q, 0.0, log_p - log_q)
    truth = np.array([filled_miss(p, q, at) for at in ALPHA])
    told, least = found.trade_off(ALPHA), found.trade_off_least(ALPHA)
    np.testing.assert_allclose(told, truth, rtol=0, atol=1e-9)
    np.testing.assert_allclose(least, truth, rtol=0, atol=1e-6)
    assert (least <= np.minimum(told, truth + 1e-10)).all()
    for at in (0.0, *np.abs(loss[np.isfinite(loss)]), found.ceiling.epsilon):
        above = found.exceeds(at)
        assert p[loss > at + 1e-11 * (1 + at)].sum() - 1e-9 <= above <= p[loss > at].sum() + 1e-9
        assert found.delta(at) <= above
    assert (
        found.exceeds(1e3)
        == found.delta(1e3)
        == pytest.approx(float(p[np.isposinf(loss)].sum()), abs=1e-12)
    )
    assert (np.diff(found.values) > 1e-12).all()
    assert found.advantage == pytest.approx(np.abs(p - q).sum() / 2, abs=1e-9)
    assert found.delta(0.2) == pytest.approx(
        float(np.maximum(p - math.exp(0.2) * q, 0.0).sum()), abs=1e-9
    )


def test_every_figure_of_random_pairs_of_the_whole_menu() -> None:
    infinite = 0
    for m, *pair in random_pairs(np.random.default_rng(8), 250):
        found, (log_p, log_q) = privacy_loss(m, *pair), all_log_laws(m, *pair)
        assert found.method == "exact"
        check_exact(found, log_p, log_q)
        check_exact(found.reversed, log_q, log_p)
        infinite += found.largest == math.inf
    assert infinite > 2


@pytest.mark.parametrize(
    ("m", "here", "there"),
    [
        # once 0.5 for 0.125 at 0.5
        (Canonical(epsilon=4.0, k=1), [3, 7, 3, 6, 7], [4, 7, 4, 6, 8]),
        # once 0.71329 for 0.71230 at 0.2
        (Peeling(epsilon=1.0, k=2), [0, 5, 5, 5, 0], [0, 6, 6, 5, 1]),
        # a loss of 1e-35 and one of 20
        (Canonical(epsilon=40.0, k=1), [9, 1, 0], [10, 1, 0]),
        # what pruning dropped may come out too
        (Canonical(epsilon=8.0, k=3, gamma=0.0), [3, 1, 6, 7], [4, 2, 6, 8]),
    ],
    ids=str,
)
def test_pairs_whose_curve_was_wrong(m: TopKMechanism, here: list[int], there: list[int]) -> None:
    pair = Scores(here, monotonic=True), Scores(there, monotonic=True)
    found, (log_p, log_q) = privacy_loss(m, *pair), all_log_laws(m, *pair)
    check_exact(found, log_p, log_q)
    check_exact(found.reversed, log_q, log_p)


def test_losses_equal_up_to_rounding_are_one() -> None:
    loss = np.array([0.5, np.nextafter(0.5, 1), -0.2, np.nextafter(-0.2, -1), math.inf, 1e-9, 0.0])
    law = LossLaw.from_losses(loss, np.array([0.1, 0.2, 0.3, 0.1, 0.05, 0.2, 0.05]))
    np.testing.assert_allclose(law.values, [-0.2, 0.0, 1e-9, 0.5, math.inf], atol=1e-15)
    np.testing.assert_allclose(law.mass, [0.4, 0.05, 0.2, 0.3, 0.05], atol=1e-15)
    found = replace(compared(np.ones(1), np.ones(1)), here=law, error=1e-8)
    # 1e-9 is above 0, whatever bound its error has
    assert found.exceeds(0.0) == pytest.approx(0.55)
    assert found.exceeds(0.5) == pytest.approx(0.05)


def test_what_errors_leave_open_is_in_the_band() -> None:
    """No law within the errors misses less than the least."""
    rng = np.random.default_rng(4)
    exact = 0
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(5), 2) * (rng.random((2, 5)) > 0.2)
        p, q = p / p.sum(), q / q.sum()
        errors = [1e-7 * side * rng.random(5) for side in (p, q)]
        known = [
            side + bound * rng.uniform(-1, 1, 5) for side, bound in zip((p, q), errors, strict=True)
        ]
        found = compared(*known, *errors)
        exact += found.method == "exact"
        for way, a, b in ((found, p, q), (found.reversed, q, p)):
            truth = np.array([filled_miss(a, b, at) for at in ALPHA])
            assert (way.trade_off_least(ALPHA) <= truth + 1e-15).all()
            assert (truth <= way.trade_off(ALPHA) + 1e-6).all()
    assert exact > 150


def test_an_output_that_may_be_impossible_in_one_world_is_not_exact() -> None:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.6, 0.0, 0.4])
    p, q = np.append(p - 0.01 * p, 0.01), np.append(q - 1e-9 * q, 1e-9)
    bound = np.array([0.0, 0.0, 0.0, 1e-8])
    found = compared(p, q, 0.0, bound)
    assert (found.method, found.largest) == ("at least", math.inf)

"""ρ and (ε, δ): against the exact losses of small releases, brute force and dp-accounting."""

import itertools
import math

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    GAPS,
    NOISES,
    THRESHOLD,
    TOP_ONE,
    Canonical,
    JointExponential,
    OneShot,
    Peeling,
    Scores,
    privacy_loss,
)
from dpviz.privacy.privacy_conversions import (
    bounded_range_delta,
    bounded_range_epsilon,
    explain_missing_zcdp,
    pure_to_zcdp,
    zcdp_epsilon,
)
from dpviz.topk.mechanism import TopKMechanism
from tests.privacy.oracle import corners

ORDERS = (1, 1.01, 1.3, 2, 4, 12, 60)
PRICED: list[TopKMechanism] = [
    Canonical(epsilon=2.0, k=2),
    Canonical(epsilon=2.0, k=2, gamma=0.8),
    Canonical(epsilon=2.0, k=2, gamma=1.0),
    OneShot(epsilon=2.0, k=1),
    OneShot(epsilon=2.0, k=2),
    Peeling(epsilon=2.0, k=2),
    JointExponential(epsilon=2.0, k=2),
    JointExponential(epsilon=2.0, k=2, over="sequences"),
]


@pytest.mark.parametrize("m", PRICED, ids=lambda m: m.key)
def test_renyi_divergences_stay_below_the_price(m: TopKMechanism) -> None:
    assert m.zcdp is not None
    reached = 0.0
    vectors = itertools.product(([0, 0, 0], [3, 1, 1], [8, 1, 0]), (False, True))
    worlds = [Scores(values, monotonic=monotonic) for values, monotonic in vectors]
    for here, there in [(world, other) for world in worlds for other in corners(world)]:
        loss = privacy_loss(m, here, there)
        for way in (loss, loss.reversed):
            share = way.renyi_curve(ORDERS) / (np.array(ORDERS) * m.zcdp)
            reached = max(reached, float(share.max()))
            if m.exponential_rounds == 1:
                for at in (0.0, 0.3, 1.0):
                    assert way.delta(at) <= bounded_range_delta(at, m.epsilon) + 1e-9
        if m.exponential_rounds == 1:  # the losses of both directions have a range of at most ε
            assert loss.here.highest + loss.there.highest <= m.epsilon * (1 + 1e-8)
    assert 0.2 < reached <= 1 + 1e-6


def test_rho_by_formula_and_refused_elsewhere() -> None:
    assert Canonical(epsilon=2.0, k=7).zcdp == JointExponential(epsilon=2.0, k=7).zcdp == 0.5
    assert OneShot(epsilon=2.0, k=4).zcdp == Peeling(epsilon=2.0, k=4).zcdp == 0.125
    for noise in NOISES:
        for m in (Canonical, OneShot, Peeling):
            made = m(epsilon=1.0, k=1, noise=noise)
            assert (made.zcdp is None) == (noise != "gumbel")
            reason = explain_missing_zcdp(made)
            assert reason is None if noise == "gumbel" else noise in str(reason)
    given = {"epsilon": 1.0, "threshold": 0.5, "k": 1, "noise": "laplace"}
    exponential = TOP_ONE["generalised_exponential"]
    assert exponential(epsilon=2.0).zcdp == 0.5
    kinds = {kind for menu in (GAPS, THRESHOLD, TOP_ONE, CANDIDATES) for kind in menu.values()}
    others = [
        kind(**{key: given[key] for key in given if key in kind.__dataclass_fields__})
        for kind in kinds - {exponential}
    ]
    for other in others:
        assert other.zcdp is None  # type: ignore[attr-defined]
        assert explain_missing_zcdp(other)


def test_permute_and_flip_sold_at_the_price_of_the_exponential_mechanism_is_caught() -> None:
    """OpenDP once claimed ρ = ε²/8: 1.0 at order 2 and ε = 2."""
    s, other = Scores([0.0, 0.0]), Scores([1.0, -1.0])
    flip = OneShot(epsilon=2.0, k=1, noise="exponential")
    loss = privacy_loss(flip, s, other)
    worst = max(loss.renyi(2), loss.reversed.renyi(2))
    assert worst == pytest.approx(1.3769, abs=5e-5)
    assert 2 * flip.epsilon**2 / 8 < worst <= 2 * pure_to_zcdp(flip.epsilon)
    loss = privacy_loss(OneShot(epsilon=2.0, k=1), s, other)
    assert max(loss.renyi(2), loss.reversed.renyi(2)) <= 2 * 0.5


def test_zcdp_to_epsilon_against_dp_accounting() -> None:
    from dp_accounting import dp_event, rdp

    for rho, delta in itertools.product((1e-4, 0.01, 0.5, 3.0, 40.0), (1e-12, 1e-6, 0.01)):
        ours = zcdp_epsilon(rho, delta)
        scale = math.sqrt(-math.log(delta) / rho)
        fine = 1 + np.maximum(np.geomspace(scale / 50, scale * 50, 4000), 0.0101)
        accountant = rdp.RdpAccountant(fine)
        accountant.compose(dp_event.ZCDpEvent(rho))
        assert ours == pytest.approx(accountant.get_epsilon(delta), rel=1e-5, abs=1e-9)
        assert ours <= accountant.get_epsilon(delta) + 1e-12
        plain = rdp.RdpAccountant()
        plain.compose(dp_event.ZCDpEvent(rho))
        assert ours <= plain.get_epsilon(delta) + 1e-12


def test_bounded_range_against_brute_force() -> None:
    """Every release has two losses t and t − ε: none of such choices has a larger δ."""
    epsilon = 0.7
    t = np.linspace(0, epsilon, 71)
    p = np.expm1(t - epsilon) / math.expm1(-epsilon)
    for at in (0.0, 0.2, 0.6, 1.1):
        first, second = (-np.expm1(np.minimum(at - t + move, 0)) for move in (0.0, epsilon))
        one = p * first + (1 - p) * second
        assert bounded_range_delta(at, epsilon) == pytest.approx(one.max(), abs=1e-4)
        assert bounded_range_delta(at, epsilon) >= one.max() - 1e-12
        both = np.zeros((71, 71))
        for i, j in itertools.product((0, 1), repeat=2):
            mass = np.multiply.outer(p if i == 0 else 1 - p, p if j == 0 else 1 - p)
            total = np.add.outer(t - i * epsilon, t - j * epsilon)
            both += mass * -np.expm1(np.minimum(at - total, 0))
        assert bounded_range_delta(at, epsilon, 2) >= both.max() - 1e-12
        assert bounded_range_delta(at, epsilon, 2) == pytest.approx(both.max(), abs=1e-4)
    assert bounded_range_delta(0.7, epsilon) == 0.0
    for delta, n in itertools.product((1e-9, 1e-3, 0.1), (1, 5, 200)):
        found = bounded_range_epsilon(delta, epsilon, n)
        assert bounded_range_delta(found, epsilon, n) <= delta
        assert not found or bounded_range_delta(found * (1 - 1e-6), epsilon, n) > delta

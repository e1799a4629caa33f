"""Every menu has a privacy loss: exact by brute force, lower bounds never above it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpviz import (
    CANDIDATES,
    NOISES,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    CandidatePool,
    Canonical,
    JointExponential,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    privacy_loss,
)
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.gaps.sparse import answer_strings, run_law
from dpviz.privacy import common_order, top_k_loss
from dpviz.topk.mechanism import TopKMechanism
from tests.candidates.neighbours import outcomes, pools
from tests.meters import largest_loss, smallest_delta
from tests.privacy.oracle import both_ways, delta, log_laws, renyi

NEEDED = {"threshold": 2.5, "k": 2, "epsilon": 1.0}
MENUS = [(menu, name) for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE) for name in menu]
EVERY_NOISE: list[TopKMechanism] = [
    *(Canonical(epsilon=1.5, k=2, noise=noise, gamma=0.2) for noise in NOISES),
    *(kind(epsilon=1.5, k=2, noise=noise) for kind in (OneShot, Peeling) for noise in NOISES),
    JointExponential(epsilon=1.5, k=2),
    JointExponential(epsilon=1.5, k=2, over="sequences"),
]
WORLDS = {
    "monotonic": (Scores([5, 3, 3, 1, 0], monotonic=True), Scores([6, 3, 4, 1, 0], monotonic=True)),
    "general": (Scores([5, 3, 3, 1, 0]), Scores([6, 2, 4, 0, 1])),
    "inside": (Scores([5, 3, 3, 1, 0]), Scores([5.5, 2.75, 3.9, 0.4, 0.2])),
    "one item": (
        Scores([5, 3, 3, 1, 0], monotonic=True, contributions=1),
        Scores([5, 3, 4, 1, 0], monotonic=True, contributions=1),
    ),
}


def made(menu: Any, name: str) -> Any:
    """The entry of a menu with defaults, or what it needs."""
    kind = menu[name]
    return kind(**{key: value for key, value in NEEDED.items() if key in kind.__dataclass_fields__})


def worlds_for(m: Any, worlds: str) -> tuple[Scores, Scores]:
    """Those worlds, with what the mechanism has to know of them."""
    one, other = (
        world if world.contributions else replace(world, contributions=world.d)
        for world in WORLDS[worlds]
    )
    return (one, other) if m.delta_spent and isinstance(m, TopKMechanism) else WORLDS[worlds]


def keeps_its_ceiling(found: PrivacyLoss) -> None:
    for way in (found, found.reversed):
        assert way.delta(found.ceiling.epsilon) <= found.ceiling.delta + 1e-12
        assert (np.diff(way.values) > 0).all()
        assert way.mass.sum() <= 1 + 1e-9
        curve = way.delta_curve([0.0, 0.1, 0.5, 2.0])
        assert (np.diff(curve) <= 1e-12).all()
        # δ is never more than the chance of such a loss
        for at in (0.0, 0.1, 0.5, 2.0, found.ceiling.epsilon, 1e3):
            assert way.delta(at) <= way.exceeds(at) <= 1.0
        orders = way.renyi_curve([1, 1.5, 2, 8, math.inf])
        assert (np.diff(orders[np.isfinite(orders)]) >= -1e-8).all()
    if found.ceiling.delta == 0:
        assert found.largest <= found.ceiling.epsilon * (1 + 1e-8)


@pytest.mark.parametrize("worlds", WORLDS)
@pytest.mark.parametrize(("menu", "name"), MENUS, ids=[name for _, name in MENUS])
def test_every_entry_keeps_its_ceiling(menu: Any, name: str, worlds: str) -> None:
    seen: list[float] = []
    m = made(menu, name)
    found = privacy_loss(m, *worlds_for(m, worlds), progress=seen.append)
    keeps_its_ceiling(found)
    assert all((found.output.text, found.seen, seen))
    assert all(0 <= fraction <= 1 for fraction in seen)
    assert name == "instability" or found.largest > 0.03


@pytest.mark.parametrize("worlds", WORLDS)
@pytest.mark.parametrize("m", EVERY_NOISE, ids=lambda m: m.key)
def test_exact_equals_enumeration_and_at_least_stays_below(
    m: TopKMechanism, worlds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = WORLDS[worlds]
    p, q = log_laws(m, *pair)
    full = float(np.abs(p - q).max())
    found = privacy_loss(m, *pair)
    assert found.method == "exact"
    assert found.largest == pytest.approx(full, abs=1e-7)
    assert found.delta(0.2) == pytest.approx(delta(p, q, 0.2), abs=1e-9)
    assert found.reversed.delta(0.2) == pytest.approx(delta(q, p, 0.2), abs=1e-9)
    assert found.renyi(2) == pytest.approx(renyi(p, q, 2), abs=1e-8)
    assert found.mean == pytest.approx(renyi(p, q, 1), abs=1e-8)

    monkeypatch.setattr(top_k_loss, "MOST_SETS", 0)
    found = privacy_loss(m, *pair)
    if found.method == "exact":  # canonical, where one order ranks both
        assert found.largest == pytest.approx(full, abs=1e-7)
        assert found.delta(0.2) == pytest.approx(delta(p, q, 0.2), abs=1e-9)
        assert found.reversed.renyi(2) == pytest.approx(renyi(q, p, 2), abs=1e-8)
        monkeypatch.setattr(common_order, "_MOST_WORK", 0)
        found = privacy_loss(m, *pair)
        if found.method == "exact":
            assert "gumbel" in m.key
            return
    keeps_its_ceiling(found)
    for way, a, b in both_ways(found, p, q):
        assert way.renyi(math.inf) <= float((a - b).max()) + 1e-9
        for at in (0.0, 0.1, 0.3):
            assert way.delta(at) <= delta(a, b, at) + 1e-10
        for order in (1, 1.5, 4):
            assert way.renyi(order) <= renyi(a, b, order) + 1e-9
    assert found.largest > full / 2


@pytest.mark.parametrize("m", EVERY_NOISE, ids=lambda m: m.key)
def test_large_orders_see_outputs_below_the_smallest_double(m: TopKMechanism) -> None:
    m = m.replace(epsilon=100.0)
    pair = [Scores(values, monotonic=True) for values in ([60, 40, 2, 0], [61, 40, 3, 0])]
    p, q = log_laws(m, *pair)
    for way, a, b in both_ways(privacy_loss(m, *pair), p, q):
        for order in (2, 8, 64):
            assert way.renyi(order) == pytest.approx(renyi(a, b, order), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("name", CANDIDATES)
def test_candidates_against_all_their_outputs(name: str) -> None:
    rule = CANDIDATES[name](**({"threshold": 5.0} if name == "known_threshold" else {}))
    rng = np.random.default_rng(8)
    for _ in range(20):
        pair = pools(rng, 0.7)
        p, q = (outcomes(rule, pool) for pool in pair)
        found = privacy_loss(rule, *pair)
        assert found.method == "exact"
        assert found.largest == pytest.approx(largest_loss(p, q), abs=1e-6)
        worse = max(found.delta(0.3), found.reversed.delta(0.3))
        assert worse == pytest.approx(smallest_delta(p, q, 0.3), abs=1e-9)
        keeps_its_ceiling(found)


@pytest.mark.parametrize("name", CANDIDATES)
def test_continuous_candidates_show_a_lower_bound(name: str) -> None:
    rule = CANDIDATES[name](**({"threshold": 0.5} if name == "known_threshold" else {}))
    means = ((0.0, 1.0), (0.1, 1.1))
    pair = [CandidatePool([stats.norm(mean, 1) for mean in side]) for side in means]
    found = privacy_loss(rule, *pair)
    assert (found.method, found.ceiling.epsilon) == ("at least", math.inf)
    # a shift up: the worlds are as far apart as the chances of a score above the best z
    z = np.linspace(0.5 if name == "known_threshold" else -4.0, 8.0, 20_001)
    low, high = (rule.distribution(pool).score_law.tail(z) for pool in pair)
    apart = float((high - low).max())
    assert 0.98 * apart < found.reversed.delta(0.0) <= apart + 1e-9


def test_a_pool_whose_candidate_has_another_score_has_no_ceiling() -> None:
    pair = CandidatePool([[0.5, 0.7]]), CandidatePool([[0.5, 0.8]])
    found = privacy_loss(CANDIDATES["random_stopping"](), *pair)
    assert (found.largest, found.ceiling.epsilon) == (math.inf, math.inf)
    assert found.delta(5.0) == pytest.approx(found.mass[np.isinf(found.values)].sum())


def test_sparse_vectors_over_many_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in THRESHOLD:
        m, (s, other) = made(THRESHOLD, name), WORLDS["general"]
        whole = privacy_loss(m, s, other)
        strings, moved = m.answer_strings(s), m.answer_strings(other)
        assert whole.largest == pytest.approx(largest_loss(strings, moved), abs=1e-9)
        assert answer_strings.answer_string_count(m.plan, s.d) == len(strings)
        with monkeypatch.context() as patch:
            patch.setattr(run_law, "_MOST_STRINGS", 0)
            part = privacy_loss(m, s, other)
        assert part.method == "at least"
        assert 0.1 < part.largest <= whole.largest + 1e-9
        for at in (0.0, 0.1):
            assert part.delta(at) <= whole.delta(at) + 1e-9


M, S, WIDE = Canonical(epsilon=1.0, k=1), Scores([1.0, 0.0]), Scores(np.arange(60.0))
RULE, POOLS = CANDIDATES["random_stopping"](), [CandidatePool([[1.0]] * n) for n in (1, 2)]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((M, S, Scores([5.0, 0.0])), "neighbour must be scores that one person can make"),
        ((M, S, [1.0, 0.0]), r"neighbour must be a dpviz\.Scores"),
        (("canonical", S, S), "mechanism must be a mechanism or rule"),
        ((M.replace(k=2), S, S), "k must be at most 1"),
        ((RULE, *POOLS), "number of candidates"),
        ((Peeling(epsilon=1.0, k=10, noise="laplace"), WIDE, WIDE), "one with an exact law"),
    ],
)
def test_worlds_and_mechanisms_that_do_not_fit_are_refused(given: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        privacy_loss(*given)

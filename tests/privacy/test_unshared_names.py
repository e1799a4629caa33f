"""A name of one world alone, under a mechanism that must know all names beforehand."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import (
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    Canonical,
    FromSampler,
    JointExponential,
    OneShot,
    Peeling,
    Scores,
    audit,
    inclusion_with_and_without,
    privacy_loss,
    worst_neighbour,
)
from dpviz.base import NOISES
from dpviz.privacy import unshared_names
from tests.privacy.oracle import both_ways, delta

KNOWN = {"monotonic": True, "contributions": 1, "names_known": False}
WITHOUT = Scores({"a": 5, "b": 4, "c": 3}, **KNOWN)
WITH = Scores({"a": 5, "b": 4, "c": 3, "x": 1}, **KNOWN)
EPSILONS = (0.0, 0.1, 0.5, 3.0)
GIVEN = {"threshold": 2.5, "k": 2, "epsilon": 1.0, "delta": 0.01}
NEEDING = {
    name: menu[name]
    for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE)
    for name in menu
    if not menu[name].guarantee_holds(False)
}
NOISY = (Canonical, OneShot, Peeling)
SETS = [
    *(kind(epsilon=1.5, k=2, noise=noise) for kind in NOISY for noise in NOISES),
    *(JointExponential(epsilon=1.5, k=2, over=over) for over in ("sets", "sequences")),
    TOP_K["gaussian_counts"](epsilon=1.5, k=2, delta=0.01),
]


def made(kind: Any) -> Any:
    """The entry of a menu, with what it needs."""
    return kind(**{key: value for key, value in GIVEN.items() if key in kind.__dataclass_fields__})


def chance_of_x(m: Any) -> float:
    """The chance that the new name comes out, of the world that has it alone."""
    return float(m.distribution(WITH).chances[3])


@pytest.mark.parametrize("kind", NEEDING.values(), ids=NEEDING)
def test_of_every_menu_the_loss_is_infinite_and_nothing_is_promised(kind: Any) -> None:
    m = made(kind)
    for here, there in ((WITHOUT, WITH), (WITH, WITHOUT)):
        found = privacy_loss(m, here, there)
        way = found if here is WITH else found.reversed
        if chance_of_x(m):
            assert (found.largest, way.here.highest) == (math.inf, math.inf)
        assert found.ceiling.epsilon == math.inf
        for epsilon in (1.0, 30.0):
            assert way.delta(epsilon) == pytest.approx(chance_of_x(m), abs=1e-9)
            assert way.exceeds(epsilon) >= way.delta(epsilon)
            # without the name all that comes out may come out with it
            assert way.reversed.delta(30.0) == 0.0


@pytest.mark.parametrize("m", SETS, ids=lambda m: m.key)
def test_of_few_sets_all_is_exact(m: Any) -> None:
    """Against the laws of the two worlds, each with the names that it has, in whatever order."""
    turned = Scores({"x": 1, "c": 3, "b": 4, "a": 5}, **KNOWN)
    found = privacy_loss(m, WITHOUT, turned)
    assert found.method == "exact"
    here, there = m.distribution(WITHOUT), m.distribution(turned)
    sets = list(itertools.combinations(range(4), 2))
    p = np.array([-math.inf if 3 in y else here.log_probability(y) for y in sets])
    places = (3, 2, 1, 0)  # of a, b, c, x in the second
    q = np.array([there.log_probability([places[item] for item in y]) for y in sets])
    for epsilon in EPSILONS:
        for way, a, b in both_ways(found, p, q):
            assert way.delta(epsilon) == pytest.approx(delta(a, b, epsilon), abs=1e-9)


def test_of_many_sets_it_is_at_least_what_single_names_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = privacy_loss(OneShot(epsilon=1.5, k=2), WITHOUT, WITH)
    monkeypatch.setattr(unshared_names, "MOST_SETS", 0)
    part = privacy_loss(OneShot(epsilon=1.5, k=2), WITHOUT, WITH)
    assert (part.method, part.largest) == ("at least", math.inf)
    for epsilon in EPSILONS:
        assert part.delta(epsilon) <= whole.delta(epsilon) + 1e-12
        assert part.reversed.delta(epsilon) <= whole.reversed.delta(epsilon) + 1e-12
    assert part.reversed.delta(30.0) == pytest.approx(whole.reversed.delta(30.0), abs=1e-9)


@pytest.mark.parametrize("kind", NEEDING.values(), ids=NEEDING)
def test_a_world_with_too_few_names_to_run_on_has_only_the_name_against_it(kind: Any) -> None:
    m = made(kind)
    others = [5.0, 4.0][: getattr(m, "k", 1)]
    two, one = (Scores([*others, count], **KNOWN) for count in (1.0, 0.0))
    found, chance = privacy_loss(m, two, one), float(m.distribution(two).chances[-1])
    assert (found.method, found.ceiling.epsilon) == ("at least", math.inf)
    assert found.largest == (math.inf if chance else 0.0)
    assert found.delta(30.0) == pytest.approx(chance, abs=1e-9)
    assert found.reversed.delta(30.0) == 0.0
    # of the world that it cannot run on only this is known: the name does not come out
    assert found.reversed.delta(0.0) == pytest.approx(chance, abs=1e-9)


def test_a_name_that_goes_is_one_that_this_person_alone_had() -> None:
    """Without labels too; and an item that neither world has stays in both."""
    m = Canonical(epsilon=1.0, k=1)
    here, there = (Scores(counts, **KNOWN) for counts in ([5, 4, 1, 0], [5, 4, 0, 0]))
    found = privacy_loss(m, here, there)
    assert (found.largest, found.ceiling.epsilon) == (math.inf, math.inf)
    assert found.delta(30.0) == pytest.approx(float(m.distribution(here).inclusion[2]), abs=1e-12)
    with_, without = inclusion_with_and_without(m, here, there)
    assert without.value[2] == without.low[2] == without.high[2] == 0.0
    assert without.value.sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(with_.value, m.distribution(here).inclusion)


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("d", [4, 12])
def test_the_search_finds_whoever_alone_has_a_name(d: int, monotonic: bool) -> None:
    s = Scores([*range(20, 22 - d, -1), 1, 1], **{**KNOWN, "monotonic": monotonic})
    m = Canonical(epsilon=1.0, k=2)
    neighbour, loss = worst_neighbour(m, s)
    assert loss.largest == math.inf
    assert privacy_loss(m, s, neighbour).largest == math.inf
    known = replace(s, names_known=True)
    assert worst_neighbour(m, known)[1].largest <= 1.0 + 1e-9


def own(scores: Scores, size: int, rng: np.random.Generator) -> np.ndarray:
    """A mechanism of one's own."""
    return OneShot(epsilon=1.0, k=2).sample(scores, size, rng=rng)


@pytest.mark.parametrize("m", [OneShot(epsilon=1.0, k=2), FromSampler(own, epsilon=1.0, k=2)])
def test_an_audit_of_a_mechanism_sees_the_name(m: Any) -> None:
    found = audit(m, WITH, WITHOUT, epsilon=1.0, samples=20_000, rng=1)
    assert not found.holds
    assert "x" in found.event
    worlds = (WITH, replace(WITH, values=[5, 4, 3, 0]))
    listed = [replace(world, names_known=True) for world in worlds]
    assert audit(m, *listed, epsilon=1.0, samples=20_000, rng=1).holds

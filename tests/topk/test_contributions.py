"""Costs of one person in few items: neighbours at corners, and twins that ask too little."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import stats

from dpviz import NOISES, TOP_K, Canonical, OneShot, ParameterError, Scores, TopKMechanism
from dpviz.privacy.neighbours import max_moved_scores
from tests.contract import PURE
from tests.meters import FALSE_ALARM

EPSILON = 2.0
SPREAD, TIED, APART = [30.0, 20.0, 10.0, 0.0], [2.0, 2.0, 1.0, 1.0], [60.0, 0.0, 0.0, 0.0]
HIDING = [name for name in NOISES if NOISES[name].hides_values]


def corners(s: Scores) -> Iterator[Scores]:
    """Every neighbour in which each item stays or moves by Δ."""
    ways = ((0, 1), (0, -1)) if s.monotonic else ((-1, 0, 1),)
    for step in {step for way in ways for step in itertools.product(way, repeat=s.d)}:
        if 0 < np.count_nonzero(step) <= max_moved_scores(s):
            yield replace(s, values=s.values + np.array(step))


def log_probabilities(m: TopKMechanism, s: Scores) -> np.ndarray:
    dist, sets = m.distribution(s), itertools.combinations(range(s.d), m.k)
    assert dist.method == "exact"
    return np.array([dist.log_probability(items) for items in sets])


def spent(m: TopKMechanism, monotonic: bool, contributions: int, *vectors: list[float]) -> float:
    """The largest loss between score vectors and their corners, over all sets, as a part of ε."""
    found = 0.0
    for values in vectors:
        s = Scores(values, monotonic=monotonic, contributions=contributions)
        here = log_probabilities(m, s)
        losses = [np.abs(log_probabilities(m, other) - here).max() for other in corners(s)]
        found = max(found, *losses)
    return found / m.epsilon


@pytest.mark.twins(6)
@pytest.mark.parametrize(
    ("noise", "gamma"),
    [*((noise, 0.3) for noise in NOISES), ("gumbel", 0.0), ("gumbel", 1.0), ("laplace", 1.0)],
)
def test_canonical_spends_all_of_epsilon_on_one_person_in_one_item_and_no_more(
    noise: str, gamma: float
) -> None:
    m = Canonical(epsilon=EPSILON, k=2, gamma=gamma, noise=noise)
    assert spent(m, True, 1, SPREAD, TIED, APART) == pytest.approx(1.0, abs=1e-9)
    assert 0.9 < spent(m, False, 1, SPREAD, APART) <= 1.0 + 1e-9


@pytest.mark.twins(3)
@pytest.mark.parametrize(("k", "monotonic"), [(1, True), (2, True), (3, True), (1, False)])
@pytest.mark.parametrize("noise", HIDING)
def test_noise_that_hides_values_spends_epsilon_on_one_person_in_few_items(
    noise: str, k: int, monotonic: bool
) -> None:
    m = OneShot(epsilon=EPSILON, k=k, noise=noise)
    for contributions in (1, 2):
        share = spent(m, monotonic, contributions, SPREAD, TIED)
        assert share <= 1.0 + 1e-9
        if contributions <= 4 - k:  # as many items left out can take the place of those chosen
            assert share > 0.9


@pytest.mark.twins(4)
@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("name", PURE)
def test_no_mechanism_spends_more_than_epsilon(name: str, monotonic: bool) -> None:
    for contributions in (1, 2):
        m = TOP_K[name](epsilon=EPSILON, k=2)
        assert spent(m, monotonic, contributions, SPREAD, TIED) <= 1.0 + 1e-9


@dataclass(frozen=True, kw_only=True)
class PriceOfOneItem(Canonical):
    """A broken twin: asks for two items what one costs."""

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        return super().epsilon_cost_factor(1)


def test_canonical_costs_as_much_for_two_items_as_for_any_number() -> None:
    """An unlikely set gains by its worst member, and all that miss the other item lose by that."""
    before = np.zeros(10_000)
    before[:2] = 1.0
    after = before.copy()
    after[[0, 2]] += 1.0

    def loss(twin: type[Canonical]) -> float:
        worlds = (Scores(v, monotonic=True, contributions=2) for v in (before, after))
        laws = (twin(epsilon=EPSILON, k=2).distribution(s) for s in worlds)
        here, there = (law.log_probability([0, 2]) for law in laws)
        return abs(here - there) / EPSILON

    assert 0.999 < loss(Canonical) <= 1.0
    assert loss(PriceOfOneItem) > 1.99


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("noise", HIDING)
def test_noisy_scores_are_drawn_as_their_law_says(noise: str, monotonic: bool) -> None:
    s = Scores([0.0, 5.0, 3.0, 1.0, 4.0], sensitivity=2.0, monotonic=monotonic, contributions=2)
    m = OneShot(epsilon=EPSILON, k=3, noise=noise)
    items, noisy = m.sample_with_scores(s, 4000, rng=np.random.default_rng(3))
    assert (np.diff(noisy, axis=1) <= 0).all()
    counts = np.bincount(items.ravel(), minlength=5)
    for seen, p in zip(counts, m.distribution(s).inclusion, strict=True):
        assert stats.binomtest(int(seen), 4000, p).pvalue > FALSE_ALARM
    sure = replace(s, values=1e6 * s.values)
    items, noisy = m.sample_with_scores(sure, 4000, rng=np.random.default_rng(4))
    assert (items == [1, 4, 2]).all()
    family = stats.laplace if noise == "laplace" else stats.logistic
    scale = 2.0 * 2 * (1 if monotonic else 2) / EPSILON  # Δ·c/ε, twice that where replaced
    off = (noisy - sure.values[items]).ravel()
    assert stats.kstest(off, family(scale=scale).cdf).pvalue > FALSE_ALARM


def test_scores_that_epsilon_does_not_cover_are_not_drawn() -> None:
    """The winner with its noisy score loses c/k times ε where c is more than k."""
    says = "contributions must be said and at most k = 2, with laplace or logistic"
    for noise, contributions in (("laplace", None), ("laplace", 3), ("gumbel", 1)):
        s = Scores(SPREAD, monotonic=True, contributions=contributions)
        with pytest.raises(ParameterError, match=says):
            OneShot(epsilon=EPSILON, k=2, noise=noise).sample_with_scores(s, rng=1)  # type: ignore[arg-type]

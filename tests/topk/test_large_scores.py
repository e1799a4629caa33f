"""Laws depend on differences of scores alone: scores up to 1e15, any Δ, against exact arithmetic.

The oracle reads the doubles given as exact numbers and has 60 digits; `error` has to bound what the
library gets wrong. What has no closed form is held against its own law on the differences.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import (
    NOISES,
    TOP_K,
    Canonical,
    JointExponential,
    OneShot,
    ParameterError,
    Peeling,
    Scores,
    TopKDistribution,
    TopKMechanism,
    expected,
)
from dpviz.topk.limited_domain import LimitedDomain

SIZES = [0.0, 1e7, -3e9, 1e9, 2.0**40, 1e14, 1e15, -1e15]
UNITS = [1.0, 0.1, 3.0, 7e-3]
Weight = Callable[[TopKMechanism, list[mpmath.mpf], tuple[int, ...]], mpmath.mpf]


def canonical(m: TopKMechanism, x: list[mpmath.mpf], ranks: tuple[int, ...]) -> mpmath.mpf:
    first = min(next(r for r in range(len(x)) if r not in ranks), m.k - 1)
    gamma = mpmath.mpf(m.gamma)  # type: ignore[attr-defined]
    return mpmath.exp(-mpmath.mpf(m.epsilon) / 2 * ((1 - gamma) * x[first] - gamma * x[ranks[-1]]))


def one_after_the_other(
    m: TopKMechanism, x: list[mpmath.mpf], ranks: tuple[int, ...]
) -> mpmath.mpf:
    each = [mpmath.exp(mpmath.mpf(m.epsilon) / (2 * m.k) * (v - x[0])) for v in x]
    total = mpmath.mpf(0)
    for order in itertools.permutations(ranks):
        product, left = mpmath.mpf(1), mpmath.fsum(each)
        for item in order:
            product *= each[item] / left
            left -= each[item]
        total += product
    return total


def joint(m: TopKMechanism, x: list[mpmath.mpf], ranks: tuple[int, ...]) -> mpmath.mpf:
    orders = [ranks] if m.over == "sets" else itertools.permutations(ranks)  # type: ignore[attr-defined]
    gaps = [max(x[place] - x[item] for place, item in enumerate(order)) for order in orders]
    return mpmath.fsum(mpmath.exp(-mpmath.mpf(m.epsilon) / 4 * gap) for gap in gaps)


MECHANISMS: list[tuple[TopKMechanism, Weight]] = [
    *((Canonical(epsilon=1.0, k=2, gamma=gamma), canonical) for gamma in (0.0, 0.3, 0.5, 0.7, 1.0)),
    (OneShot(epsilon=1.0, k=2), one_after_the_other),
    (OneShot(epsilon=1.0, k=1), one_after_the_other),
    (Peeling(epsilon=1.0, k=2), one_after_the_other),
    (JointExponential(epsilon=1.0, k=2), joint),
    (JointExponential(epsilon=1.0, k=2, over="sequences"), joint),
]


def figures(dist: TopKDistribution) -> list[float]:
    """Everything that `error` speaks of."""
    within = [
        dist.within(a, b) for a in range(dist.k + 1) for b in range(dist.k, dist.scores.d + 1)
    ]
    return [*within, *dist.inclusion[dist.scores.order]]


@given(
    size=st.sampled_from(SIZES),
    offsets=st.lists(st.integers(-6, 9), min_size=4, max_size=6),
    unit=st.sampled_from(UNITS),
    monotonic=st.booleans(),
    epsilon=st.sampled_from([0.3, 2.0]),
)
def test_closed_forms_in_exact_arithmetic(
    size: float, offsets: list[int], unit: float, monotonic: bool, epsilon: float
) -> None:
    s = Scores([size + offset for offset in offsets], sensitivity=unit, monotonic=monotonic)
    for kind, weight in MECHANISMS:
        m = kind.replace(epsilon=epsilon * unit)
        dist = m.distribution(s)
        with mpmath.workdps(60):
            x = [
                mpmath.mpf(v) / mpmath.mpf(s.effective_sensitivity)
                for v in s.values[s.order].tolist()
            ]
            shifted = [v - x[0] for v in x]
            sets = list(itertools.combinations(range(s.d), m.k))
            weights = [weight(m, shifted, ranks) for ranks in sets]
            whole = mpmath.fsum(weights)
            chance = [float(w / whole) for w in weights]
        within = [
            sum(
                p
                for ranks, p in zip(sets, chance, strict=True)
                if ranks[:a] == tuple(range(a)) and ranks[-1] < b
            )
            for a in range(m.k + 1)
            for b in range(m.k, s.d + 1)
        ]
        inclusion = [
            sum(p for ranks, p in zip(sets, chance, strict=True) if r in ranks) for r in range(s.d)
        ]
        off = np.abs(np.array(figures(dist)) - [*within, *inclusion]).max()
        assert off <= dist.error + 2e-15, (m, off, dist.error)  # the oracle's own sums of doubles
        assert dist.error <= 2e-10


@pytest.mark.twins(7)
@pytest.mark.parametrize("noise", list(NOISES))
@pytest.mark.parametrize("unit", UNITS)
def test_other_noise_on_scores_of_any_size(noise: str, unit: float) -> None:
    offsets = np.array([2.0, 1.0, 0.0, -1.0, 1.0])
    for m in (
        Canonical(epsilon=2.0 * unit, k=2, gamma=0.3, noise=noise),
        OneShot(epsilon=2.0 * unit, k=2, noise=noise),
        OneShot(epsilon=2.0 * unit, k=1, noise=noise),
        Peeling(epsilon=2.0 * unit, k=2, noise=noise),
    ):
        plain = m.distribution(Scores(offsets, sensitivity=unit))
        for size in SIZES:
            dist = m.distribution(Scores(size + offsets, sensitivity=unit))
            off = np.abs(np.array(figures(dist)) - figures(plain)).max()
            assert off <= dist.error + plain.error, (m, size)
            assert (
                dist.log_probability([3, 4]) == pytest.approx(plain.log_probability([3, 4]))
                if m.k == 2
                else True
            )


def test_draws_follow_differences_too() -> None:
    for m in (
        OneShot(epsilon=0.6, k=2),
        Canonical(epsilon=0.6, k=2, gamma=0.3),
        JointExponential(epsilon=0.6, k=2),
    ):
        rows = [
            m.sample(
                Scores(size + np.array([2.0, 1.0, 0.0, -1.0]), sensitivity=0.1),
                50,
                rng=np.random.default_rng(3),
            )
            for size in (0.0, 1e15)
        ]
        np.testing.assert_array_equal(*rows)


def test_adjacent_doubles_are_no_tie() -> None:
    """Over Δ they may become the same double."""
    low = next(v for v in 1.95 + np.arange(9) * 2.0**-52 if v / 1.9 == (v + 2.0**-52) / 1.9)
    assert Scores([low, low + 2.0**-52, 0.0], sensitivity=1.9).tie_counts(1) == (0, 1)


def test_optimal_tells_adjacent_doubles_apart() -> None:
    s = Scores([1.95 + 2.0**-51, 1.95 + 2.0**-52, 1.95, 0.0], sensitivity=1.9)
    for m in (OneShot(epsilon=1.0, k=1), OneShot(epsilon=1.0, k=2)):
        dist = m.distribution(s)
        assert dist.optimal == pytest.approx(dist.top, abs=1e-12)
        assert dist.event_probabilities(["optimal"])[0] == pytest.approx(dist.top, abs=1e-12)


def on_the_menu(epsilon: float, k: int) -> Iterator[TopKMechanism]:
    """Every mechanism on the menu, with every noise that it takes."""
    for kind in TOP_K.values():
        named = {one.name for one in fields(kind)}
        more: dict[str, object] = {"delta": 1e-3} if "delta" in named else {}
        for noise in (*NOISES, "gaussian") if "noise" in named else (None,):
            with suppress(ParameterError):
                yield kind(
                    epsilon=epsilon, k=k, **more, **({} if noise is None else {"noise": noise})
                )


@pytest.mark.parametrize("m", list(on_the_menu(1.0, 2)), ids=lambda m: m.key)
def test_chances_of_lists_add_up_to_one_however_large_scores_are(m: TopKMechanism) -> None:
    rng = np.random.default_rng(5)
    for size in (1.0, 1e10, 1e14, 1e15, 1e17, 1e100, 1e299):
        for monotonic in (True, False):
            values = np.round(rng.choice([0.0, 0.5, 1.0, 1.5], 4) * size) + rng.integers(1, 5, 4)
            values[rng.integers(4)] = rng.integers(1, 9)
            s = Scores(values, monotonic=monotonic, contributions=1, names_known=not m.needs_names)
            dist = m.replace(epsilon=float(rng.choice([0.05, 1.0, 9.0]))).distribution(s)
            sizes = range(m.k + 1) if m.shorter else [m.k]
            lists = [
                items for length in sizes for items in itertools.combinations(range(s.d), length)
            ]
            logs = np.array([dist.log_probability(items) for items in lists])
            assert logs.max() <= dist.error, (m, values)
            assert np.exp(logs).sum() == pytest.approx(1.0, abs=dist.error)
            held = [
                sum(p for items, p in zip(lists, np.exp(logs), strict=True) if i in items)
                for i in range(s.d)
            ]
            np.testing.assert_allclose(held, dist.inclusion, rtol=0, atol=1e-9 + dist.error)
            for least, figure in (
                (0.0, lambda chosen: 1.0),
                (-1.0, lambda chosen: -float(0 in chosen)),
            ):
                mean = expected(dist, figure, between=(least, least + 1.0))
                assert max(least, mean.low) <= mean.value <= min(mean.high, least + 1.0)


@pytest.mark.parametrize(
    "counts", [[2e14, 1e14], [2e20, 0.0], [1e14, 3.0, 1e14 + 1], [1e300, 2.0, 1.0], [5, 3, 3]]
)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_limited_domain_in_exact_arithmetic(counts: list[float], k: int) -> None:
    """Name after name, the nameless one among them, as the paper draws them."""
    m, s = (
        LimitedDomain(epsilon=0.5, k=k, delta=1e-3),
        Scores(counts, monotonic=True, names_known=False),
    )
    dist, able = m.distribution(s), [item for item, count in enumerate(counts) if count > 0]
    with mpmath.workdps(60):
        share = mpmath.mpf(m.epsilon) / k
        weight = {item: share * mpmath.mpf(counts[item]) for item in able}
        nameless = share + mpmath.log(m.candidate_limit / mpmath.mpf(m.delta))

        def log_share(one: mpmath.mpf, *others: mpmath.mpf) -> mpmath.mpf:
            return -mpmath.log(
                mpmath.fsum(
                    mpmath.exp(max(other - one, -(mpmath.mpf(10) ** 6))) for other in others
                )
            )

        for length in range(min(k, len(able)) + 1):
            for items in itertools.combinations(able, length):
                chance = mpmath.mpf(0)
                for order in itertools.permutations(items):
                    left, log = dict(weight), mpmath.mpf(0)
                    for item in order:
                        log += log_share(left[item], nameless, *left.values())
                        del left[item]
                    log += 0 if length == k else log_share(nameless, nameless, *left.values())
                    chance += mpmath.exp(log)
                assert math.exp(dist.log_probability(items)) == pytest.approx(
                    float(chance), abs=1e-9
                ), items

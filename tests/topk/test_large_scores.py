"""Laws depend on differences of scores alone, and add up on scores of any size."""

import itertools
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Any

import mpmath
import numpy as np
import pytest

from dpviz import (
    NOISES,
    TOP_K,
    Canonical,
    JointExponential,
    OneShot,
    ParameterError,
    Scores,
    TopKMechanism,
    expected,
)
from dpviz.topk.limited_domain import LimitedDomain


def test_draws_follow_differences_too() -> None:
    offsets = np.array([2.0, 1.0, 0.0, -1.0])
    for kind in (OneShot, Canonical, JointExponential):
        m = kind(epsilon=0.6, k=2)
        worlds = (Scores(size + offsets, sensitivity=0.1) for size in (0.0, 1e15))
        np.testing.assert_array_equal(*(m.sample(s, 50, rng=3) for s in worlds))


def test_adjacent_doubles_are_no_tie() -> None:
    low = next(v for v in 1.95 + np.arange(9) * 2.0**-52 if v / 1.9 == (v + 2.0**-52) / 1.9)
    assert Scores([low, low + 2.0**-52, 0.0], sensitivity=1.9).tie_counts(1) == (0, 1)


def on_the_menu(epsilon: float, k: int) -> Iterator[TopKMechanism]:
    """Every mechanism on the menu, with every noise that it takes."""
    for kind in TOP_K.values():
        named = {one.name for one in fields(kind)}
        more: dict[str, Any] = {"delta": 1e-3} if "delta" in named else {}
        for noise in (*NOISES, "gaussian") if "noise" in named else ():
            with suppress(ParameterError):
                yield kind(epsilon=epsilon, k=k, noise=noise, **more)
        if "noise" not in named:
            yield kind(epsilon=epsilon, k=k, **more)


@pytest.mark.parametrize("m", list(on_the_menu(1.0, 2)), ids=lambda m: m.key)
def test_chances_of_lists_add_up_to_one_however_large_scores_are(m: TopKMechanism) -> None:
    rng = np.random.default_rng(5)
    for at, size in enumerate((1.0, 1e14, 1e15, 1e17, 1e299)):
        values = np.round(rng.choice([0.0, 0.5, 1.0, 1.5], 4) * size) + rng.integers(1, 5, 4)
        values[rng.integers(4)] = rng.integers(1, 9)
        s = Scores(values, monotonic=at % 2 == 0, contributions=1, names_known=not m.needs_names)
        dist = m.replace(epsilon=float(rng.choice([0.05, 1.0, 9.0]))).distribution(s)
        lengths = range(m.k + 1) if m.shorter else [m.k]
        lists = [items for n in lengths for items in itertools.combinations(range(s.d), n)]
        chance = np.exp([dist.log_probability(items) for items in lists])
        assert chance.max() <= 1 + 2 * dist.error, (m, values)
        assert chance.sum() == pytest.approx(1.0, abs=dist.error)
        by_list = list(zip(lists, chance, strict=True))
        held = [sum(p for items, p in by_list if i in items) for i in range(s.d)]
        np.testing.assert_allclose(held, dist.inclusion, rtol=0, atol=1e-9 + dist.error)
        mean = expected(dist, lambda chosen: -float(0 in chosen), between=(-1.0, 0.0))
        assert max(-1.0, mean.low) <= mean.value <= min(mean.high, 0.0)


@pytest.mark.parametrize(
    "counts", [[2e14, 1e14], [2e20, 0.0], [1e14, 3.0, 1e14 + 1], [1e300, 2.0, 1.0], [5, 3, 3]]
)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_limited_domain_in_exact_arithmetic(counts: list[float], k: int) -> None:
    """Name after name, the nameless one among them, as the paper draws them."""
    m = LimitedDomain(epsilon=0.5, k=k, delta=1e-3)
    dist = m.distribution(Scores(counts, monotonic=True, names_known=False))
    able = [item for item, count in enumerate(counts) if count > 0]
    with mpmath.workdps(60):
        share = mpmath.mpf(m.epsilon) / k
        weight = {item: share * mpmath.mpf(counts[item]) for item in able}
        nameless = share + mpmath.log(m.candidate_limit / mpmath.mpf(m.delta))

        def log_share(one: mpmath.mpf, left: dict[int, mpmath.mpf]) -> mpmath.mpf:
            least = -(mpmath.mpf(10) ** 6)
            others = (nameless, *left.values())
            return -mpmath.log(mpmath.fsum(mpmath.exp(max(v - one, least)) for v in others))

        for length in range(min(k, len(able)) + 1):
            for items in itertools.combinations(able, length):
                chance = mpmath.mpf(0)
                for order in itertools.permutations(items):
                    left, log = dict(weight), mpmath.mpf(0)
                    for item in order:
                        log += log_share(left[item], left)
                        del left[item]
                    log += 0 if length == k else log_share(nameless, left)
                    chance += mpmath.exp(log)
                told = math.exp(dist.log_probability(items))
                assert told == pytest.approx(float(chance), abs=1e-9), items

"""Laws depend on differences of scores alone: scores up to 1e15, any Δ, against exact arithmetic.

The oracle reads the doubles given as exact numbers and has 60 digits; `error` has to bound what the
library gets wrong. What has no closed form is held against its own law on the differences.
"""

import itertools
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields

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

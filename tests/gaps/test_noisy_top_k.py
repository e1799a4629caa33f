"""Noisy top-k with gap: its contract, the exact gap law of noisy max, and privacy of the winner."""

import itertools
import math

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy import stats

from dpviz import NoisyTopKWithGap, ParameterError, Scores
from tests.gap_contract import GapContract
from tests.meters import random_neighbour


class TestNoisyTopKWithGap(GapContract):
    examples = [
        NoisyTopKWithGap(epsilon=1.0, k=1),
        NoisyTopKWithGap(epsilon=2.0, k=2),
        NoisyTopKWithGap(epsilon=1.5, k=1, noise="gumbel"),
    ]

    def definition(
        self, m: NoisyTopKWithGap, s: Scores, items: tuple[int, ...], gaps: list[float]
    ) -> float:
        """The last chosen is at v: those left out below v − gap, the one before above v + gap."""
        scale = (1 if s.monotonic else 2) * m.k * s.sensitivity / m.epsilon
        noise = stats.laplace if m.noise == "laplace" else stats.gumbel_r
        left = np.array([s.values[j] for j in range(s.d) if j not in items])
        *before, last = s.values[list(items)]
        kinks = np.unique([last, *(left + gaps[-1]), *(value - gaps[0] for value in before)])
        far = 45 * scale
        edges = np.unique([*kinks, *np.arange(kinks[0] - far, kinks[-1] + far, scale / 2)])
        node, weight = leggauss(12)
        half = np.diff(edges)[:, None] / 2
        v, w = (edges[:-1, None] + half * (node + 1)).ravel(), (half * weight).ravel()
        with np.errstate(over="ignore"):
            chance = noise.pdf(v, last, scale)
            for value in left:
                chance *= noise.cdf(v - gaps[-1], value, scale)
        for value in before:  # one at most: k = 1 or 2
            chance *= noise.sf(v + gaps[0], value, scale)
        return float(w @ chance)


def test_gaps_are_those_of_the_very_noise() -> None:
    for monotonic, factor in ((False, 2), (True, 1)):
        s = Scores([5.0, 3.0, 9.0, 1.0, 7.0], sensitivity=2.0, monotonic=monotonic)
        m = NoisyTopKWithGap(epsilon=0.7, k=3)
        assert m.scale(s) == pytest.approx(factor * 3 * 2.0 / 0.7)
        noisy = s.values + np.random.default_rng(5).laplace(scale=m.scale(s), size=5)
        order = np.argsort(-noisy)
        r = m.release(s, rng=np.random.default_rng(5))
        assert r.items.tolist() == order[:3].tolist()
        assert r.gaps == pytest.approx(noisy[order[:3]] - noisy[order[1:4]])


@pytest.mark.parametrize("noise", ["laplace", "gumbel"])
def test_ratios_between_neighbours_stay_within_epsilon(noise: str) -> None:
    """Any set {item wins, gap above g}: and with half the noise the same meter objects."""
    rng = np.random.default_rng(3)
    m, twin = (NoisyTopKWithGap(epsilon=epsilon, k=1, noise=noise) for epsilon in (1.0, 2.0))
    losses = {m: [0.0], twin: [0.0]}
    for monotonic in [False] * 20 + [True] * 20:
        s = Scores(rng.integers(0, 6, 4) * 1.0, monotonic=monotonic)
        worlds = s, random_neighbour(s, rng)
        for kind, item, gap in itertools.product(losses, range(4), (0.0, 2.0, 10.0)):
            p, q = (kind.gap_survival(world, item, gap) for world in worlds)
            losses[kind].append(abs(math.log(p / q)))
    assert 0.8 < max(losses[m]) <= 1 + 1e-9
    assert max(losses[twin]) > 1.6


def test_the_gap_of_the_exponential_mechanism_is_free_in_epsilon_and_not_in_rho() -> None:
    """Two items that swap ε/2: the loss ranges over 2ε, and its mean passes ε²/8."""
    epsilon = 0.4
    m = NoisyTopKWithGap(epsilon=epsilon, k=1, noise="gumbel")
    worlds = Scores([0.0, 0.0]), Scores([1.0, -1.0])
    cuts = np.append(np.linspace(0.0, 40 * m.scale(worlds[0]), 161), np.inf)
    p, q = (
        np.concatenate(
            [-np.diff([m.gap_survival(s, i, g) for g in cuts[:-1]] + [0.0]) for i in (0, 1)]
        )
        for s in worlds
    )
    loss = np.log(p / q)
    assert [loss.min(), loss.max()] == pytest.approx([-epsilon, epsilon], abs=1e-3)
    assert p @ loss == pytest.approx(epsilon**2 / 6, rel=0.01)


def test_gumbel_noise_is_for_one_item_and_in_the_key() -> None:
    assert "noise='gumbel'" in NoisyTopKWithGap(epsilon=1.0, k=1, noise="gumbel").key
    with pytest.raises(ParameterError, match="k must be 1 with Gumbel noise"):
        NoisyTopKWithGap(epsilon=1.0, k=2, noise="gumbel")


def test_gap_survival_refuses() -> None:
    s, m = Scores([1.0, 2.0, 3.0]), NoisyTopKWithGap(epsilon=1.0, k=1)
    for item in (-1, 3, 1.0, "a"):
        with pytest.raises(ParameterError, match="item"):
            m.gap_survival(s, item, 0.0)  # type: ignore[arg-type]
    for gap in (-1.0, math.nan, math.inf, "1"):
        with pytest.raises(ParameterError, match="gap"):
            m.gap_survival(s, 0, gap)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="noisy max"):
        m.replace(k=2).gap_survival(s, 0, 0.0)

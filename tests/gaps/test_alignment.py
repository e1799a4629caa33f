"""Randomness alignment: the same release in the neighbour's world, for ε at most, and its twins."""

import numpy as np
import pytest

from dpviz import AdaptiveSparseVector, NoisyTopKWithGap, Scores, SparseVector
from dpviz.gaps.alignment import align_every_noise, align_run, align_top_k
from tests.meters import random_neighbour

CASES = 700


def worlds(rng: np.random.Generator, d: int) -> tuple[Scores, Scores]:
    """Ties, crossings and both kinds of neighbours."""
    s = Scores(rng.integers(0, 5, d) * 1.0, sensitivity=1.5, monotonic=bool(rng.integers(2)))
    return s, random_neighbour(s, rng)


def top(s: Scores, noise: np.ndarray, k: int) -> tuple[list[int], np.ndarray]:
    noisy = s.values + noise
    order = np.argsort(-noisy)
    return order[:k].tolist(), noisy[order[:k]] - noisy[order[1 : k + 1]]


def test_the_shifted_noise_gives_the_same_items_and_gaps_for_epsilon_at_most() -> None:
    rng, dearest, careless = np.random.default_rng(4), 0.0, 0.0
    for _ in range(CASES):
        k = int(rng.integers(1, 4))
        m, (s, other) = NoisyTopKWithGap(epsilon=0.8, k=k), worlds(rng, 12)
        noise = rng.laplace(scale=m.scale(s), size=s.d)
        items, gaps = top(s, noise, k)
        found, every = align_top_k(m, s, other, noise), align_every_noise(m, s, other)  # the twin
        for one in (found, every):
            there = top(other, noise + one.shifts, k)
            assert (there[0], there[1]) == (items, pytest.approx(gaps, abs=1e-9))
        assert np.count_nonzero(found.shifts) <= k
        dearest, careless = max(dearest, found.total), max(careless, every.total)
    assert 0.7 < dearest <= 0.8 * (1 + 1e-12)
    assert careless > 2 * 0.8


def run(m, s: Scores, noise: np.ndarray) -> np.ndarray:
    """Answers by query, branch and gap, as Algorithm 4 has them."""
    used, answers = 0, []
    for i, margin in enumerate((s.values - m.threshold) / s.sensitivity):
        for j, test in enumerate(m.branches()):
            gap = margin + noise[1 + j, i] - noise[0, 0]
            if gap >= test.offset:
                answers.append((i, j, gap))
                used += test.cost
                break
        if used > m.units - max(test.cost for test in m.branches()):
            break
    return np.array(answers).reshape(-1, 3)


@pytest.mark.parametrize("kind", [SparseVector, AdaptiveSparseVector])
def test_a_run_is_the_same_with_its_shifts_for_epsilon_at_most(kind) -> None:
    rng, dearest, unpaid = np.random.default_rng(5), 0.0, 0
    for case in range(CASES):
        s, other = worlds(rng, 8)
        more = {"branch_count": 3} if kind is AdaptiveSparseVector and case % 2 else {}
        m = kind(epsilon=0.8, k=2, threshold=2.0, monotonic=s.monotonic, **more)
        rates = np.array([m.epsilon0, *(test.rate for test in m.branches())])[:, None]
        noise = rng.laplace(size=(len(rates), s.d)) / rates
        found, here = align_run(m, s, other, noise), run(m, s, noise)
        assert run(m, other, noise + found.shifts) == pytest.approx(here, abs=1e-9)
        dearest = max(dearest, found.total)
        # the twin: the threshold does not move, so a query may newly pass
        still = np.where(found.shifts != 0, found.shifts - found.shifts[0, 0], 0.0)
        unpaid += run(m, other, noise + still)[:, 0].tolist() != here[:, 0].tolist()
    assert 0.6 < dearest <= 0.8 * (1 + 1e-12)
    assert unpaid > 0

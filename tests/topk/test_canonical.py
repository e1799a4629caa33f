"""The canonical mechanism: its contract, privacy over random neighbours, and pruning."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import NOISES, Canonical, ParameterError, Scores, TopKMechanism, privacy_loss
from dpviz.topk.classes import log_class_size
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import winners
from tests.meters import random_neighbour


class TestCanonical(MechanismContract):
    examples = [
        Canonical(epsilon=2.0, k=2, gamma=g, noise=n) for g in (0.0, 0.5, 1.0) for n in NOISES
    ]
    vector_name = "canonical"
    vector_parameters = ("gamma", "noise")

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """Every set with its own noise, and the largest of −ε/2·loss + noise."""
        losses = set_losses(m, s)  # type: ignore[arg-type]
        chances = winners(-m.epsilon / 2 * np.array(list(losses.values())), m.noise)  # type: ignore[attr-defined]
        return of_ranks(s, dict(zip(losses, chances.tolist(), strict=True)))

    def concentrates(self, m: TopKMechanism) -> bool:
        """γ = 0 does not look at the worst item, so it never settles on one set."""
        return bool(m.gamma > 0)  # type: ignore[attr-defined]


def set_losses(m: Canonical, s: Scores) -> Sets:
    """The loss of every set of ranks, read off the set itself, no classes in between."""
    x, losses = s.ranked, {}
    for ranks in itertools.combinations(range(s.d), m.k):
        out = [r for r in range(s.d) if r not in ranks]
        # (the best item missed decides for any set but the exact top-k, whose loss is that of (k−1,
        # k))
        first = x[min(out[0], m.k - 1)]
        losses[ranks] = (1 - m.gamma) * first - m.gamma * x[ranks[-1]]
    return losses


@given(
    values=st.lists(st.integers(-4, 9), min_size=3, max_size=7),
    k=st.integers(1, 3),
    noise=st.sampled_from(list(NOISES)),
    gamma=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    monotonic=st.booleans(),
    seed=st.integers(0, 2**20),
    corner=st.booleans(),
)
def test_realised_loss_over_random_neighbours(
    values: list[int], k: int, noise: str, gamma: float, monotonic: bool, seed: int, corner: bool
) -> None:
    s = Scores(values, monotonic=monotonic)
    m = Canonical(epsilon=1.5, k=min(k, s.d - 1), gamma=gamma, noise=noise)
    neighbour = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    assert privacy_loss(m, s, neighbour).largest <= 1.5 + 1e-8


def test_large_input_against_the_full_table() -> None:
    """Pruned and unpruned laws agree to the certificate: d = 600, k = 40, 22,401 classes."""
    s = Scores(np.sort(np.random.default_rng(11).pareto(1.2, 600) * 40), monotonic=True)
    m = Canonical(epsilon=0.3, k=40)
    dist = m.distribution(s)
    h, t = (v.ravel() for v in np.meshgrid(np.arange(40), np.arange(41, 601), indexing="ij"))
    h, t = np.append(h, 39), np.append(t, 40)
    log_weight = log_class_size(h, t, 40) - 0.15 * m.class_loss(s.ranked, h, t)
    p = np.exp(log_weight - np.logaddexp.reduce(log_weight))
    full = dict(zip(zip(h.tolist(), t.tolist(), strict=True), p, strict=True))
    codes = zip(dist.h.tolist(), dist.t.tolist(), strict=True)
    listed = dict(zip(codes, dist.probability, strict=True))
    assert max(abs(full[c] - listed.get(c, 0.0)) for c in full) <= dist.error
    assert sum(full[c] for c in full if c not in listed) <= dist.missing
    assert len(listed) < len(full) / 2


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("epsilon", (0.0, math.nan, math.inf, True, "1"), "epsilon must be a number above 0"),
        ("k", (0, 2.0), "k must be a whole number of at least 1"),
        ("gamma", (-0.1, 1.1), "gamma must be a number from 0 to 1"),
        ("noise", ("cauchy", 3), "noise must be one of gumbel, exponential, laplace, logistic"),
    ],
)
def test_bad_parameters_get_one_sentence(name: str, values: tuple[Any, ...], message: str) -> None:
    for value in values:
        with pytest.raises(ParameterError, match=message):
            Canonical(**{"epsilon": 1.0, "k": 2, name: value})


@given(
    top=st.integers(1, 4),
    rest=st.integers(30, 300),
    gap=st.floats(0.0, 9000.0),
    k=st.integers(1, 4),
    gamma=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    noise=st.sampled_from(list(NOISES)),
    epsilon=st.sampled_from([0.02, 0.3]),
    seed=st.integers(0, 2**20),
)
def test_unlikely_sets_keep_to_epsilon_too(
    top: int, rest: int, gap: float, k: int, gamma: float, noise: str, epsilon: float, seed: int
) -> None:
    values = np.append(np.full(top, np.round(gap)), np.zeros(rest))
    nearer = np.append([-1.0] * top, [1.0] * rest)
    random = np.random.default_rng(seed).choice([-1.0, 1.0], top + rest)
    m = Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise)
    moved = values + (random if seed % 2 else nearer)
    here, there = m.distribution(Scores(values)), m.distribution(Scores(moved))
    sets = (range(k), range(top, top + k), range(top + rest - k, top + rest), [0, *range(9, 8 + k)])
    for items in sets:
        loss = here.log_probability(items) - there.log_probability(items)
        assert abs(loss) <= epsilon * (1 + 1e-9) + 1e-9, items

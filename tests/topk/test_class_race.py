"""Privacy of sets far outside the classes that a law keeps; the oracle holds their log P."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpviz import NOISES, Canonical, Scores


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

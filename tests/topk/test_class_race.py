"""log P of sets far outside the classes that a law keeps: 40 digits over every class there is, and
privacy.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable
from functools import cache, partial

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import NOISES, Canonical, Scores

CDF: dict[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    "gumbel": lambda u: mpmath.exp(-mpmath.exp(-u)),
    "exponential": lambda u: 1 - mpmath.exp(-u) if u > 0 else mpmath.mpf(0),
    "laplace": lambda u: mpmath.exp(u) / 2 if u < 0 else 1 - mpmath.exp(-u) / 2,
    "logistic": lambda u: 1 / (1 + mpmath.exp(-u)),
    "half_logistic": lambda u: mpmath.tanh(u / 2) if u > 0 else mpmath.mpf(0),
}
SLOPE: dict[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    "gumbel": lambda u: mpmath.exp(-u - mpmath.exp(-u)),
    "exponential": lambda u: mpmath.exp(-u) if u > 0 else mpmath.mpf(0),
    "laplace": lambda u: mpmath.exp(-abs(u)) / 2,
    "logistic": lambda u: mpmath.sech(u / 2) ** 2 / 4,
    "half_logistic": lambda u: mpmath.sech(u / 2) ** 2 / 2 if u > 0 else mpmath.mpf(0),
}


def brute_log_probabilities(m: Canonical, s: Scores, asked: list[tuple[int, int]]) -> list[float]:
    """log P of one member of each C(h,t): every class in the product, grouped by level, with 40
    digits.
    """
    x, k, d = s.ranked.tolist(), m.k, s.d
    classes = [(k - 1, k), *itertools.product(range(k), range(k + 1, d + 1))]
    with mpmath.workdps(40):
        gamma = mpmath.mpf(m.gamma)

        def level(h: int, t: int) -> mpmath.mpf:
            return -mpmath.mpf(m.epsilon) / 2 * ((1 - gamma) * x[h] - gamma * x[t - 1])

        members: Counter[mpmath.mpf] = Counter()
        for a, b in classes:
            members[level(a, b)] += 1 if b == k else math.comb(b - a - 2, k - 1 - a)

        @cache  # the points are the same whichever class is asked for
        def all_below(z: mpmath.mpf) -> mpmath.mpf:
            product = mpmath.mpf(1)
            for q, count in members.items():
                product *= CDF[m.noise](z - q) ** count
            return product

        def density(z: mpmath.mpf, own: mpmath.mpf) -> mpmath.mpf:
            below = CDF[m.noise](z - own)
            return all_below(z) / below * SLOPE[m.noise](z - own) if below else mpmath.mpf(0)

        weight = mpmath.log(sum(count * mpmath.exp(q) for q, count in members.items()))
        centres = sorted({float(q) for q in members} | {float(weight)})
        ends = {
            c + step for c in centres for step in (-60, -20, -8, -4, -2, -1, 0, 1, 2, 4, 8, 20, 60)
        }
        cuts = sorted(end for end in ends if centres[0] - 60 <= end <= centres[-1] + 60)
        return [
            float(mpmath.log(mpmath.quad(partial(density, own=level(h, t)), cuts)))
            for h, t in asked
        ]


CASES = [
    ([1200.0, 1200.0] + [0.0] * 198, {"epsilon": 0.1, "k": 2, "gamma": 1.0}, [(1, 3), (0, 200)]),
    ([5371.0] + [0.0] * 299, {"epsilon": 0.02, "k": 1, "gamma": 1.0}, [(0, 2), (0, 300)]),
    (
        [900.0] * 3 + [850.0] * 20 + [0.0] * 20,
        {"epsilon": 0.3, "k": 4, "gamma": 0.3},
        [(3, 30), (0, 43), (1, 20)],
    ),
    ([90.0, 80.0, 20.0, 1.0], {"epsilon": 2.0, "k": 2, "gamma": 0.5}, [(0, 4), (1, 3), (1, 2)]),
]


@pytest.mark.twins(7)
@pytest.mark.parametrize("noise", list(NOISES))
@pytest.mark.parametrize("case", range(len(CASES)))
def test_every_class_competes(noise: str, case: int) -> None:
    values, told, asked = CASES[case]
    s = Scores(values)
    m = Canonical(noise=noise, **told)  # type: ignore[arg-type]
    dist = m.distribution(s)
    for (h, t), expected in zip(asked, brute_log_probabilities(m, s, asked), strict=True):
        ranks = [*range(h), *range(h + 1, m.k), t - 1] if t > m.k else range(m.k)
        seen = dist.log_probability(s.order[list(ranks)])
        assert seen == pytest.approx(expected, rel=1e-12, abs=1e-11), (h, t)


def test_the_set_of_the_audit() -> None:
    m = Canonical(epsilon=0.1, k=2, gamma=1.0, noise="laplace")
    dist = m.distribution(Scores([1200.0, 1200.0] + [0.0] * 198))
    assert dist.log_probability([0, 5]) == pytest.approx(-57.440, abs=1e-3)


@pytest.mark.parametrize("noise", list(NOISES))
def test_the_neighbours_of_the_audit(noise: str) -> None:
    m = Canonical(epsilon=0.02, k=1, gamma=1.0, noise=noise)
    here = m.distribution(Scores([5371.0] + [0.0] * 299))
    there = m.distribution(Scores([5370.0] + [1.0] * 299))
    for items in ([0], [7]):
        assert abs(here.log_probability(items) - there.log_probability(items)) <= 0.02 * (1 + 1e-9)


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
    rng = np.random.default_rng(seed)
    values = np.append(np.full(top, np.round(gap)), np.zeros(rest))
    moved = (
        values + rng.choice([-1.0, 1.0], top + rest)
        if rng.random() < 0.5
        else values + np.append([-1.0] * top, [1.0] * rest)
    )
    m = Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise)
    here, there = m.distribution(Scores(values)), m.distribution(Scores(moved))
    for items in (
        range(k),
        range(top, top + k),
        range(top + rest - k, top + rest),
        [0, *range(9, 8 + k)],
    ):
        loss = here.log_probability(items) - there.log_probability(items)
        assert abs(loss) <= epsilon * (1 + 1e-9) + 1e-9, items

"""The exact draw has the law of the canonical mechanism, however little is prepared for it."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy

from dpviz import Canonical, OneShot, ParameterError, Scores
from dpviz.data import GENERATORS
from dpviz.topk import exact_sampler
from dpviz.topk.exact_sampler import (
    ExactSampler,
    decimal_fraction,
    uniform_integer,
    uniform_subset,
)

COUNTS = [5, 9, 2, 5, 0, 7, 4]  # in no order, two of them equal


def chances(m: Canonical, scores: Scores) -> dict[tuple[int, ...], float]:
    """Every list with its chance, from the definition, whatever the rank of equals."""
    unit = scores.effective_sensitivity * m.epsilon_cost_factor(scores.contributions)
    f = scores.values / unit
    kth = sorted(f)[-m.k]
    weights = {}
    for items in combinations(range(scores.d), m.k):
        missing = max(f[i] for i in range(scores.d) if i not in items)
        worst = min(f[i] for i in items)
        loss = (1 - m.gamma) * max(missing, kth) - m.gamma * worst
        weights[items] = np.exp(-m.epsilon / 2 * loss)
    total = sum(weights.values())
    return {items: float(w / total) for items, w in weights.items()}


def agreement(draw: ExactSampler, law: dict[tuple[int, ...], float], runs: int = 20_000) -> float:
    """The p-value of a chi-square test of so many draws against the law; rare lists count together."""
    bits = random.Random(7).getrandbits
    drawn = Counter(tuple(draw(bits)) for _ in range(runs))
    assert set(drawn) <= set(law)
    both = np.array([(drawn[items], runs * p) for items, p in law.items()]).T
    rare = both[1] < 20
    observed, expected = np.column_stack([both[:, ~rare], both[:, rare].sum(1) + 1e-9])
    return float(scipy.stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)


CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"gamma": 0.5}, {"monotonic": True}),
    ({"gamma": 0.0}, {"monotonic": True, "sensitivity": 2.0}),
    ({"gamma": 1.0}, {"monotonic": False}),
    ({"gamma": 0.3}, {"monotonic": True, "contributions": 1}),
    ({"gamma": 0.8}, {"monotonic": False, "contributions": 3}),
]


@pytest.mark.parametrize("prepared", [(40, 64, 128), (1, 1, 8)])  # the last has to go on all along
@pytest.mark.parametrize(("parameters", "person"), CASES)
def test_the_law(
    parameters: dict[str, Any],
    person: dict[str, Any],
    prepared: tuple[int, int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, bits in zip(("_DEPTH", "_READ", "_PRECISION"), prepared, strict=True):
        monkeypatch.setattr(exact_sampler, name, bits)
    m, scores = Canonical(epsilon=2.0, k=3, **parameters), Scores(COUNTS, **person)
    draw, law = ExactSampler(m, scores), chances(m, scores)
    assert law == pytest.approx({i: np.exp(m.distribution(scores).log_probability(i)) for i in law})
    assert agreement(draw, law) > 1e-3
    assert (len(draw._levels) > 2) == (prepared[0] < 40)


def test_a_large_list_is_drawn_as_its_law_has_it() -> None:
    zipf = GENERATORS["zipf"](size=17_770, exponent=0.7).scores()
    scores, m = Scores(np.floor(zipf.values), monotonic=True), Canonical(epsilon=0.157, k=1000)
    draw, law, bits = ExactSampler(m, scores), m.distribution(scores), random.Random(3).getrandbits
    best = sorted(scores.order[:1000].tolist())
    top = sum(draw(bits) == best for _ in range(200))
    assert scipy.stats.binomtest(top, 200, law.top).pvalue > 1e-3
    assert 0.05 < law.top < 0.95


def test_numbers_are_what_people_read() -> None:
    assert decimal_fraction(0.41) == Fraction(41, 100)
    m = Canonical(epsilon=0.1, k=1, gamma=0.3)
    classes = ExactSampler(m, Scores([3, 1], contributions=1))._classes
    assert (classes.gain, classes.gamma) == (Fraction(1, 14), Fraction(3, 10))


def test_subsets_and_numbers_are_uniform() -> None:
    bits = random.Random(1).getrandbits
    numbers = Counter(uniform_integer(5, bits) for _ in range(20_000))
    subsets = Counter(tuple(sorted(uniform_subset(5, 3, bits))) for _ in range(20_000))
    assert (len(numbers), len(subsets)) == (5, 10)
    for each in (numbers, subsets):
        assert scipy.stats.chisquare(list(each.values())).pvalue > 1e-3
    assert (uniform_integer(1, bits), uniform_subset(4, 0, bits)) == (0, set())
    assert uniform_subset(2, 2, bits) == {0, 1}


@pytest.mark.parametrize(
    ("mechanism", "values", "message"),
    [
        (Canonical(epsilon=1.0, k=1, noise="laplace"), [3, 1], "canonical with gumbel noise"),
        (OneShot(epsilon=1.0, k=1), [3, 1], "canonical with gumbel noise"),
        (Canonical(epsilon=1.0, k=1), [3.5, 1], "scores must be whole numbers"),
        (Canonical(epsilon=1.0, k=2), [3, 1], "k must be at most 1"),
    ],
)
def test_what_it_does_not_draw(mechanism: Any, values: list[float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ExactSampler(mechanism, Scores(values))

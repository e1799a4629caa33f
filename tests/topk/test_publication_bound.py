"""The largest chance to publish a name keeps (ε, δ), and a linear programme finds none larger."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from dpviz import ParameterError
from dpviz.topk.publication_bound import largest_publication_probability

PRICES = [(1.0, 0.01), (0.3, 1e-3), (2.5, 0.2), (0.05, 0.03), (40.0, 1e-9), (1e-9, 0.3)]


def excess(p: list[float], q: list[float], epsilon: float) -> float:
    """δ(ε) of names that are kept each for itself, by listing what may come out."""
    return sum(
        max(0.0, chance(p, kept) - np.exp(epsilon) * chance(q, kept))
        for kept in product((False, True), repeat=len(p))
    )


def chance(p: list[float], kept: tuple[bool, ...]) -> float:
    return float(np.prod([one if out else 1 - one for one, out in zip(p, kept, strict=True)]))


@pytest.mark.parametrize(("epsilon", "delta"), PRICES)
def test_it_is_the_recursion(epsilon: float, delta: float) -> None:
    grows, expected = np.exp(epsilon), [0.0]
    for _ in range(60):
        last = expected[-1]
        expected.append(min(grows * last + delta, 1 - (1 - last - delta) / grows, 1.0))
    told = largest_publication_probability(np.arange(61), epsilon, delta)
    np.testing.assert_allclose(told, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(("epsilon", "delta"), PRICES[:4])
def test_it_keeps_epsilon_and_delta_and_uses_all_of_delta(epsilon: float, delta: float) -> None:
    largest = 0.0
    for moved, other in product(range(1, 12), range(6)):
        before, after = (
            largest_publication_probability([n, other], epsilon, delta).tolist()
            for n in (moved - 1, moved)
        )
        largest = max(largest, excess(before, after, epsilon), excess(after, before, epsilon))
    assert largest == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), PRICES[:4])
def test_no_mechanism_keeps_more(epsilon: float, delta: float) -> None:
    """p ≤ e^ε p' + δ, and 1 − p ≤ e^ε (1 − p') + δ, in both directions."""
    most, grows = 12, np.exp(epsilon)
    rows, bounds = [], []
    for n, (sign, bound) in product(range(most), ((1.0, delta), (-1.0, grows - 1 + delta))):
        for more, fewer in ((n + 1, n), (n, n + 1)):
            rows.append(sign * (np.eye(most + 1)[more] - grows * np.eye(most + 1)[fewer]))
            bounds.append(bound)
    within = [(0, 0)] + [(0, 1)] * most
    for n in range(1, most + 1):
        found = linprog(-np.eye(most + 1)[n], np.array(rows), bounds, bounds=within)
        told = largest_publication_probability(n, epsilon, delta)
        assert told == pytest.approx(-found.fun, abs=1e-7)


@pytest.mark.parametrize(
    ("count", "epsilon", "delta"),
    [(-1, 1.0, 0.1), (0.5, 1.0, 0.1), (np.nan, 1.0, 0.1), (1, 0.0, 0.1), (1, 1.0, 1.0)],
)
def test_what_does_not_fit_is_refused(count: float, epsilon: float, delta: float) -> None:
    with pytest.raises(ParameterError):
        largest_publication_probability(count, epsilon, delta)

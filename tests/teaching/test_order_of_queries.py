"""Order in a sparse vector: every figure against plain integrals over the threshold's noise."""

import itertools
from collections.abc import Callable

import pytest
from scipy import integrate, stats

from dpviz.teaching.lessons import order_of_queries as lesson
from tests.teaching.asked import chosen, questions


def run_law(place: int, novel: float = 30.0, k: int = 1) -> tuple[float, float]:
    """P(the novel's yes), P(it is asked), after place − 1 books of 15 readers and threshold 20.

    ε is split 1 : k^(2/3).
    """
    epsilon0 = 1.0 / (1 + k ** (2 / 3))
    epsilon1 = (1.0 - epsilon0) / k
    noise, threshold = stats.laplace(scale=1 / epsilon1), stats.laplace(scale=1 / epsilon0)

    def asked(z: float) -> float:
        before = stats.binom.cdf(k - 1, place - 1, noise.sf(20.0 + z - 15.0))
        return float(before * threshold.pdf(z))

    def said(z: float) -> float:
        return asked(z) * float(noise.sf(20.0 + z - novel))

    def total(of: Callable[[float], float]) -> float:
        kinks = itertools.pairwise([-200.0, -5.0, 0.0, 10.0, 200.0])
        return sum(integrate.quad(of, a, b)[0] for a, b in kinks)

    return total(said), total(asked)


@pytest.mark.parametrize("place", lesson.PLACES)
def test_the_law_of_the_novel(place: float) -> None:
    yes, asked = run_law(int(place))
    assert lesson.law(place) == pytest.approx([yes, asked - yes, 1 - asked], abs=1e-8)


def test_other_books_and_other_budgets() -> None:
    (mistaken, _), (wider, _) = run_law(1, 15.0), run_law(20, k=3)
    assert lesson.yes_probability(1, 1, 15.0) == pytest.approx(mistaken, abs=1e-8)
    assert lesson.law(20.0, 3)[0] == pytest.approx(wider, abs=1e-8)
    assert lesson.law(20.0, 3)[0] < lesson.law(20.0)[0]


def test_the_answers() -> None:
    predicted, asked = questions("order_of_queries")
    assert run_law(20)[0] < 0.5
    assert chosen(predicted).startswith("In less than half")
    assert chosen(asked) == "Nothing"

"""Order in a sparse vector: every figure against plain integrals over the threshold's noise."""

import itertools
import re

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz.teaching.lessons import order_of_queries as lesson
from tests.teaching.asked import chosen, questions


def run_law(place: int, others: int, novel: float = 30.0, k: int = 1) -> tuple[float, float]:
    """P(the novel's yes), P(it is asked), after place − 1 books of 15 readers: ε split 1 : k^(2/3),
    threshold 20.
    """
    epsilon0 = 1.0 / (1 + k ** (2 / 3))
    epsilon1 = (1.0 - epsilon0) / k
    noise, threshold = stats.laplace(scale=1 / epsilon1), stats.laplace(scale=1 / epsilon0)

    def asked(z: float) -> float:
        return float(stats.binom.cdf(k - 1, others, noise.sf(20.0 + z - 15.0)) * threshold.pdf(z))

    def said(z: float) -> float:
        return asked(z) * float(noise.sf(20.0 + z - novel))

    kinks = [-200.0, -5.0, 0.0, 10.0, 200.0]
    both = [
        sum(integrate.quad(f, a, b)[0] for a, b in itertools.pairwise(kinks)) for f in (said, asked)
    ]
    return both[0], both[1]


@pytest.mark.parametrize("place", lesson.PLACES)
def test_the_law_of_the_novel(place: float) -> None:
    yes, asked = run_law(int(place), int(place) - 1)
    assert lesson.law(place) == pytest.approx([yes, asked - yes, 1 - asked], abs=1e-8)


def test_what_the_prose_says_besides() -> None:
    assert lesson.yes_probability(1, 1, 15.0) == pytest.approx(
        run_law(1, 0, novel=15.0)[0], abs=1e-8
    )
    assert lesson.law(20.0, 3)[0] == pytest.approx(run_law(20, 19, k=3)[0], abs=1e-8)
    assert lesson.law(20.0, 3)[0] < lesson.law(20.0)[0]
    mistaken, (yes, asked), wider = (
        run_law(1, 0, novel=15.0)[0],
        run_law(20, 19),
        run_law(20, 19, k=3)[0],
    )
    told = re.findall(
        r"([\d.]+)\u202f% of runs|first in line .* in ([\d.]+)|, last in ([\d.]+)",
        lesson.explanation_text(),
    )
    figures = [float(next(filter(None, one))) for one in told]
    assert figures == [round(100 * p, 1) for p in (mistaken, 1 - asked, yes, wider)]


def test_the_answers() -> None:
    predicted, asked = questions("order_of_queries")
    assert run_law(20, 19)[0] < 0.5
    assert chosen(predicted).startswith("In less than half")
    rng = np.random.default_rng(5)
    ends = {novel: ended_at(novel, 6, rng) for novel in (15.0, 30.0)}
    assert abs(ends[15.0] - ends[30.0]) < 0.005
    assert lesson.yes_probability(lesson.SAID_EARLY, lesson.BOOKS, 30.0) == pytest.approx(
        (ends[15.0] + ends[30.0]) / 2, abs=0.003
    )
    assert chosen(asked) == "Nothing"


def ended_at(novel: float, index: int, rng: np.random.Generator, runs: int = 100_000) -> float:
    """How often the first yes goes to the book of this index, the novel being last."""
    readers = np.append(np.full(19, 15.0), novel)
    above = readers + rng.laplace(scale=2.0, size=(runs, 20)) >= 20.0 + rng.laplace(
        scale=2.0, size=(runs, 1)
    )
    return float(np.mean(above[:, index] & ~above[:, :index].any(axis=1)))


def test_the_reasons_against_other_answers() -> None:
    _, few, _ = questions("order_of_queries")[0].mistakes()
    taken = 1 - run_law(20, 19)[1]
    assert (
        "for 19 books that have a try before the novel: one of them gets the yes in"
        f" {100 * taken:.1f}" in few
    )

"""The name that only one person wrote: permutations, race integrals and tails of Laplace noise."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpviz import Scores
from dpviz.base.arrays import Floats
from dpviz.teaching.lessons import a_name_of_one as lesson
from tests.teaching.asked import chosen, questions

OTHERS = [9.0, 7.0, 5.0, 4.0, 2.0, 2.0]
WITH_HER = [*OTHERS, 1.0]


def peeled(counts: list[float], rate: float) -> float:
    """P(the last is among three drawn one after the other by e^(rate · count))."""
    weights, last = np.exp(rate * np.array(counts)), len(counts) - 1
    total = 0.0
    for order in permutations(range(len(counts)), 3):
        if last in order:
            first, second, third = (float(weights[i]) for i in order)
            rest = float(weights.sum())
            total += first / rest * second / (rest - first) * third / (rest - first - second)
    return total


def laplace(counts: list[float], rate: float, least: float = -60.0) -> float:
    """P(the last is among the three largest, and above the least), Laplace noise of size 1/rate."""
    noise = stats.laplace(scale=1 / rate)

    def at(z: float) -> float:
        ahead: Floats = np.array([1.0, 0.0, 0.0])  # P(0, 1, 2 others ahead)
        for count in counts[:-1]:
            p = noise.sf(z - count)
            ahead = ahead * (1 - p) + p * np.append(0.0, ahead[:-1])
        return float(noise.pdf(z - counts[-1]) * ahead.sum())

    kinks = [count for count in sorted(set(counts)) if count > least]
    return float(quad(at, least, least + 120, points=kinks, limit=400, epsabs=0)[0])


@pytest.mark.parametrize("epsilon", lesson.EPSILONS)
def test_the_laws(epsilon: float) -> None:
    found = peeled(WITH_HER, epsilon / 3)  # one-shot with gumbel noise is peeling, read as a set
    one_shot = lesson.law_function(lesson.ONE_SHOT)(epsilon)
    assert one_shot == pytest.approx([found, 1 - found], abs=1e-7)
    assert lesson.law_function(lesson.ONE_SHOT, 0)(epsilon).tolist() == [0.0, 1.0]
    passing = laplace(WITH_HER, epsilon, 1 + math.log(1 / 2e-6) / epsilon)
    assert lesson.law_function(lesson.THRESHOLD)(epsilon)[0] == pytest.approx(passing, rel=1e-4)
    assert 0.99e-6 < passing <= 1e-6 * (1 + 1e-6)


def test_the_law_of_noisy_counts() -> None:
    noisy = lesson.rare_word_probability(lesson.NOISY)
    assert noisy == pytest.approx(laplace(WITH_HER, 1.0), abs=1e-6)


def test_a_name_comes_out_only_where_somebody_has_it() -> None:
    assert lesson.HERS not in lesson.typed_word_scores(0).labels
    assert len(lesson.typed_word_scores(0).labels) == len(OTHERS)
    common = ("garden", "trains", "recipes")
    assert lesson.typed_word_scores(4, smallest_count=5).labels == common
    assert lesson.typed_word_scores(5, smallest_count=5).labels == (*common, lesson.HERS)


def test_how_often_a_word_of_so_many_is_kept() -> None:
    """Laplace by its tail, the most there can be by its recursion."""
    tau, most = 1 + math.log(1 / 2e-6), [0.0]
    assert lesson.noisy_count_threshold() == pytest.approx(tau)
    for _ in range(max(lesson.TYPED)):
        last = most[-1]
        most.append(min(math.e * last + 1e-6, 1 - (1 - last - 1e-6) / math.e, 1.0))
    for n in lesson.TYPED:
        told = lesson.threshold_pass_probability(n, "laplace")
        assert told == pytest.approx(stats.laplace.sf(tau - n), abs=1e-8)
        assert lesson.publication_probability_bound(n) == pytest.approx(most[n], abs=1e-12)
    none = math.prod(1 - stats.laplace.sf(tau - n) for n in WITH_HER)
    assert lesson.empty_list_probability() == pytest.approx(none, abs=1e-7)


def test_where_the_nameless_word_stands() -> None:
    """A word alone beats it with 1/(1 + e^(−ε/k · distance)), a half where it stands as high."""
    alone = Scores([45, 0], monotonic=True, contributions=1, names_known=False)
    beaten = lesson.lesson_mechanism(lesson.LIMITED).distribution(alone).inclusion[0]
    assert math.log(beaten / (1 - beaten)) == pytest.approx((45 - lesson.NAMELESS) / 3, abs=1e-6)


def test_the_answers() -> None:
    predicted, remedy = questions("a_name_of_one")
    assert chosen(predicted) == "No factor is large enough"
    cut = peeled([9.0, 7.0, 5.0, 5.0], 1 / 3)
    small = peeled(WITH_HER, 0.1 / 3)
    assert cut > small > 1e-6
    assert chosen(remedy).startswith("Noise first")

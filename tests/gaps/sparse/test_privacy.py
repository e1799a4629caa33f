"""Sparse vectors nearly reach their ε; the meter catches broken ones."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import integrate

from dpviz import Scores
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
from tests.answer_strings import adaptive_chances, brute_law, plain_chances, survival
from tests.meters import largest_loss


def both_ways(high: int, low: int) -> tuple[Scores, Scores]:
    """Queries just above the threshold rise and some far below fall: the worst case."""
    values = np.array([5.0] * high + [-40.0] * low)
    return Scores(values), Scores(values + np.array([1.0] * high + [-1.0] * low))


def test_the_bound_is_nearly_reached() -> None:
    m = SparseVector(epsilon=1.0, k=1, threshold=0.0)
    s, other = both_ways(6, 2)
    found = largest_loss(m.answer_strings(s), m.answer_strings(other))
    assert 0.99 < found <= 1 + 1e-9


@pytest.mark.parametrize(
    ("cls", "high", "low"), [(SparseVector, 5, 2), (AdaptiveSparseVector, 4, 2)]
)
def test_twin_with_the_monotonic_cost_under_general_neighbours(
    cls: type[ThresholdMechanism], high: int, low: int
) -> None:
    pair = both_ways(high, low)
    twin = cls(epsilon=1.0, k=2, threshold=0.0, monotonic=True)
    lies = [Scores(s.values, monotonic=True) for s in pair]
    assert largest_loss(*map(twin.answer_strings, lies)) > 1.5
    honest = twin.replace(monotonic=False)
    assert largest_loss(*map(honest.answer_strings, pair)) <= 1 + 1e-9


def test_twin_without_threshold_noise() -> None:
    m = SparseVector(epsilon=1.0, k=1, threshold=0.0)
    pair, chances = ([-1.0] * 8, [0.0] * 8), plain_chances(m)
    laws = [brute_law(m, margins, chances, noisy_threshold=False) for margins in pair]
    assert largest_loss(*laws) > 1.2
    assert largest_loss(*(m.answer_strings(Scores(margins)) for margins in pair)) <= 1 + 1e-9


def test_twin_whose_branches_share_a_draw() -> None:
    """One draw ξ, halved for the middle branch: "M" then tells that η < m + σ for certain.

    Queries passed over before, which all say that η is large, lie on the other side of that edge.
    """
    m = AdaptiveSparseVector(epsilon=1.0, k=1, threshold=0.0, split="even")

    def shared(z: float, margin: float) -> Sequence[float]:
        top = survival(m.epsilon1 * (z + m.sigma - margin))
        either = survival(m.epsilon1 * min(z + m.sigma - margin, 2 * (z - margin)))
        return [top, either - top]

    def passed_over_then_middle(high: float, low: float) -> float:
        """P("_____M") of five queries of one margin and a last one of another."""

        def density(z: float) -> float:
            none = 1 - sum(shared(z, high))
            return none**5 * shared(z, low)[1] * m.epsilon0 / 2 * math.exp(-m.epsilon0 * abs(z))

        cuts = sorted([-60.0, 0.0, low, low + m.sigma, high, high - m.sigma])
        pieces = [(a, b) for a, b in itertools.pairwise(cuts) if a < b]
        return sum(integrate.quad(density, *piece, epsabs=0.0, epsrel=1e-8)[0] for piece in pieces)

    high = m.sigma + 10.0
    twin = math.log(passed_over_then_middle(high, 0.0) / passed_over_then_middle(high + 1, -1.0))
    assert twin > 1.3
    pair = [Scores([high] * 5 + [0.0]), Scores([high + 1] * 5 + [-1.0])]
    assert largest_loss(*map(m.answer_strings, pair)) <= 1 + 1e-9


def test_honest_meter_agrees_with_brute_force() -> None:
    m = AdaptiveSparseVector(epsilon=1.0, k=1, threshold=0.0)
    s, other = Scores([1.0, -2.0, 3.0]), Scores([2.0, -1.0, 2.0])
    brute = largest_loss(*(brute_law(m, list(x.values), adaptive_chances(m)) for x in (s, other)))
    found = largest_loss(m.answer_strings(s), m.answer_strings(other))
    assert found == pytest.approx(brute, abs=1e-6)

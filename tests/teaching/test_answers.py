"""What the lessons say, by other formulas, quadrature and listing everything."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpviz.base.arrays import Floats
from dpviz.data import EXAMPLES
from dpviz.teaching.lesson import MultipleChoice
from dpviz.teaching.lessons import (
    LESSONS,
    noisy_counts,
    opening_story,
    permute_and_flip,
    ties,
    what_k_costs,
)
from dpviz.teaching.lessons import counts_and_the_factor_two as factor_two

TRIP = np.array([9.0, 7.0, 4.0, 3.0, 2.0, 1.0])


def question(key: str, step: int) -> MultipleChoice:
    asked = LESSONS[key].steps[step - 1].question
    assert asked is not None
    return asked


def right(key: str, step: int) -> str:
    """The choice that the lesson takes for the right one."""
    asked = question(key, step)
    return asked.choices[asked.answer]


def exponential(scores: Sequence[float] | Floats, rate: float) -> Floats:
    """The exponential mechanism: chances in proportion to e^(rate · score)."""
    weights = np.exp(rate * (np.asarray(scores) - np.max(scores)))
    return weights / weights.sum()


def flipped(scores: Floats, rate: float) -> Floats:
    """Permute-and-flip, by every order in which the items may come."""
    heads = np.exp(rate * (scores - scores.max()))
    chance = np.zeros(len(scores))
    for order in permutations(range(len(scores))):
        going_on = 1.0
        for item in order:
            chance[item] += going_on * heads[item]
            going_on *= 1 - heads[item]
    return chance / math.factorial(len(scores))


def laplace_winner(scores: Sequence[float], rate: float) -> Floats:
    """The largest of the scores with Laplace noise of size 1/rate, by quadrature."""

    def below(z: float) -> float:
        return 0.5 * math.exp(z) if z < 0 else 1 - 0.5 * math.exp(-z)

    def integral(item: int) -> float:
        def at(z: float) -> float:
            others = (below(z - rate * score) for j, score in enumerate(scores) if j != item)
            return 0.5 * math.exp(-abs(z - rate * scores[item])) * math.prod(others)

        ends = [-40.0, *sorted({rate * score for score in scores}), rate * max(scores) + 40.0]
        return sum(quad(at, a, b, epsabs=1e-12)[0] for a, b in pairwise(ends))

    return np.array([integral(item) for item in range(len(scores))])


class TestOpeningStory:
    @pytest.mark.parametrize("epsilon", opening_story.EPSILONS)
    def test_the_chances_of_a_card(self, epsilon: float) -> None:
        here = laplace_winner(opening_story.WITH, epsilon)
        there = laplace_winner(opening_story.WITHOUT, epsilon)
        np.testing.assert_allclose(opening_story.WITH_HER.law(epsilon), here, atol=1e-9)
        np.testing.assert_allclose(opening_story.WITHOUT_HER.law(epsilon), there, atol=1e-9)
        told = np.exp(np.abs(np.log(here) - np.log(there)).max())
        assert opening_story.largest_likelihood_ratio(epsilon) == pytest.approx(told, rel=1e-6)
        assert 1 < told <= math.exp(epsilon)

    def test_without_noise_the_card_gives_ana_away(self) -> None:
        before, after = (
            max(zip(r, (2, 1, 0), strict=True)) for r in (opening_story.WITHOUT, opening_story.WITH)
        )
        assert (before[1], after[1]) == (2, 1)  # the first, then the second
        assert "Ana borrowed “Living with diabetes”" in right("opening_story", 2)

    def test_the_smallest_epsilon_that_is_right_in_nine_of_ten(self) -> None:
        chance = {e: laplace_winner(opening_story.WITH, e)[1] for e in opening_story.EPSILONS}
        smallest = min(epsilon for epsilon, often in chance.items() if often >= 0.9)
        assert right("opening_story", 5) == f"ε = {smallest:g}"


class TestPermuteAndFlip:
    @pytest.mark.parametrize("epsilon", permute_and_flip.EPSILONS)
    def test_both_laws(self, epsilon: float) -> None:
        coins, lots = permute_and_flip.COINS.law(epsilon), permute_and_flip.LOTS.law(epsilon)
        np.testing.assert_allclose(coins, flipped(TRIP, epsilon), atol=1e-9)
        np.testing.assert_allclose(lots, exponential(TRIP, epsilon), atol=1e-9)

    def test_permute_and_flip_is_right_more_often(self) -> None:
        assert flipped(TRIP, 0.5)[0] > exponential(TRIP, 0.5)[0] + 0.01
        assert right("permute_and_flip", 2) == "Permute-and-flip"

    def test_two_that_tie_are_level(self) -> None:
        tie = np.array([5.0, 5.0])
        np.testing.assert_allclose(flipped(tie, 0.5), exponential(tie, 0.5))
        assert right("permute_and_flip", 4) == "They are the same"


def peeled_top(rate: float, counts: Floats, k: int) -> float:
    """P(the top k) of k rounds of the exponential mechanism: the k fastest of exponential clocks."""
    ranked = np.sort(counts)[::-1]
    speed = np.exp(rate * (ranked - ranked[k]))
    rest = speed[k:].sum()

    def at(t: float) -> float:
        return float(np.exp(-rest * t) * np.prod(-np.expm1(-speed[:k] * t)))

    parts = pairwise((0, 0.1, 1, 60))
    return rest * sum(quad(at, a, b, epsabs=1e-13, limit=200)[0] for a, b in parts)


def independent_top(noise: str, rate: float, counts: Floats, k: int) -> float:
    """P(the top k) of the k largest of rate · count + noise, over the largest left out."""
    ranked = np.sort(counts)[::-1]
    level = rate * (ranked - ranked[k])

    tail = {"exponential": stats.expon, "laplace": stats.laplace}[noise].sf
    z = np.linspace(-25.0, 60.0, 100_001)  # within 1e-7
    above = np.prod([tail(z - q) for q in level[:k]], axis=0)
    below = np.prod([1 - tail(z - q) for q in level[k:]], axis=0)
    return float((0.5 * (above[1:] + above[:-1]) * np.diff(below)).sum())


def canonical_top(epsilon: float, counts: Floats, k: int) -> float:
    """P(the top k) of canonical with γ = ½ and Gumbel noise, class by class.

    A class weighs e^(−ε/2 · distance), from its best missing count to its worst member's.
    """
    x = np.sort(counts)[::-1]
    others = sum(
        math.comb(t - h - 2, k - 1 - h) * math.exp(-epsilon / 2 * (x[h] - x[t - 1]))
        for h in range(k)
        for t in range(k + 1, len(x) + 1)
    )
    return 1 / (1 + others)


HELP_LINE = np.asarray(EXAMPLES["help_line"].scores().values)


class TestWhatKCosts:
    @pytest.mark.parametrize("k", what_k_costs.LENGTHS)
    def test_all_three_laws(self, k: float) -> None:
        for name, expected in (
            ("peeling", peeled_top(1.0 / k, HELP_LINE, int(k))),
            ("one_shot", independent_top("exponential", 1.0 / k, HELP_LINE, int(k))),
            ("canonical", canonical_top(1.0, HELP_LINE, int(k))),
        ):
            told = what_k_costs.all_correct_probability(name, k)
            assert told == pytest.approx(expected, abs=1e-5), name

    def test_canonical_is_right_most_often(self) -> None:
        tops = peeled_top(0.1, HELP_LINE, 10), independent_top("exponential", 0.1, HELP_LINE, 10)
        assert canonical_top(1.0, HELP_LINE, 10) > max(tops)
        assert right("what_k_costs", 2) == "Canonical"

    def test_what_peeling_needs(self) -> None:
        goal, needed = canonical_top(1.0, HELP_LINE, 10), what_k_costs.matching_peeling_epsilon()
        assert peeled_top(needed / 10, HELP_LINE, 10) == pytest.approx(goal, abs=1e-6)
        assert right("what_k_costs", 4) == "About five times as much"
        assert 3.2 < needed < 7.1  # between the geometric means with the factors beside it


@cache
def noisy_top(most: float) -> float:
    """The same of noisy counts in a list of ten, where one counts in so many names."""
    return independent_top("laplace", noisy_counts.EPSILON / most, HELP_LINE, 10)


def canonical_help_line(most: float) -> float:
    """Canonical's in that list, which pays half where one counts in one name."""
    return canonical_top(noisy_counts.EPSILON * (2 if most == 1 else 1), HELP_LINE, 10)


class TestNoisyCounts:
    @pytest.mark.parametrize("most", noisy_counts.MOST)
    def test_both_laws(self, most: float) -> None:
        told = [
            noisy_counts.all_correct_probability(name, most)
            for name in (noisy_counts.NOISY, noisy_counts.CANONICAL)
        ]
        assert told[0] == pytest.approx(noisy_top(most), abs=1e-6)
        assert told[1] == pytest.approx(canonical_help_line(most), abs=1e-9)

    def test_where_each_wins(self) -> None:
        both = {c: [noisy_top(c), canonical_help_line(c)] for c in noisy_counts.MOST}
        assert both[1][0] > both[1][1]
        first = min(c for c, (noisy, canonical) in both.items() if canonical > noisy)
        assert right("noisy_counts", 4) == f"c = {first:g}"


class TestTies:
    LOANS = np.asarray(EXAMPLES["library_loans"].scores().values)

    def test_how_many_lists_are_as_good(self) -> None:
        ranked = np.sort(self.LOANS)[::-1]
        tied = np.flatnonzero(ranked == ranked[9])
        as_good = sum(1 for _ in combinations(tied, 10 - int(tied[0])))
        assert as_good == ties.EQUIVALENT == 20
        assert right("ties", 2) == "In one of 20"
        assert right("ties", 4).startswith("It asks for one of 20")

    @pytest.mark.parametrize("epsilon", ties.EPSILONS)
    def test_top_and_optimal(self, epsilon: float) -> None:
        top = canonical_top(epsilon, self.LOANS, 10)
        assert ties.top_probability(epsilon) == pytest.approx(top, abs=1e-9)
        optimal = ties.optimal_event_probability(epsilon)
        assert optimal == pytest.approx(20 * top, abs=1e-9)  # they all have its scores


class TestCountsAndTheFactorTwo:
    @pytest.mark.parametrize("epsilon", factor_two.EPSILONS)
    def test_both_laws(self, epsilon: float) -> None:
        for relation, rate in ((factor_two.COUNTS, epsilon), (factor_two.EITHER_WAY, epsilon / 2)):
            law = factor_two.TRIPS[relation].law(epsilon)
            np.testing.assert_allclose(law, exponential(TRIP, rate), atol=1e-9)

    def test_it_takes_twice_the_epsilon(self) -> None:
        for relation, share in ((factor_two.COUNTS, 1.0), (factor_two.EITHER_WAY, 0.5)):
            needed = factor_two.zoo_goal_epsilon(relation)
            assert exponential(TRIP, share * needed)[0] == pytest.approx(0.9, abs=1e-6)
        assert right("counts_and_the_factor_two", 2) == "Twice the ε"

    def test_a_wrong_claim_breaks_the_promise(self) -> None:
        a, b = exponential([20, 5], 1.0), exponential([21, 4], 1.0)
        lost = np.abs(np.log(a) - np.log(b)).max()
        assert factor_two.loss_of_a_wrong_claim() == pytest.approx(lost, abs=1e-9)
        assert lost > 1
        assert right("counts_and_the_factor_two", 4) == "More than ε = 1"

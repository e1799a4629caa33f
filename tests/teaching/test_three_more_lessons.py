"""Learnt without you, anonymous and private, ten lists later: their figures by other formulas."""

import math
from itertools import product

import pytest
from scipy import stats

from dpviz.teaching.lessons import anonymous_and_private as anonymous
from dpviz.teaching.lessons import ten_releases_later as later
from dpviz.teaching.lessons import what_is_learnt_without_you as learnt
from tests.teaching.asked import chosen, questions


def urn(badly: int, well: int, epsilon: float) -> float:
    """The chance of “badly” by the exponential mechanism."""
    return 1 / (1 + math.exp(epsilon * (well - badly)))


@pytest.mark.parametrize("epsilon", learnt.EPSILONS)
def test_what_ben_believes(epsilon: float) -> None:
    """Bayes, once over how many of the others sleep badly and, with her, how she does."""
    many, few = urn(80, 20, epsilon), urn(20, 80, epsilon)
    without = (0.8 * many + 0.2 * few) / (many + few)
    assert learnt.posterior_belief(epsilon, with_her=False) == pytest.approx(without)
    badly = 0.8 * urn(81, 20, epsilon) + 0.2 * urn(21, 80, epsilon)
    well = 0.2 * urn(80, 21, epsilon) + 0.8 * urn(20, 81, epsilon)
    assert learnt.posterior_belief(epsilon, with_her=True) == pytest.approx(badly / (badly + well))
    assert learnt.WITH_HER.law(epsilon)[0] == pytest.approx(urn(81, 20, epsilon))
    assert learnt.WITHOUT_HER.law(epsilon)[0] == pytest.approx(many)


def test_a_group_and_the_answers() -> None:
    for people in (1, 2, 5):
        p = urn(20 + people, 20, 1.0)
        assert learnt.group_change_factor_at_tie(people) == pytest.approx(
            max(p / 0.5, 0.5 / (1 - p))
        )
    after, group = questions("what_is_learnt_without_you")
    assert learnt.posterior_belief(0.1, with_her=False) > 0.79
    assert chosen(after) == "Surer, about as much as if she had been asked"
    assert math.e < learnt.group_change_factor_at_tie(5) < math.e**5
    assert chosen(group).startswith("e^(5ε)")


@pytest.mark.parametrize(("known", "ways"), [(1, 2), (2, 160), (3, 58_400), (4, 2_920_000)])
def test_rows_that_fit(known: float, ways: int) -> None:
    assert anonymous.combination_count(known) == ways
    others = stats.binom(9999, 1 / ways)
    nobody, few = others.pmf(0), others.pmf(range(1, 10)).sum()
    assert anonymous.law(known) == pytest.approx([nobody, few, 1 - nobody - few], abs=1e-9)


@pytest.mark.parametrize("weeks", [1, 5, 10])
def test_how_often_ben_is_right(weeks: int) -> None:
    """Over every row of winners: half of the sum of the larger chance."""
    for epsilon in (later.EPSILON, later.EPSILON / weeks):
        with_her = urn(21, 20, epsilon)
        rows = product((with_her, 1 - with_her), repeat=weeks)
        expected = sum(max(math.prod(row), 0.5**weeks) for row in rows) / 2
        assert later.correct_guess_probability(weeks, epsilon) == pytest.approx(expected, abs=1e-12)


def test_what_fewer_lists_leave_for_each() -> None:
    later_on, each = questions("ten_releases_later")
    assert chosen(later_on) == "More often"
    # Between the geometric means with the factors beside it.
    assert 2 < 52 / 12 < 8
    assert chosen(each) == "About four times as much"

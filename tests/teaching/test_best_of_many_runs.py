"""Why the best of K runs leaks, by closed forms of independent coins and of the rules' theorems."""

import math

import pytest

from dpviz.teaching.lessons import best_of_many_runs as lesson
from tests.teaching.asked import chosen, questions

# P(a poor run), with her and without.
LOW = {True: 1 / (1 + math.exp(-0.5)), False: 1 / (1 + math.exp(0.5))}


@pytest.mark.parametrize("tries", lesson.TRIES)
def test_the_default_wins_where_all_others_are_poor(tries: float) -> None:
    for with_her in (True, False):
        poor = LOW[with_her] ** tries
        assert lesson.law(tries, with_her) == pytest.approx([poor, 1 - poor], abs=1e-13)
    assert lesson.naive_loss(tries) == pytest.approx(0.5 * tries, abs=1e-12)
    believed = 1 / (1 + math.exp(-0.5 * tries))
    assert lesson.posterior_after_default(tries) == pytest.approx(believed, abs=1e-12)


def levels(tries: float, with_her: bool) -> list[tuple[float, float]]:
    """(mass, mass above) of the scores 0.95, 0.9 and 0.8 of one run of one of K + 1 candidates."""
    low, share = LOW[with_her], 1 / (tries + 1)
    high = (1 - low) * tries * share
    return [(high, 0.0), (share, high), (low * tries * share, high + share)]


@pytest.mark.parametrize("tries", lesson.TRIES)
def test_the_loss_of_the_rules(tries: float) -> None:
    """Random stopping by its law of a level, known threshold by its geometric sum."""

    def stopping(with_her: bool) -> list[float]:
        return [
            0.1 * p / ((above * 0.9 + 0.1) * ((above + p) * 0.9 + 0.1))
            for p, above in levels(tries, with_her)
        ]

    def known(with_her: bool) -> list[float]:
        good, default = (p for p, _ in levels(tries, with_her)[:2])
        limit = math.ceil(max(math.log(2 / 0.1) / 0.1, 1 + 1 / (math.e * 0.1)))
        again = (1 - good - default) * 0.9
        runs = (1 - again**limit) / (1 - again)
        return [good * runs, default * runs, 1 - (good + default) * runs]

    for number, law in enumerate((stopping, known)):
        largest = max(abs(math.log(p / q)) for p, q in zip(law(True), law(False), strict=True))
        assert lesson.rule_loss(number, tries) == pytest.approx(largest, abs=1e-9)
        assert largest <= lesson.RULES[number].total_epsilon(0.5)[0]


def test_the_answers() -> None:
    predicted, cheaper = questions("best_of_many_runs")
    assert chosen(predicted).startswith("ε = 2:")
    assert math.log(LOW[True] ** 4 / LOW[False] ** 4) == pytest.approx(2.0)
    assert [0.5 * tries > 3 * 0.5 for tries in (3, 4)] == [False, True]
    assert chosen(cheaper) == "From 4"

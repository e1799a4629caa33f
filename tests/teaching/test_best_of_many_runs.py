"""Why the best of K runs leaks, by closed forms of independent coins and of the rules' theorems."""

import math

import pytest

from dpviz.teaching.lessons import best_of_many_runs as lesson
from tests.teaching.asked import chosen, questions

# P(a poor run), with her and without.
LOW = {True: 1 / (1 + math.exp(-0.5)), False: 1 / (1 + math.exp(0.5))}


@pytest.mark.parametrize("tries", lesson.TRIES)
def test_the_best_is_poor_where_every_run_is_and_each_of_them_is_charged(tries: float) -> None:
    for with_her in (True, False):
        poor = LOW[with_her] ** tries
        assert lesson.law(tries, with_her) == pytest.approx([poor, 1 - poor], abs=1e-13)
    assert lesson.naive_best_run_loss(tries) == pytest.approx(0.5 * tries, abs=1e-12)
    believed = 1 / (1 + math.exp(-0.5 * tries))
    assert lesson.posterior_after_poor_best(tries) == pytest.approx(believed, abs=1e-12)


@pytest.mark.parametrize("tries", lesson.TRIES)
def test_the_loss_of_the_rules(tries: float) -> None:
    """Both by geometric sums, random stopping over poor runs until the coin says stop."""

    def stopping(with_her: bool) -> list[float]:
        poor = 0.1 * LOW[with_her] / (1 - 0.9 * LOW[with_her])
        return [poor, 1 - poor]

    def known(with_her: bool) -> list[float]:
        limit = math.ceil(max(math.log(2 / 0.1) / 0.1, 1 + 1 / (math.e * 0.1)))
        again = LOW[with_her] * 0.9
        good = (1 - LOW[with_her]) * (1 - again**limit) / (1 - again)
        return [good, 1 - good]

    for number, law in enumerate((stopping, known)):
        largest = max(abs(math.log(p / q)) for p, q in zip(law(True), law(False), strict=True))
        assert lesson.rule_loss(number, tries) == pytest.approx(largest, abs=1e-9)
        assert largest <= lesson.RULES[number].total_epsilon(0.5)[0]


def test_the_answers() -> None:
    predicted, cheaper = questions("best_of_many_runs")
    assert chosen(predicted) == "ε = 2.5: every run is charged"
    assert math.log(LOW[True] ** 5 / LOW[False] ** 5) == pytest.approx(2.5)
    assert [0.5 * tries > 3 * 0.5 for tries in (3, 4)] == [False, True]
    assert chosen(cheaper) == "From 4"

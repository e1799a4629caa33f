"""Homework: every answer of the key by another formula, from nothing but the words of its question."""

import itertools
import math
import re

import pytest

from dpviz import ParameterError
from dpviz.teaching.homework import KINDS, draw_homework
from dpviz.teaching.session_file import read_session

OWN = """
[lesson.our_poll]
title = "A poll of ours"
text = "Thirty people chose."
data = { Zoo = 12, Museum = 9, Lake = 6 }
data_are = "made up"
epsilons = [0.2, 0.5]
why = "So."
[lesson.our_poll.question]
text = "How often?"
choices = ["Always", "Seldom"]
right = 2
reasons = ["No.", ""]
"""
SESSION = read_session(
    f'title = "Ours"\nminutes = 600\nlessons = {[*KINDS, "our_poll", "ties"]}\n{OWN}'
)
NAMES = [f"student {number}" for number in range(1, 13)]


def shares(counts: list[int], epsilon: float) -> list[float]:
    weights = [math.exp(epsilon * n) for n in counts]
    return [weight / sum(weights) for weight in weights]


def flipped(counts: list[int], epsilon: float) -> float:
    """The chance of the best by permute-and-flip, over all orders of the coins."""
    heads = [math.exp(epsilon * (n - max(counts))) for n in counts]
    orders = list(itertools.permutations(range(len(counts))))
    return sum(
        math.prod(1 - heads[i] for i in order[: order.index(counts.index(max(counts)))])
        for order in orders
    ) / len(orders)


def peeled(counts: list[int], epsilon: float, k: int) -> float:
    """The chance of the true top k, over all orders in which they are drawn."""
    chance = 0.0
    for order in itertools.permutations(sorted(counts)[-k:]):
        left, way = list(counts), 1.0
        for n in order:
            way *= shares(left, epsilon / k)[left.index(n)]
            left.remove(n)
        chance += way
    return chance


def solved(text: str) -> float | None:
    """The answer to a question, from its words."""
    counts = [int(n) for n in re.findall(r" (\d+)[,.]", text.partition(" One child")[0])]
    epsilon = float(found[1]) if (found := re.search(r"ε = ([\d.]*\d)", text)) else math.nan
    best = counts.index(max(counts))
    if "Permute-and-flip" in text:
        return 100 * (1 - flipped(counts, epsilon))
    if found := re.search(r"draws (\d) of them", text):
        return 100 * peeled(counts, epsilon, int(found[1]))
    if found := re.search(r"(\d) friends", text):
        return math.exp(epsilon) ** int(found[1])
    if found := re.search(r"at most (\d) votes\. Laplace", text):
        return int(found[1]) / epsilon
    if found := re.search(r"(\d) lists about", text):
        return 100 / (1 + math.exp(-int(found[1]) * epsilon))
    return 100 * shares(counts, epsilon)[best] if "announces one" in text else None


@pytest.mark.parametrize("seed", [0, 7])
def test_every_answer_follows_from_the_words_of_its_question(seed: int) -> None:
    for sheet in draw_homework(SESSION, NAMES, seed):
        assert len(sheet.questions) == len(KINDS) + 1
        for asked in sheet.questions:
            answer = solved(asked.text)
            if answer is None:  # the ε of a goal: the chance at it is the goal
                assert "swapped for another" in asked.text
                counts = [int(n) for n in re.findall(r" (\d+)[,.]", asked.text.split(" One")[0])]
                assert max(shares(counts, asked.answer / 2)) == pytest.approx(0.9, abs=1e-6)
            else:
                assert asked.answer == pytest.approx(answer, rel=1e-9)
            digits = 0.1 if "one decimal place" in asked.text else 0.005 * asked.answer
            assert asked.tolerance == digits


def test_a_seed_gives_the_same_sheets_and_students_have_numbers_of_their_own() -> None:
    sheets = draw_homework(SESSION, NAMES, 7)
    assert sheets == draw_homework(SESSION, NAMES, 7)
    assert sheets[0] == draw_homework(SESSION, NAMES[:1], 7)[0]
    for other in (sheets, draw_homework(SESSION, NAMES, 8)):
        assert len({one.questions for one in (*sheets[:1], *other[1:])}) == len(NAMES)


def test_what_cannot_be_homework_is_refused_in_one_sentence() -> None:
    ties = read_session('title = "Ties"\nminutes = 30\nlessons = ["ties"]')
    for session, names, seed, said in (
        (ties, ["Ann"], 1, "opening_story"),
        (SESSION, [], 1, "from 1 to 1,000 different names"),
        (SESSION, ["Ann", "Ann"], 1, "different names"),
        (SESSION, ["Ann"], -1, "seed"),
    ):
        with pytest.raises(ParameterError, match=said):
            draw_homework(session, names, seed)

"""Homework: every answer of the key by another formula, from nothing but the words of its question."""

import math
import re

import numpy as np
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


def votes(text: str) -> list[int]:
    return [int(n) for n in re.findall(r" (\d+)[,.]", text.partition(" One child")[0])]


def shares(counts: list[int], epsilon: float) -> list[float]:
    weights = [math.exp(epsilon * n) for n in counts]
    return [weight / sum(weights) for weight in weights]


def flipped(counts: list[int], epsilon: float) -> float:
    """The chance of the best by permute-and-flip: ∫ Π (1 − heads·u) du over when its turn comes."""
    heads = [math.exp(epsilon * (n - max(counts))) for n in counts if n < max(counts)]
    at, weights = np.polynomial.legendre.leggauss(10)
    return float(weights @ [math.prod(1 - p * (u + 1) / 2 for p in heads) for u in at] / 2)


def peeled(counts: list[int], epsilon: float, k: int) -> float:
    """The chance of the true top k, by which of them is drawn first."""
    chances = dict(zip(counts, shares(counts, epsilon), strict=True)) if k else {}
    return k == 0 or sum(
        chances[n] * peeled([m for m in counts if m != n], epsilon, k - 1)
        for n in sorted(counts)[-k:]
    )


def solved(text: str) -> float | None:
    """The answer to a question, from its words."""
    counts = votes(text)
    epsilon = float(found[1]) if (found := re.search(r"ε = ([\d.]*\d)", text)) else math.nan
    best = counts.index(max(counts))
    if "Permute-and-flip" in text:
        return 100 * (1 - flipped(counts, epsilon))
    if found := re.search(r"draws (\d) of them", text):
        return 100 * peeled(counts, epsilon / int(found[1]), int(found[1]))
    if found := re.search(r"(\d) friends", text):
        return math.exp(epsilon) ** int(found[1])
    if found := re.search(r"at most (\d) votes\. Laplace", text):
        return int(found[1]) / epsilon
    if found := re.search(r"(\d) lists about", text):
        return 100 / (1 + math.exp(-int(found[1]) * epsilon))
    return 100 * shares(counts, epsilon)[best] if "announces one" in text else None


def test_every_answer_follows_from_the_words_of_its_question() -> None:
    for sheet in draw_homework(SESSION, NAMES, 7):
        assert len(sheet.questions) == len(KINDS) + 1
        for asked in sheet.questions:
            answer = solved(asked.text)
            if answer is None:  # the ε of a goal: the chance at it is the goal
                assert "swapped for another" in asked.text
                assert max(shares(votes(asked.text), asked.answer / 2)) == pytest.approx(
                    0.9, abs=1e-6
                )
            else:
                assert asked.answer == pytest.approx(answer, rel=1e-9)
            digits = 0.1 if "one decimal place" in asked.text else 0.005 * asked.answer
            assert asked.tolerance == digits


def test_a_seed_gives_the_same_sheets_and_students_have_numbers_of_their_own() -> None:
    sheets, others = (draw_homework(SESSION, NAMES, seed) for seed in (7, 8))
    assert sheets == draw_homework(SESSION, NAMES, 7)
    assert len({one.questions for one in (*sheets, *others)}) == 2 * len(NAMES)


def test_what_cannot_be_homework_is_refused_in_one_sentence() -> None:
    ties = read_session('title = "Ties"\nminutes = 30\nlessons = ["ties"]')
    with pytest.raises(ParameterError, match="opening_story"):
        draw_homework(ties, ["Ann"], 1)
    for names in ([], ["Ann", "Ann"]):
        with pytest.raises(ParameterError, match="from 1 to 1,000 different names"):
            draw_homework(SESSION, names, 1)

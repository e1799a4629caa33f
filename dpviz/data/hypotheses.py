"""Private PAC learning: made-up training examples, and the score of each simple rule on them.

An item is a rule ("Q5 and not Q12"), its score the number of the n people it is right about.
Replacing one person moves each score by at most 1, up or down (Δ = 1, not monotonic).
Source: the problem is that of Chaudhuri, Hsu & Song 2014, Sec 4.2; the examples are invented here.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np

from dpviz.base import Bools

PEOPLE = 10_000
QUESTIONS = 24
TRUE_RULE = (4, 11)  # "Q5 and Q12", counted from 0
_COPIES = {17: 4, 20: 11}  # Q18 asks nearly what Q5 asks, Q21 nearly what Q12 asks
_AGREE = 0.985
_MISLABELLED = 0.04
_SEED = 29


def made_up_answers_and_outcome(seed: int = _SEED) -> tuple[Bools, Bools]:
    """Answers, shape (n, Q), and the outcome to predict, shape (n,)."""
    rng = np.random.default_rng(seed)
    answers = rng.random((PEOPLE, QUESTIONS)) < 0.5
    for copy, original in _COPIES.items():
        answers[:, copy] = answers[:, original] ^ (rng.random(PEOPLE) >= _AGREE)
    a, b = TRUE_RULE
    return answers, ((answers[:, a] & answers[:, b]) ^ (rng.random(PEOPLE) < _MISLABELLED))


@lru_cache(maxsize=1)
def question_rule_scores() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Labels and scores of every rule of one question, or of two joined by "and" or "or"."""
    answers, outcome = made_up_answers_and_outcome()
    literals = np.concatenate([answers, ~answers], axis=1)
    names = [f"Q{i + 1}" for i in range(QUESTIONS)] + [f"not Q{i + 1}" for i in range(QUESTIONS)]
    labels, right = list(names), [(literals[:, i] == outcome).sum() for i in range(2 * QUESTIONS)]
    for i, j in combinations(range(2 * QUESTIONS), 2):
        if j - i != QUESTIONS:  # a question and its own opposite say nothing
            labels += [f"{names[i]} and {names[j]}", f"{names[i]} or {names[j]}"]
            right += [
                ((literals[:, i] & literals[:, j]) == outcome).sum(),
                ((literals[:, i] | literals[:, j]) == outcome).sum(),
            ]
    return tuple(labels), tuple(float(count) for count in right)

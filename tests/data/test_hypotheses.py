"""Each score counts the people that its rule, read back from the label, is right about."""

import re

import numpy as np
import pytest

from dpviz.data import EXAMPLES
from dpviz.data.hypotheses import PEOPLE, QUESTIONS, made_up_answers_and_outcome

SCORES = EXAMPLES["simple_rules"].scores()


def said(label: str, answers: np.ndarray) -> np.ndarray:
    """What the rule with this label predicts, worked out from the text."""
    text = re.sub(r"Q(\d+)", lambda found: f"a[:, {int(found[1]) - 1}]", label)
    text = text.replace("not ", "~").replace(" and ", " & ").replace(" or ", " | ")
    return np.asarray(eval(text, {"a": answers}))


@pytest.mark.parametrize("rank", [0, 1, 2, 3, 4, 100, 1000, 2255])
def test_a_score_counts_who_the_rule_is_right_about(rank: int) -> None:
    answers, outcome = made_up_answers_and_outcome()
    item = int(SCORES.order[rank])
    assert SCORES.values[item] == (said(SCORES.label(item), answers) == outcome).sum()


def test_every_rule_is_there_once_with_its_opposite() -> None:
    singles, joined = 2 * QUESTIONS, 4 * QUESTIONS * (QUESTIONS - 1) // 2
    assert SCORES.d == singles + 2 * joined
    assert len(set(SCORES.labels)) == SCORES.d
    np.testing.assert_array_equal(np.sort(SCORES.values), np.sort(PEOPLE - SCORES.values))


def test_four_rules_are_good_and_the_true_one_is_best() -> None:
    ranked = SCORES.values[SCORES.order]
    assert SCORES.label(int(SCORES.order[0])) == "Q5 and Q12"
    assert ranked[0] - ranked[3] < 200
    assert ranked[3] - ranked[4] > 2000
    assert not SCORES.monotonic

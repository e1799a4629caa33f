"""One bound on right guesses for one mechanism, told as so many of 100, rounded up."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpviz import TOP_K, Scores, guess_bound, privacy_loss
from dpviz.base.rounding import percent_upper_bound
from dpviz.pages.decide import sentences
from dpviz.pages.explore import view
from dpviz.pages.neighbours import cards
from dpviz.pages.start import view as opening
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.topk import TopKMechanism

ROOT = Path(__file__).resolve().parents[2]
SCORES = Scores([9.0, 7.0, 4.0, 2.0, 1.0], monotonic=True, contributions=2)


def mechanisms() -> list[TopKMechanism]:
    made = []
    for name in TOP_K:
        for epsilon in (0.05, 0.2, 1.0, 3.0):
            m = TOP_K[name](epsilon=epsilon, k=2)
            try:
                m.check_scores(SCORES)
            except ValueError:
                continue
            made.append(m)
    return made


@pytest.mark.parametrize("m", mechanisms(), ids=lambda m: m.key)
def test_explore_and_decide_say_the_same_of_one_release(m: TopKMechanism) -> None:
    question = Question(k=2, data=DataSpec(name="class_trip", contributions=2))
    bound = right_guess_bound([m], contributions=2, monotonic=True)
    assert 0.5 <= bound <= guess_bound(m.epsilon, m.delta_spent) + 1e-12
    said = view.format_guess_bound(LawStudy(mechanism=m, scores=SCORES))
    assert said == f"{percent_upper_bound(bound)}"
    phrase = sentences.right_guesses_phrase(releases_cost(m, 1, question))
    assert phrase.endswith((f"at most {said} of 100", "perhaps all of 100"))


def test_start_says_what_explore_says() -> None:
    study = opening.start_study()
    for place, law in zip(opening.scene().places, study.law_study.values(), strict=True):
        assert f"{place.right_guesses}" == view.format_guess_bound(law)


@pytest.mark.parametrize("epsilon", [0.1, 0.2, 1.0, 1.0057, 2.5, 6.0])
def test_neighbours_says_one_figure_in_its_cards_and_its_chart(epsilon: float) -> None:
    m = TOP_K["canonical"](epsilon=epsilon, k=2)
    without = replace(SCORES, values=SCORES.values - np.array([1.0, 0, 0, 1.0, 0]))
    loss = privacy_loss(m, SCORES, without)
    (card,) = [one for one in cards.headlines(loss) if one.name == "A guesser is right"]
    assert card.meaning.endswith(f"at this ε at most {percent_upper_bound(guess_bound(epsilon))}")


BOUNDS = re.compile(
    r"\b(guess_bound|right_guess_bound|guess_probability_bound)\(|\.(guess|guess_bound)\b(?!\.|\()"
)
WRITERS = {"percent", "upper_bound_text", "upper_percent_text", "number_text", "round"}
WRITERS |= {"format_three_digits", "format_loss_figure"}


def bare(text: str) -> list[str]:
    """Places where such a bound goes into a text without the one way to round it."""
    found = []
    for piece in ast.walk(ast.parse(text)):
        writes = isinstance(piece, ast.Call) and getattr(piece.func, "id", "") in WRITERS
        if writes or isinstance(piece, ast.FormattedValue):
            source = ast.get_source_segment(text, piece) or ""
            rest = re.sub(r"percent_upper_bound\([^()]*(?:\([^()]*\)[^()]*)*\)", "", source)
            found += [source] if BOUNDS.search(rest) else []
    return found


def test_every_text_rounds_it_in_the_one_way() -> None:
    for folder in ("pages", "charts", "teaching", "web", "commands", "export"):
        for path in sorted((ROOT / "dpviz" / folder).rglob("*.py")):
            assert bare(path.read_text(encoding="utf-8")) == [], path
    for other in (
        'f"{upper_bound_text(100 * guess_probability_bound(loss), 3)} of 100"',
        'f"allows {percent(guess_bound(weeks * EPSILON))}. With"',
        "format_loss_figure(loss, 100 * guess_probability(loss), 100 * guess_probability_bound(loss), 50.0)",
        'f"{100 * cost.guess:.0f} of 100"',
    ):
        assert bare(other), other
    assert bare('f"at most {percent_upper_bound(guess_bound(weeks * EPSILON))} of 100"') == []

"""One bound on right guesses for one mechanism, told as so many of 100, rounded up."""

import numpy as np
import pytest

from dpviz import CANDIDATES, TOP_K, Scores, guess_bound
from dpviz.base.text_format import percent_upper_bound
from dpviz.pages.common import PageSubject, PreviewRequest
from dpviz.pages.decide.sentences import phrases, price
from dpviz.pages.explore import view
from dpviz.pages.neighbours import view as neighbours
from dpviz.pages.neighbours.settings import FIRST
from dpviz.pages.start import view as opening
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.topk import TopKMechanism

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
    phrase = phrases.right_guesses_phrase(releases_cost(m, 1, question))
    assert phrase.endswith((f"at most {said} times in 100", "could be right every time"))


def test_start_says_what_explore_says() -> None:
    study = opening.start_study()
    for place, law in zip(opening.scene().places, study.law_study.values(), strict=True):
        assert f"{place.right_guesses_per_hundred}" == view.format_guess_bound(law)


@pytest.mark.parametrize("rule", CANDIDATES)
def test_neighbours_says_of_candidates_what_their_total_allows(rule: str) -> None:
    study = neighbours.page_study(PageSubject(FIRST.replace(page={"neighbours.of": rule})))
    assert study.guess_bound == pytest.approx(guess_bound(*study.loss.ceiling), abs=1e-9)


@pytest.mark.parametrize("epsilon", np.exp(np.random.default_rng(4).uniform(-3, 1, 8)).tolist())
def test_every_page_and_file_says_one_bound_of_one_release(epsilon: float) -> None:
    """Of the same data: in a card, a chart, a preview, a sentence of Decide and of its sheet."""
    of = FIRST.replace(epsilon=epsilon)
    study = neighbours.page_study(PageSubject(of))
    said = view.format_guess_bound(LawStudy(mechanism=study.mechanism, scores=study.scores))
    cost = releases_cost(study.mechanism, 1, Question(k=of.k, data=of.data))
    shown = neighbours.build_slider_preview(PageSubject(of), epsilon, PreviewRequest())
    told = [
        shown.charts["hundred"].says_now.removesuffix(" can be right."),
        *(text for text in shown.texts.values() if "(pure guessing: 50)" in text),
        phrases.right_guesses_phrase(cost).removesuffix(" times in 100"),
        price.right_guesses_sentence(cost.guess, "").removesuffix(
            " times in 100 (pure guessing: 50)."
        ),
    ]
    assert len(told) == 4
    assert all(text.endswith(f"at most {said}") for text in told), (said, told)

"""Formulas and figures of lessons: random counts refute none, and figures are as they are written."""

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import Canonical, LimitedDomain, OneShot, Scores
from dpviz.margin import NoisyMax
from dpviz.teaching.lesson import Case
from dpviz.teaching.lessons import (
    LESSONS,
    a_bound_that_does_not_hold,
    a_name_of_one,
    noisy_counts,
    opening_story,
    why_the_gap_is_free,
)
from tests.teaching.test_lesson_claims import cases
from tests.teaching.texts import texts


def canonical_law(case: Case) -> bool:
    law = Canonical(epsilon=case.epsilon, k=case.k).distribution(case.scores)
    exponents, logs = [], []
    for chosen in itertools.combinations(range(len(case.counts)), case.k):
        inside = [case.counts[i] for i in chosen]
        missing = [n for i, n in enumerate(case.counts) if i not in chosen]
        exponents.append(case.epsilon / 2 * min(0, min(inside) - max(missing)))
        logs.append(law.log_probability(chosen))
    return float(np.ptp(np.array(logs) - exponents)) < 1e-6


def exponential_law(case: Case, rate: float, *, monotonic: bool) -> bool:
    scores = Scores(case.counts, monotonic=monotonic)
    law = OneShot(epsilon=case.epsilon, k=1).distribution(scores)
    logs = [law.log_probability([i]) for i in range(len(case.counts))]
    return float(np.ptp(np.array(logs) - rate * case.epsilon * np.array(case.counts))) < 1e-6


def heads(case: Case) -> bool:
    """The polynomial form of permute-and-flip, from the chances of heads."""
    coins = [math.exp(-case.epsilon * (max(case.counts) - n)) for n in case.counts]
    law = OneShot(epsilon=case.epsilon, k=1, noise="exponential").distribution(case.scores)
    for item, coin in enumerate(coins):
        others = np.poly1d([1.0])
        for other, p in enumerate(coins):
            if other != item:
                others *= np.poly1d([-p, 1.0])
        if abs(coin * others.integ()(1.0) - law.inclusion[item]) > 1e-6:
            return False
    return True


def count_noise(case: Case) -> bool:
    return all(
        math.isclose(
            noisy_counts.count_noise_scale(case.k, c), min(case.k, c) / noisy_counts.EPSILON
        )
        for c in range(1, 9)
    )


def nameless_count(case: Case) -> bool:
    counts = sorted((n + 1 for n in case.counts), reverse=True)
    scores, delta = Scores(counts, monotonic=True, names_known=False), 1e-6
    for candidates in range(case.k, len(counts)):
        made = LimitedDomain(epsilon=case.epsilon, k=case.k, delta=delta, candidates=candidates)
        _, race = made.candidates_and_levels(scores)
        level = counts[0] + (race.floor.level - race.levels[0]) * case.k / case.epsilon
        cover = case.k / case.epsilon * math.log(candidates / delta)
        if not math.isclose(level, counts[candidates] + 1 + cover):
            return False
    return True


def text_chances(case: Case) -> bool:
    weights = np.exp(case.epsilon * (np.array(case.counts) - max(case.counts)))
    law = NoisyMax(epsilon=case.epsilon).distribution(case.scores)
    return bool(np.abs(law.inclusion - weights / weights.sum()).max() < 1e-9)


FORMULAS = {
    "what_k_costs": (
        (
            r"P(\text{a list, canonical})\propto e^{\frac{\varepsilon}{2}"
            r"\min(0,\,\text{worst in it}-\text{best missing})}"
        ),
        canonical_law,
    ),
    "permute_and_flip": (
        r"P(\text{heads of a place})=e^{-\varepsilon\,(\text{most votes}-\text{its votes})}",
        heads,
    ),
    "noisy_counts": (r"\text{noise on each count}=\frac{\min(k,c)}{\varepsilon}", count_noise),
    "worth_of_a_list": (
        r"\text{nameless}=x_{\bar k+1}+1+\frac{k}{\varepsilon}\ln\frac{\bar k}{\delta}",
        nameless_count,
    ),
    "counts_and_the_factor_two": (
        (
            r"P(\text{place})\propto e^{\varepsilon\cdot\text{votes}}\ \text{(added or removed)},\qquad "
            r"e^{\frac{\varepsilon}{2}\cdot\text{votes}}\ \text{(replaced)}"
        ),
        lambda case: (
            exponential_law(case, 1.0, monotonic=True)
            and exponential_law(case, 0.5, monotonic=False)
        ),
    ),
    "large_margin": (
        (
            r"P(\text{a text})=\frac{e^{\varepsilon\cdot\text{its people}}}{\sum_{\text{all texts}}"
            r"e^{\varepsilon\cdot\text{people}}}"
        ),
        text_chances,
    ),
}


@pytest.mark.parametrize("key", FORMULAS)
def test_no_case_refutes_a_formula(key: str) -> None:
    latex, predicate = FORMULAS[key]
    written = [step.formula.latex for step in LESSONS[key].steps if step.formula is not None]
    assert written == [latex], "it is not what the lesson writes"

    @settings(max_examples=40, deadline=None, derandomize=True, database=None)
    @given(cases())
    def holds(case: Case) -> None:
        assert predicate(case)

    holds()


PRODUCT = re.compile(r"(\d+(?:\.\d+)?) × (\d+(?:\.\d+)?) = (\d+(?:\.(\d+))?)")


@pytest.mark.parametrize("key", LESSONS)
def test_products_are_right_as_they_are_written(key: str) -> None:
    for text in texts(LESSONS[key]):
        for one, other, product, places in PRODUCT.findall(text):
            assert round(float(one) * float(other), len(places)) == float(product), text


@given(st.floats(0.01, 6.0))
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_the_most_that_a_card_differs_is_rounded_up(epsilon: float) -> None:
    said = re.search(
        r"a factor of at most ([\d.]+)\. The promise is ([\d.]+)\. ",
        opening_story.budget_sentence(epsilon),
    )
    assert said is not None
    assert float(said[1]) >= opening_story.largest_likelihood_ratio(epsilon)
    assert float(said[2]) >= math.exp(epsilon)


def test_the_most_that_a_person_changes_is_rounded_up() -> None:
    said = {
        re.search(r"no chance by more than a factor of ([\d.]+)\.", text)
        for text in texts(LESSONS["why_the_gap_is_free"])
    } - {None}
    assert said
    assert all(
        float(each[1]) >= why_the_gap_is_free.largest_change_factor() for each in said if each
    )


def test_no_rare_word_is_ruled_out() -> None:
    """One with few people appears with a chance above zero, so it is not said to be impossible."""
    text = LESSONS["a_name_of_one"].steps[3].text
    few = a_name_of_one.threshold_pass_probability(1)
    assert 0 < few < 0.001
    assert not re.search(r"[Oo]nly words that [^.]* can appear|never appear\.", text)


def test_steps_of_a_record_are_not_all_as_long_as_allowed() -> None:
    """The longest step of one of the two is shorter than ε, so ε is the longest one allowed."""
    bound = LESSONS["a_bound_that_does_not_hold"]
    law = a_bound_that_does_not_hold.single_release_loss(a_bound_that_does_not_hold.EXPONENTIAL)
    assert law.largest < 0.9 * a_bound_that_does_not_hold.EPSILON
    told = [text for text in texts(bound) if "longest step" in text]
    assert told
    assert all(
        "ε is only the longest step that is allowed" in text
        or "ε is the longest step that is allowed" in text
        or "takes its longest step" in text
        for text in told
    )

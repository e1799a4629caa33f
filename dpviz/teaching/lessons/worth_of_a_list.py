"""The worth of names known beforehand: the same scores with a list of names and without.

Symbols: k̄ = the candidates of limited domain, c = any number of words a person, so min(c, k̄) is
k̄. Source: Durfee & Rogers 2019, Alg 1 (limited domain); the comparison is ours.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores, round_up
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.activities import Demonstration, Formula, GuessPrompt
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Draw,
    Experiment,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    add_lesson,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, nearest_factor, one_place_percent
from dpviz.teaching.plays import NoisySelection
from dpviz.topk import OneShot, TopKDistribution, TopKMechanism, smallest_epsilon
from dpviz.topk.limited_domain import LimitedDomain

D, FIRST = 300, 1000
K = 10
GOAL, PROBABILITY = 9, 0.9
SURE = f"{100 * PROBABILITY:g}\u202f% of releases"
DELTAS = (1e-6, 1e-9)
ONE_IN = f"one in {1 / DELTAS[0]:,.0f}"
CANDIDATES = (20, 60, 182)
USED = 60
EPSILONS = (0.8, 1.0, 1.5, 2.0, 3.0)
START = 1.5
FEWEST = 5
FACTORS = {
    1.0: "About the same ε",
    2.5: "About two and a half times the ε",
    10.0: "About ten times the ε",
}
RIGHT, WITH_LIST = "right names among them", "right names, with a list"
SHORTER, WRONG, SAME = (
    "The list gets shorter",
    "More wrong names come out",
    "About the same comes out",
)


def zipf_word_scores(known: bool) -> Scores:
    """Word i was typed by 1000/i people."""
    return Scores([round(FIRST / i) for i in range(1, D + 1)], monotonic=True, names_known=known)


@cache
def distribution_with_list(epsilon: float) -> TopKDistribution:
    """One-shot, where the words are on a list."""
    return OneShot(epsilon=epsilon, k=K).distribution(zipf_word_scores(True))


@cache
def distribution_without_list(epsilon: float, delta: float = DELTAS[0]) -> TopKDistribution:
    """Limited domain, where nobody had a list."""
    return _limited(epsilon, delta, USED).distribution(zipf_word_scores(False))


def _limited(epsilon: float, delta: float, candidates: int) -> LimitedDomain:
    return LimitedDomain(epsilon=epsilon, k=K, delta=delta, candidates=candidates)


def _least_epsilon(mechanism: TopKMechanism, scores: Scores) -> float:
    return smallest_epsilon(mechanism, scores, probability=PROBABILITY, event="hits", at_least=GOAL)


@cache
def epsilon_with_list() -> float:
    return _least_epsilon(OneShot(epsilon=1.0, k=K), zipf_word_scores(True))


@cache
def epsilon_without_list(delta: float, candidates: int) -> float:
    return _least_epsilon(_limited(1.0, delta, candidates), zipf_word_scores(False))


def least_epsilon_without_list(delta: float) -> float:
    return min(epsilon_without_list(delta, candidates) for candidates in CANDIDATES)


def _outcomes(by_number: Floats) -> Floats:
    return np.append(by_number[: FEWEST + 1].sum(), by_number[FEWEST + 1 :])


def law(epsilon: float) -> Floats:
    return _outcomes(distribution_without_list(epsilon).length)


def draw(epsilon: float, rng: Generator, size: int) -> Ints:
    items = _limited(epsilon, DELTAS[0], USED).sample(zipf_word_scores(False), size, rng=rng)
    return np.asarray(np.maximum((items >= 0).sum(axis=1) - FEWEST, 0), np.int64)


def mean_missing_names(epsilon: float, delta: float = DELTAS[0]) -> float:
    return K - distribution_without_list(epsilon, delta).expected_length


def mean_wrong_names(epsilon: float, delta: float = DELTAS[0]) -> float:
    found = distribution_without_list(epsilon, delta)
    return found.expected_length - found.expected_hits


def nameless_word_count(epsilon: float, delta: float = DELTAS[0]) -> float:
    """Count of the nameless word: that after the candidates, and the cover for one person."""
    return round(FIRST / (USED + 1)) + 1 + K / epsilon * math.log(USED / delta)


def words_above_nameless(epsilon: float, delta: float = DELTAS[0]) -> int:
    return int((zipf_word_scores(False).values > nameless_word_count(epsilon, delta)).sum())


def _rounded(epsilon: float) -> str:
    return f"{round_up(epsilon, 3):g}"


def result_sentence(epsilon: float) -> str:
    found, best = distribution_without_list(epsilon), distribution_with_list(epsilon)
    return (
        f"At ε = {epsilon:g}, {found.expected_length:.1f} of {K} names come out without a list, on"
        f" average, and {found.expected_hits:.1f} of them are right; all {K} are right in"
        f" {one_place_percent(found.top)} of releases. With a list {best.expected_hits:.1f} are"
        f" right, and all {K} in {one_place_percent(best.top)}."
    )


def explanation_text() -> str:
    price = [
        ("Known", "0", _rounded(epsilon_with_list())),
        *(
            ("Not known", f"one in {1 / delta:,.0f}", _rounded(least_epsilon_without_list(delta)))
            for delta in DELTAS
        ),
    ]
    lists = [
        (
            f"{e:g}",
            f"{distribution_without_list(e).expected_length:.1f}",
            f"{distribution_without_list(e).expected_hits:.1f}",
            f"{distribution_with_list(e).expected_hits:.1f}",
        )
        for e in EPSILONS
    ]
    tried = ", ".join(
        f"{_rounded(epsilon_without_list(DELTAS[0], candidates))} with {candidates}"
        for candidates in CANDIDATES
    )
    return (
        f"The ε at which at least {GOAL} of {K} are right in {SURE}:\n\n"
        + markdown_table(("Names", "δ", "ε"), price)
        + "\n\nThe same words cost"
        f" {least_epsilon_without_list(DELTAS[0]) / epsilon_with_list():.2f} times as much"
        " without a list, and more the smaller δ is. For each δ that is with the best number of"
        f" candidates that was tried: at a δ of {ONE_IN} it takes ε = {tried}. That number has to"
        f" be settled without looking at this log.\n\nWhat is lost? On average, of {K} names,"
        f" with {USED} candidates and a δ of {ONE_IN}:\n\n"
        + markdown_table(("ε", "Come out", "Of them right", "Right, with a list"), lists)
        + f"\n\nWhat comes out is nearly always right. At ε = {START:g} the nameless word stands at"
        f" {nameless_word_count(START):.0f} people, so high that a word of one person beats it"
        f" with a chance of at most δ. {words_above_nameless(START)} words were typed by more;"
        f" those mostly come out, and the next ones mostly do not. So all {K} are right with a"
        f" chance of {distribution_without_list(START).top:.5f}, and of"
        f" {distribution_with_list(START).top:.3f} with a list. What is lost is the length of the"
        " list, not who is on it.\n\nWith more ε the nameless word comes down, and from some ε on"
        f" a list is worth hardly anything: at ε = {EPSILONS[-1]:g} all {K} are right in"
        f" {one_place_percent(distribution_without_list(EPSILONS[-1]).top)} of releases without"
        f" it and in {one_place_percent(distribution_with_list(EPSILONS[-1]).top)} with it.\n\nSo"
        " look for a list: a catalogue, a dictionary, what was published last year. It must not"
        " be made from the log that is counted, and it pays for that with what it does not hold:"
        " a word that is not on it never comes out."
    )


def _stricter() -> int:
    """Effect of a smaller δ: fewer names, more wrong ones, or less than a tenth of one."""
    changes = [
        change(START, DELTAS[1]) - change(START, DELTAS[0])
        for change in (mean_missing_names, mean_wrong_names)
    ]
    return int(np.argmax([*changes, 0.1]))


def _limited_on(case: Case, times: float = 1.0, delta: float = DELTAS[0]) -> TopKDistribution:
    made = LimitedDomain(epsilon=case.epsilon * times, k=case.k, delta=delta, candidates=USED)
    log = Scores([*(n + 1 for n in case.counts), 1], monotonic=True, names_known=False)
    return made.distribution(log)


def draw_correct_function(known: bool) -> Draw:
    scores = zipf_word_scores(known)
    rank = np.append(scores.rank, D)  # what does not come out is none of the best

    def draw(epsilon: float, rng: Generator, size: int) -> Ints:
        made = OneShot(epsilon=epsilon, k=K) if known else _limited(epsilon, DELTAS[0], USED)
        right = rank[made.sample(scores, size, rng=rng)] < scores.tie_counts(K)[1]
        return np.asarray(np.maximum(right.sum(axis=1) - FEWEST, 0), np.int64)

    return draw


add_lesson(
    Lesson(
        key="worth_of_a_list",
        title="What a list of names is worth",
        says="Two libraries publish the same words, and one had a list of them beforehand. What"
        " does it save?",
        minutes=6,
        claims=(
            Claim(
                "a word of one person beats it with a chance of at most δ",
                lambda case: float(_limited_on(case).inclusion[-1]) <= DELTAS[0] * (1 + 1e-6),
            ),
            Claim(
                "With more ε the nameless word comes down",
                lambda case: (
                    _limited_on(case, 2.0).expected_length
                    >= _limited_on(case).expected_length - SLACK
                ),
            ),
            Claim(
                "Its list may be shorter.",
                lambda case: (
                    _limited_on(case, delta=DELTAS[1]).expected_length
                    <= _limited_on(case).expected_length + SLACK
                ),
            ),
        ),
        able=(
            "what a list of names made beforehand saves",
            "what a list of the best loses without one, and what it keeps",
            "where such a list may come from",
        ),
        proved="That limited domain keeps (ε, δ): Durfee and Rogers 2019, Theorem 1. Its lists are"
        " exact chances here, held against listing every answer.",
        steps=(
            Step(
                "tell",
                "Two libraries",
                f"Two libraries have the same log: {D} words; the first was typed by {FIRST:,.0f}"
                f" people, the second by {FIRST / 2:,.0f}, the third by {FIRST / 3:,.0f}, and so"
                f" on. Each publishes its {K} most typed words, and a person may have typed any"
                " number of them.\n\n- The **first** has a list of words that was made without"
                f" looking at the log: the catalogue's {D} keywords. It takes one-shot: a word that"
                " nobody typed has a count of 0 and gets noise as all others do.\n- The **second**"
                " has none. Its names come from the log, and one that only one person wrote must"
                " hardly ever come out. It takes **limited domain**: the most typed words, called"
                " candidates, race with a nameless one, and only what beats that comes out. Its"
                " list may be shorter.",
                at_work=Demonstration(
                    "A race against a word without a name",
                    NoisySelection(
                        (*(f"word {i}" for i in range(1, USED + 1)), "the nameless one"),
                        np.append(
                            zipf_word_scores(False).values[:USED], nameless_word_count(START)
                        ),
                        "gumbel",
                        START / K,
                        "How many people typed each word; among them the nameless one, which only"
                        " the best shall pass.",
                        lambda taken, _: max(len(taken) - FEWEST, 0),
                        K,
                        bar=USED,
                    ).play,
                ),
            ),
            Step(
                "predict",
                "The price of not knowing",
                lambda: (
                    f"At least {GOAL} of the {K} names shall be right in {SURE}. With the list that"
                    f" takes ε = {_rounded(epsilon_with_list())}. Without it a word of one person"
                    f" may come out with a chance of at most δ, {ONE_IN}."
                ),
                question=MultipleChoice(
                    text="What does the same goal take without the list?",
                    choices=tuple(FACTORS.values()),
                    answer=lambda: nearest_factor(
                        least_epsilon_without_list(DELTAS[0]) / epsilon_with_list(), FACTORS
                    ),
                    because=lambda: (
                        f"ε = {_rounded(least_epsilon_without_list(DELTAS[0]))} in place of"
                        f" {_rounded(epsilon_with_list())}, with {CANDIDATES[-1]} candidates:"
                        f" {least_epsilon_without_list(DELTAS[0]) / epsilon_with_list():.2f} times"
                        " as much."
                    ),
                    mistakes=lambda: (
                        (
                            "The words are the same, but at that ε only"
                            f" {distribution_without_list(EPSILONS[0]).expected_length:.1f} of {K}"
                            f" come out on average (at {EPSILONS[0]:g}, with {USED} candidates)."
                        ),
                        "",
                        (
                            f"At ε = {EPSILONS[-1]:g}, less than four times as much, at least"
                            f" {GOAL} are right in"
                            f" {one_place_percent(distribution_without_list(EPSILONS[-1]).hits_at_least(GOAL))}"
                            " of releases already."
                        ),
                    ),
                ),
            ),
            Step(
                "run",
                "How long the list will be",
                f"The bars are releases without a list, with {USED} candidates and a δ of {ONE_IN},"
                " by how many names come out. Below them: how many of those are right, and how many"
                " are right with a list.",
                experiment=Experiment(
                    name="names that come out",
                    outcomes=(
                        f"{FEWEST} names or fewer",
                        *(f"{j} names" for j in range(FEWEST + 1, K + 1)),
                    ),
                    law=law,
                    draw=draw,
                    says=result_sentence,
                    draws_beside=(
                        (RIGHT, draw_correct_function(known=False)),
                        (WITH_LIST, draw_correct_function(known=True)),
                    ),
                    guess=GuessPrompt(
                        f"In how many of 100 releases without a list do all {K} names come out, at"
                        f" ε = {START:g}?",
                        outcome=K - FEWEST,
                    ),
                    control=Control("epsilon", "Privacy budget ε", EPSILONS, START),
                    beside=(
                        (RIGHT, lambda e: _outcomes(distribution_without_list(e).hits)),
                        (WITH_LIST, lambda e: _outcomes(distribution_with_list(e).hits)),
                    ),
                ),
            ),
            Step(
                "explain",
                "What is lost without a list",
                explanation_text,
                formula=Formula(
                    r"\text{nameless}=x_{\bar k+1}+1+\frac{k}{\varepsilon}\ln\frac{\bar k}{\delta}",
                    "The nameless word stands at the count after the candidates, plus one, plus k"
                    " over epsilon times the logarithm of the number of candidates over delta.",
                ),
                question=MultipleChoice(
                    text=f"At ε = {START:g} and with {USED} candidates δ is made smaller, one in"
                    f" {1 / DELTAS[1]:,.0f}. What happens?",
                    choices=(SHORTER, WRONG, SAME),
                    answer=_stricter,
                    because=lambda: (
                        f"The nameless word rises from {nameless_word_count(START):.0f} people to"
                        f" {nameless_word_count(START, DELTAS[1]):.0f}. On average"
                        f" {distribution_without_list(START, DELTAS[1]).expected_length:.1f} names"
                        " come out in place of"
                        f" {distribution_without_list(START).expected_length:.1f}."
                    ),
                    mistakes=lambda: (
                        "",
                        (
                            "Wrong names hardly come either way: on average at most"
                            f" {round_up(max(mean_wrong_names(START, d) for d in DELTAS), 1):g},"
                            " before and after."
                        ),
                        (
                            f"{nameless_word_count(START, DELTAS[1]) - nameless_word_count(START):.0f}"
                            " people more are asked for, and"
                            f" {words_above_nameless(START) - words_above_nameless(START, DELTAS[1])}"
                            " of the words that had enough no longer do."
                        ),
                    ),
                ),
                way=PageLink(
                    "compare",
                    "Names not known beforehand, in Compare",
                    Scenario(
                        data=DataSpec(name="help_line", items_known=False),
                        epsilon=EPSILONS[0],
                        k=K,
                        designs=(
                            Design(mechanism="limited_domain", parameters={"delta": DELTAS[0]}),
                            Design(mechanism="one_shot"),
                        ),
                    ),
                ),
            ),
        ),
    )
)

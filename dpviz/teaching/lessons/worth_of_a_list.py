"""The worth of a catalogue: the same scores with a list of all possible items and without.

Symbols: k̄ = the candidates of limited domain, c = any number of words a person, so min(c, k̄) is
k̄. Source: Durfee & Rogers 2019, Alg 1 (limited domain); the comparison is ours.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores, round_up
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    ComparedLaw,
    Control,
    Demonstration,
    Draw,
    Experiment,
    Formula,
    GuessPrompt,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, nearest_factor_index, percentage
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


def zipf_word_scores(names_known: bool) -> Scores:
    """Word i was typed by 1000/i people."""
    return Scores(
        [round(FIRST / i) for i in range(1, D + 1)], monotonic=True, names_known=names_known
    )


@cache
def law_with_catalogue(epsilon: float) -> TopKDistribution:
    """One-shot, where the words are in a catalogue."""
    return OneShot(epsilon=epsilon, k=K).distribution(zipf_word_scores(True))


@cache
def law_without_catalogue(epsilon: float, delta: float = DELTAS[0]) -> TopKDistribution:
    """Limited domain, where there is no catalogue."""
    return _limited(epsilon, delta, USED).distribution(zipf_word_scores(False))


def _limited(epsilon: float, delta: float, candidates: int) -> LimitedDomain:
    return LimitedDomain(epsilon=epsilon, k=K, delta=delta, candidates=candidates)


def _least_epsilon(m: TopKMechanism, scores: Scores) -> float:
    return smallest_epsilon(m, scores, probability=PROBABILITY, figure="hits", at_least=GOAL)


@cache
def smallest_epsilon_with_catalogue() -> float:
    return _least_epsilon(OneShot(epsilon=1.0, k=K), zipf_word_scores(True))


@cache
def smallest_epsilon_without_catalogue(delta: float, candidate_limit: int) -> float:
    return _least_epsilon(_limited(1.0, delta, candidate_limit), zipf_word_scores(False))


def smallest_epsilon_at_best_limit(delta: float) -> float:
    return min(smallest_epsilon_without_catalogue(delta, candidates) for candidates in CANDIDATES)


def _outcomes(by_number: Floats) -> Floats:
    return np.append(by_number[: FEWEST + 1].sum(), by_number[FEWEST + 1 :])


def law(epsilon: float) -> Floats:
    return _outcomes(law_without_catalogue(epsilon).length)


def draw(epsilon: float, rng: Generator, size: int) -> Ints:
    items = _limited(epsilon, DELTAS[0], USED).sample(zipf_word_scores(False), size, rng=rng)
    return np.asarray(np.maximum((items >= 0).sum(axis=1) - FEWEST, 0), np.int64)


def mean_wrong_names(epsilon: float, delta: float = DELTAS[0]) -> float:
    found = law_without_catalogue(epsilon, delta)
    return found.expected_length - found.expected_hits


def nameless_word_score(epsilon: float, delta: float = DELTAS[0]) -> float:
    """Count of the nameless word: that after the candidates, and the cover for one person."""
    return round(FIRST / (USED + 1)) + 1 + K / epsilon * math.log(USED / delta)


def word_count_above_nameless(epsilon: float, delta: float = DELTAS[0]) -> int:
    return int((zipf_word_scores(False).values > nameless_word_score(epsilon, delta)).sum())


def _rounded(epsilon: float) -> str:
    return f"{round_up(epsilon, 3):g}"


def result_sentence(epsilon: float) -> str:
    found, best = law_without_catalogue(epsilon), law_with_catalogue(epsilon)
    return (
        f"At ε = {epsilon:g} the list without a catalogue has {found.expected_length:.1f} of {K}"
        f" names on average. {found.expected_hits:.1f} of them are right. All {K} are right in"
        f" {percentage(found.top)} of releases. With a catalogue {best.expected_hits:.1f} are right"
        f" on average, and all {K} in {percentage(best.top)} of releases."
    )


def _limited_on(case: Case, times: float = 1.0, delta: float = DELTAS[0]) -> TopKDistribution:
    made = LimitedDomain(epsilon=case.epsilon * times, k=case.k, delta=delta, candidates=USED)
    log = Scores([*(n + 1 for n in case.counts), 1], monotonic=True, names_known=False)
    return made.distribution(log)


def correct_count_draw_function(names_known: bool) -> Draw:
    scores = zipf_word_scores(names_known)
    rank = np.append(scores.rank, D)  # what does not come out is none of the best

    def draw(epsilon: float, rng: Generator, size: int) -> Ints:
        made = OneShot(epsilon=epsilon, k=K) if names_known else _limited(epsilon, DELTAS[0], USED)
        right = rank[made.sample(scores, size, rng=rng)] < scores.tie_counts(K).at_or_above
        return np.asarray(np.maximum(right.sum(axis=1) - FEWEST, 0), np.int64)

    return draw


def build_steps() -> tuple[Step, ...]:
    before, after = (law_without_catalogue(START, delta) for delta in DELTAS)
    fewer = before.expected_length - after.expected_length
    wrong = mean_wrong_names(START, DELTAS[1]) - mean_wrong_names(START)
    with_list, without = (
        smallest_epsilon_with_catalogue(),
        smallest_epsilon_at_best_limit(DELTAS[0]),
    )
    tried = ", ".join(
        f"{_rounded(smallest_epsilon_without_catalogue(DELTAS[0], candidates))} with {candidates}"
        for candidates in CANDIDATES
    )
    return (
        Step(
            "tell",
            "Two libraries",
            f"Two libraries have the same log of {D} words. {FIRST:,.0f} people typed the first"
            f" word, {FIRST / 2:,.0f} the second, {FIRST / 3:,.0f} the third, and so on. Each"
            f" library publishes its {K} most typed words. A person may have typed any number of"
            f" words.\n\n- The **first** library has a catalogue with {D} keywords. It was made"
            " without looking at the log. The library uses one-shot. A word that nobody typed has a"
            " count of 0 and gets noise like all others.\n- The **second** library has no"
            " catalogue. Its words come from the log. A word that only one person typed must hardly"
            " ever appear. It uses **limited domain**. The most typed words, called candidates,"
            " compete with a nameless word. Only the words that beat it appear. Its list may be"
            " shorter.",
            at_work=Demonstration(
                "A competition with a nameless word",
                NoisySelection(
                    (*(f"word {i}" for i in range(1, USED + 1)), "the nameless one"),
                    np.append(zipf_word_scores(False).values[:USED], nameless_word_score(START)),
                    "gumbel",
                    START / K,
                    "How many people typed each word. Only the best words should beat the nameless"
                    " one.",
                    lambda taken, _: max(len(taken) - FEWEST, 0),
                    K,
                    bar=USED,
                ).play,
            ),
        ),
        Step(
            "predict",
            "The price without a catalogue",
            f"At least {GOAL} of the {K} names should be right in {SURE}. With the catalogue this"
            f" needs ε = {_rounded(with_list)}. Without it, a word of one person may appear with a"
            f" chance of at most δ, {ONE_IN}.",
            question=MultipleChoice(
                text="What does the same goal need without the catalogue?",
                choices=tuple(FACTORS.values()),
                answer=nearest_factor_index(without / with_list, FACTORS),
                because=f"It needs ε = {_rounded(without)} with"
                f" {CANDIDATES[-1]} candidates. That is"
                f" {without / with_list:.2f}"
                f" times {_rounded(with_list)}.",
                mistakes=(
                    (
                        f"The words are the same. But at ε = {EPSILONS[0]:g} with {USED}"
                        " candidates, only"
                        f" {law_without_catalogue(EPSILONS[0]).expected_length:.1f} of {K} appear"
                        " on average."
                    ),
                    "",
                    (
                        f"ε = {EPSILONS[-1]:g} is less than four times as much. There at least"
                        f" {GOAL} are right in"
                        f" {percentage(law_without_catalogue(EPSILONS[-1]).hits_at_least(GOAL))} of"
                        " releases."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "How long the list is",
            f"The bars show how many names appear without a catalogue, with {USED} candidates and a"
            f" δ of {ONE_IN}. Below them you see how many are right, and how many are right with a"
            " catalogue.",
            experiment=Experiment(
                name="names on the list",
                outcomes=(
                    f"{FEWEST} names or fewer",
                    *(f"{j} names" for j in range(FEWEST + 1, K + 1)),
                ),
                law=law,
                draw=draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"In how many of 100 releases without a catalogue do {K} names appear, at ε ="
                    f" {START:g}?",
                    outcome=K - FEWEST,
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                beside=(
                    ComparedLaw(
                        "right names among them",
                        lambda e: _outcomes(law_without_catalogue(e).hits),
                        correct_count_draw_function(names_known=False),
                    ),
                    ComparedLaw(
                        "right names, with a catalogue",
                        lambda e: _outcomes(law_with_catalogue(e).hits),
                        correct_count_draw_function(names_known=True),
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "What is lost without a catalogue",
            f"For at least {GOAL} of {K} right names in {SURE}, this ε is needed:\n\n"
            + markdown_table(
                ("Catalogue", "δ", "ε"),
                [
                    ("yes", "0", _rounded(smallest_epsilon_with_catalogue())),
                    *(
                        (
                            "no",
                            f"one in {1 / delta:,.0f}",
                            _rounded(smallest_epsilon_at_best_limit(delta)),
                        )
                        for delta in DELTAS
                    ),
                ],
            )
            + "\n\nWithout a catalogue, the same goal needs"
            f" {smallest_epsilon_at_best_limit(DELTAS[0]) / smallest_epsilon_with_catalogue():.2f} times the ε. A"
            " smaller δ needs still more. Each row uses the best of several numbers of candidates."
            f" At a δ of {ONE_IN} these need ε = {tried}. You must choose this number without"
            f" looking at the log.\n\nWhat is lost? These are averages for {K} names, {USED}"
            f" candidates and a δ of {ONE_IN}:\n\n"
            + markdown_table(
                ("ε", "Published", "Right among them", "Right, with a catalogue"),
                [
                    (
                        f"{e:g}",
                        f"{law_without_catalogue(e).expected_length:.1f}",
                        f"{law_without_catalogue(e).expected_hits:.1f}",
                        f"{law_with_catalogue(e).expected_hits:.1f}",
                    )
                    for e in EPSILONS
                ],
            )
            + f"\n\nThe published names are nearly always right. At ε = {START:g} the nameless word"
            f" has a count of {nameless_word_score(START):.0f} people. So a word of one person"
            f" beats it with a chance of at most δ. {word_count_above_nameless(START)} words have higher"
            f" counts. Most of those appear, and most others do not. All {K} are right with a"
            f" chance of {law_without_catalogue(START).top:.5f}, and of"
            f" {law_with_catalogue(START).top:.3f} with a catalogue. The list loses length, not"
            " truth.\n\nWith more ε the nameless word has a lower count. At some ε a catalogue"
            f" hardly helps any more. At ε = {EPSILONS[-1]:g} all {K} are right in"
            f" {percentage(law_without_catalogue(EPSILONS[-1]).top)} of releases without it"
            f" and in {percentage(law_with_catalogue(EPSILONS[-1]).top)} with it.\n\nSo look"
            " for a list of all possible words: a catalogue, a dictionary, or last year's"
            " publication. It must not come from the log that you count. It also has a price: a"
            " word that is not in it never appears.",
            formula=Formula(
                r"\text{nameless}=x_{\bar k+1}+1+\frac{k}{\varepsilon}\ln\frac{\bar k}{\delta}",
                "Take the count after the candidates and add one. Divide the number of candidates"
                " by delta and take the logarithm. The nameless word adds k over epsilon times"
                " this.",
            ),
            question=MultipleChoice(
                text=f"At ε = {START:g} with {USED} candidates, δ becomes smaller, one in"
                f" {1 / DELTAS[1]:,.0f}. What happens?",
                choices=(
                    "The list becomes shorter",
                    "More wrong names appear",
                    "The list stays about the same",
                ),
                answer=int(np.argmax([fewer, wrong, 0.1])),
                because=f"The nameless word rises from {nameless_word_score(START):.0f} people to"
                f" {nameless_word_score(START, DELTAS[1]):.0f}. The list has"
                f" {after.expected_length:.1f} names on"
                f" average instead of {before.expected_length:.1f}.",
                mistakes=(
                    "",
                    (
                        "Wrong names are rare in both cases. On average the list has at most"
                        f" {round_up(max(mean_wrong_names(START, d) for d in DELTAS), 1):g} of"
                        " them."
                    ),
                    (
                        "A word now needs"
                        f" {nameless_word_score(START, DELTAS[1]) - nameless_word_score(START):.0f}"
                        " more people."
                        f" {word_count_above_nameless(START) - word_count_above_nameless(START, DELTAS[1])}"
                        " of the words no longer have enough."
                    ),
                ),
            ),
            way=PageLink(
                "compare",
                "Items from the log, in Compare",
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
    )


LESSON = Lesson(
    key="worth_of_a_list",
    title="What a catalogue is worth",
    says="Two libraries publish the same words. One has a catalogue of all possible words. What does"
    " that save?",
    minutes=6,
    claims=(
        Claim(
            "a word of one person beats it with a chance of at most δ",
            lambda case: float(_limited_on(case).inclusion[-1]) <= DELTAS[0] * (1 + 1e-6),
        ),
        Claim(
            "With more ε the nameless word has a lower count",
            lambda case: (
                _limited_on(case, 2.0).expected_length >= _limited_on(case).expected_length - SLACK
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
        "what a catalogue saves",
        "what a list loses without a catalogue, and what it keeps",
        "where a catalogue may come from",
    ),
    proved="Limited domain keeps (ε, δ): Durfee and Rogers 2019, Theorem 1. The chances here are"
    " exact. Tests compare them with a full listing of all lists.",
    build_steps=build_steps,
)

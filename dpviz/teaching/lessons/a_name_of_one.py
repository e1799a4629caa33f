"""A name that only one person wrote: no ε holds for names from the data; a threshold keeps δ.

Source: Korolova et al. 2009 (noisy counts above a threshold); Desfontaines et al. 2022, Thm 1.
"""

import math
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import Ints, Scores
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
    Law,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, percentage, two_outcome_law
from dpviz.teaching.plays import NoisySelection
from dpviz.topk import Canonical, OneShot, TopKMechanism, largest_publication_probability
from dpviz.topk.limited_domain import LimitedDomain
from dpviz.topk.threshold_counts import ThresholdCounts

WORDS = {"garden": 9, "trains": 7, "recipes": 5, "chess": 4, "poems": 2, "moon": 2}
HERS = "bankruptcy"
K = 3
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0)
START = 1.0
SMALLER = 0.1
DELTA = 1e-6
CUT = 5
NAMELESS = 1 + K / START * math.log(1 / DELTA)  # people of the nameless word of limited domain
TYPED = (1, 5, 10, 15, 20, 30)
ONE_SHOT, NOISY, CANONICAL = "One-shot", "Noisy counts", "Canonical"
WAYS = (ONE_SHOT, NOISY, CANONICAL)
THRESHOLD, LIMITED = "Threshold", "Limited domain"
RARE = f"one release in {1 / DELTA:,.0f}"
SAFE = f"at most {RARE}"


def scores_of_unknown_words(counts: list[float] | dict[str, int]) -> Scores:
    """Words of a log, one a person, whose names come from it."""
    return Scores(counts, monotonic=True, contributions=1, names_known=False)


def lesson_mechanism(mechanism_name: str, epsilon: float = START) -> TopKMechanism:
    made: dict[str, TopKMechanism] = {
        ONE_SHOT: OneShot(epsilon=epsilon, k=K),
        NOISY: OneShot(epsilon=epsilon, k=K, noise="laplace"),
        CANONICAL: Canonical(epsilon=epsilon, k=K),
        THRESHOLD: ThresholdCounts(epsilon=epsilon, k=K, delta=DELTA),
        LIMITED: LimitedDomain(epsilon=epsilon, k=K, delta=DELTA),
    }
    return made[mechanism_name]


def typed_word_scores(typists: int, smallest_count: int = 1) -> Scores:
    """Words that at least `smallest_count` people typed, where `typists` people typed her word."""
    return scores_of_unknown_words(
        {w: count for w, count in {**WORDS, HERS: typists}.items() if count >= smallest_count}
    )


@cache
def rare_word_probability(
    mechanism_name: str, epsilon: float = START, typists: int = 1, smallest_count: int = 1
) -> float:
    """Chance that her word is on the list, where `typists` people typed it."""
    words = typed_word_scores(typists, smallest_count)
    if HERS not in words.labels:
        return 0.0
    law = lesson_mechanism(mechanism_name, epsilon).distribution(words)
    return float(law.inclusion[words.labels.index(HERS)])


def law_function(mechanism_name: str, typists: int = 1) -> Law:
    return lambda epsilon: two_outcome_law(rare_word_probability(mechanism_name, epsilon, typists))


@cache
def largest_exposure_probability(
    mechanism_name: str, epsilon: float = START, smallest_count: int = 1
) -> float:
    """Largest chance, over the others who typed it, of a list that cannot come without her."""
    others = (
        n
        for n in range(max(WORDS.values()))
        if rare_word_probability(mechanism_name, epsilon, n, smallest_count) == 0
    )
    return max(
        rare_word_probability(mechanism_name, epsilon, n + 1, smallest_count) for n in others
    )


@cache
def threshold_pass_probability(
    typists: int, noise: Literal["laplace", "gaussian"] = "laplace", epsilon: float = START
) -> float:
    """Chance that a word typed by this number of people passes the threshold."""
    one = ThresholdCounts(epsilon=epsilon, k=1, delta=DELTA, noise=noise)
    return float(one.distribution(scores_of_unknown_words([typists, 0])).inclusion[0])


def publication_probability_bound(typists: int) -> float:
    """Largest chance that any mechanism may give such a word."""
    return float(largest_publication_probability(typists, START, DELTA))


def noisy_count_threshold() -> float:
    return ThresholdCounts(epsilon=START, k=K, delta=DELTA).threshold(typed_word_scores(1))


def empty_list_probability() -> float:
    return float(lesson_mechanism(THRESHOLD).distribution(typed_word_scores(1)).length[0])


def _percent(name: str, epsilon: float = START) -> str:
    return percentage(rare_word_probability(name, epsilon))


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} “{HERS}” is on the list in {_percent(ONE_SHOT, epsilon)} of releases"
        f" with Nora. Without her it is never there. With the threshold, {SAFE} has it."
    )


def _with_one_more(case: Case, typed: int = 1) -> Scores:
    return scores_of_unknown_words([*(n + 1 for n in case.counts), typed])


def _of_hers(case: Case, name: str, times: float = 1.0) -> float:
    made = replace(lesson_mechanism(name, case.epsilon * times), k=case.k)
    return float(made.distribution(_with_one_more(case)).inclusion[-1])


def _some_do(case: Case) -> bool:
    """With her a list that has her word can come out, by every mechanism with an ε alone."""
    words = _with_one_more(case)
    items = [words.d - 1, *range(case.k - 1)]
    made = (replace(lesson_mechanism(name, case.epsilon), k=case.k) for name in WAYS)
    return all(each.distribution(words).log_probability(items) > -math.inf for each in made)


def _never_from_the_log(case: Case) -> bool:
    counts = ThresholdCounts(epsilon=case.epsilon, k=case.k, delta=DELTA)
    logs = (_with_one_more(case, typed) for typed in (1, max(case.counts) + 50))
    return len({counts.threshold(log) for log in logs}) == 1


def _kept_at_most(case: Case) -> bool:
    typed = max(case.counts) + 1
    most = float(largest_publication_probability(typed, case.epsilon, DELTA))
    return threshold_pass_probability(typed, epsilon=case.epsilon) <= most + SLACK


def draw_function(mechanism_name: str, typists: int) -> Draw:
    """Sampler of lists where this number of people typed her word: 1 where it is missing."""
    words = typed_word_scores(typists)
    hers = words.labels.index(HERS) if HERS in words.labels else words.d  # d: it cannot come out

    def draw(epsilon: float, rng: Generator, size: int) -> Ints:
        items = lesson_mechanism(mechanism_name, epsilon).sample(words, size, rng=rng)
        return np.asarray((items != hers).all(axis=1), np.int64)

    return draw


def build_steps() -> tuple[Step, ...]:
    yes, no = (rare_word_probability(ONE_SHOT, typists=typed) for typed in (1, 0))
    remedies = (
        largest_exposure_probability(ONE_SHOT, SMALLER),
        largest_exposure_probability(ONE_SHOT, START, CUT),
        largest_exposure_probability(THRESHOLD),
    )
    return (
        Step(
            "tell",
            "Words that people type",
            "A library counts what visitors type into its search box, one word for each visitor."
            " There is no list of possible words. **The words come from what people typed**.\n\n"
            + markdown_table(("Word", "People who typed it"), [*WORDS.items(), (f"*{HERS}*", 1)])
            + f"\n\nNora typed *{HERS}*, and nobody else did. The library publishes the {K}"
            " most typed words. It knows that an exact list exposes people, so it uses"
            " **one-shot**. It adds noise to the count of every word in the log and takes"
            f" the {K} largest. ε is {START:g}.",
            at_work=Demonstration(
                "One list by one-shot",
                NoisySelection(
                    typed_word_scores(1).labels,
                    typed_word_scores(1).values,
                    "gumbel",
                    START / K,
                    "All typed words, and how many people typed each.",
                    lambda taken, _: int(typed_word_scores(1).labels.index(HERS) not in taken),
                    K,
                ).play,
            ),
        ),
        Step(
            "predict",
            "A list from the log",
            f"Ben knows what all others typed. He sees a list with *{HERS}* on it. With ε ="
            f" {START:g} he should learn little about whether Nora is in the log.",
            question=MultipleChoice(
                text="How much more often does such a list appear with Nora than without her?",
                choices=(
                    f"At most e^ε = {math.exp(START):.3g} times as often",
                    (
                        f"At most e^{K * START:g} = {math.exp(K * START):.3g} times as often, for"
                        f" {K} words"
                    ),
                    "No factor is large enough",
                ),
                answer=int(
                    np.searchsorted(
                        [math.exp(START), math.exp(K * START)], yes / no if no else math.inf
                    )
                ),
                because=f"With her it appears in {_percent(ONE_SHOT)} of releases. Without her it never"
                " appears. So no factor is large enough.",
                mistakes=(
                    (
                        f"This would be right if *{HERS}* were on a list of words made beforehand."
                        " Then it would get noise without her too."
                    ),
                    (
                        f"ε = {START:g} is for the whole list. But without her, no list can hold"
                        " the word."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "A thousand lists",
            "One-shot makes lists with Nora in the log and without her. The threshold makes lists"
            " with her. Make ε smaller.",
            experiment=Experiment(
                name="one-shot, with her",
                outcomes=(f"{HERS} is on the list", "it is not"),
                law=law_function(ONE_SHOT),
                draw=draw_function(ONE_SHOT, 1),
                says=result_sentence,
                guess=GuessPrompt(
                    f"Nora is in the log. How many of 100 lists by one-shot have “{HERS}” on them?"
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                beside=(
                    ComparedLaw(
                        "one-shot, without her",
                        law_function(ONE_SHOT, 0),
                        draw_function(ONE_SHOT, 0),
                    ),
                    ComparedLaw(
                        "threshold, with her", law_function(THRESHOLD), draw_function(THRESHOLD, 1)
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "Why no ε holds",
            "The counts got noise, but the names did not. They came from the log. Without Nora"
            f" there is no *{HERS}* in the log, so no release can show it. With her, some releases"
            " do. A reader who sees it knows that she was there. No factor covers a list that"
            " sometimes appears with her and never without her. So **no ε holds**.\n\nOne-shot has"
            f" *{HERS}* on the list this often:\n\n"
            + markdown_table(
                ("ε", "With her", "Without her"),
                [(f"{e:g}", _percent(ONE_SHOT, e), "never") for e in EPSILONS],
            )
            + "\n\nA smaller ε makes it worse, as more noise lifts a rare word more often. Other"
            f" mechanisms with only an ε do not help either. At ε = {START:g}:\n\n"
            + markdown_table(
                ("Mechanism", "With her", "Without her"),
                [
                    *((name, _percent(name), "never") for name in WAYS),
                    *((name, SAFE, "never") for name in (THRESHOLD, LIMITED)),
                ],
            )
            + "\n\nThe last two are made for this. **Threshold** publishes noisy counts above a"
            " number that depends on ε and δ, never on the log. Here it is"
            f" {noisy_count_threshold():.1f} people. In **limited domain** the words compete with a"
            f" nameless word. Its count is higher, {NAMELESS:.1f} people, because it allows people"
            " who type many words. Her word may still appear, but with a chance of at most δ, here"
            f" {RARE}. That holds for all that the others may have typed. So a promise needs both"
            f" numbers, ε and δ.\n\nRare words pay the price. At ε = {START:g}, a word appears this"
            " often, by the number of people who typed it:\n\n"
            + markdown_table(
                (
                    "People",
                    "Threshold, Laplace noise",
                    "Threshold, Gaussian noise",
                    "Highest possible",
                ),
                [
                    (
                        n,
                        percentage(threshold_pass_probability(n, "laplace")),
                        percentage(threshold_pass_probability(n, "gaussian")),
                        percentage(publication_probability_bound(n)),
                    )
                    for n in TYPED
                ],
            )
            + "\n\nThe last column is a limit for lists of names only. There no mechanism with this ε"
            " and δ keeps a word more often. So this small log has almost nothing to publish. With"
            f" the threshold, the list stays empty in {percentage(empty_list_probability())}"
            " of releases. Words that only a few people typed hardly ever appear.",
            formula=Formula(
                r"P(\text{her word}\mid\text{with her})=p>0,\qquad P(\text{her word}\mid"
                r"\text{without her})=0,\qquad\frac{p}{0}\nleq e^{\varepsilon}",
                "With her, the chance p of her word is above zero. Without her it is zero. No e to"
                " the epsilon is as large as p over zero.",
            ),
            question=MultipleChoice(
                text=f"Which of these shows her word in {SAFE}, for any words of the others?",
                choices=(
                    f"A smaller ε, {SMALLER:g}",
                    f"Words of fewer than {CUT} people are left out, then noise",
                    "Noise first, then only words above a threshold",
                ),
                answer=int(np.argmin(remedies)),
                because="Every typed word gets noise, and the threshold does not depend on the log. A"
                f" word of one person passes it in {SAFE}.",
                mistakes=(
                    (
                        f"At ε = {SMALLER:g} her word is on the list in {percentage(remedies[0])}"
                        f" of releases. At ε = {START:g} it is in {_percent(ONE_SHOT)}."
                    ),
                    (
                        f"Then she may be number {CUT}. With {CUT - 1} others and her, *{HERS}* is"
                        f" on the list in {percentage(remedies[1])} of releases. Without her it"
                        " never is."
                    ),
                    "",
                ),
            ),
            way=PageLink(
                "explore",
                "A list with items from the log, in Explore",
                Scenario(
                    data=DataSpec(name="help_line", contributions=1, items_known=False),
                    epsilon=SMALLER,
                    k=20,
                    designs=(Design(mechanism="threshold_counts", parameters={"delta": DELTA}),),
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="a_name_of_one",
    title="The name that only one person wrote",
    says="Only one person typed a search word. What does a noisy list reveal about her?",
    minutes=7,
    claims=(
        Claim("so no release can show it. With her, some releases do.", _some_do),
        Claim(
            "A smaller ε makes it worse, as more noise lifts a rare word more often.",
            lambda case: _of_hers(case, ONE_SHOT, 0.5) >= _of_hers(case, ONE_SHOT) - SLACK,
        ),
        Claim(
            "with a chance of at most δ",
            lambda case: all(
                _of_hers(case, name) <= DELTA * (1 + 1e-6) for name in (THRESHOLD, LIMITED)
            ),
        ),
        Claim("a number that depends on ε and δ, never on the log", _never_from_the_log),
        Claim("no mechanism with this ε and δ keeps a word more often", _kept_at_most),
    ),
    able=(
        "why ε protects nobody if the names on a list come from the data",
        "which ways to hide rare names work, and which only seem to work",
        "what a threshold does, and what it costs",
    ),
    proved="A threshold on noisy counts keeps (ε, δ): Korolova, Kenthapadi, Mishne and Ntoulas 2009."
    " The highest possible chance of a name: Desfontaines, Voss, Gipson and Mandayam 2022,"
    " Theorem 1. A linear programme over all chances finds the same.",
    build_steps=build_steps,
)

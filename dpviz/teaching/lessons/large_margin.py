"""Large margin: the gain and the cost of independence of the range.

Symbols: a favourite that `PEOPLE` wrote, three other texts, and a universe of 10^z texts that
nobody wrote; T_1 = the lead that large margin's first test asks for.
Source: Chaudhuri, Hsu & Song 2014, Alg 1 and Thm 3; the law over a universe of any size is exact.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, Scores
from dpviz.margin import LargeMargin, NoisyMax, TopOneMechanism
from dpviz.studies import DataSpec, Scenario
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    ComparedLaw,
    Control,
    Demonstration,
    Experiment,
    Formula,
    GuessPrompt,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, only_or_both_index, percentage
from dpviz.teaching.plays import NoisySelection

EPSILON, DELTA = 1.0, 1e-6
PEOPLE, FEWER, OTHERS = 600.0, 300.0, (12.0, 7.0, 3.0)
DIGITS = (6.0, 100.0, 259.0, 260.0, 261.0, 400.0)
START, SMALLER = 400.0, 100.0
DRAWN = 10**8  # texts that nobody wrote, of which one is drawn at most
LARGE = LargeMargin(epsilon=EPSILON, delta=DELTA)
EXPONENTIAL = NoisyMax(epsilon=EPSILON)


def text_scores(people: float = PEOPLE) -> Scores:
    """People who wrote each text that anybody wrote, the favourite first."""
    return Scores([people, *OTHERS], monotonic=True)


@cache
def winner_kind_law(
    mechanism: TopOneMechanism, log10_texts: float, people: float = PEOPLE
) -> Floats:
    """Chances of the favourite, of another text that was written, of one that nobody wrote."""
    distribution = mechanism.distribution(text_scores(people), zeros=10 ** int(log10_texts))
    best, listed = float(distribution.inclusion[0]), float(distribution.inclusion[1:].sum())
    return np.array([best, listed, max(0.0, 1.0 - best - listed)])


def draw(log10_texts: float, rng: Generator, size: int) -> Ints:
    """Winners of the exponential mechanism, as the largest of ε·people plus Gumbel noise."""
    noise, scores = NOISES["gumbel"], text_scores()
    listed = EPSILON * scores.values + noise.sample(rng, (size, scores.d))
    unlisted = noise.sample_largest(rng, np.full(size, log10_texts * math.log(10)))
    return np.where(unlisted > listed.max(1), 2, np.minimum(listed.argmax(1), 1)).astype(np.int64)


def first_test_required_lead() -> float:
    """T_1: the lead that large margin's first test asks for, before noise."""
    return float(LARGE.required_margins(2)[0])


@cache
def people_for_even_odds(log10_texts: float) -> int:
    """Fewest people with whom the exponential mechanism names the favourite half of the time."""
    # There, or near, the others together weigh as much as the favourite.
    people = round(log10_texts * math.log(10) / EPSILON)
    while winner_kind_law(EXPONENTIAL, log10_texts, people)[0] >= 0.5:
        people -= 1
    while winner_kind_law(EXPONENTIAL, log10_texts, people)[0] < 0.5:
        people += 1
    return people


def result_sentence(log10_texts: float) -> str:
    return (
        f"Among {_power(log10_texts)} texts the exponential mechanism finds the favourite in"
        f" {percentage(winner_kind_law(EXPONENTIAL, log10_texts)[0])} of releases. Large margin finds"
        f" it in {percentage(winner_kind_law(LARGE, log10_texts)[0])}."
    )


def _power(digits: float, base: str = "10") -> str:
    return base + f"{digits:.0f}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _named(digits: float, people: float) -> int:
    """Index of the choice: which of the two finds the favourite in most releases."""
    laws = (winner_kind_law(each, digits, people) for each in (EXPONENTIAL, LARGE))
    return only_or_both_index(*(float(law[0]) > 0.5 for law in laws))


BOTH = ("The exponential mechanism only", "Large margin only", "Both")


def _less_likely(case: Case) -> bool:
    """The favourite's chance is e^(ε · people) times that of one text that nobody wrote."""
    zeros, best = 50, max(case.counts)
    law = NoisyMax(epsilon=case.epsilon).distribution(case.scores, zeros=zeros)
    unwritten = (1.0 - float(law.inclusion.sum())) / zeros
    return abs(float(law.inclusion.max()) * math.exp(-case.epsilon * best) - unwritten) < SLACK


def _as_many_as_it_likes(case: Case) -> bool:
    """Behind a lead that passes the first test the number of the others changes nothing."""
    made = LargeMargin(epsilon=case.epsilon, delta=DELTA)
    ahead = Scores(
        [max(case.counts) + 3 * float(made.required_margins(2)[0]), *case.counts], monotonic=True
    )
    few, many = (
        float(made.distribution(ahead, zeros=zeros).inclusion[0]) for zeros in (10, 10**100)
    )
    return abs(few - many) < 1e-6


def _at_any_size(case: Case) -> bool:
    made = LargeMargin(epsilon=case.epsilon, delta=DELTA)
    return bool(made.required_margins(2)[0] == made.required_margins(10 * len(case.counts))[0])


def draw_large_margin_winners(log10_texts: float, rng: Generator, size: int) -> Ints:
    """Winners of large margin, of at most `DRAWN` texts: more change nothing that can be seen."""
    items = LARGE.sample(text_scores(), size, rng=rng, zeros=min(10 ** int(log10_texts), DRAWN))
    return np.where(items >= text_scores().d, 2, np.minimum(items, 1)).astype(np.int64)


def build_steps() -> tuple[Step, ...]:
    exponential, large = (
        percentage(winner_kind_law(each, SMALLER, FEWER)[0]) for each in (EXPONENTIAL, LARGE)
    )
    return (
        Step(
            "tell",
            "Every text is possible",
            "How do people begin a chat? A company wants to publish one text, the one that most"
            f" people wrote. {PEOPLE:.0f} people wrote the same greeting. The next texts have"
            f" {OTHERS[0]:.0f}, {OTHERS[1]:.0f} and {OTHERS[-1]:.0f} people.\n\nPeople could have"
            f" written any other text. There are {_power(START)} texts of 200 characters. The texts"
            " that nobody wrote score zero, but each of them gets noise too.\n\nThe **exponential"
            f" mechanism** (ε = {EPSILON:g}) chooses among all of them. **Large margin** has ε ="
            f" {EPSILON:g} and a leeway of δ = {DELTA:.6f}. First it tests privately how many texts"
            " are clearly above the next one. Then it chooses only among those.",
            formula=Formula(
                r"P(\text{a text})=\frac{e^{\varepsilon\cdot\text{its people}}}{\sum_{\text{all texts}}e^{"
                r"\varepsilon\cdot\text{people}}}",
                "Take e to the epsilon times the people of a text. Divide it by the sum of this"
                " over all texts. The result is the text's chance.",
            ),
        ),
        Step(
            "predict",
            "More texts than anyone can count",
            f"{PEOPLE:.0f} people wrote the favourite. There are {_power(START)} texts that nobody"
            " wrote.",
            question=MultipleChoice(
                "Which of the two finds the favourite in most releases?",
                BOTH,
                _named(START, PEOPLE),
                result_sentence(START),
                (
                    (
                        "It makes no test first and chooses among all texts. It finds the favourite"
                        f" in {percentage(winner_kind_law(EXPONENTIAL, START)[0])} of releases."
                    ),
                    "",
                    (
                        "One text of score zero hardly ever wins against the favourite. But one of"
                        f" them all wins in {percentage(winner_kind_law(EXPONENTIAL, START)[2])}"
                        " of releases."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "Make the number of texts smaller",
            "Each release is one text, chosen by the exponential mechanism or by large margin."
            " Change how many texts are possible.",
            experiment=Experiment(
                name="exponential mechanism",
                outcomes=(
                    "the favourite",
                    "another text that was written",
                    "a text that nobody wrote",
                ),
                law=lambda digits: winner_kind_law(EXPONENTIAL, digits),
                draw=draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"There are {_power(START)} texts. In how many of 100 releases does the"
                    " exponential mechanism find the favourite?"
                ),
                control=Control(
                    "digits", "Possible texts", DIGITS, START, tuple(map(_power, DIGITS))
                ),
                beside=(
                    ComparedLaw(
                        "large margin",
                        lambda digits: winner_kind_law(LARGE, digits),
                        draw_large_margin_winners,
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "The gain and its price",
            f"Each text that nobody wrote is {_power(PEOPLE, 'e')} times less likely than the"
            f" favourite. This number is about {_power(PEOPLE / math.log(10))}. If there are more"
            " such texts, one of them usually wins. The exponential mechanism pays for its"
            " **range**, which is every possible item. Large margin pays only for the front group."
            " Any number of items may lie behind the gap.\n\n"
            + markdown_table(
                ("Texts", "Exponential", "Large margin", "People needed"),
                [
                    (
                        _power(digits),
                        percentage(winner_kind_law(EXPONENTIAL, digits)[0]),
                        percentage(winner_kind_law(LARGE, digits)[0]),
                        f"{people_for_even_odds(digits):,}",
                    )
                    for digits in DIGITS
                ],
            )
            + "\n\nThe last column counts people who must write the favourite. With them the"
            " exponential mechanism finds it in half of its releases. Among a million texts"
            f" {people_for_even_odds(DIGITS[0])} people are enough. Large margin's first test needs"
            f" a lead of {first_test_required_lead():.0f} people for every number of texts. Noise alone may"
            " not pass the test more often than δ allows. So large margin is worth its price only"
            f" beyond about {_power(first_test_required_lead() / math.log(10))} items. It also spends δ."
            " Only a part of ε remains for the choice within the front group.",
            at_work=Demonstration(
                "One text is chosen",
                NoisySelection(
                    (
                        "The greeting",
                        "The second",
                        "The third",
                        "The fourth",
                        "The best of those that nobody wrote",
                    ),
                    np.array([PEOPLE, *OTHERS, 0.0]),
                    "gumbel",
                    EPSILON,
                    "How many people wrote each text. Of those that nobody wrote, only the one with"
                    " the largest noise can win.",
                    lambda taken, _: {0: 0, len(OTHERS) + 1: 2}.get(int(taken[0]), 1),
                    lift=np.array([0.0] * (len(OTHERS) + 1) + [START * math.log(10)]),
                ).play,
            ),
            question=MultipleChoice(
                f"Only {FEWER:.0f} people wrote the favourite, and there are {_power(SMALLER)}"
                " other texts. Which of the two finds it in most releases?",
                BOTH,
                _named(SMALLER, FEWER),
                f"The exponential mechanism finds it in {exponential} of releases. It needs"
                f" {people_for_even_odds(SMALLER)} people among {_power(SMALLER)} texts, and there"
                f" are {FEWER:.0f}. Large margin finds it in {large}, as its first test needs a"
                f" lead of {first_test_required_lead():.0f}.",
                (
                    "",
                    (
                        f"Among {_power(SMALLER)} texts the exponential mechanism needs"
                        f" {people_for_even_odds(SMALLER)} people, and there are {FEWER:.0f}."
                        " Independence of the range is worth its price only among far more texts."
                    ),
                    (
                        f"The first test of large margin needs a lead of {first_test_required_lead():.0f}"
                        f" people. Only {FEWER:.0f} wrote the favourite."
                    ),
                ),
            ),
            way=PageLink(
                "margin",
                "See both as the number of items grows",
                Scenario(data=DataSpec(name="chat_openings"), epsilon=0.5, k=1),
            ),
        ),
    )


LESSON = Lesson(
    key="large_margin",
    title="A choice among all that could be",
    says="People could have written any text. What do the texts cost that nobody wrote?",
    minutes=7,
    claims=(
        Claim("times less likely than the favourite", _less_likely),
        Claim("Any number of items may lie behind the gap.", _as_many_as_it_likes),
        Claim("people for every number of texts", _at_any_size),
    ),
    able=(
        "how items that nobody chose affect two mechanisms",
        "what large margin does instead",
        "when its price is worth paying",
    ),
    proved="Chaudhuri, Hsu & Song 2014, Theorem 2 (privacy) and Theorem 3 (utility).",
    build_steps=build_steps,
)

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
from dpviz.teaching.activities import Demonstration, Formula, GuessPrompt
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Experiment,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    add_lesson,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, one_place_percent, only_or_both
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
def margin_winner_law(mechanism: TopOneMechanism, digits: float, people: float = PEOPLE) -> Floats:
    """Chances of the favourite, of another text that was written, of one that nobody wrote."""
    distribution = mechanism.distribution(text_scores(people), zeros=10 ** int(digits))
    best, listed = float(distribution.inclusion[0]), float(distribution.inclusion[1:].sum())
    return np.array([best, listed, max(0.0, 1.0 - best - listed)])


def draw(digits: float, rng: Generator, size: int) -> Ints:
    """Winners of the exponential mechanism, as the largest of ε·people plus Gumbel noise."""
    noise, scores = NOISES["gumbel"], text_scores()
    listed = EPSILON * scores.values + noise.sample(rng, (size, scores.d))
    unlisted = noise.sample_largest(rng, np.full(size, digits * math.log(10)))
    return np.where(unlisted > listed.max(1), 2, np.minimum(listed.argmax(1), 1)).astype(np.int64)


def first_test_lead() -> float:
    """T_1: the lead that large margin's first test asks for, before noise."""
    return float(LARGE.required_margins(2)[0])


@cache
def people_for_even_odds(digits: float) -> int:
    """Fewest people with whom the exponential mechanism names the favourite half of the time."""
    # There, or near, the others together weigh as much as the favourite.
    people = round(digits * math.log(10) / EPSILON)
    while margin_winner_law(EXPONENTIAL, digits, people)[0] >= 0.5:
        people -= 1
    while margin_winner_law(EXPONENTIAL, digits, people)[0] < 0.5:
        people += 1
    return people


def result_sentence(digits: float) -> str:
    return (
        f"Among {_power(digits)} texts the exponential mechanism names the favourite in"
        f" {one_place_percent(float(margin_winner_law(EXPONENTIAL, digits)[0]))} of releases, large margin"
        f" in {one_place_percent(float(margin_winner_law(LARGE, digits)[0]))}."
    )


def _power(digits: float, base: str = "10") -> str:
    return base + f"{digits:.0f}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def explanation_text() -> str:
    rows = [
        (
            _power(digits),
            one_place_percent(float(margin_winner_law(EXPONENTIAL, digits)[0])),
            one_place_percent(float(margin_winner_law(LARGE, digits)[0])),
            f"{people_for_even_odds(digits):,}",
        )
        for digits in DIGITS
    ]
    return (
        f"Each text that nobody wrote is {_power(PEOPLE, 'e')} times less likely than the"
        f" favourite. But that is about {_power(PEOPLE / math.log(10))}: where there are more texts"
        " than that, some one of them wins. The exponential mechanism pays for its **range**,"
        " every item that there could be. Large margin pays for the front group only; whatever"
        " lies behind the gap may be as many as it likes.\n\n"
        + markdown_table(("Texts", "Exponential", "Large margin", "People needed"), rows)
        + "\n\nThe last column says how many people have to write the favourite before the"
        " exponential mechanism names it in half of its releases: among a million texts"
        f" {people_for_even_odds(DIGITS[0])}, no more. Large margin's first test asks for a"
        f" lead of {first_test_lead():.0f} people at any size of the universe, for it must not"
        " be passed by luck more often than δ allows. So it pays only beyond some"
        f" {_power(first_test_lead() / math.log(10))} items. It also spends δ, and of ε only a"
        " part is left for the choice within the front group."
    )


def _named(digits: float, people: float) -> int:
    """Index of the choice: which of the two names the favourite in most releases."""
    laws = (margin_winner_law(each, digits, people) for each in (EXPONENTIAL, LARGE))
    return only_or_both(*(float(law[0]) > 0.5 for law in laws))


def _fewer_because() -> str:
    other, large = (
        one_place_percent(float(margin_winner_law(each, SMALLER, FEWER)[0]))
        for each in (EXPONENTIAL, LARGE)
    )
    return (
        f"The exponential mechanism names it in {other} of releases: {FEWER:.0f} people are more"
        f" than the {people_for_even_odds(SMALLER)} that it needs among {_power(SMALLER)} texts."
        f" Large margin does in {large}: its first test asks for a lead of {first_test_lead():.0f}."
    )


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


def draw_margin(digits: float, rng: Generator, size: int) -> Ints:
    """Winners of large margin, of at most `DRAWN` texts: more change nothing that can be seen."""
    items = LARGE.sample(text_scores(), size, rng=rng, zeros=min(10 ** int(digits), DRAWN))
    return np.where(items >= text_scores().d, 2, np.minimum(items, 1)).astype(np.int64)


add_lesson(
    Lesson(
        key="large_margin",
        title="A choice among all that could be",
        says="Any text could have been written. What do those cost that nobody wrote?",
        minutes=7,
        claims=(
            Claim("times less likely than the favourite", _less_likely),
            Claim("whatever lies behind the gap may be as many as it likes", _as_many_as_it_likes),
            Claim("people at any size of the universe", _at_any_size),
        ),
        able=(
            "what items that nobody chose do to each of two mechanisms",
            "what large margin does instead",
            "when its price is worth paying",
        ),
        proved="Chaudhuri, Hsu & Song 2014, Theorem 2 (privacy) and Theorem 3 (utility).",
        steps=(
            Step(
                "tell",
                "Any text could have been written",
                (
                    "With what words do people open a chat? One text is to be published, the one"
                    f" that most people wrote. {PEOPLE:.0f} people wrote the same greeting; the"
                    f" next texts were written by {OTHERS[0]:.0f}, {OTHERS[1]:.0f} and"
                    f" {OTHERS[-1]:.0f}.\n\nBut any text could have been written: of 200 characters"
                    f" there are {_power(START)}. Those that nobody wrote score zero, yet each has"
                    f" its share of luck.\n\nThe **exponential mechanism** (ε = {EPSILON:g})"
                    f" chooses among all of them. **Large margin** (ε = {EPSILON:g}, with a leeway"
                    f" of δ = {DELTA:.6f}) first tests, privately, how many texts stand clearly"
                    " above the next one, and then chooses among those only."
                ),
                formula=Formula(
                    r"P(\text{a text})=\frac{e^{\varepsilon\cdot\text{its people}}}{\sum_{\text{all texts}}e^{"
                    r"\varepsilon\cdot\text{people}}}",
                    "The chance of a text is e to the epsilon times its people, over the sum of the"
                    " same of all texts.",
                ),
            ),
            Step(
                "predict",
                "More texts than anyone can count",
                (
                    f"{PEOPLE:.0f} people wrote the favourite; there are {_power(START)} texts that"
                    " nobody wrote."
                ),
                question=MultipleChoice(
                    "Which of the two names the favourite in most releases?",
                    BOTH,
                    lambda: _named(START, PEOPLE),
                    lambda: result_sentence(START),
                    lambda: (
                        (
                            "It makes no test first, but chooses among all of the texts, and names"
                            " the favourite in"
                            f" {one_place_percent(float(margin_winner_law(EXPONENTIAL, START)[0]))} of"
                            " releases."
                        ),
                        "",
                        (
                            "One text of score zero hardly ever wins against the favourite; of all"
                            " of them together some one does in"
                            f" {one_place_percent(float(margin_winner_law(EXPONENTIAL, START)[2]))} of"
                            " releases."
                        ),
                    ),
                ),
            ),
            Step(
                "run",
                "Let the universe shrink",
                (
                    "Each release is one text, named by the exponential mechanism, or by large "
                    "margin. Change how many texts there could be."
                ),
                experiment=Experiment(
                    name="exponential mechanism",
                    outcomes=(
                        "the favourite",
                        "another text that was written",
                        "a text that nobody wrote",
                    ),
                    law=lambda digits: margin_winner_law(EXPONENTIAL, digits),
                    draw=draw,
                    says=result_sentence,
                    draws_beside=(("large margin", draw_margin),),
                    guess=GuessPrompt(
                        "In how many of 100 releases does the exponential mechanism name the "
                        f"favourite, among {_power(START)} texts?"
                    ),
                    control=Control(
                        "digits",
                        "Texts that there could be",
                        DIGITS,
                        START,
                        tuple(map(_power, DIGITS)),
                    ),
                    beside=(("large margin", lambda digits: margin_winner_law(LARGE, digits)),),
                ),
            ),
            Step(
                "explain",
                "What is bought, and what it costs",
                explanation_text,
                at_work=Demonstration(
                    "One text is named",
                    NoisySelection(
                        (
                            "The greeting",
                            "The second",
                            "The third",
                            "The fourth",
                            "The luckiest of those that nobody wrote",
                        ),
                        np.array([PEOPLE, *OTHERS, 0.0]),
                        "gumbel",
                        EPSILON,
                        "How many people wrote each text. Of those that nobody wrote, only the"
                        " luckiest can win.",
                        lambda taken, _: {0: 0, len(OTHERS) + 1: 2}.get(int(taken[0]), 1),
                        lift=np.array([0.0] * (len(OTHERS) + 1) + [START * math.log(10)]),
                    ).play,
                ),
                question=MultipleChoice(
                    f"Only {FEWER:.0f} people wrote the favourite, and there are {_power(SMALLER)}"
                    " other texts. Which of the two names it in most releases?",
                    BOTH,
                    lambda: _named(SMALLER, FEWER),
                    _fewer_because,
                    lambda: (
                        "",
                        (
                            f"Among {_power(SMALLER)} texts the exponential mechanism needs"
                            f" {people_for_even_odds(SMALLER)} people, and has {FEWER:.0f}. To be"
                            " independent of the range is worth its price among far more texts"
                            " only."
                        ),
                        (
                            "The first test of large margin asks for a lead of"
                            f" {first_test_lead():.0f} people, and only {FEWER:.0f} wrote the"
                            " favourite."
                        ),
                    ),
                ),
                way=PageLink(
                    "margin",
                    "Follow both as the universe grows",
                    Scenario(data=DataSpec(name="chat_openings"), epsilon=0.5, k=1),
                ),
            ),
        ),
    )
)

"""Counts and the factor two: the change that one person can make decides how much noise is enough.

Source: Shekelyan & Loukides 2022, Thm A.15 (monotonic scores); McSherry & Talwar 2007 for the
factor in general.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from dpviz.base import Scores
from dpviz.studies import DataSpec, Design, Scenario
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
from dpviz.teaching.lessons.lesson_helpers import (
    TRIP,
    SingleWinner,
    markdown_table,
    nearest_factor,
    one_place_percent,
    winner_law,
)
from dpviz.teaching.plays import NoisySelection
from dpviz.topk import OneShot, smallest_epsilon

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0)
START = 0.5
GOAL = 0.9
COUNTS, EITHER_WAY = "added or removed", "replaced by another"
TRIPS = {
    COUNTS: SingleWinner(replace(TRIP, monotonic=True)),
    EITHER_WAY: SingleWinner(replace(TRIP, monotonic=False)),
}
FACTORS = {1.0: "The same ε", 2.0: "Twice the ε", 0.5: "Half the ε", 4.0: "Four times the ε"}


def zoo_win_probability(relation: str, epsilon: float) -> float:
    """Chance that the Zoo wins, which has the most votes."""
    return float(TRIPS[relation].law(epsilon)[0])


@cache
def zoo_goal_epsilon(relation: str) -> float:
    """Smallest ε at which the Zoo wins often enough."""
    return smallest_epsilon(
        OneShot(epsilon=1.0, k=1), TRIPS[relation].scores, probability=GOAL, event="top"
    )


def loss_of_a_wrong_claim() -> float:
    """Loss of a release at ε = 1 where scores that move both ways were taken for counts."""
    worlds = (Scores(values, monotonic=True) for values in ([20.0, 5.0], [21.0, 4.0]))
    return float(
        np.abs(np.diff([np.log(winner_law(world, 1.0)) for world in worlds], axis=0)).max()
    )


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} the Zoo wins in"
        f" {one_place_percent(zoo_win_probability(COUNTS, epsilon))} of releases where a child is"
        f" {COUNTS}, and in {one_place_percent(zoo_win_probability(EITHER_WAY, epsilon))} where it"
        f" is {EITHER_WAY}; there it takes ε = {2 * epsilon:g} for"
        f" {one_place_percent(zoo_win_probability(EITHER_WAY, 2 * epsilon))}."
    )


def explanation_text() -> str:
    rows = [
        (relation.capitalize(), f"{zoo_goal_epsilon(relation):.3f}")
        for relation in (COUNTS, EITHER_WAY)
    ]
    return (
        f"The ε at which the Zoo wins in {one_place_percent(GOAL)} of releases:\n\n"
        + markdown_table(("A child is", "ε"), rows)
        + "\n\nThat is a factor of"
        f" {zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS):.2f}, and it holds for"
        " every place and every ε: the law of counts at ε is that of the other reading at 2ε."
        " Counts get by with half the noise.\n\nIt is no gift. One child replaced is one"
        " removed and one added, so an ε against the first change is 2ε against both. Say which"
        " reading is meant whenever you say an ε; two reports with the same ε may promise"
        " different things.\n\nAnd it holds only where a person moves all scores the same way."
        " Ratings that rise and fall, averages and differences do not; there the noise must not"
        " be halved."
    )


def _twice(case: Case) -> bool:
    counts = winner_law(case.scores, case.epsilon)
    other = winner_law(replace(case.scores, monotonic=False), 2 * case.epsilon)
    return np.allclose(counts, other, rtol=0, atol=SLACK)


add_lesson(
    Lesson(
        key="counts_and_the_factor_two",
        title="Added, removed or replaced",
        says="The same votes and the same ε, and two readings of what one person can change.",
        minutes=6,
        claims=(Claim("the law of counts at ε is that of the other reading at 2ε", _twice),),
        able=(
            "what “one person added or removed” and “replaced by another” change",
            "what that does to the noise that counts need",
            "what becomes of the promise where other scores are taken for counts",
        ),
        proved=(
            "Shekelyan and Loukides 2022, Theorem A.15; the factor in general: McSherry and Talwar"
            " 2007, Theorem 6."
        ),
        steps=(
            Step(
                "tell",
                "One child more, or another child",
                (
                    "A class votes on its trip, every child for as many places as it likes. The"
                    " exponential mechanism names the winner. What does ε hide: that a child took"
                    " part at all, or which child it was? There are two usual readings of “one"
                    f" person's data”: a child is **{COUNTS}**, or a child is"
                    f" **{EITHER_WAY}**.\n\nThe mechanism only compares counts. So what has to be"
                    " hidden is how far one child moves the *difference* of two counts:\n\n"
                    + markdown_table(
                        ("What happens", "Zoo", "Museum", "Difference moves by"),
                        [
                            ("One child more, who votes for both", "+1", "+1", "0"),
                            ("One child more, who votes for the Zoo", "+1", "0", "1"),
                            (
                                "One child in the place of another who liked only the museum",
                                "+1",
                                "−1",
                                "2",
                            ),
                        ],
                    )
                    + "\n\nWith a child added or removed all counts move the same way, and no"
                    " difference moves by more than 1. With one replaced, one count may rise"
                    " while another falls, and a difference moves by 2."
                ),
                at_work=Demonstration(
                    "One winner by the exponential mechanism",
                    NoisySelection(
                        TRIP.labels or (),
                        TRIP.values,
                        "gumbel",
                        START,
                        "The votes. Noise that only has to hide one child more or less is added to"
                        " each.",
                    ).play,
                ),
            ),
            Step(
                "predict",
                "Two readings, one winner",
                lambda: (
                    f"The Zoo shall win in {one_place_percent(GOAL)} of releases. Where a child is"
                    f" {COUNTS} that takes some ε."
                ),
                question=MultipleChoice(
                    text=f"What does it take where a child is {EITHER_WAY}?",
                    choices=tuple(FACTORS.values()),
                    answer=lambda: nearest_factor(
                        zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS), FACTORS
                    ),
                    because=lambda: (
                        f"It takes {zoo_goal_epsilon(COUNTS):.3f} in the one reading and"
                        f" {zoo_goal_epsilon(EITHER_WAY):.3f} in the other."
                    ),
                    mistakes=lambda: (
                        "The votes are the same, but what has to be hidden is not.",
                        "",
                        "It is the other way round: more has to be hidden.",
                        (
                            "A difference of two counts moves twice as far, and so "
                            f"{zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS):.2f} times"
                            " the ε is enough."
                        ),
                    ),
                ),
            ),
            Step(
                "run",
                "The same votes twice",
                (
                    f"Winners come out where a child is {COUNTS}, and where it is {EITHER_WAY}. "
                    "In the end, look for the setting at which the open circles "
                    "stand where the diamonds stood before."
                ),
                experiment=Experiment(
                    name=COUNTS,
                    outcomes=TRIP.labels or (),
                    law=TRIPS[COUNTS].law,
                    draw=TRIPS[COUNTS].draw,
                    says=result_sentence,
                    draws_beside=((EITHER_WAY, TRIPS[EITHER_WAY].draw),),
                    guess=GuessPrompt(
                        f"In how many of 100 releases does the Zoo win at ε = {START:g}, where a"
                        f" child is {COUNTS}?"
                    ),
                    control=Control("epsilon", "Privacy budget ε", EPSILONS, START),
                    beside=((EITHER_WAY, TRIPS[EITHER_WAY].law),),
                ),
                way=PageLink(
                    "neighbours",
                    "What one child changes, in Neighbours",
                    Scenario(
                        data=DataSpec(name="class_trip"),
                        epsilon=START,
                        k=1,
                        designs=(Design(mechanism="one_shot"),),
                    ),
                ),
            ),
            Step(
                "explain",
                "Half the noise, for the same promise",
                explanation_text,
                formula=Formula(
                    r"P(\text{place})\propto e^{\varepsilon\cdot\text{votes}}\ \text{(added or removed)},"
                    r"\qquad e^{\frac{\varepsilon}{2}\cdot\text{votes}}\ \text{(replaced)}",
                    "A place wins in proportion to e to the epsilon times its votes where a child"
                    " is added or removed, and to half that exponent where one is replaced.",
                ),
                question=MultipleChoice(
                    text=(
                        "Somebody takes ratings, which rise and fall, for counts and says ε = 1."
                        " What may be lost?"
                    ),
                    choices=("ε = 1, as promised", "More than ε = 1"),
                    answer=lambda: int(loss_of_a_wrong_claim() > 1.0 + 1e-9),
                    because=lambda: (
                        "Where one rating rises by 1 and the other falls by 1, the chance of the"
                        f" weaker item changes by a factor e^{loss_of_a_wrong_claim():.2f}: the"
                        f" true ε is {loss_of_a_wrong_claim():.2f}."
                    ),
                    mistakes=lambda: (
                        (
                            "Half the noise is enough where all scores move the same way. Of two"
                            " ratings one may rise while the other falls."
                        ),
                        "",
                    ),
                ),
            ),
        ),
    )
)

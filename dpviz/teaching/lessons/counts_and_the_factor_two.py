"""Counts and the factor two: the change that one person can make decides how much noise is enough.

Source: Shekelyan & Loukides 2022, Thm A.15 (monotonic scores); McSherry & Talwar 2007 for the
factor in general.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from dpviz.base import Scores
from dpviz.studies import DataSpec, Design, Scenario
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
from dpviz.teaching.lessons.lesson_helpers import (
    TRIP,
    SingleWinner,
    markdown_table,
    nearest_factor_index,
    percentage,
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
        OneShot(epsilon=1.0, k=1), TRIPS[relation].scores, probability=GOAL, figure="top"
    )


def loss_of_a_wrong_claim() -> float:
    """Loss of a release at ε = 1 if scores that rise and fall are treated as counts."""
    worlds = (Scores(values, monotonic=True) for values in ([20.0, 5.0], [21.0, 4.0]))
    return float(
        np.abs(np.diff([np.log(winner_law(world, 1.0)) for world in worlds], axis=0)).max()
    )


def result_sentence(epsilon: float) -> str:
    return (
        f"A child is {COUNTS}: at ε = {epsilon:g} the Zoo wins in"
        f" {percentage(zoo_win_probability(COUNTS, epsilon))} of releases. A child is {EITHER_WAY}:"
        f" then it wins in {percentage(zoo_win_probability(EITHER_WAY, epsilon))}. There ε ="
        f" {2 * epsilon:g} gives {percentage(zoo_win_probability(EITHER_WAY, 2 * epsilon))}."
    )


def _twice(case: Case) -> bool:
    counts = winner_law(case.scores, case.epsilon)
    other = winner_law(replace(case.scores, monotonic=False), 2 * case.epsilon)
    return np.allclose(counts, other, rtol=0, atol=SLACK)


def build_steps() -> tuple[Step, ...]:
    return (
        Step(
            "tell",
            "One more child, or another child",
            (
                "A class votes on its trip. Every child may vote for any number of places. The"
                " exponential mechanism chooses the winner. What does ε hide: that a child took"
                " part, or which child it was? “One person's data” has two usual meanings. A child"
                f" is **{COUNTS}**, or a child is **{EITHER_WAY}**.\n\nThe mechanism only compares"
                " counts. So it must hide how far one child changes the *difference* of two"
                " counts:\n\n"
                + markdown_table(
                    ("What happens", "Zoo", "Museum", "Difference changes by"),
                    [
                        ("One more child, who votes for both", "+1", "+1", "0"),
                        ("One more child, who votes for the Zoo", "+1", "0", "1"),
                        (
                            "One child instead of another who voted only for the museum",
                            "+1",
                            "−1",
                            "2",
                        ),
                    ],
                )
                + "\n\nIf a child is added or removed, all counts change in the same"
                " direction. No difference changes by more than 1. If a child is replaced,"
                " one count may rise while another falls. Then a difference can change by"
                " 2."
            ),
            at_work=Demonstration(
                "One winner by the exponential mechanism",
                NoisySelection(
                    TRIP.labels or (),
                    TRIP.values,
                    "gumbel",
                    START,
                    "The votes. Each gets noise that must hide one child more or less.",
                ).play,
            ),
        ),
        Step(
            "predict",
            "Two meanings, one winner",
            f"The Zoo should win in {percentage(GOAL)} of releases. If a child is {COUNTS}, this"
            " needs a certain ε.",
            question=MultipleChoice(
                text=f"What does it need if a child is {EITHER_WAY}?",
                choices=tuple(FACTORS.values()),
                answer=nearest_factor_index(
                    zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS), FACTORS
                ),
                because=f"It needs {zoo_goal_epsilon(COUNTS):.3f} with the first meaning and"
                f" {zoo_goal_epsilon(EITHER_WAY):.3f} with the second.",
                mistakes=(
                    "The votes are the same. But the noise must hide something else.",
                    "",
                    "It is the opposite. The noise must hide more.",
                    (
                        "A difference of two counts changes twice as much. So"
                        f" {zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS):.2f} times the"
                        " ε is enough."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "The same votes twice",
            f"You see winners for both meanings: a child is {COUNTS}, or {EITHER_WAY}. Remember"
            " where the diamonds are. Then find the ε that puts the open circles there.",
            experiment=Experiment(
                name=COUNTS,
                outcomes=TRIP.labels or (),
                law=TRIPS[COUNTS].law,
                draw=TRIPS[COUNTS].draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"A child is {COUNTS}. In how many of 100 releases does the Zoo win at ε ="
                    f" {START:g}?"
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                beside=(ComparedLaw(EITHER_WAY, TRIPS[EITHER_WAY].law, TRIPS[EITHER_WAY].draw),),
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
            f"The Zoo wins in {percentage(GOAL)} of releases at this ε:\n\n"
            + markdown_table(
                ("A child is", "ε"),
                [
                    (relation.capitalize(), f"{zoo_goal_epsilon(relation):.3f}")
                    for relation in (COUNTS, EITHER_WAY)
                ],
            )
            + "\n\nThat is a factor of"
            f" {zoo_goal_epsilon(EITHER_WAY) / zoo_goal_epsilon(COUNTS):.2f}. It holds for every"
            " place and every ε. The law of counts at ε is that of the other meaning at 2ε. Counts"
            " need only half the noise.\n\nThis is not free. To replace a child means to remove one"
            " and to add one. So the ε of one change becomes 2ε for both. Always say which meaning"
            " you use with an ε. Two reports with the same ε may promise different things.\n\nIt"
            " also holds only if a person changes all scores in the same direction. Ratings,"
            " averages and differences can rise and fall. There you must not halve the noise.",
            formula=Formula(
                r"P(\text{place})\propto e^{\varepsilon\cdot\text{votes}}\ \text{(added or removed)},"
                r"\qquad e^{\frac{\varepsilon}{2}\cdot\text{votes}}\ \text{(replaced)}",
                "A child is added or removed: the chance of a place grows as e to the epsilon times"
                " its votes. A child is replaced: take half that exponent.",
            ),
            question=MultipleChoice(
                text="Ratings can rise and fall. A report treats them as counts and says ε = 1. How"
                " large can the true ε be?",
                choices=("ε = 1, as promised", "More than ε = 1"),
                answer=int(loss_of_a_wrong_claim() > 1.0 + 1e-9),
                because="Suppose one rating rises by 1 and the other falls by 1. The chance of the"
                f" weaker item then changes by a factor e^{loss_of_a_wrong_claim():.2f}. So the"
                f" true ε is {loss_of_a_wrong_claim():.2f}.",
                mistakes=(
                    (
                        "With half the noise, all scores must change in the same direction. But one"
                        " rating may rise while another falls."
                    ),
                    "",
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="counts_and_the_factor_two",
    title="Added, removed or replaced",
    says="The same votes and the same ε can promise two things. It depends on what one person can"
    " change.",
    minutes=6,
    claims=(Claim("The law of counts at ε is that of the other meaning at 2ε.", _twice),),
    able=(
        "what changes if one person is added or removed, or replaced by another",
        "how much noise counts need in each case",
        "what happens to the promise if other scores are treated as counts",
    ),
    proved="Shekelyan and Loukides 2022, Theorem A.15; the factor in general: McSherry and Talwar"
    " 2007, Theorem 6.",
    build_steps=build_steps,
)

"""“Anonymous” against private: a row without a name may fit only one person.

Symbols: n people spread evenly over m cells; the others that fit a row are Binomial(n − 1, 1/m).
Source: Sweeney 2000 (few details name most people); Ganta, Kasiviswanathan & Smith 2008 (two
tables intersected).
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Demonstration,
    Experiment,
    Formula,
    GuessPrompt,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    Walkthrough,
)
from dpviz.teaching.lessons.lesson_helpers import (
    binomial,
    is_within_factor,
    markdown_table,
    percentage,
    winner_law,
)
from dpviz.teaching.plays import play_reidentification

PEOPLE = 10_000
DETAILS = ("sex", "year of birth", "birthday", "street")
KINDS = (2, 80, 365, 50)  # how many there are of each, all as frequent
KNOWN = (1.0, 2.0, 3.0, 4.0)
START = 3.0
FEW = 10
FIRST = ("flu", "diabetes", "asthma", "migraine")  # what those who look like Ana have, by hospital
SECOND = ("fracture", "diabetes", "burn", "gastritis")
EPSILON = 0.5


def combination_count(known_details: float) -> int:
    """Number of ways in which the known details may differ."""
    return math.prod(KINDS[: int(known_details)])


@cache
def law(known_details: float) -> Floats:
    """Chances that a row fits only one person, a few others, or many others."""
    nobody, *few = binomial(PEOPLE - 1, 1 / combination_count(known_details), FEW - 1)
    return np.array([nobody, sum(few), max(1.0 - nobody - sum(few), 0.0)])


def draw(known_details: float, rng: Generator, size: int) -> Ints:
    """Rows of tables: how many others have the same details."""
    others = rng.binomial(PEOPLE - 1, 1 / combination_count(known_details), size)
    return np.searchsorted(np.array([1, FEW]), others, side="right").astype(np.int64)


def unique_row_probability(known_details: float) -> float:
    return float(law(known_details)[0])


def result_sentence(known_details: float) -> str:
    return (
        f"Suppose Ben knows {_details(known_details)}. Then {percentage(unique_row_probability(known_details))} of"
        f" the rows fit one person only. There are {combination_count(known_details):,} ways to differ, and"
        f" {PEOPLE:,} people."
    )


def _details(known: float) -> str:
    return ", ".join(DETAILS[: int(known)])


def _fits_fewer(case: Case) -> bool:
    """One more detail of any number of kinds makes a single fit no rarer."""
    people, kinds = sum(case.counts) + 2, case.k + 1
    before, after = ((1 - 1 / m) ** (people - 1) for m in (kinds, kinds * len(case.counts)))
    return before <= after + SLACK


def _left_by_two(case: Case) -> bool:
    first, second = set(case.counts), set(case.scores_with_person.values)
    return len(first & second) <= min(len(first), len(second))


def _two_releases(case: Case) -> bool:
    """Two lists of the same counts, with separate noise, together keep e^(2ε)."""
    laws = (winner_law(s, case.epsilon, "laplace") for s in (case.scores_with_person, case.scores))
    one, other = (np.outer(law, law) for law in laws)
    return is_within_factor(one, other, math.exp(2 * case.epsilon))


def play(rng: Generator) -> Walkthrough:
    known = list(zip(DETAILS, KINDS, strict=True))[: int(START)]
    return play_reidentification(
        PEOPLE, known, rng, lambda others: int(np.searchsorted([1, FEW], others, side="right"))
    )


def build_steps() -> tuple[Step, ...]:
    both = [one for one in FIRST if one in SECOND]
    return (
        Step(
            "tell",
            "A table without names",
            (
                f"A town of {PEOPLE:,} people gives researchers a table of its patients. It has no"
                " names and no addresses, so it is called **anonymous**:\n\n"
                + markdown_table(
                    ("Sex", "Year of birth", "Birthday", "Illness"),
                    [
                        ("woman", "1961", "3 May", "diabetes"),
                        ("man", "1984", "17 June", "flu"),
                        ("…", "…", "…", "…"),
                    ],
                )
                + (
                    "\n\nBen is not a researcher, but he sees the table. He knows when his"
                    " neighbour was born."
                )
            ),
            at_work=Demonstration("Who fits still?", play),
        ),
        Step(
            "predict",
            "A neighbour's birthday",
            f"Ben knows this about his neighbour: {_details(START)}. The table has {PEOPLE:,}"
            " rows.",
            question=MultipleChoice(
                text="How many rows of the table fit one person in town and nobody else?",
                choices=("Hardly any", "About half of them", "Most of them"),
                answer=int(  # hardly any, about half, or most: the nearest
                    np.argmin(np.abs(np.array([0.02, 0.5, 0.9]) - unique_row_probability(START)))
                ),
                because=result_sentence(START),
                mistakes=(
                    (
                        "Few people share a birthday, a year and a sex. There are"
                        f" {combination_count(START):,} ways to differ, and {PEOPLE:,} people."
                    ),
                    (
                        f"It is {percentage(unique_row_probability(START))}. There are far more"
                        " ways to differ than people."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "A thousand rows",
            "Each draw is a row of such a table. Does it fit one person only? Then change what Ben"
            " knows.",
            experiment=Experiment(
                name="rows",
                outcomes=(
                    "fits one person only",
                    f"fits 1 to {FEW - 1} others too",
                    "fits more others too",
                ),
                law=law,
                draw=draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"Ben knows {_details(START)}. How many of 100 rows fit one person only?"
                ),
                control=Control(
                    "known", "What Ben knows", KNOWN, START, tuple(map(_details, KNOWN))
                ),
            ),
        ),
        Step(
            "explain",
            "A table, or a way to publish",
            "A birthday is no secret. A few such details together are nearly a name:\n\n"
            + markdown_table(
                ("Known", "Ways to differ", "Rows that fit one person"),
                [
                    (
                        _details(known),
                        f"{combination_count(known):,}",
                        percentage(unique_row_probability(known)),
                    )
                    for known in KNOWN
                ],
            )
            + "\n\n(Here people are spread evenly. In a real town some stand out more, others less.)"
            " One more detail never makes more people fit.\n\nCan we blur the details until"
            f" everybody looks like {len(FIRST) - 1} others? Ana was in two hospitals, and both did"
            f" this. The first says about people like her: {', '.join(FIRST)}. The second says:"
            f" {', '.join(SECOND)}. Two tables"
            " together never leave more possibilities than one of them.\n\nWe call a *table*"
            " “anonymous”. That rests on a guess about what others know. We call a *way* of"
            " publishing **private**. It uses random noise, so that the chances with her and"
            " without her differ at most e^ε times. That holds for all else that is known or"
            f" published. Two such releases of ε = {EPSILON:g} each still promise ε ="
            f" {2 * EPSILON:g}. The promise weakens, and a number says by how much.",
            formula=Formula(
                r"P(\text{nobody else fits})=\left(1-\frac{1}{\text{ways to differ}}\right)^{\text{people}-1}",
                "Subtract one over the ways to differ from one. To the power of the people less"
                " one, this is the chance that nobody else fits.",
            ),
            question=MultipleChoice(
                text=f"In each hospital's table Ana looks like {len(FIRST) - 1} others. Ben knows"
                " that she was in both. What does he learn?",
                choices=(
                    f"Nothing certain, as she is hidden among {len(FIRST)} in each",
                    "What she has",
                    "That one of the tables is wrong",
                ),
                answer={0: 2, 1: 1}.get(len(both), 0),
                because=f"Only {', '.join(both)} is in both tables.",
                mistakes=(
                    (
                        f"Each table alone leaves {len(FIRST)} illnesses. Both together leave"
                        f" {len(both)}."
                    ),
                    "",
                    (f"Both can be right: {', '.join(both)} is in the first and in the second."),
                ),
            ),
            way=PageLink(
                "neighbours",
                "See what a private list reveals about one person",
                Scenario(
                    data=DataSpec(name="class_trip"),
                    epsilon=EPSILON,
                    k=1,
                    designs=(Design(mechanism="one_shot"),),
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="anonymous_and_private",
    title="Anonymous and private",
    says="A table has no names. Can you still find a person in it?",
    minutes=5,
    claims=(
        Claim("One more detail never makes more people fit.", _fits_fewer),
        Claim("Two tables together never leave more possibilities than one of them.", _left_by_two),
        Claim("The promise weakens, and a number says by how much.", _two_releases),
    ),
    able=(
        "what a row without a name reveals, and to whom",
        "what two tables reveal together",
        "what “anonymous” and “private” mean",
    ),
    proved="A few details identify most people: Sweeney 2000, on a census. Two tables together: Ganta,"
    " Kasiviswanathan and Smith 2008. The ε of two releases add up: Dwork and Roth 2014,"
    " Theorem 3.14.",
    build_steps=build_steps,
)

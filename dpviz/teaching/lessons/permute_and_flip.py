"""The exponential mechanism against permute-and-flip: same promise, fewer misses.

Source: McKenna & Sheldon 2020; noise that gives both: Shekelyan & Loukides 2022, Def 2.1 and A.3.
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import NoiseName, Scores
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
    Walkthrough,
)
from dpviz.teaching.lessons.lesson_helpers import (
    TRIP,
    SingleWinner,
    markdown_table,
    percentage,
    winner_law,
)
from dpviz.teaching.plays import play_permute_and_flip

START = 0.5
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0)
EXPONENTIAL: NoiseName = "gumbel"  # the noise that gives each of the two
FLIPPED: NoiseName = "exponential"
LOTS, COINS = SingleWinner(TRIP, EXPONENTIAL), SingleWinner(TRIP, FLIPPED)


def zoo_miss_probability(noise: NoiseName, epsilon: float = START) -> float:
    """Chance that the Zoo, which has the most votes, does not win."""
    return 1.0 - float(winner_law(TRIP, epsilon, noise)[0])


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} permute-and-flip misses the Zoo in"
        f" {percentage(zoo_miss_probability(FLIPPED, epsilon))} of releases. The exponential"
        f" mechanism misses it in {percentage(zoo_miss_probability(EXPONENTIAL, epsilon))}."
    )


def _never_worse(case: Case) -> bool:
    best = np.array(case.counts) == max(case.counts)
    lots, coins = (
        winner_law(case.scores, case.epsilon, noise)[best].sum() for noise in (EXPONENTIAL, FLIPPED)
    )
    return bool(coins >= lots - SLACK)


def _lots(case: Case) -> bool:
    """Chances in the urn are as e^(ε · votes)."""
    votes = np.array(case.counts, dtype=float)
    lots = np.exp(case.epsilon * (votes - votes.max()))
    return np.allclose(winner_law(case.scores, case.epsilon), lots / lots.sum(), rtol=0, atol=SLACK)


def play(rng: Generator) -> Walkthrough:
    return play_permute_and_flip(TRIP.labels or (), TRIP.values, START, rng)


def build_steps() -> tuple[Step, ...]:
    lots, coins = zoo_miss_probability(EXPONENTIAL), zoo_miss_probability(FLIPPED)
    tied_lots, tied_coins = (
        winner_law(Scores([5, 5], monotonic=True), START, noise)[0]
        for noise in (EXPONENTIAL, FLIPPED)
    )
    a, b = zoo_miss_probability(EXPONENTIAL), zoo_miss_probability(FLIPPED)
    votes = TRIP.values
    heads = np.exp(-START * (votes[0] - votes))
    return (
        Step(
            "tell",
            "An urn, and a row of coins",
            "A class votes on its trip, and only the winner is announced. Every child may vote for"
            " several places. So one child can change every count by one. Two recipes keep the"
            " promise of the privacy budget ε.\n\n**The exponential mechanism** puts tickets into"
            " an urn and draws one. A place with one more vote gets e^ε times as many tickets. At ε"
            f" = {START:g} that is {np.exp(START):.2f} times as many.\n\n**Permute-and-flip**"
            " shuffles the places and goes through them one by one. It flips a coin for each place."
            " The first place with heads wins. The coin of the place with the most votes always"
            " shows heads. A place further behind shows heads less often:\n\n"
            + markdown_table(
                ("Place", "Votes", f"Heads at ε = {START:g}"),
                [
                    (TRIP.label(i), f"{votes[i]:.0f}", percentage(coin) if coin < 1 else "always")
                    for i, coin in enumerate(heads)
                ],
            ),
            at_work=Demonstration("Permute-and-flip, coin by coin", play),
            formula=Formula(
                r"P(\text{heads of a place})=e^{-\varepsilon\,(\text{most votes}-\text{its votes})}",
                "The chance of heads is e to the minus epsilon times the votes that the place is"
                " behind.",
            ),
        ),
        Step(
            "predict",
            "Which one is right more often?",
            "Both keep the promise of the same ε. The Zoo has the most votes.",
            question=MultipleChoice(
                text=f"Which recipe announces the Zoo more often, at ε = {START:g}?",
                choices=("The exponential mechanism", "Permute-and-flip", "Both equally often"),
                answer=int(np.argmax([coins - lots, lots - coins, SLACK])),
                because=result_sentence(START),
                mistakes=(
                    (
                        f"It is better known, but it misses the Zoo in {percentage(lots)} of"
                        f" releases. The other misses in {percentage(coins)}."
                    ),
                    "",
                    (
                        "The same ε limits what one person changes. It does not say how often the"
                        " winner is right."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "A thousand class trips",
            "Make releases with both recipes. At the end you see the exact chances of each. Then"
            " move ε.",
            experiment=Experiment(
                name="permute-and-flip",
                outcomes=TRIP.labels or (),
                law=COINS.law,
                draw=COINS.draw,
                says=result_sentence,
                guess=GuessPrompt(
                    "In how many of 100 releases does permute-and-flip announce the Zoo, at ε ="
                    f" {START:g}?"
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                beside=(ComparedLaw("exponential mechanism", LOTS.law, LOTS.draw),),
            ),
            way=PageLink(
                "compare",
                "Both in Compare, with every ε",
                Scenario(
                    data=DataSpec(name="class_trip"),
                    epsilon=START,
                    k=1,
                    designs=(
                        Design(mechanism="one_shot", parameters={"noise": FLIPPED}),
                        Design(mechanism="one_shot", parameters={"noise": EXPONENTIAL}),
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "Where the misses went",
            f"At ε = {START:g} the exponential mechanism misses the Zoo in {percentage(a)} of"
            f" releases. Permute-and-flip misses it in {percentage(b)}. So {percentage(1 - b / a)}"
            " of the misses are gone, with the same privacy.\n\nIn the urn the tickets of all weak"
            " places add up. With coins, a weak place needs two things. It must come early in the"
            " shuffle, and its coin must show heads, which is rare. Once it is the Zoo's turn, the"
            " Zoo wins.\n\nNo scores make permute-and-flip worse. Sometimes the two are equally"
            " good, as where ε is so large that both hardly ever miss.",
            question=MultipleChoice(
                text="There are only two places, and they have the same number of votes. Which"
                " recipe is better?",
                choices=("The exponential mechanism", "Permute-and-flip", "They are the same"),
                answer=int(np.argmax([tied_lots - tied_coins, tied_coins - tied_lots, SLACK])),
                because="Two places with the same votes have the same number of tickets. Both coins"
                " always show heads, so the place that is shuffled first wins. Each recipe"
                f" gives each place {percentage(tied_coins)}.",
                mistakes=(
                    (
                        "Its urn holds equally many tickets for both. Each wins in"
                        f" {percentage(tied_lots)} of releases, as with the coins."
                    ),
                    (
                        "It is better where the tickets of weak places add up. Here no place is"
                        f" weak. Each wins in {percentage(tied_coins)} of releases, as with the"
                        " urn."
                    ),
                    "",
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="permute_and_flip",
    title="Two recipes for one winner",
    says="The exponential mechanism and permute-and-flip keep the same promise. Are they equally"
    " good?",
    minutes=6,
    claims=(
        Claim("A place with one more vote gets", _lots),
        Claim("No scores make permute-and-flip worse.", _never_worse),
    ),
    able=(
        "how the exponential mechanism and permute-and-flip choose a winner",
        "which of the two misses the best item less often at the same ε, and why",
        "where the choice between them matters",
    ),
    proved="McKenna and Sheldon, Permute-and-Flip, NeurIPS 2020. Shekelyan and Loukides 2022,"
    " Definition 2.1, get the same law by exponential noise on the scores.",
    build_steps=build_steps,
)

"""Why the gap is free: the noise that gives the other world the same release.

Source: Ding, Wang, Zhang & Kifer 2019, Sections 4 and 5 (randomness alignment).
"""

import math

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.base.text_format import upper_bound_text
from dpviz.gaps import NoisyTopKWithGap
from dpviz.gaps.alignment import Alignment, align_every_noise, align_top_k
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
from dpviz.teaching.lessons.lesson_helpers import markdown_table, percentage
from dpviz.teaching.plays import NoisySelection

EPSILON, WIDE = 1.0, 2.0  # WIDE votes part a wide gap from a narrow one
DISHES = ("Pizza", "Pasta", "Soup", "Salad")
WORLDS = (
    Scores([22.0, 21.0, 20.0, 16.0], labels=list(DISHES), monotonic=True),
    Scores([22.0, 22.0, 21.0, 17.0], labels=list(DISHES), monotonic=True),
)
NOISE = np.array([1.5, -0.5, 0.25, -1.0])  # of the release that is explained
MECHANISM = NoisyTopKWithGap(epsilon=EPSILON, k=1)


def law(world_index: float) -> Floats:
    """Chances of Pizza and of another dish, ahead by up to `WIDE` and by more."""
    scores = WORLDS[int(world_index)]
    wide, won = (
        [MECHANISM.gap_survival(scores, item, gap) for item in range(scores.d)]
        for gap in (WIDE, 0.0)
    )
    return np.array([won[0] - wide[0], wide[0], sum(won[1:]) - sum(wide[1:]), sum(wide[1:])])


def draw(world_index: float, rng: Generator, size: int) -> Ints:
    releases = [MECHANISM.release(WORLDS[int(world_index)], rng=rng) for _ in range(size)]
    return np.array([2 * (out.items[0] > 0) + (out.gaps[0] > WIDE) for out in releases], np.int64)


def winner_and_lead_outcome(winners: Ints, noisy_scores: Floats) -> int:
    """Outcome of a play, whose first place is Pizza's."""
    return 2 * int(winners[0] > 0) + int(-np.diff(np.sort(noisy_scores)[::-1])[0] > WIDE)


def largest_change_factor() -> float:
    """The most that Ana's votes change the chance of an outcome."""
    return float(np.exp(np.abs(np.log(law(1.0) / law(0.0))).max()))


def top_k_alignment() -> Alignment:
    return align_top_k(MECHANISM, *WORLDS, NOISE)


def _costs_at_most_epsilon(case: Case) -> bool:
    made, rng = NoisyTopKWithGap(epsilon=case.epsilon, k=1), np.random.default_rng(case.k)
    noises = rng.laplace(scale=made.scale(case.scores), size=(20, case.scores.d))
    costs = [align_top_k(made, case.scores, case.scores_with_person, one).total for one in noises]
    return max(costs) <= case.epsilon * (1 + SLACK)


def build_steps() -> tuple[Step, ...]:
    found, every = top_k_alignment(), align_every_noise(MECHANISM, *WORLDS)
    return (
        Step(
            "tell",
            "A winner and its lead",
            "A school asks which dishes its children like. Each child may name several. The counts"
            f" get noise with ε = {EPSILON:g}, and the largest noisy count wins. Pizza has 22"
            " votes, Pasta 21, Soup 20 and Salad 16.\n\nThe school publishes the winner and its"
            " **gap**, which is its noisy lead over the second.",
        ),
        Step(
            "predict",
            "Ana votes for three dishes",
            f"Ana votes for Pasta, Soup and Salad. Without her, Pizza wins by over {WIDE:g} votes"
            f" in {percentage(law(0.0)[1])} of releases.",
            question=MultipleChoice(
                "Her votes are counted now. How rare may this outcome become?",
                (
                    "1 % of releases or more: one factor of e^ε for each of her votes",
                    "7.5 % or more: one factor of e^ε for all of them",
                    "It stays as it is",
                ),
                int(law(1.0)[1] * math.exp(EPSILON) >= law(0.0)[1] > law(1.0)[1]),
                f"It becomes {percentage(law(1.0)[1])}. Winner and gap together keep ε, however"
                " many dishes she names.",
                (
                    "This is what a careless proof finds. The next steps show a better one.",
                    "",
                    "Her votes bring the second dish nearer, so a wide lead is rarer.",
                ),
            ),
        ),
        Step(
            "run",
            "With and without Ana",
            "Publish a winner with its gap many times, with her votes and without.",
            experiment=Experiment(
                name="with this choice",
                outcomes=(
                    "Pizza, narrowly",
                    f"Pizza by over {WIDE:g}",
                    "another, narrowly",
                    f"another by over {WIDE:g}",
                ),
                law=law,
                draw=draw,
                says=lambda world: (
                    f"Pizza wins by over {WIDE:g} votes in {percentage(law(world)[1])} of releases."
                    f" Ana changes no chance by more than a factor of {upper_bound_text(largest_change_factor(), 3)}."
                ),
                control=Control("ana", "Ana's votes", (0.0, 1.0), 1.0, ("not counted", "counted")),
                beside=(
                    ComparedLaw(
                        "without Ana", lambda _: law(0.0), lambda _, rng, size: draw(0.0, rng, size)
                    ),
                ),
                guess=GuessPrompt(
                    f"How many of 100 releases name Pizza by over {WIDE:g} votes?", outcome=1
                ),
            ),
        ),
        Step(
            "explain",
            "The noise that moves",
            "Take one release without Ana, and look for the noise that gives the **same** release"
            " with her. The dish in second place gained one vote, so the winner's lead shrank by"
            " one. Move only the winner's noise, by this one vote. Then the same dish wins by the"
            " same gap:\n\n"
            + markdown_table(
                ("Dish", "Noisy, without Ana", "With Ana", "Its noise moves by"),
                [
                    (dish, *(f"{value:g}" for value in values))
                    for dish, *values in zip(
                        DISHES,
                        WORLDS[0].values + NOISE,
                        WORLDS[1].values + NOISE,
                        found.shifts,
                        strict=True,
                    )
                ],
            )
            + f"\n\nA noise that moves by one vote is at most e^ε times rarer. So this costs ε ="
            f" {found.total:g}, and that is all of ε. The gap cost nothing extra.\n\nA careless proof"
            " moves every noise back by Ana's vote. The release is the same too, but each move costs"
            f" ε. Here that makes {every.total:g} times ε, and with more dishes even more.",
            formula=Formula(
                r"z_1'-z_1=(x_1-x_1')+(m'-m),\qquad m=\max_{i>1}\,(x_i+z_i)",
                "The winner's noise follows its own change and that of the second place.",
            ),
            at_work=Demonstration(
                "One winner with its gap",
                NoisySelection(
                    DISHES,
                    WORLDS[1].values,
                    "laplace",
                    EPSILON,
                    "Four dishes with their votes, Ana's among them.",
                    winner_and_lead_outcome,
                    end=lambda _, noisy: (
                        f"It leads by {-np.diff(np.sort(noisy)[::-1])[0]:.1f} votes. This gap is"
                        " published too."
                    ),
                ).play,
            ),
            question=MultipleChoice(
                "Which noises have to move for the same winner and the same gap?",
                ("All of them", "Only the winner's", "The winner's and the second one's"),
                min(int(np.count_nonzero(top_k_alignment().shifts)), 2),
                "The others stay where they are, so they cost nothing.",
                (
                    "This keeps the release too, but it pays for every dish.",
                    "",
                    "The second one may stay: the winner's noise follows its change.",
                ),
            ),
            way=PageLink(
                "gaps",
                "See the noise move for ten items",
                Scenario(data=DataSpec(name="help_line"), epsilon=1.0, k=10),
            ),
        ),
    )


LESSON = Lesson(
    key="why_the_gap_is_free",
    title="Why is the gap free?",
    says="The winner's lead is published with the winner. What does it cost?",
    minutes=8,
    claims=(Claim("The gap cost nothing extra.", _costs_at_most_epsilon),),
    able=("how a proof of privacy moves the noise", "which noises move, and what each move costs"),
    proved="Ding, Wang, Zhang & Kifer 2019, Lemmas 1, 4 and 10.",
    build_steps=build_steps,
)

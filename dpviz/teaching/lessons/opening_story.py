"""The opening story: why a list exposes people, what noise does, and what ε is.

Invariant: a word of the field is used only once the story has introduced it, in bold; tests look.
Source: Dwork and Roth 2014, Definition 2.4 and Section 3.3 (report noisy max).
"""

import math
from dataclasses import replace

import numpy as np

from dpviz.base import Floats, Scores, percent_upper_bound
from dpviz.base.text_format import upper_bound_text
from dpviz.privacy.odds import guess_bound
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
    SingleWinner,
    is_within_factor,
    markdown_table,
    percentage,
    winner_law,
)
from dpviz.teaching.plays import NoisySelection

BOOKS = ("Bread at home", "Living with diabetes", "The lighthouse keeper")
WITHOUT, WITH = (7, 7, 4), (7, 8, 4)  # readers, before Ana and with her
ANAS = 1
EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0)
START = 0.5
AMOUNTS = ("very much", "much", "some", "little", "very little")
GOAL = 0.9
WITH_HER, WITHOUT_HER = (
    SingleWinner(Scores(readers, monotonic=True), "laplace") for readers in (WITH, WITHOUT)
)


def winner_without_noise(readers: tuple[int, ...]) -> int:
    """Book on the card without noise; the first in the alphabet where two are level."""
    return readers.index(max(readers))


def largest_likelihood_ratio(epsilon: float) -> float:
    """Largest factor between the chances of a card with Ana and without her."""
    with_her, without = WITH_HER.law(epsilon), WITHOUT_HER.law(epsilon)
    return float(max((with_her / without).max(), (without / with_her).max()))


def correct_card_probability(epsilon: float) -> float:
    """Chance that the most read book is on the card."""
    return float(WITH_HER.law(epsilon)[winner_without_noise(WITH)])


def noise_effect_sentence(epsilon: float) -> str:
    with_her, without = (float(cards.law(epsilon)[ANAS]) for cards in (WITH_HER, WITHOUT_HER))
    return (
        f"With {AMOUNTS[EPSILONS.index(epsilon)]} noise, {percentage(with_her)} of releases with"
        f" Ana name “{BOOKS[ANAS]}”. Without Ana, {percentage(without)} do."
    )


def budget_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} the two chances of a card differ by a factor of at most"
        f" {upper_bound_text(largest_likelihood_ratio(epsilon), 3)}. The promise is"
        f" {upper_bound_text(math.exp(epsilon), 3)}. The card is right in"
        f" {percentage(correct_card_probability(epsilon))} of releases."
    )


def _both(case: Case) -> tuple[Floats, Floats]:
    return (
        winner_law(case.scores_with_person, case.epsilon, "laplace"),
        winner_law(case.scores, case.epsilon, "laplace"),
    )


def _within_the_promise(case: Case) -> bool:
    return is_within_factor(*_both(case), factor=math.exp(case.epsilon))


def two_lists_guess_probability(case: Case) -> float:
    """Chance to guess which of two lists she borrowed, the second in reverse order."""
    lists = (case, replace(case, moves=case.moves[::-1]))
    laws = [winner_law(each.scores_with_person, case.epsilon, "laplace") for each in lists]
    return float(np.maximum(*laws).sum() / 2)


def build_steps() -> tuple[Step, ...]:
    first = next(
        n for n, epsilon in enumerate(EPSILONS) if correct_card_probability(epsilon) >= GOAL
    )
    right = [percentage(correct_card_probability(epsilon)) for epsilon in EPSILONS]
    given_away = (
        f"Without Ana, *{BOOKS[0]}* and *{BOOKS[ANAS]}* have {WITHOUT[0]} readers each. The card"
        f" changed, so the new reader must have borrowed *{BOOKS[ANAS]}*."
    )
    cards = Experiment(
        name="with Ana",
        outcomes=BOOKS,
        law=WITH_HER.law,
        draw=WITH_HER.draw,
        says=noise_effect_sentence,
        control=Control("noise", "How much noise", EPSILONS, START, AMOUNTS),
        beside=(ComparedLaw("without Ana", WITHOUT_HER.law, WITHOUT_HER.draw),),
        guess=GuessPrompt(
            f"With much noise, how many of 100 cards with Ana say “{BOOKS[ANAS]}”?", outcome=ANAS
        ),
    )
    return (
        Step(
            "tell",
            "A new reader",
            "A small library puts a card on its door: *most read this month*. It names one book and"
            " no reader. If two books have equally many readers, the first in the alphabet is"
            " taken.\n\nOn Monday Ana joined the library. Nobody else joined, and her friend Ben"
            " knows this. Only the librarian sees how many readers each book has:\n\n"
            + markdown_table(
                ("Book", "Before Ana", "With Ana"), zip(BOOKS, WITHOUT, WITH, strict=True)
            )
            + f"\n\nOn Sunday the card said *{BOOKS[winner_without_noise(WITHOUT)]}*. "
            f"On Monday it says *{BOOKS[winner_without_noise(WITH)]}*.",
        ),
        Step(
            "predict",
            "What does the card say about Ana?",
            "Ben reads both cards. He knows what all other readers borrowed. He does not know what"
            " Ana borrowed.",
            question=MultipleChoice(
                text="What can Ben find out?",
                choices=(
                    "Nothing, as no name is on the card",
                    "That somebody borrowed the book, but not who",
                    f"That Ana borrowed “{BOOKS[ANAS]}”",
                ),
                answer=(0 if winner_without_noise(WITH) == winner_without_noise(WITHOUT) else 2),
                because=given_away,
                mistakes=(
                    (
                        "A card without names feels safe. But its change has a cause, and Ben knows"
                        " the only possible one."
                    ),
                    ("This would be right if Ben knew less. Nobody can rule out what others know."),
                    "",
                ),
            ),
        ),
        Step(
            "tell",
            "Random changes protect",
            f"{given_away} Now Ben knows something about her health. The card exposed her without"
            " naming her. Any exactly right list can do this. If Ben knows about all others, a"
            " change tells him about the last person.\n\nThe way out is to change the numbers a"
            " little, at random. The librarian adds a random amount to each number of readers, up"
            " or down. She tells nobody these amounts. They are called **noise**. Only then does"
            " she compare the numbers.\n\nEach new card has new noise, so the same readers can lead"
            " to another card. One published card is called a **release**. Imagine that the"
            " librarian writes cards again and again. The share of releases in which something"
            " happens is its **chance**. A chance that is computed to the last digit, without"
            " trying, is called **exact**.\n\nHow much noise? You choose. Next you write a thousand"
            " cards.",
            at_work=Demonstration(
                "One card is written",
                NoisySelection(
                    BOOKS,
                    np.array(WITH, float),
                    "laplace",
                    START,
                    "The readers of each book, with Ana. Only the librarian sees them.",
                ).play,
            ),
        ),
        Step(
            "run",
            "A thousand cards",
            "Cards are written in two cases: with Ana among the readers, and without her. Dark"
            " diamonds show the exact chances with her. Open circles show those without"
            " her.\n\nWhere circle and diamond are close, the card hardly tells Ben which case is"
            " true. Change the noise and watch them.",
            experiment=cards,
        ),
        Step(
            "explain",
            "One number for the promise",
            "Ben reads the card and asks: would it say the same without Ana? With enough noise he"
            " cannot tell. Both cases happen about equally often. One number says how close they"
            " are.\n\nThat number is the **privacy budget ε** (say **epsilon**). Take any card: its"
            " chance with Ana and its chance without her differ at most by a certain factor. For ε"
            f" = 1 the factor is {math.e:.3f}. For ε = 2 it is {math.e:.3f} × {math.e:.3f} ="
            f" {math.exp(2):.2f}. For ε = 0 it would be 1, and the card would say nothing about"
            " anybody.\n\nThe promise holds for every person, in the data or not. It holds for all"
            " that Ben may know or compute. Suppose he guesses whether Ana is among the readers. A"
            " coin is right in half of all cases. With the card, Ben is right at most as often as"
            " this table says:\n\n"
            + markdown_table(
                ("ε, noise", "Promised factor", "Factor here", "Ben is right at most"),
                [
                    (
                        f"{epsilon:g}, {amount}",
                        upper_bound_text(math.exp(epsilon), 3),
                        upper_bound_text(largest_likelihood_ratio(epsilon), 3),
                        f"{percent_upper_bound(guess_bound(epsilon))}\u202f%",
                    )
                    for epsilon, amount in zip(EPSILONS, AMOUNTS, strict=True)
                ],
            )
            + "\n\nWhich of two books did Ana borrow? For that guess, use the table's row for twice"
            " the ε.\n\nThis is the trade. A small ε protects well, but the card is often wrong. A"
            " large ε makes the card right, but protects little. This app shows both sides before"
            " anything is published.",
            formula=Formula(
                r"e^{-\varepsilon}\le\frac{P(\text{a card}\mid\text{with Ana})}{P(\text{the card}\mid"
                r"\text{without Ana})}\le e^{\varepsilon}",
                "Divide the chance of a card with Ana by its chance without her. The result lies"
                " between e to the minus epsilon and e to the epsilon.",
            ),
            question=MultipleChoice(
                text="The librarian wants the card to be right in at least nine of ten releases."
                " Which is the smallest ε that reaches this?",
                choices=tuple(f"ε = {epsilon:g}" for epsilon in EPSILONS),
                answer=first,
                because=" ".join(
                    f"At ε = {epsilon:g} the card is right in {share} of releases."
                    for epsilon, share in [*zip(EPSILONS, right, strict=True)][
                        first - 1 : first + 1
                    ]
                ),
                mistakes=(
                    *(
                        f"There the card is right in only {share} of releases."
                        for share in right[: first + 1]
                    ),
                    *(
                        f"There the card is right in {share} of releases. But ε ="
                        f" {EPSILONS[first]:g} is enough and protects more."
                        for share in right[first + 1 :]
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "Now with ε",
            "Here are the same cards again, now by their ε. Compare diamond and circle: the larger"
            " is at most the promised factor times the smaller.",
            experiment=replace(
                cards,
                says=budget_sentence,
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                guess=None,
            ),
            way=PageLink(
                "explore",
                "See a longer list in the app",
                Scenario(
                    data=DataSpec(name="class_trip"),
                    epsilon=START,
                    k=1,
                    designs=(Design(mechanism="one_shot", parameters={"noise": "laplace"}),),
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="opening_story",
    title="The card on the library door",
    says="How a list without any names can expose a person, and how small random changes protect"
    " her. You need no knowledge before.",
    minutes=7,
    claims=(
        Claim(
            "its chance with Ana and its chance without her differ at most by a certain factor",
            _within_the_promise,
        ),
        Claim("the larger is at most the promised factor times the smaller", _within_the_promise),
        Claim(
            "Ben is right at most as often as this table says",
            lambda case: (
                float(np.maximum(*_both(case)).sum() / 2) <= guess_bound(case.epsilon) + SLACK
            ),
        ),
        Claim(
            "use the table's row for twice the ε",
            lambda case: two_lists_guess_probability(case) <= guess_bound(2 * case.epsilon) + SLACK,
        ),
    ),
    able=(
        "whether a list without names protects people",
        "how random changes hide one person, and what that costs",
        "what ε promises, the number that the whole field uses",
    ),
    proved="The promise: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014,"
    " Definition 2.4. Section 3.3 there proves it for adding such random amounts and taking the"
    " largest.",
    seed=7,
    build_steps=build_steps,
)

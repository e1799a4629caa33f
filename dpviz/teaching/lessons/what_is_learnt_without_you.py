"""Limits of ε: facts about many people apply to each of them, and a group changes more than one.

Symbols: `OTHERS` people of whom a share sleeps badly, one of two shares that Ben thinks as likely
as each other; Ana comes on top. Source: Dwork & Roth 2014, Section 1.1 (smoking causes cancer) and
Theorem 2.2 (groups).
"""

import math
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
    SingleWinner,
    is_within_factor,
    markdown_table,
    percentage,
    winner_law,
)
from dpviz.teaching.plays import NoisySelection

OTHERS = 100
SHARES = (0.8, 0.2)  # how many of a hundred may sleep badly; that of the first is so
ANSWERS = ("badly", "well")
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.5)
START = 0.1
GROUP = 5
PROMISED = 1.0  # the ε of the last question


def sleep_survey(
    bad_sleeper_share: float, added_bad_answers: int = 0, added_good_answers: int = 0
) -> SingleWinner:
    """Survey where this share of the others sleeps badly, and more people answer as given."""
    count = round(OTHERS * bad_sleeper_share)
    counts = [count + added_bad_answers, OTHERS - count + added_good_answers]
    return SingleWinner(Scores(counts, labels=ANSWERS, monotonic=True))


WITH_HER, WITHOUT_HER = sleep_survey(SHARES[0], added_bad_answers=1), sleep_survey(SHARES[0])


def posterior_belief(epsilon: float, *, with_her: bool) -> float:
    """Belief of Ben, 1/2 before, that Ana sleeps badly once “badly” is published."""
    more = int(with_her)
    badly = sum(
        share * sleep_survey(share, added_bad_answers=more).law(epsilon)[0] for share in SHARES
    )
    well = sum(
        (1 - share) * sleep_survey(share, added_good_answers=more).law(epsilon)[0]
        for share in SHARES
    )
    return float(badly / (badly + well))


@cache
def group_change_factor_at_tie(people: int, epsilon: float = PROMISED) -> float:
    """Largest factor by which so many people alike change a chance, where the answers tied."""
    one, other = (
        winner_law(Scores([20 + more, 20], monotonic=True), epsilon) for more in (people, 0)
    )
    return float(np.maximum(one / other, other / one).max())


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} Ben reads “badly”. If Ana was asked, he is"
        f" {percentage(posterior_belief(epsilon, with_her=True))} sure that she sleeps badly. If"
        f" not, he is {percentage(posterior_belief(epsilon, with_her=False))} sure."
    )


def _groups_pay(case: Case) -> bool:
    more = [n + case.k * moves for n, moves in zip(case.counts, case.moves, strict=True)]
    worlds = (Scores(more, monotonic=True), case.scores)
    one, other = (winner_law(scores, case.epsilon) for scores in worlds)
    return is_within_factor(one, other, math.exp(case.k * case.epsilon))


def _more_is_surer(case: Case) -> bool:
    """With twice as many of each answer the most frequent comes out at least as often."""
    best = np.array(case.counts) == max(case.counts)
    twice = Scores([2 * n for n in case.counts], monotonic=True)
    few, many = (winner_law(scores, case.epsilon)[best].sum() for scores in (case.scores, twice))
    return bool(many >= few - SLACK)


def build_steps() -> tuple[Step, ...]:
    sure, surer = (posterior_belief(START, with_her=with_her) for with_her in (False, True))
    return (
        Step(
            "tell",
            "How night nurses sleep",
            "A clinic asks its night nurses how they sleep, **badly** or **well**. It publishes the"
            " more frequent answer. The exponential mechanism keeps this private.\n\nBen knows that"
            " Ana is a night nurse. He knows nothing about her sleep. He thinks that either"
            f" {OTHERS * SHARES[0]:.0f} or {OTHERS * SHARES[1]:.0f} of {OTHERS} night nurses sleep"
            " badly. For him both are equally likely. So at first he is 50 % sure that she sleeps"
            " badly.",
            at_work=Demonstration(
                "One answer is published",
                NoisySelection(
                    ANSWERS,
                    WITH_HER.scores.values,
                    "gumbel",
                    START,
                    "All answers, with her own among them.",
                ).play,
            ),
        ),
        Step(
            "predict",
            "Ana stays at home",
            f"Ana was not asked. Ben reads “badly”, published at ε = {START:g}.",
            question=MultipleChoice(
                text="How sure is he now that Ana sleeps badly?",
                choices=(
                    "As sure as before: her data are not in it",
                    "Surer, about as much as if she had been asked",
                    "Surer, but by less than if she had been asked",
                ),
                answer=[sure < 0.51, sure - 0.5 > 0.9 * (surer - 0.5), True].index(True),
                because=result_sentence(START),
                mistakes=(
                    (
                        "It tells him how night nurses sleep, and she is one. He does not need her"
                        " data."
                    ),
                    "",
                    (
                        f"Her answer is one of {OTHERS + 1}. It adds {percentage(abs(surer - sure))}."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "A thousand surveys",
            "The survey is published in two cases: Ana was asked, or she was not. Make ε smaller."
            " What happens to Ben's belief about her, and to the survey?",
            experiment=Experiment(
                name="with Ana",
                outcomes=("“badly” is published", "“well” is published"),
                law=WITH_HER.law,
                draw=WITH_HER.draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"In how many of 100 surveys with Ana is “badly” published, at ε = {START:g}?"
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
                beside=(ComparedLaw("without Ana", WITHOUT_HER.law, WITHOUT_HER.draw),),
            ),
        ),
        Step(
            "explain",
            "What ε is about",
            "Ben learns how night nurses sleep, and he knows that Ana is one. Her own answer is one"
            " of about a hundred. With it and without it, he is about equally sure.\n\n"
            + markdown_table(
                ("ε", "Sure, if she was asked", "Sure, if she was not"),
                [
                    (
                        f"{e:g}",
                        percentage(posterior_belief(e, with_her=True)),
                        percentage(posterior_belief(e, with_her=False)),
                    )
                    for e in EPSILONS
                ],
            )
            + "\n\nHer data did not leak. The survey did its job, and an insurer may still use it"
            " against her. **ε limits what her taking part adds.** It does not limit:\n\n- **Facts"
            " about many people.** With more people, the survey shows them more surely. They are"
            " then likely for her too.\n- **What a group shares.** People who take part together"
            " and answer alike change more. g of them change a chance up to e^(g·ε) times. With two"
            f" answers that tie, at ε = {PROMISED:g}:\n\n"
            + markdown_table(
                ("People alike", "Times as likely", "Promised"),
                [
                    (
                        str(g),
                        f"{group_change_factor_at_tie(g):.3g}",
                        f"{math.exp(g * PROMISED):.3g}",
                    )
                    for g in (1, 2)
                ],
            )
            + "\n\n- **What is public already**, such as an exact list, a photograph, or what she"
            " tells others.\n\nSo a promise must say for whom it holds: one person, one family or"
            " one account.",
            formula=Formula(
                r"P(\text{an answer}\mid g\text{ people more})\le e^{g\,\varepsilon}\cdot P(\text{the answer})",
                "With g more people, multiply the chance of an answer by e to the g times epsilon"
                " at most.",
            ),
            question=MultipleChoice(
                text=f"{GROUP} people share a flat. They answer alike, and all take part or none, at"
                f" ε = {PROMISED:g}. What is promised to the flat?",
                choices=(
                    f"e^ε = {math.exp(PROMISED):.3g} times at most, as to everyone",
                    f"e^({GROUP}ε) = {math.exp(GROUP * PROMISED):.3g} times at most",
                    "Nothing at all",
                ),
                answer=int(
                    np.searchsorted(
                        [math.exp(PROMISED), math.exp(GROUP * PROMISED)],
                        group_change_factor_at_tie(GROUP),
                    )
                ),
                because=f"Where two answers tie, the flat changes a chance {group_change_factor_at_tie(GROUP):.3g}"
                f" times. That is more than {math.exp(PROMISED):.3g} and less than"
                f" {math.exp(GROUP * PROMISED):.3g}.",
                mistakes=(
                    (
                        f"This is right for one of them. All {GROUP} together change a chance"
                        f" {group_change_factor_at_tie(GROUP):.3g} times."
                    ),
                    "",
                    (
                        f"Each of them changes a chance at most e^ε times. So {GROUP} change it at"
                        f" most e^({GROUP}ε) times."
                    ),
                ),
            ),
            way=PageLink(
                "neighbours",
                "See what one person's data can change",
                Scenario(
                    data=DataSpec(name="class_trip"),
                    epsilon=START,
                    k=1,
                    designs=(Design(mechanism="one_shot"),),
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="what_is_learnt_without_you",
    title="What is learnt without you",
    says="Ana was not asked. What does the survey reveal about her?",
    minutes=5,
    claims=(
        Claim("g of them change a chance up to e^(g·ε) times", _groups_pay),
        Claim("With more people, the survey shows them more surely.", _more_is_surer),
    ),
    able=(
        "which of two kinds of learning ε limits",
        "what the promise means for a family or a group",
        "whose data a promise has to name",
    ),
    proved="Facts about many: Dwork and Roth 2014, Section 1.1, where smoking causes cancer. Groups:"
    " Theorem 2.2 there.",
    build_steps=build_steps,
)

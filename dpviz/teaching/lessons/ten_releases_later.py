"""Ten releases later: their losses add up, so all lists share one budget.

Symbols: two dishes tie without her and she lifts the first by one; n weekly winners of the
exponential mechanism at ε each; Ben says “with her” where the winners are likelier with her.
Source: Dwork & Roth 2014, Theorem 3.14 (adding ε).
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores, percent_upper_bound
from dpviz.privacy.odds import guess_bound
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
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    Walkthrough,
)
from dpviz.teaching.lessons.lesson_helpers import (
    TRIP,
    SingleWinner,
    binomial,
    markdown_table,
    nearest_factor_index,
    percentage,
    two_outcome_law,
    winner_law,
)
from dpviz.teaching.plays import play_membership_guess

EPSILON = 0.5
WEEKS = (1.0, 5.0, 10.0, 20.0, 52.0)
LATER = 10
YEAR, MONTHS, TOTAL = 52, 12, 2.0  # lists of a year, and what all of them together may cost
DISHES = ("Pasta", "Soup")
WITHOUT, WITH = (
    SingleWinner(Scores([20 + more, 20], labels=DISHES, monotonic=True)) for more in (0, 1)
)
FACTORS = {
    1.0: "The same",
    4.0: "About four times as much",
    16.0: "About sixteen times",
    52.0: "52 times as much",
}


def _win_probabilities(epsilon: float) -> tuple[float, float]:
    """Chances that the first dish wins, with her and without."""
    return float(WITH.law(epsilon)[0]), float(WITHOUT.law(epsilon)[0])


def _evidence(epsilon: float, weeks: int) -> Floats:
    """Log-likelihood ratio for her, by the number of wins of the first dish."""
    with_her, without = _win_probabilities(epsilon)
    wins = np.arange(weeks + 1)
    return wins * math.log(with_her / without) + (weeks - wins) * math.log(
        (1 - with_her) / (1 - without)
    )


@cache
def correct_guess_probability(weeks: float, epsilon: float = EPSILON) -> float:
    """Chance that Ben, 50 % sure at first, is right after this number of weeks."""
    n = int(weeks)
    says_so = 0.5 * (1 + np.sign(_evidence(epsilon, n)))
    one, other = (binomial(n, p, n) for p in _win_probabilities(epsilon))
    return float((one @ says_so + other @ (1 - says_so)) / 2)


def draw_function(is_budget_shared: bool) -> Draw:
    """Sampler of Ben's guesses: her presence by a coin, the winners, what he says."""

    def draw(weeks: float, rng: Generator, size: int) -> Ints:
        n, epsilon = int(weeks), EPSILON / weeks if is_budget_shared else EPSILON
        evidence, in_it = _evidence(epsilon, n), rng.random(size) < 0.5
        without, with_her = (
            world.draw(epsilon, rng, size * n).reshape(size, n) for world in (WITHOUT, WITH)
        )
        wins = (np.where(in_it[:, None], with_her, without) == 0).sum(axis=1)
        said = np.where(evidence[wins] == 0, rng.random(size) < 0.5, evidence[wins] > 0)
        return np.asarray(said != in_it, np.int64)

    return draw


def result_sentence(weeks: float) -> str:
    lists = "1 list" if weeks == 1 else f"{weeks:g} lists"
    return (
        f"After {lists} of ε = {EPSILON:g} Ben is right in"
        f" {percentage(correct_guess_probability(weeks))} of cases. The added ε allows at most"
        f" {percent_upper_bound(guess_bound(weeks * EPSILON))} of 100. If all lists share one ε ="
        f" {EPSILON:g}, he is right in"
        f" {percentage(correct_guess_probability(weeks, EPSILON / weeks))}."
    )


def _apart(case: Case, times: int) -> float:
    """Chance that an attacker is right after this number of winners of a case, one or two."""
    laws = [winner_law(s, case.epsilon) for s in (case.scores_with_person, case.scores)]
    if times == 2:
        laws = [np.outer(law, law) for law in laws]
    return float(np.maximum(*laws).sum() / 2)


def play(rng: Generator) -> Walkthrough:
    in_it = bool(rng.random() < 0.5)
    winners = (WITH if in_it else WITHOUT).draw(EPSILON, rng, LATER)
    one, other = _win_probabilities(EPSILON)
    log_odds = (math.log(one / other), math.log((1 - one) / (1 - other)))
    return play_membership_guess(DISHES, in_it, winners, log_odds, rng)


def build_steps() -> tuple[Step, ...]:
    one, ten = correct_guess_probability(1), correct_guess_probability(LATER)
    return (
        Step(
            "tell",
            "A list a week",
            "A canteen publishes its favourite dish each week. It uses the exponential mechanism at"
            f" ε = {EPSILON:g}, with new noise each time. Without Ana, pasta and soup tie. Ana"
            " likes pasta, so with her pasta is one ahead.\n\nBen wants to know if Ana eats there."
            " At first he is 50 % sure. He reads the lists and says what they suggest. Pure"
            " guessing is right in half of all cases. With one list he is right in"
            f" {percentage(correct_guess_probability(1))}.",
            at_work=Demonstration("Ben reads ten lists", play),
        ),
        Step(
            "predict",
            "Ten weeks later",
            f"Ben has read {LATER} lists. Nothing has changed in the canteen, and each list had new"
            " noise.",
            question=MultipleChoice(
                text="How often is he right now?",
                choices=(
                    "As often as after one list, as each keeps its own ε",
                    "More often",
                    "Less often, as the noise of ten lists misleads him",
                ),
                answer=int(np.argmax([1e-6, ten - one, one - ten])),
                because=result_sentence(LATER),
                mistakes=(
                    f"Each list alone keeps its ε. {LATER} together keep {LATER * EPSILON:g}.",
                    "",
                    ("Over many lists the noise averages out. What remains shows her effect."),
                ),
            ),
        ),
        Step(
            "run",
            "A thousand readers of lists",
            "Each draw is one case in which Ben has read these lists. Is he right? Below it, all"
            " lists share one ε. At the end a mark shows the limit by added ε. Give him more"
            " weeks.",
            experiment=Experiment(
                name=f"ε = {EPSILON:g} each",
                outcomes=("Ben is right", "Ben is wrong"),
                law=lambda weeks: two_outcome_law(correct_guess_probability(weeks)),
                draw=draw_function(is_budget_shared=False),
                says=result_sentence,
                guess=GuessPrompt(f"In how many of 100 cases is Ben right after {LATER} lists?"),
                control=Control("weeks", "Lists that Ben has read", WEEKS, float(LATER)),
                beside=(
                    ComparedLaw(
                        "limit, by added ε",
                        lambda weeks: two_outcome_law(guess_bound(weeks * EPSILON)),
                    ),
                    ComparedLaw(
                        "one ε for all of them",
                        lambda weeks: two_outcome_law(
                            correct_guess_probability(weeks, EPSILON / weeks)
                        ),
                        draw_function(is_budget_shared=True),
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "A budget is for all of them",
            "New noise each week does not hide the same person again. Over many weeks the noise"
            " averages out. One more list never makes Ben's guess worse.\n\n"
            + markdown_table(
                ("Lists", "Ben is right", "At most, by added ε", "Right, if all share one ε"),
                [
                    (
                        f"{w:g}",
                        percentage(correct_guess_probability(w)),
                        f"{percent_upper_bound(guess_bound(w * EPSILON))} of 100",
                        percentage(correct_guess_probability(w, EPSILON / w)),
                    )
                    for w in WEEKS
                ],
            )
            + "\n\nSo **a budget is for all releases together**. You may always add the ε of all"
            f" lists. The true total is never more. The {YEAR} lists of a year add up to ε ="
            f" {YEAR * EPSILON:g}.\n\nIf all lists share one ε, the limit stays at"
            f" {percent_upper_bound(guess_bound(EPSILON))} of 100. It does not depend on the number"
            " of lists. But each list gets a smaller part of ε, and is right less often.\n\nWith a"
            " small leeway, the total is often below the sum. *The price of many releases* shows how to use this.",
            formula=Formula(
                r"\varepsilon_{\text{all}}\le\varepsilon_1+\varepsilon_2+\dots+\varepsilon_n",
                "The epsilon of all releases is at most the sum of their epsilons.",
            ),
            question=MultipleChoice(
                text=f"All lists of a year may cost ε = {TOTAL:g}. The canteen publishes {MONTHS}"
                f" lists a year instead of {YEAR}. How much ε may each list have now?",
                choices=tuple(FACTORS.values()),
                answer=nearest_factor_index(YEAR / MONTHS, FACTORS),
                because=f"Each of {MONTHS} lists may have ε = {TOTAL / MONTHS:.3f}, and each of {YEAR}"
                f" only {TOTAL / YEAR:.3f}. For the class trip's votes, a list is then right in"
                f" {percentage(winner_law(TRIP, TOTAL / MONTHS)[0])} of releases"
                f" instead of {percentage(winner_law(TRIP, TOTAL / YEAR)[0])}.",
                mistakes=tuple(
                    f"{MONTHS} lists of ε = {factor * TOTAL / YEAR:.3f} cost"
                    f" {MONTHS * factor * TOTAL / YEAR:.3g} together. They may cost {TOTAL:g}."
                    for factor in FACTORS
                ),
            ),
            way=PageLink(
                "decide",
                "Plan many releases, and see what they cost together",
                Scenario(
                    data=DataSpec(name="help_line"), epsilon=EPSILON, k=10, designs=(Design(),)
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="ten_releases_later",
    title="Ten lists later",
    says="A list every week, each with its own noise. What do they reveal together?",
    minutes=5,
    claims=(
        Claim(
            "One more list never makes Ben's guess worse.",
            lambda case: _apart(case, 2) >= _apart(case, 1) - SLACK,
        ),
        Claim(
            "You may always add the ε of all lists. The true total is never more.",
            lambda case: _apart(case, 2) <= guess_bound(2 * case.epsilon) + SLACK,
        ),
    ),
    able=(
        "what several releases reveal together",
        "what a budget is for",
        "how to share one budget among many lists",
    ),
    proved="Dwork and Roth 2014, Theorem 3.14.",
    build_steps=build_steps,
)

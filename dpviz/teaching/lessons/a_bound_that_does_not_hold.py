"""The price of many releases: the lists of a year, added or composed, by two mechanisms.

Symbols: two scores 0, 0 without a person and 1, −1 with her; a loss is the logarithm of how many
times as likely an answer is without her; losses of releases add up; the price asked is ρ = ε²/8 for
a release.
Source: Bun & Steinke 2016, Lemma 1.7 (ρ adds up); Cesar & Rogers 2021, Lemma 3.2 (ε²/8, bounded
range only); the counterexample and its figures are ours.
"""

import math
from bisect import bisect_right
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, NoiseName, Scores
from dpviz.privacy.composition import smallest_total
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import privacy_loss
from dpviz.privacy.privacy_conversions import zcdp_epsilon
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.lesson import (
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
    winner_law,
)
from dpviz.teaching.plays import play_growing_evidence
from dpviz.topk import OneShot

EXPONENTIAL: NoiseName = "gumbel"  # the noise that gives each of the two
FLIPPED: NoiseName = "exponential"
EPSILON = 0.2
MANY = (1.0, 10.0, 50.0, 100.0, 200.0)
START, DELTA = 50.0, 1e-6
YEAR, MONTHS, TOTAL = 52, 12, 2.0  # lists of a year, and what all of them together may cost
FACTORS = {1.0: "The same", 2.0: "About twice as much", 4.0: "About four times as much"}
WITHOUT, WITH = Scores([0.0, 0.0], labels=["A", "B"]), Scores([1.0, -1.0], labels=["A", "B"])
TIMES = (1.0, 2.0, 5.0, 20.0)  # how many times as likely without her, where one outcome ends
CLEARLY = TIMES[-1]


@cache
def single_release_loss(noise: NoiseName, epsilon: float = EPSILON) -> PrivacyLoss:
    """Loss of a winner drawn without her."""
    return privacy_loss(OneShot(epsilon=epsilon, k=1, noise=noise), WITHOUT, WITH)


def loss_range_width(noise: NoiseName, epsilon: float = EPSILON) -> float:
    """Width from the smallest loss to the largest: at most ε where ρ = ε²/8 holds."""
    values = single_release_loss(noise, epsilon).values
    return float(values[-1] - values[0])


@cache
def total_loss_values_and_chances(
    noise: NoiseName, releases: int, epsilon: float = EPSILON
) -> tuple[Floats, Floats]:
    """Values of the loss of `releases` releases, which are releases + 1, and the chance of each."""
    once = single_release_loss(noise, epsilon)
    low, high = once.values
    highs = np.arange(releases + 1)
    return highs * high + (releases - highs) * low, binomial(
        releases, float(once.mass[1]), releases
    )


def loss_outcome_indices(losses: Floats) -> Ints:
    """Outcome of each loss; sums equal to an edge but for rounding are on its lower side."""
    return np.searchsorted(np.log(TIMES) + 1e-9, losses).astype(np.int64)


@cache
def law(releases: float, noise: NoiseName = FLIPPED) -> Floats:
    """Chance of each outcome after this number of releases."""
    lost, share = total_loss_values_and_chances(noise, int(releases))
    return np.asarray(
        np.bincount(loss_outcome_indices(lost), weights=share, minlength=len(TIMES) + 1), np.float64
    )


def draw_function(noise: NoiseName) -> Draw:
    """Sampler of records of this number of winners, without her, by what they lose together."""

    def draw(many: float, rng: Generator, size: int) -> Ints:
        n = int(many)
        winners = SingleWinner(WITHOUT, noise).draw(EPSILON, rng, size * n).reshape(size, n)
        lost, _ = total_loss_values_and_chances(noise, n)
        return loss_outcome_indices(
            lost[(winners == 1).sum(axis=1)]
        )  # B speaks for the world without her

    return draw


def clear_evidence_probability(noise: NoiseName, releases: float = START) -> float:
    return float(law(releases, noise)[-1])


def claimed_epsilon() -> float:
    """Total of the releases at `DELTA`, were the low price right."""
    return zcdp_epsilon(START * EPSILON**2 / 8, DELTA)


def true_delta(noise: NoiseName = FLIPPED) -> float:
    """δ at `claimed_epsilon` of the releases on this pair."""
    total, share = total_loss_values_and_chances(noise, int(START))
    return float(share @ -np.expm1(np.minimum(claimed_epsilon() - total, 0.0)))


def _composed_total(noise: NoiseName, lists: int, epsilon: float) -> float:
    """Smallest ε of all lists together, at `DELTA`."""
    total = smallest_total([(OneShot(epsilon=epsilon, k=1, noise=noise), lists)], delta=DELTA)
    return math.inf if total is None else float(total.epsilon)


@cache
def per_list_epsilon_when_composed(noise: NoiseName, lists: int = YEAR) -> float:
    """Largest ε of each list, to a thousandth, that stays within the total where composed."""
    steps = range(1, 1000 * int(TOTAL))
    return bisect_right(steps, TOTAL, key=lambda n: _composed_total(noise, lists, n / 1000)) / 1000


def result_sentence(releases: float) -> str:
    flipped, exponential = (
        percentage(clear_evidence_probability(noise, releases)) for noise in (FLIPPED, EXPONENTIAL)
    )
    winners = "one winner" if releases == 1 else f"{releases:g} winners"
    return (
        f"{winners.capitalize()} of permute-and-flip {'is' if releases == 1 else 'are'} over"
        f" {CLEARLY:g} times as likely without her in {flipped} of cases. For the exponential"
        f" mechanism it is {exponential}."
    )


def _ratios(noise: NoiseName, case: Case) -> Floats:
    """Change of the logarithm of each chance with her."""
    one, other = (
        OneShot(epsilon=case.epsilon, k=1, noise=noise).distribution(scores)
        for scores in (case.scores, case.scores_with_person)
    )
    return np.array(
        [one.log_probability([i]) - other.log_probability([i]) for i in range(len(case.counts))]
    )


def is_loss_range_bounded(noise: NoiseName, case: Case) -> bool:
    """True where the losses of a pair of neighbours lie within a range of ε."""
    return float(np.ptp(_ratios(noise, case))) <= case.epsilon + 1e-6


def _never_above(case: Case) -> bool:
    lists = case.k * 7
    totals = (_composed_total(noise, lists, case.epsilon) for noise in (EXPONENTIAL, FLIPPED))
    return max(totals) <= lists * case.epsilon * (1 + 1e-9)


def play(rng: Generator) -> Walkthrough:
    winners = SingleWinner(WITHOUT, FLIPPED).draw(EPSILON, rng, int(START))
    low, high = single_release_loss(FLIPPED).values
    lost, _ = total_loss_values_and_chances(FLIPPED, int(START))
    return play_growing_evidence(
        ("A", "B"),
        winners,
        (low, high),
        lambda firsts: int(loss_outcome_indices(lost[[int(START) - firsts]])[0]),
    )


def build_steps() -> tuple[Step, ...]:
    exponential, flipped = (clear_evidence_probability(noise) for noise in (EXPONENTIAL, FLIPPED))
    year, months = (per_list_epsilon_when_composed(EXPONENTIAL, lists) for lists in (YEAR, MONTHS))
    named: tuple[tuple[NoiseName, str], ...] = (
        (EXPONENTIAL, "Exponential mechanism"),
        (FLIPPED, "Permute-and-flip"),
    )
    return (
        Step(
            "tell",
            "A record of winners",
            "The exponential mechanism and **permute-and-flip** both keep ε, and permute-and-flip"
            " misses less often. Is this free if we publish again and again?\n\nTake the smallest"
            " case. Two items, A and B, tie at 0. One person would lift A to 1 and lower B to −1."
            f" She is *not* in the data. Each week a winner is published, at ε = {EPSILON:g}. An"
            " attacker keeps a record of the winners. He asks how many times as likely it is"
            " without her as with her. An A is a small sign for her, a B is one against her. Each"
            " winner multiplies the number so far, so it goes up and down at random. The further it"
            " goes, the surer the attacker becomes.",
            at_work=Demonstration("A record grows", play),
        ),
        Step(
            "predict",
            "Fifty weeks",
            f"A record has {START:g} winners, at ε = {EPSILON:g} each. It is clear if it is over"
            f" {CLEARLY:g} times as likely without her as with her.",
            question=MultipleChoice(
                "Whose record is clear more often?",
                (
                    "Equally often, as both keep the same ε",
                    "That of the exponential mechanism",
                    "That of permute-and-flip",
                ),
                int(np.argmax([1e-9, exponential - flipped, flipped - exponential])),
                result_sentence(START),
                (
                    (
                        "ε is the longest step that is allowed. The true steps differ:"
                        f" {percentage(clear_evidence_probability(EXPONENTIAL))} of records are"
                        f" clear, and {percentage(clear_evidence_probability(FLIPPED))} for"
                        " permute-and-flip."
                    ),
                    (
                        "Its steps lie close together, and steps back undo the others. Its record"
                        f" is clear in {percentage(clear_evidence_probability(EXPONENTIAL))} of"
                        " cases."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "Keep records",
            "Each draw is a record of permute-and-flip. It shows how many times as likely the"
            " record is without her. Below it is the exponential mechanism. Begin with one winner,"
            " then let the record grow.",
            experiment=Experiment(
                name="permute-and-flip",
                outcomes=(
                    "a sign for her",
                    *(f"{a:g} to {b:g} times against her" for a, b in pairwise(TIMES)),
                    f"over {CLEARLY:g} times against her",
                ),
                law=law,
                draw=draw_function(FLIPPED),
                says=result_sentence,
                guess=GuessPrompt(
                    f"Permute-and-flip makes 100 records of {START:g} winners. How many are over"
                    f" {CLEARLY:g} times as likely without her?",
                    outcome=len(TIMES),
                ),
                control=Control("winners", "Winners in the record", MANY, START),
                beside=(
                    ComparedLaw(
                        "exponential mechanism",
                        lambda many: law(many, EXPONENTIAL),
                        draw_function(EXPONENTIAL),
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "How long the steps are",
            f"Both keep ε. No winner changes the number more than e^ε = {math.exp(EPSILON):.3f}"
            " times. But ε is only the longest step that is allowed. It does not say"
            " how long the true steps are.\n\n"
            + markdown_table(
                ("Mechanism", "B, against her", "A, for her", "Range", "Clear"),
                [
                    (
                        shown,
                        f"{math.exp(single_release_loss(noise).values[-1]):.3f} times",
                        f"{math.exp(-single_release_loss(noise).values[0]):.3f} times",
                        f"{loss_range_width(noise):.3f}",
                        percentage(clear_evidence_probability(noise)),
                    )
                    for noise, shown in named
                ],
            )
            + "\n\n(The *range* is the distance of the two on a logarithmic scale. There the longest"
            f" allowed step is ε = {EPSILON:g}. A record of {START:g} winners is *clear* if it is over"
            f" {CLEARLY:g} times as likely without her.)\n\nIn the urn of the exponential mechanism"
            " all chances share one total. If one winner takes a long step, the others take short"
            " ones. So all steps lie within a range of ε. Permute-and-flip takes its longest step for"
            " B, and a long step back for A.\n\nYou may always add the ε of all lists. But some steps"
            " are for her and others against her. **Composing** uses this, at a leeway of δ ="
            f" {DELTA:.6f}. Each release has a price ρ, and prices add up. Any release of ε costs at"
            " most ρ = ε²/2. If all steps lie within a range of ε, the low price **ρ = ε²/8** is"
            " proved. The composed total is never above the sum.\n\nHere"
            f" {YEAR} lists of a year may cost ε = {TOTAL:g} in all, by the cheapest way that is proved:\n\n"
            + markdown_table(
                ("Plan", "ε of each list", "Class trip: right"),
                [
                    (f"{shown}, {how}", f"{each:.3f}", percentage(winner_law(TRIP, each, noise)[0]))
                    for shown, noise, how, each in (
                        ("Permute-and-flip", FLIPPED, "added", TOTAL / YEAR),
                        (
                            "Permute-and-flip",
                            FLIPPED,
                            "composed",
                            per_list_epsilon_when_composed(FLIPPED),
                        ),
                        (
                            "Exponential mechanism",
                            EXPONENTIAL,
                            "composed",
                            per_list_epsilon_when_composed(EXPONENTIAL),
                        ),
                    )
                ],
            )
            + f"\n\nThe low price is wrong for permute-and-flip. At that price, {START:g}"
            f" releases need {true_delta() / DELTA:,.0f} times the leeway on this pair. For one"
            " release use permute-and-flip. For many, compare the totals.",
            formula=Formula(
                r"\rho=\frac{\varepsilon^2}{8}\ \text{where no two losses}\ \text{lie more than}\ \varepsilon\ "
                r"\text{apart},\qquad\rho=\frac{\varepsilon^2}{2}\ \text{always}",
                "If no two losses are more than epsilon apart, rho is epsilon squared over eight."
                " Epsilon squared over two is always enough.",
            ),
            question=MultipleChoice(
                f"All lists of a year may cost ε = {TOTAL:g}. The exponential mechanism makes"
                f" {MONTHS} lists instead of {YEAR}. Composed, how much ε may each list have now?",
                tuple(FACTORS.values()),
                nearest_factor_index(months / year, FACTORS),
                f"Each of {MONTHS} lists may have ε ="
                f" {per_list_epsilon_when_composed(EXPONENTIAL, MONTHS):g} instead of"
                f" {per_list_epsilon_when_composed(EXPONENTIAL):g}. Where ε is added, it could have"
                f" {YEAR / MONTHS:.1f} times as much. Composed totals grow more slowly than the"
                " number of lists.",
                tuple(
                    f"Composed, {MONTHS} lists of ε = {factor * year:.3f} cost"
                    f" {_composed_total(EXPONENTIAL, MONTHS, factor * year):.2f} together. They may"
                    f" cost {TOTAL:g}."
                    for factor in FACTORS
                ),
            ),
            way=PageLink(
                "neighbours",
                "See the privacy loss of permute-and-flip with and without her",
                Scenario(
                    data=DataSpec(name="class_trip"),
                    epsilon=2.0,
                    k=1,
                    designs=(Design(mechanism="one_shot", parameters={"noise": FLIPPED}),),
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="a_bound_that_does_not_hold",
    title="The price of many releases",
    says="What do all lists of a year cost? Does it matter which mechanism makes them?",
    minutes=9,
    claims=(
        Claim(
            "Both keep ε",
            lambda case: all(
                np.abs(_ratios(noise, case)).max() <= case.epsilon + 1e-6
                for noise in (FLIPPED, EXPONENTIAL)
            ),
        ),
        Claim(
            "So all steps lie within a range of ε.",
            lambda case: is_loss_range_bounded(EXPONENTIAL, case),
        ),
        Claim("The composed total is never above the sum.", _never_above),
    ),
    able=(
        "what many lists cost, added and composed",
        "what many releases of two mechanisms of the same ε reveal",
        "which price you may use for which of the two",
    ),
    proved="Adding up ρ: Bun & Steinke 2016, Lemma 1.7. For bounded range: Cesar & Rogers 2021, Lemma"
    " 3.2. The exact chances of two items show that permute-and-flip has none.",
    build_steps=build_steps,
)

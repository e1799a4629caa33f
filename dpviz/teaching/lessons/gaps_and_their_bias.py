"""The worth of gaps: they come free, and selection biases them.

Symbols: one favourite far ahead of n rivals that tie; b = the scale of the noise; D = the largest
of n noises less the favourite's own: the published lead is the true one − D. λ = 1, as ε is split
in half and the scores are counts.
Invariant: with one rival or two the formula for noise before selection is right; with more it
promises too much.
Source: Ding, Wang, Zhang & Kifer 2019, Theorem 3 and Section 5.3; that selection biases the gaps is
ours.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, Scores
from dpviz.gaps import NoisyTopKWithGap
from dpviz.gaps.gap_estimates import blue_variance_ratio
from dpviz.numerics.quadrature import log_integral
from dpviz.studies import DataSpec, Scenario
from dpviz.teaching.lesson import (
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
from dpviz.teaching.lessons.lesson_helpers import is_within_factor, markdown_table, percentage
from dpviz.teaching.plays import NoisySelection

EPSILON, K = 0.2, 2  # half of ε selects, half measures
FAVOURITE, RIVAL = 900.0, 100.0
LEAD = FAVOURITE - RIVAL
RIVALS = (2.0, 10.0, 100.0, 1000.0)
MANY = 1000
EDGES = (-100.0, -20.0, 20.0, 100.0)  # of the published lead less the true one
_FAR = 60.0  # noise scales: beyond lies less than e^-60 · n


def visitor_scores(rivals: float) -> Scores:
    return Scores([FAVOURITE] + [RIVAL] * int(rivals), monotonic=True)


def half_budget_mechanism(k: int = K) -> NoisyTopKWithGap:
    """Half of ε that selects; with k = 1 its first gap is that of k at k times the ε."""
    return NoisyTopKWithGap(epsilon=EPSILON / 2 * k / K, k=k)


def visitor_noise_scale() -> float:
    """b, in visitors: that of the selection and of the measurements alike."""
    return half_budget_mechanism().scale(visitor_scores(2))


@cache
def law(rivals: float) -> Floats:
    """Chances of the published lead, less the true one, between the `EDGES`."""
    scores, one = visitor_scores(rivals), half_budget_mechanism(1)
    above = [one.gap_survival(scores, 0, LEAD + edge) for edge in EDGES]
    return -np.diff([1.0, *above, 0.0])


def _stretch(leads: Floats | float) -> Ints:
    """Index of the stretch between the `EDGES` where each published lead lies."""
    return np.asarray(np.searchsorted(np.array(EDGES), leads - LEAD), np.int64)


def _first_gap(noisy: Floats) -> float:
    return float(np.diff(np.sort(noisy)[-2:])[0])


def draw(rivals: float, rng: Generator, size: int) -> Ints:
    """Releases of noisy top-k with gap: the stretch of the first gap."""
    scores, two = visitor_scores(rivals), half_budget_mechanism()
    return _stretch(np.array([two.release(scores, rng=rng).gaps[0] for _ in range(size)]))


@cache
def largest_noise_mean_and_square(rivals: float) -> tuple[float, float]:
    """Mean and mean square of the largest of n standard Laplace noises."""
    laplace, n = NOISES["laplace"], rivals

    def log_density(z: Floats) -> Floats:
        return np.asarray(math.log(n) + laplace.log_pdf(z) + (n - 1) * laplace.log_cdf(z))

    moments = []
    for power in (1, 2):

        def moment(z: Floats, power: int = power) -> Floats:
            return np.asarray(log_density(z) + power * np.log(np.abs(z)))

        up = math.exp(log_integral(moment, np.linspace(0.0, _FAR + math.log(n), 33)))
        down = math.exp(log_integral(moment, np.linspace(-_FAR, 0.0, 33)))
        moments.append(up - down if power == 1 else up + down)
    return moments[0], moments[1]


def mean_lead_shortfall(rivals: float) -> float:
    """Mean shortfall of the published lead, in visitors."""
    return largest_noise_mean_and_square(rivals)[0] * visitor_noise_scale()


def promised_variance_ratio() -> float:
    """Promised error of measurement and gap together, over that of the measurement alone."""
    return blue_variance_ratio(K, 1.0)


@cache
def true_ratio(rivals: float) -> float:
    """The same, true for the two items that were selected."""
    # For k = 2 and λ = 1 the errors are (3ξ1 + ξ2 − bD)/4 and (ξ1 + 3ξ2 + bD)/4 with measurement
    # noise ξ of variance 2b²; D has mean square E[largest²] + 2.
    return (10 + (largest_noise_mean_and_square(rivals)[1] + 2) / 2) / 16


def result_sentence(rivals: float) -> str:
    p = law(rivals)
    return (
        f"With {rivals:,.0f} rivals the published lead is {mean_lead_shortfall(rivals):.0f} too"
        f" small on average. It is more than 20 too small in {percentage(p[0] + p[1])} of releases."
        f" It is more than 20 too large in {percentage(p[3] + p[4])}."
    )


def _no_further_price(case: Case) -> bool:
    """ε holds for winner and gap together, however the gaps are cut into stretches."""
    made, cuts = NoisyTopKWithGap(epsilon=case.epsilon, k=1), np.linspace(0.0, 60.0, 7)

    def chances(scores: Scores) -> Floats:
        above = [[made.gap_survival(scores, item, gap) for gap in cuts] for item in range(scores.d)]
        return np.append(-np.diff(above, axis=1), np.asarray(above)[:, -1:], axis=1)

    return is_within_factor(
        chances(case.scores), chances(case.scores_with_person), math.exp(case.epsilon)
    )


def _luckier_of_more(case: Case) -> bool:
    fewer, more = (
        largest_noise_mean_and_square(float(n))[0]
        for n in (1 + case.k, 2 + case.k + max(case.counts))
    )
    return 0 < fewer < more


def _looks_too_small(case: Case) -> bool:
    """The published lead of a favourite over tied rivals is mostly too small."""
    rivals, lead = 1 + case.k, 200.0 / case.epsilon
    scores = Scores([max(case.counts) + lead] + [max(case.counts)] * rivals, monotonic=True)
    return NoisyTopKWithGap(epsilon=case.epsilon, k=1).gap_survival(scores, 0, lead) < 0.5


def draw_without_selection(rivals: float, rng: Generator, size: int) -> Ints:
    """Leads over a rival that was named beforehand."""
    del rivals  # the others are not looked at
    noise = rng.laplace(scale=visitor_noise_scale(), size=(size, 2))
    return _stretch(-np.diff(visitor_scores(1.0).values + noise)[:, 0])


def build_steps() -> tuple[Step, ...]:
    chances = law(MANY)
    small, large = chances[:2].sum(), chances[3:].sum()
    return (
        Step(
            "tell",
            "A lead that comes free",
            f"A city publishes its two most visited sights. Half of ε = {EPSILON:g} pays for this."
            " Every count gets noise, and the two largest noisy counts win. The distance of each"
            " winner from the next is its **gap**. It may be published at no extra price.\n\nOne"
            " sight leads with"
            f" {FAVOURITE:.0f} visitors. All its rivals have {RIVAL:.0f}. The true lead is"
            f" {LEAD:.0f}. The noise on a count is about {visitor_noise_scale():.0f} visitors,"
            " equally likely up or down.",
        ),
        Step(
            "predict",
            "A thousand rivals",
            f"The favourite leads by {LEAD:.0f}. Behind it {MANY:,} rivals tie. A release publishes"
            " the lead.",
            question=MultipleChoice(
                "Is the published lead too small or too large?",
                ("Mostly too small", "Equally often too small and too large", "Mostly too large"),
                int(np.searchsorted([0.5, 2.0], large / small)),
                result_sentence(MANY),
                (
                    "",
                    (
                        "Before the selection, noise is equally likely up or down. But the"
                        f" runner-up of {MANY:,} is chosen for its large noise."
                    ),
                    (
                        "This would be right if the winner were chosen for its noise. The favourite"
                        " needs no large noise to win, but its runner-up does."
                    ),
                ),
            ),
        ),
        Step(
            "run",
            "Publish leads",
            "Each release selects two sights and publishes the favourite's lead over the next."
            " Below it you see the lead over one rival that was fixed beforehand.",
            experiment=Experiment(
                name="published lead",
                outcomes=(
                    "over 100 too small",
                    "20 to 100 too small",
                    "right within 20",
                    "20 to 100 too large",
                    "over 100 too large",
                ),
                law=law,
                draw=draw,
                says=result_sentence,
                guess=GuessPrompt(
                    f"There are {MANY:,} rivals. How many of 100 published leads are right within"
                    f" {EDGES[2]:.0f}?",
                    outcome=2,
                ),
                control=Control(
                    "rivals",
                    "Rivals that tie for the second place",
                    RIVALS,
                    float(MANY),
                    tuple(f"{n:,.0f}" for n in RIVALS),
                ),
                beside=(
                    ComparedLaw("without selection", lambda _: law(1.0), draw_without_selection),
                ),
            ),
        ),
        Step(
            "explain",
            "The one with the largest noise",
            "The rival in second place is not just any rival. It is the one with the largest noise."
            f" The larger of two noises is {mean_lead_shortfall(2):.0f} above zero on average. The"
            f" largest of {MANY:,} is {mean_lead_shortfall(MANY):.0f} above. So the favourite's"
            " lead looks too small. If items tie, a lead appears that is not there.\n\nHow useful"
            " is a gap, then? Measure both winners with the other half of ε, and let the gap"
            " improve the measurements. A formula promises that the squared error falls to"
            f" {promised_variance_ratio():.2f} times its old size. It assumes the noise as it was"
            " **before** the selection:\n\n"
            + markdown_table(
                ("Rivals", "Lead too small by", "Promised error", "True error"),
                [
                    (
                        f"{n:,.0f}",
                        f"{mean_lead_shortfall(n):.0f}",
                        f"{promised_variance_ratio():.2f}",
                        f"{true_ratio(n):.2f}",
                    )
                    for n in RIVALS[:2]  # what more of them do is asked
                ],
            )
            + "\n\nWith two rivals the formula is right. With more it promises too"
            " much. A gap is safe to publish. As an estimate it needs its own check, by simulation on"
            " data like yours.",
            formula=Formula(
                r"\text{gap}=(x_1+z_1)-\max_{i>1}\,(x_i+z_i)",
                "The gap is the first noisy count less the largest other noisy count.",
            ),
            at_work=Demonstration(
                "One lead is published",
                NoisySelection(
                    ("The favourite", *(f"Rival {n}" for n in range(1, MANY + 1))),
                    visitor_scores(MANY).values,
                    "laplace",
                    1 / visitor_noise_scale(),
                    f"The favourite and some of its {MANY:,} rivals, with their visitors.",
                    lambda _, noisy: int(_stretch(_first_gap(noisy))),
                    K,
                    end=lambda _, noisy: (
                        f"The first is {_first_gap(noisy):,.0f} above the second. This lead is"
                        " published."
                    ),
                ).play,
            ),
            question=MultipleChoice(
                f"There are {MANY:,} rivals, and the gap corrects the measurements. What happens to"
                " the squared error?",
                (
                    "It falls, as the formula says",
                    "It falls, but by less than the formula says",
                    "It grows, so the gap makes it worse",
                ),
                int(np.searchsorted([promised_variance_ratio() + 1e-9, 1], true_ratio(MANY))),
                f"The formula says {promised_variance_ratio():.2f} for any number of rivals. With"
                f" {MANY:,} of them, the true error is {true_ratio(MANY):.2f} times that of the"
                " measurements alone. The runner-up was chosen for its large noise. The gap carries"
                " this noise into the estimate of the runner-up. On average that estimate is"
                f" {mean_lead_shortfall(MANY) / 4:.0f} visitors too high.",
                (
                    (
                        "The formula needs noise as it was before the selection, but these two were"
                        f" selected. It promises {promised_variance_ratio():.2f}, and"
                        f" {true_ratio(MANY):.2f} is true."
                    ),
                    (
                        "More information can make a result worse if nobody corrects its bias."
                        f" {true_ratio(MANY):.2f} is more than 1."
                    ),
                    "",
                ),
            ),
            way=PageLink(
                "gaps",
                "Compare the formula with simulation on 60 services",
                Scenario(
                    data=DataSpec(name="help_line"), epsilon=0.2, k=5, page={"gaps.half": "top_k"}
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="gaps_and_their_bias",
    title="What gaps are worth",
    says="How far ahead is the winner? The choice reveals this at no extra price. How reliable is"
    " it?",
    minutes=8,
    claims=(
        Claim("may be published at no extra price", _no_further_price),
        Claim("It is the one with the largest noise.", _luckier_of_more),
        Claim("So the favourite's lead looks too small", _looks_too_small),
    ),
    able=(
        "why a gap may be published at no extra price",
        "how selection changes a gap, and how the number of rivals matters",
        "when a formula for noise before selection is right",
    ),
    proved="Ding, Wang, Zhang & Kifer 2019, Theorem 3, for noise before selection. The true errors are"
    " integrals over the largest of n Laplace variables.",
    build_steps=build_steps,
)

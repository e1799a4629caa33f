"""The price of many releases: two mechanisms of the same ε, and what fifty releases of each tell
together.

Symbols: two scores 0, 0 without a person and 1, −1 with her; a loss is by how much an answer speaks
for the world without her, as a logarithm; losses of releases add up; the price asked is ρ = ε²/8
for a release.
Source: Cesar & Rogers 2021, Lemma 3.2 (ε²/8, bounded range only); the counterexample and its
figures are ours.
"""

import math
from functools import cache, partial
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, NoiseName, Scores, rounded_up
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import privacy_loss
from dpviz.privacy.privacy_conversions import zcdp_epsilon, zcdp_of_pure
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.activities import AtWork, Formula, Guess, Play
from dpviz.teaching.lesson import Control, Experiment, Lesson, MultipleChoice, PageLink, Step, add
from dpviz.teaching.lesson_claims import Case, Claim
from dpviz.teaching.lessons.lesson_helpers import binomial, percent, table
from dpviz.teaching.plays import speaks
from dpviz.topk import OneShot

EXPONENTIAL: NoiseName = "gumbel"  # the noise that gives each of the two
FLIPPED: NoiseName = "exponential"
EPSILON = 0.2
MANY = (1.0, 10.0, 50.0, 100.0, 200.0)
START, DELTA = 50.0, 1e-6
WITHOUT, WITH = Scores([0.0, 0.0], labels=["A", "B"]), Scores([1.0, -1.0], labels=["A", "B"])
TIMES = (1.0, 2.0, 5.0, 20.0)  # how many times as likely without her, where one outcome ends
CLEARLY = TIMES[-1]


def made(noise: NoiseName, epsilon: float = EPSILON) -> OneShot:
    """Either mechanism."""
    return OneShot(epsilon=epsilon, k=1, noise=noise)


@cache
def loss(noise: NoiseName, epsilon: float = EPSILON) -> PrivacyLoss:
    """The loss of a winner drawn without her."""
    return privacy_loss(made(noise, epsilon), WITHOUT, WITH)


def reach(noise: NoiseName, epsilon: float = EPSILON) -> float:
    """From the smallest loss to the largest: at most ε where ρ = ε²/8 holds."""
    values = loss(noise, epsilon).values
    return float(values[-1] - values[0])


@cache
def together(noise: NoiseName, many: int, epsilon: float = EPSILON) -> tuple[Floats, Floats]:
    """What so many releases lose, which takes many + 1 values, and the chance of each."""
    once = loss(noise, epsilon)
    low, high = once.values
    highs = np.arange(many + 1)
    return highs * high + (many - highs) * low, binomial(many, float(once.mass[1]), many)


def outcome(lost: Floats) -> Ints:
    """Which of the outcomes a loss is; sums that are one of the ends but for rounding are on its
    lower side.
    """
    return np.searchsorted(np.log(TIMES) + 1e-9, lost).astype(np.int64)


@cache
def law(many: float, noise: NoiseName = FLIPPED) -> Floats:
    """The chance of each outcome after so many releases."""
    lost, share = together(noise, int(many))
    return np.asarray(
        np.bincount(outcome(lost), weights=share, minlength=len(TIMES) + 1), np.float64
    )


def exponential_law(many: float) -> Floats:
    """The same with the exponential mechanism."""
    return law(many, EXPONENTIAL)


def draw(many: float, rng: Generator, size: int) -> Ints:
    """So many winners of permute-and-flip each time, without her, and what they lose together."""
    return _recorded(FLIPPED, many, rng, size)


def _recorded(noise: NoiseName, many: float, rng: Generator, size: int) -> Ints:
    n = int(many)
    winners = made(noise).sample(WITHOUT, size * n, rng=rng)[:, 0].reshape(size, n)
    lost, _ = together(noise, n)
    return outcome(lost[(winners == 1).sum(axis=1)])  # B speaks for the world without her


def clearly(noise: NoiseName, many: float = START) -> float:
    """How often so many releases speak clearly."""
    return float(law(many, noise)[-1])


def claimed_epsilon() -> float:
    """The total of the releases at `DELTA`, were the low price right."""
    return zcdp_epsilon(START * EPSILON**2 / 8, DELTA)


def right_epsilon() -> float:
    """Their total by the price that every ε-DP release has, ρ = ε²/2."""
    return min(START * EPSILON, zcdp_epsilon(START * zcdp_of_pure(EPSILON), DELTA))


def true_delta(noise: NoiseName = FLIPPED) -> float:
    """δ at `claimed_epsilon` of the releases on this pair."""
    total, share = together(noise, int(START))
    return float(share @ -np.expm1(np.minimum(claimed_epsilon() - total, 0.0)))


def chance_above() -> float:
    """The chance that all of them together lose more than `claimed_epsilon` on this pair."""
    total, share = together(FLIPPED, int(START))
    return float(share[total > claimed_epsilon()].sum())


def says(many: float) -> str:
    """How often the record speaks clearly, with both."""
    flipped, exponential = (percent(clearly(noise, many)) for noise in (FLIPPED, EXPONENTIAL))
    winners = "one winner" if many == 1 else f"{many:g} winners"
    return (
        f"{winners.capitalize()} of permute-and-flip {'is' if many == 1 else 'are'} over"
        f" {CLEARLY:g} times as likely without her in {flipped} of cases; of the exponential"
        f" mechanism in {exponential}."
    )


def story() -> str:
    """Two mechanisms and one spy."""
    return (
        "The exponential mechanism and **permute-and-flip** both keep ε, and permute-and-flip"
        " misses less often. Does that come free when one publishes again and again?\n\nTake the"
        " smallest case. Two items, A and B, tie at 0; one person lifts A to 1 and lowers B to −1."
        f" She is *not* in the data. Each week a winner comes out, at ε = {EPSILON:g}. A spy keeps"
        " a record, and asks how many times as likely it is without her as with her: A speaks a"
        " little for her, B against. A winner multiplies the number so far, so luck carries it up"
        " and down. The further it is carried, the surer the spy becomes."
    )


def why() -> str:
    """The explanation, with figures."""
    named: tuple[tuple[NoiseName, str], ...] = (
        (EXPONENTIAL, "Exponential mechanism"),
        (FLIPPED, "Permute-and-flip"),
    )
    rows = [
        (
            shown,
            f"{math.exp(loss(noise).values[-1]):.3f} times",
            f"{math.exp(-loss(noise).values[0]):.3f} times",
            f"{reach(noise):.3f}",
            percent(clearly(noise)),
        )
        for noise, shown in named
    ]
    heads = (
        "Mechanism",
        "B speaks against her",
        "A speaks for her",
        "From the one to the other",
        "Clear",
    )
    return (
        f"Both keep ε: no winner speaks more than e^ε = {math.exp(EPSILON):.3f} times either way."
        " But ε is the longest step; it does not tell how long the other steps are.\n\n"
        + table(heads, rows)
        + "\n\n(*From the one to the other* is on the scale on which factors add up, by"
        f" logarithms, where the longest step that is allowed is ε = {EPSILON:g}; *clear* is a"
        f" record of {START:g} winners that is over {CLEARLY:g} times as likely without her.) In"
        " the urn of the exponential mechanism all chances share one total, so that where one"
        " answer takes a long step the others take short ones: all steps lie within a stretch of"
        " ε. Permute-and-flip takes its longest step for B and a long one back for A.\n\nFor"
        " mechanisms whose steps lie within such a stretch (**bounded range**) a low price for"
        " many releases is proved, **ρ = ε²/8** each, and prices add up. Any other release of ε"
        f" costs up to ρ = ε²/2. By the low price {START:g} releases would keep ε ="
        f" {rounded_up(claimed_epsilon(), 3):g} with a leeway of δ = {DELTA:.6f}. With"
        f" permute-and-flip the leeway on this pair is {true_delta():.3g},"
        f" {true_delta() / DELTA:,.0f} times as large, and more than that ε is told even more"
        f" often, once in {1 / chance_above():,.0f} times. The price of any release gives ε ="
        f" {rounded_up(right_epsilon(), 3):g}.\n\nFor one release take permute-and-flip; for many"
        " look at the total."
    )


def _tells_more() -> int:
    """Whose record of many releases speaks clearly more often."""
    exponential, flipped = clearly(EXPONENTIAL), clearly(FLIPPED)
    return 0 if abs(exponential - flipped) < 1e-9 else 1 if exponential > flipped else 2


def _which() -> int:
    first, second = (reach(noise) <= EPSILON + 1e-9 for noise in (EXPONENTIAL, FLIPPED))
    return {(True, False): 0, (False, True): 1, (True, True): 2}[first, second]


def _ratios(noise: NoiseName, case: Case) -> Floats:
    """By how much the logarithm of each chance moves with her."""
    one, other = (
        made(noise, case.epsilon).distribution(scores) for scores in (case.scores, case.with_her)
    )
    return np.array(
        [one.log_probability([i]) - other.log_probability([i]) for i in range(len(case.counts))]
    )


def _keeps_epsilon(case: Case) -> bool:
    return all(
        np.abs(_ratios(noise, case)).max() <= case.epsilon + 1e-6
        for noise in (FLIPPED, EXPONENTIAL)
    )


def bounded(noise: NoiseName, case: Case) -> bool:
    """Whether the losses of a pair of neighbours lie within a stretch of ε."""
    return float(np.ptp(_ratios(noise, case))) <= case.epsilon + 1e-6


def draw_exponential(many: float, rng: Generator, size: int) -> Ints:
    """The same of the exponential mechanism."""
    return _recorded(EXPONENTIAL, many, rng, size)


def play(rng: Generator) -> Play:
    """One record of permute-and-flip, without her."""
    winners = made(FLIPPED).sample(WITHOUT, int(START), rng=rng)[:, 0]
    low, high = loss(FLIPPED).values
    lost, _ = together(FLIPPED, int(START))
    return speaks(
        ("A", "B"),
        winners,
        (low, high),
        lambda firsts: int(outcome(lost[[int(START) - firsts]])[0]),
    )


FORMULA = Formula(
    r"\rho=\frac{\varepsilon^2}{8}\ \text{where no two losses}\ \text{lie more than}\ \varepsilon\ "
    r"\text{apart},\qquad\rho=\frac{\varepsilon^2}{2}\ \text{always}",
    "Rho is epsilon squared over eight where no two losses lie more than epsilon apart, and "
    "epsilon squared over two always.",
)
CLAIMS = (
    Claim("Both keep ε", _keeps_epsilon),
    Claim("all steps lie within a stretch of ε", partial(bounded, EXPONENTIAL)),
)

add(
    Lesson(
        key="a_bound_that_does_not_hold",
        title="The price of many releases",
        says=(
            "Two mechanisms keep the same ε. Do they cost the same when many releases are added up?"
        ),
        minutes=7,
        claims=CLAIMS,
        able=(
            "what many releases of two mechanisms of the same ε tell",
            "what bounded range is, and what it is good for",
            "which price may be added up for which of the two",
        ),
        proved=(
            "Cesar & Rogers 2021, Lemma 3.2, for bounded range; that permute-and-flip has none is"
            " shown by the exact chances of two items."
        ),
        steps=(
            Step("tell", "A record of winners", story, at_work=AtWork("A record grows", play)),
            Step(
                "predict",
                "Fifty weeks",
                lambda: (
                    f"A record of {START:g} winners, at ε = {EPSILON:g} each. Call it clear where"
                    f" it is over {CLEARLY:g} times as likely without her as with her."
                ),
                question=MultipleChoice(
                    "Whose record is clear more often?",
                    (
                        "Equally often: both keep the same ε",
                        "That of the exponential mechanism",
                        "That of permute-and-flip",
                    ),
                    _tells_more,
                    lambda: says(START),
                    lambda: (
                        (
                            "ε is the longest step that one winner may take. How far the others go"
                            f" is not the same: {percent(clearly(EXPONENTIAL))} against"
                            f" {percent(clearly(FLIPPED))}."
                        ),
                        (
                            "Its steps lie close together, and those that go back undo the others:"
                            f" it is clear in {percent(clearly(EXPONENTIAL))} of cases only."
                        ),
                        "",
                    ),
                ),
            ),
            Step(
                "run",
                "Keep records",
                lambda: (
                    "Each draw is a record of permute-and-flip, and how many times as likely it is"
                    " without her. Below it: the exponential mechanism. Begin with one winner, then"
                    " let the record grow."
                ),
                experiment=Experiment(
                    name="permute-and-flip",
                    outcomes=(
                        "speaks for her",
                        *(f"{a:g} to {b:g} times against her" for a, b in pairwise(TIMES)),
                        f"over {CLEARLY:g} times against her",
                    ),
                    law=law,
                    draw=draw,
                    says=says,
                    draws_beside=(("exponential mechanism", draw_exponential),),
                    guess=Guess(
                        f"How many of 100 records of {START:g} winners of permute-and-flip are "
                        f"over {CLEARLY:g} times as likely without her?",
                        outcome=len(TIMES),
                    ),
                    control=Control("winners", "Winners in the record", MANY, START),
                    beside=(("exponential mechanism", exponential_law),),
                ),
            ),
            Step(
                "explain",
                "How long the steps are",
                why,
                formula=FORMULA,
                question=MultipleChoice(
                    "To which of the two does ρ = ε²/8 belong?",
                    ("The exponential mechanism only", "Permute-and-flip only", "Both"),
                    _which,
                    lambda: (
                        f"At ε = {EPSILON:g} its steps lie within {reach(EXPONENTIAL):.3f} of each"
                        f" other, those of permute-and-flip within {reach(FLIPPED):.3f}, and the"
                        f" price is proved for {EPSILON:g}."
                    ),
                    lambda: (
                        "",
                        (
                            "To miss less often is not to be cheaper: its steps reach over "
                            f"{reach(FLIPPED) / EPSILON:.2f}ε, and the proof needs them within ε."
                        ),
                        (
                            f"ρ does not follow from ε alone: with permute-and-flip {START:g}"
                            " releases pass the total that this price gives once in"
                            f" {1 / chance_above():,.0f} times."
                        ),
                    ),
                ),
                way=PageLink(
                    "neighbours",
                    "See the privacy loss of permute-and-flip between two worlds",
                    Scenario(
                        data=DataSpec(name="class_trip"),
                        epsilon=2.0,
                        k=1,
                        designs=(Design(mechanism="one_shot", parameters={"noise": FLIPPED}),),
                    ),
                ),
            ),
        ),
    )
)

"""A bound that does not hold: permute-and-flip is no exponential mechanism, and has no ρ = ε²/8.

Symbols: two scores 0, 0 without a person and 1, −1 with her; L = the privacy loss; D2 = its Rényi divergence of
order 2, which ρ-zCDP holds at or below 2ρ; the price asked is ρ = ε²/8 for a release.
Source: Cesar & Rogers 2021, Lemma 3.2 (ε²/8, bounded range only); the counterexample and its figures are ours.
"""

import math
from functools import cache, partial

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, NoiseName, Scores
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss
from dpviz.privacy.prices import zcdp_epsilon, zcdp_of_pure
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.claims import Case, Claim
from dpviz.teaching.lesson import Control, Experiment, Lesson, MultipleChoice, PageLink, Step, add
from dpviz.teaching.lessons.shared import percent, table
from dpviz.topk import OneShot

EXPONENTIAL: NoiseName = "gumbel"  # the noise that gives each of the two
FLIPPED: NoiseName = "exponential"
EPSILONS = (0.5, 1.0, 2.0, 3.0)
START = 2.0
RELEASES, SMALL, DELTA = 50, 0.2, 1e-6  # many small releases
WITHOUT, WITH = Scores([0.0, 0.0], labels=["A", "B"]), Scores([1.0, -1.0], labels=["A", "B"])


def made(noise: NoiseName, epsilon: float) -> OneShot:
    """Either mechanism."""
    return OneShot(epsilon=epsilon, k=1, noise=noise)


@cache
def law(epsilon: float, noise: NoiseName = FLIPPED) -> Floats:
    """The chances of A and B with her in the data."""
    return made(noise, epsilon).distribution(WITH).inclusion


def exponential_law(epsilon: float) -> Floats:
    """The same with the exponential mechanism."""
    return law(epsilon, EXPONENTIAL)


@cache
def without_her(epsilon: float) -> Floats:
    """The chances of A and B without her."""
    return made(FLIPPED, epsilon).distribution(WITHOUT).inclusion


def draw(epsilon: float, rng: Generator, size: int) -> Ints:
    """Winners of permute-and-flip, with her in the data."""
    return made(FLIPPED, epsilon).sample(WITH, size, rng=rng)[:, 0].astype(np.int64)


@cache
def loss(noise: NoiseName, epsilon: float) -> PrivacyLoss:
    """The loss of a winner drawn without her."""
    return privacy_loss(made(noise, epsilon), WITHOUT, WITH)


def reach(noise: NoiseName, epsilon: float) -> float:
    """From the smallest loss to the largest: at most ε where ρ = ε²/8 holds."""
    values = loss(noise, epsilon).values
    return float(values[-1] - values[0])


def divergence(noise: NoiseName, epsilon: float) -> float:
    """D2, the Rényi divergence of order 2."""
    return loss(noise, epsilon).renyi(2)


def claimed(epsilon: float) -> float:
    """What ρ = ε²/8 allows D2 to be: 2ρ."""
    return 2 * epsilon**2 / 8


def claimed_epsilon() -> float:
    """The total of the many small releases at `DELTA`, were the price right."""
    return zcdp_epsilon(RELEASES * SMALL**2 / 8, DELTA)


def right_epsilon() -> float:
    """Their total by the price that every ε-DP release has, ρ = ε²/2."""
    return min(RELEASES * SMALL, zcdp_epsilon(RELEASES * zcdp_of_pure(SMALL), DELTA))


def true_delta() -> float:
    """δ at `claimed_epsilon` of the many releases on this pair."""
    total, share = _many_losses()
    return float(share @ -np.expm1(np.minimum(claimed_epsilon() - total, 0.0)))


def chance_above() -> float:
    """The chance that all of them together lose more than `claimed_epsilon` on this pair."""
    total, share = _many_losses()
    return float(share[total > claimed_epsilon()].sum())


@cache
def _many_losses() -> tuple[Floats, Floats]:
    """The losses of the many releases, which add up and take RELEASES + 1 values, and the chance of each."""
    once = loss(FLIPPED, SMALL)
    low, high = once.values
    n, many = RELEASES, np.arange(RELEASES + 1)
    share = np.array([math.comb(n, int(i)) for i in many]) * once.mass[1] ** many * once.mass[0] ** (n - many)
    return many * high + (n - many) * low, share


def says(epsilon: float) -> str:
    """Both chances of B at a setting, and the divergence against the bound."""
    b, other = float(law(epsilon)[1]), float(exponential_law(epsilon)[1])
    return (
        f"At ε = {epsilon:g}, B wins in {percent(b)} of releases; with the exponential mechanism in {percent(other)}. "
        f"The divergence from the world without her is {divergence(FLIPPED, epsilon):.4f}, the bound says at most "
        f"{claimed(epsilon):g}."
    )


def story() -> str:
    """What the bound says, and whose it is."""
    return (
        "Who makes many releases adds up their prices. Adding ε is simple and dear. The price **ρ** adds up more "
        "gently: losses above the average are made up for by losses below it.\n\n"
        "For the exponential mechanism it is proved that ρ = ε²/8, four times below what any release of ε costs. "
        "**Permute-and-flip** keeps the same ε and misses less often. May it have "
        "the same price?\n\n"
        "We try it on the smallest case. Two items, A and B, tie at 0; one person lifts A to 1 and lowers B to −1. A "
        "price ρ = ε²/8 says that the worlds differ little in one more measure, the **Rényi divergence** of order 2: "
        "of each answer divide its chance in the first world by that in the second; take the mean of these ratios, "
        "each as often as its answer comes in the first world; take the logarithm. It is 0 where the worlds are "
        f"alike, and the price allows at most 2ρ = ε²/4, which is {claimed(START):g} at ε = {START:g}."
    )


def why() -> str:
    """The explanation, with figures."""
    rows = [
        (
            f"{epsilon:g}",
            f"{claimed(epsilon):.4f}",
            f"{divergence(EXPONENTIAL, epsilon):.4f}",
            f"{divergence(FLIPPED, epsilon):.4f}",
            f"{reach(FLIPPED, epsilon) / epsilon:.2f}ε",
        )
        for epsilon in EPSILONS
    ]
    low, high = loss(FLIPPED, START).values
    return (
        "Without her each wins half of the time. With her, B wins only if it is looked at first and its coin, of "
        f"chance e^−ε, shows heads: half of {math.exp(-START):.3f} at ε = {START:g}. So B is exactly e^ε times less "
        f"likely, a loss of {high:.3f}, while A gains {-low:.3f}. Both keep ε. But from the one to the other it is "
        f"{high - low:.3f}, more than ε = {START:g}.\n\n"
        "The proof of ε²/8 needs just that: that all losses lie within a stretch of ε (**bounded range**). The "
        "exponential mechanism has it, as its chances always share one total. Permute-and-flip has not.\n\n"
        + table(("ε", "Bound ε²/4", "Exponential mechanism", "Permute-and-flip", "Its losses reach over"), rows)
        + f"\n\nIt matters. Let {RELEASES} releases of ε = {SMALL:g} be added up: by the wrong price they keep ε = "
        f"{claimed_epsilon():.2f} with a leeway of δ = {DELTA:.6f}. On this pair δ is exactly "
        f"{true_delta():.3g}, {true_delta() / DELTA:,.0f} times as large, and a loss above that ε comes out even "
        f"more often, once in {1 / chance_above():,.0f} times. The price that holds for every release, ρ = ε²/2, gives "
        f"ε = {right_epsilon():.2f}."
    )


def _which() -> int:
    first, second = (divergence(noise, START) <= claimed(START) for noise in (EXPONENTIAL, FLIPPED))
    return {(True, False): 0, (False, True): 1, (True, True): 2}[first, second]


def _ratios(noise: NoiseName, case: Case) -> Floats:
    """By how much the logarithm of each chance moves with her."""
    one, other = (made(noise, case.epsilon).distribution(scores) for scores in (case.scores, case.with_her))
    return np.array([one.log_probability([i]) - other.log_probability([i]) for i in range(len(case.counts))])


def _keeps_epsilon(case: Case) -> bool:
    return all(np.abs(_ratios(noise, case)).max() <= case.epsilon + 1e-6 for noise in (FLIPPED, EXPONENTIAL))


def bounded(noise: NoiseName, case: Case) -> bool:
    """Whether the losses of a pair of neighbours lie within a stretch of ε."""
    return float(np.ptp(_ratios(noise, case))) <= case.epsilon + 1e-6


CLAIMS = (
    Claim("Both keep ε.", _keeps_epsilon),
    Claim("The exponential mechanism has it", partial(bounded, EXPONENTIAL)),
)

add(
    Lesson(
        key="a_bound_that_does_not_hold",
        title="The price of many releases",
        says="Two mechanisms keep the same ε. Do they cost the same when many releases are added up?",
        minutes=8,
        claims=CLAIMS,
        able=(
            "what bounded range is, and what it is good for",
            "how one pair of neighbours and exact chances test a privacy bound",
            "which price may be added up for permute-and-flip",
        ),
        proved="Cesar & Rogers 2021, Lemma 3.2, for bounded range; that permute-and-flip fails it is shown by the "
        "exact chances of two items.",
        steps=(
            Step("tell", "A price for many releases", story),
            Step(
                "predict",
                "The smallest case",
                lambda: (
                    f"Two items, scores 0 and 0 without her, 1 and −1 with her; permute-and-flip at ε = {START:g}. "
                    f"The bound asks for a divergence of at most {claimed(START):g}."
                ),
                question=MultipleChoice(
                    "Does the bound hold?",
                    ("It holds: both mechanisms keep the same ε", "It does not hold"),
                    lambda: 0 if divergence(FLIPPED, START) <= claimed(START) else 1,
                    lambda: says(START),
                    lambda: ("ρ does not follow from ε alone: it depends on how the losses spread below ε.", ""),
                ),
            ),
            Step(
                "run",
                "Let B win",
                lambda: "Each release is one winner of permute-and-flip, with her in the data. See how often B wins.",
                experiment=Experiment(
                    name="permute-and-flip",
                    outcomes=("A wins", "B wins"),
                    law=law,
                    draw=draw,
                    says=says,
                    control=Control("epsilon", "Privacy budget ε", EPSILONS, START),
                    beside=(("exponential mechanism", exponential_law), ("without her", without_her)),
                ),
            ),
            Step(
                "explain",
                "Where the proof breaks",
                why,
                question=MultipleChoice(
                    "To which of the two does ρ = ε²/8 belong?",
                    ("The exponential mechanism only", "Permute-and-flip only", "Both"),
                    _which,
                    lambda: (
                        f"At ε = {START:g} its losses reach over {reach(EXPONENTIAL, START):.2f}, exactly ε, and its "
                        f"divergence is {divergence(EXPONENTIAL, START):.4f}, below {claimed(START):g}. Those of "
                        f"permute-and-flip reach over {reach(FLIPPED, START):.2f}, and its divergence is "
                        f"{divergence(FLIPPED, START):.4f}."
                    ),
                    lambda: (
                        "",
                        (
                            "To miss less often is not to be cheaper: its losses reach over "
                            f"{reach(FLIPPED, START) / START:.2f}ε, and the proof needs them within ε."
                        ),
                        (
                            f"ρ does not follow from ε alone: at ε = {START:g} permute-and-flip has a divergence of "
                            f"{divergence(FLIPPED, START):.4f}, and ρ = ε²/8 allows {claimed(START):g}."
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

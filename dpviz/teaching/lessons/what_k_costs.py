"""What k costs: peeling and one-shot pay for every name, canonical pays once for the list.

Source: Shekelyan & Loukides 2022, Alg 2, Thm 3.5; that peeling with Gumbel noise is one-shot: Durfee & Rogers 2019.
"""

import math
from functools import cache

from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.data import EXAMPLES
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.lesson import Control, Experiment, Lesson, MultipleChoice, PageLink, Step, add
from dpviz.teaching.lessons.shared import BY_MISSES, by_misses, missed, percent, table
from dpviz.topk import TOP_K, TopKMechanism, smallest_epsilon

CALLS: Scores = EXAMPLES["help_line"].scores()
EPSILON = 1.0
LENGTHS = (2.0, 5.0, 10.0, 20.0)
START = 10
NAMES = {"peeling": "peeling", "one_shot": "one-shot", "canonical": "canonical"}
FACTORS = {1: "About the same", 2: "About twice as much", 5: "About five times as much", 10: "About ten times as much"}


def mechanism(name: str, k: float) -> TopKMechanism:
    """One of the three, at the ε of the lesson."""
    more = {"noise": "exponential"} if name == "one_shot" else {}
    return TOP_K[name](epsilon=EPSILON, k=int(k), **more)


@cache
def hits(name: str, k: float) -> Floats:
    """The chance that so many of the k names belong to the true top k."""
    return mechanism(name, k).distribution(CALLS).hits


def all_right(name: str, k: float) -> float:
    """The chance that all of them do."""
    return float(hits(name, k)[-1])


def draw(k: float, rng: Generator, size: int) -> Ints:
    """How many names are wrong in releases of peeling."""
    return missed(mechanism("peeling", k).sample(CALLS, size, rng=rng), CALLS)


def says(k: float) -> str:
    """How often all names are right, by mechanism."""
    peeling, one_shot, canonical = (percent(all_right(name, k)) for name in NAMES)
    return (
        f"With {k:g} names at ε = {EPSILON:g}, all are right in {peeling} of releases of peeling, in {one_shot} of "
        f"one-shot and in {canonical} of canonical."
    )


def apart(k: float) -> float:
    """How many callers lie between the last name that belongs to the top k and the first that does not."""
    ranked = CALLS.values[CALLS.order]
    return float(ranked[int(k) - 1] - ranked[int(k)])


@cache
def needed() -> float:
    """The ε at which peeling is as often all right as canonical is at the ε of the lesson."""
    goal = all_right("canonical", START)
    return smallest_epsilon(mechanism("peeling", START), CALLS, probability=goal, event="hits", at_least=START)


def _nearest() -> int:
    off = [abs(math.log(needed() / EPSILON / factor)) for factor in FACTORS]
    return off.index(min(off))


def _best() -> int:
    chances = [round(all_right(name, START), 6) for name in NAMES]
    return len(chances) if len(set(chances)) == 1 else chances.index(max(chances))


def recipes() -> str:
    """The three ways, in words."""
    return (
        "A city publishes the services that its help line was asked for most: not one name now but k of them. A caller "
        "may have asked for any number of services. Three ways to spend one privacy budget ε on the list:\n\n"
        f"- **Peeling** chooses the best service with a part of the budget, ε/k, takes it out, chooses the next with "
        f"another ε/k, and so on: {START} names, {START} payments.\n"
        "- **One-shot** adds noise once to every count, here of the exponential kind, and takes the k largest. One "
        "caller may have moved all of the k that come out, so the noise has to be k times as large.\n"
        "- **Canonical** chooses among whole lists. It judges a list by two of its items only: the best one that is "
        "missing and the worst one that is in it. One caller changes that judgement by little, however long the list "
        "is, so the noise does not grow with k."
    )


def why() -> str:
    """The explanation: chances by k, and what canonical's follow."""
    rows = [(f"{k:g}", f"{apart(k):g}", *(percent(all_right(name, k)) for name in NAMES)) for k in LENGTHS]
    heads = ("k", "Callers apart at the cut-off", *(name.capitalize() for name in NAMES.values()))
    return (
        f"How often all k names are right, at ε = {EPSILON:g}:\n\n" + table(heads, rows) + "\n\n"
        "Peeling and one-shot lose as the list grows: each name gets a k-th of the budget, and one wrong name spoils "
        "the list. With Gumbel noise the two are even the same; exponential noise gains a little.\n\n"
        "Canonical's chance does not follow k. It follows the distance at the cut-off: how many callers the last name "
        "that belongs is ahead of the first that does not.\n\n"
        "Where a list holds one name, all three are mechanisms for one winner. And where each person counts in few "
        "items there is a fourth way: the next lesson."
    )


@cache
def _peeled(epsilon: float) -> float:
    return float(TOP_K["peeling"](epsilon=epsilon, k=START).distribution(CALLS).hits[-1])


def _not_nearest() -> tuple[str, ...]:
    goal = percent(all_right("canonical", START))
    return tuple(
        ""
        if number == _nearest()
        else f"At ε = {factor * EPSILON:g} peeling has all {START} right in {percent(_peeled(factor * EPSILON))} of "
        f"releases, {'fewer' if factor * EPSILON < needed() else 'more'} than the {goal} of canonical."
        for number, factor in enumerate(FACTORS)
    )


add(
    Lesson(
        key="what_k_costs",
        title="What a longer list costs",
        says="Peeling, one-shot and canonical: who pays for every name, and who pays once for the list.",
        minutes=8,
        able=(
            "how peeling, one-shot and canonical spend one ε on k names",
            "why the first two need more ε for a longer list",
            "what decides canonical's chance instead of k",
        ),
        proved="Canonical: Shekelyan and Loukides 2022, Theorem 3.5; one-shot: Algorithm 2 there. That peeling with "
        "Gumbel noise is one-shot: Durfee and Rogers 2019.",
        steps=(
            Step("tell", "Ten names for one budget", recipes),
            Step(
                "predict",
                "Who gets all of them right?",
                lambda: f"{CALLS.d} services, the top {START} are published, ε = {EPSILON:g} for the whole list.",
                question=MultipleChoice(
                    text=f"Which has all {START} names right most often?",
                    choices=("Peeling", "One-shot", "Canonical", "All equally often"),
                    answer=_best,
                    because=lambda: says(START),
                    mistakes=lambda: (
                        (
                            f"Each round is careful, but it has ε/{START} only: all are right in "
                            f"{percent(all_right('peeling', START))} of releases."
                        ),
                        (
                            f"It draws noise once, but {START} times as large: all are right in "
                            f"{percent(all_right('one_shot', START))} of releases."
                        ),
                        "",
                        "The same ε is the same promise, not the same accuracy.",
                    ),
                ),
            ),
            Step(
                "run",
                "A thousand lists",
                lambda: (
                    "The bars are releases of peeling, counted by how many names are wrong. Make some, then change the "
                    "length of the list."
                ),
                experiment=Experiment(
                    name=NAMES["peeling"],
                    outcomes=BY_MISSES,
                    law=lambda k: by_misses(hits("peeling", k)),
                    draw=draw,
                    says=says,
                    control=Control("k", "How many names, k", LENGTHS, float(START)),
                    beside=tuple(
                        (shown, lambda k, name=name: by_misses(hits(name, k)))  # type: ignore[misc]
                        for name, shown in NAMES.items()
                        if name != "peeling"
                    ),
                ),
                way=PageLink(
                    "compare",
                    "All three in Compare",
                    Scenario(
                        data=DataSpec(name="help_line"),
                        epsilon=EPSILON,
                        k=START,
                        designs=(
                            Design(mechanism="peeling"),
                            Design(mechanism="one_shot", parameters={"noise": "exponential"}),
                            Design(mechanism="canonical"),
                        ),
                    ),
                ),
            ),
            Step(
                "explain",
                "Who pays for k",
                why,
                question=MultipleChoice(
                    text=f"What ε does peeling need to have all {START} right as often as canonical has at "
                    f"ε = {EPSILON:g}?",
                    choices=tuple(FACTORS.values()),
                    answer=_nearest,
                    because=lambda: (
                        f"Canonical has all {START} right in {percent(all_right('canonical', START))} of releases at "
                        f"ε = {EPSILON:g}; peeling does so from ε = {needed():.2f} on."
                    ),
                    mistakes=_not_nearest,
                ),
            ),
        ),
    )
)

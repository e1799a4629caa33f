"""When plain noisy counts win: where one person counts in few items, the noise need not grow with the list.

Source: Dwork & Roth 2014, Thm 3.6 (Laplace mechanism, sensitivity of a vector); what canonical costs at c = 1 is ours.
"""

from dataclasses import replace
from functools import cache
from itertools import pairwise

from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.data import EXAMPLES
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.claims import SLACK, Case, Claim
from dpviz.teaching.lesson import Control, Experiment, Lesson, MultipleChoice, PageLink, Step, add
from dpviz.teaching.lessons.shared import BY_MISSES, by_misses, missed, percent, table
from dpviz.topk import Canonical, OneShot, TopKMechanism

K = 10
EPSILON = 0.12
LARGER = 0.5
MOST = (1.0, 2.0, 3.0, 5.0, 10.0)
NOISY, CANONICAL = "noisy counts", "canonical"


def calls(most: float) -> Scores:
    """The help line where one caller asks for at most so many services."""
    return replace(EXAMPLES["help_line"].scores(), contributions=int(most))


def mechanism(name: str, epsilon: float = EPSILON) -> TopKMechanism:
    """One of the two."""
    return OneShot(epsilon=epsilon, k=K, noise="laplace") if name == NOISY else Canonical(epsilon=epsilon, k=K)


@cache
def law(name: str, most: float, epsilon: float = EPSILON) -> Floats:
    """The chance of each number of wrong names."""
    return by_misses(mechanism(name, epsilon).distribution(calls(most)).hits)


def draw(most: float, rng: Generator, size: int) -> Ints:
    """How many names are wrong in releases of noisy counts."""
    return missed(mechanism(NOISY).sample(calls(most), size, rng=rng), calls(most))


def all_right(name: str, most: float, epsilon: float = EPSILON) -> float:
    """The chance that all names are right."""
    return float(law(name, most, epsilon)[0])


def says(most: float) -> str:
    """How often all names are right, by mechanism."""
    asked = "one service" if most == 1 else f"up to {most:g} services"
    return (
        f"Where a caller asks for {asked}, all {K} are right in {percent(all_right(NOISY, most))} of releases of noisy "
        f"counts and in {percent(all_right(CANONICAL, most))} of canonical, both at ε = {EPSILON:g}."
    )


def recipe() -> str:
    """The plain way, and what its noise depends on."""
    return (
        "The plainest way to a list: add noise to every count, sort, publish the first k, *with* their noisy counts. "
        "It has a bad name, as a caller who asked for many services moves many counts, and each has to be hidden.\n\n"
        "But what if each caller asks for one service, as in a poll with one vote a person? Call the number of items "
        "in which one person counts at most c.\n\n"
        f"- **Noisy counts** need Laplace noise of size c/ε: at ε = {EPSILON:g} that is {1 / EPSILON:.3g} callers for "
        f"c = 1 and {K / EPSILON:.3g} for c = {K}, whatever the length of the list.\n"
        "- **Canonical** judges whole lists. It pays the same for every c from 2 on, and half of that for c = 1."
    )


def why() -> str:
    """The explanation with both chances at each c."""
    rows = [(f"{most:g}", *(percent(all_right(name, most)) for name in (NOISY, CANONICAL))) for most in MOST]
    return (
        f"How often all {K} names are right, at ε = {EPSILON:g}:\n\n"
        + table(("c", NOISY.capitalize(), CANONICAL.capitalize()), rows)
        + "\n\nThe noise of noisy counts grows with c, so their chance falls. Canonical falls once, from c = 1 to 2: a "
        "caller who moves one count either makes the worst item in the list better or the best one outside it, and "
        "never does both at once.\n\n"
        f"Here, with more ε, the two come close: for c = 1 at ε = {LARGER:g} it is "
        f"{percent(all_right(NOISY, 1, LARGER))} against {percent(all_right(CANONICAL, 1, LARGER))}. On these "
        f"counts and at ε = {EPSILON:g} noisy counts win up to c = {MOST[_crossing()]:g}; other counts, another k or "
        "another ε put the line elsewhere, so compute both.\n\n"
        "Where c is at most k, noisy counts give something more: the counts of the items that come out, at no further "
        "price.\n\n"
        "Two things to heed. c has to be made true, by dropping what a person does beyond it; the largest number that "
        "you see in the data is private itself. And the list of items has to be known beforehand: in a log that holds "
        "only what occurred, one person can add a name."
    )


def _winner() -> int:
    noisy, canonical = all_right(NOISY, 1), all_right(CANONICAL, 1)
    return 2 if abs(noisy - canonical) < 1e-6 else int(noisy > canonical)


def _crossing() -> int:
    """Which of the values of c after the first is the first where canonical is right more often."""
    later = MOST[1:]
    ahead = [most for most in later if all_right(CANONICAL, most) > all_right(NOISY, most)]
    return later.index(ahead[0]) if ahead else len(later)


def _not_crossing() -> tuple[str, ...]:
    later, first = MOST[1:], _crossing()

    def both(most: float) -> str:
        noisy, canonical = (percent(all_right(name, most)) for name in (NOISY, CANONICAL))
        return f"For c = {most:g} noisy counts have all {K} right in {noisy} of releases, canonical in {canonical}"

    before = (f"{both(most)}: canonical is not ahead yet." for most in later[:first])
    after = (f"{both(most)}, but canonical is ahead from c = {later[first]:g} on." for most in later[first + 1 :])
    return (*before, "", *after, f"{both(later[first])}: there canonical is ahead.")


def _of(name: str, case: Case, most: int, times: float = 1.0) -> float:
    """The chance that all names are right where a person counts in at most so many of the counts of a case."""
    made = mechanism(name, case.epsilon * times)
    return float(replace(made, k=case.k).distribution(replace(case.scores, contributions=most)).hits[-1])


def noisy_ahead(case: Case, most: int) -> bool:
    """Whether noisy counts are right more often than canonical."""
    return _of(NOISY, case, most) > _of(CANONICAL, case, most) + SLACK


def _noise_grows(case: Case) -> bool:
    chances = [_of(NOISY, case, most) for most in range(1, len(case.counts) + 1)]
    return all(more <= fewer + SLACK for fewer, more in pairwise(chances))


def _falls_once(case: Case) -> bool:
    one, two, last = (_of(CANONICAL, case, most) for most in (1, 2, len(case.counts)))
    return abs(two - last) < SLACK and abs(one - _of(CANONICAL, case, 2, times=2.0)) < SLACK and one >= two - SLACK


CLAIMS = (
    Claim("The noise of noisy counts grows with c, so their chance falls.", _noise_grows),
    Claim("Canonical falls once, from c = 1 to 2", _falls_once),
    Claim("It pays the same for every c from 2 on, and half of that for c = 1.", _falls_once),
)

add(
    Lesson(
        key="noisy_counts",
        title="Add noise and sort, or choose a list",
        says="One vote a person: the plainest recipe of all beside the clever one.",
        minutes=6,
        claims=CLAIMS,
        able=(
            "what noisy counts pay for, and what canonical pays for",
            "which of the two to take, and when",
            "what has to be made true before c may be used",
        ),
        proved="Noise by what one person moves in all: Dwork and Roth 2014, Theorem 3.6. That canonical pays half for "
        "c = 1 is this app's own: of each list either the worst member or the best missing item moves, never both; its "
        "tests agree by listing everything.",
        steps=(
            Step("tell", "The plainest recipe", recipe),
            Step(
                "predict",
                "A poll with one vote a person",
                lambda: (
                    f"{calls(1).d} services, each caller asks for one, the top {K} are published at ε = {EPSILON:g}."
                ),
                question=MultipleChoice(
                    text=f"Which has all {K} names right more often?",
                    choices=("Canonical", "Noisy counts", "Both equally often"),
                    answer=_winner,
                    because=lambda: says(1),
                    mistakes=lambda: (
                        f"It judges whole lists, and has all right in {percent(all_right(CANONICAL, 1))} of releases.",
                        "",
                        "The same ε is the same promise, not the same accuracy.",
                    ),
                ),
            ),
            Step(
                "run",
                "From one service to ten",
                lambda: (
                    "The bars are releases of noisy counts. Begin with one service a caller, then let callers ask "
                    "for more."
                ),
                experiment=Experiment(
                    name=NOISY,
                    outcomes=BY_MISSES,
                    law=lambda most: law(NOISY, most),
                    draw=draw,
                    says=says,
                    control=Control("contributions", "Services that one caller asks for at most, c", MOST, 1.0),
                    beside=((CANONICAL, lambda most: law(CANONICAL, most)),),
                ),
                way=PageLink(
                    "compare",
                    "Both in Compare, one service a caller",
                    Scenario(
                        data=DataSpec(name="help_line", contributions=1),
                        epsilon=EPSILON,
                        k=K,
                        designs=(
                            Design(mechanism="one_shot", parameters={"noise": "laplace"}),
                            Design(mechanism="canonical"),
                        ),
                    ),
                ),
            ),
            Step(
                "explain",
                "Who pays for c",
                why,
                question=MultipleChoice(
                    text=f"From which of these c on is canonical right more often, at ε = {EPSILON:g}?",
                    choices=(*(f"c = {most:g}" for most in MOST[1:]), "From none of them"),
                    answer=_crossing,
                    because=lambda: says(MOST[1:][min(_crossing(), len(MOST) - 2)]),
                    mistakes=_not_crossing,
                ),
            ),
        ),
    )
)

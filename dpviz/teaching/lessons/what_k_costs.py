"""The cost of k: peeling and one-shot pay for every name, canonical pays once for the list.

Source: Shekelyan & Loukides 2022, Alg 2, Thm 3.5; that peeling with Gumbel noise is one-shot:
Durfee & Rogers 2019.
"""

import math
from functools import cache
from itertools import combinations

import numpy as np

from dpviz.base import Floats, Scores
from dpviz.data import EXAMPLES
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
    Law,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
)
from dpviz.teaching.lessons.lesson_helpers import (
    BY_MISSES,
    markdown_table,
    miss_outcome_function,
    miss_outcome_indices,
    miss_outcome_law,
    nearest_factor_index,
    percentage,
)
from dpviz.teaching.plays import NoisySelection
from dpviz.topk import TOP_K, TopKMechanism, smallest_epsilon

CALLS: Scores = EXAMPLES["help_line"].scores()
EPSILON = 1.0
LENGTHS = (2.0, 5.0, 10.0, 20.0)
START = 10
# Callers of each name that belongs, and names in all, in the explanation's other example.
CLEAR, SERVICES = 20, 100
NAMES = {"peeling": "peeling", "one_shot": "one-shot", "canonical": "canonical"}
FACTORS = {
    1: "About the same",
    2: "About twice as much",
    5: "About five times as much",
    10: "About ten times as much",
}


def lesson_mechanism(mechanism_name: str, k: float, epsilon: float = EPSILON) -> TopKMechanism:
    more = {"noise": "exponential"} if mechanism_name == "one_shot" else {}
    return TOP_K[mechanism_name](epsilon=epsilon, k=int(k), **more)


@cache
def hit_count_law(mechanism_name: str, k: float, epsilon: float = EPSILON) -> Floats:
    """Chances of each number of the k names that belong to the true top k."""
    return lesson_mechanism(mechanism_name, k, epsilon).distribution(CALLS).hits


def all_correct_probability(mechanism_name: str, k: float) -> float:
    return float(hit_count_law(mechanism_name, k)[-1])


def result_sentence(k: float) -> str:
    peeling, one_shot, canonical = (percentage(all_correct_probability(name, k)) for name in NAMES)
    return (
        f"With {k:g} names at ε = {EPSILON:g}, peeling has all right in {peeling} of releases."
        f" One-shot does in {one_shot}, canonical in {canonical}."
    )


@cache
def matching_peeling_epsilon() -> float:
    """ε at which peeling is as often all right as canonical is at the ε of the lesson."""
    goal = all_correct_probability("canonical", START)
    return smallest_epsilon(
        lesson_mechanism("peeling", START), CALLS, probability=goal, figure="hits", at_least=START
    )


def clear_margin_scores(k: int, d: int) -> Scores:
    """Scores of which k stand `CLEAR` above the others."""
    return Scores([float(CLEAR)] * k + [0.0] * (d - k), monotonic=True)


def _same_with_gumbel(case: Case) -> bool:
    one, other = (TOP_K[name](epsilon=case.epsilon, k=case.k) for name in ("peeling", "one_shot"))
    return abs(one.distribution(case.scores).top - other.distribution(case.scores).top) < 1e-7


def _behind(counts: tuple[int, ...], chosen: tuple[int, ...]) -> int:
    """Lead of the best item that is missing over the worst of a list."""
    return max(
        max(n for i, n in enumerate(counts) if i not in chosen) - min(counts[i] for i in chosen), 0
    )


def _one_over_the_sum(case: Case) -> bool:
    lists = combinations(range(len(case.counts)), case.k)
    rivals = sum(math.exp(-case.epsilon / 2 * _behind(case.counts, chosen)) for chosen in lists)
    law = TOP_K["canonical"](epsilon=case.epsilon, k=case.k).distribution(case.scores)
    return abs(law.top - 1 / rivals) < SLACK


def _more_rivals(case: Case) -> bool:
    """Up to half of the items, more lists differ in one name as k grows, and the chance falls."""
    d = 2 * len(case.counts)
    tops = [
        TOP_K["canonical"](epsilon=case.epsilon, k=k).distribution(clear_margin_scores(k, d)).top
        for k in (case.k, case.k + 1)
        if k <= d // 2
    ]
    return tops[0] >= tops[-1] - SLACK


def law_function(mechanism_name: str) -> Law:
    """Law of lists by how many names are wrong."""
    return lambda k: miss_outcome_law(hit_count_law(mechanism_name, k))


def draw_function(mechanism_name: str) -> Draw:
    """Sampler of lists by how many names are wrong."""
    return lambda k, rng, size: miss_outcome_indices(
        lesson_mechanism(mechanism_name, k).sample(CALLS, size, rng=rng), CALLS
    )


def build_steps() -> tuple[Step, ...]:
    chances = [round(all_correct_probability(name, START), 6) for name in NAMES]
    goal, needed = all_correct_probability("canonical", START), matching_peeling_epsilon()
    ranked = CALLS.values[CALLS.order]
    return (
        Step(
            "tell",
            "Ten names for one budget",
            "A city publishes the services that callers of its help line asked for most. Now it is"
            " not one name but k. A caller may have asked for any number of services. There are"
            " three ways to spend one privacy budget ε on the list:\n\n- **Peeling** chooses the"
            " best service with a part of the budget, ε/k. It takes this one out and chooses the"
            f" next with another ε/k, and so on. So {START} names need {START} payments.\n-"
            " **One-shot** adds noise once to every count, here exponential noise. It takes the k"
            " largest. One caller may have changed all k of them, so the noise must be k times as"
            " large.\n- **Canonical** chooses among whole lists. It looks at two items only: the"
            " best one that is missing and the worst one in the list. One caller changes this only"
            " a little, for any length of the list. So the noise does not grow with k.",
            at_work=Demonstration(
                "Peeling, one name after the other",
                NoisySelection(
                    CALLS.labels or (),
                    CALLS.values,
                    "gumbel",
                    EPSILON / START,
                    f"The callers of the most wanted services. Each of the {START} names is chosen"
                    f" with ε/{START}.",
                    miss_outcome_function(CALLS),
                    START,
                ).play_peeling,
            ),
        ),
        Step(
            "predict",
            "Who gets all of them right?",
            f"There are {CALLS.d} services. The top {START} are published, with ε = {EPSILON:g} for"
            " the whole list.",
            question=MultipleChoice(
                text=f"Which has all {START} names right most often?",
                choices=("Peeling", "One-shot", "Canonical", "All equally often"),
                answer=int(np.argmax([*chances, min(chances) + 1e-9])),
                because=result_sentence(START),
                mistakes=(
                    (
                        f"Each round has only ε/{START}. All are right in"
                        f" {percentage(all_correct_probability('peeling', START))} of releases."
                    ),
                    (
                        f"It draws noise once, but {START} times as large. All are right in"
                        f" {percentage(all_correct_probability('one_shot', START))} of releases."
                    ),
                    "",
                    "The same ε is the same promise, not the same accuracy.",
                ),
            ),
        ),
        Step(
            "run",
            "A thousand lists",
            "The bars show how many names are wrong, for each of the three. Make some lists, then"
            " change their length.",
            experiment=Experiment(
                name=NAMES["peeling"],
                outcomes=BY_MISSES,
                law=law_function("peeling"),
                draw=draw_function("peeling"),
                says=result_sentence,
                guess=GuessPrompt(
                    f"Peeling makes 100 lists of {START} names at ε = {EPSILON:g}. How many lists"
                    " are all right?"
                ),
                control=Control("k", "How many names, k", LENGTHS, float(START)),
                beside=tuple(
                    ComparedLaw(shown, law_function(name), draw_function(name))
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
            f"All k names are right this often at ε = {EPSILON:g}:\n\n"
            + markdown_table(
                (
                    "k",
                    "Distance at the cut-off, in callers",
                    *(name.capitalize() for name in NAMES.values()),
                ),
                [
                    (
                        f"{k:g}",
                        f"{ranked[int(k) - 1] - ranked[int(k)]:g}",
                        *(percentage(all_correct_probability(name, k)) for name in NAMES),
                    )
                    for k in LENGTHS
                ],
            )
            + "\n\nHere peeling and one-shot get worse as the list grows. Each name gets only a k-th"
            " of the budget, and one wrong name spoils the list. With Gumbel noise the two are even"
            " the same. Exponential noise is a little better here.\n\nCanonical's noise does not"
            " grow with k. Its rivals are other lists that are nearly as good. The best list has"
            " weight 1. For another list, compare its best missing item with its worst item. Each"
            " caller by which the missing item leads makes the weight e^(ε/2) times smaller. The"
            " chance of the best list is exactly one over the sum of all weights.\n\nOn this help"
            " line the chance follows the distance at the cut-off. This is the lead in callers of"
            " the last name that belongs over the first that does not.\n\nElsewhere the chance"
            f" follows the number of rivals. Suppose {CLEAR} callers ask for each of k services,"
            f" and nobody for the other {SERVICES} − k. The distance is {CLEAR} for every k, but"
            " there are more ways to exchange a name:\n\n"
            + markdown_table(
                ("k", "One-shot", "Canonical"),
                [
                    (
                        str(k),
                        *(
                            percentage(
                                lesson_mechanism(name, k)
                                .distribution(clear_margin_scores(k, SERVICES))
                                .hits[-1]
                            )
                            for name in ("one_shot", "canonical")
                        ),
                    )
                    for k in (1, 2, 5)
                ],
            )
            + "\n\nFor a list of one name, all three choose one winner. If each person counts in few"
            " items, there is a fourth way. The next lesson shows it.",
            formula=Formula(
                r"P(\text{a list, canonical})\propto e^{\frac{\varepsilon}{2}\min(0,\,\text{worst in it}-\text{best"
                r" missing})}",
                "Take the score of the worst item in a list less that of the best missing one. Take"
                " zero instead if it is above zero. The chance grows as e to epsilon over two times"
                " this.",
            ),
            question=MultipleChoice(
                text=f"Canonical has ε = {EPSILON:g}. What ε does peeling need to have all {START}"
                " right equally often?",
                choices=tuple(FACTORS.values()),
                answer=nearest_factor_index(needed / EPSILON, FACTORS),
                because=f"Canonical has all {START} right in"
                f" {percentage(all_correct_probability('canonical', START))} of releases"
                f" at ε = {EPSILON:g}. Peeling reaches this at ε ="
                f" {matching_peeling_epsilon():.2f}.",
                mistakes=tuple(
                    f"At ε = {factor * EPSILON:g} peeling has all {START} right in"
                    f" {percentage(hit_count_law('peeling', START, factor * EPSILON)[-1])} of"
                    f" releases. That is {'less' if factor * EPSILON < needed else 'more'} than the"
                    f" {percentage(goal)} of canonical."
                    for factor in FACTORS
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="what_k_costs",
    title="What a longer list costs",
    says="Peeling, one-shot and canonical: three ways to spend one ε on a list of names.",
    minutes=8,
    claims=(
        Claim("With Gumbel noise the two are even the same", _same_with_gumbel),
        Claim(
            "The chance of the best list is exactly one over the sum of all weights",
            _one_over_the_sum,
        ),
        Claim(
            "The distance is 20 for every k, but there are more ways to exchange a name",
            _more_rivals,
        ),
    ),
    able=(
        "how peeling, one-shot and canonical spend one ε on k names",
        "how a longer list changes each of them",
        "what the chance of canonical depends on",
    ),
    proved="Canonical: Shekelyan and Loukides 2022, Theorem 3.5; one-shot: Algorithm 2 there. Durfee"
    " and Rogers 2019 prove that peeling with Gumbel noise is one-shot.",
    build_steps=build_steps,
)

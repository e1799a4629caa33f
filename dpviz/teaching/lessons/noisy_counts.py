"""Noisy counts: the noise hides the counts that one person changes, not the number of names.

Symbols: c = largest number of counts that one person is in; noise of size c/ε hides that, for a
list of any length.
Source: Dwork & Roth 2014, Thm 3.6 (Laplace mechanism, sensitivity of a vector); what canonical
costs at c = 1 is ours.
"""

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

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
from dpviz.topk import Canonical, OneShot, TopKMechanism

K = 10
EPSILON = 0.12
LARGER = 0.5
MOST = (1.0, 2.0, 3.0, 5.0, 10.0)
NOISY, CANONICAL = "noisy counts", "canonical"


def help_line_scores(contributions: float) -> Scores:
    """The help line where one caller asks for at most this number of services."""
    return replace(EXAMPLES["help_line"].scores(), contributions=int(contributions))


def lesson_mechanism(mechanism_name: str, epsilon: float = EPSILON) -> TopKMechanism:
    return (
        OneShot(epsilon=epsilon, k=K, noise="laplace")
        if mechanism_name == NOISY
        else Canonical(epsilon=epsilon, k=K)
    )


@cache
def law(mechanism_name: str, contributions: float, epsilon: float = EPSILON) -> Floats:
    """Chance of each number of wrong names."""
    return miss_outcome_law(
        lesson_mechanism(mechanism_name, epsilon).distribution(help_line_scores(contributions)).hits
    )


def draw_function(mechanism_name: str) -> Draw:
    """Sampler of lists by how many names are wrong."""
    return lambda most, rng, size: miss_outcome_indices(
        lesson_mechanism(mechanism_name).sample(help_line_scores(most), size, rng=rng),
        help_line_scores(most),
    )


def all_correct_probability(
    mechanism_name: str, contributions: float, epsilon: float = EPSILON
) -> float:
    return float(law(mechanism_name, contributions, epsilon)[0])


def result_sentence(contributions: float) -> str:
    asked = "one service" if contributions == 1 else f"up to {contributions:g} services"
    return (
        f"A caller asks for {asked}, and ε = {EPSILON:g}. Noisy counts have all {K} right in"
        f" {percentage(all_correct_probability(NOISY, contributions))} of releases. Canonical has them in"
        f" {percentage(all_correct_probability(CANONICAL, contributions))}."
    )


def count_noise_scale(k: int, contributions: float) -> float:
    """Size of the noise on each count for a list of k names, in callers."""
    scores = OneShot(epsilon=EPSILON, k=k, noise="laplace").laplace_score_shifts(
        int(contributions), monotonic=True
    )
    return math.inf if scores is None else 1 / scores[1]


TIMES = {
    10.0: "Ten times as large, for ten names",
    math.sqrt(K): "About three times as large",
    1.0: "Not larger at all",
}


def all_correct_probability_of_case(
    mechanism_name: str, case: Case, contributions: int, epsilon_factor: float = 1.0
) -> float:
    """Chance that all names are right in a case where a person is in at most `contributions`
    counts.
    """
    made = lesson_mechanism(mechanism_name, case.epsilon * epsilon_factor)
    return float(
        replace(made, k=case.k)
        .distribution(replace(case.scores, contributions=contributions))
        .hits[-1]
    )


def _any_length(case: Case) -> bool:
    """With one count a person, the noise for one name keeps ε for every list of k names."""
    moved = [n + (i == len(case.counts) - 1) for i, n in enumerate(case.counts)]
    made = OneShot(epsilon=case.epsilon, k=case.k, noise="laplace")
    one, other = (
        made.distribution(Scores(counts, monotonic=True, contributions=1))
        for counts in (case.counts, moved)
    )
    lists = combinations(range(len(moved)), case.k)
    loss = max(abs(one.log_probability(each) - other.log_probability(each)) for each in lists)
    return count_noise_scale(case.k, 1) == count_noise_scale(1, 1) and loss <= case.epsilon + 1e-6


def _noise_grows(case: Case) -> bool:
    chances = [
        all_correct_probability_of_case(NOISY, case, most)
        for most in range(1, len(case.counts) + 1)
    ]
    return all(more <= fewer + SLACK for fewer, more in pairwise(chances))


def _falls_once(case: Case) -> bool:
    one, two, last = (
        all_correct_probability_of_case(CANONICAL, case, most) for most in (1, 2, len(case.counts))
    )
    return (
        abs(two - last) < SLACK
        and abs(one - all_correct_probability_of_case(CANONICAL, case, 2, epsilon_factor=2.0))
        < SLACK
        and one >= two - SLACK
    )


def build_steps() -> tuple[Step, ...]:
    later = MOST[1:]
    chances = [
        [all_correct_probability(name, most) for name in (NOISY, CANONICAL)] for most in later
    ]
    ahead = (n for n, (noisy, canonical) in enumerate(chances) if canonical > noisy)
    first = next(ahead, len(later))
    told = [
        f"For c = {most:g}, noisy counts have all {K} right in"
        f" {percentage(noisy)} of releases, and canonical in {percentage(canonical)}."
        for most, (noisy, canonical) in zip(later, chances, strict=True)
    ]
    return (
        Step(
            "tell",
            "A ballot with one cross",
            "The simplest way to a list is this: count, add noise to every count, sort, and publish"
            f" the first k.\n\nA help line has {help_line_scores(1).d} services. Each caller asks"
            " for **one** of them, as on a ballot with one cross. One more caller makes one count"
            f" larger by 1. Noise must hide this. At ε = {EPSILON:g} it takes about"
            f" {count_noise_scale(1, 1):.3g} callers on each count, up or down. (This is"
            " **Laplace** noise, and its size is its average distance from zero.)\n\nUntil now the"
            f" city published only the most wanted service. Now it wants the top {K}.",
            at_work=Demonstration(
                "Count, add noise, sort",
                NoisySelection(
                    help_line_scores(1).labels or (),
                    help_line_scores(1).values,
                    "laplace",
                    1 / count_noise_scale(K, 1),
                    "The callers of the most wanted services.",
                    miss_outcome_function(help_line_scores(1)),
                    K,
                ).play,
            ),
        ),
        Step(
            "predict",
            "Ten names instead of one",
            (f"Each caller still asks for one service. ε = {EPSILON:g} is for the whole list."),
            question=MultipleChoice(
                text="How much larger must the noise on each count be?",
                choices=tuple(TIMES.values()),
                answer=nearest_factor_index(
                    count_noise_scale(K, 1) / count_noise_scale(1, 1), TIMES
                ),
                because=f"One caller changes one count, for a list of {K} names as for one. Noise of"
                f" {count_noise_scale(K, 1):.3g} callers hides this, as"
                f" {count_noise_scale(1, 1):.3g} did before.",
                mistakes=(
                    (
                        f"This would be right with {K} crosses on each ballot:"
                        f" {count_noise_scale(K, K):.3g} callers. Noise must hide what one person"
                        " changes, not what is published."
                    ),
                    (
                        f"This would be right for noise that adds up over {K} counts. Here one"
                        " caller is in only one."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "From one cross to ten",
            f"Make lists of {K} with noisy counts and with **canonical**, which chooses among whole"
            " lists. Begin with one service for each caller, then let callers ask for more.",
            experiment=Experiment(
                name=NOISY,
                outcomes=BY_MISSES,
                law=lambda most: law(NOISY, most),
                draw=draw_function(NOISY),
                says=result_sentence,
                guess=GuessPrompt(
                    "Each caller asks for one service. How many of 100 lists by noisy counts have"
                    f" all {K} names right?"
                ),
                control=Control(
                    "contributions", "Most services that one caller asks for, c", MOST, 1.0
                ),
                beside=(
                    ComparedLaw(
                        CANONICAL, lambda most: law(CANONICAL, most), draw_function(CANONICAL)
                    ),
                ),
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
            "What the noise must hide",
            "Noise must hide what one person *changes*, not what is published. A ballot with one"
            " cross changes one count. So the noise is the same for a list of any length. Even the"
            " noisy counts may be published with the names. A ballot with c crosses changes c"
            " counts. For a list of c names or more, each count then needs c times the"
            " noise.\n\n**Canonical** works in another way. It looks at two items of a whole list:"
            " the best missing one and the worst one in it. A caller who changes one count changes at"
            " most one of the two. So it needs half the noise for c = 1. From c = 2 on, its"
            " noise is the same for every c.\n\n"
            + markdown_table(
                ("c", "Noise, in callers", NOISY.capitalize(), CANONICAL.capitalize()),
                [
                    (
                        f"{most:g}",
                        f"{count_noise_scale(K, most):.3g}",
                        *(
                            percentage(all_correct_probability(name, most))
                            for name in (NOISY, CANONICAL)
                        ),
                    )
                    for most in (*MOST[:2], MOST[-1])  # those between are asked for
                ],
            )
            + f"\n\nThe last columns say how often all {K} names are right. The noise of noisy counts"
            " grows with c, so their chance falls. Canonical falls once, from c = 1 to 2."
            f"\n\nWhere the two meet depends on the counts, on k and on ε. At ε ="
            f" {LARGER:g} they are close here. For c = 1 they reach"
            f" {percentage(all_correct_probability(NOISY, 1, LARGER))} and"
            f" {percentage(all_correct_probability(CANONICAL, 1, LARGER))}. So compute"
            " both.\n\nYou must make c true: leave out what a person does beyond it. Do not take c"
            " from the data, as their largest number is private too. You also need a list of all"
            " possible items, such as a catalogue. Without one, a single person can add an item.",
            formula=Formula(
                r"\text{noise on each count}=\frac{\min(k,c)}{\varepsilon}",
                "The noise on each count is the smaller of k and c, over epsilon.",
            ),
            question=MultipleChoice(
                text=f"From which of these c on is canonical right more often, at ε = {EPSILON:g}?",
                choices=(*(f"c = {most:g}" for most in later), "From none of them"),
                answer=first,
                because=result_sentence(later[first]),
                mistakes=(
                    *(f"{both} Canonical is not better yet." for both in told[: first + 1]),
                    *(
                        f"{both} But canonical is better from c = {later[first]:g} on."
                        for both in told[first + 1 :]
                    ),
                    f"{told[first]} There canonical is better.",
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="noisy_counts",
    title="Add noise and sort, or choose a list",
    says="Each person votes once. Compare the simplest recipe with a clever one.",
    minutes=6,
    claims=(
        Claim("So the noise is the same for a list of any length.", _any_length),
        Claim("The noise of noisy counts grows with c, so their chance falls.", _noise_grows),
        Claim("Canonical falls once, from c = 1 to 2", _falls_once),
        Claim(
            "So it needs half the noise for c = 1. From c = 2 on, its noise is the same for every"
            " c.",
            _falls_once,
        ),
    ),
    able=(
        "what decides the noise of noisy counts and of canonical",
        "what a longer list changes for each of them",
        "what you must do before you may use c",
    ),
    proved="Noise for all that one person changes: Dwork and Roth 2014, Theorem 3.6. Half the noise of"
    " canonical for c = 1 is this app's own result. The worst item of a list or the best missing"
    " one may change, but never both. Its tests confirm this by listing all cases.",
    build_steps=build_steps,
)

"""Noisy counts: the noise pays for the counts that one person moves, not for the names.

Symbols: c = largest number of counts that one person is in; noise of size c/ε hides that, and a
list as long as one likes.
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
from dpviz.teaching.activities import Demonstration, Formula, GuessPrompt
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Draw,
    Experiment,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    add_lesson,
)
from dpviz.teaching.lessons.lesson_helpers import (
    BY_MISSES,
    markdown_table,
    miss_count_law,
    miss_outcome,
    miss_outcomes,
    nearest_factor,
    one_place_percent,
)
from dpviz.teaching.plays import NoisySelection
from dpviz.topk import Canonical, OneShot, TopKMechanism

K = 10
EPSILON = 0.12
LARGER = 0.5
MOST = (1.0, 2.0, 3.0, 5.0, 10.0)
NOISY, CANONICAL = "noisy counts", "canonical"


def help_line_scores(most: float) -> Scores:
    """The help line where one caller asks for at most so many services."""
    return replace(EXAMPLES["help_line"].scores(), contributions=int(most))


def lesson_mechanism(name: str, epsilon: float = EPSILON) -> TopKMechanism:
    return (
        OneShot(epsilon=epsilon, k=K, noise="laplace")
        if name == NOISY
        else Canonical(epsilon=epsilon, k=K)
    )


@cache
def law(name: str, most: float, epsilon: float = EPSILON) -> Floats:
    """Chance of each number of wrong names."""
    return miss_count_law(lesson_mechanism(name, epsilon).distribution(help_line_scores(most)).hits)


def draw_function(name: str) -> Draw:
    """Sampler of lists by how many names are wrong."""
    return lambda most, rng, size: miss_outcomes(
        lesson_mechanism(name).sample(help_line_scores(most), size, rng=rng), help_line_scores(most)
    )


def all_correct_probability(name: str, most: float, epsilon: float = EPSILON) -> float:
    return float(law(name, most, epsilon)[0])


def result_sentence(most: float) -> str:
    asked = "one service" if most == 1 else f"up to {most:g} services"
    return (
        f"Where a caller asks for {asked}, all {K} are right in"
        f" {one_place_percent(all_correct_probability(NOISY, most))} of releases of noisy counts"
        f" and in {one_place_percent(all_correct_probability(CANONICAL, most))} of canonical, both"
        f" at ε = {EPSILON:g}."
    )


def count_noise_scale(k: int, most: float) -> float:
    """Size of the noise on each count for a list of k names, in callers."""
    scores = OneShot(epsilon=EPSILON, k=k, noise="laplace").laplace_score_shifts(
        int(most), monotonic=True
    )
    return math.inf if scores is None else 1 / scores[1]


def explanation_text() -> str:
    rows = [
        (
            f"{most:g}",
            f"{count_noise_scale(K, most):.3g}",
            *(
                one_place_percent(all_correct_probability(name, most))
                for name in (NOISY, CANONICAL)
            ),
        )
        for most in MOST
    ]
    return (
        "Noise hides what one person *changes*, not what comes out. With one cross a ballot that is"
        " one count, so the noise is the same for a list of any length; even the noisy counts"
        " themselves may be published with the names. With c crosses it is c counts, and each needs"
        " c times the noise as long as c names come out.\n\n**Canonical** pays for something else."
        " It judges a whole list by two of its items, the best one that is missing and the worst"
        " that is in it. A caller who moves one count changes one of the two and never both at"
        " once, so it pays half for c = 1; from c = 2 on it pays the same for every c.\n\n"
        + markdown_table(
            ("c", "Noise, in callers", NOISY.capitalize(), CANONICAL.capitalize()), rows
        )
        + f"\n\nThe last columns say how often all {K} names are right. The noise of noisy counts"
        " grows with c, so their chance falls. Canonical falls once, from c = 1 to 2.\n\nOn"
        f" these counts and at ε = {EPSILON:g} noisy counts win up to c ="
        f" {MOST[_crossing()]:g}; other counts, another k or another ε put the line elsewhere."
        f" Here, with more ε, the two come close: at ε = {LARGER:g} it is"
        f" {one_place_percent(all_correct_probability(NOISY, 1, LARGER))} against"
        f" {one_place_percent(all_correct_probability(CANONICAL, 1, LARGER))} for c = 1. So"
        " compute both.\n\nc has to be made true, by dropping what a person does beyond it; the"
        " largest number that you see in the data is private itself. And the list of items has"
        " to be known beforehand: in a log that holds only what occurred, one person can add a"
        " name."
    )


TIMES = {
    10.0: "Ten times as large: ten names come out",
    math.sqrt(K): "About three times as large",
    1.0: "No larger",
}


def _crossing() -> int:
    """Index, after the first c, of the first c where canonical is right more often."""
    chances = [
        [all_correct_probability(name, most) for name in (NOISY, CANONICAL)] for most in MOST
    ]
    ahead = (n for n, (noisy, canonical) in enumerate(chances[1:]) if canonical > noisy)
    return next(ahead, len(MOST) - 1)


def _not_crossing() -> tuple[str, ...]:
    later, first = MOST[1:], _crossing()

    def both(most: float) -> str:
        noisy, canonical = (
            one_place_percent(all_correct_probability(name, most)) for name in (NOISY, CANONICAL)
        )
        return (
            f"For c = {most:g} noisy counts have all {K} right in {noisy} of releases, canonical in"
            f" {canonical}"
        )

    before = (f"{both(most)}: canonical is not ahead yet." for most in later[:first])
    after = (
        f"{both(most)}, but canonical is ahead from c = {later[first]:g} on."
        for most in later[first + 1 :]
    )
    return (*before, "", *after, f"{both(later[first])}: there canonical is ahead.")


def case_probability(name: str, case: Case, most: int, times: float = 1.0) -> float:
    """Chance that all names are right where a person is in at most `most` counts of a case."""
    made = lesson_mechanism(name, case.epsilon * times)
    return float(
        replace(made, k=case.k).distribution(replace(case.scores, contributions=most)).hits[-1]
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
    chances = [case_probability(NOISY, case, most) for most in range(1, len(case.counts) + 1)]
    return all(more <= fewer + SLACK for fewer, more in pairwise(chances))


def _falls_once(case: Case) -> bool:
    one, two, last = (case_probability(CANONICAL, case, most) for most in (1, 2, len(case.counts)))
    return (
        abs(two - last) < SLACK
        and abs(one - case_probability(CANONICAL, case, 2, times=2.0)) < SLACK
        and one >= two - SLACK
    )


add_lesson(
    Lesson(
        key="noisy_counts",
        title="Add noise and sort, or choose a list",
        says="One vote a person: the plainest recipe of all beside the clever one.",
        minutes=6,
        claims=(
            Claim("the noise is the same for a list of any length", _any_length),
            Claim("The noise of noisy counts grows with c, so their chance falls.", _noise_grows),
            Claim("Canonical falls once, from c = 1 to 2", _falls_once),
            Claim(
                "so it pays half for c = 1; from c = 2 on it pays the same for every c", _falls_once
            ),
        ),
        able=(
            "what noisy counts pay for, and what canonical pays for",
            "what a longer list takes of each",
            "what has to be made true before c may be used",
        ),
        proved=(
            "Noise by what one person moves in all: Dwork and Roth 2014, Theorem 3.6. That"
            " canonical pays half for c = 1 is this app's own: of each list either the worst member"
            " or the best missing item moves, never both; its tests agree by listing everything."
        ),
        steps=(
            Step(
                "tell",
                "A ballot with one cross",
                lambda: (
                    "The plainest way to a list: count, add noise to every count, sort, publish the"
                    f" first k.\n\nA help line has {help_line_scores(1).d} services. Each caller"
                    " asks for **one** of them, as on a ballot with one cross. A caller more makes"
                    f" one count larger by 1, and that has to be hidden: at ε = {EPSILON:g} by"
                    f" noise of about {count_noise_scale(1, 1):.3g} callers on each count, up or"
                    " down. (It is of the **Laplace** kind; its size is what it is off by on"
                    " average.)\n\nSo far the city published the one service that most asked for."
                    f" Now it wants the top {K}."
                ),
                at_work=Demonstration(
                    "Count, add noise, sort",
                    NoisySelection(
                        help_line_scores(1).labels or (),
                        help_line_scores(1).values,
                        "laplace",
                        1 / count_noise_scale(K, 1),
                        "The callers of each service: the most asked for.",
                        miss_outcome(help_line_scores(1)),
                        K,
                    ).play,
                ),
            ),
            Step(
                "predict",
                "Ten names instead of one",
                (f"Each caller still asks for one service; ε = {EPSILON:g} is for the whole list."),
                question=MultipleChoice(
                    text="How much larger does the noise on each count have to be?",
                    choices=tuple(TIMES.values()),
                    answer=lambda: nearest_factor(
                        count_noise_scale(K, 1) / count_noise_scale(1, 1), TIMES
                    ),
                    because=lambda: (
                        f"One caller moves one count, whether {K} names come out or one:"
                        f" {count_noise_scale(K, 1):.3g} callers of noise hide that, as"
                        f" {count_noise_scale(1, 1):.3g} did."
                    ),
                    mistakes=lambda: (
                        (
                            f"So it would be with {K} crosses on each ballot:"
                            f" {count_noise_scale(K, K):.3g} callers. What comes out is not what"
                            " has to be hidden."
                        ),
                        (
                            f"That is for noise that adds up over {K} counts; here one caller is in"
                            " one of them."
                        ),
                        "",
                    ),
                ),
            ),
            Step(
                "run",
                "From one cross to ten",
                (
                    f"Lists of {K} are made by noisy counts, and by **canonical**, which chooses"
                    " among whole lists. Begin with one service a caller, then let callers ask for"
                    " more."
                ),
                experiment=Experiment(
                    name=NOISY,
                    outcomes=BY_MISSES,
                    law=lambda most: law(NOISY, most),
                    draw=draw_function(NOISY),
                    says=result_sentence,
                    draws_beside=((CANONICAL, draw_function(CANONICAL)),),
                    guess=GuessPrompt(
                        f"How many of 100 lists by noisy counts have all {K} names right, with one"
                        " service a caller?"
                    ),
                    control=Control(
                        "contributions", "Services that one caller asks for at most, c", MOST, 1.0
                    ),
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
                "What is paid for",
                explanation_text,
                formula=Formula(
                    r"\text{noise on each count}=\frac{\min(k,c)}{\varepsilon}",
                    "The noise on each count is the smaller of k and c, over epsilon.",
                ),
                question=MultipleChoice(
                    text=(
                        "From which of these c on is canonical right more often, at ε ="
                        f" {EPSILON:g}?"
                    ),
                    choices=(*(f"c = {most:g}" for most in MOST[1:]), "From none of them"),
                    answer=_crossing,
                    because=lambda: result_sentence(MOST[1:][min(_crossing(), len(MOST) - 2)]),
                    mistakes=_not_crossing,
                ),
            ),
        ),
    )
)

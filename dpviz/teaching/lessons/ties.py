"""Ties: the list of a report is one of many that are as good, and no ε prefers it.

Source: the events TOP and OPTIMAL; Shekelyan & Loukides 2022, A.2, has the first.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.data import EXAMPLES
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.activities import Demonstration, Formula, GuessPrompt, Walkthrough
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Experiment,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    add_lesson,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, nearest_factor, one_place_percent
from dpviz.teaching.plays import play_canonical_list
from dpviz.topk import Canonical

LOANS: Scores = EXAMPLES["library_loans"].scores()
K = 10
EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)
START = 1.0
ABOVE, REACHED = LOANS.tie_counts(K)
EQUIVALENT = math.comb(REACHED - ABOVE, K - ABOVE)  # lists with the scores of the true top k
ENOUGH = 0.9


@cache
def law(epsilon: float) -> Floats:
    """Chances of the first k of the sorted file, of another list that is as good, of a worse."""
    dist = Canonical(epsilon=epsilon, k=K).distribution(LOANS)
    return np.array([dist.top, dist.optimal - dist.top, max(1.0 - dist.optimal, 0.0)])


def draw(epsilon: float, rng: Generator, size: int) -> Ints:
    """Releases: which of the three each is."""
    return _which(LOANS.rank[Canonical(epsilon=epsilon, k=K).sample(LOANS, size, rng=rng)])


def _which(ranks: Ints) -> Ints:
    good = (ranks < REACHED).all(axis=1) & ((ranks < ABOVE).sum(axis=1) == ABOVE)
    return np.where((ranks < K).all(axis=1), 0, np.where(good, 1, 2))


def top_probability(epsilon: float) -> float:
    """Chance of TOP."""
    return float(law(epsilon)[0])


def optimal_event_probability(epsilon: float) -> float:
    """Chance of OPTIMAL."""
    return float(law(epsilon)[:2].sum())


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} the list is exactly that of the file in"
        f" {one_place_percent(top_probability(epsilon))} of releases, and as good as it in"
        f" {one_place_percent(optimal_event_probability(epsilon))}."
    )


def introduction_text() -> str:
    ranked = LOANS.values[LOANS.order]
    rows = [
        (f"1 to {ABOVE}", f"{ranked[0]:g} to {ranked[ABOVE - 1]:g}", "all in"),
        (
            f"{ABOVE + 1} to {REACHED}",
            f"{ranked[ABOVE]:g} each",
            f"{K - ABOVE} of {REACHED - ABOVE}",
        ),
        (f"{REACHED + 1} to {LOANS.d}", f"{ranked[REACHED]:g} and fewer", "none"),
    ]
    return (
        f"A library publishes its {K} most borrowed books. {ABOVE} of them are clear. Then come"
        f" {REACHED - ABOVE} with the same number of readers, and the line is drawn in the middle"
        " of them:\n\n"
        + markdown_table(("Rank", "Readers", f"In the top {K}"), rows)
        + f"\n\nA program that sorts the file takes the first {K - ABOVE} of the {REACHED - ABOVE},"
        " which is the order in which somebody once wrote them down. The question whether a"
        " private list is *right* has two meanings: it is **exactly that list** (TOP), or it is"
        " **as good** (OPTIMAL)."
    )


def explanation_text() -> str:
    rows = [
        (
            f"{epsilon:g}",
            one_place_percent(top_probability(epsilon)),
            one_place_percent(optimal_event_probability(epsilon)),
        )
        for epsilon in EPSILONS
    ]
    return (
        markdown_table(("ε", "Exactly that list (TOP)", "As good (OPTIMAL)"), rows)
        + f"\n\nFrom {REACHED - ABOVE} tied books {K - ABOVE} can be taken in {EQUIVALENT} ways. A"
        f" mechanism sees scores, not who was written down first, so all {EQUIVALENT} lists come"
        f" equally often: TOP can never pass one in {EQUIVALENT},"
        f" {one_place_percent(1 / EQUIVALENT)}, whatever ε is paid.\n\nWhere scores tie at the"
        " cut-off, ask for OPTIMAL. The expected number of hits counts so too: a tied book is a"
        " hit. And whoever sets a goal for TOP there will be told that no ε reaches it, which is"
        " true."
    )


def _never_past_its_share(case: Case) -> bool:
    scores = case.scores
    above, reached = scores.tie_counts(case.k)
    top = Canonical(epsilon=case.epsilon, k=case.k).distribution(scores).top
    return top <= 1 / math.comb(reached - above, case.k - above) + SLACK


def play(rng: Generator) -> Walkthrough:
    ranks = LOANS.rank[Canonical(epsilon=START, k=K).sample(LOANS, 1, rng=rng)][0]
    names = [LOANS.label(item) for item in LOANS.order]
    return play_canonical_list(
        names, LOANS.values[LOANS.order], ranks, lambda drawn: int(_which(drawn[None, :])[0])
    )


add_lesson(
    Lesson(
        key="ties",
        title="When places tie",
        says=(
            "A list has to end somewhere, and some books stand level there. Which list is the right"
            " one?"
        ),
        minutes=5,
        claims=(Claim("TOP can never pass one in", _never_past_its_share),),
        able=(
            "what more ε does for a list that ends in a tie",
            "what TOP and OPTIMAL ask",
            "which of the two to set a goal for",
        ),
        proved=(
            "By counting: a mechanism that looks at scores alone treats tied items alike. TOP:"
            " Shekelyan and Loukides 2022, Appendix A.2; OPTIMAL is this app's."
        ),
        steps=(
            Step(
                "tell",
                "A line through the middle",
                introduction_text,
                at_work=Demonstration("One list by the canonical mechanism", play),
            ),
            Step(
                "predict",
                "With as much ε as you like",
                "Let ε be so large that there is hardly any noise.",
                question=MultipleChoice(
                    text="How often is the release exactly the list of the sorted file?",
                    choices=(
                        "Always, or nearly",
                        "In half of the releases",
                        f"In one of {REACHED - ABOVE}",
                        f"In one of {EQUIVALENT}",
                    ),
                    answer=lambda: nearest_factor(
                        top_probability(EPSILONS[-1]),
                        (1.0, 0.5, 1 / (REACHED - ABOVE), 1 / EQUIVALENT),
                    ),
                    because=lambda: result_sentence(EPSILONS[-1]),
                    mistakes=lambda: (
                        (
                            "So it would be without a tie: the list is as good as that of the file"
                            f" in {one_place_percent(optimal_event_probability(EPSILONS[-1]))} of"
                            " releases."
                        ),
                        (
                            f"{K - ABOVE} of {REACHED - ABOVE} tied books get in, but which"
                            f" {K - ABOVE} they are is open."
                        ),
                        "So it would be if only one of the tied books were taken.",
                        "",
                    ),
                ),
            ),
            Step(
                "run",
                "A thousand lists",
                (
                    "Releases of the canonical mechanism, sorted by what they are. Make some, then"
                    " raise ε and see which bar grows."
                ),
                experiment=Experiment(
                    name="canonical",
                    outcomes=(
                        "exactly the list of the sorted file",
                        "another list, as good",
                        "a worse list",
                    ),
                    law=law,
                    draw=draw,
                    says=result_sentence,
                    guess=GuessPrompt(
                        "How many of 100 lists are exactly that of the sorted file, at ε ="
                        f" {START:g}?"
                    ),
                    control=Control("epsilon", "Privacy budget ε", EPSILONS, START),
                ),
                way=PageLink(
                    "explore",
                    "The library in Explore",
                    Scenario(
                        data=DataSpec(name="library_loans"), epsilon=START, k=K, designs=(Design(),)
                    ),
                ),
            ),
            Step(
                "explain",
                "As good as it gets",
                explanation_text,
                formula=Formula(
                    rf"P(\text{{TOP}})\le\frac{{1}}{{\binom{{{REACHED - ABOVE}}}{{{K - ABOVE}}}}}"
                    rf"=\frac{{1}}{{{EQUIVALENT}}}",
                    "The chance of exactly this list is at most one over the number of lists that"
                    " are as good.",
                ),
                question=MultipleChoice(
                    text=(
                        f"A report says of ε = 2: “The true top {K} comes out in only"
                        f" {one_place_percent(top_probability(2.0))} of releases.” What is wrong?"
                    ),
                    choices=(
                        "ε is too small",
                        "The mechanism is a bad one",
                        f"It asks for one of {EQUIVALENT} lists that are equally good",
                    ),
                    answer=lambda: (
                        2
                        if optimal_event_probability(2.0) >= ENOUGH
                        and top_probability(2.0) < 1 - ENOUGH
                        else 0
                    ),
                    because=lambda: result_sentence(2.0),
                    mistakes=lambda: (
                        (
                            f"No ε is large enough: at ε = {EPSILONS[-1]:g} it is"
                            f" {one_place_percent(top_probability(EPSILONS[-1]))}, and it never"
                            f" passes one in {EQUIVALENT}."
                        ),
                        (
                            f"Its list is as good in {one_place_percent(optimal_event_probability(2.0))}"
                            " of releases. Which of the tied books come out, no mechanism that sees"
                            " scores only can know."
                        ),
                        "",
                    ),
                ),
            ),
        ),
    )
)

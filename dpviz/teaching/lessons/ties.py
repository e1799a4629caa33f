"""Ties: the list of a report is one of many equally good ones, and no ε prefers it.

Source: the events TOP and OPTIMAL; Shekelyan & Loukides 2022, A.2, has the first.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.data import EXAMPLES
from dpviz.studies import DataSpec, Design, Scenario
from dpviz.teaching.lesson import (
    SLACK,
    Case,
    Claim,
    Control,
    Demonstration,
    Experiment,
    Formula,
    GuessPrompt,
    Lesson,
    MultipleChoice,
    PageLink,
    Step,
    Walkthrough,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, nearest_factor_index, percentage
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
    return float(law(epsilon)[0])


def optimal_event_probability(epsilon: float) -> float:
    return float(law(epsilon)[:2].sum())


def result_sentence(epsilon: float) -> str:
    return (
        f"At ε = {epsilon:g} the list is exactly that of the file in"
        f" {percentage(top_probability(epsilon))} of releases. It is as good in"
        f" {percentage(optimal_event_probability(epsilon))}."
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


def build_steps() -> tuple[Step, ...]:
    ranked = LOANS.values[LOANS.order]
    return (
        Step(
            "tell",
            "A line through the middle",
            f"A library publishes its {K} most borrowed books. {ABOVE} of them are clear. Then come"
            f" {REACHED - ABOVE} with the same number of readers, and the list ends among them:\n\n"
            + markdown_table(
                ("Rank", "Readers", f"In the top {K}"),
                [
                    (f"1 to {ABOVE}", f"{ranked[0]:g} to {ranked[ABOVE - 1]:g}", "all in"),
                    (
                        f"{ABOVE + 1} to {REACHED}",
                        f"{ranked[ABOVE]:g} each",
                        f"{K - ABOVE} of {REACHED - ABOVE}",
                    ),
                    (f"{REACHED + 1} to {LOANS.d}", f"{ranked[REACHED]:g} and fewer", "none"),
                ],
            )
            + f"\n\nA program that sorts the file takes the first {K - ABOVE} of the"
            f" {REACHED - ABOVE}. Their order is only the order in which somebody wrote them down."
            " A private list can be *right* in two ways. It is **exactly that list** (TOP), or it"
            " is **as good** (OPTIMAL).",
            at_work=Demonstration("One list by the canonical mechanism", play),
        ),
        Step(
            "predict",
            "With a very large ε",
            "Suppose ε is so large that there is hardly any noise.",
            question=MultipleChoice(
                text="How often is the release exactly the list of the sorted file?",
                choices=(
                    "Nearly always",
                    "In half of the releases",
                    f"In one of {REACHED - ABOVE}",
                    f"In one of {EQUIVALENT}",
                ),
                answer=nearest_factor_index(
                    top_probability(EPSILONS[-1]), (1.0, 0.5, 1 / (REACHED - ABOVE), 1 / EQUIVALENT)
                ),
                because=result_sentence(EPSILONS[-1]),
                mistakes=(
                    (
                        "This would be right without a tie. The list is as good as that of the file"
                        f" in {percentage(optimal_event_probability(EPSILONS[-1]))} of releases."
                    ),
                    (
                        f"{K - ABOVE} of {REACHED - ABOVE} tied books are taken, and they can be"
                        f" any {K - ABOVE}."
                    ),
                    "This would be right if only one of the tied books were taken.",
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "A thousand lists",
            "The bars count three kinds of releases of the canonical mechanism. Make some, then"
            " raise ε and see which bar grows.",
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
                    f"How many of 100 lists are exactly that of the sorted file, at ε = {START:g}?"
                ),
                control=Control("epsilon", "ε, the privacy budget", EPSILONS, START),
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
            "The best possible",
            markdown_table(
                ("ε", "Exactly that list (TOP)", "As good (OPTIMAL)"),
                [
                    (
                        f"{epsilon:g}",
                        percentage(top_probability(epsilon)),
                        percentage(optimal_event_probability(epsilon)),
                    )
                    for epsilon in EPSILONS
                ],
            )
            + f"\n\nThere are {EQUIVALENT} ways to take {K - ABOVE} of {REACHED - ABOVE} tied books."
            f" A mechanism sees the scores, not the order in the file. So all {EQUIVALENT} lists"
            f" appear equally often. TOP can never pass one in {EQUIVALENT}"
            f" ({percentage(1 / EQUIVALENT)}), for any ε.\n\nIf scores tie at the cut-off,"
            " ask for OPTIMAL. The expected number of hits also counts a tied book as a hit. If you"
            " set a higher goal for TOP, the app says that no ε reaches it. That is true.",
            formula=Formula(
                rf"P(\text{{TOP}})\le\frac{{1}}{{\binom{{{REACHED - ABOVE}}}{{{K - ABOVE}}}}}"
                rf"=\frac{{1}}{{{EQUIVALENT}}}",
                "The chance of exactly this list is at most one over the number of equally good"
                " lists.",
            ),
            question=MultipleChoice(
                text=f"A report says about ε = 2: “Only {percentage(top_probability(2.0))} of"
                f" releases are the true top {K}.” What is wrong?",
                choices=(
                    "ε is too small",
                    "The mechanism is bad",
                    f"It asks for one of {EQUIVALENT} lists that are equally good",
                ),
                answer=(
                    2
                    if optimal_event_probability(2.0) >= ENOUGH
                    and top_probability(2.0) < 1 - ENOUGH
                    else 0
                ),
                because=result_sentence(2.0),
                mistakes=(
                    (
                        f"No ε is large enough. At ε = {EPSILONS[-1]:g} it is"
                        f" {percentage(top_probability(EPSILONS[-1]))}, and it never passes one in"
                        f" {EQUIVALENT}."
                    ),
                    (
                        f"Its list is as good in {percentage(optimal_event_probability(2.0))} of"
                        " releases. No mechanism that sees only scores can choose among tied books."
                    ),
                    "",
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="ties",
    title="When places tie",
    says="A list must end somewhere, and some books may tie there. Which list is right?",
    minutes=5,
    claims=(Claim("TOP can never pass one in", _never_past_its_share),),
    able=(
        "what more ε does for a list that ends in a tie",
        "what TOP and OPTIMAL mean",
        "which of the two to set a goal for",
    ),
    proved="By counting: a mechanism that sees only scores treats tied items alike. TOP: Shekelyan and"
    " Loukides 2022, Appendix A.2. OPTIMAL is this app's own.",
    build_steps=build_steps,
)

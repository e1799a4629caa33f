"""Order of queries in a sparse vector: answers above use up the budget for those that follow.

Source: Ding, Wang, Zhang & Kifer 2019, Algorithm 1; the exact law by one integral over the
threshold's noise.
"""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.gaps import SparseVector, simulate_run
from dpviz.gaps.sparse.run_replay import ThresholdRelease
from dpviz.studies import DataSpec, Scenario
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
from dpviz.teaching.lessons.lesson_helpers import is_within_factor, markdown_table, percentage
from dpviz.teaching.plays import sparse_vector_moves

EPSILON, THRESHOLD = 1.0, 20.0
BOOKS, NOVEL, OTHER = 20, 30.0, 15.0
PLACES = (1.0, 5.0, 10.0, 15.0, 20.0)
SAID_EARLY = 7  # the place of the yes that the last question is about


def reader_scores(novel_place: float, novel_readers: float = NOVEL) -> Scores:
    """Readers of every book in the order asked, the novel in this place."""
    values = np.full(BOOKS, OTHER)
    values[int(novel_place) - 1] = novel_readers
    return Scores(values, monotonic=True)


def build_sparse_vector(k: int = 1) -> SparseVector:
    """The mechanism, its budget made for k answers above."""
    return SparseVector(epsilon=EPSILON, k=k, threshold=THRESHOLD, monotonic=True)


@cache
def law(novel_place: float, k: int = 1) -> Floats:
    """Chances that the novel gets its yes, that it gets a no, and that the run ends before."""
    distribution, n = (
        build_sparse_vector(k).distribution(reader_scores(novel_place)),
        int(novel_place) - 1,
    )
    said, asked = distribution.answer_probabilities[n], distribution.reach_probabilities[n]
    return np.array([said, asked - said, 1.0 - asked])


def draw(novel_place: float, rng: Generator, size: int) -> Ints:
    """Runs, query by query, as the mechanism makes them."""
    made, scores = build_sparse_vector(), reader_scores(novel_place)
    plan, margins, bounds = made.plan, made.margins(scores), np.zeros(1)
    runs = (simulate_run(plan, scores, margins, bounds, rng) for _ in range(size))
    return np.fromiter((_came(run.release, int(novel_place)) for run in runs), np.int64, size)


def result_sentence(novel_place: float) -> str:
    yes, no, never = law(novel_place)
    return (
        f"In place {novel_place:.0f} the novel gets its yes in {percentage(yes)} of runs. It gets a no in"
        f" {percentage(no)}. In {percentage(never)} the run ends before."
    )


@cache
def yes_probability(query: int, novel_place: float, novel_readers: float) -> float:
    """Chance that a query gets its yes, with a book of this number of readers in this place."""
    law = build_sparse_vector().distribution(reader_scores(novel_place, novel_readers))
    return float(law.answer_probabilities[query - 1])


def _yes(case: Case, counts: Sequence[float]) -> Floats:
    """Chance of each place to get the only yes, and of none; the first count is the threshold."""
    made = SparseVector(epsilon=case.epsilon, k=1, threshold=float(case.counts[0]), monotonic=True)
    answered = made.distribution(Scores(counts, monotonic=True)).answer_probabilities
    return np.append(answered, 1.0 - answered.sum())


def _no_is_free(case: Case) -> bool:
    """After any number of noes, one person changes the chance of a result at most e^ε times."""
    return is_within_factor(
        _yes(case, case.counts),
        _yes(case, case.scores_with_person.values.tolist()),
        math.exp(case.epsilon),
    )


def _silence(case: Case) -> bool:
    """Counts after the place of the yes do not change its chance."""
    changed = (*case.counts[: case.k], *(40 - n for n in case.counts[case.k :]))
    return np.allclose(
        _yes(case, case.counts)[: case.k], _yes(case, changed)[: case.k], rtol=0, atol=SLACK
    )


def play(rng: Generator) -> Walkthrough:
    scores = reader_scores(BOOKS)
    run = simulate_run(
        build_sparse_vector().plan, scores, build_sparse_vector().margins(scores), np.zeros(1), rng
    )
    names = [*(f"Book {n}" for n in range(1, BOOKS)), "The novel"]
    moves = sparse_vector_moves(
        names, scores.values, THRESHOLD, float(run.thresholds[0]), run.noisy[0], run.release.answers
    )
    return Walkthrough(moves, _came(run.release, BOOKS))


def _came(release: ThresholdRelease, place: int) -> int:
    """Outcome for the novel in this place: its yes, a no, or the end of the run before."""
    return 0 if release.answers[place - 1] else 1 if release.asked > place - 1 else 2


def build_steps() -> tuple[Step, ...]:
    first, last = law(1), law(BOOKS)
    return (
        Step(
            "tell",
            "One yes is paid for",
            f"A library goes through a list of {BOOKS} books. It says for each if at least"
            f" {THRESHOLD:.0f} people have read it. One novel has {NOVEL:.0f} readers, and every"
            f" other book has {OTHER:.0f}. Only the novel is above the threshold.\n\nThe **sparse"
            " vector** adds noise to the threshold once, and new noise to each count. *No* costs"
            f" nothing, for any number of noes. *Yes* costs. The ε = {EPSILON:g} of this run pays"
            " for **one yes**. Then the run ends.",
            at_work=Demonstration("One run, book by book", play),
            formula=Formula(
                r"\text{yes}\iff\text{count}+\text{noise}\ge\text{threshold}+\text{noise}",
                "A book gets a yes if its noisy count is at least the noisy threshold.",
            ),
        ),
        Step(
            "predict",
            "The novel comes last",
            f"The novel is last on the list. With its {NOVEL:.0f} readers it is far above the"
            " threshold.",
            question=MultipleChoice(
                "How often does it get its yes?",
                (
                    "In nearly every run",
                    "In about three runs of four",
                    "In less than half of the runs",
                ),
                2 - int(np.searchsorted([0.6, 0.9], law(BOOKS)[0])),
                result_sentence(BOOKS),
                (
                    ("Each no before it costs nothing, but one yes by mistake ends the run."),
                    (
                        f"Before the novel {BOOKS - 1} books have a try. One of them gets the yes"
                        f" in {percentage(law(BOOKS)[2])} of runs."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "Move the novel",
            "Each run goes through the list until its one yes. Then move the novel to an earlier"
            " place.",
            experiment=Experiment(
                name="sparse vector",
                outcomes=("the novel gets its yes", "the novel gets a no", "the run ends before"),
                law=law,
                draw=draw,
                says=result_sentence,
                guess=GuessPrompt(
                    "The novel is last. In how many of 100 runs does it get its yes?"
                ),
                control=Control("place", "Place of the novel in the list", PLACES, 20.0),
            ),
        ),
        Step(
            "explain",
            "Who comes first",
            f"In place 1, a book of {OTHER:.0f} readers gets a wrong yes in"
            f" {percentage(yes_probability(1, 1, OTHER))} of runs. That is rare. But {BOOKS - 1}"
            f" such books before the novel have {BOOKS - 1} tries, all against the same noisy"
            f" threshold. In {percentage(last[2])} of runs one of them uses up the only yes. In the"
            f" first place the novel gets it in {percentage(first[0])} of runs, in the last place"
            f" in {percentage(last[0])}.\n\n"
            + markdown_table(
                ("Place of the novel", "Yes", "No", "Run ended before"),
                [(f"{place:.0f}", *(percentage(p) for p in law(place))) for place in PLACES],
            )
            + "\n\nCan the budget pay for three yeses instead of one? The same ε then means more"
            " noise for each. In the last place, the novel gets its yes in"
            f" {percentage(law(BOOKS, 3)[0])} of runs.\n\nSo ask first what matters"
            " most. Fix the order **before** you look at the counts. A list sorted by the counts"
            " reveals them by its order, and no ε covers that.",
            question=MultipleChoice(
                f"A run says yes to book {SAID_EARLY} and ends. What do we know about the books"
                " after it?",
                (
                    "They lie below the threshold",
                    f"They have fewer readers than book {SAID_EARLY}",
                    "Nothing",
                ),
                (
                    2
                    if abs(
                        yes_probability(SAID_EARLY, BOOKS, NOVEL)
                        - yes_probability(SAID_EARLY, BOOKS, OTHER)
                    )
                    < 1e-9
                    else 0
                ),
                f"The run ended at book {SAID_EARLY}, and nobody looked at the others. It ends"
                f" there with a chance of {percentage(yes_probability(SAID_EARLY, BOOKS, NOVEL))}."
                f" The chance is the same if the last book has {NOVEL:.0f} readers or {OTHER:.0f}."
                " Silence is not a no.",
                (
                    "They got neither a yes nor a no. Nobody asked about them.",
                    (
                        "The list is not sorted by readers. The first book that seems to reach the"
                        " threshold gets the yes, not the best one."
                    ),
                    "",
                ),
            ),
            way=PageLink(
                "gaps",
                "See the order of queries at work on 2,000 songs",
                Scenario(
                    data=DataSpec(name="song_listeners"),
                    epsilon=1.0,
                    k=10,
                    page={"gaps.half": "sparse_vector", "gaps.order": "ascending"},
                ),
            ),
        ),
    )


LESSON = Lesson(
    key="order_of_queries",
    title="Order in a sparse vector",
    says="There are twenty books and one yes. Does it matter which book comes first?",
    minutes=6,
    claims=(
        Claim("*No* costs nothing, for any number of noes.", _no_is_free),
        Claim(
            "So ask first what matters most",
            lambda case: bool(
                _yes(case, (case.counts[-1], *case.counts[:-1]))[0]
                >= _yes(case, case.counts)[-2] - SLACK
            ),
        ),
        Claim("Silence is not a no.", _silence),
    ),
    able=(
        "why a no is free in a sparse vector and a yes is not",
        "how the order of the questions changes the answers",
        "why a no differs from a question that was never asked",
    ),
    proved="Ding, Wang, Zhang & Kifer 2019, Algorithm 1 and its privacy proof. The laws are exact"
    " integrals.",
    build_steps=build_steps,
)

"""The best of K runs: its loss, and the cost of a private choice among candidates.

Symbols: K runs, each private at ε1 with its score; γ = the stop chance of random stopping.
Source: Liu & Talwar 2018, App B.1 (the pair, with randomised response in place of its laws and
without the candidate whose score is known), Thm 3.1 and 3.2.
"""

import math
from functools import cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, round_up
from dpviz.candidates import (
    CandidatePool,
    CandidateRule,
    KnownThreshold,
    RandomStopping,
    naive_best,
    naive_epsilon,
    naive_worst_pair,
)
from dpviz.privacy.loss_computation import privacy_loss
from dpviz.privacy.odds import posterior_bound
from dpviz.studies import Scenario
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
    Walkthrough,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table, percentage, two_outcome_law
from dpviz.teaching.plays import play_unprotected_best_run
from dpviz.topk import OneShot

EPSILON1 = 0.5
TRIES = (1.0, 2.0, 5.0, 10.0)
START = 5
STOP = 0.1
FROM = (3, 4)  # from how many runs on random stopping may be cheaper
RULES: tuple[CandidateRule, ...] = (
    RandomStopping(stop=STOP),
    KnownThreshold(threshold=0.9, stop=STOP, epsilon0=0.1),
)


@cache
def neighbouring_pools(
    tries: float, epsilon: float = EPSILON1
) -> tuple[CandidatePool, CandidatePool]:
    """Runs without her and with her, each private at ε; the steady candidate is left out."""
    without, with_her = (
        CandidatePool(pool.candidates[1:]) for pool in naive_worst_pair(int(tries), epsilon)
    )
    return without, with_her


@cache
def law(tries: float, with_her: bool = True) -> Floats:
    """Chances that the best run, which is published, is poor or good."""
    return two_outcome_law(float(naive_best(neighbouring_pools(tries)[with_her]).score_law.mass[0]))


def draw_function(with_her: bool) -> Draw:
    """Sampler of releases: every run is made, and the best is published."""

    def draw(tries: float, rng: Generator, size: int) -> Ints:
        pool = neighbouring_pools(tries)[with_her]
        runs = np.stack([one.sample(rng, size) for one in pool.candidates])
        return np.asarray(runs.max(0) > pool.score_levels[0], np.int64)

    return draw


def naive_best_run_loss(tries: float) -> float:
    """Logarithm of how many times as likely a poor best run is with her."""
    return math.log(float(law(tries)[0]) / float(law(tries, False)[0]))


def posterior_after_poor_best(tries: float) -> float:
    """Belief, 1/2 before, that she is in the data once the best run is poor."""
    yes, no = float(law(tries)[0]), float(law(tries, False)[0])
    return yes / (yes + no)


@cache
def rule_loss(rule_index: int, tries: float) -> float:
    """Largest privacy loss of a rule with her and without her."""
    return privacy_loss(RULES[rule_index], *neighbouring_pools(tries)).largest


def result_sentence(tries: float) -> str:
    yes, no = float(law(tries)[0]), float(law(tries, False)[0])
    runs = "1 run" if tries == 1 else f"{tries:.0f} runs"
    return (
        f"With {runs}, the best is poor in {percentage(yes)} of releases with her. Without her it"
        f" is in {percentage(no)}. That is {yes / no:.3g} times as often, and"
        f" e^{tries * EPSILON1:g} is {math.exp(tries * EPSILON1):.3g}."
    )


def break_even_tries() -> int:
    """Smallest number of runs at which the best of all costs more than random stopping."""
    total = RULES[0].total_epsilon(EPSILON1)[0]
    return next(tries for tries in range(1, 100) if naive_epsilon(tries, EPSILON1) > total + 1e-12)


def _adds_up(case: Case) -> bool:
    pools = neighbouring_pools(case.k, case.epsilon)
    one, other = (naive_best(world).score_law.mass[0] for world in pools)
    return abs(abs(math.log(one / other)) - case.k * case.epsilon) < 1e-6


def _stays_at_three(case: Case) -> bool:
    loss = privacy_loss(RULES[0], *naive_worst_pair(case.k, case.epsilon))
    return loss.largest <= 3 * case.epsilon + SLACK


def largest_posterior(case: Case, prior: float) -> float:
    """Largest belief, from a prior one, that a release of that ε leaves of somebody's presence."""
    laws = [
        OneShot(epsilon=case.epsilon, k=1).distribution(scores)
        for scores in (case.scores_with_person, case.scores)
    ]
    log_with_her, log_without = (
        np.array([law.log_probability([item]) for item in range(len(case.counts))]) for law in laws
    )
    return float((prior / (prior + (1 - prior) * np.exp(log_without - log_with_her))).max())


def play(rng: Generator) -> Walkthrough:
    pool = neighbouring_pools(START)[True]
    runs = np.array([one.sample(rng, 1)[0] for one in pool.candidates])
    played = play_unprotected_best_run([f"Run {n}" for n in range(1, START + 1)], runs)
    return Walkthrough(played.moves, int(runs.max() > pool.score_levels[0]))


def build_steps() -> tuple[Step, ...]:
    nothing = RULES[1].distribution(neighbouring_pools(START)[1]).incomplete_list_probability
    bad, bad_with_her = (
        float(neighbouring_pools(1)[with_her].candidates[0].mass[0]) for with_her in (False, True)
    )
    stopping, even = RULES[0].total_epsilon(EPSILON1)[0], break_even_tries()
    known = RULES[1].total_epsilon(EPSILON1)[0]
    return (
        Step(
            "tell",
            "Only the best is published",
            "A clinic trains a model privately on the data of its patients. Every training run gets"
            f" noise. One run with its score costs ε = {EPSILON1:g}. The clinic makes {START} runs,"
            " each with other settings. It publishes **only the best run** and its"
            " score.\n\nSuppose that one person makes each run a little worse. A good run has a"
            f" score of 0.95. Its chance is {percentage(1 - bad)} without her and"
            f" {percentage(1 - bad_with_her)} with her. A poor run has 0.80. Its chance is"
            f" {percentage(bad)} without her and {percentage(bad_with_her)} with her. ε ="
            f" {EPSILON1:g} allows no more than this.",
            at_work=Demonstration("One run after the other", play),
        ),
        Step(
            "predict",
            f"{START} runs are made",
            f"The clinic makes {START} runs at ε = {EPSILON1:g} each. The best of them is"
            " published. It is poor.",
            question=MultipleChoice(
                "What does this release cost?",
                (
                    f"ε = {EPSILON1:g}: only one run is published",
                    "ε = 1: one run is published and one choice is made",
                    f"ε = {START * EPSILON1:g}: every run is charged",
                ),
                int(
                    np.argmin(
                        np.abs(
                            np.array([EPSILON1, 1.0, START * EPSILON1]) - naive_best_run_loss(START)
                        )
                    )
                ),
                f"{result_sentence(START)} An attacker who was 50 % sure that she is in is now"
                f" {percentage(posterior_after_poor_best(START))} sure. After one release of ε ="
                f" {EPSILON1:g}, nobody with that start is more than"
                f" {percentage(round_up(posterior_bound(0.5, EPSILON1)))} sure.",
                (
                    f"One run is published, but the choice looked at all {START}.",
                    (
                        f"The choice is not just one more run. It looks at all {START}, and each of"
                        " them counts."
                    ),
                    "",
                ),
            ),
        ),
        Step(
            "run",
            "Publish the best",
            "Each release makes all runs and publishes the best. Compare releases with her in the"
            " data and without her.",
            experiment=Experiment(
                name="with her",
                outcomes=("the best run is poor", "the best run is good"),
                law=law,
                draw=draw_function(with_her=True),
                says=result_sentence,
                guess=GuessPrompt(
                    f"{START} runs are made, with her in the data. In how many of 100 releases is"
                    " the best run poor?"
                ),
                control=Control("tries", "Runs that are made", TRIES, float(START)),
                beside=(
                    ComparedLaw(
                        "without her",
                        lambda tries: law(tries, False),
                        draw_function(with_her=False),
                    ),
                ),
            ),
        ),
        Step(
            "explain",
            "What the other runs reveal",
            "The best run is poor only if **every** run is poor. She makes each of them poor e^ε"
            f" times as often. The runs are independent. So {START} of them together change a"
            f" chance e^{START * EPSILON1:g} = {math.exp(START * EPSILON1):.3g} times. Only one run"
            " is published, but the choice looked at all of them. So **every run is charged**: the"
            " best of K runs costs K·ε.\n\nA private choice can cost less if chance decides the"
            " number of runs. **Random stopping** tosses a coin after each run. If the coin says"
            f" stop, it publishes the best run so far. It costs 3ε = {stopping:g} for any number of"
            " settings. **Known threshold** needs a score that is known to be good enough. It stops"
            " at the first run that reaches this score. It costs 2ε and a little more, here"
            f" {known:g}.\n\n"
            + markdown_table(
                (
                    "Runs",
                    "Best of all",
                    "Belief that she is in",
                    "Random stopping",
                    "Known threshold",
                ),
                [
                    (
                        f"{tries:.0f}",
                        f"{naive_best_run_loss(tries):.2f}",
                        percentage(posterior_after_poor_best(tries)),
                        f"{rule_loss(0, tries):.2f}",
                        f"{rule_loss(1, tries):.2f}",
                    )
                    for tries in TRIES
                ],
            )
            + "\n\nThe belief is that of an attacker who was 50 % sure before. The other columns are"
            " the largest privacy losses in this example. The prices above hold for all data. A"
            " coin that stops early or late hides how many runs were poor. This has a price: some"
            " settings are never tried, and sometimes the best is not found. Known threshold may"
            " find no good run and publish nothing. With her in the data this happens in"
            f" {percentage(nothing)} of releases.",
            formula=Formula(
                r"\varepsilon_{\text{best of all}}=\text{runs}\times\varepsilon_{\text{one run}}",
                "The epsilon of the best of all is the number of runs times the epsilon of one"
                " run.",
            ),
            question=MultipleChoice(
                f"Each run costs ε = {EPSILON1:g}. From how many runs on does random stopping cost"
                " less than the best of all?",
                (*(f"From {tries}" for tries in FROM), ("Never, as it costs three times as much")),
                (FROM.index(break_even_tries()) if break_even_tries() in FROM else len(FROM)),
                f"The best of K costs {EPSILON1:g}·K. Random stopping costs"
                f" {RULES[0].total_epsilon(0.5)[0]:g} for every K. Both are equal at"
                f" {break_even_tries() - 1} runs. From {break_even_tries()} on, random stopping"
                " costs less.",
                (
                    *(
                        f"With {tries} runs the best of all costs"
                        f" {naive_epsilon(tries, EPSILON1):g}, and random stopping costs the same"
                        f" {stopping:g}."
                        for tries in FROM
                    ),
                    (
                        f"It costs {stopping / EPSILON1:g} times as much as one run. The best of"
                        f" all costs one ε for each run. With {even} of them it is"
                        f" {naive_epsilon(even, EPSILON1):g}, and random stopping costs"
                        f" {stopping:g}."
                    ),
                ),
            ),
            way=PageLink(
                "candidates", "Try the rules on private models", Scenario(page={"pc.view": "price"})
            ),
        ),
    )


LESSON = Lesson(
    key="best_of_many_runs",
    title="Only the best of many runs",
    says="Somebody makes many runs and publishes only the best one. What does that cost?",
    minutes=8,
    claims=(
        Claim("the best of K runs costs K·ε", _adds_up),
        Claim("for any number of settings", _stays_at_three),
        Claim(
            "nobody with that start is more than",
            lambda case: largest_posterior(case, 0.5) <= posterior_bound(0.5, case.epsilon) + SLACK,
        ),
    ),
    able=(
        "what the best of K private runs costs, and why",
        "two other ways to choose among private runs, and their price",
        "what such a choice loses",
    ),
    proved="Liu & Talwar 2018, App B.1 (Kε is needed), Theorem 3.2 (3ε) and Theorem 3.1 (2ε and a"
    " little more).",
    build_steps=build_steps,
)

"""Gaps in words and charts: why the gaps of the release shown cost nothing."""

from dataclasses import replace

import numpy as np

from dpviz.base import Scores
from dpviz.charts import Chart, Look, number_text
from dpviz.charts.gaps.alignment import alignment_chart
from dpviz.gaps.alignment import align_every_noise, align_run, align_top_k
from dpviz.pages.gaps.study import GapWorthStudy, QueryStudy
from dpviz.privacy.neighbours import move_scores

TITLE = "Why the gaps cost nothing: the noise that would have to move"
WORDS = (
    "One person changes every second score. Could the same release come from her world? It could,"
    " with slightly different noise. Only published items and the threshold need new noise."
    " The prices of these moves add up to ε at most."
)
_SHOWN, _MOST = 12, 40


def change_every_second(scores: Scores) -> Scores:
    """The scores with one more person: every second rises, and the others fall if they may."""
    odd = scores.rank % 2 == 1
    return move_scores(scores, np.where(odd, 0.0 if scores.same_direction else -1.0, 1.0))


def top_k_alignment_chart(study: GapWorthStudy, look: Look) -> Chart:
    """Noises of the release of the scenario's seed: of the winners, and of the next items."""
    scores, mechanism = study.scores, study.mechanism.replace(noise="laplace")
    rng, other = np.random.default_rng(study.scenario.seed), change_every_second(scores)
    noise = rng.laplace(scale=mechanism.scale(scores), size=scores.d)
    found = align_top_k(mechanism, scores, other, noise)
    shown = np.argsort(-(scores.values + noise), kind="stable")[
        : min(max(_SHOWN, study.k + 2), _MOST)
    ]
    chart = alignment_chart(
        [scores.label(i) for i in shown.tolist()],
        (other.values - scores.values)[shown],
        found.shifts[shown],
        found.costs[shown],
        found.total,
        mechanism.epsilon,
        look=look,
    )
    every = number_text(align_every_noise(mechanism, scores, other).total)
    return replace(
        chart,
        says_now=f"{chart.says_now} A careless proof moves every noise back, for ε = {every}.",
    )


def run_alignment_chart(study: QueryStudy, look: Look) -> Chart:
    """Noises of the run shown: of the threshold, of every answer, and of the first queries."""
    mechanism, scores = study.mechanisms["adaptive"], study.ordered_queries
    rng, other = np.random.default_rng(study.scenario.seed), change_every_second(scores)
    threshold = np.append(rng.laplace(scale=1 / mechanism.epsilon0), np.zeros(scores.d - 1))
    queries = [rng.laplace(scale=1 / test.rate, size=scores.d) for test in mechanism.branches()]
    found = align_run(mechanism, scores, other, np.array([threshold, *queries]))
    shifts, costs = found.shifts[1:].sum(0), found.costs[1:].sum(0)
    shown = np.union1d(np.flatnonzero(costs), np.arange(min(_SHOWN, scores.d)))[:_MOST]
    return alignment_chart(
        ["the threshold", *(scores.label(i) for i in shown.tolist())],
        np.append(0.0, (other.values - scores.values)[shown]),
        np.append(found.shifts[0, 0], shifts[shown]) * scores.sensitivity,
        np.append(found.costs[0, 0], costs[shown]),
        found.total,
        mechanism.epsilon,
        look=look,
    )

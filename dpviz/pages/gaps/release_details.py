"""Gaps in words and charts: why gaps cost nothing, and one query of a sparse vector's release."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dpviz.base import Scores
from dpviz.charts import Chart, Look, count_text, number_text, percent, stated_percent_text
from dpviz.charts.gaps.alignment import alignment_chart
from dpviz.gaps import ThresholdReplay
from dpviz.gaps.alignment import align_every_noise, align_run, align_top_k
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.pages.common import format_four_digits
from dpviz.pages.gaps.study import GapWorthStudy, QueryStudy
from dpviz.privacy.neighbours import move_scores
from dpviz.studies import read_if_ready

ALIGNMENT_TITLE = "Why the gaps cost nothing: the noise that would have to move"
ALIGNMENT_WORDS = (
    "One person changes every second score. Could the same release come from her world? It could,"
    " with slightly different noise. Only published items and the threshold need new noise."
    " The prices of these moves add up to ε at most."
)
_SHOWN, _MOST = 12, 40


def alternating_neighbour(scores: Scores) -> Scores:
    """The scores with one more person: every second rises, and the others fall if they may."""
    odd = scores.rank % 2 == 1
    return move_scores(scores, np.where(odd, 0.0 if scores.same_direction else -1.0, 1.0))


def top_k_alignment_chart(study: GapWorthStudy, look: Look) -> Chart:
    """Noises of the release of the scenario's seed: of the winners, and of the next items."""
    scores, mechanism = study.scores, study.mechanism.replace(noise="laplace")
    rng, other = np.random.default_rng(study.scenario.seed), alternating_neighbour(scores)
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
    rng, other = np.random.default_rng(study.scenario.seed), alternating_neighbour(scores)
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


_HIDDEN = "hidden"


class NamedValue(NamedTuple):
    """A name, its value and a small remark; an important one is `strong`."""

    name: str
    value: str
    remark: str = ""
    strong: bool = False


def query_details(
    study: QueryStudy, mechanism_name: str, replay: ThresholdReplay, query_number: int
) -> list[NamedValue]:
    i, mechanism = query_number - 1, study.mechanisms[mechanism_name]
    used = int(replay.units[i])
    end = NamedValue("then", f"the release ends: {_why_it_ends(mechanism, used)}")
    return [
        NamedValue("true score", number_text(float(study.ordered_queries.values[i])), _HIDDEN),
        *_compared(mechanism, replay, i),
        *_answer(study, mechanism_name, replay, i),
        NamedValue("units used", f"{used:,} of {mechanism.units:,}"),
        NamedValue(
            "ε so far",
            f"{format_four_digits(mechanism.plan.epsilon_spent(used))} of {mechanism.epsilon:.10g}",
        ),
        *([end] if query_number == replay.release.asked else []),
    ]


def _compared(mechanism: ThresholdMechanism, replay: ThresholdReplay, i: int) -> list[NamedValue]:
    """Noisy values and the thresholds they were compared with."""
    signs = ["≥" if replay.branch[i] == at else "<" for at in range(len(mechanism.branch_names))]
    return [
        NamedValue(
            "noisy" if len(signs) == 1 else f"noisy, {branch}",
            f"{format_four_digits(replay.noisy[at, i])} {signs[at]} {format_four_digits(replay.thresholds[at])}",
            _HIDDEN,
        )
        for at, branch in enumerate(mechanism.branch_names)
        if not np.isnan(replay.noisy[at, i])
    ]


def _answer(study: QueryStudy, which: str, replay: ThresholdReplay, i: int) -> list[NamedValue]:
    mechanism, release, j = study.mechanisms[which], replay.release, int(replay.branch[i])
    if j < 0:
        return [NamedValue("answer", "no: nothing is spent")]
    at = int(np.searchsorted(release.items, i))
    branch = f"{mechanism.branch_names[j]} branch" if which == "adaptive" else ""
    often = read_if_ready(lambda: study.coverage[which].coverage_after_answer[j, i])
    if often is None:
        after = NamedValue("", "…", "given the answer")
    elif np.ma.is_masked(often):
        after = NamedValue("", "too rare to compute", "given the answer")
    else:
        after = NamedValue("", percent(float(often)), "given the answer", strong=True)
    return [
        NamedValue("answer", "yes", branch, strong=True),
        NamedValue("gap", format_four_digits(release.gaps[at]), strong=True),
        NamedValue("lower bound", format_four_digits(release.lower_bounds[at])),
        NamedValue(
            "bound holds",
            f"at least {stated_percent_text(study.settings.confidence)}",
            "before the answer",
        ),
        after,
        NamedValue(
            "cost",
            f"{count_text(mechanism.branches()[j].cost, 'unit')} of ε {format_four_digits(mechanism.unit_epsilon)}",
        ),
    ]


def _why_it_ends(mechanism: ThresholdMechanism, used: int) -> str:
    left = mechanism.units - used
    if left >= max(test.cost for test in mechanism.branches()):
        return "every query was asked"
    return (
        "the budget is used up"
        if left == 0
        else f"the remaining {count_text(left, 'unit')} cannot pay for the next answer"
    )

"""Top-k on real vectors: utility curves of five mechanisms, and the ε that each needs.

Symbols: TOP, OPTIMAL, GREAT, GOOD as in `dpviz.topk.classes`; where scores tie at rank k, OPTIMAL
stands first.
Source: Shekelyan & Loukides 2022, Section 7.1, Figures 1 and 5–10, A.2 (its settings).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base import Scores
from dpviz.charts.topk.utility_curves import crossing_epsilon, utility_curves_chart
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.report_jobs import (
    ReportJob,
    Results,
    ScoreVector,
    VectorFolder,
    epsilons_with_multiples,
    format_probability,
)
from dpviz.studies import PROBABILITIES, Design
from dpviz.topk import EVENTS, FigureCurve, Goal, TopKMechanism, smallest_epsilon, utility_curves

KS = (10, 100, 1000)
DESIGNS: Mapping[str, Design] = {
    "canonical": Design(),
    "canonical γ=1": Design(parameters={"gamma": 1.0}),
    "one-shot exponential": Design(mechanism="one_shot", parameters={"noise": "exponential"}),
    "peeling": Design(mechanism="peeling"),
    "one-shot laplace": Design(mechanism="one_shot", parameters={"noise": "laplace"}),
}
_RANGE = (1e-5, 1e5)  # of ε
_CLOSE = 1e-4  # of an ε of the table, relative

_CHECKED_LABELS = ("canonical", "peeling", "one-shot exponential")
CHECKED = (
    (100, 0.5, ("0.050", "1.99", "1.27")),
    (1000, 0.5, ("0.409", "90.3", "64.4")),
    (1000, 0.99, ("0.671", "313", "267")),
)
"""k, probability of TOP, and ε of canonical, peeling and one-shot exponential on netflix, found
before by another implementation and agreed with by 1,500 draws.
"""


@dataclass(frozen=True, eq=False)
class CurveResult:
    """The curves of one design, and the smallest ε by event and probability (inf where not
    reached).
    """

    curves: tuple[FigureCurve, ...]
    needs: Mapping[tuple[str, float], float]


@dataclass(frozen=True, kw_only=True, eq=False)
class CurveJob(ReportJob):
    """One design at one k on one vector: its curves, and its ε table where `needs` is asked for."""

    scores: Scores
    design: Design
    k: int
    events: tuple[str, ...]
    needs: bool = True

    @property
    def expected_seconds(self) -> float:
        """One-shot laws cost the most."""
        slow = {"canonical": 2.5, "peeling": 2.5}.get(self.design.mechanism, 3.0)
        return float(slow * (0.2 + self.scores.d / 5000) * (self.k + 30) ** 0.3) / 90

    def run(self) -> CurveResult:
        """The curves and the table."""
        low, high = _RANGE
        mechanism = self.design.build(1.0, self.k)
        curves = utility_curves(mechanism, self.scores, events=self.events, low=low, high=high)
        wanted = [(curve, p) for curve in curves for p in PROBABILITIES if self.needs]
        needs = {
            (curve.event, p): curve_smallest_epsilon(mechanism, self.scores, curve, p)
            for curve, p in wanted
        }
        return CurveResult(curves, needs)


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallestEpsilonJob(ReportJob):
    """The smallest ε for TOP, by `smallest_epsilon`, of one design at one k."""

    scores: Scores
    design: Design
    k: int
    probability: float

    @property
    def expected_seconds(self) -> float:
        """Some 25 laws."""
        return 0.1

    def run(self) -> float:
        """The ε."""
        return smallest_epsilon(
            self.design.build(1.0, self.k), self.scores, probability=self.probability
        )


def curve_smallest_epsilon(
    mechanism: TopKMechanism, scores: Scores, curve: FigureCurve, probability: float
) -> float:
    """The smallest ε on the curve's range, to a ten-thousandth, that meets the goal; inf where none
    does.

    As `smallest_epsilon`, from the curve's nodes: their values are the law's own, so they hold the
    crossing between them, and what the curve says in between is where to look first.
    """
    met = np.flatnonzero(curve.low >= probability)
    if len(met) == 0:
        return math.inf
    if met[0] == 0:
        return float(curve.x[0])
    goal = Goal(probability=probability, event=curve.event)
    low, high = (float(e) for e in curve.x[met[0] - 1 : met[0] + 1])
    guess = crossing_epsilon(curve, probability)
    looks = iter((guess * (1 + _CLOSE / 3), guess * (1 - _CLOSE / 3)))
    while high > low * (1 + _CLOSE):
        at = next(looks, math.sqrt(low * high))
        if low < at < high:
            if goal.surplus(mechanism.replace(epsilon=at).distribution(scores)) >= 0:
                high = at
            else:
                low = at
    return high


def report_events(scores: Scores, k: int) -> tuple[str, ...]:
    """What is drawn, the main event first: OPTIMAL takes TOP's place where scores tie at rank k."""
    tied = scores.tie_counts(k)[1] > k
    return ("optimal", "top", "great", "good") if tied else ("top", "great", "good")


def checked_value_jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    """The values checked."""
    return (job for job, _, _ in _checked(folder))


def _checked(folder: VectorFolder) -> Iterator[tuple[SmallestEpsilonJob, str, str]]:
    """The job for each value checked, with its mechanism and the value as it is known."""
    netflix = folder.get("netflix")
    if netflix is not None and netflix.scores.d > max(KS):
        for k, probability, known in CHECKED:
            for label, value in zip(_CHECKED_LABELS, known, strict=True):
                job = SmallestEpsilonJob(
                    scores=netflix.scores, design=DESIGNS[label], k=k, probability=probability
                )
                yield job, label, value


def vectors_with_k(folder: VectorFolder) -> Iterator[tuple[ScoreVector, int]]:
    """Each vector with each k that leaves something to select."""
    return ((vector, k) for vector in folder.vectors for k in KS if k < vector.scores.d)


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    """All the curves of the section."""
    return (
        _job(vector, k, design)
        for vector, k in vectors_with_k(folder)
        for design in DESIGNS.values()
    )


def _job(vector: ScoreVector, k: int, design: Design) -> CurveJob:
    return CurveJob(
        scores=vector.scores, design=design, k=k, events=report_events(vector.scores, k)
    )


def curve_results(vector: ScoreVector, k: int, results: Results) -> dict[str, CurveResult]:
    """What was computed for a vector and k, by design."""
    return {label: results[_job(vector, k, design).key] for label, design in DESIGNS.items()}


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """Figures and tables, vector by vector."""
    page.add_heading("Top-k on real score vectors")
    page.add_paragraph(
        "Each figure gives, for one vector and one k, the probability that a mechanism returns"
        " exactly the true top k (TOP), a set hardly worse (GREAT: the first tenth of it complete,"
        " nothing beyond rank k + k/10) or one near it (GOOD: the first hundredth complete, nothing"
        " beyond rank k + k/2), against the total privacy budget ε of one release. Where scores tie"
        " at rank k, which of them count as the top k is arbitrary: there OPTIMAL, any set with the"
        " same scores, stands first."
    )
    page.add_paragraph(
        "Settings as in Shekelyan & Loukides 2022, A.2: counts, neighbours differ by one person"
        " added or removed, so Δ = 1 acts as ½; canonical and peeling with gumbel noise, peeling"
        " being k rounds of the exponential mechanism with ε/k each; one-shot with exponential"
        " noise (permute-and-flip for k = 1), and here with laplace noise too. The paper drew"
        " one-shot and peeling from 10,000 samples a point; here every law is computed."
    )
    for vector in folder.vectors:
        page.add_heading(f"{vector.name}: {vector.scores.d:,} items", level=3)
        if vector.meaning:
            page.add_paragraph(f"Counts: {vector.meaning}.")
        left = [k for k in KS if k >= vector.scores.d]
        if left:
            words = " and ".join(f"k = {k:,}" for k in left)
            page.add_paragraph(
                f"{words} left out: {vector.name} has only {vector.scores.d:,} items.", kind="note"
            )
        for k in KS:
            if k < vector.scores.d:
                _write_one(page, vector, k, results)


def _write_one(page: ReportPage, vector: ScoreVector, k: int, results: Results) -> None:
    by_design = curve_results(vector, k, results)
    chart = utility_curves_chart({label: result.curves for label, result in by_design.items()})
    page.add_chart(chart, title=f"{vector.name}, k = {k:,}")
    a, b = vector.scores.tie_counts(k)
    if b > k:
        page.add_paragraph(
            f"Ranks {a + 1:,} to {b:,} tie: {k - a:,} of these {b - a:,} items belong to the top"
            f" {k:,}, whichever.",
            kind="note",
        )
    table = smallest_epsilon_table(by_design)
    first = table["figure"] == table["figure"].iloc[0]
    page.add_table(
        table[first],
        caption=(
            f"Smallest ε for {vector.name}, k = {k:,}; in brackets how many times that of the best."
        ),
    )
    page.add_table(table[~first], caption="The same for the other figures", folded=True)


def smallest_epsilon_table(by_design: Mapping[str, CurveResult]) -> pd.DataFrame:
    """One row an event and probability, one column a design: ε and its multiple of the best."""
    goals = next(iter(by_design.values())).needs
    return pd.DataFrame(
        {"figure": EVENTS[event].label, "reached in": format_probability(p)}
        | epsilons_with_multiples(epsilon_by_design(by_design, event, p))
        for event, p in goals
    )


def epsilon_by_design(
    by_design: Mapping[str, CurveResult], event: str, probability: float
) -> dict[str, float]:
    """The smallest ε for one goal, by design."""
    return {label: result.needs[event, probability] for label, result in by_design.items()}


def write_checked_values(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """The values known from another implementation, beside those of this run."""
    page.add_heading("Checked values")
    rows = [
        {
            "k": f"{job.k:,}",
            "P(TOP) ≥": format_probability(job.probability),
            "mechanism": label,
            "known": before,
            "this run": f"{results[job.key]:.6g}",
            "agree": "yes"
            if f"{results[job.key]:.{len(before.partition('.')[2])}f}" == before
            else "no",
        }
        for job, label, before in _checked(folder)
    ]
    if not rows:
        page.add_paragraph(
            "The values known from before are for netflix.csv, which the folder does not hold.",
            kind="note",
        )
        return
    table = pd.DataFrame(rows)
    agree = (
        "All values agree."
        if (table["agree"] == "yes").all()
        else "Not all values agree: see below."
    )
    page.add_paragraph(
        "The smallest ε for TOP on netflix.csv was computed before by another implementation and"
        f" agreed with a simulation of 1,500 draws. {agree}"
    )
    page.add_table(
        table, caption="Smallest ε on netflix, known before and in this run.", strong=("this run",)
    )

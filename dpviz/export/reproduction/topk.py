"""Top-k on real vectors: utility curves of mechanisms and noises, and the ε that each needs.

Where scores tie at rank k, OPTIMAL stands first.
Source: Shekelyan & Loukides 2022, Section 7.1, Figures 1 and 4–10, A.2 (its settings).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from dpviz.base import NOISES, Floats, Scores
from dpviz.charts import join_with_and, stated_percent_text
from dpviz.charts.topk.utility_curves import crossing_epsilon, utility_curves_chart
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.report_jobs import ReportJob, Results, ScoreVector, VectorFolder
from dpviz.export.reproduction.report_text import epsilons_with_multiples, format_epsilon
from dpviz.studies import PROBABILITIES, Design
from dpviz.topk import EVENTS, FigureCurve, Goal, TopKMechanism, smallest_epsilon, utility_curves

KS = (10, 100, 1000)
NOISE_KS = (1, 10, 100, 1000)
DESIGNS: Mapping[str, Design] = {
    "canonical": Design(),
    "canonical γ=1": Design(parameters={"gamma": 1.0}),
    "one-shot exponential": Design(mechanism="one_shot", parameters={"noise": "exponential"}),
    "peeling": Design(mechanism="peeling"),
    "one-shot laplace": Design(mechanism="one_shot", parameters={"noise": "laplace"}),
}
_FAMILIES = {"one_shot": "one-shot", "canonical": "canonical"}  # with all noises
_RANGE = (1e-5, 1e5)  # of ε
_CLOSE = 1e-4  # of an ε of the table, relative
_GOAL = 0.9  # of the summary

_CHECKED_LABELS = ("canonical", "peeling", "one-shot exponential")
CHECKED = (
    (100, 0.5, ("0.050", "1.99", "1.27")),
    (1000, 0.5, ("0.409", "90.3", "64.4")),
    (1000, 0.99, ("0.671", "313", "267")),
)
"""k, P(TOP), and ε on netflix of `_CHECKED_LABELS` by another implementation and 1,500 draws."""


@dataclass(frozen=True, eq=False)
class CurveResult:
    """The curves of one design; the smallest ε by curve and probability, inf where not reached."""

    curves: Sequence[FigureCurve]
    needs: Floats  # shape (curves, probabilities), or (0,)

    def needed_epsilon(self, event: str, probability: float) -> float:
        row = [curve.event for curve in self.curves].index(event)
        return float(self.needs[row, PROBABILITIES.index(probability)])


def compute_curves(
    scores: Scores, design: Design, k: int, events: tuple[str, ...], needs: bool = True
) -> CurveResult:
    """The curves of one design at one k on one vector, and its ε table where `needs`."""
    low, high = _RANGE
    mechanism = design.build(1.0, k)
    curves = utility_curves(mechanism, scores, events=events, low=low, high=high)
    least = [
        [curve_smallest_epsilon(mechanism, scores, curve, p) for p in PROBABILITIES]
        for curve in (curves if needs else ())
    ]
    return CurveResult(curves, np.array(least))


def curve_smallest_epsilon(
    mechanism: TopKMechanism, scores: Scores, curve: FigureCurve, probability: float
) -> float:
    """The smallest ε on the curve's range, to a ten-thousandth, that meets the goal; else inf.

    The curve's nodes are the law's own values, so they hold the crossing between them.
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
            if goal.certain_surplus(mechanism.replace(epsilon=at).distribution(scores)) >= 0:
                high = at
            else:
                low = at
    return high


def report_events(scores: Scores, k: int) -> tuple[str, ...]:
    """The events drawn, the main one first: OPTIMAL where scores tie at rank k, else TOP."""
    tied = scores.tie_counts(k).at_or_above > k
    return ("optimal", "top", "great", "good") if tied else ("top", "great", "good")


def curve_jobs(
    scores: Scores,
    k: int,
    designs: Mapping[str, Design],
    events: tuple[str, ...],
    *,
    needs: bool = True,
) -> dict[str, ReportJob]:
    def seconds(design: Design) -> float:
        slow = 2.5 if design.mechanism in ("canonical", "peeling") else 3.0  # one-shot costs most
        return float(slow * (0.2 + scores.d / 5000) * (k + 30) ** 0.3) / 90

    return {
        label: ReportJob(
            compute_curves,
            {"scores": scores, "design": design, "k": k, "events": events, "needs": needs},
            seconds(design),
        )
        for label, design in designs.items()
    }


def _vector_jobs(vector: ScoreVector, k: int) -> dict[str, ReportJob]:
    return curve_jobs(vector.scores, k, DESIGNS, report_events(vector.scores, k))


def curve_results(jobs: Mapping[str, ReportJob], results: Results) -> dict[str, CurveResult]:
    return {label: results[job.key] for label, job in jobs.items()}


def write_curves_chart(page: ReportPage, by_label: Mapping[str, CurveResult], title: str) -> None:
    curves = {label: result.curves for label, result in by_label.items()}
    page.add_chart(utility_curves_chart(curves), title=title)


def _epsilon_at(
    by_label: Mapping[str, CurveResult], event: str, probability: float
) -> dict[str, float]:
    return {label: one.needed_epsilon(event, probability) for label, one in by_label.items()}


def smallest_epsilon_table(by_label: Mapping[str, CurveResult], k: int) -> pd.DataFrame:
    """One row an event and probability: ε of each design, its multiple of the best; the best."""
    rows, first = [], next(iter(by_label.values()))
    for event, probability in product([curve.event for curve in first.curves], PROBABILITIES):
        at = _epsilon_at(by_label, event, probability)
        goal = {"figure": EVENTS[event].label, "reached in": stated_percent_text(probability)}
        best = {"best": min(at, key=at.__getitem__)}
        rows.append({"k": f"{k:,}"} | goal | epsilons_with_multiples(at) | best)
    return pd.DataFrame(rows)


# The mechanisms on every vector


def _vectors_with_k(folder: VectorFolder) -> Iterator[tuple[ScoreVector, int]]:
    return ((vector, k) for vector in folder.vectors for k in KS if k < vector.scores.d)


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    for vector, k in _vectors_with_k(folder):
        yield from _vector_jobs(vector, k).values()


def write_summary(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """Write the ε of each mechanism for the main event, vector by vector."""
    rows: list[dict[str, str]] = []
    multiples: list[float] = []
    for vector, k in _vectors_with_k(folder):
        event = report_events(vector.scores, k)[0]
        at = _epsilon_at(curve_results(_vector_jobs(vector, k), results), event, _GOAL)
        about = {"vector": vector.name, "k": f"{k:,}", "figure": EVENTS[event].label}
        rows.append(about | epsilons_with_multiples(at))
        ours = min(e for label, e in at.items() if label.startswith("canonical"))
        theirs = min(e for label, e in at.items() if not label.startswith("canonical"))
        if math.isfinite(ours) and math.isfinite(theirs):
            multiples.append(theirs / ours)
    page.add_heading("In short")
    page.add_paragraph(
        "The smallest total ε with which each mechanism returns the true top k in 90\u202f% of"
        " its releases. If scores tie at rank k, it is OPTIMAL, any set with the same scores.",
        f"The best of peeling and the one-shot mechanisms needs {format_epsilon(min(multiples))} to"
        f" {format_epsilon(max(multiples))} times the ε of the better of the canonical ones."
        if multiples
        else "",
    )
    page.add_table(
        pd.DataFrame(rows),
        caption="Smallest ε for 90\u202f%; in brackets how many times that of the best in the row.",
    )


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    page.add_heading("Top-k on real score vectors")
    page.add_paragraph(
        "Each figure is for one vector and one k. It gives the probability of a good list against"
        " the total privacy budget ε of one release. TOP is exactly the true top k. GREAT is"
        " hardly worse: its first tenth is complete, and nothing is beyond rank k + k/10. GOOD is"
        " near it: its first hundredth is complete, and nothing is beyond rank k + k/2. If scores"
        " tie at rank k, the choice among them is arbitrary. Then OPTIMAL, any set with the same"
        " scores, comes first."
    )
    page.add_paragraph(
        "Settings are as in Shekelyan & Loukides 2022, A.2. Scores are counts, and neighbours"
        " differ by one person added or removed, so Δ = 1 acts as ½. Canonical and peeling have"
        " gumbel noise. Peeling is k rounds of the exponential mechanism with ε/k each. One-shot"
        " has exponential noise (permute-and-flip for k = 1), and here laplace noise too. The"
        " paper drew one-shot and peeling from 10,000 samples for each point. Here every law is"
        " computed."
    )
    for vector in folder.vectors:
        page.add_heading(f"{vector.name}: {vector.scores.d:,} items", level=3)
        if vector.meaning:
            page.add_paragraph(f"Counts: {vector.meaning}.")
        if left := [f"k = {k:,}" for k in KS if k >= vector.scores.d]:
            page.add_paragraph(
                f"{' and '.join(left)} left out: {vector.name} has only {vector.scores.d:,} items.",
                kind="note",
            )
        for k in KS:
            if k < vector.scores.d:
                _write_curves(page, vector, k, results)


def _write_curves(page: ReportPage, vector: ScoreVector, k: int, results: Results) -> None:
    by_design = curve_results(_vector_jobs(vector, k), results)
    write_curves_chart(page, by_design, f"{vector.name}, k = {k:,}")
    a, b = vector.scores.tie_counts(k)
    if b > k:
        page.add_paragraph(
            f"Ranks {a + 1:,} to {b:,} tie: {k - a:,} of these {b - a:,} items belong to the top"
            f" {k:,}, whichever.",
            kind="note",
        )
    table = smallest_epsilon_table(by_design, k).drop(columns=["k", "best"])
    first = table["figure"] == table["figure"].iloc[0]
    page.add_table(
        table[first],
        caption=(
            f"Smallest ε for {vector.name}, k = {k:,}; in brackets how many times that of the best."
        ),
    )
    page.add_table(table[~first], caption="The same for the other figures", collapsible=True)


# The values checked


def compute_smallest_epsilon(scores: Scores, design: Design, k: int, probability: float) -> float:
    return smallest_epsilon(design.build(1.0, k), scores, probability=probability)


def _checked(folder: VectorFolder) -> Iterator[tuple[ReportJob, str, str]]:
    netflix = folder.get("netflix")
    if netflix is not None and netflix.scores.d > max(KS):
        for k, probability, known in CHECKED:
            for label, value in zip(_CHECKED_LABELS, known, strict=True):
                about = {"design": DESIGNS[label], "k": k, "probability": probability}
                job = ReportJob(compute_smallest_epsilon, {"scores": netflix.scores} | about, 0.1)
                yield job, label, value


def checked_value_jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    return (job for job, _, _ in _checked(folder))


def write_checked_values(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """Write the values known from another implementation beside those of this run."""
    page.add_heading("Checked values")
    rows = []
    for job, label, known in _checked(folder):
        found, digits = results[job.key], len(known.partition(".")[2])
        rows.append(
            {
                "k": f"{job.arguments['k']:,}",
                "P(TOP) ≥": stated_percent_text(job.arguments["probability"]),
                "mechanism": label,
                "known": known,
                "this run": f"{found:.6g}",
                "agree": "yes" if f"{found:.{digits}f}" == known else "no",
            }
        )
    if not rows:
        page.add_paragraph(
            "The values known from before are for netflix.csv, which the folder does not hold.",
            kind="note",
        )
        return
    agree = all(row["agree"] == "yes" for row in rows)
    page.add_paragraph(
        "The smallest ε for TOP on netflix.csv was computed before by another implementation and"
        " agreed with a simulation of 1,500 draws.",
        "All values agree." if agree else "Not all values agree: see below.",
    )
    page.add_table(
        pd.DataFrame(rows),
        caption="Smallest ε on netflix, known before and in this run.",
        emphasised_columns=("this run",),
    )


# Noise families, one-shot and canonical


def _noise_vector(folder: VectorFolder) -> ScoreVector:
    """netflix as in the paper, else the longest vector there is."""
    return folder.get("netflix") or max(folder.vectors, key=lambda vector: vector.scores.d)


def _noise_jobs(vector: ScoreVector, mechanism: str) -> dict[int, dict[str, ReportJob]]:
    designs = {
        NOISES.label(noise).lower(): Design(mechanism=mechanism, parameters={"noise": noise})
        for noise in NOISES
    }
    return {
        k: curve_jobs(vector.scores, k, designs, report_events(vector.scores, k)[:1])
        for k in NOISE_KS
        if k < vector.scores.d
    }


def noise_jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    for mechanism in _FAMILIES:
        for by_noise in _noise_jobs(_noise_vector(folder), mechanism).values():
            yield from by_noise.values()


def write_noises(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    vector = _noise_vector(folder)
    page.add_heading("Noise families compared")
    page.add_paragraph(
        f"The same mechanisms with each of the five noises, on {vector.name}. One-shot is as in"
        " Figure 4 of the paper. For canonical the paper has only gumbel. For k = 1 the one-shot"
        " mechanism is the exponential mechanism (gumbel), permute-and-flip (exponential) or"
        " report noisy max (laplace).",
        "" if vector.name == "netflix" else "The paper's vector, netflix, is not in the folder.",
    )
    for mechanism, name in _FAMILIES.items():
        page.add_heading(f"{name} with five noises", level=3)
        tables: list[pd.DataFrame] = []
        for k, jobs_by_noise in _noise_jobs(vector, mechanism).items():
            by_noise = curve_results(jobs_by_noise, results)
            write_curves_chart(page, by_noise, f"{name}, {vector.name}, k = {k:,}")
            tables.append(smallest_epsilon_table(by_noise, k))
        table = pd.concat(tables)
        page.add_paragraph(
            f"The least ε is needed with: {join_with_and(sorted(set(table['best'])))}."
        )
        page.add_table(
            table,
            caption=(
                f"Smallest ε of the {name} mechanism by noise; in brackets how many times the best."
            ),
        )

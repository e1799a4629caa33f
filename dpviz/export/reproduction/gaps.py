"""Free gap: the answers that adaptive sparse vector adds, and the worth of gaps for estimates.

"general" treats the counts as any scores, as the paper does, "counts" uses that they are monotonic.
Source: Ding, Wang, Zhang & Kifer 2019, Section 7, Figures 1 to 3.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd
from numpy.random import SeedSequence, default_rng

from dpviz.base import Floats, Scores
from dpviz.charts import number_text, percent, upper_bound_text
from dpviz.charts.gaps.answer_counts import expected_answers_chart
from dpviz.charts.line_panels import Axis, Line, Panel, line_chart
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.report_jobs import ReportJob, Results, ScoreVector, VectorFolder
from dpviz.gaps import AdaptiveSparseVector, SparseVector
from dpviz.gaps.gap_experiment import (
    MeasurementExperiment,
    sparse_vector_experiment,
    top_k_experiment,
)

VECTORS = ("t10i4d100k", "kosarak")
EPSILON = 0.7
QUANTILE = 0.95
KS = tuple(range(2, 26))
MEASURED_KS = (2, 3, 5, 7, 10, 15, 20, 25)
MEASURED_EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.5)
MEASURED_K = 10
RUNS = 20_000
SEED = 0

Selection = Literal["noisy top-k", "sparse vector"]
SELECTIONS: tuple[Selection, ...] = ("noisy top-k", "sparse vector")


def compute_plain_adaptive_row(scores: Scores, k: int) -> dict[str, float]:
    """Answers, branches, precision, ε spent of plain and adaptive sparse vector, as a job."""
    plain, adaptive = (
        kind(epsilon=EPSILON, k=k, threshold=paper_quantile_threshold(scores))
        .match_monotonicity(scores)
        .distribution(scores)
        for kind in (SparseVector, AdaptiveSparseVector)
    )
    return {
        "k": k,
        "plain": plain.expected_answers,
        "top": float(adaptive.branch_probabilities("top").sum()),
        "middle": float(adaptive.branch_probabilities("middle").sum()),
        "plain precision": math.nan if plain.precision is None else plain.precision,
        "adaptive precision": math.nan if adaptive.precision is None else adaptive.precision,
        "adaptive spent": adaptive.expected_epsilon_spent,
        "error": max(plain.error, adaptive.error),
    }


def run_measurement(
    scores: Scores, selection: Selection, k: int, epsilon: float, runs: int
) -> MeasurementExperiment:
    """Measurements with gaps against measurements alone, simulated at one k and ε, as a job."""
    seed = [SEED, SELECTIONS.index(selection), k, round(1e6 * epsilon), int(scores.monotonic)]
    rng = default_rng(SeedSequence(seed))
    if selection == "noisy top-k":
        return top_k_experiment(scores, epsilon=epsilon, k=k, runs=runs, rng=rng)
    threshold = paper_quantile_threshold(scores)
    return sparse_vector_experiment(
        scores, epsilon=epsilon, k=k, threshold=threshold, runs=runs, rng=rng
    )


def paper_quantile_threshold(scores: Scores) -> float:
    """The 95 % quantile of the scores, as in the paper; in real use it would not be public."""
    return float(np.quantile(scores.values, QUANTILE))


def _answers_job(scores: Scores, k: int) -> ReportJob:
    # the state of the chain grows as k², where queries that are answered do not end it soon
    return ReportJob(
        compute_plain_adaptive_row, {"scores": scores, "k": k}, 0.03 + 0.1 * (k / 25) ** 2
    )


def _measure_job(scores: Scores, selection: Selection, k: int, epsilon: float) -> ReportJob:
    about = {"scores": scores, "selection": selection, "k": k, "epsilon": epsilon, "runs": RUNS}
    return ReportJob(run_measurement, about, 0.04 + 0.05 * k / 25)


def _both(vector: ScoreVector) -> dict[str, Scores]:
    return {"general": Scores(vector.scores.values), "counts": vector.scores}


def _vectors(folder: VectorFolder) -> list[ScoreVector]:
    return [v for v in map(folder.get, VECTORS) if v is not None and v.scores.d > max(KS)]


def _settings(over: str) -> list[tuple[int, float]]:
    """The (k, ε) of the simulations over k, or over ε."""
    if over == "k":
        return [(k, EPSILON) for k in MEASURED_KS]
    return [(MEASURED_K, e) for e in MEASURED_EPSILONS]


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    treated = [scores for vector in _vectors(folder) for scores in _both(vector).values()]
    for scores, k in product(treated, KS):
        yield _answers_job(scores, k)
    settings = [*_settings("k"), *_settings("ε")]
    for selection, (k, epsilon), scores in product(SELECTIONS, settings, treated):
        yield _measure_job(scores, selection, k, epsilon)


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """Write the three experiments of the paper, on each vector there is."""
    page.add_heading("Free gaps and adaptive sparse vector")
    page.add_paragraph(
        "The experiments are those of Ding, Wang, Zhang & Kifer 2019, Section 7. Queries are the"
        " counts of the items, in the order of the file. The threshold is the 95\u202f% quantile"
        " of the counts. ε is split between threshold and answers as 1 : (2k)^(2/3). For counts,"
        " which are monotonic, it is split as 1 : k^(2/3). Answers, branches and precision are"
        " exact here, where the paper averaged 20,000 runs. For the errors of estimates, half of"
        f" ε selects k queries and half measures them. The errors are simulated, with {RUNS:,}"
        " runs for each point, as there is no closed form after the selection. “General” treats"
        " the counts as any scores, “counts” as monotonic."
    )
    page.add_paragraph(
        "The paper's vectors were BMS-POS, the whole of Kosarak and T40I10D100K. Here are"
        " T10I4D100K, from the same generator with shorter transactions, and the first 100,000"
        " streams of Kosarak. So you can compare shapes, not figures."
    )
    vectors = _vectors(folder)
    have = {vector.name for vector in vectors}
    if missing := ", ".join(f"{name}.csv" for name in VECTORS if name not in have):
        page.add_paragraph(
            "Left out, because the folder does not hold them (or they have too few items):"
            f" {missing}.",
            kind="note",
        )
    for vector in vectors:
        tables = {
            name: pd.DataFrame([results[_answers_job(scores, k).key] for k in KS])
            for name, scores in _both(vector).items()
        }
        _answers(page, vector, tables)
        _precision(page, vector, tables)
        for selection in SELECTIONS:
            _gain(page, vector, selection, results)


def _answers(page: ReportPage, vector: ScoreVector, tables: dict[str, pd.DataFrame]) -> None:
    page.add_heading(f"{vector.name}: answers gained", level=3)
    error = max(float(table["error"].max()) for table in tables.values())
    threshold = paper_quantile_threshold(vector.scores)
    above = int((vector.scores.values >= threshold).sum())
    page.add_paragraph(
        f"{vector.scores.d:,} queries, threshold {number_text(threshold)}, {above:,} of them at or"
        f" above it; ε = {EPSILON:g}. Every figure is within {upper_bound_text(error, 1)}"
        " of the truth."
    )
    k = np.array(KS)
    columns = (tables["general"][name].to_numpy() for name in ("plain", "top", "middle"))
    page.add_chart(
        expected_answers_chart(k, *columns, title=vector.name),
        title=f"{vector.name}: expected answers, as in the paper",
    )
    rows = k % 5 == 0
    page.add_table(
        pd.DataFrame(
            {
                "k": [f"{v}" for v in k[rows]],
                **{
                    f"{name}: {what}": [
                        f"{v:.3g}" if what == "ε left" else f"{v:.2f}" for v in values[rows]
                    ]
                    for name, table in tables.items()
                    for what, values in (
                        ("plain", table["plain"].to_numpy()),
                        ("adaptive", (table["top"] + table["middle"]).to_numpy()),
                        ("ε left", EPSILON - table["adaptive spent"].to_numpy()),
                    )
                },
            }
        ),
        caption=(
            "Expected answers, and the average ε that the adaptive one does not use. General is"
            " as in the paper, and counts have the lower cost."
        ),
    )


def _precision(page: ReportPage, vector: ScoreVector, tables: dict[str, pd.DataFrame]) -> None:
    k = np.array(KS, float)
    panels = [
        Panel(
            name,
            [
                Line(kind, k, table[f"{kind} precision"].to_numpy(), style, k[3::4])
                for style, kind in enumerate(("plain", "adaptive"))
            ],
        )
        for name, table in tables.items()
    ]
    lowest = min(float(line.y.min()) for panel in panels for line in panel.lines)
    gap = max(
        float((t["plain precision"] - t["adaptive precision"]).max()) for t in tables.values()
    )
    wrong = tables["general"].iloc[-1]
    false_plain = wrong["plain"] * (1 - wrong["plain precision"])
    false_adaptive = (wrong["top"] + wrong["middle"]) * (1 - wrong["adaptive precision"])
    chart = line_chart(
        panels,
        Axis("k", KS[0] - 1, KS[-1] + 1),
        Axis(
            "expected precision",
            max(0.0, lowest - 0.25 * (1 - lowest) - 0.001),
            1.0 + 0.03 * (1 - lowest) + 1e-4,
            percent=True,
        ),
        how_to_read=(
            "The share of answers with a true count of at least the threshold, averaged over the"
            " runs with an answer. The vertical axis does not begin at zero."
        ),
        says_now=(
            f"Lowest: {percent(lowest)}. The plain one is ahead by at most"
            f" {upper_bound_text(100 * gap)} percentage points. At k = {KS[-1]} about"
            f" {number_text(round(false_plain, 3))} of the plain answers and"
            f" {number_text(round(false_adaptive, 3))} of the adaptive ones are false (general)."
        ),
    )
    page.add_chart(chart, title=f"{vector.name}: precision over k")


def _gain(page: ReportPage, vector: ScoreVector, selection: Selection, results: Results) -> None:
    panels, said = [], []
    for over, values, title in (
        ("k", MEASURED_KS, f"over k at ε = {EPSILON:g}"),
        ("ε", MEASURED_EPSILONS, f"over ε at k = {MEASURED_K}"),
    ):
        lines, x = [], np.array(values, float)
        for i, (name, scores) in enumerate(_both(vector).items()):
            runs: list[MeasurementExperiment] = [
                results[_measure_job(scores, selection, k, e).key] for k, e in _settings(over)
            ]
            formula = 1 - np.array([one.formula for one in runs])
            value, low, high = (
                np.array([1 - float(getattr(one.ratio, edge)) for one in runs])
                for edge in ("value", "high", "low")
            )
            lines += [
                Line(f"formula, {name}", x, formula, 2 * i),
                Line(f"simulated, {name}", x, value, 2 * i + 1, x, low=low, high=high),
            ]
            said.append(_apart(name, over, x, formula, low, value, high))
        panels.append(Panel(title, lines))
    drawn = [line for panel in panels for line in panel.lines]
    edges = [v for line in drawn for v in (line.y, line.low, line.high) if v is not None]
    bottom = min(0.0, *(float(v.min()) for v in edges))
    height = max(0.0, *(float(v.max()) for v in edges)) - bottom
    chart = line_chart(
        panels,
        [
            Axis("k", MEASURED_KS[0] - 1, MEASURED_KS[-1] + 1),
            Axis(
                "ε, logarithmic", 0.9 * MEASURED_EPSILONS[0], 1.1 * MEASURED_EPSILONS[-1], log=True
            ),
        ],
        Axis("error taken off", bottom - 0.03 * height, bottom + 1.05 * height, percent=True),
        how_to_read=(
            "How much smaller the mean squared error is with gaps than with measurements alone."
            " Below zero the gaps make it worse. The formula is for the noise before the"
            f" selection. Bands are 95\u202f% intervals of {RUNS:,} simulated runs, on the items"
            " that were selected."
        ),
        says_now=" ".join(said),
    )
    page.add_chart(
        chart, title=f"{vector.name}: mean squared error taken off by the gaps, {selection}"
    )


def _apart(
    name: str, over: str, x: Floats, formula: Floats, low: Floats, value: Floats, high: Floats
) -> str:
    """The points where the simulation leaves the formula, in words."""
    outside = (formula < low) | (formula > high)
    worst = int(np.argmax(np.abs(formula - value)))
    inside = f"{int((~outside).sum())} of {len(x)} points"
    text = f"{name.capitalize()}, over {over}: the formula lies in the interval at {inside}"
    if outside.any():
        by_formula, simulated = (
            f"{100 * share[worst]:+.1f}\u202f%".replace("-", "−") for share in (formula, value)
        )
        text += (
            f"; farthest apart at {over} = {number_text(float(x[worst]))}, {by_formula} by the"
            f" formula and {simulated} simulated"
        )
    return text + "."

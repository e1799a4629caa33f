"""What the report rests on: a summary, what is exact and what estimated, data, versions, what is
left out.
"""

import math
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version

import pandas as pd

import dpviz
from dpviz.charts import number_text
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction import gaps, topk
from dpviz.export.reproduction.report_jobs import (
    Results,
    ScoreVector,
    VectorFolder,
    epsilons_with_multiples,
    format_epsilon,
    join_words,
    round_error_up,
)
from dpviz.export.reproduction.topk import CurveResult, curve_results, epsilon_by_design

_GOAL = 0.9
_SOURCES = (
    (
        "M. Shekelyan, G. Loukides: Differentially Private Top-k Selection via Canonical Lipschitz"
        " Mechanism, 2022."
    ),
    (
        "Z. Ding, Y. Wang, D. Zhang, D. Kifer: Free Gap Information from the Differentially Private"
        " Sparse Vector and Noisy Max Mechanisms, 2019."
    ),
    (
        "K. Chaudhuri, D. Hsu, S. Song: The Large Margin Mechanism for Differentially Private"
        " Maximization, 2014."
    ),
    "J. Liu, K. Talwar: Private Selection from Private Candidates, 2018.",
)


def missing_file_notes(folder: VectorFolder) -> tuple[str, ...]:
    """A sentence about the files that the papers' comparisons would have used."""
    if not folder.vectors:
        return (
            "No score vectors were given: what needs the papers’ data is left out, and says so.",
        )
    if not folder.absent:
        return ()
    names = join_words([f"{name}.csv" for name in folder.absent])
    return (f"Not in the folder, so not in the report: {names}.",)


def write_summary(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """The ε of each mechanism for the main event, vector by vector."""
    page.add_heading("In short")
    rows: list[dict[str, str]] = []
    classical: list[float] = []
    for vector, k in topk.vectors_with_k(folder):
        curves = curve_results(vector, k, results)
        event = next(iter(curves.values())).curves[0].event
        at = epsilon_by_design(curves, event, _GOAL)
        rows.append(
            {
                "vector": vector.name,
                "k": f"{k:,}",
                "figure": event.upper(),
                **epsilons_with_multiples(at),
            }
        )
        classical += _ratio(at)
    page.add_paragraph(
        "The smallest total ε with which each mechanism returns the true top k in 90\u202f% of its"
        " releases (OPTIMAL, any set with the same scores, where scores tie at rank k). "
        + (
            f"The best of peeling and the one-shot mechanisms needs {format_epsilon(min(classical))} to "
            f"{format_epsilon(max(classical))} times the ε of the better of the canonical ones."
            if classical
            else ""
        )
    )
    page.add_table(
        pd.DataFrame(rows),
        caption="Smallest ε for 90\u202f%; in brackets how many times that of the best in the row.",
    )


def _ratio(at: Mapping[str, float]) -> list[float]:
    """How many times the canonical ε the others need, where both get there."""
    ours = min(e for label, e in at.items() if label.startswith("canonical"))
    theirs = min(e for label, e in at.items() if not label.startswith("canonical"))
    return [theirs / ours] if math.isfinite(ours) and math.isfinite(theirs) else []


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """How the figures came about, and what they came from."""
    page.add_heading("How this was computed")
    page.add_bullet_list(
        (
            *_about_curves(results),
            (
                "Exact: every smallest ε meets its goal, and one smaller by a ten-thousandth part"
                " does not."
            ),
            (
                "Exact: answers, branches, precision of the sparse vectors; the Zipf sweep; papers’"
                " numbers unless marked."
            ),
            (
                f"Estimated: the mean squared errors with gaps, from {gaps.RUNS:,} simulated runs a"
                " point with fixed seeds; bands are 95\u202f% intervals."
            ),
            (
                "Neighbours: one person added or removed. Counts then move the same way, which"
                " halves Δ for mechanisms that only compare scores. Free gap is shown with it"
                " (counts) and without (general, as in its paper)."
            ),
            "Sizes with k ≥ d are left out: there is nothing to select.",
            (
                "Not drawn: running times (the papers’ are of other code on other machines), and"
                " the joint exponential mechanism, which the paper left out too."
            ),
        )
    )
    if folder.vectors:
        _write_data(page, folder)
    page.add_heading("Versions", level=3)
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scipy", "pandas", "plotly")
    )
    page.add_paragraph(
        f"Made on {datetime.now(UTC):%d %B %Y, %H:%M} UTC with dpviz {dpviz.__version__}, Python "
        f"{platform.python_version()}, {packages}."
    )
    page.add_heading("Sources", level=3)
    page.add_bullet_list(_SOURCES)


def _about_curves(results: Results) -> tuple[str, ...]:
    """How exact the curves are; nothing where none were drawn."""
    every = [
        curve
        for result in results.values()
        if isinstance(result, CurveResult)
        for curve in result.curves
    ]
    if not every:
        return ()
    estimated = sum(curve.method == "estimated" for curve in every)
    bound = max(
        float((curve.high - curve.low).max()) / 2 for curve in every if curve.method == "exact"
    )
    between = max(curve.error for curve in every)
    drawn = f"{len(every):,} utility curves" + (
        f", {estimated:,} of them estimated" if estimated else ""
    )
    points = sum(len(curve.x) for curve in every)
    return (
        (
            f"Exact: all {drawn}, computed at {points:,} values of ε, each within"
            f" {number_text(round_error_up(bound))} of the truth there; between these points a spline, off"
            f" by about {number_text(round_error_up(between))} (an estimate)."
        ),
    )


def _write_data(page: ReportPage, folder: VectorFolder) -> None:
    page.add_heading("Data", level=3)
    page.add_table(
        pd.DataFrame(
            [
                {
                    "vector": vector.name,
                    "items": f"{vector.scores.d:,}",
                    "sum of counts": f"{vector.scores.values.sum():,.0f}",
                    "largest": f"{vector.scores.values.max():,.0f}",
                    "a count is": vector.meaning or "not known",
                    "ties at rank k": _ties(vector),
                    "SHA-256 of the file": vector.sha256[:16] + "…",
                }
                for vector in folder.vectors
            ]
        ),
        caption="One count a line in each file.",
    )


def _ties(vector: ScoreVector) -> str:
    tied = [f"{k:,}" for k in topk.KS if k < vector.scores.d and vector.scores.tie_counts(k)[1] > k]
    return join_words(tied) if tied else "none"

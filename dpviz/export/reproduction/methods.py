"""The foundations of the report: what is exact and what estimated, data, versions, sources."""

import platform
from datetime import UTC, datetime
from importlib.metadata import version

import pandas as pd

import dpviz
from dpviz.base import round_up
from dpviz.charts import join_with_and, number_text
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction import gaps, topk
from dpviz.export.reproduction.report_jobs import Results, ScoreVector, VectorFolder

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
    if not folder.vectors:
        return (
            "No score vectors were given: what needs the papers’ data is left out, and says so.",
        )
    if not folder.absent:
        return ()
    names = join_with_and([f"{name}.csv" for name in folder.absent])
    return (f"Not in the folder, so not in the report: {names}.",)


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
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
                "Neighbours: one person added or removed. Counts then change in the same"
                " direction, which halves Δ for mechanisms that only compare scores. Free gap is"
                " shown with it (counts) and without (general, as in its paper)."
            ),
            "Sizes with k ≥ d are left out: there is nothing to select.",
            (
                "Not drawn: running times (the papers’ are of other code on other machines), and"
                " the joint exponential mechanism, which the paper left out too."
            ),
        )
    )
    if folder.vectors:
        page.add_heading("Data", level=3)
        page.add_table(
            pd.DataFrame(_about_vector(vector) for vector in folder.vectors),
            caption="One count a line in each file.",
        )
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
    found = [result for result in results.values() if isinstance(result, topk.CurveResult)]
    curves = [curve for result in found for curve in result.curves]
    if not curves:
        return ()
    exact = [curve for curve in curves if curve.method == "exact"]
    estimated = len(curves) - len(exact)
    among = f", {estimated:,} of them estimated" if estimated else ""
    bound = round_up(max(float((curve.high - curve.low).max()) / 2 for curve in exact), 1)
    between = round_up(max(curve.error for curve in curves), 1)
    points = sum(len(curve.x) for curve in curves)
    sentence = (
        f"Exact: all {len(curves):,} utility curves{among}, computed at {points:,} values of ε,"
        f" each within {number_text(bound)} of the truth there. Between these points a spline is"
        f" off by about {number_text(between)} (an estimate)."
    )
    return (sentence,)


def _about_vector(vector: ScoreVector) -> dict[str, str]:
    scores = vector.scores
    tied = [f"{k:,}" for k in topk.KS if k < scores.d and scores.tie_counts(k).at_or_above > k]
    return {
        "vector": vector.name,
        "items": f"{scores.d:,}",
        "sum of counts": f"{scores.values.sum():,.0f}",
        "largest": f"{scores.values.max():,.0f}",
        "a count is": vector.meaning or "not known",
        "ties at rank k": join_with_and(tied) if tied else "none",
        "SHA-256 of the file": vector.sha256[:16] + "…",
    }

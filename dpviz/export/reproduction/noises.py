"""Noise families compared: five noises, each in the one-shot and in the canonical mechanism.

Source: Shekelyan & Loukides 2022, A.2, Figure 4 (one-shot, k = 1, 10, 100, 1000 on netflix).
"""

from collections.abc import Iterator
from itertools import product

import pandas as pd

from dpviz.base import NOISES
from dpviz.charts.topk.utility_curves import utility_curves_chart
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.report_jobs import (
    ReportJob,
    Results,
    ScoreVector,
    VectorFolder,
    epsilons_with_multiples,
    format_probability,
    join_words,
)
from dpviz.export.reproduction.topk import CurveJob, CurveResult, epsilon_by_design, report_events
from dpviz.studies import Design

KS = (1, 10, 100, 1000)
_FAMILIES = {"one_shot": "one-shot", "canonical": "canonical"}


def _vector(folder: VectorFolder) -> ScoreVector:
    """netflix as in the paper, else the longest vector there is."""
    return folder.get("netflix") or max(folder.vectors, key=lambda vector: vector.scores.d)


def _job(vector: ScoreVector, k: int, mechanism: str, noise: str) -> CurveJob:
    design = Design(mechanism=mechanism, parameters={"noise": noise})
    return CurveJob(
        scores=vector.scores, design=design, k=k, events=report_events(vector.scores, k)[:1]
    )


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    """The main event of every noise, family and k."""
    vector = _vector(folder)
    settings = product((k for k in KS if k < vector.scores.d), _FAMILIES, NOISES)
    return (_job(vector, k, mechanism, noise) for k, mechanism, noise in settings)


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """A figure and a table for each family and k."""
    vector = _vector(folder)
    page.add_heading("Noise families compared")
    page.add_paragraph(
        f"The same mechanisms with each of the five noises, on {vector.name}: the one-shot"
        " mechanism as in Figure 4 of the paper, and the canonical one, where the paper has only"
        " gumbel. For k = 1 the one-shot mechanism is the exponential mechanism (gumbel),"
        " permute-and-flip (exponential) or report noisy max (laplace).",
        "" if vector.name == "netflix" else "The paper's vector, netflix, is not in the folder.",
    )
    for mechanism, name in _FAMILIES.items():
        page.add_heading(f"{name} with five noises", level=3)
        rows = []
        for k in (k for k in KS if k < vector.scores.d):
            by_noise = {
                NOISES.label(noise).lower(): results[_job(vector, k, mechanism, noise).key]
                for noise in NOISES
            }
            chart = utility_curves_chart(
                {label: result.curves for label, result in by_noise.items()}
            )
            page.add_chart(chart, title=f"{name}, {vector.name}, k = {k:,}")
            rows += _rows(k, by_noise)
        table = pd.DataFrame(rows)
        best = join_words(sorted(set(table["best"])))
        page.add_paragraph(f"The least ε is needed with: {best}.")
        page.add_table(
            table,
            caption=(
                f"Smallest ε of the {name} mechanism by noise; in brackets how many times the best."
            ),
        )


def _rows(k: int, by_noise: dict[str, CurveResult]) -> list[dict[str, str]]:
    rows = []
    for event, probability in next(iter(by_noise.values())).needs:
        at = epsilon_by_design(by_noise, event, probability)
        row = {
            "k": f"{k:,}",
            "figure": event.upper(),
            "reached in": format_probability(probability),
            **epsilons_with_multiples(at),
        }
        rows.append(row | {"best": min(at, key=at.__getitem__)})
    return rows

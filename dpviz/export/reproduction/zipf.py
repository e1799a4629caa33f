"""Zipf scores: from equal ones (s = 0) to steep ones (s = 1) at a few ε and k, and over ε at one s.

Source: Shekelyan & Loukides 2022, Section 7.2, Figures 2 and 3: d = 10,000, a total of 15⁷.
"""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from dpviz.base import Floats
from dpviz.charts import join_with_and, number_text
from dpviz.charts.line_panels import Axis, Line, Panel, line_chart
from dpviz.data.generators import ZIPF_TOTAL, Zipf
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.report_jobs import ReportJob, Results, VectorFolder
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.export.reproduction.topk import (
    DESIGNS,
    KS,
    curve_jobs,
    curve_results,
    report_events,
    write_curves_chart,
)
from dpviz.studies import Design
from dpviz.topk import EVENTS

SIZE = 10_000
EPSILONS = (0.1, 1.0)
EXPONENTS = (0.0, *(float(f"{s:.4g}") for s in np.geomspace(0.001, 1.0, 231)))
FIXED = 0.04  # the s of the figure over ε
_EVENTS = ("top", "good")


def compute_zipf_probabilities(
    design: Design, epsilon: float, k: int, size: int, exponents: tuple[float, ...]
) -> Floats:
    """P(TOP) and P(GOOD) at each exponent, shape (exponents, 2), as a job."""
    mechanism = design.build(epsilon, k)
    worlds = (Zipf(size=size, exponent=s).scores() for s in exponents)
    return np.array([mechanism.distribution(s).event_probabilities(_EVENTS) for s in worlds])


def _sweep_job(label: str, epsilon: float, k: int) -> ReportJob:
    # one-shot laws are slow, the more so the larger k, unless ε is so small that none can be right
    one_shot = 1.0 + 3.0 * math.pow(k / 1000, 0.25) * min(1.0, 300 * epsilon / k)
    design = DESIGNS[label]
    return ReportJob(
        compute_zipf_probabilities,
        {"design": design, "epsilon": epsilon, "k": k, "size": SIZE, "exponents": EXPONENTS},
        {"canonical": 0.5, "peeling": 0.8}.get(design.mechanism, one_shot),
    )


def _jobs_over_epsilon(k: int) -> dict[str, ReportJob]:
    scores = Zipf(size=SIZE, exponent=FIXED).scores()
    events = (report_events(scores, k)[0], "good")
    return curve_jobs(scores, k, DESIGNS, events, needs=False)


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    for k in KS:
        yield from _jobs_over_epsilon(k).values()
    for label, epsilon, k in product(DESIGNS, EPSILONS, KS):
        yield _sweep_job(label, epsilon, k)


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """Draw one figure an ε and event, the three k beside each other; then one a k over ε."""
    page.add_heading("Zipf scores, from flat to steep")
    page.add_paragraph(
        f"A total of 15⁷ = {ZIPF_TOTAL:,} shared among {SIZE:,} items in proportion to i^(−s),"
        " rounded to whole counts. At s = 0 all scores are equal. At s = 1 the first items have"
        " by far the most. (The paper’s text gives the total as 1.5·10⁸, its published code as"
        " 15⁷, unrounded.) The axis is logarithmic, as everything happens at small s. s = 0 has"
        " equal items and lies to the left of it. As in the paper, TOP means one arbitrary choice"
        " if scores tie. Rounded counts make a curve change in steps."
    )
    tied = {
        k: [
            s
            for s in EXPONENTS
            if Zipf(size=SIZE, exponent=s).scores().tie_counts(k).at_or_above > k
        ]
        for k in KS
    }
    ties = [f"for k = {k:,} up to s = {format_epsilon(max(ss))}" for k, ss in tied.items() if ss]
    if ties:
        page.add_paragraph(f"Rounded scores tie at rank k {join_with_and(ties)}.", kind="note")
    s = np.array(EXPONENTS[1:])
    for epsilon in EPSILONS:
        sweeps: dict[tuple[str, int], Floats] = {
            (label, k): results[_sweep_job(label, epsilon, k).key]
            for label, k in product(DESIGNS, KS)
        }
        for column, event in enumerate(_EVENTS):
            panels = [
                Panel(
                    f"k = {k:,}",
                    [
                        Line(label, s, sweeps[label, k][1:, column], style, s[9::35])
                        for style, label in enumerate(DESIGNS)
                    ],
                )
                for k in KS
            ]
            chart = line_chart(
                panels,
                Axis("s, logarithmic", 0.9 * EXPONENTS[1], 1.1 * EXPONENTS[-1], log=True),
                Axis("probability", 0.0, 1.02, percent=True),
                how_to_read=(
                    "Further left is better, as the mechanism is right on flatter scores. Steeper"
                    " scores are mostly easier, but not always. The total is fixed, so the others"
                    " lose what the first items gain."
                ),
                says_now=_says(sweeps, column),
            )
            name = EVENTS[event].label
            page.add_chart(chart, title=f"{name} on Zipf scores, ε = {number_text(epsilon)}")
    for k in KS:
        title = f"Zipf scores with s = {FIXED:g} over ε, k = {k:,}"
        write_curves_chart(page, curve_results(_jobs_over_epsilon(k), results), title)


def _says(results: dict[tuple[str, int], Floats], column: int) -> str:
    """The smallest s with which each mechanism is right at least half the time, in words."""
    parts = []
    for k in KS:
        right = {label: results[label, k][1:, column] >= 0.5 for label in DESIGNS}
        first = {label: int(np.argmax(half)) for label, half in right.items() if half.any()}
        where = ", ".join(
            f"{format_epsilon(EXPONENTS[1 + i])} ({label})" for label, i in first.items()
        )
        part = f"k = {k:,}, " + (f"first at s = {where}" if where else "nowhere in this range")
        never = [label for label in DESIGNS if label not in first]
        if never and where:
            part += f"; nowhere: {join_with_and(never)}"
        back = [label for label, i in first.items() if not right[label][i:].all()]
        parts.append(part + (f"; not at every larger s: {join_with_and(back)}" if back else ""))
    return "At least half of the releases are right, for " + "; for ".join(parts) + "."

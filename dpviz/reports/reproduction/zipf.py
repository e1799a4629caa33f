"""The Zipf sweep: from equal scores (s = 0) to steep ones (s = 1) at a few ε and k.

Source: Shekelyan & Loukides 2022, Section 7.2, Figures 2 and 3: d = 10,000, a total of 15⁷.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.line_chart import line_chart
from dpviz.charts.line_panels import Axis, Line, Panel
from dpviz.charts.words import number
from dpviz.data.generators import ZIPF_TOTAL, Zipf
from dpviz.reports.page import Page
from dpviz.reports.reproduction.topk import DESIGNS, KS
from dpviz.reports.reproduction.wording import epsilon as exponent
from dpviz.reports.reproduction.wording import joined
from dpviz.reports.reproduction.work import Job, Results
from dpviz.studies.scenario import Design
from dpviz.topk.classes import EVENTS

__all__ = ["EPSILONS", "EXPONENTS", "ZipfJob", "jobs", "write_part"]

SIZE = 10_000
EPSILONS = (0.1, 1.0)
EXPONENTS = (0.0, *(float(f"{s:.4g}") for s in np.geomspace(0.001, 1.0, 46)))
_EVENTS = ("top", "good")


@dataclass(frozen=True, kw_only=True)
class ZipfJob:
    """One mechanism at one ε and k over all exponents: P(TOP) and P(GOOD), shape (exponents, 2)."""

    design: Design
    epsilon: float
    k: int
    size: int

    @property
    def key(self) -> Hashable:
        """What and where."""
        return ("zipf", self.design.label, self.epsilon, self.k, self.size)

    @property
    def weight(self) -> float:
        """As the curves: one-shot laws are slow."""
        return {"canonical": 15.0, "peeling": 20.0}.get(self.design.mechanism, 60.0)

    def run(self) -> Floats:
        """The figures."""
        mechanism = self.design.build(self.epsilon, self.k)
        rows = []
        for s in EXPONENTS:
            dist = mechanism.distribution(Zipf(size=self.size, exponent=s).scores())
            rows.append([dist.event(event) for event in _EVENTS])
        return np.array(rows)


def jobs() -> Iterator[Job]:
    """Every mechanism, ε and k."""
    for design in DESIGNS.values():
        for epsilon in EPSILONS:
            for k in KS:
                yield ZipfJob(design=design, epsilon=epsilon, k=k, size=SIZE)


def write_part(page: Page, results: Results) -> None:
    """One figure an ε and event, the three k beside each other."""
    page.heading("Zipf scores, from flat to steep")
    page.text(
        f"A total of 15⁷ = {ZIPF_TOTAL:,} shared among {SIZE:,} items in proportion to i^(−s), rounded to whole "
        "counts: at s = 0 all scores are equal, at s = 1 the first items have far the most. (The paper’s text gives "
        "the total as 1.5·10⁸, its published code as 15⁷, unrounded.) The axis is logarithmic, as everything happens "
        "at small s; s = 0, where nothing tells one item from another, lies to the left of it. As in the paper, TOP "
        "means one arbitrary choice where scores tie."
    )
    tied = {k: [s for s in EXPONENTS if _tied(s, k)] for k in KS}
    ties = [f"for k = {k:,} up to s = {exponent(max(ss))}" for k, ss in tied.items() if ss]
    if ties:
        page.text(f"Rounded scores tie at rank k {joined(ties)}.", kind="note")
    s = np.array(EXPONENTS[1:])
    for epsilon in EPSILONS:
        for column, event in enumerate(_EVENTS):
            values = {
                (label, k): results[ZipfJob(design=design, epsilon=epsilon, k=k, size=SIZE).key][1:, column]
                for label, design in DESIGNS.items()
                for k in KS
            }
            panels = [
                Panel(
                    f"k = {k:,}",
                    [Line(label, s, values[label, k], style, s[3::7]) for style, label in enumerate(DESIGNS)],
                )
                for k in KS
            ]
            chart = line_chart(
                panels,
                Axis("s, logarithmic", 0.9 * float(s[0]), 1.1 * float(s[-1]), log=True),
                Axis("probability", 0.0, 1.02, percent=True),
                how_to_read="Further left is better: the mechanism gets it right on flatter scores. Steeper scores are "
                "easier mostly, not always: the total is fixed, so what the first items gain the others lose.",
                says_now=_says(values, s),
            )
            name = EVENTS[event].label
            page.chart(chart, title=f"{name} on Zipf scores, ε = {number(epsilon)}")


def _tied(s: float, k: int) -> bool:
    return Zipf(size=SIZE, exponent=s).scores().tied(k)[1] > k


def _says(values: dict[tuple[str, int], Floats], s: Floats) -> str:
    """The smallest s of the sweep with which each mechanism is right at least half the time."""
    parts = []
    for k in KS:
        right = {label: p >= 0.5 for (label, at), p in values.items() if at == k}
        never = [label for label, ok in right.items() if not ok.any()]
        first = {label: int(np.argmax(ok)) for label, ok in right.items() if ok.any()}
        where = ", ".join(f"{exponent(float(s[i]))} ({label})" for label, i in first.items())
        part = f"k = {k:,}, " + (f"first at s = {where}" if where else "nowhere in this range")
        if never and where:
            part += f"; nowhere: {joined(never)}"
        back = [label for label, i in first.items() if not right[label][i:].all()]
        parts.append(part + (f"; not at every larger s: {joined(back)}" if back else ""))
    return "At least half of the releases are right, for " + "; for ".join(parts) + "."

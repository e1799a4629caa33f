"""The claims as work to do, as a table to save, and as a part of the report."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz.charts.words import number
from dpviz.reports.page import Page
from dpviz.reports.reproduction.claims.claim import CLAIMS, PAPERS, Claim, Finding, Vectors
from dpviz.reports.reproduction.claims.unshown import unshown
from dpviz.reports.reproduction.data import Folder
from dpviz.reports.reproduction.wording import joined, rounded_up
from dpviz.reports.reproduction.work import Job, Results

_NEEDS = "needs the data"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClaimJob(Job):
    """One claim on the vectors that it needs."""

    name: str
    vectors: Vectors

    @property
    def weight(self) -> float:
        """As the claim says."""
        return CLAIMS[self.name].seconds

    def run(self) -> Finding:
        """The finding."""
        return CLAIMS[self.name].find(self.vectors)


def _job(name: str, folder: Folder) -> ClaimJob | None:
    """None where a file that it needs is not there."""
    have = {vector.name: vector.scores for vector in folder.vectors}
    claim = CLAIMS[name]
    return None if claim.lacks(have) else ClaimJob(name=name, vectors={file: have[file] for file in claim.files})


def jobs(folder: Folder) -> Iterator[Job]:
    """Every claim that can be computed from what the folder holds; those on made data always can."""
    for name in CLAIMS:
        job = _job(name, folder)
        if job is not None:
            yield job


def _found(name: str, folder: Folder, results: Results) -> Finding | None:
    job = _job(name, folder)
    return None if job is None else results[job.key]


def claims_frame(folder: Folder, results: Results) -> pd.DataFrame:
    """One row a claim: what is printed, the exact value of the nearest reading with its error, the verdict, why."""
    return pd.DataFrame([_row(name, _found(name, folder, results)) for name in CLAIMS])


def _row(name: str, found: Finding | None) -> Mapping[str, Any]:
    claim = CLAIMS[name]
    verdict = None if found is None else claim.verdict(found)
    return {
        "claim": name,
        "paper": claim.paper,
        "where": claim.where,
        "says": claim.says,
        "printed": claim.printed,
        "lowest": claim.low if math.isfinite(claim.low) else None,
        "highest": claim.high if math.isfinite(claim.high) else None,
        "exact": None if verdict is None else verdict.value,
        "error": None if found is None else found.error,
        "reading": "" if verdict is None else verdict.reading,
        "method": "" if found is None else found.method,
        "verdict": _NEEDS if verdict is None else verdict.word,
        "why": f"Needs {_files(claim)}{_long(claim)}." if found is None else found.why,
    }


def _files(claim: Claim) -> str:
    return joined([f"{name}.csv" for name in claim.files])


def _long(claim: Claim) -> str:
    return f", more than {claim.above:,} items long" if claim.above else ""


def shown(value: float, error: float, unit: str = "") -> str:
    """A value with four digits, and its error where it can be seen in them.

    >>> shown(48.85153, 1e-12), shown(-1.1356, 0.0171, "%"), shown(17770.0, 0.0), shown(1e-16, 1e-10)
    ('48.85', '−113.6\\u202f% ± 2', '17,770', 'at most 1×10⁻¹⁰')
    """
    if 0 < abs(value) < 1e-6 or abs(value) < error:  # nothing is left of its digits
        return f"at most {_told(rounded_up(max(abs(value), error)))}"
    scale, after = {"%": (100.0, "\u202f%"), "×": (1.0, "×")}.get(unit, (1.0, ""))
    text = _told(float(f"{scale * value:.4g}") if abs(value) < 10_000 else value) + after
    return text if error <= 1e-4 * abs(value) else f"{text} ± {_told(rounded_up(scale * error))}"


def _told(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10_000 else number(value).replace("-", "−")


def write_part(page: Page, folder: Folder, results: Results) -> None:
    """What agrees and what differs in short; then a table for each paper, and what is not shown."""
    page.heading("The papers’ numbers")
    frame = claims_frame(folder, results)
    page.text(
        f"{len(frame)} printed numbers and bounds, each beside the exact one: {joined(_tally(frame))}.",
        "A claim agrees where the exact value, its error included, lies in what the printed number stands for, "
        "rounding included; where a paper leaves open what it means, one reading for which it does is enough, "
        "and the range of all is told.",
        "± bounds the error of an exact value where it shows, and is a 95\u202f% interval where one is simulated.",
    )
    for paper in PAPERS.values():
        rows = frame[frame["paper"] == paper]
        page.heading(paper, level=3)
        page.table(
            pd.DataFrame(
                {
                    "where": rows["where"],
                    "what is claimed": rows["says"].str.replace(" %", "\u202f%"),
                    "printed": rows["printed"].str.replace(" %", "\u202f%"),
                    "exact": [_exact(row) for _, row in rows.iterrows()],
                    "verdict": rows["verdict"],
                    "why": rows["why"],
                }
            ),
            caption=f"{len(rows)} claims: " + joined(_tally(rows)) + ".",
            strong=("verdict",),
            stacked=True,
        )
    page.heading("Figures and tables", level=3)
    page.table(unshown(folder), caption="Every figure and table of the four papers.", strong=("here",), stacked=True)


_WORDS = {
    "agrees": ("agrees", "agree"),
    "differs": ("differs", "differ"),
    "open": ("is open", "are open"),
    _NEEDS: ("needs the papers’ data", "need the papers’ data"),
}


def _tally(rows: pd.DataFrame) -> list[str]:
    counts = rows["verdict"].value_counts().to_dict()
    return [f"{counts[word]} {told[counts[word] > 1]}" for word, told in _WORDS.items() if word in counts]


def _exact(row: "pd.Series[Any]") -> str:
    if row["verdict"] == _NEEDS:
        return "–"
    text = shown(float(row["exact"]), float(row["error"]), CLAIMS[row["claim"]].unit)
    told = [part for part in (row["reading"], "simulated" if row["method"] == "simulated" else "") if part]
    return f"{text} ({', '.join(told)})" if told else text

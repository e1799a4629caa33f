"""The claims as jobs, as a table to save, and as a part of the report; and every numbered item's fate."""

import json
import math
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import pandas as pd

from dpviz.charts import join_with_and
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.claims.claim import (
    CLAIMS,
    PAPERS,
    RecomputedValues,
    Vectors,
    read_toml,
)
from dpviz.export.reproduction.report_jobs import EXPECTED, ReportJob, Results, VectorFolder
from dpviz.export.reproduction.report_text import format_with_error

_NEEDS = "needs the data"
_UNITS = {"%": "share", "×": "times", "": "as printed"}
ITEMS: dict[str, dict[str, Any]] = read_toml("items.toml")
VERDICTS: dict[str, tuple[str, float]] = json.loads(
    files(__package__).joinpath("verdicts.json").read_text(encoding="utf-8")
)
"""The word and the figure, to six digits, of each claim that needs no data."""
_DONE = {
    "exact": "checked exactly",
    "drawn": "exact and drawn",
    "simulated": "simulated",
    "words": "explained in words",
}


def compute_claim(name: str, vectors: Vectors) -> RecomputedValues:
    return CLAIMS[name].recompute_values(vectors)


def _jobs(folder: VectorFolder) -> dict[str, ReportJob]:
    have = {vector.name: vector.scores for vector in folder.vectors}
    return {
        name: ReportJob(
            compute_claim,
            {"name": name, "vectors": {file: have[file] for file in claim.files}},
            claim.seconds,
        )
        for name, claim in CLAIMS.items()
        if not claim.lacks_files(have)
    }


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    return iter(_jobs(folder).values())


def claims_frame(folder: VectorFolder, results: Results) -> pd.DataFrame:
    """One row a claim: the printed range, the exact value of the nearest reading, the verdict, why.

    `unit` is that of `lowest`, `highest`, `exact` and `error`: "share" (1 is 100 %), "times", or
    "as printed".
    """
    able, rows = _jobs(folder), []
    for name, claim in CLAIMS.items():
        files = join_with_and([f"{file}.csv" for file in claim.files]) if claim.files else ""
        long = f", more than {claim.above:,} items long" if claim.above else ""
        row: dict[str, Any] = {
            "claim": name,
            "paper": claim.paper,
            "where": claim.where,
            "says": claim.says,
            "printed": claim.printed,
            "lowest": claim.low if math.isfinite(claim.low) else None,
            "highest": claim.high if math.isfinite(claim.high) else None,
            "exact": None,
            "error": None,
            "unit": _UNITS[claim.unit],
            "reading": "",
            "method": "",
            "verdict": _NEEDS,
            "why": f"Needs {files}{long}.",
        }
        if name in able:
            finding = results[able[name].key]
            verdict = claim.judge_values(finding)
            row |= {
                "exact": verdict.value,
                "error": finding.error,
                "reading": verdict.reading,
                "method": finding.method,
                "verdict": verdict.word,
                "why": finding.why,
            }
        rows.append(row)
    return pd.DataFrame(rows)


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    page.add_heading("The papers’ numbers")
    frame = claims_frame(folder, results)
    page.add_paragraph(
        f"{len(frame)} printed numbers and bounds, each beside the exact one: {_tally(frame)}.",
        "A claim agrees if the exact value, with its error, lies within the printed number and"
        " its rounding. If a paper's meaning is open, one reading that agrees is enough, and the"
        " range of all is shown.",
        "± bounds the error of an exact value where it shows, and is a 95\u202f% interval where one"
        " is simulated.",
    )
    for paper in PAPERS.values():
        rows = frame[frame["paper"] == paper]
        page.add_heading(paper, level=3)
        page.add_table(
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
            caption=f"{len(rows)} claims: {_tally(rows)}.",
            emphasised_columns=("verdict",),
            stack_when_narrow=True,
        )
    items = numbered_results_table(frame, folder)
    page.add_heading("Every numbered item", level=3)
    page.add_table(
        items,
        caption=f"{len(items)} items: "
        + ", ".join(f"{count} {here}" for here, count in items["here"].value_counts().items())
        + ".",
        emphasised_columns=("here",),
        stack_when_narrow=True,
    )


_WORDS = {
    "agrees": ("agrees", "agree"),
    "differs": ("differs", "differ"),
    "open": ("is open", "are open"),
    _NEEDS: ("needs the papers’ data", "need the papers’ data"),
}


def _tally(rows: pd.DataFrame) -> str:
    counts = rows["verdict"].value_counts().to_dict()
    return join_with_and(
        [
            f"{counts[one]} {words[counts[one] > 1]}"
            for one, words in _WORDS.items()
            if one in counts
        ]
    )


def _exact(row: "pd.Series[Any]") -> str:
    if row["verdict"] == _NEEDS:
        return "–"
    text = format_with_error(float(row["exact"]), float(row["error"]), CLAIMS[row["claim"]].unit)
    remarks = [row["reading"], "simulated" if row["method"] == "simulated" else ""]
    told = ", ".join(filter(None, remarks))
    return f"{text} ({told})" if told else text


def numbered_results_table(frame: pd.DataFrame, folder: VectorFolder) -> pd.DataFrame:
    """One row a theorem, algorithm, figure, …: what is done with it, and where or why not."""
    claims, rows = {row["claim"]: row for row in frame.to_dict("records")}, []
    for paper, item, told in [(p, i, told) for p in ITEMS for i, told in ITEMS[p].items()]:
        if isinstance(told, dict):
            here, where = _figure(told, folder)
        else:
            how, _, where = told.partition(": ")
            here = _DONE.get(how, how)
            if how == "claim":
                found = [claims[name] for name in where.split(", ")]
                here = _DONE.get(found[0]["method"], found[0]["verdict"])
                where = " ".join(f"{row['says']} {row['verdict'].capitalize()}." for row in found)
        rows.append(
            {"paper": PAPERS[paper], "item": item, "here": here, "where, or why not": where}
        )
    return pd.DataFrame(rows)


def _figure(told: Mapping[str, Any], folder: VectorFolder) -> tuple[str, str]:
    """A figure is shown, in part or not; and what to know about it."""
    missing = [f"{name}.csv" for name in told.get("files", ()) if folder.get(name) is None]
    if missing:
        return "not shown", f"Needs {join_with_and(missing)}."
    if "part" not in told:
        return "not shown", told["note"]
    return "in part" if "in_part" in told else "shown", f"Part “{told['part']}”. {told['note']}"


def stored_verdict_table() -> pd.DataFrame:
    """`numbered_results_table` from the kept verdicts, with each claim's printed and exact number."""
    rows = []
    for name, claim in CLAIMS.items():
        word, value = VERDICTS.get(name, (_NEEDS, math.nan))
        says, method = claim.says.strip(), ""
        if name in VERDICTS:
            exact = format_with_error(value, 1e-5 * abs(value), claim.unit)
            reading = f" ({claim.reading})" if claim.reading else ""
            says, method = (
                f"{says} Printed: {claim.printed}. Exact: {exact}{reading}.",
                claim.method,
            )
        rows.append({"claim": name, "says": says, "method": method, "verdict": word})
    return numbered_results_table(pd.DataFrame(rows), VectorFolder((), (), tuple(EXPECTED)))

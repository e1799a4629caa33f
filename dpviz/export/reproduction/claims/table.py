"""The claims as work to do, as a table to save, and as a part of the report, with what becomes of
every figure.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz.charts import number_text
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction.claims.claim import CLAIMS, PAPERS, Finding, PrintedNumber, Vectors
from dpviz.export.reproduction.report_jobs import (
    ReportJob,
    Results,
    VectorFolder,
    join_words,
    round_error_up,
)

_NEEDS = "needs the data"
_UNITS = {"%": "share", "×": "times", "": "as printed"}


@dataclass(frozen=True, kw_only=True, eq=False)
class ClaimJob(ReportJob):
    """One claim on the vectors that it needs."""

    name: str
    vectors: Vectors

    @property
    def expected_seconds(self) -> float:
        """As the claim says."""
        return CLAIMS[self.name].seconds

    def run(self) -> Finding:
        """The finding."""
        return CLAIMS[self.name].compute_finding(self.vectors)


def _job(name: str, folder: VectorFolder) -> ClaimJob | None:
    """None where a file that it needs is not there."""
    have = {vector.name: vector.scores for vector in folder.vectors}
    claim = CLAIMS[name]
    return (
        None
        if claim.missing_files(have)
        else ClaimJob(name=name, vectors={file: have[file] for file in claim.files})
    )


def jobs(folder: VectorFolder) -> Iterator[ReportJob]:
    """Every claim that can be computed from what the folder holds; those on made data always can."""
    yield from filter(None, (_job(name, folder) for name in CLAIMS))


def _found(name: str, folder: VectorFolder, results: Results) -> Finding | None:
    job = _job(name, folder)
    return None if job is None else results[job.key]


def claims_frame(folder: VectorFolder, results: Results) -> pd.DataFrame:
    """One row a claim: what is printed, the exact value of the nearest reading with its error, the
    verdict, why.

    `unit` is that of `lowest`, `highest`, `exact` and `error`: "share" (1 is 100 %), "times", or
    "as printed".
    """
    return pd.DataFrame([_row(name, _found(name, folder, results)) for name in CLAIMS])


def _row(name: str, finding: Finding | None) -> Mapping[str, Any]:
    claim = CLAIMS[name]
    verdict = None if finding is None else claim.judge_finding(finding)
    return {
        "claim": name,
        "paper": claim.paper,
        "where": claim.where,
        "says": claim.says,
        "printed": claim.printed,
        "lowest": claim.low if math.isfinite(claim.low) else None,
        "highest": claim.high if math.isfinite(claim.high) else None,
        "exact": None if verdict is None else verdict.value,
        "error": None if finding is None else finding.error,
        "unit": _UNITS[claim.unit],
        "reading": "" if verdict is None else verdict.reading,
        "method": "" if finding is None else finding.method,
        "verdict": _NEEDS if verdict is None else verdict.word,
        "why": _needs(claim) if finding is None else finding.why,
    }


def _needs(claim: PrintedNumber) -> str:
    files = join_words([f"{name}.csv" for name in claim.files])
    return (
        f"Needs {files}, more than {claim.above:,} items long."
        if claim.above
        else f"Needs {files}."
    )


def format_with_error(value: float, error: float, unit: str = "") -> str:
    """A value with four digits, and its error where it can be seen in them.

    >>> format_with_error(48.85153, 1e-12), format_with_error(-1.1356, 0.0171, "%"), format_with_error(17770.0, 0.0), format_with_error(1e-16, 1e-10)
    ('48.85', '−113.6\\u202f% ± 2', '17,770', 'at most 1×10⁻¹⁰')
    """
    if 0 < abs(value) < 1e-6 or abs(value) < error:  # nothing is left of its digits
        return f"at most {_told(round_error_up(max(abs(value), error)))}"
    scale, after = {"%": (100.0, "\u202f%"), "×": (1.0, "×")}.get(unit, (1.0, ""))
    text = _told(float(f"{scale * value:.4g}") if abs(value) < 10_000 else value) + after
    return (
        text if error <= 1e-4 * abs(value) else f"{text} ± {_told(round_error_up(scale * error))}"
    )


def _told(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10_000 else number_text(value).replace("-", "−")


def write_part(page: ReportPage, folder: VectorFolder, results: Results) -> None:
    """What agrees and what differs in short; then a table for each paper, and what is not shown."""
    page.add_heading("The papers’ numbers")
    frame = claims_frame(folder, results)
    page.add_paragraph(
        f"{len(frame)} printed numbers and bounds, each beside the exact one:"
        f" {join_words(_tally(frame))}.",
        "A claim agrees where the exact value, its error included, lies in what the printed number"
        " stands for, rounding included; where a paper leaves open what it means, one reading for"
        " which it does is enough, and the range of all is told.",
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
            caption=f"{len(rows)} claims: " + join_words(_tally(rows)) + ".",
            strong=("verdict",),
            stacked=True,
        )
    page.add_heading("Figures and tables", level=3)
    page.add_table(
        figure_coverage_table(folder),
        caption="Every figure and table of the four papers.",
        strong=("here",),
        stacked=True,
    )


_WORDS = {
    "agrees": ("agrees", "agree"),
    "differs": ("differs", "differ"),
    "open": ("is open", "are open"),
    _NEEDS: ("needs the papers’ data", "need the papers’ data"),
}


def _tally(rows: pd.DataFrame) -> list[str]:
    counts = rows["verdict"].value_counts().to_dict()
    return [
        f"{counts[word]} {words[counts[word] > 1]}"
        for word, words in _WORDS.items()
        if word in counts
    ]


def _exact(row: "pd.Series[Any]") -> str:
    if row["verdict"] == _NEEDS:
        return "–"
    text = format_with_error(float(row["exact"]), float(row["error"]), CLAIMS[row["claim"]].unit)
    remarks = [
        part
        for part in (row["reading"], "simulated" if row["method"] == "simulated" else "")
        if part
    ]
    return f"{text} ({', '.join(remarks)})" if remarks else text


_TOP_K, _ZIPF, _NOISES, _GAPS = "top-k", "zipf", "noises", "gaps"
_OTHER_VECTORS = "BMS-POS, the whole of Kosarak and T40I10D100K are not at hand"


@dataclass(frozen=True)
class PaperFigure:
    """A figure or table: by which part of the report it is shown ("" for none), from which files,
    and what to know.
    """

    paper: str
    what: str
    part: str
    note: str
    files: tuple[str, ...] = ()


SHOWN = (
    PaperFigure(
        "canonical",
        "Section 1, table of noises and mechanisms",
        "",
        "Names only: the menus of dpviz hold them.",
    ),
    PaperFigure(
        "canonical",
        "Section 1, table of runtimes",
        "",
        "Orders of growth with no constant: nothing to compute.",
    ),
    PaperFigure("canonical", "Figure 1: TOP on netflix over ε", _TOP_K, "", ("netflix",)),
    PaperFigure(
        "canonical",
        "Figure 2: Zipf scores over s",
        _ZIPF,
        "The total is read as 15⁷, rounded to counts.",
    ),
    PaperFigure("canonical", "Figure 3: Zipf scores with s = 0.04 over ε", _ZIPF, "All three k."),
    PaperFigure(
        "canonical",
        "Figure 4: noise families on netflix",
        _NOISES,
        "Canonical beside one-shot.",
        ("netflix",),
    ),
    PaperFigure("canonical", "Figure 5: GREAT on netflix", _TOP_K, "", ("netflix",)),
    PaperFigure("canonical", "Figure 6: patent", _TOP_K, "", ("patent",)),
    PaperFigure(
        "canonical", "Figure 7: searchlogs", _TOP_K, "Scores tie at rank 1,000.", ("searchlogs",)
    ),
    PaperFigure(
        "canonical", "Figure 8: medcost", _TOP_K, "Scores tie at rank 1,000.", ("medcost",)
    ),
    PaperFigure("canonical", "Figure 9: income", _TOP_K, "Scores tie at rank 1,000.", ("income",)),
    PaperFigure("canonical", "Figure 10: hepth", _TOP_K, "", ("hepth",)),
    PaperFigure(
        "canonical",
        "Table 1: the vectors and their sizes",
        _TOP_K,
        "The sizes are in the table of the data.",
        ("netflix", "patent", "searchlogs", "medcost", "income", "hepth"),
    ),
    PaperFigure(
        "canonical",
        "Section 7.3: runtimes",
        "",
        "Times of other code on another machine cannot be computed.",
    ),
    PaperFigure("free_gap", "Table 1: notation", "", "No numbers."),
    PaperFigure(
        "free_gap",
        "Section 7.1, table of the vectors",
        "",
        f"{_OTHER_VECTORS}; two of their kind stand in.",
    ),
    PaperFigure(
        "free_gap",
        "Figures 1a, 1d, 2a, 2d, 3a, 3d: BMS-POS",
        "",
        "The vector is not at hand, nor one of its kind.",
    ),
    PaperFigure(
        "free_gap",
        "Figures 1b, 1e, 2b, 2e, 3b, 3e: Kosarak",
        _GAPS,
        "In part: the first 100,000 streams only, the largest counts asked first.",
        ("kosarak",),
    ),
    PaperFigure(
        "free_gap",
        "Figures 1c, 1f, 2c, 2f, 3c, 3f: T40I10D100K",
        _GAPS,
        "In part: T10I4D100K stands in, of the same generator with shorter transactions.",
        ("t10i4d100k",),
    ),
    PaperFigure(
        "large_margin",
        "No figure, no table",
        "",
        "Corollaries 1 and 2 hide a constant C: examples stand in above.",
    ),
    PaperFigure(
        "candidates",
        "No figure, no table",
        "",
        "Theorems 1.2, 1.3 and Corollary 4.2 are cases of those above, 4.4 is 4.1 with percentiles"
        " from samples; 1.4, 1.5, 4.6, 4.7 and 5.2 hide constants in O(·); the private"
        " amplification of App. C is not built.",
    ),
)


def figure_coverage_table(folder: VectorFolder) -> pd.DataFrame:
    """One row a figure or table: whether it is shown here, and what to know about it."""
    have = {vector.name for vector in folder.vectors}
    rows = []
    for one in SHOWN:
        missing = [f"{name}.csv" for name in one.files if name not in have]
        partly = one.note.startswith("In part: ")
        here = "not shown" if not one.part or missing else "in part" if partly else "shown"
        if missing:
            note = f"Needs {join_words(missing)}."
        else:
            where = f"Part “{one.part}”." if one.part else ""
            note = f"{where} {one.note.removeprefix('In part: ')}".strip()
            note = note[:1].upper() + note[1:]
        rows.append(
            {"paper": PAPERS[one.paper], "figure or table": one.what, "here": here, "note": note}
        )
    return pd.DataFrame(rows)

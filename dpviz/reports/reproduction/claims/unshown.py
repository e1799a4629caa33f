"""Every figure and table of the four papers, with the part of the report that shows it or the reason why none does."""

from dataclasses import dataclass

import pandas as pd

from dpviz.reports.reproduction.claims.claim import PAPERS
from dpviz.reports.reproduction.data import Folder
from dpviz.reports.reproduction.wording import joined

_TOP_K, _ZIPF, _NOISES, _GAPS = "top-k", "zipf", "noises", "gaps"
_OTHER_VECTORS = "BMS-POS, the whole of Kosarak and T40I10D100K are not at hand"


@dataclass(frozen=True)
class Shown:
    """A figure or table: by which part of the report it is shown ("" for none), from which files, and what to know."""

    paper: str
    what: str
    part: str
    note: str
    files: tuple[str, ...] = ()


SHOWN = (
    Shown("canonical", "Section 1, table of noises and mechanisms", "", "Names only: the menus of dpviz hold them."),
    Shown("canonical", "Section 1, table of runtimes", "", "Orders of growth with no constant: nothing to compute."),
    Shown("canonical", "Figure 1: TOP on netflix over ε", _TOP_K, "", ("netflix",)),
    Shown("canonical", "Figure 2: Zipf scores over s", _ZIPF, "The total is read as 15⁷, rounded to counts."),
    Shown("canonical", "Figure 3: Zipf scores with s = 0.04 over ε", _ZIPF, "All three k."),
    Shown("canonical", "Figure 4: noise families on netflix", _NOISES, "Canonical beside one-shot.", ("netflix",)),
    Shown("canonical", "Figure 5: GREAT on netflix", _TOP_K, "", ("netflix",)),
    Shown("canonical", "Figure 6: patent", _TOP_K, "", ("patent",)),
    Shown("canonical", "Figure 7: searchlogs", _TOP_K, "Scores tie at rank 1,000.", ("searchlogs",)),
    Shown("canonical", "Figure 8: medcost", _TOP_K, "Scores tie at rank 1,000.", ("medcost",)),
    Shown("canonical", "Figure 9: income", _TOP_K, "Scores tie at rank 1,000.", ("income",)),
    Shown("canonical", "Figure 10: hepth", _TOP_K, "", ("hepth",)),
    Shown(
        "canonical",
        "Table 1: the vectors and their sizes",
        _TOP_K,
        "The sizes are in the table of the data.",
        ("netflix", "patent", "searchlogs", "medcost", "income", "hepth"),
    ),
    Shown("canonical", "Section 7.3: runtimes", "", "Times of other code on another machine cannot be computed."),
    Shown("free_gap", "Table 1: notation", "", "No numbers."),
    Shown("free_gap", "Section 7.1, table of the vectors", "", f"{_OTHER_VECTORS}; two of their kind stand in."),
    Shown("free_gap", "Figures 1a, 1d, 2a, 2d, 3a, 3d: BMS-POS", "", "The vector is not at hand, nor one of its kind."),
    Shown(
        "free_gap",
        "Figures 1b, 1e, 2b, 2e, 3b, 3e: Kosarak",
        _GAPS,
        "In part: the first 100,000 streams only, the largest counts asked first.",
        ("kosarak",),
    ),
    Shown(
        "free_gap",
        "Figures 1c, 1f, 2c, 2f, 3c, 3f: T40I10D100K",
        _GAPS,
        "In part: T10I4D100K stands in, of the same generator with shorter transactions.",
        ("t10i4d100k",),
    ),
    Shown("large_margin", "No figure, no table", "", "Corollaries 1 and 2 hide a constant C: examples stand in above."),
    Shown(
        "candidates",
        "No figure, no table",
        "",
        "Theorems 1.2, 1.3 and Corollary 4.2 are cases of those above, 4.4 is 4.1 with percentiles from samples; "
        "1.4, 1.5, 4.6, 4.7 and 5.2 hide constants in O(·); the private amplification of App. C is not built.",
    ),
)


def unshown(folder: Folder) -> pd.DataFrame:
    """One row a figure or table: whether it is shown here, and what to know about it."""
    have = {vector.name for vector in folder.vectors}
    rows = []
    for one in SHOWN:
        missing = [f"{name}.csv" for name in one.files if name not in have]
        partly = one.note.startswith("In part: ")
        here = "not shown" if not one.part or missing else "in part" if partly else "shown"
        if missing:
            note = f"Needs {joined(missing)}."
        else:
            where = f"Part “{one.part}”." if one.part else ""
            note = f"{where} {one.note.removeprefix('In part: ')}".strip()
            note = note[:1].upper() + note[1:]
        rows.append({"paper": PAPERS[one.paper], "figure or table": one.what, "here": here, "note": note})
    return pd.DataFrame(rows)

"""The score vectors of a reproduction: a folder of files with one count a line, no header.

Invariants: a file is used whole or left out with its reason; all are counts, so Δ = 1 and monotonic; what
the papers used and the folder lacks is told too.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores

EXPECTED = {
    "netflix": "users who gave the film five stars",
    "patent": "histogram bins of patent citations",
    "searchlogs": "histogram bins of search logs",
    "medcost": "histogram bins of medical costs",
    "income": "histogram bins of incomes",
    "hepth": "histogram bins of physics preprint citations",
    "t10i4d100k": "transactions that hold the item (synthetic, all 100,000)",
    "kosarak": "click streams that hold the item (the first 100,000)",
}
"""The files looked for, in the order of the report, and what a count is."""

_LARGEST = 50_000_000  # bytes of a file


@dataclass(frozen=True, eq=False)
class Vector:
    """One score vector: its name, its scores, the SHA-256 of its file and what a count is ("" if unknown)."""

    name: str
    scores: Scores
    sha256: str
    meaning: str


@dataclass(frozen=True)
class Folder:
    """What a folder gave: the vectors, the files left out with their reasons, the names missed."""

    vectors: tuple[Vector, ...]
    left_out: tuple[str, ...]
    absent: tuple[str, ...]

    def get(self, name: str) -> Vector | None:
        """The vector of that name, or None."""
        return next((vector for vector in self.vectors if vector.name == name), None)


def read_folder(data: Path) -> Folder:
    """All `*.csv` files of `data`: those in `EXPECTED` first, in that order.

    Raises `ParameterError` where `data` is no folder or holds no file that can be used.
    """
    if not data.is_dir():
        raise ParameterError("data", str(data), "a folder that holds files with one count a line")
    order = list(EXPECTED)
    files = sorted(
        data.glob("*.csv"), key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.name)
    )
    vectors: list[Vector] = []
    left_out: list[str] = []
    for path in files:
        try:
            content = _content(path)
            vectors.append(
                Vector(
                    path.stem,
                    Scores(_counts(content, path.name), monotonic=True),
                    hashlib.sha256(content).hexdigest(),
                    EXPECTED.get(path.stem, ""),
                )
            )
        except ParameterError as err:
            left_out.append(f"{path.name} is left out: {err}")
        except OSError as err:
            left_out.append(f"{path.name} is left out: {err.strerror or err}.")
    if not vectors:
        why = f" ({left_out[0]})" if left_out else ""
        raise ParameterError("data", str(data), f"a folder with at least one .csv file of counts, one a line{why}")
    names = {vector.name for vector in vectors}
    return Folder(tuple(vectors), tuple(left_out), tuple(name for name in EXPECTED if name not in names))


def _content(path: Path) -> bytes:
    if path.stat().st_size > _LARGEST:
        raise ParameterError("the file", f"{path.stat().st_size:,} bytes", f"at most {_LARGEST:,} bytes")
    return path.read_bytes()


def _counts(content: bytes, name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    lines = content.decode("utf-8-sig", "replace").split()
    values = np.empty(len(lines))
    for i, text in enumerate(lines):
        try:
            values[i] = float(text)
        except ValueError:
            raise ParameterError(f"entry {i + 1} of {name}", text, "a count") from None
        if not (values[i] >= 0 and values[i].is_integer()):
            raise ParameterError(f"entry {i + 1} of {name}", text, "a count: a whole number of at least 0")
    return values

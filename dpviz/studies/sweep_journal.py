"""Journal of a sweep: rows are appended as tasks end, and read back to resume.

Invariants: only whole lines are appended until the sweep is complete; a last line torn by a kill is
cut off; nothing is changed unless every other line belongs to the sweep.
"""

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpviz.base import (
    Frame,
    ParameterError,
    cached_property,
    check_choice,
    name_file_in_errors,
    pd,
    write_atomically,
)
from dpviz.base.safe_csv import csv_text_of_rows
from dpviz.studies.sweep import COLUMNS, Identity, Row, Sweep

_IDENTITY = ("digest", "mechanism", "parameters", "epsilon", "k", "seed")


@dataclass(frozen=True)
class SweepFormat:
    endings: tuple[str, ...]
    header: str
    write: Callable[[Iterable[Row]], str]
    read: Callable[[str], Mapping[str, Any]]


def _write_csv(rows: Iterable[Row]) -> str:
    return csv_text_of_rows([row[name] for name in COLUMNS] for row in rows)


def _write_json(rows: Iterable[Row]) -> str:
    return "".join(
        json.dumps({name: row[name] for name in COLUMNS}, ensure_ascii=False, allow_nan=False)
        + "\n"
        for row in rows
    )


def _read_csv(line: str) -> dict[str, Any]:
    (cells,) = csv.reader([line], strict=True)
    return dict(zip(COLUMNS, cells, strict=True))


FORMATS: Final[Mapping[str, SweepFormat]] = {
    "csv": SweepFormat((".csv",), csv_text_of_rows([COLUMNS]), _write_csv, _read_csv),
    "json": SweepFormat((".json", ".jsonl", ".ndjson"), "", _write_json, json.loads),
}
"""CSV with a header, or JSON with one object a line."""


def rows_to_frame(rows: Iterable[Row]) -> Frame:
    """Rows as a table with every column, typed even when empty."""
    return pd.DataFrame(list(rows), columns=list(COLUMNS)).astype(
        {name: object if kind is str else kind for name, kind in COLUMNS.items()}
    )


@dataclass(frozen=True)
class Journal:
    """Output file of a sweep; `format` is a name in `FORMATS`, by default told from the ending."""

    path: Path
    format: str | None = None

    @cached_property
    def _format(self) -> SweepFormat:
        if self.format is not None:
            return FORMATS[check_choice("format", self.format, FORMATS)]
        ending = self.path.suffix.lower()
        for known in FORMATS.values():
            if ending in known.endings:
                return known
        allowed = ", ".join(e for known in FORMATS.values() for e in known.endings)
        raise ParameterError("output", self.path.name, f"a name that ends in one of {allowed}")

    def read_finished_rows(self, sweep: Sweep) -> dict[Identity, Row]:
        """Rows of `sweep` in the file; raises `ParameterError` where it holds anything else."""
        if not self.path.exists():
            self._append(self._format.header)
            return {}
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        rows = self._rows(whole, sweep)
        if not whole and not self._begins_like_ours(content):
            raise self._foreign(1)
        if whole != content:
            os.truncate(self.path, len(whole))
        if not whole:
            self._append(self._format.header)
        return rows

    def append(self, rows: Iterable[Row]) -> None:
        """Append the rows of a finished task, and flush them to the operating system."""
        self._append(self._format.write(rows))

    def replace_with_table(self, rows: Iterable[Row]) -> None:
        """Replace the file in one step by the complete table."""
        write_atomically(self.path, (self._format.header + self._format.write(rows)).encode())

    def _append(self, text: str) -> None:
        with name_file_in_errors(self.path), self.path.open("ab") as file:
            file.write(text.encode())

    def _begins_like_ours(self, content: bytes) -> bool:
        start = (self._format.header or '{"figure": ').encode()
        return content.startswith(start) or start.startswith(content)

    def _rows(self, whole: bytes, sweep: Sweep) -> dict[Identity, Row]:
        wanted = {
            (*task.identity, figure): task.data
            for task in sweep.tasks
            for figure in task.figure_names
        }
        lines = whole.decode("utf-8", "replace").split("\n")[:-1]
        rows: dict[Identity, Row] = {}
        for number, line in enumerate(lines, 1):
            if number == 1 and self._format.header:
                if line + "\n" != self._format.header:
                    raise self._foreign(number)
                continue
            row = self._row(number, line)
            key = (*(row[name] for name in _IDENTITY), row["figure"])
            if key not in wanted or row["draws"] not in (0, sweep.samples):
                raise self._foreign(number)
            rows[key] = row | {"data": wanted[key]}
        return rows

    def _row(self, number: int, line: str) -> Row:
        try:
            cells = self._format.read(line)
            return {name: kind(cells[name]) for name, kind in COLUMNS.items()}
        except (ValueError, KeyError, TypeError, csv.Error) as err:
            raise self._foreign(number) from err

    def _foreign(self, line: int) -> ParameterError:
        return ParameterError(
            "output",
            self.path.name,
            f"a new file, or one that this very sweep began (its line {line} is of another)",
        )

"""Answers written as text, Parquet or a workbook.

CSV and workbooks are inert in a spreadsheet; JSON has null in place of NaN and infinity.
"""

import io
import json
import math
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dpviz import __version__
from dpviz.base import (
    ONE_PERSON,
    Frame,
    ParameterError,
    attach_person_metadata,
    export_csv,
    name_file_in_errors,
    pd,
    rows_as_csv,
    write_atomically,
)
from dpviz.commands.base import CommandResult, print_to_stderr

BINARY = ("parquet", "xlsx")
_ENDINGS = {
    ".csv": "csv",
    ".txt": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".html": "html",
    ".htm": "html",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
}
_MOST_ROWS = 1_048_575  # of a sheet, below its heads


def check_output_writable(path: str | None, format: str) -> None:
    """Raise before any work if the file cannot be written."""
    if path is None:
        if format in BINARY:
            raise ParameterError(
                "--output", None, f"given: {format} is not for standard output", "missing"
            )
        return
    if format == "xlsx" and find_spec("openpyxl") is None:
        allowed = (
            "a CSV, JSON or Parquet file until openpyxl is installed: pip install 'dpviz[excel]'"
        )
        raise ParameterError("--output", path, allowed)
    if not path or Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        raise ParameterError("--output", path, "a file in a folder that exists")


def output_format(path: str | None, formats: Sequence[str], error_hint: str = "") -> str:
    """Format of the file's ending, else the first of `formats`; "text" if there are none."""
    ending = "" if path is None else Path(path).suffix.lower()
    if not ending or not formats:
        return next(iter(formats), "text")
    endings = {ending: name for ending, name in _ENDINGS.items() if name in formats}
    if ending not in endings:  # CSV under another name would mislead
        raise ParameterError(
            "--output", path, f"a file that ends in {', '.join(endings)}{error_hint}", "choice"
        )
    return endings[ending]


def write_answer(command: str, answer: CommandResult, *, format: str, path: str | None) -> None:
    for note in answer.notes:
        print_to_stderr(note)
    if answer.written:
        return
    content = _content(command, answer, format)
    try:
        _put(content, path)
    except (OSError, ParameterError):
        if answer.once:
            print_to_stderr(
                f"The answer could not be written, so it is printed here:\n{content.decode()}"
            )
        raise


def _put(content: bytes, path: str | None) -> None:
    if path is not None:
        write_atomically(Path(path), content)
        return
    if sys.stdout is None:
        raise ParameterError("--output", None, "given where standard output is closed", "missing")
    with name_file_in_errors("standard output"):
        sys.stdout.write(content.decode())
        sys.stdout.flush()


def _content(command: str, answer: CommandResult, format: str) -> bytes:
    if answer.document is not None:
        return answer.document.encode()
    match format:
        case "parquet":
            frame = attach_person_metadata(_frame(answer).copy(deep=False), _person(answer))
            return bytes(frame.to_parquet(index=False))
        case "xlsx":
            return _as_workbook(command, answer)
        case "json":
            return _as_json(command, answer).encode()
        case "scenario" if answer.scenario is not None:
            return f"{answer.scenario.to_json()}\n".encode()
    rows = answer.table
    return (
        rows_as_csv(rows, answer.columns) if isinstance(rows, list) else export_csv(rows)
    ).encode()


def _as_workbook(command: str, answer: CommandResult) -> bytes:
    frame = _frame(answer)
    if len(frame) > _MOST_ROWS:
        raise ParameterError(
            "the rows of a workbook",
            len(frame),
            f"at most {_MOST_ROWS:,}; CSV and Parquet hold more",
        )
    packed = io.BytesIO()
    with pd.ExcelWriter(packed, engine="openpyxl") as book:
        frame.to_excel(book, sheet_name=command, index=False)
        for cell in (cell for row in book.sheets[command].iter_rows() for cell in row):
            if cell.data_type == "f":  # a label that begins with =
                cell.data_type = "s"
    return packed.getvalue()


def _person(answer: CommandResult) -> dict[str, Any]:
    """The answer's statement on one person, if one holds for all of it."""
    return dict(answer.person) if answer.scenario is None else answer.scenario.data.scores_arguments


def _frame(answer: CommandResult) -> Frame:
    return pd.DataFrame(answer.table) if isinstance(answer.table, list) else answer.table


def _as_json(command: str, answer: CommandResult) -> str:
    table = answer.table if isinstance(answer.table, list) else answer.table.to_dict("records")
    rows = [
        {
            str(name): None if isinstance(cell, float) and not math.isfinite(cell) else cell
            for name, cell in row.items()
        }
        for row in table
    ]
    content: dict[str, Any] = {"dpviz": command, "version": __version__}
    if answer.scenario is not None:
        content["scenario"] = json.loads(answer.scenario.replace(scores=None).to_json())
    if person := _person(answer):
        content[ONE_PERSON] = person
    content |= {"notes": list(answer.notes), "rows": rows}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

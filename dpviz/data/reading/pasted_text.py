"""Pasted text: a table, or numbers in one line."""

import re

import numpy as np

from dpviz.base import ParameterError, pd
from dpviz.base.text_format import replace_surrogates
from dpviz.data.reading.delimited_text import read_delimited
from dpviz.data.reading.delimiters import guess_delimiter
from dpviz.data.reading.input_rules import (
    MAX_ITEMS,
    FileReadOptions,
    IngestError,
    check_count_limit,
    check_file_size,
    refuse_web_page,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table

_NO_OPTIONS = FileReadOptions()
_SOURCE = "pasted text"
_TIGHT = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


def read_pasted_text(text: str, options: FileReadOptions = _NO_OPTIONS) -> Table:
    if not isinstance(text, str):
        raise ParameterError("text", text, "a text")
    text = replace_surrogates(text).removeprefix("\ufeff")
    check_file_size(_SOURCE, len(text.encode()))
    refuse_web_page(_SOURCE, text)
    if "\0" in text:
        raise IngestError("The pasted text holds binary data, not text.")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and (cells := _one_line(lines[0])) is not None:
        frame = pd.DataFrame({"value": cells}, dtype="str")
        rows = np.arange(1, len(cells) + 1, dtype=np.int64)
        return Table(_SOURCE, frame, rows, unit="Number", header=False)
    delimiter = guess_delimiter(text)
    if delimiter == "," and all(map(_TIGHT.fullmatch, lines)):
        raise IngestError(
            f"Line 1: '{lines[0].strip()[:40]}' can be one number or a label and a number. Put a"
            " tab or a semicolon between label and number, or a point before decimals."
        )
    return read_delimited(_SOURCE, text, options, delimiter=delimiter, trim=True, row_noun="Line")


def _one_line(line: str) -> list[str] | None:
    """Cells of a single line of numbers; None for anything else, such as a label and a number."""
    if ";" in line or "\t" in line:
        cells = re.split(r"[;\t]", line)
    elif re.search(r",\s", line) or not re.search(r"\s", line.strip()):
        cells = line.split(",")
    else:
        cells = line.split()
    cells = [cell.strip() for cell in cells]
    # a comma after the last number
    cells = cells[:-1] if len(cells) > 1 and not cells[-1] else cells
    check_count_limit("There are", len(cells), "items", MAX_ITEMS)
    return cells if looks_numeric(cells) else None

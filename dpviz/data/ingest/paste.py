"""Pasted text to a Table.

One number a line; "label, number", "label<TAB>number", "label; number"; or one line of numbers
separated by commas, semicolons or spaces. A first line of column names is recognised, blank lines are
passed over, blanks around cells are dropped.
"""

import re

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, silent
from dpviz.data.ingest.delimited import read_delimited, sniff
from dpviz.data.ingest.limits import MAX_BYTES, MAX_ITEMS, IngestError, check_count
from dpviz.data.ingest.numbers import looks_numeric
from dpviz.data.ingest.table import Table
from dpviz.data.ingest.text import encodable

_SOURCE = "pasted text"
_TIGHT = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


def paste(text: str, *, header: bool | None = None, progress: Progress = silent) -> Table:
    """A Table from pasted text; raises `IngestError`.

    Lines such as "1,5" throughout are refused: each may be one number or a label and a score.

    >>> paste("apples, 3\\npears, 5").frame.values.tolist()
    [['apples', '3'], ['pears', '5']]
    >>> paste("3 1 4").frame["value"].tolist()
    ['3', '1', '4']
    """
    import pandas as pd

    if not isinstance(text, str):
        raise ParameterError("text", text, "a text")
    text = encodable(text).removeprefix("\ufeff")
    if len(text.encode()) > MAX_BYTES:
        raise IngestError(f"The pasted text is larger than {MAX_BYTES // 1_000_000} MB, which is the limit.")
    if "\0" in text:
        raise IngestError("The pasted text holds binary data, not text.")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise IngestError("The pasted text is empty.")
    if len(lines) == 1 and (cells := _one_line(lines[0])) is not None:
        frame = pd.DataFrame({"value": pd.Series(cells, dtype="str")})
        return Table(_SOURCE, frame, np.arange(1, len(cells) + 1, dtype=np.int64), unit="Number", header=False)
    delimiter = sniff(text)
    if delimiter == "," and all(map(_TIGHT.fullmatch, lines)):
        raise IngestError(
            f"Line 1: '{lines[0].strip()[:40]}' can be one number or a label and a number; put a tab or a semicolon "
            "between label and number, or a point before decimals."
        )
    return read_delimited(_SOURCE, text, delimiter=delimiter, header=header, trim=True, unit="Line", progress=progress)


def _one_line(line: str) -> list[str] | None:
    """The cells of a single line of numbers; None where it is something else, such as one label and number."""
    if ";" in line or "\t" in line:
        cells = re.split(r"[;\t]", line)
    elif re.search(r",\s", line) or not re.search(r"\s", line.strip()):
        cells = line.split(",")
    else:
        cells = line.split()
    cells = [cell.strip() for cell in cells]
    cells = cells[:-1] if len(cells) > 1 and not cells[-1] else cells  # a comma after the last number
    check_count("There are", len(cells), "items", MAX_ITEMS)
    return cells if looks_numeric(cells) else None

"""What may come in, how it is to be read, and the error that says what was wrong.

Every function of `dpviz.data.ingest` raises `IngestError`, a `ParameterError` whose text is one plain
sentence for the person who brought the data: it names the row, or the limit that was passed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpviz.base.errors import ParameterError, inert
from dpviz.base.progress import Progress, silent

MAX_BYTES: Final = 50_000_000
"""Bytes in a file or a pasted text (50 MB)."""
MAX_ITEMS: Final = 1_000_000
"""Items that get a score."""
MAX_LABEL: Final = 200
"""Characters in a label."""
MAX_EDIT_ROWS: Final = 2_000
"""Rows of a table that is edited by hand."""
MAX_ROWS: Final = 5_000_000
"""Rows in a file; an event log has many an item."""
MAX_COLUMNS: Final = 1_000
"""Columns in a file."""
MAX_CELLS: Final = 10_000_000
"""Rows times columns that are read of a file."""
MAX_UNPACKED: Final = 300_000_000
"""Bytes that a compressed file may unpack to (300 MB)."""
MAX_MEMORY: Final = 300_000_000
"""Bytes of memory that reading a file may take behind the wall (300 MB)."""
MAX_SECONDS: Final = 10.0
"""Seconds of processor time that reading a file may take behind the wall."""

_LONGEST = 40


class IngestError(ParameterError):
    """Data that cannot be used, told in one sentence.

    >>> str(IngestError("Row 3: the score is empty."))
    'Row 3: the score is empty.'
    """

    def __init__(self, sentence: str) -> None:
        super().__init__("the data", None, sentence)
        self.args = (sentence,)  # so that it survives pickling

    def __str__(self) -> str:
        return self.allowed


@dataclass(frozen=True)
class Reading:
    """How to read a file, where the person says so; None is found out.

    Parameters
    ----------
    encoding
        That of text without a byte order mark.
    header
        Whether the first row names the columns.
    sheet
        The sheet of a workbook.
    columns
        Those that are needed of a Parquet file.
    progress
        Told the fraction done; may raise `Cancelled`.
    """

    encoding: str | None = None
    header: bool | None = None
    sheet: str | None = None
    columns: Sequence[str] | None = None
    progress: Progress = silent


def check_count(start: str, count: int, what: str, most: int) -> None:
    """Refuse more of something than there may be: "There are" 3 "items", "'a.csv' has" 9 "columns".

    Parameters
    ----------
    start
        How the sentence begins.
    count
        How many there are.
    what
        What of.
    most
        How many there may be.

    Raises
    ------
    IngestError
        Where there are more.
    """
    if count > most:
        raise IngestError(f"{start} {count:,} {what}; at most {most:,} are allowed.")


def check_below(name: str, count: int, what: str, most: int) -> None:
    """Refuse a file, or a part of it, that has more of something than there may be.

    Parameters
    ----------
    name
        How the sentence begins.
    count
        How many there are at least.
    what
        What of.
    most
        How many there may be.

    Raises
    ------
    IngestError
        Where there are more.
    """
    if count > most:
        raise IngestError(f"{name} has more than {most:,} {what}, which is the limit.")


def check_bytes(name: str, size: int) -> None:
    """Raise for a file of more than `MAX_BYTES`."""
    if size > MAX_BYTES:
        raise IngestError(f"{quoted(name)} has {size / 1e6:,.1f} MB; at most {MAX_BYTES / 1e6:g} are allowed.")


def quoted(value: object) -> str:
    """A cell, column or file name as an error shows it: on one line, cut when long, always encodable.

    >>> quoted("a\\nb"), quoted(2.5)
    ("'a b'", '2.5')
    """
    text = value if isinstance(value, str) else str(value)
    text = inert(text[: 4 * _LONGEST].encode("utf-8", "replace").decode(), _LONGEST)
    return f"'{text}'" if isinstance(value, str) else text

"""What may come in, and the error that says what was wrong.

Every function of `dpviz.data.ingest` raises `IngestError`, a `ParameterError` whose text is one plain
sentence for the person who brought the data: it names the row, or the limit that was passed.
"""

from typing import Final

from dpviz.base.errors import ParameterError, inert

__all__ = [
    "MAX_BYTES",
    "MAX_CELLS",
    "MAX_COLUMNS",
    "MAX_EDIT_ROWS",
    "MAX_ITEMS",
    "MAX_LABEL",
    "MAX_MEMORY",
    "MAX_ROWS",
    "MAX_SECONDS",
    "MAX_UNPACKED",
    "IngestError",
    "quoted",
]

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


def quoted(value: object) -> str:
    """A cell, column or file name as an error shows it: on one line, cut when long, always encodable.

    >>> quoted("a\\nb"), quoted(2.5)
    ("'a b'", '2.5')
    """
    text = value if isinstance(value, str) else str(value)
    text = inert(text[: 4 * _LONGEST].encode("utf-8", "replace").decode(), _LONGEST)
    return f"'{text}'" if isinstance(value, str) else text

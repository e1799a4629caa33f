"""Limits on data from outside, reading options, the error for bad data, and text rules.

Label text is data: formulas, markup, emoji, right-to-left text and duplicates stay.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from dpviz.base import (
    Column,
    ParameterError,
    cell_text,
    check_person_metadata,
    pd,
    printable_line,
)

MAX_BYTES: Final = 50_000_000
"""Bytes in a file or a pasted text (50 MB)."""
MAX_ITEMS: Final = 1_000_000
MAX_LABEL: Final = 200
MAX_NAME: Final = 4 * MAX_LABEL
"""Characters in a text whose Unicode form C can be a label: at most four of them become one."""
MAX_EDIT_ROWS: Final = 2_000
MAX_ROWS: Final = 5_000_000
"""Rows in a file; an event log has many for each item."""
MAX_COLUMNS: Final = 1_000
MAX_CELLS: Final = 10_000_000
"""Rows times columns read from a file."""
MAX_UNPACKED: Final = 300_000_000
"""Bytes that a compressed file may unpack to (300 MB)."""
MAX_MEMORY: Final = 450_000_000
"""Bytes of memory for reading a file in a limited process; text takes a few times its length."""
MAX_SECONDS: Final = 10.0
"""Seconds of processor time for reading a file in a limited process."""

_LONGEST = 40
_PAGE_START = 1_000  # characters that tell a web page
_WEB_PAGE = re.compile(r"[\ufeffï»¿\s]*+<(?:!doctype html|html|head|meta|table)\b", re.IGNORECASE)


class IngestError(ParameterError):
    """Unusable data, explained in one sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__("the data", None, sentence)
        self.args = (sentence,)  # so that it survives pickling

    def __str__(self) -> str:
        return self.allowed


SHAPES: Final = (
    "Each row needs an item and its score, as in “oak,31”. Or it needs a person and an item, as in"
    " “ann,oak”, or the items of one person, as in “oak;ash”."
)
"""Rows that can be read, for those whose rows cannot."""


@dataclass(frozen=True, kw_only=True)
class FileReadOptions:
    """Choices about the reading of a file; None to find out."""

    kind: str | None = None
    encoding: str | None = None
    header: bool | None = None
    sheet: str | None = None
    member: str | None = None
    above: int | None = None
    below: int | None = None
    columns: Sequence[str] | None = None

    @property
    def priority_columns(self) -> frozenset[str]:
        """Columns that are read before others where not all fit."""
        return frozenset(self.columns or ())


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A guess in one sentence, and the alternative choices by the words of their buttons.

    A remark that `asks` has to be answered: by one of its mends, or by agreeing to `kept`, if any.
    """

    says: str
    mends: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    asks: bool = False
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def requires_choice(self) -> bool:
        """True if a press has to answer it before anything is used."""
        return self.asks and not self.kept


def check_count_limit(sentence_start: str, count: int, noun: str, limit: int) -> None:
    """Refuse too many: "There are" 3 "items", "'a.csv' has" 9 "columns"."""
    if count > limit:
        raise IngestError(f"{sentence_start} {count:,} {noun}; at most {limit:,} are allowed.")


def check_within_limit(name: str, count: int, noun: str, limit: int) -> None:
    if count > limit:
        raise IngestError(f"{name} has more than {limit:,} {noun}, which is the limit.")


def check_file_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise IngestError(
            f"{quote_value(name)} has {size / 1e6:,.1f} MB; at most {MAX_BYTES / 1e6:g} are"
            " allowed."
        )


def refuse_web_page(name: str, content: str | bytes) -> None:
    """Raise for the code of a web page, of which a browser shows the table."""
    start = content[:_PAGE_START]
    if _WEB_PAGE.match(start if isinstance(start, str) else start.decode("latin-1")):
        raise IngestError(
            f"{quote_value(name)} is a web page: open it in a browser, copy its table and paste"
            " that, or save it as CSV or XLSX."
        )


@contextmanager
def report_damage(name: str, file_kind: str) -> Iterator[None]:
    """Turn any error of a reader on damaged bytes into one sentence."""
    try:
        yield
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as err:  # anything from OSError to KeyError
        raise IngestError(
            f"{quote_value(name)} cannot be read as {file_kind}: it is damaged, cut short or another"
            " kind."
        ) from err


def file_person_parameters(name: str, metadata: object) -> dict[str, Any]:
    """A file's own statement on one person, checked, in the form that `Scores` takes."""
    try:
        return check_person_metadata(metadata)
    except ParameterError as err:
        raise IngestError(f"{quote_value(name)} says what cannot be: {err}") from None


def quote_value(value: object) -> str:
    """Cell, column or file name in an error: on one line, cut if long, always encodable.

    >>> quote_value("a\\nb"), quote_value(2.5)
    ("'a b'", '2.5')
    """
    text = value if isinstance(value, str) else str(value)
    text = printable_line(text[: 4 * _LONGEST].encode("utf-8", "replace").decode(), _LONGEST)
    return f"'{text}'" if isinstance(value, str) else text


def cell_texts(column: Column) -> list[str | None]:
    """Cells as text, None for blank ones; whole numbers without a point, dates year-month-day."""
    values = column.tolist()
    if isinstance(column.dtype, pd.StringDtype):
        return [value if isinstance(value, str) and value.strip() else None for value in values]
    return [cell_text(value) for value in values]

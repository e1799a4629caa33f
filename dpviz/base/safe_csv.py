"""CSV that no spreadsheet runs as formulas, by the OWASP note on CSV injection."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dpviz.base.frames import Frame
from dpviz.base.progress import Progress, ignore_progress

# and their full-width forms
_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_ROWS = 5_000  # of a piece


def neutralise_formula(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would run it; always encodable."""
    text = text.encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(_STARTS) else text


def export_csv(frame: Frame) -> str:
    """A table as CSV text with a header and no index; text cells and names are neutralised."""
    return csv_text_of_rows([map(str, frame.columns), *_frame_rows(frame)])


def csv_pieces(frame: Frame, progress: Progress = ignore_progress, **same: str) -> Iterator[str]:
    """Text of `export_csv` in pieces of rows, with the columns `same` added at the end.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"n": range(12_000)})
    >>> pieces = list(csv_pieces(table, about="12,000 rows"))
    >>> len(pieces), "".join(pieces) == export_csv(table.assign(about="12,000 rows"))
    (4, True)
    """
    yield csv_text_of_rows([[*map(str, frame.columns), *same]])
    for start in range(0, len(frame), _ROWS):
        progress(start / len(frame))
        yield csv_text_of_rows(_frame_rows(frame.iloc[start : start + _ROWS].assign(**same)))


def rows_as_csv(rows: Sequence[Mapping[str, object]], columns: Sequence[str] = ()) -> str:
    """Rows as `export_csv` writes them, without pandas; `columns` where there may be no row."""
    return csv_text_of_rows([columns or list(*rows[:1]), *(row.values() for row in rows)])


def csv_text_of_rows(rows: Iterable[Iterable[object]]) -> str:
    """Lines of CSV: text quoted and neutralised, numbers in full."""
    text = io.StringIO()
    # all text is quoted, so that no program finds a formula by splitting a cell at another sign
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows(
        [neutralise_formula(cell) if isinstance(cell, str) else cell for cell in row]
        for row in rows
    )
    return text.getvalue()


def _frame_rows(frame: Frame) -> Iterator[tuple[object, ...]]:
    """Rows of a table, with None where a cell is missing."""
    whole = frame.astype(object)
    return whole.where(frame.notna(), None).itertuples(index=False, name=None)

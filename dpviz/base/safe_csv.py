"""CSV that no spreadsheet runs as formulas.

Text that starts with = + - @, a tab or a line break gets an apostrophe; numbers stay numbers. All
text is quoted, so that no program finds a formula inside a cell by splitting at another sign.
Source: the OWASP note on CSV injection.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from dpviz.base.frames import Column, Frame, pd
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
    return _written(frame, header=True)


def csv_pieces(frame: Frame, progress: Progress = ignore_progress, **same: str) -> Iterator[str]:
    """Text of `export_csv` in pieces of rows, with the columns `same` added at the end.

    Not for tables with datetimes: pandas chooses their format by the whole column.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"n": range(12_000)})
    >>> pieces = list(csv_pieces(table, about="12,000 rows"))
    >>> len(pieces), "".join(pieces) == export_csv(table.assign(about="12,000 rows"))
    (3, True)
    """
    for start in range(0, max(len(frame), 1), _ROWS):
        progress(start / max(len(frame), 1))
        yield _written(frame.iloc[start : start + _ROWS].assign(**same), header=start == 0)


def rows_as_csv(rows: Sequence[Mapping[str, object]], columns: Sequence[str] = ()) -> str:
    """Rows as `export_csv` writes them, without pandas; `columns` where there may be no row."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for cells in (columns or list(*rows[:1]), *(row.values() for row in rows)):
        writer.writerow(
            [neutralise_formula(cell) if isinstance(cell, str) else cell for cell in cells]
        )
    return text.getvalue()


def _written(frame: Frame, *, header: bool) -> str:
    columns = [_inert(frame.iloc[:, i]) for i in range(frame.shape[1])]
    inert = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=frame.index)
    inert.columns = pd.Index(
        [neutralise_formula(str(name)) for name in frame.columns], dtype=object
    )
    text: str = inert.to_csv(
        index=False, header=header, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n"
    )
    return text


def _inert(column: Column) -> Column:
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(
        column.dtype
    ):
        return column
    cells = [
        neutralise_formula(cell) if isinstance(cell, str) else cell for cell in column.tolist()
    ]
    return pd.Series(cells, index=column.index, dtype=object)

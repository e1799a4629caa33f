"""Parquet files to a Table.

The numbers of rows and columns are read from the file's own description and checked before the data;
text columns stay dictionary-encoded while they are read, so that a small file with one long text
repeated a million times stays small. Text that is not UTF-8 is refused.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.base.progress import Progress, silent
from dpviz.data.ingest.limits import MAX_COLUMNS, MAX_ROWS, MAX_UNPACKED, IngestError, quoted
from dpviz.data.ingest.table import Table, column_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_parquet"]


def read_parquet(name: str, content: bytes, *, progress: Progress = silent) -> Table:
    """A Table from a Parquet file; rows count from 1. Raises `IngestError`."""
    import pandas as pd

    file = _open(name, content)
    rows, columns = file.metadata.num_rows, file.metadata.num_columns
    if rows > MAX_ROWS:
        raise IngestError(f"{quoted(name)} has {rows:,} rows; at most {MAX_ROWS:,} are allowed.")
    if columns > MAX_COLUMNS:
        raise IngestError(f"{quoted(name)} has {columns:,} columns; at most {MAX_COLUMNS:,} are allowed.")
    groups = range(file.metadata.num_row_groups)
    if sum(file.metadata.row_group(i).total_byte_size for i in groups) > MAX_UNPACKED:
        raise IngestError(f"{quoted(name)} unpacks to more than {MAX_UNPACKED // 1_000_000:,} MB, which is the limit.")
    if rows == 0 or columns == 0:
        raise IngestError(f"{quoted(name)} is empty.")
    progress(0.1)
    frame = _read(name, file)
    names = column_names(list(frame.columns), name)
    columns = [_shared(frame.iloc[:, i]) for i in range(len(names))]
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)))
    progress(1.0)
    return Table(name, frame, np.arange(1, len(frame) + 1, dtype=np.int64))


def _open(name: str, content: bytes) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only Parquet needs it
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        plain = pq.ParquetFile(pa.BufferReader(content))
        texts = [
            field.name
            for field in plain.schema_arrow
            if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]
        return pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts)
    except Exception as err:  # damaged files raise anything from OSError to KeyError
        raise _broken(name) from err


def _read(name: str, file: Any) -> "pd.DataFrame":
    try:
        table = file.read(use_threads=False)
        table.validate(full=True)  # offsets, dictionary indices and UTF-8, which reading does not check
        frame: pd.DataFrame = table.to_pandas(use_threads=False, ignore_metadata=True)
    except Exception as err:  # as in _open
        raise _broken(name) from err
    return frame


def _shared(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A dictionary-encoded column as cells that share one text each; any other as it is."""
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    texts = np.array([*column.cat.categories.tolist(), None], dtype=object)  # code −1, missing, is the last
    return pd.Series(texts[column.cat.codes.to_numpy()], dtype=object)


def _broken(name: str) -> IngestError:
    return IngestError(f"{quoted(name)} cannot be read as a Parquet file: it is damaged, cut short or another kind.")

"""Parquet files to a Table.

The file's own description is checked before the data. Of a wide file only as many columns are read
as fit, those named like scores, items or people first. Text columns stay dictionary-encoded while
they are read, so that a repeated long text stays small.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from dpviz.base import TOLD, Column, pd
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_UNPACKED,
    FileReadOptions,
    IngestError,
    check_count_limit,
    file_person_parameters,
    quote_value,
    report_damage,
)
from dpviz.data.reading.table import Table, column_names

_WHAT = "a Parquet file"
_SMALL = 50_000_000  # bytes of a column of texts


class _Field(NamedTuple):
    """A column of the file: its leaves (for nested values), and its cells and bytes."""

    name: str
    leaves: range
    cells: int
    size: int


def read_parquet(name: str, content: bytes, how: FileReadOptions) -> Table:
    file = _open(name, content)
    rows, width = file.metadata.num_rows, len(file.schema_arrow)
    check_count_limit(f"{quote_value(name)} has", rows, "rows", MAX_ROWS)
    check_count_limit(
        f"{quote_value(name)} has", max(width, file.metadata.num_columns), "columns", MAX_COLUMNS
    )
    if rows == 0 or width == 0:
        raise IngestError(f"{quote_value(name)} is empty.")
    names = column_names(file.schema_arrow.names, name)
    # Asked for columns that are not there it reads what it would: whoever asked tells which there
    # are.
    asked = how.columns if how.columns and set(how.columns) <= set(names) else ()
    fields = _fields(name, file, names)
    chosen = _fitting([field for field in fields if not asked or field.name in asked], not asked)
    if not chosen:
        raise IngestError(
            f"{quote_value(name)} unpacks to more than {MAX_CELLS:,} cells or"
            f" {MAX_UNPACKED // 1_000_000:,} MB, which is the limit."
        )
    how.progress(0.1)
    frame = pd.DataFrame(
        {field.name: cells for field, cells in zip(chosen, _read(name, file, chosen), strict=True)},
        copy=False,
    )
    left_out = 0 if asked else width - len(chosen)
    person = _person(name, file.schema_arrow.metadata or {})
    return Table(name, frame, range(1, len(frame) + 1), left_out=left_out, person=person)


def _person(name: str, metadata: Mapping[bytes, bytes]) -> dict[str, Any]:
    """The file's statement on one person, among the attributes that pandas keeps."""
    held = metadata.get(b"PANDAS_ATTRS")
    if held is None:
        return {}
    with report_damage(name, _WHAT):
        attributes = json.loads(held)
    return (
        file_person_parameters(name, attributes.get(TOLD, {}))
        if isinstance(attributes, dict)
        else {}
    )


def _open(name: str, content: bytes) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only Parquet needs it
    import pyarrow.parquet as pq  # noqa: PLC0415

    with report_damage(name, _WHAT):
        texts = [
            field.name
            for field in pq.ParquetFile(pa.BufferReader(content)).schema_arrow
            if pa.types.is_string(field.type)
            or pa.types.is_large_string(field.type)
            or pa.types.is_binary(field.type)
            or pa.types.is_large_binary(field.type)
        ]
        return pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts)


def _fields(name: str, file: Any, names: list[str]) -> list[_Field]:
    """Cells of each column, those of lists counted, and its bytes as stored or as read."""
    with report_damage(name, _WHAT):
        metadata = file.metadata
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        fixed = metadata.num_rows * sum(_bytes(field.type) for field in file.schema_arrow)
        fits = sum(group.total_byte_size for group in groups) + fixed <= MAX_UNPACKED
        # Where all fits, chunks are not asked: over one whose own description is damaged pyarrow
        # ends the process.
        asked = [] if fits and metadata.num_columns == len(names) else groups
        fields = []
        first = 0
        for title, field in zip(names, file.schema_arrow, strict=True):
            leaves = range(first, first + _leaves(field.type))
            chunks = [group.column(i) for group in asked for i in leaves]
            values = max(metadata.num_rows, sum(chunk.num_values for chunk in chunks))
            stored = sum(chunk.total_uncompressed_size for chunk in chunks)
            fields.append(_Field(title, leaves, values, max(stored, values * _bytes(field.type))))
            first = leaves.stop
    return fields


def _leaves(kind: Any) -> int:
    return (
        sum(_leaves(kind.field(i).type) for i in range(kind.num_fields)) if kind.num_fields else 1
    )


def _bytes(kind: Any) -> int:
    """Bytes of a value of fixed width, else 0."""
    try:
        return int(kind.bit_width) // 8
    except ValueError:
        return 0


def _fitting(fields: list[_Field], by_name: bool) -> list[_Field]:
    """As many fields as fit, in their order; with `by_name` the likely wanted ones first."""
    order = (
        sorted(fields, key=lambda field: not is_usual_heading(field.name)) if by_name else fields
    )
    kept: list[_Field] = []
    cells, size = MAX_CELLS, MAX_UNPACKED
    for field in order:
        if field.cells <= cells and field.size <= size:
            kept.append(field)
            cells, size = cells - field.cells, size - field.size
    return (
        [field for field in fields if field in kept] if by_name or len(kept) == len(fields) else []
    )


def _read(name: str, file: Any, chosen: list[_Field]) -> list[Column]:
    with report_damage(name, _WHAT):
        table = file.reader.read_all(
            column_indices=[i for field in chosen for i in field.leaves], use_threads=False
        )
        # offsets, dictionary indices and UTF-8, which reading does not check
        table.validate(full=True)
        return [_cells(column) for column in table.columns]


def _cells(column: Any) -> Any:
    """Column for pandas: texts are written out if that stays small, else cells share them."""
    import pyarrow as pa  # noqa: PLC0415 - as in _open

    if not pa.types.is_dictionary(column.type):
        return _given(column)
    if (
        pa.types.is_string(column.type.value_type)
        or pa.types.is_large_string(column.type.value_type)
    ) and sum(map(_written_out, column.chunks)) <= _SMALL:
        return _given(column.cast(pa.large_string()))
    coded = _given(column)
    # code −1, missing, is the last; cells share one text each
    texts = np.array([*coded.cat.categories.tolist(), None], dtype=object)
    return pd.Series(texts[coded.cat.codes.to_numpy()], dtype=object)


def _given(column: Any) -> Any:
    return column.to_pandas(use_threads=False, ignore_metadata=True)


def _written_out(chunk: Any) -> int:
    """Bytes of a dictionary-encoded array's texts once each cell has its own."""
    import pyarrow.compute as pc  # noqa: PLC0415 - as in _open

    return pc.sum(pc.binary_length(chunk.dictionary).take(chunk.indices)).as_py() or 0

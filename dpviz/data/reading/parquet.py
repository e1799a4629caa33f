"""Parquet files to a Table, in a limited process."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from dpviz.base import TOLD, pd
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    FileReadOptions,
    IngestError,
    Remark,
    check_count_limit,
    check_within_limit,
    file_person_parameters,
    quote_value,
    report_damage,
)
from dpviz.data.reading.json_text import plain_cell
from dpviz.data.reading.table import Table, require_distinct_column_names

_WHAT: Final = "a Parquet file"
_SMALL: Final = 50_000_000  # bytes of a column of texts
_SHOWN: Final = 5  # columns that are left out


def read_parquet(name: str, content: bytes, options: FileReadOptions) -> Table:
    file = _open(name, content)
    rows, width = file.metadata.num_rows, len(file.schema_arrow)
    check_count_limit(f"{quote_value(name)} has", rows, "rows", MAX_ROWS)
    check_count_limit(
        f"{quote_value(name)} has", max(width, file.metadata.num_columns), "columns", MAX_COLUMNS
    )
    if rows == 0 or width == 0:
        raise IngestError(f"{quote_value(name)} is empty.")
    names = require_distinct_column_names(file.schema_arrow.names, name)
    # Asked for columns that are not there it reads what it would: whoever asked tells which there
    # are.
    asked = options.columns if options.columns and set(options.columns) <= set(names) else ()
    needed = [title for title in names if not asked or title in asked]
    chosen = _fitting(needed, rows, options.priority_columns)
    with report_damage(name, _WHAT):
        own = [file.schema_arrow.names[names.index(title)] for title in chosen]
        table = file.read(own, use_threads=False)
        # offsets, dictionary indices and UTF-8, which reading does not check
        table.validate(full=True)
        table = _flattened(table)
    check_within_limit(quote_value(name), rows * table.num_columns, "cells", MAX_CELLS)
    titles = require_distinct_column_names(table.column_names, name)
    with report_damage(name, _WHAT):
        columns = dict(zip(titles, map(_cells, table.columns), strict=True))
    person = _person(name, file.schema_arrow.metadata or {})
    return Table(
        name,
        pd.DataFrame(columns, copy=False),
        range(1, rows + 1),
        person=person,
        remarks=_left_out([title for title in needed if title not in chosen], len(needed)),
    )


def _left_out(titles: Sequence[str], width: int) -> tuple[Remark, ...]:
    if not titles:
        return ()
    listed = ", ".join(map(quote_value, titles[:_SHOWN])) + (" …" if titles[_SHOWN:] else "")
    are = "column is" if len(titles) == 1 else "columns are"
    says = f"{len(titles):,} of {width:,} {are} left out, as the file is too large: {listed}."
    return (Remark(says=says),)


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


def _fitting(names: Sequence[str], rows: int, wanted: frozenset[str]) -> list[str]:
    """As many columns as fit, in their order, the wanted and then the likely ones first."""
    order = sorted(names, key=lambda title: (title not in wanted, not is_usual_heading(title)))
    kept = set(order[: MAX_CELLS // rows])
    return [title for title in names if title in kept]


def _flattened(table: Any) -> Any:
    """Table whose columns of records are columns of their members, "tree.name"."""
    import pyarrow as pa  # noqa: PLC0415 - as in _open

    while any(map(pa.types.is_struct, table.schema.types)):
        table = table.flatten()
    return table


def _cells(column: Any) -> Any:
    """Column for pandas: texts are written out if that stays small, else cells share them."""
    import pyarrow as pa  # noqa: PLC0415 - as in _open

    if pa.types.is_nested(column.type):
        return pd.Series(list(map(plain_cell, column.to_pylist())), dtype=object)
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

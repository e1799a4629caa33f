"""JSON to a Table.

Shapes: a list of numbers, of [label, number] rows or of records; an object of label → number, or of
columns; any of these as the only member of an object; and dpviz's own output. Objects are read as
pairs, so that two equal labels both stay.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz.base import ONE_PERSON, TOLD, Progress, ignore_progress, pd
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_ROWS,
    IngestError,
    check_count_limit,
    check_within_limit,
    file_person_parameters,
    quote_value,
    replace_surrogates,
)
from dpviz.data.reading.table import Table, column_names

_LONGEST_INTEGER = 400  # digits; any more is beyond a float, and slow to read exactly

Pairs = tuple[tuple[str, Any], ...]


def read_json(name: str, text: str, *, progress: Progress = ignore_progress) -> Table:
    """Table from JSON text; entries count from 1. Raises `IngestError`.

    >>> read_json("a.json", '{"a": 3, "b": 1}').columns
    ('item', 'score')
    """
    if not text.strip():
        raise IngestError(f"{quote_value(name)} is empty.")
    value = parse_json(text, quote_value(name), "line {0.lineno}, character {0.colno}")
    progress(0.5)
    own = dict(value) if isinstance(value, tuple) else {}
    if TOLD not in own or not isinstance(own.get("rows"), list):
        return _table(name, value)
    said = own.get(ONE_PERSON, ())
    person = file_person_parameters(name, dict(said) if isinstance(said, tuple) else said)
    return replace(_table(name, own["rows"]), person=person)


def _whole_number(digits: str) -> int | float:
    """JSON integer; a float if it has very many digits."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_whole_number)


def parse_json(text: str, what: str, place: str) -> Any:
    """Value of JSON text, objects as pairs; errors name `what` and the `place`."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as err:
        raise IngestError(f"{what} is not JSON ({place.format(err)}).") from err
    except RecursionError as err:
        raise IngestError(f"{what} is nested too deeply.") from err


def _table(name: str, value: Any) -> Table:
    if isinstance(value, list):
        return _listed(name, value)
    if not isinstance(value, tuple):
        raise IngestError(
            f"{quote_value(name)} must hold a JSON list or object, not"
            f" {quote_value(json.dumps(value))}."
        )
    if len(value) == 1 and isinstance(value[0][1], list | tuple) and _holds_rows(value[0][1]):
        return _table(name, value[0][1])
    cells = [cell for _, cell in value]
    if cells and all(isinstance(cell, list) for cell in cells):
        return _columns(name, [key for key, _ in value], cells)
    if cells and all(isinstance(cell, tuple) and cell for cell in cells):
        return _indexed(name, value)
    return _made(name, ["item", "score"], [[key for key, _ in value], cells], header=True)


def _holds_rows(value: Sequence[Any]) -> bool:
    """True if the only member of an object is the table itself, not one column or one score."""
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(cell, list) for _, cell in value)
    return bool(value) and all(isinstance(entry, list | tuple) for entry in value)


def _listed(name: str, entries: list[Any]) -> Table:
    if entries and isinstance(entries[0], tuple):
        return _records(name, entries)
    if entries and isinstance(entries[0], list):
        width = len(entries[0])
        for i, entry in enumerate(entries, start=1):
            if not isinstance(entry, list) or len(entry) != width:
                raise IngestError(
                    f"Entry {i} of {quote_value(name)} is not a list of {width:,}, as the first is."
                )
        return _made(
            name, [None] * width, list(map(list, zip(*entries, strict=True))), header=False
        )
    return _made(name, ["value"], [entries], header=False)


def _records(name: str, entries: list[Any]) -> Table:
    columns: dict[str, list[Any]] = {}
    for i, entry in enumerate(entries):
        if not isinstance(entry, tuple):
            raise IngestError(
                f"Entry {i + 1} of {quote_value(name)} is not a record, as the first is."
            )
        for key, cell in entry:
            cells = columns.setdefault(key, [])
            check_within_limit(quote_value(name), i * len(columns), "cells", MAX_CELLS)
            if len(cells) > i:
                raise IngestError(
                    f"Entry {i + 1} of {quote_value(name)} has {quote_value(key)} twice."
                )
            cells.extend([None] * (i - len(cells)))
            cells.append(cell)
    for cells in columns.values():
        cells.extend([None] * (len(entries) - len(cells)))
    return _made(name, list(columns), list(columns.values()), header=True)


def _columns(name: str, names: list[str], columns: list[list[Any]]) -> Table:
    for key, cells in zip(names, columns, strict=True):
        if len(cells) != len(columns[0]):
            raise IngestError(
                f"Column {quote_value(key)} of {quote_value(name)} has {len(cells):,} entries,"
                f" where {quote_value(names[0])} has {len(columns[0]):,}."
            )
    return _made(name, names, columns, header=True)


def _indexed(name: str, value: Pairs) -> Table:
    """Columns as objects by index: {"count": {"0": 3, "1": 5}}."""
    index = [key for key, _ in value[0][1]]
    for key, column in value:
        if [place for place, _ in column] != index:
            raise IngestError(
                f"Column {quote_value(key)} of {quote_value(name)} has other rows than"
                f" {quote_value(value[0][0])}."
            )
    return _made(
        name,
        [key for key, _ in value],
        [[cell for _, cell in column] for _, column in value],
        header=True,
    )


def _made(
    name: str, names: Sequence[str | None], columns: list[list[Any]], *, header: bool
) -> Table:
    count = len(columns[0]) if columns else 0
    if not count:
        raise IngestError(f"{quote_value(name)} is empty.")
    check_count_limit(f"{quote_value(name)} has", count, "entries", MAX_ROWS)
    series = {
        title: pd.Series([_cell(cell) for cell in cells], dtype=object)
        for title, cells in zip(column_names(names, name), columns, strict=True)
    }
    return Table(
        name,
        pd.DataFrame(series),
        np.arange(1, count + 1, dtype=np.int64),
        unit="Entry",
        header=header,
    )


def _cell(value: Any) -> Any:
    """Cell that can be shown and written; nested values become a mark."""
    match value:
        case str():
            return replace_surrogates(value)
        case list():
            return "[list]"
        case tuple():
            return "{object}"
        case _:
            return value

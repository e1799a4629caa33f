"""JSON and JSON lines to a Table.

Shapes: a list of numbers, of [label, number] rows or of records; an object of label → number, or of
columns; what pandas writes; any of these somewhere in a document; and dpviz's own output.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

import numpy as np

from dpviz.base import ONE_PERSON, TOLD, Progress, ignore_progress, pd
from dpviz.base.text_format import replace_surrogates
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_ROWS,
    FileReadOptions,
    IngestError,
    Remark,
    check_count_limit,
    check_within_limit,
    file_person_parameters,
    quote_value,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table, has_header, require_distinct_column_names

_LONGEST_INTEGER: Final = 400  # digits; any more is beyond a float, and slow to read exactly
_MOST_MEMBERS: Final = 10_000  # of a document are looked at for the one that is a table

NESTED: Final = frozenset({"(list)", "(object)"})
"""Cells that stand for what no table shows: a list of lists, or an object."""

Pairs = tuple[tuple[str, Any], ...]


def read_json(
    name: str, text: str, options: FileReadOptions, progress: Progress = ignore_progress
) -> Table:
    """Table from JSON text; entries count from 1. Raises `IngestError`."""
    if not text.strip():
        raise IngestError(f"{quote_value(name)} is empty.")
    value = parse_json_pairs(text, quote_value(name), "line {0.lineno}, character {0.colno}")
    progress(0.5)
    own = dict(value) if isinstance(value, tuple) else {}
    if TOLD not in own or not isinstance(own.get("rows"), list):
        return _document(name, value, options.member)
    said = own.get(ONE_PERSON, ())
    person = file_person_parameters(name, dict(said) if isinstance(said, tuple) else said)
    return replace(_table(name, own["rows"]), person=person)


def read_json_lines(
    name: str, text: str, options: FileReadOptions, progress: Progress = ignore_progress
) -> Table:
    lines = {number: line for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    check_within_limit(quote_value(name), len(lines), "rows", MAX_ROWS)
    values = []
    for number, line in lines.items():
        what = f"Line {number:,} of {quote_value(name)}"
        values.append(parse_json_pairs(line, what, "character {0.colno:,}"))
        if not isinstance(values[-1], tuple):
            raise IngestError(
                f'{what} is no record such as {{"who": "ann", "what": "tea"}}; JSON lines have one a'
                " line."
            )
        if len(values) % 10_000 == 0:
            progress(len(values) / len(lines) / 2)
    return replace(_listed(name, values), rows=np.array(list(lines), np.int64), unit="Line")


def are_json_lines(text: str) -> bool:
    """True if the first two lines that hold something are records of their own."""
    filled = islice((line for line in text.splitlines() if line.strip()), 2)
    try:
        return [isinstance(_DECODER.decode(line), tuple) for line in filled] == [True, True]
    except (json.JSONDecodeError, RecursionError):
        return False


def _whole_number(digits: str) -> int | float:
    """JSON integer; a float if it has very many digits."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


# pairs, so that two equal labels both stay
_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_whole_number)


def parse_json_pairs(text: str, source_name: str, place_template: str) -> Any:
    """Value of JSON text, objects as pairs; errors name `source_name` and the `place_template`."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as err:
        raise IngestError(f"{source_name} is not JSON ({place_template.format(err)}).") from err
    except RecursionError as err:
        raise IngestError(f"{source_name} is nested too deeply.") from err


def _document(name: str, value: Any, member: str | None) -> Table:
    """Table of a document: all of it, or the only member that is one, or the chosen one."""
    if not isinstance(value, list | tuple):
        raise IngestError(
            f"{quote_value(name)} must hold a JSON list or object, not"
            f" {quote_value(json.dumps(value))}."
        )
    if isinstance(value, tuple) and [key for key, _ in value] == ["schema", "data"]:
        value = value[1][1]  # as pandas writes it with orient="table"
    if isinstance(value, list) or not _holds_more(value):
        return _table(name, value)
    inside = dict(islice(_tables_inside(value), _MOST_MEMBERS))
    records = {path: found for path, found in inside.items() if isinstance(found, list)}
    found = records or inside
    if not found:
        return _table(name, value)
    if member is not None and member not in inside:
        listed = ", ".join(map(quote_value, inside))
        raise IngestError(
            f"{quote_value(name)} has no member {quote_value(member)}; it has {listed}."
        )
    chosen = member or max(found, key=lambda path: len(found[path]))
    table = _table(name, inside[chosen])
    if len(found) == 1:
        return table
    others = islice((path for path in found if path != chosen), 3)
    mends = {f"Read {quote_value(path)}": {"member": path} for path in others}
    remark = Remark(
        says=f"Its member {quote_value(chosen)} is read.",
        mends=mends,
        asks=member is None,
        kept={"member": chosen},
    )
    return replace(table, remarks=(remark, *table.remarks))


def _holds_more(value: Pairs) -> bool:
    """True for an object whose members are no columns, nor scores by their names."""
    cells = [cell for _, cell in value]
    lists = [cell for cell in cells if isinstance(cell, list)]
    objects = [cell for cell in cells if isinstance(cell, tuple) and cell]
    if _pandas(value) is not None or not (lists or objects):
        return False
    if len(lists) == len(cells):
        records = all(isinstance(inner, tuple) for cell in cells for inner in cell)
        even = len(cells) > 1 and len(set(map(len, cells))) == 1 and not records
        return not even and any(isinstance(inner, list | tuple) for cell in cells for inner in cell)
    nested = any(isinstance(inner, list | tuple) for cell in objects for _, inner in cell)
    return nested or len(objects) < len(cells)


def _tables_inside(value: Any) -> Iterator[tuple[str, Any]]:
    """Members of a document that are tables, by their paths, the outer ones first."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for path, found in waiting:
        one = found[0] if isinstance(found, list) and len(found) == 1 else None
        here = one if isinstance(one, tuple) and _holds_more(one) else found
        if path and _is_table(here):
            yield path, here
        elif isinstance(here, tuple) and len(waiting) < _MOST_MEMBERS:
            waiting += [
                (f"{path}.{key}" if path else key, inner)
                for key, inner in here
                if isinstance(inner, list | tuple)
            ]


def _is_table(value: Any) -> bool:
    if isinstance(value, tuple):
        plain = len(value) > 1 and {type(cell) for _, cell in value} <= {int, float}
        return plain or _are_alike([cell for _, cell in value]) or _pandas(value) is not None
    return len(value) > 0 and (
        all(isinstance(entry, tuple) for entry in value)
        or all(isinstance(entry, list) for entry in value)
    )


def _are_alike(cells: Sequence[Any]) -> bool:
    """True for several plain records with the same members, as those of names are."""
    records = [cell for cell in cells if isinstance(cell, tuple) and cell]
    nested = any(isinstance(inner, list | tuple) for record in records for _, inner in record)
    members = {tuple(key for key, _ in record) for record in records}
    return len(cells) == len(records) > 1 == len(members) and not nested


def _pandas(value: Pairs) -> "tuple[list[Any], list[Any], list[Any]] | None":
    """Column names, index and rows of what `to_json(orient="split")` writes, if it is that."""
    held = dict(value)
    rows = held.get("data", held.get("rows"))
    names, index = held.get("columns"), held.get("index", [])
    if set(held) == {"name", "index", "data"} and isinstance(rows, list):  # of a series
        names, rows = [held["name"] or "value"], [[cell] for cell in rows]
    if not (isinstance(names, list) and isinstance(rows, list) and isinstance(index, list)):
        return None
    names = [dict(name).get("name") if isinstance(name, tuple) else name for name in names]
    fit = all(isinstance(row, list) and len(row) == len(names) for row in rows)
    return (names, index, rows) if fit and len(index) in {0, len(rows)} else None


def _table(name: str, value: Any) -> Table:
    if isinstance(value, list):
        return _listed(name, value)
    split = _pandas(value)
    if split is not None:
        names, index, rows = split
        return _with_index(name, index, names, list(map(list, zip(*rows, strict=True))))
    cells = [cell for _, cell in value]
    if cells and all(isinstance(cell, list) for cell in cells):
        return _made(name, [key for key, _ in value], cells, header=True)
    if cells and all(isinstance(cell, tuple) and cell for cell in cells):
        return _indexed(name, value)
    return _made(name, ["item", "score"], [[key for key, _ in value], cells], header=True)


def _listed(name: str, entries: list[Any]) -> Table:
    if entries and isinstance(entries[0], tuple):
        pairs = [pair for entry in entries if isinstance(entry, tuple) for pair in entry]
        one_each = len(pairs) == len(entries) == len(dict(pairs)) > 1
        return _table(name, tuple(pairs)) if one_each else _records(name, entries)
    if entries and isinstance(entries[0], list):
        width = len(entries[0])
        for i, entry in enumerate(entries, start=1):
            if not isinstance(entry, list) or len(entry) != width:
                raise IngestError(
                    f"Entry {i} of {quote_value(name)} is not a list of {width:,}, as the first is."
                )
        columns = list(map(list, zip(*entries, strict=True)))
        if has_header(entries[0]) and any(looks_numeric(cells[1:]) for cells in columns):
            table = _made(name, entries[0], [cells[1:] for cells in columns], header=True)
            return replace(table, rows=range(2, len(entries) + 1))
        return _made(name, [None] * width, columns, header=False)
    return _made(name, ["value"], [entries], header=False)


def _records(name: str, entries: list[Any]) -> Table:
    columns: dict[str, list[Any]] = {}
    for i, entry in enumerate(entries):
        if not isinstance(entry, tuple):
            raise IngestError(
                f"Entry {i + 1} of {quote_value(name)} is not a record, as the first is."
            )
        for key, cell in _flat(entry):
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


def _flat(record: Pairs) -> Iterator[tuple[str, Any]]:
    """Members of a record, those of inner ones by their paths."""
    for key, cell in record:
        if isinstance(cell, tuple) and cell:
            yield from ((f"{key}.{inner}", value) for inner, value in _flat(cell))
        else:
            yield key, cell


def _indexed(name: str, value: Pairs) -> Table:
    """Columns by index, {"count": {"ash": 3, "oak": 5}}, or records by name, {"ash": {"count": 3}}."""
    keys, index = [key for key, _ in value], [key for key, _ in value[0][1]]
    wide = len(keys) - len(index) - any(map(is_usual_heading, keys))
    if wide >= 0 and not _numbers_rows(index):
        records = [(("", key), *record) for key, record in value]
        return _records(
            name, [record[1:] for record in records] if _numbers_rows(keys) else records
        )
    for key, column in value:
        if [place for place, _ in column] != index:
            raise IngestError(
                f"Column {quote_value(key)} of {quote_value(name)} has other rows than"
                f" {quote_value(keys[0])}."
            )
    return _with_index(name, index, keys, [[cell for _, cell in column] for _, column in value])


def _with_index(name: str, index: list[Any], names: list[Any], columns: list[list[Any]]) -> Table:
    """Table of columns, and of their index where that does more than count the rows."""
    if index and not _numbers_rows(index):
        names, columns = ["", *names], [index, *columns]
    return _made(name, names, columns, header=True)


def _numbers_rows(index: Sequence[Any]) -> bool:
    return all(str(key) == str(place) for place, key in enumerate(index))


def _made(
    name: str, names: Sequence[str | None], columns: list[list[Any]], *, header: bool
) -> Table:
    count = len(columns[0]) if columns else 0
    for title, cells in zip(names, columns, strict=True):
        if len(cells) != count:
            raise IngestError(
                f"Column {quote_value(title)} of {quote_value(name)} has {len(cells):,} entries,"
                f" where {quote_value(names[0])} has {count:,}."
            )
    if not count:
        raise IngestError(f"{quote_value(name)} is empty.")
    check_count_limit(f"{quote_value(name)} has", count, "entries", MAX_ROWS)
    series = {
        title: pd.Series(list(map(plain_cell, cells)), dtype=object)
        for title, cells in zip(require_distinct_column_names(names, name), columns, strict=True)
    }
    return Table(
        name,
        pd.DataFrame(series),
        np.arange(1, count + 1, dtype=np.int64),
        unit="Entry",
        header=header,
    )


def plain_cell(value: Any) -> Any:
    """Cell that can be shown and written; lists are JSON, other nested values a mark."""
    if isinstance(value, tuple | dict):
        return "(object)"
    if isinstance(value, list):
        nested = any(isinstance(each, list | tuple | dict) for each in value)
        value = "(list)" if nested else json.dumps(value, ensure_ascii=False)
    return replace_surrogates(value) if isinstance(value, str) else value

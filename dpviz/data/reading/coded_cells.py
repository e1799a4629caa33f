"""Cells of an event log as integer codes, a stretch of rows at a time, in little memory.

Symbols: a cell's name is its normalised text (`normalise_name`), its code the name's place among
the names. All rows of one person are in one part, so that each part can be counted by itself.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.base import Column, Floats, Ints, cell_text, pd
from dpviz.base.packed_strings import FEW, PackedStrings, pack_if_many
from dpviz.data.reading.input_rules import (
    MAX_ITEMS,
    MAX_NAME,
    IngestError,
    cell_texts,
    check_count_limit,
    quote_value,
)
from dpviz.data.reading.kept_items import is_name_too_long, normalise_name
from dpviz.data.reading.table import Table

STRETCH: Final = 100_000
"""Rows handled together, which takes some tens of megabytes beside their columns."""

_PARTS: Final = 256  # at most, each a byte


class _Numbers(Sequence[str]):
    """Names of numbers, each written on demand, as millions of people are never named."""

    def __init__(self, values: Floats) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), FEW):
            yield from self[start : start + FEW]

    def __getitem__(self, index: Any) -> Any:
        found = self.values[index].tolist()
        return (
            [str(cell_text(value)) for value in found]
            if isinstance(index, slice)
            else str(cell_text(found))
        )


def encode_cells(cells: Column) -> tuple[Ints, Sequence[str]]:
    """Code of each cell in order of first occurrence (−1: none), and the name of each code."""
    if isinstance(cells.dtype, np.dtype) and cells.dtype.kind in "iufb":
        written, values = pd.factorize(cells.to_numpy())
        return written.astype(np.int64, copy=False), _Numbers(values)
    is_text = isinstance(cells.dtype, pd.StringDtype)
    # a text is looked at once, however many rows have it
    written, spellings = pd.factorize(
        cells if is_text else np.array(cell_texts(cells), dtype=object)
    )
    names = [
        None if text is None else normalise_name(text) for text in cell_texts(pd.Series(spellings))
    ]
    # code −1, missing, is the last
    merged, alike = pd.factorize(np.array([*names, None], dtype=object))
    return merged[written].astype(np.int64, copy=False), [str(text) for text in alike]


def _stretches(table: Table, role: str, name: str) -> Iterator[tuple[slice, Ints, Sequence[str]]]:
    """Rows, codes and names of each stretch; raises `IngestError` for a missing cell."""
    column = table.column(role, name)
    for start in range(0, len(column), STRETCH):
        rows = slice(start, start + STRETCH)
        codes, names = encode_cells(column.iloc[rows])
        missing = np.flatnonzero(codes < 0)
        if len(missing):
            where = table.row_label(start + int(missing[0]))
            raise IngestError(f"{where}: the {role} in column {quote_value(name)} is missing.")
        yield rows, codes, names


def item_codes(
    table: Table, name: str, known: Sequence[str] | None
) -> tuple[NDArray[np.int32], Sequence[str]]:
    """Item of each row as its place in a list, and that list."""
    codes = np.empty(len(table.frame), np.int32)
    if known is not None:
        place = {each: at for at, each in enumerate(known)}
        for rows, among, names in _stretches(table, "item", name):
            codes[rows] = np.array([place.get(each, -1) for each in names], np.int32)[among]
        return codes, pack_if_many(known)
    # under one name, so that nothing stays beside what takes its place
    met: Any = pd.Series(dtype=object)
    for rows, among, names in _stretches(table, "item", name):
        new = (
            pd.Series(names.values)
            if isinstance(names, _Numbers)
            else pd.Series(names, dtype="str")
        )
        before, met = len(met), pd.concat([met, new], ignore_index=True) if len(met) else new
        found, met = pd.factorize(met)
        codes[rows] = found[before:].astype(np.int32)[among]
        met = pd.Series(met, copy=False)
        check_count_limit("There are at least", len(met), "items", MAX_ITEMS)
    items = _Numbers(met.to_numpy()) if met.dtype.kind in "iufb" else met.tolist()
    return codes, PackedStrings(items) if len(items) > FEW else tuple(items)


def part_cells(part: NDArray[np.uint8], number: int, cells: Column) -> Column:
    """Cells of a part, taken a stretch at a time."""
    stretches = (slice(start, start + STRETCH) for start in range(0, len(part), STRETCH))
    taken: Column = pd.concat([cells.iloc[rows][part[rows] == number] for rows in stretches])
    return taken


def partition_people(table: Table, name: str) -> NDArray[np.uint8]:
    """Part of each row, one for each person; raises `IngestError` for a missing cell."""
    many = min(-(-len(table.frame) // STRETCH), _PARTS)
    part = np.empty(len(table.frame), np.uint8)
    for rows, codes, names in _stretches(table, "person", name):
        texts_of = () if isinstance(names, _Numbers) else names
        long = next((place for place, who in enumerate(texts_of) if is_name_too_long(who)), None)
        if long is not None:  # two ways of writing it would be two people
            where = table.row_label(rows.start + int(np.argmax(codes == long)))
            check_count_limit(
                f"{where}: the person in column {quote_value(name)} has",
                len(names[long]),
                "characters",
                MAX_NAME,
            )
        part[rows] = (_hashed(names) % many).astype(np.uint8)[codes]
    return part


def _hashed(names: Sequence[str]) -> NDArray[np.uint64]:
    """Equal numbers for equal names."""
    if isinstance(names, _Numbers):
        values = names.values
        return pd.util.hash_array(values + 0.0 if values.dtype.kind == "f" else values)  # −0 is 0
    return pd.util.hash_array(np.array(names, dtype=object), categorize=False)

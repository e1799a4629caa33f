"""A table with every guess made in reading it, and the answers that would correct each."""

from collections.abc import Sequence
from dataclasses import replace

from dpviz.base import Progress, ignore_progress
from dpviz.data.reading.delimited_text import read_pasted_text
from dpviz.data.reading.files import read_content
from dpviz.data.reading.guessing.choices import COLUMNS, ReadingChoices
from dpviz.data.reading.guessing.number_cells import (
    holds_name_and_number,
    plain_numbers,
    split_name_and_number,
)
from dpviz.data.reading.guessing.shapes import part_cell, split_sign
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    FileReadOptions,
    Remark,
    quote_value,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table

_ROWS = 200


def read_with_remarks(
    name: str,
    content: str | bytes | Table,
    said: ReadingChoices,
    progress: Progress = ignore_progress,
) -> tuple[Table, list[Remark]]:
    """Table and guesses; raises `IngestError`."""
    if isinstance(content, Table):
        table, more = _mended(content, said)
        return table, [*content.remarks, *more]
    how = FileReadOptions(
        said.encoding,
        said.header,
        said.sheet,
        above=said.above,
        below=said.below,
        member=said.member,
        progress=progress,
    )
    table = _table(name, content, how, said.kind)
    guesses = list(table.remarks)
    # who calls a column by its name says that the first row has names
    asks = said.header is None and not any(getattr(said, r) in table.columns for r in COLUMNS)
    if asks and table.header and _headless(table):
        table = _table(name, content, replace(how, header=False), said.kind)
        if len(table.columns) > 1 or not holds_name_and_number(str(table.frame.iloc[0, 0])):
            guesses.append(_header(table, named=False))
    elif asks and table.header and not _is_surely_header(table):
        guesses.append(_header(table, named=True))
    table, more = _mended(table, said)
    return table, [*guesses, *more]


def _table(name: str, content: str | bytes, how: FileReadOptions, kind: str | None) -> Table:
    if isinstance(content, bytes):
        return read_content(name, content, how, kind=kind)
    return read_pasted_text(content, how)


def _headless(table: Table) -> bool:
    """True if the supposed header is a row of the data."""
    if len(table.columns) == 1 and holds_name_and_number(table.columns[0]):
        return True
    columns = [table.frame[name].iloc[:_ROWS].tolist() for name in table.columns]
    return is_data_row(table.columns, columns) or any(
        _shares_parts(name, [cell for cell in cells if isinstance(cell, str)])
        for name, cells in zip(table.columns, columns, strict=True)
    )


def _shares_parts(name: str, cells: Sequence[str]) -> bool:
    """True if a name is several items in one cell, some of which are in cells below it."""
    sign = split_sign([name, *cells])
    parts = set(part_cell(name, sign)) if sign else set()
    return len(parts) > 1 and any(not parts.isdisjoint(part_cell(cell, sign)) for cell in cells)


def is_data_row(first: Sequence[str], columns: Sequence[Sequence[object]]) -> bool:
    """True if a supposed header is more likely data: a cell repeats below it.

    >>> is_data_row(["ann", "tea"], [["bo", "cy"], ["tea", "rye"]]), is_data_row(["who", "what"], [["bo"], ["tea"]])
    (True, False)
    """
    if any(map(is_usual_heading, first)) or looks_numeric(first):
        return False
    return any(name in cells for name, cells in zip(first, columns, strict=True))


def _is_surely_header(table: Table) -> bool:
    """True for a usual heading, or numbers below one that is none."""
    return any(map(is_usual_heading, table.columns)) or any(
        looks_numeric(table.frame[name].iloc[:_ROWS].tolist()) for name in table.columns
    )


def _header(table: Table, *, named: bool) -> Remark:
    if named:
        listed = ", ".join(map(quote_value, table.columns[:4]))
        says, mend = f"The first row is read as the names of the columns: {listed}.", "It is data"
    else:
        says, mend = (
            "The first row is read as data, and the columns have no names.",
            "It names the columns",
        )
    return Remark(says=says, mends={mend: {"header": not named}}, asks=True, kept={"header": named})


def _mended(table: Table, said: ReadingChoices) -> tuple[Table, list[Remark]]:
    """Table with its cells corrected, and the guesses in that."""
    guesses: list[Remark] = []
    parted = None if said.apart is False else split_name_and_number(table)
    if parted is not None:
        cell, (name, number) = table.frame.iloc[0, 0], parted.frame.iloc[0]
        says = (
            f"Names and numbers are separated: {quote_value(cell)} is {quote_value(name)}"
            f" with {number}."
        )
        guesses.append(Remark(says=says, mends={"Keep them together": {"apart": False}}))
        table = parted
    for column in table.columns if said.plain is not False else ():
        cells = plain_numbers(table.frame[column])
        if cells is not None:
            pairs = zip(table.frame[column], cells, strict=True)
            old, new = next((old, new) for old, new in pairs if old != new)
            says = (
                f"Column {quote_value(column)} holds numbers: {quote_value(old)} is read as {new}."
            )
            guesses.append(Remark(says=says, mends={"Keep it as text": {"plain": False}}))
            table = replace(table, frame=table.frame.assign(**{column: cells}))
    return table, guesses

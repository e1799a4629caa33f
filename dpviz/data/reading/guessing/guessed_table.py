"""A table from what came in, with every guess that was made on the way and the answers that would
mend it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from dpviz.base import cell_text
from dpviz.data.reading import (
    ENCODINGS,
    MAX_BYTES,
    IngestError,
    Table,
    check_file_size,
    decode_text,
    guess_delimiter,
    quote_value,
    read_pasted_text,
    read_safely,
    read_upload,
)
from dpviz.data.reading.delimited_text import first_records
from dpviz.data.reading.files import kind_by_ending
from dpviz.data.reading.guessing.encoding import (
    guess_encoding,
    is_data_row,
    non_ascii_words,
    other_encodings,
    title_row_count,
)
from dpviz.data.reading.guessing.headings import is_usual_heading
from dpviz.data.reading.guessing.number_cells import (
    has_disguised_numbers,
    is_name_with_number,
    plain_numbers,
    split_name_and_number,
)
from dpviz.data.reading.input_rules import MAX_TEXT_MEMORY, FileReadOptions
from dpviz.data.reading.limited_reading import MANY_ROWS, reading_purpose, run_in_process

_TEXTS = ("csv", "tsv")
_SAMPLE = 65_536
_ROWS = 200


@dataclass(frozen=True, kw_only=True)
class ReadingChoices:
    """How something is to be read, as a person said; None is found out."""

    encoding: str | None = None
    above: int | None = None
    sheet: str | None = None
    header: bool | None = None
    apart: bool | None = None
    plain: bool | None = None
    decimal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A guess: what it is, in one sentence, and what to say instead, by the words that offer it."""

    says: str
    mends: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_with_remarks(
    name: str, content: str | bytes, said: ReadingChoices
) -> tuple[Table, list[Remark]]:
    """The table in what came in, and what was guessed; raises `IngestError`."""
    if isinstance(content, bytes):
        check_file_size(name, len(content))
    how, guesses = _how(name, content, said)
    table = _table(name, content, how)
    if said.above is None and (above := _titles_of_sheet(table)):
        guesses.append(_titles(*above))
        how = replace(how, above=above[0])
        table = _table(name, content, how)
    if said.header is None and table.header and _headless(table):
        how = replace(how, header=False)
        table = _table(name, content, how)
        if len(table.columns) > 1 or not is_name_with_number(str(table.frame.iloc[0, 0])):
            guesses.append(_header(table, named=False))
    elif said.header is None and table.header and _unsure(table):
        guesses.append(_header(table, named=True))
    if len(table.sheets) > 1:
        mends = {
            f"Read {quote_value(sheet)}": {"sheet": sheet, "above": None}
            for sheet in table.sheets
            if sheet != table.sheet
        }
        guesses.append(
            Remark(
                says=f"Its sheet {quote_value(table.sheet)} is read.",
                mends=dict(islice(mends.items(), 3)),
            )
        )
    table, more = _mended_safely(table, said)
    return table, [*guesses, *more]


def _how(
    name: str, content: str | bytes, said: ReadingChoices
) -> tuple[FileReadOptions, list[Remark]]:
    """How a text is to be read, and what of that was guessed; a workbook shows its rows only once
    it is read.
    """
    guesses: list[Remark] = []
    encoding, above = said.encoding, said.above
    if isinstance(content, bytes) and kind_by_ending(name) not in {*_TEXTS, "json"}:
        return FileReadOptions(header=said.header, sheet=said.sheet, above=above or 0), guesses
    if (
        isinstance(content, bytes)
        and encoding is None
        and (encoding := guess_encoding(content)) is not None
    ):
        guesses += _letters(content, encoding)
    if above is None:
        text = content if isinstance(content, str) else _beginning(name, content, encoding)
        rows = first_records(text, guess_delimiter(text), _ROWS)
        above = (
            title_row_count(rows)
            if isinstance(content, str) or kind_by_ending(name) in _TEXTS
            else 0
        )
        if above:
            guesses.append(_titles(above, [cell for row in rows[:above] for cell in row]))
    return FileReadOptions(encoding, said.header, above=above), guesses


def _beginning(name: str, content: bytes, encoding: str | None) -> str:
    """The first lines of a text; all of it where it is short, so that what is wrong with it is told
    by the reading.
    """
    head = (
        content[:_SAMPLE]
        if len(content) <= _SAMPLE
        else content[: max(content.rfind(b"\n", 0, _SAMPLE), 0) & ~3]
    )
    try:
        return decode_text(name, head, encoding)
    except IngestError:
        return ""


def _table(name: str, content: str | bytes, how: FileReadOptions) -> Table:
    if isinstance(content, bytes):
        return read_upload(name, content, how)
    if len(content) > MAX_BYTES:
        raise IngestError(
            f"{quote_value(name)} is larger than {MAX_BYTES // 1_000_000} MB, which is the limit."
        )
    return read_safely(name, partial(read_pasted_text, header=how.header, above=how.above), content)


def _letters(content: bytes, encoding: str) -> list[Remark]:
    """Which letters a text is taken to have, with what it would say in others; nothing where all
    are plain.
    """
    seen = non_ascii_words(content, encoding)
    listed = ", ".join(f"“{word}”" for word in seen)
    mends = {
        f"Read it as “{word}”": {"encoding": other}
        for word, other in other_encodings(content, encoding).items()
    }
    return (
        [Remark(says=f"Its letters are read as {ENCODINGS[encoding]}: {listed}.", mends=mends)]
        if seen
        else []
    )


def _titles(above: int, cells: list[object]) -> Remark:
    told = next((quote_value(text) for cell in cells if (text := cell_text(cell))), "blank")
    many = f"The first {above} rows are" if above > 1 else "The first row is"
    return Remark(
        says=f"{many} above the table and left out: {told}.",
        mends={"Take them in" if above > 1 else "Take it in": {"above": 0}},
    )


def _titles_of_sheet(table: Table) -> tuple[int, list[object]] | None:
    """How many rows of a sheet stand above its table, and their cells; None where there are none."""
    if table.sheet is None:
        return None
    body = table.frame.iloc[:_ROWS].to_numpy(dtype=object).tolist()
    first = [None if name == f"column {i}" else name for i, name in enumerate(table.columns, 1)]
    rows = [first, *body] if table.header else body
    above = title_row_count(rows)
    if above == 0:
        return None
    place = above - 1 if table.header else above
    return int(table.rows[place]) - 1, [cell for row in rows[:above] for cell in row]


def _headless(table: Table) -> bool:
    """Whether what was taken for the names of the columns is a row of the data."""
    if len(table.columns) == 1 and is_name_with_number(table.columns[0]):
        return True
    return is_data_row(
        table.columns, [table.frame[name].iloc[:_ROWS].tolist() for name in table.columns]
    )


def _unsure(table: Table) -> bool:
    """Whether the first row may as well be data: all columns hold texts, and no heading is a usual
    one.
    """
    return not table.numeric_columns and not any(map(is_usual_heading, table.columns))


def _header(table: Table, *, named: bool) -> Remark:
    if named:
        listed = ", ".join(map(quote_value, table.columns[:4]))
        says, mend = f"The first row is taken for the names of the columns: {listed}.", "It is data"
    else:
        says, mend = (
            "The first row is read as data: no row above it names the columns.",
            "It names the columns",
        )
    return Remark(says=says, mends={mend: {"header": not named}})


def _mended_safely(table: Table, said: ReadingChoices) -> tuple[Table, list[Remark]]:
    """The same as `_mended`, behind the wall where much is to be done."""
    if len(table.frame) <= MANY_ROWS or not has_disguised_numbers(table):
        return _mended(table, said)
    return run_in_process(table.source, reading_purpose(MAX_TEXT_MEMORY), _mended, table, said)


def _mended(table: Table, said: ReadingChoices) -> tuple[Table, list[Remark]]:
    """The table with its cells mended, and what was done to them."""
    guesses: list[Remark] = []
    parted = None if said.apart is False else split_name_and_number(table)
    if parted is not None:
        cell, (name, number) = table.frame.iloc[0, 0], parted.frame.iloc[0]
        says = f"Names and numbers are taken apart: {quote_value(cell)} is {quote_value(name)} with {number}."
        guesses.append(Remark(says=says, mends={"Leave them together": {"apart": False}}))
        table = parted
    for column in table.columns if said.plain is not False else ():
        cells = plain_numbers(table.frame[column])
        if cells is not None:
            pairs = zip(table.frame[column], cells, strict=True)
            old, new = next((old, new) for old, new in pairs if old != new)
            says = (
                f"Column {quote_value(column)} holds numbers: {quote_value(old)} is read as {new}."
            )
            guesses.append(Remark(says=says, mends={"Leave it as text": {"plain": False}}))
            table = replace(table, frame=table.frame.assign(**{column: cells}))
    return table, guesses

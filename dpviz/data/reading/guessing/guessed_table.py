"""A table with every guess made in reading it, and the answers that would correct each."""

from dataclasses import replace
from functools import partial
from itertools import islice

from dpviz.base import Progress, cell_text, ignore_progress
from dpviz.data.reading.delimited_text import first_records, guess_delimiter, read_pasted_text
from dpviz.data.reading.files import kind_by_ending, read_upload
from dpviz.data.reading.guessing.choices import ReadingChoices, Remark
from dpviz.data.reading.guessing.encoding import (
    guess_encoding,
    is_data_row,
    non_ascii_words,
    other_encodings,
    title_row_count,
)
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.guessing.number_cells import (
    has_disguised_numbers,
    holds_name_and_number,
    plain_numbers,
    split_name_and_number,
)
from dpviz.data.reading.input_rules import (
    ENCODINGS,
    MAX_BYTES,
    MAX_TEXT_MEMORY,
    FileReadOptions,
    IngestError,
    check_file_size,
    decode_text,
    quote_value,
)
from dpviz.data.reading.limited_reading import (
    MANY_ROWS,
    read_safely,
    reading_purpose,
    run_in_process,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table

_TEXTS = ("csv", "tsv")
_SAMPLE = 65_536
_ROWS = 200


def read_with_remarks(
    name: str,
    content: str | bytes | Table,
    said: ReadingChoices,
    *,
    own: bool = False,
    progress: Progress = ignore_progress,
) -> tuple[Table, list[Remark]]:
    """Table and guesses; raises `IngestError`."""
    if isinstance(content, Table):
        return _mended(content, said)
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
        if len(table.columns) > 1 or not holds_name_and_number(str(table.frame.iloc[0, 0])):
            guesses.append(_header(table, named=False))
    elif (
        said.header is None
        and table.header
        and not (_has_numbers(table) or any(map(is_usual_heading, table.columns)))
    ):  # it may as well be data
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
    """Options for reading a text, and the guesses among them; workbooks follow after reading."""
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
    """First lines of a text, or all of a short one; "" if it cannot be decoded."""
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
    """Guess about the encoding, with alternatives; none if all letters are ASCII."""
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
    """Number of title rows of a sheet, and their cells; None if there are none."""
    if table.sheet is None:
        return None
    body = table.frame.iloc[:_ROWS].to_numpy(dtype=object).tolist()
    first = [None if name == f"column {i}" else name for i, name in enumerate(table.columns, 1)]
    rows = [first, *body] if table.header else body
    above = title_row_count(rows)
    if above == 0:
        return None
    return int(table.rows[(above - 1 if table.header else above)]) - 1, [
        cell for row in rows[:above] for cell in row
    ]


def _headless(table: Table) -> bool:
    """True if the supposed header is a row of the data."""
    if len(table.columns) == 1 and holds_name_and_number(table.columns[0]):
        return True
    return is_data_row(
        table.columns, [table.frame[name].iloc[:_ROWS].tolist() for name in table.columns]
    )


def _has_numbers(table: Table) -> bool:
    return any(looks_numeric(table.frame[name].iloc[:_ROWS].tolist()) for name in table.columns)


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
    """`_mended`, in a limited process if there is much to do."""
    if len(table.frame) <= MANY_ROWS or not has_disguised_numbers(table):
        return _mended(table, said)
    return run_in_process(table.source, reading_purpose(MAX_TEXT_MEMORY), _mended, table, said)


def _mended(table: Table, said: ReadingChoices) -> tuple[Table, list[Remark]]:
    """Table with its cells corrected, and the guesses in that."""
    guesses: list[Remark] = []
    parted = None if said.apart is False else split_name_and_number(table)
    if parted is not None:
        cell, (name, number) = table.frame.iloc[0, 0], parted.frame.iloc[0]
        says = (
            f"Names and numbers are taken apart: {quote_value(cell)} is {quote_value(name)}"
            f" with {number}."
        )
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

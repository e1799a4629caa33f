"""Lists of names, such as a catalogue: lines of a text, or the column of a table that names items."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from dpviz.base import cell_text, check_several
from dpviz.data.reading.delimited_text import read_delimited
from dpviz.data.reading.delimiters import first_records, guess_delimiter
from dpviz.data.reading.encoding import decode_text
from dpviz.data.reading.files import find_file_kind, read_content, read_limited_file, unpack_gzip
from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.guessing.meaning import guess_meaning
from dpviz.data.reading.headings import has_only_heading_words, is_usual_heading
from dpviz.data.reading.input_rules import FileReadOptions, cell_texts, check_file_size
from dpviz.data.reading.kept_items import distinct_list_items
from dpviz.data.reading.limited_reading import read_in_limited_process
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table

_TEXTS = ("csv", "tsv")
_ENDINGS = (".csv", ".tsv", ".tab")  # of texts that are called tables
_ROWS = 200


def read_catalogue(name: str, content: str | bytes) -> tuple[str, ...] | None:
    """Items of a catalogue, read in a limited process; None if there is none in it."""
    check_file_size(name, len(content))
    return read_in_limited_process(name, _catalogue, name, content)


def read_listed_names(name: str, content: bytes) -> list[str]:
    """Names in a list in its order, read in a limited process; some may stand there again."""
    check_file_size(name, len(content))
    return read_in_limited_process(name, _names, name, content)


def listed_items(
    items: Iterable[str] | str | Path, *, normalise_unicode: bool = True
) -> tuple[str, ...]:
    """Items that are handed over, or those in the file of this path."""
    if isinstance(items, str | Path):
        path = Path(items)
        items = read_listed_names(path.name, read_limited_file(path, path.name))
    else:
        given = check_several("items", items, "a list of names, or the path of a file")
        items = [cell_text(one) or "" for one in given]
    return distinct_list_items(items, normalise_unicode=normalise_unicode)


def _catalogue(name: str, content: str | bytes) -> tuple[str, ...] | None:
    names = _names(name, content)
    return distinct_list_items(names) if names else None


def _names(name: str, content: str | bytes) -> list[str]:
    if isinstance(content, str):
        return _names_in_text(name, content)
    name, content = unpack_gzip(name, content)
    kind = find_file_kind(name, content)
    if kind in _TEXTS:
        return _names_in_text(name, decode_text(name, content))
    table = read_content(name, content, FileReadOptions())
    return _column_of_names(table, guessed=kind == "excel")


def _names_in_text(name: str, text: str) -> list[str]:
    delimiter = guess_delimiter(text)
    if not _is_table(name, text, delimiter):
        return _below_heading(text.splitlines())
    # a name of many words, after a blank line, looks like a note
    notes = None if delimiter else 0
    return _column_of_names(read_delimited(name, text, FileReadOptions(below=notes)), guessed=True)


def _is_table(name: str, text: str, delimiter: str | None) -> bool:
    """True for rows below headings; of a file that is called a table also for rows of one length."""
    rows = [row for row in first_records(text, delimiter) if any(row)]
    if not rows:
        return False
    if len(rows[0]) > 1 and all(map(has_only_heading_words, rows[0])):
        return True
    return name.lower().endswith(_ENDINGS) and len(set(map(len, rows))) == 1


def _column_of_names(table: Table, *, guessed: bool) -> list[str]:
    """Cells that name things, also a first one that was only `guessed` to be a heading."""
    column = guess_meaning(table, ReadingChoices(score=None)).item or table.columns[0]
    cells = [cell for cell in cell_texts(table.frame[column]) if cell is not None]
    if not (guessed and table.header):
        return cells
    if len(table.columns) == 1:
        return _below_heading([column, *cells])
    headed = any(map(is_usual_heading, table.columns)) or any(
        looks_numeric(table.frame[name].iloc[:_ROWS].tolist()) for name in table.columns
    )
    return cells if headed else [column, *cells]


def _below_heading(lines: Sequence[str]) -> list[str]:
    """Names without a heading: a first one such as "title", where the next is no such word."""
    names = [line for line in lines if line.strip()]
    if len(names) > 1 and has_only_heading_words(names[0]) and not has_only_heading_words(names[1]):
        return names[1:]
    return names

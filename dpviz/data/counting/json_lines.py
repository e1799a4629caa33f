"""JSON lines: one record a line, read a batch at a time.

A number and its text are one name (7, 7.0 and "7"). A member that is absent or null is missing.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO, Any, Final

from dpviz.base import Progress, cell_text, ignore_progress
from dpviz.data.counting.counts import check_columns
from dpviz.data.counting.locations import LogFiles, decompress_file
from dpviz.data.reading import (
    IngestError,
    check_column,
    check_distinct_columns,
    check_within_limit,
    parse_json,
    quote_value,
    replace_surrogates,
)

Batch = list[tuple[Any, ...]]
"""Line number, person, item and further columns of each line; None for missing ones."""

_BATCH = 50_000  # lines
_LONGEST: Final = 10_000_000  # bytes in a line: so many are held at once
_NAMES = 20  # members that are told where the one asked for is in no line


def read_json_lines(
    path: str,
    person: str,
    item: str,
    *,
    more: Sequence[str] = (),
    files: LogFiles | None = None,
    progress: Progress = ignore_progress,
) -> Iterator[Batch]:
    """Lines of a file in batches, `.gz` and `.zst` unpacked; blank lines are skipped."""
    check_distinct_columns(person, item)
    files = LogFiles(paths=(path,)) if files is None else files
    needed, folders = (person, item, *more), files.folder_columns(path)
    seen: dict[str, None] = {}
    all_seen = False
    size = files.file_size(path)
    with files.open(path) as packed, decompress_file(path, packed) as file:
        batch: Batch = []
        for number, line in _lines(path, file):
            held = (member for member in _record(path, number, line) if member[0] not in folders)
            record = (*held, *folders.items())
            if not all_seen:
                seen |= dict.fromkeys(
                    key for key, _ in record if len(seen) < _NAMES or key in needed
                )
                all_seen = set(needed) <= seen.keys()
            batch.append((number, *(_member(path, number, record, name) for name in needed)))
            if len(batch) == _BATCH:
                yield batch
                batch = []
                progress(min(packed.tell() / size, 1.0))
        if batch:
            yield batch
    if not seen:
        raise IngestError(f"{quote_value(path)} is empty.")
    check_columns(list(seen), person, item)
    for name in more:
        check_column("where or time", name, list(seen))
    progress(1.0)


def _lines(path: str, file: IO[bytes]) -> Iterator[tuple[int, str]]:
    """Lines that hold something, by number, as text."""
    number = 0
    try:
        for number, line in enumerate(iter(partial(file.readline, _LONGEST + 1), b""), start=1):
            check_within_limit(
                f"Line {number:,} of {quote_value(path)}", len(line), "bytes", _LONGEST
            )
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as err:
                raise IngestError(
                    f"Line {number:,} of {quote_value(path)} is not text in UTF-8."
                ) from err
            if text.strip():
                yield number, text
    except (OSError, EOFError) as err:
        raise IngestError(
            f"{quote_value(path)} cannot be unpacked: it is damaged from line {number + 1:,} on."
        ) from err


def _record(path: str, number: int, line: str) -> tuple[tuple[str, Any], ...]:
    what = f"Line {number:,} of {quote_value(path)}"
    record = parse_json(line, what, "character {0.colno:,}")
    if not isinstance(record, tuple):
        raise IngestError(
            f'{what} is no record such as {{"who": "ann", "what": "tea"}}; JSON lines have one a'
            " line."
        )
    return record


def _member(path: str, number: int, record: tuple[tuple[str, Any], ...], name: str) -> str | None:
    cells = [cell for key, cell in record if key == name]
    if len(cells) > 1:
        raise IngestError(f"Line {number:,} of {quote_value(path)} has {quote_value(name)} twice.")
    cell = cells[0] if cells else None
    if isinstance(cell, list | tuple):
        kind = "list" if isinstance(cell, list) else "record"
        raise IngestError(
            f"Line {number:,} of {quote_value(path)}: {quote_value(name)} is a {kind}, where one"
            " value is needed."
        )
    text = cell_text(cell)
    return None if text is None else replace_surrogates(text)

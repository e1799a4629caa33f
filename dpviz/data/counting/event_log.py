"""Counting a log that is a table: one that was read, or a data frame of any library."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpviz.base import Column, Progress, Scores, convert_to_pandas, ignore_progress, pd
from dpviz.base.former_names import former_arguments
from dpviz.data.counting.counts import Counts, check_columns
from dpviz.data.counting.distinct_people import LogRows, count_distinct_people
from dpviz.data.counting.embedded_duckdb import MEMORY, open_duckdb
from dpviz.data.reading import IngestError, Table, cell_texts, check_column, replace_surrogates
from dpviz.data.reading.guessing import Proposal
from dpviz.data.reading.limited_reading import count_in_limited_process

_STRETCH: Final = 50_000  # rows handed over at a time
_SMALL: Final = "100MB"  # of a limited process, which holds the table besides


@former_arguments(most="contributions")
def count(
    frame: Any,
    *,
    person: str,
    item: str,
    missing: str = "refuse",
    items: Iterable[str] | str | Path | None = None,
    contributions: int | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item in a data frame, a row an event.

    Parameters
    ----------
    frame
        The log, of pandas, polars, pyarrow, DuckDB or others with Arrow's PyCapsule interface.
    person, item
        The columns that say who, and what.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        Items known beforehand, or the path of their list: others are left out, zeros kept. None for
        those that occur.
    contributions
        Most items kept of each person, by a rule on that person's rows alone; None for all.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Counts
        The counts, and what was left out, with scores that are ready for a mechanism.

    Raises
    ------
    ParameterError
        For what is no table, a column that is not there, or a log that cannot be counted.

    Examples
    --------
    >>> import pandas as pd
    >>> log = pd.DataFrame({"who": ["ann", "bo", "ann", "ann"], "what": ["tea", "tea", "rye", "rye"]})
    >>> counts = count(log, person="who", item="what")
    >>> counts.table.to_dict("list"), counts.scores.monotonic
    ({'item': ['tea', 'rye'], 'score': [2, 1]}, True)
    """
    log = convert_to_pandas(frame).rename(columns=str)
    check_column("person", person, list(log.columns))
    check_columns(log.columns, person, item)
    table = Table("the frame", log[[person, item]], range(1, len(log) + 1))
    counts = count_people_in_log(
        table,
        person,
        item,
        missing=missing,
        items=items,
        contributions=contributions,
        progress=progress,
    )
    by_score = counts.table.sort_values(
        ["score", "item"], ascending=[False, True], ignore_index=True
    )
    return replace(counts, table=by_score)


def scores_from_log(
    table: Table, person: str, item: str, *, progress: Progress = ignore_progress
) -> Scores:
    """Scores of an event log: distinct people with a row for each item, Δ = 1, monotonic."""
    return count_people_in_log(table, person, item, progress=progress).scores


def count_people_in_log(
    table: Table,
    person: str | None,
    item: str,
    *,
    missing: str = "refuse",
    items: Iterable[str] | str | Path | None = None,
    contributions: int | None = None,
    memory: str = MEMORY,
    threads: int | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item, in the order of the list, else as items first occur.

    Where `person` is None each row is another person.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    check_columns(table.columns, person, item)
    columns = {"what": table.frame[item]}
    columns |= {} if person is None else {"who": table.frame[person]}
    kinds = {name: _arrow_type(column) for name, column in columns.items()}
    schema = pa.schema({"place": pa.int64(), **kinds})
    with open_duckdb(memory, threads=threads) as connection:
        stretches = pa.RecordBatchReader.from_batches(schema, _stretches(columns, schema))
        connection.register("log", stretches)
        return count_distinct_people(
            LogRows(
                connection=connection,
                person=None if person is None else "who",
                item="what",
                place="place",
                once=True,
            ),
            column_names=(person, item),
            missing=missing,
            items=items,
            contributions=contributions,
            row_label=table.row_label,
            progress=progress,
        )


def count_proposed_log(
    proposal: Proposal,
    *,
    items: tuple[str, ...] | None = None,
    contributions: int | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Counts of a log as it is proposed; a stranger's in a limited process."""
    table, meant = proposal.log_table, proposal.meaning
    columns = (table, meant.other, str(meant.item))
    missing = proposal.said.missing or "refuse"
    if proposal.own:
        return count_people_in_log(
            *columns, missing=missing, items=items, contributions=contributions, progress=progress
        )
    return count_in_limited_process(
        proposal.name,
        _count_in_little_memory,
        *columns,
        missing=missing,
        items=items,
        contributions=contributions,
    )


def _count_in_little_memory(*log: Any, **how: Any) -> Counts:
    """Count in a limited process, which ends where its memory does not do."""
    try:
        return count_people_in_log(*log, **how, memory=_SMALL, threads=1)
    except IngestError as err:
        if any(sign in str(err).casefold() for sign in ("out of memory", "start new thread")):
            raise MemoryError from err
        raise


def _arrow_type(cells: Column) -> Any:
    """Numbers stay what they are; all else comes as text."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    kind = cells.dtype.kind if isinstance(cells.dtype, np.dtype) else "O"
    numbers = {"i": pa.int64(), "u": pa.uint64(), "f": pa.float64(), "b": pa.bool_()}
    return numbers.get(kind, pa.string())


def _stretches(columns: Mapping[str, Column], schema: Any) -> Iterator[Any]:
    """Rows some at a time, so that little memory is taken beside the table."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    size = len(columns["what"])
    for start in range(0, size, _STRETCH):
        rows = slice(start, min(start + _STRETCH, size))
        cells = [
            _texts(column.iloc[rows])
            if schema.field(name).type == pa.string()
            else pa.array(column.iloc[rows].to_numpy(), schema.field(name).type, from_pandas=True)
            for name, column in columns.items()
        ]
        yield pa.record_batch([pa.array(range(rows.start, rows.stop)), *cells], schema=schema)


def _texts(cells: Column) -> Any:
    """Cells as an Arrow array of texts; each text that stands often is written once."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    codes, values = (None, cells) if cells.dtype == object else pd.factorize(cells)
    texts = [
        None if text is None else replace_surrogates(text) for text in cell_texts(pd.Series(values))
    ]
    written = pa.array(texts, pa.string())
    return written if codes is None else written.take(pa.array(codes, mask=codes < 0))

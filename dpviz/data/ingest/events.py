"""Event logs: distinct people per item.

Symbols: f_i = number of distinct people with at least one row for item i. One person added or removed
changes every f_i by at most 1, all in the same direction: Δ = 1 and monotonic.
Invariant: two spellings that may be one person are never counted twice for blanks around them or for
their Unicode form; letters' case and anything else tells people and items apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Column, Floats, Ints, ParameterError, Progress, Scores, as_text, pd, silent, tally
from dpviz.base.texts import few_or
from dpviz.data.ingest.incoming import MAX_ITEMS, IngestError, check_count, quoted, texts
from dpviz.data.ingest.kept import ItemsKept, check_most, identity, known_items, of_each_person
from dpviz.data.ingest.table import Table, check_lengths


@dataclass(frozen=True, kw_only=True)
class CountedLog:
    """The scores of a log, and what was kept of it."""

    scores: Scores
    kept: ItemsKept


def count_people(table: Table, person: str, item: str, *, progress: Progress = silent) -> Scores:
    """Scores of an event log: how many distinct people have a row for each item, Δ = 1, monotonic.

    Parameters
    ----------
    table
        The log, all of which counts.
    person, item
        The columns that say who, and what.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Scores
        The scores, items as they first occur.

    Raises
    ------
    IngestError
        For a row without person or item, and too few or too many items.

    Examples
    --------
    >>> from dpviz.data.ingest.table import read_frame
    >>> import pandas as pd
    >>> log = read_frame(pd.DataFrame({"who": ["ann", "bo", "ann"], "what": ["tea", "tea", "rye"]}))
    >>> s = count_people(log, "who", "what")
    >>> s.labels, s.values.tolist()
    (('tea', 'rye'), [2.0, 1.0])
    """
    return count_log(table, person, item, progress=progress).scores


def count_log(
    table: Table,
    person: str,
    item: str,
    *,
    items: Iterable[str] | None = None,
    most: int | None = None,
    progress: Progress = silent,
) -> CountedLog:
    """Distinct people per item, Δ = 1, monotonic, and what was left out.

    Items come in the order of the list, zeros included, else as they first occur. A row without person or item is
    refused with its number, since leaving it out would change the counts unseen.

    Parameters
    ----------
    table
        The log.
    person, item
        The columns that say who, and what.
    items
        The items known beforehand, None for those that occur.
    most
        How many items of each person are kept, None for all.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    CountedLog
        The scores, and by which rules rows were kept.

    Raises
    ------
    IngestError
        For a row without person or item, and too few or too many items.

    Examples
    --------
    >>> import pandas as pd
    >>> from dpviz.data.ingest.table import read_frame
    >>> log = read_frame(pd.DataFrame({"who": ["ann", "bo", "ann"], "what": ["tea", "tea", "rye"]}))
    >>> counted = count_log(log, "who", "what", items=["tea", "gin"], most=1)
    >>> counted.scores.values.tolist(), counted.scores.contributions, counted.kept.other_rows
    ([2.0, 0.0], 1, 1)
    """
    most = check_most(most)
    check_two(person, item)
    who, people, _ = _coded(table, "person", person)
    progress(0.4)
    what, names, first = _coded(table, "item", item)
    progress(0.6)
    if items is None:
        if len(names) < 2:
            raise IngestError(f"Column {quoted(item)} has only one item; a selection needs at least 2.")
        check_count("There are", len(names), "items", MAX_ITEMS)
        names = list(names)
        check_lengths(names, table, item, first)
    else:
        known = list(known_items(items))
        place = {name: i for i, name in enumerate(known)}
        what = np.array([place.get(name, -1) for name in names], np.int64)[what]
        who, what, names = who[what >= 0], what[what >= 0], known
    pairs, rows = np.unique(what * len(people) + who, return_counts=True)
    what_of, who_of = np.divmod(pairs, max(len(people), 1))
    largest = int(tally(who_of, size=len(people)).max(initial=0))
    progress(0.7)
    kept = np.ones(len(pairs), bool) if most is None else of_each_person(who_of, what_of, people, names, most)
    counts = tally(what_of[kept], size=len(names))
    progress(1.0)
    return CountedLog(
        scores=Scores(counts, labels=few_or(names), monotonic=True, contributions=most, names_known=items is not None),
        kept=ItemsKept(
            items_known=items is not None,
            contributions=most,
            largest=largest,
            other_rows=len(table.frame) - len(what),
            cut_rows=int(rows[~kept].sum()),
            cut_pairs=int((~kept).sum()),
        ),
    )


def check_two(person: str, item: str) -> None:
    """Raise where person and item are one column."""
    if person == item:
        raise ParameterError("item", item, "another column than the person's")


def _coded(table: Table, role: str, name: str) -> tuple[Ints, Sequence[str], Ints]:
    """Codes of a column, what each code stands for, and the position where each first occurs."""
    column = table.column(role, name)
    of_numbers = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb"
    if of_numbers:
        written, values = pd.factorize(column.to_numpy())
        names: Sequence[str] = _Numbers(values)
    else:
        written, spellings = pd.factorize(_spelled(column))  # a text is looked at once, however many rows have it
        cells = [None if text is None else identity(text) for text in texts(pd.Series(spellings))]
        merged, alike = pd.factorize(np.array([*cells, None], dtype=object))  # code −1, missing, is the last
        written, names = merged[written], [str(text) for text in alike]
    missing = np.flatnonzero(written < 0)
    if len(missing):
        raise IngestError(f"{table.where(int(missing[0]))}: the {role} in column {quoted(name)} is missing.")
    codes = written.astype(np.int64)
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))  # codes count up as they come
    return codes, names, first.astype(np.int64)


def _spelled(column: Column) -> Any:
    """The cells of a column as they are told apart: texts as they lie there, others as they are written."""
    if isinstance(column.dtype, pd.StringDtype):
        return column
    cells = np.empty(len(column), dtype=object)
    cells[:] = texts(column)
    return cells


class _Numbers(Sequence[str]):
    """Numbers as they are called, each written when it is asked for: millions of people are never named."""

    def __init__(self, values: Floats) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        found = self._values[index].tolist()
        return [str(as_text(value)) for value in found] if isinstance(index, slice) else str(as_text(found))

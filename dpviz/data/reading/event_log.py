"""Event logs: distinct people per item.

Symbols: f_i = number of distinct people with a row for item i. One person changes every f_i by at
most 1, all in the same direction: Δ = 1, monotonic. Outer blanks and Unicode forms never make one
person two; case and all other differences do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.base import (
    Column,
    Ints,
    ParameterError,
    Progress,
    Scores,
    ignore_progress,
    iterate_with_progress,
    portion,
    tally,
)
from dpviz.data.reading.coded_cells import (
    STRETCH,
    encode_cells,
    item_codes,
    part_cells,
    partition_people,
)
from dpviz.data.reading.input_rules import IngestError, quote_value
from dpviz.data.reading.kept_items import (
    CountingSummary,
    check_contribution_limit,
    known_items,
    select_person_pairs,
)
from dpviz.data.reading.table import Table, check_label_lengths


@dataclass(frozen=True, kw_only=True)
class CountedLog:
    scores: Scores
    kept: CountingSummary


def count_people(
    table: Table, person: str, item: str, *, progress: Progress = ignore_progress
) -> Scores:
    """Scores of an event log: distinct people with a row for each item, Δ = 1, monotonic."""
    return count_log(table, person, item, progress=progress).scores


def count_log(
    table: Table,
    person: str | None,
    item: str,
    *,
    items: Iterable[str] | None = None,
    most: int | None = None,
    progress: Progress = ignore_progress,
) -> CountedLog:
    """Distinct people per item, Δ = 1, monotonic, and what was left out.

    Items come in the order of the list, zeros included, else as they first occur. A row without
    person or item is refused with its number, since leaving it out would change the counts unseen.
    """
    most = check_contribution_limit(most)
    check_distinct_columns(person, item)
    part = None if person is None else partition_people(table, person)
    progress(0.3)
    listed = None if items is None else known_items(items)
    what, names = item_codes(table, item, listed)
    progress(0.6)
    if listed is None:
        if len(names) < 2:
            raise IngestError(
                f"Column {quote_value(item)} has only one item; a selection needs at least 2."
            )
        check_label_lengths(names, table, item, lambda code: int(np.argmax(what == code)))
    found = _Found(np.zeros(len(names), np.int64))
    if person is None or part is None:
        found.add_rows(what)
    else:
        for number, _ in iterate_with_progress(
            range(int(part.max(initial=0)) + 1), portion(progress, 0.6, 1.0)
        ):
            found.add_people(
                part_cells(part, number, table.frame[person]), what[part == number], names, most
            )
    progress(1.0)
    return CountedLog(
        scores=Scores(
            found.counts,
            labels=names,
            monotonic=True,
            contributions=most,
            names_known=listed is not None,
        ),
        kept=CountingSummary(
            items_known=listed is not None,
            contributions=most,
            largest=found.largest,
            other_rows=int((what < 0).sum()),
            cut_rows=found.cut_rows,
            cut_pairs=found.cut_pairs,
        ),
    )


@dataclass
class _Found:
    counts: Ints
    largest: int = 0
    cut_rows: int = 0
    cut_pairs: int = 0

    def add_rows(self, what: NDArray[np.int32]) -> None:
        for start in range(0, len(what), STRETCH):
            some = what[start : start + STRETCH]
            self.counts += tally(some[some >= 0], size=len(self.counts))
        self.largest = int(what.max(initial=-1) >= 0)

    def add_people(
        self, who: Column, what: NDArray[np.int32], names: Sequence[str], most: int | None
    ) -> None:
        """Count all rows of some people; item code −1 does not count."""
        codes, people = encode_cells(who)
        codes, what = codes[what >= 0], what[what >= 0]
        pairs, rows = np.unique(codes * len(names) + what, return_counts=True)
        who_of, what_of = np.divmod(pairs, len(names))
        self.largest = max(self.largest, int(tally(who_of).max(initial=0)))
        kept = (
            np.ones(len(pairs), bool)
            if most is None
            else select_person_pairs(who_of, what_of, people, names, most)
        )
        self.counts += tally(what_of[kept], size=len(self.counts))
        self.cut_rows += int(rows[~kept].sum())
        self.cut_pairs += int((~kept).sum())


def check_distinct_columns(person: str | None, item: str) -> None:
    if person == item:
        raise ParameterError("item", item, "another column than the person's")

"""Result of counting, and the treatment of rows without a person or an item.

Symbols: f_i = number of distinct people with a row for item i; one person changes each by at most
1, all in the same direction (Δ = 1, monotonic), if nobody has two spellings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dpviz.base import (
    Column,
    Frame,
    ParameterError,
    Scores,
    TabularResult,
    ValueEquality,
    attach_person_metadata,
    cached_property,
)
from dpviz.base.packed_strings import FEW, PackedStrings
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import (
    MAX_ITEMS,
    MAX_LABEL,
    CountingSummary,
    IngestError,
    check_column,
    check_count_limit,
    quote_value,
)

MISSING: Final = ("refuse", "skip")
"""Treatment of rows without a person or an item: refuse the log, or report their number."""


class MissingCells(IngestError):
    """Rows without a person or an item: a question with its numbers, which `missing` answers."""

    def __init__(self, rows: int, people: int, items: int) -> None:
        (most, what), *others = [each for each in [(people, "person"), (items, "item")] if each[0]]
        said = f"{most:,} of {rows:,} rows {'has' if most == 1 else 'have'} no {what}"
        said += "".join(f", and {number:,} no {other}" for number, other in others)
        self.question = f"{said}. Leave them out?"
        super().__init__(f"{self.question} Use --missing skip, or in Python missing='skip'.")
        self.args = (rows, people, items)  # so that it survives pickling
        self.rows, self.people, self.items = rows, people, items


class NoListedItems(IngestError):
    """A list of which no item occurs in a log that has others."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"No item of the list occurs in column {quote_value(column)}. Is it the right list? Use"
            " another for --items, or in Python items."
        )
        self.args = (column,)  # so that it survives pickling


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Counts(ValueEquality, TabularResult):
    """Distinct people per item, and the numbers left out.

    Parameters
    ----------
    table
        The items with their scores.
    rows
        Number of rows of the log.
    left_out
        Rows without a person or an item.
    kept
        What was kept of each person, and of which items.
    engine
        Name of what counted.
    chosen
        The rows that were chosen.
    exact_text
        True if texts were compared by their characters.
    read_over
        True if dpviz read both columns itself.
    letters
        Sentence on letters of the file, if any.
    """

    table: Frame
    rows: int
    left_out: int
    kept: CountingSummary
    engine: str
    chosen: RowFilter = ALL
    exact_text: bool = False
    read_over: bool = False
    letters: str | None = None

    @cached_property
    def scores(self) -> Scores:
        items = self.table["item"]
        return Scores(
            self.table["score"].to_numpy(np.float64),
            labels=items.tolist() if len(items) <= FEW else PackedStrings(items),
            monotonic=True,
            contributions=self.kept.contributions,
            names_known=self.kept.items_known,
        )

    def frame(self) -> Frame:
        """A row for each item: item, score."""
        return self.table.copy()

    def __repr__(self) -> str:
        best = self.table.sort_values("score", ascending=False).head(1).to_dict("records")
        told = "".join(f", most {row['item']} {row['score']:,}" for row in best)
        return f"Counts({len(self.table):,} items of {self.rows:,} rows{told})"

    @property
    def notes(self) -> tuple[str, ...]:
        sentences = [*([] if self.letters is None else [self.letters]), *self.chosen.notes]
        if self.left_out:
            sentences.append(
                f"{self.left_out:,} of {self.rows:,} rows are left out, as they have no person or"
                " no item."
            )
        if self.exact_text:
            sentences.append(
                f"{self.engine} compares texts by their characters, so one person in two Unicode"
                " forms counts twice."
            )
        if self.read_over:
            sentences.append(
                f"{self.engine} cannot normalise these texts, so both columns were read by dpviz."
            )
        return (*sentences, *self.kept.notes)


def check_distinct_columns(person: str | None, item: str) -> None:
    if person == item:
        raise ParameterError("item", item, "another column than the person's")


def check_columns(columns: Any, person: str | None, item: str) -> None:
    names = [str(column) for column in columns]
    if person is not None:
        check_column("person", person, names)
    check_column("item", item, names)
    check_distinct_columns(person, item)


def check_tallies(
    tallies: Mapping[str, int], item: str, missing: str, *, items_listed: bool, row: str
) -> None:
    """Raise for missing cells, and for items that are too few, too many or too long."""
    if missing == "refuse" and tallies["left_out"]:
        raise MissingCells(tallies["rows"], tallies["without_person"], tallies["without_item"])
    if tallies["items"] < 2 and not items_listed:
        how_many = "only one" if tallies["items"] else "no"
        raise IngestError(
            f"Column {quote_value(item)} has {how_many} item; a selection needs at least 2."
        )
    if not tallies["items"] and tallies["other_rows"]:
        raise NoListedItems(item)
    if tallies["items"] > MAX_ITEMS:
        raise IngestError(
            f"There are more than {MAX_ITEMS:,} items; at most that many are allowed."
        )
    what = f"{row}: the label" if row else "An item"
    start = f"{what} in column {quote_value(item)} has"
    check_count_limit(start, tallies["longest"], "characters", MAX_LABEL)


def build_counts(
    table: Frame,
    tallies: Mapping[str, int],
    *,
    item: str,
    engine: str,
    exact_text: bool,
    items: Sequence[str] | None,
    contributions: int | None,
    keep_list_order: bool,
) -> Counts:
    """Counts from the items that occur, in their order, and what the log comes to."""
    if items is not None:
        listed = table.set_index("item").reindex(list(items), fill_value=0)
        table = listed.rename_axis("item").reset_index()
        if not keep_list_order:
            table = table.sort_values(["score", "item"], ascending=[False, True], ignore_index=True)
    table = table.astype({"score": np.int64})
    if exact_text:
        _check_forms(table["item"], item, engine)
    person = {
        "sensitivity": 1.0,
        "monotonic": True,
        "contributions": contributions,
        "names_known": items is not None,
    }
    attach_person_metadata(table, person)
    kept = {name: tallies[name] for name in ("other_rows", "cut_rows", "cut_pairs")}
    return Counts(
        table=table,
        rows=tallies["rows"],
        left_out=tallies["left_out"],
        kept=CountingSummary(items_known=items is not None, contributions=contributions, **kept),
        engine=engine,
        exact_text=exact_text,
    )


def _check_forms(items: Column, item: str, engine: str) -> None:
    """Raise for two items that look the same, as a person may be in both: scores do not add."""
    forms = items.str.normalize("NFC")
    again = forms.duplicated()
    if again.any():
        raise IngestError(
            f"Column {quote_value(item)} has the item {quote_value(forms[again].iloc[0])} in two"
            f" Unicode forms, which {engine} cannot make one: write it in one form there."
        )

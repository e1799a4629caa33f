"""Result of counting, and the treatment of rows without a person or an item.

Symbols: f_i = number of distinct people with a row for item i; one person changes each by at most
1, all in the same direction (Δ = 1, monotonic), if nobody has two spellings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dpviz.base import (
    Column,
    Frame,
    ParameterError,
    Scores,
    attach_person_metadata,
    cached_property,
)
from dpviz.base.packed_strings import pack_if_many
from dpviz.data.counting.count_expression import OTHER
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
        lacking = [(people, "person"), (items, "item")]
        (most, what), *others = [each for each in lacking if each[0]]
        said = f"{most:,} of {rows:,} rows {'has' if most == 1 else 'have'} no {what}"
        said += "".join(f", and {number:,} no {other}" for number, other in others)
        self.question = f"{said}: leave them out?"
        super().__init__(f"{self.question} --missing skip does so; in Python missing='skip'.")
        self.args = (rows, people, items)  # so that it survives pickling
        self.rows, self.people, self.items = rows, people, items


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts:
    """Distinct people per item, and the numbers left out."""

    table: Frame
    rows: int
    left_out: int
    kept: CountingSummary
    engine: str
    chosen: RowFilter = ALL
    exact_text: bool = False
    read_over: bool = False

    @cached_property
    def scores(self) -> Scores:
        return Scores(
            self.table["score"].to_numpy(np.float64),
            labels=pack_if_many(self.table["item"].tolist()),
            monotonic=True,
            contributions=self.kept.contributions,
            names_known=self.kept.items_known,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        sentences = list(self.chosen.notes)
        if self.left_out:
            sentences.append(
                f"{self.left_out:,} of {self.rows:,} rows are left out, since they lack a person or"
                " an item."
            )
        if self.exact_text:
            sentences.append(
                f"{self.engine} tells texts apart by their characters: one person in two Unicode"
                " forms counts twice."
            )
        if self.read_over:
            sentences.append(
                f"{self.engine} cannot make these texts alike: both columns were read over here"
                " for it."
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


def build_counts(
    grouped: Frame,
    *,
    item: str,
    missing: str,
    engine: str,
    exact_text: bool = False,
    items: Sequence[str] | None = None,
    most: int | None = None,
    row_label: Callable[[int], str] | None = None,
) -> Counts:
    """Counts from one row for each item, by score and name; with `row_label` as they first occur.

    `row_label` names the row at a place, for errors.
    """
    nameless, other = grouped["item"] == "", grouped["item"] == OTHER
    # there are more, which were not fetched
    if items is None and len(grouped) - nameless.sum() > MAX_ITEMS:
        raise _too_many()
    rows = int(grouped["events"].sum())
    without_person = int(grouped["lost"].sum())
    without_item = int(grouped.loc[nameless, "events"].sum())
    left_out = int(grouped.loc[~nameless, "lost"].sum()) + without_item
    if missing == "refuse" and left_out:
        raise MissingCells(rows, without_person, without_item)
    kept = grouped.loc[~nameless & ~other & (grouped["score"] > 0)]
    order = ["place"] if row_label is not None else ["score", "item"]
    kept = kept.sort_values(order, ascending=[name != "score" for name in order])
    kept = kept.astype({"item": object, "score": np.int64})
    if items is not None:
        listed = kept[["item", "score"]].set_index("item").reindex(list(items), fill_value=0)
        kept = listed.rename_axis("item").reset_index()
        if row_label is None:
            kept = kept.sort_values(order, ascending=[False, True])
    _check_items(kept, item, row_label)
    if exact_text:
        _check_forms(kept["item"], item, engine)
    of_others = grouped.loc[other, ["events", "lost"]].sum()
    rules = CountingSummary(
        items_known=items is not None,
        contributions=most,
        largest=int(grouped["largest"].max()) if grouped["largest"].notna().any() else 0,
        other_rows=int(of_others["events"] - of_others["lost"]),
        cut_rows=int(grouped["cut_rows"].sum()),
        cut_pairs=int(grouped["cut_pairs"].sum()),
    )
    table = kept[["item", "score"]].reset_index(drop=True)
    person = {
        "sensitivity": 1.0,
        "monotonic": True,
        "contributions": most,
        "names_known": items is not None,
    }
    attach_person_metadata(table, person)
    return Counts(
        table=table, rows=rows, left_out=left_out, kept=rules, engine=engine, exact_text=exact_text
    )


def _check_items(kept: Frame, item: str, row_label: Callable[[int], str] | None) -> None:
    if len(kept) < 2:
        how_many = "only one" if len(kept) else "no"
        raise IngestError(
            f"Column {quote_value(item)} has {how_many} item; a selection needs at least 2."
        )
    if len(kept) > MAX_ITEMS:
        raise _too_many()
    lengths = kept["item"].str.len()
    what = (
        f"{row_label(int(kept['place'].loc[lengths.idxmax()]))}: the label"
        if row_label is not None and "place" in kept and lengths.max() > MAX_LABEL
        else "An item"
    )
    check_count_limit(
        f"{what} in column {quote_value(item)} has", int(lengths.max()), "characters", MAX_LABEL
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


def _too_many() -> IngestError:
    return IngestError(f"There are more than {MAX_ITEMS:,} items; at most that many are allowed.")

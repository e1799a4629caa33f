"""Result of counting, and the treatment of rows without a person or an item.

Symbols: f_i = number of distinct people with a row for item i; one person changes each by at most
1, all in the same direction (Δ = 1, monotonic), if nobody has two spellings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dpviz.base import Column, Frame, Scores, attach_person_metadata
from dpviz.data.counting.count_expression import OTHER
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import (
    MAX_ITEMS,
    MAX_LABEL,
    CountingSummary,
    IngestError,
    check_column,
    check_count_limit,
    check_distinct_columns,
    quote_value,
)

MISSING: Final = ("refuse", "skip")
"""Treatment of rows without a person or an item: refuse the log, or report their number."""


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

    @property
    def scores(self) -> Scores:
        return Scores(
            self.table["score"].to_numpy(np.float64),
            labels=self.table["item"].tolist(),
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


def check_columns(columns: Any, person: str, item: str) -> None:
    names = [str(column) for column in columns]
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
) -> Counts:
    """Counts from one row for each item."""
    nameless, other = grouped["item"] == "", grouped["item"] == OTHER
    # there are more, which were not fetched
    if items is None and len(grouped) - nameless.sum() > MAX_ITEMS:
        raise _too_many()
    rows = int(grouped["events"].sum())
    without_person = int(grouped["lost"].sum())
    without_item = int(grouped.loc[nameless, "events"].sum())
    left_out = int(grouped.loc[~nameless, "lost"].sum()) + without_item
    if missing == "refuse" and left_out:
        raise IngestError(
            f"Of {rows:,} rows {without_person:,} have no person and {without_item:,} no item in"
            f" column {quote_value(item)}; they can be left out (--missing skip; in Python"
            " missing='skip')."
        )
    kept = grouped.loc[~nameless & ~other & (grouped["score"] > 0), ["item", "score"]].astype(
        {"item": object, "score": np.int64}
    )
    if items is not None:
        kept = (
            kept.set_index("item")
            .reindex(list(items), fill_value=0)
            .rename_axis("item")
            .reset_index()
        )
    if len(kept) < 2:
        how_many = "only one" if len(kept) else "no"
        raise IngestError(
            f"Column {quote_value(item)} has {how_many} item; a selection needs at least 2."
        )
    if len(kept) > MAX_ITEMS:
        raise _too_many()
    longest = int(kept["item"].str.len().max())
    check_count_limit(
        f"An item in column {quote_value(item)} has", longest, "characters", MAX_LABEL
    )
    if exact_text:
        _check_forms(kept["item"], item, engine)
    table = kept.sort_values(["score", "item"], ascending=[False, True], ignore_index=True)
    of_others = grouped.loc[other, ["events", "lost"]].sum()
    rules = CountingSummary(
        items_known=items is not None,
        contributions=most,
        largest=int(grouped["largest"].max()) if grouped["largest"].notna().any() else 0,
        other_rows=int(of_others["events"] - of_others["lost"]),
        cut_rows=int(grouped["cut_rows"].sum()),
        cut_pairs=int(grouped["cut_pairs"].sum()),
    )
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

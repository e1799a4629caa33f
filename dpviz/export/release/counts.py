"""The counts that a release is made from: checked, and put in the order of their names.

Invariants: items stand in the order of their names, since the order of a file may follow its
counts; names are compared in Unicode form C without blanks around them, as in lists of items.
"""

import re
from dataclasses import dataclass

from dpviz.base import Scores
from dpviz.data.reading import MAX_NAME, Table, is_slow_to_normalise, normalise_name, quote_value
from dpviz.data.reading.guessing import ReadingChoices, propose_reading
from dpviz.data.reading.guessing.meaning import guess_meaning
from dpviz.data.reading.numbers import looks_numeric
from dpviz.export.release.plan import ReleasePlan
from dpviz.export.release.refusal import Refusal

_WHOLE = re.compile(r"\s*[0-9]+\s*", re.ASCII)
_MOST = 2**53  # a float holds all of them
_UNNAMED = "{} has no names, so items are called by their rows. The order of rows must not show the counts."


@dataclass(frozen=True)
class NamedCounts:
    source: str
    names: tuple[str, ...]
    values: tuple[int, ...]
    notes: tuple[str, ...] = ()

    def scores(self, plan: ReleasePlan) -> Scores:
        """The counts as scores of the plan; raises `Refusal` where there are too few."""
        shorter = plan.mechanism.shorter
        # where a list may be shorter, to refuse it would tell how many items there are
        if len(self.names) <= plan.k and not shorter:
            raise Refusal(
                f"{quote_value(self.source)} has {len(self.names):,} items: there have to be more"
                f" than the {plan.k:,} that are published."
            )
        # two that nobody has, as scores are of two at least: they never come out
        nobody = {"\n": 0, "\n\n": 0} if shorter else {}
        return Scores(
            (*self.values, *nobody.values()),
            labels=(*self.names, *nobody),
            sensitivity=plan.sensitivity,
            monotonic=plan.monotonic,
            contributions=plan.contributions,
            names_known=plan.items_known is not False,
        )


def read_counts(table: Table, *, has_item_list: bool = False) -> NamedCounts:
    """The counts in a table: a name and a whole count a row, or counts alone.

    Names that are `has_item_list` are checked against their list, so that one may be "Total".
    """
    source, columns = quote_value(table.source), table.columns
    for remark in table.remarks:
        if remark.asks:
            raise Refusal(f"{source}: {remark.says} A file with one table is needed.")
    if len(columns) not in (1, 2):
        raise Refusal(
            f"{source} has {len(columns)} columns: it must have two, the names and the counts."
        )
    notes = []
    if table.header:
        called = " and ".join(map(quote_value, columns))
        notes.append(f"The first row of {source} is taken for the names of its columns: {called}.")
    named, counted = columns[0], columns[-1]
    meant = guess_meaning(table, ReadingChoices(log=False))
    if (meant.item, meant.other) == (counted, named) and not looks_numeric(
        table.frame[counted].tolist()
    ):  # counts, then names
        named, counted = counted, named
    counts = [
        _count(table, place, cell) for place, cell in enumerate(table.frame[counted].tolist())
    ]
    if len(columns) == 1:
        names = [f"item {place}" for place in range(1, len(counts) + 1)]
        notes.append(_UNNAMED.format(source))
    else:
        names = [normalise_name(str(cell)) for cell in table.frame[named].tolist()]
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if not name or name == "nan":
            raise Refusal(f"{table.row_label(place)} of {source} has no name.")
        if is_slow_to_normalise(name):
            raise Refusal(
                f"{table.row_label(place)} of {source} has a name of {len(name):,} characters; at"
                f" most {MAX_NAME} are allowed."
            )
        if first.setdefault(name, place) != place:
            raise Refusal(
                f"{table.row_label(place)} of {source} has {quote_value(name)} again: a name stands"
                " in one row."
            )
    if not has_item_list:
        _check_reading(table)
    by_name = sorted(zip(names, counts, strict=True))
    return NamedCounts(
        table.source,
        tuple(name for name, _ in by_name),
        tuple(count for _, count in by_name),
        tuple(notes),
    )


def _check_reading(table: Table) -> None:
    """Raise for what a decision would ask of this table, such as a total among the items."""
    given = propose_reading(table.source, table, is_own_data=True)
    question, source = given.open_question, quote_value(table.source)
    if question is not None:
        raise Refusal(
            f"{source}: {question.says} Correct the file, or give the list of all items (--items)."
        )
    if given.meaning.log and given.meaning.doubt is None:
        raise Refusal(f"{source} holds no counts: its numbers tell items or people apart.")


def _count(table: Table, place: int, cell: object) -> int:
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
    if isinstance(cell, bool) or not _WHOLE.fullmatch(text) or len(text) > 20 or int(text) > _MOST:
        raise Refusal(
            f"{table.row_label(place)} of {quote_value(table.source)} has {quote_value(text)} for a"
            " count, which must be a whole number from 0 up."
        )
    return int(text)


def check_names_match_list(counts: NamedCounts, items: tuple[str, ...], listed_in: str) -> None:
    """Refuse unless the names are exactly those of the list."""
    source, there = quote_value(counts.source), quote_value(listed_in)
    listed, counted = set(items), set(counts.names)
    for name in counts.names:
        if name not in listed:
            raise Refusal(f"{source} has {quote_value(name)}, which is not on the list {there}.")
    for name in items:
        if name not in counted:
            raise Refusal(
                f"{source} has no {quote_value(name)}, which is on the list {there}: a zero is a"
                " count too."
            )

"""Rows of scores that need an answer: totals, cells that are no numbers, and names that repeat.

Symbols: v, the numbers of the score column, one a row; NaN where a cell is no number.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpviz.base import Bools, Column, Floats, Ints, Scores, cell_text, is_blank, pd
from dpviz.base.score_values import SENSITIVITY, merge_labels
from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.headings import is_total_name, may_be_total_name
from dpviz.data.reading.input_rules import IngestError, Remark, quote_value
from dpviz.data.reading.numbers import (
    BadNumber,
    first_multiple,
    parse_numbers,
    unreadable_cells,
)
from dpviz.data.reading.table import (
    Table,
    check_label_lengths,
    item_sensitivities,
    parse_score_column,
    raise_bad_score,
    row_labels,
)

_OTHER = {",": ".", ".": ","}
_LARGE = 20  # below it a number is easily the sum of the others by chance
_ENDS = 100  # rows at either end of a long table whose names are looked at
_ALL = 20_000  # rows of a table whose names are all looked at
_SHOWN = 3
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True)
class ScoreRows:
    """Numbers of a score column, and the rows that need an answer."""

    values: Floats
    ambiguous: str | None = None
    multiple: str | None = None
    bad: Ints = field(default_factory=_NONE.copy)
    nameless: Ints = field(default_factory=_NONE.copy)
    totals: Ints = field(default_factory=_NONE.copy)
    again: tuple[str, int, int] | None = None

    @property
    def odd(self) -> Ints:
        return np.union1d(self.totals, self.nameless)


def thousands_sign(said: ReadingChoices, ambiguous: str | None) -> str | None:
    """Decimal sign: the said one, else the one that makes an ambiguous number thousands."""
    if said.decimal or ambiguous is None:
        return said.decimal
    return _OTHER["," if "," in ambiguous else "."]


def look_at_rows(table: Table, score: str, label: str | None, said: ReadingChoices) -> ScoreRows:
    """Numbers and odd rows of a table of scores; raises `IngestError` for what no answer mends."""
    column = table.column("score", score)
    values, ambiguous = _numbers(table, score, column, said)
    bad = np.flatnonzero(np.isnan(values))
    multiple = first_multiple(column.iloc[bad].tolist()) if said.multiples is None else None
    if len(bad) > len(column) - 2 and multiple is None:
        parse_score_column(table, score, said.decimal)
    if label is None or len(bad) > len(column) - 2:
        return ScoreRows(values=values, ambiguous=ambiguous, multiple=multiple, bad=bad)
    names = table.column("label", label)
    # pandas looks at every letter of each
    check_label_lengths([n if isinstance(n, str) else "" for n in names.tolist()], table, label)
    nameless = np.flatnonzero(blank_cells(names))
    totals = np.setdiff1d(find_totals(values, names), bad)
    kept = np.ones(len(values), bool)
    for rows, answer in ((bad, said.bad_cells), (np.union1d(totals, nameless), said.total)):
        kept[rows] = answer not in {None, "leave-out"}
    return ScoreRows(
        values=values,
        ambiguous=ambiguous,
        multiple=multiple,
        bad=bad,
        nameless=nameless,
        totals=totals,
        again=_again(names[kept] if not kept.all() else names),
    )


def _numbers(
    table: Table, score: str, column: Column, said: ReadingChoices
) -> tuple[Floats, str | None]:
    """Numbers, NaN for cells that are none, and the first number with two readings."""
    ambiguous, decimal = None, None
    kept = np.ones(len(column), bool)
    while True:
        cells = column if kept.all() else column[kept]
        try:
            found = parse_numbers(
                cells,
                decimal=decimal,
                dots_may_group=table.delimiter == ";",
                multiples=bool(said.multiples),
            )
            break
        except BadNumber as bad:
            if bad.is_ambiguous and ambiguous is None:
                ambiguous = str(cells.iloc[bad.position]).strip()
                decimal = thousands_sign(said, ambiguous)
            elif kept.all():
                kept[unreadable_cells(column, multiples=bool(said.multiples))] = False
                if kept.all() or not kept.any():
                    raise_bad_score(table, score, bad.position, bad.why)
            else:
                raise_bad_score(table, score, int(np.flatnonzero(kept)[bad.position]), bad.why)
    values = np.full(len(column), np.nan)
    values[kept] = found
    return values, ambiguous


def blank_cells(names: Column) -> Bools:
    """Mask of the cells that are empty or hold blanks alone."""
    missing: Bools = np.array(names.isna(), dtype=bool)
    if isinstance(names.dtype, pd.StringDtype):
        blank = (names == "") | names.str.isspace()
        return missing | blank.fillna(value=True).to_numpy(bool)
    if names.dtype == object:
        missing = missing | np.fromiter(map(is_blank, names.tolist()), bool, len(names))
    return missing


def find_totals(values: Floats, names: Column) -> Ints:
    """Rows that add up others: called so, or equal to the sum of the rest at either end.

    >>> find_totals(np.array([31.0, 28, 25, 84]), pd.Series(["oak", "ash", "elm", "trees"])).tolist()
    [3]
    """
    size = len(values)
    places = range(size) if size <= _ALL else [*range(_ENDS), *range(size - _ENDS, size)]
    called = {i: cell_text(names.iloc[i]) or "" for i in places}
    found = {i for i, name in called.items() if name.strip() and is_total_name(name)}
    found |= {
        i
        for i, name in called.items()
        if i not in found and name.strip() and may_be_total_name(name) and _adds_up_run(values, i)
    }
    rest = np.nan_to_num(values)
    whole = float(rest.sum()) - sum(float(rest[i]) for i in found)
    for i in {0, size - 1} - found:
        value = float(rest[i])
        equal = value > 0 and abs(2 * value - whole) <= 1e-9 * abs(whole)
        if equal and (may_be_total_name(called[i]) or (size > 3 and value >= _LARGE)):
            found.add(i)
    return np.array(sorted(found) if size - len(found) >= 2 else [], np.int64)


def _adds_up_run(values: Floats, place: int) -> bool:
    """True if it is the sum of the rows right before or after it."""
    value = values[place]
    runs = (values[:place][::-1], values[place + 1 :])
    return any(
        bool(np.isclose(np.cumsum(run[:_ALL])[1:], value, rtol=1e-9).any())
        for run in runs
        if len(run) > 1
    )


def _again(names: Column) -> tuple[str, int, int] | None:
    """First repeated name, its number of rows, and the number of names that repeat."""
    later = names.duplicated().to_numpy() & ~names.isna().to_numpy(bool)
    again = [cell for cell in names[later].unique() if not is_blank(cell)] if later.any() else []
    if not again:
        return None
    return cell_text(again[0]) or "", int((names == again[0]).sum()), len(again)


def row_questions(
    rows: ScoreRows, table: Table, score: str, label: str | None, said: ReadingChoices
) -> list[Remark]:
    """Remarks on the rows, those unanswered as questions."""
    made = [_two_ways(rows.ambiguous, said), _bad_cells(rows, table, score, label, said)]
    if label is not None:
        made += [_odd(rows, table, label, said), _repeated(rows, label, said)]
    return [remark for remark in made if remark is not None]


def _two_ways(doubt: str | None, said: ReadingChoices) -> Remark | None:
    """Remark on the reading of a number with two readings."""
    if doubt is None:
        return None
    sign = "," if "," in doubt else "."
    whole, part = doubt.replace(sign, "\u202f"), doubt.replace(",", ".")
    thousands = thousands_sign(said, doubt) != sign
    read, other = (whole, part) if thousands else (part, whole)
    what = "point" if sign == "." else "comma"
    return Remark(
        says=(
            f"{quote_value(doubt)} is read as {read}: the {what}"
            f" {'separates the thousands' if thousands else 'marks the decimals'}."
        ),
        mends={f"Read it as {other}": {"decimal": sign if thousands else _OTHER[sign]}},
        asks=said.decimal is None,
        kept={"decimal": _OTHER[sign] if thousands else sign},
    )


def _bad_cells(
    rows: ScoreRows, table: Table, score: str, label: str | None, said: ReadingChoices
) -> Remark | None:
    count = len(rows.bad)
    if not count:
        return None
    listed = _listed(table, rows.bad, score, label)
    cells = f"{count:,} of {len(table.frame):,} cells in column {quote_value(score)}"
    what = "is not a number" if count == 1 else "are not numbers"
    if said.bad_cells is not None:
        return Remark(says=f"{cells} {what}. Left out: {listed}.")
    leave = "Leave this row out" if count == 1 else f"Leave these {count:,} rows out"
    mends: dict[str, dict[str, Any]] = {leave: {"bad_cells": "leave-out"}}
    if rows.multiple is not None:
        (value,) = parse_numbers(pd.Series([rows.multiple]), multiples=True).tolist()
        mends = {f"Read {quote_value(rows.multiple)} as {value:,.10g}": {"multiples": True}} | mends
    return Remark(says=f"{cells} {what}: {listed}.", mends=mends, asks=True)


def _odd(rows: ScoreRows, table: Table, label: str, said: ReadingChoices) -> Remark | None:
    """Remark on totals and on rows without a name."""
    odd = rows.odd
    if not len(odd):
        return None
    place = int(odd[0])
    name = cell_text(table.frame[label].iloc[place]) or ""
    where = table.row_label(place)
    called = f"{quote_value(name)} ({where.lower()})" if name.strip() else where
    if place in rows.totals:
        is_sum = "is called a total" if is_total_name(name) else "is the sum of other rows"
        says = f"{called} {is_sum}"
    else:
        says = f"{where} has no name"
    more = f", and {len(odd) - 1:,} more rows are like it" if len(odd) > 2 else ""
    more = ", and one more row is like it" if len(odd) == 2 else more
    if said.total is not None:
        done = "left out" if said.total == "leave-out" else "kept as an item"
        return Remark(says=f"{says}{more}: {done}.")
    one = len(odd) == 1
    return Remark(
        says=f"{says}{more}.",
        mends={
            "Leave it out" if one else f"Leave these {len(odd):,} rows out": {"total": "leave-out"},
            "Keep it as an item" if one else "Keep them as items": {"total": "keep"},
        },
        asks=True,
    )


def _repeated(rows: ScoreRows, label: str, said: ReadingChoices) -> Remark | None:
    """Remark on names in several rows."""
    if rows.again is None:
        return None
    name, count, names = rows.again
    more = f", and {names - 1:,} more {'name repeats' if names == 2 else 'names repeat'}"
    says = f"{quote_value(name)} is in {count:,} rows{more if names > 1 else ''}"
    done = {"sum": "added up", "largest": "the largest is taken", "keep": "each is an item"}
    if said.duplicates is not None:
        return Remark(says=f"{says}: {done[said.duplicates]}.")
    mends: dict[str, dict[str, Any]] = {
        "Add them up": {"duplicates": "sum"},
        "Take the largest": {"duplicates": "largest"},
        "Keep them apart": {"duplicates": "keep"},
        "Count the rows": {"person": None, "item": label},
    }
    return Remark(says=f"{says}.", mends=mends, asks=True)


def _listed(table: Table, places: Ints, score: str, label: str | None) -> str:
    """First cells that are no numbers, each with its row's name and number."""
    listed = []
    for place in places[:_SHOWN].tolist():
        cell = table.frame[score].iloc[place]
        shown = "an empty cell" if is_blank(cell) else quote_value(cell)
        name = None if label is None else cell_text(table.frame[label].iloc[place])
        of = f" of {quote_value(name)}" if name else ""
        listed.append(f"{shown}{of} ({table.row_label(place).lower()})")
    return ", ".join(listed) + (" and more" if len(places) > _SHOWN else "")


def build_scores(table: Table, label: str | None, rows: ScoreRows, said: ReadingChoices) -> Scores:
    """Scores of the rows as answered."""
    kept = np.ones(len(rows.values), bool)
    kept[rows.bad] = False
    if said.total == "leave-out":
        kept[rows.odd] = False
    values = rows.values
    if not kept.all():
        places = np.flatnonzero(kept)
        numbers = np.asarray(table.rows)[places]
        frame = table.frame.iloc[places].reset_index(drop=True)
        table, values = replace(table, frame=frame, rows=numbers), values[kept]
    if len(values) < 2:
        raise IngestError(
            f"There is only {len(values)} item in {quote_value(table.source)}; a selection needs at"
            " least 2."
        )
    person = {**table.person, **item_sensitivities(table)}
    labels = None if label is None else row_labels(table, label)
    if labels is not None and said.duplicates in {"sum", "largest"}:
        if isinstance(own := person.get(SENSITIVITY), np.ndarray):
            person |= {SENSITIVITY: merge_labels(own, labels, "largest")[0]}
        values, labels = merge_labels(values, labels, said.duplicates)
    return Scores(values, labels=labels, **person)

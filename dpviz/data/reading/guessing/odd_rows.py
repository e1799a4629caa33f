"""Rows of scores that need an answer: totals, cells that are no numbers, and names that repeat."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.base import Bools, Column, Floats, Ints, Scores, cell_text, is_blank, pd
from dpviz.base.score_values import SENSITIVITY, merge_repeated_labels
from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.headings import is_mean_name, is_total_or_mean_name, may_be_total_name
from dpviz.data.reading.input_rules import IngestError, Remark, quote_value
from dpviz.data.reading.kept_items import normalise_name
from dpviz.data.reading.numbers import (
    BadNumber,
    first_abbreviated_number,
    non_number_positions,
    parse_numbers,
)
from dpviz.data.reading.table import (
    Table,
    check_label_lengths,
    item_labels_by_row,
    item_sensitivity_arguments,
    parse_score_column,
    raise_bad_cell,
)

_OTHER = {",": ".", ".": ","}
_LARGE = 20  # below it a number is easily the sum of the others by chance
_ENDS = 100  # rows at either end of a long table whose names are looked at
_ALL = 20_000  # rows of a table whose names are all looked at
_SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class ScoreRows:
    """Numbers of a score column, the rows that stay, and the remarks on the others."""

    values: Floats
    kept: Bools
    remarks: tuple[Remark, ...]


def read_score_rows(
    table: Table, score: str, label: str | None, choices: ReadingChoices
) -> ScoreRows:
    """Numbers and odd rows of a table of scores; raises `IngestError` for what no answer mends."""
    column = table.column("score", score)
    values, ambiguous = _numbers(table, score, column, choices)
    kept = ~np.isnan(values)
    bad = np.flatnonzero(~kept)
    multiple = (
        first_abbreviated_number(column.iloc[bad].tolist()) if choices.multiples is None else None
    )
    few = len(bad) > len(column) - 2
    if few and multiple is None:
        parse_score_column(table, score, choices.decimal)
    remarks = [] if ambiguous is None else [_two_ways(ambiguous, choices)]
    if len(bad):
        remarks.append(_bad_cells(table, bad, multiple, score, label, choices))
    if label is not None and not few:
        names = table.column("label", label)
        # pandas looks at every letter of each
        check_label_lengths([n if isinstance(n, str) else "" for n in names.tolist()], table, label)
        totals = np.setdiff1d(find_total_rows(values, names), bad)
        odd = np.union1d(totals, np.flatnonzero(blank_cell_mask(names)))
        if len(odd):
            remarks.append(_odd_rows(table, label, odd, odd[0] in totals, choices))
        if choices.total != "keep":
            kept[odd] = False
        remarks += _repeated_names(names if kept.all() else names[kept], label, choices)
    return ScoreRows(values=values, kept=kept, remarks=tuple(remarks))


def _numbers(
    table: Table, score: str, column: Column, choices: ReadingChoices
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
                multiples=bool(choices.multiples),
            )
            break
        except BadNumber as bad:
            if bad.is_ambiguous and ambiguous is None:
                ambiguous = str(cells.iloc[bad.position]).strip()
                decimal = choices.decimal or _OTHER["," if "," in ambiguous else "."]
            elif kept.all():
                kept[non_number_positions(column, multiples=bool(choices.multiples))] = False
                none = not kept.any() and first_abbreviated_number(column.tolist()) is None
                if kept.all() or none:
                    raise_bad_cell(table, score, bad.position, bad.why)
            else:
                raise_bad_cell(table, score, int(np.flatnonzero(kept)[bad.position]), bad.why)
    values = np.full(len(column), np.nan)
    values[kept] = found
    return values, ambiguous


def blank_cell_mask(names: Column) -> Bools:
    """Mask of the cells that are empty or hold blanks alone."""
    missing: Bools = np.array(names.isna(), dtype=bool)
    if isinstance(names.dtype, pd.StringDtype):
        blank = (names == "") | names.str.isspace()
        return missing | blank.fillna(value=True).to_numpy(bool)
    if names.dtype == object:
        missing = missing | np.fromiter(map(is_blank, names.tolist()), bool, len(names))
    return missing


def find_total_rows(values: Floats, names: Column) -> Ints:
    """Rows that add up others: called so, or equal to the sum of the rest at either end."""
    size = len(values)
    places = range(size) if size <= _ALL else [*range(_ENDS), *range(size - _ENDS, size)]
    called = {i: (cell_text(names.iloc[i]) or "").strip() for i in places}
    found = {
        i
        for i, name in called.items()
        if name
        and (is_total_or_mean_name(name) or (may_be_total_name(name) and _adds_up_run(values, i)))
    }
    any_called = bool(found)
    rest = np.nan_to_num(values)
    whole = float(rest.sum()) - sum(float(rest[i]) for i in found)
    for i in {0, size - 1} - found:
        value = float(rest[i])
        equal = value > 0 and abs(2 * value - whole) <= 1e-9 * abs(whole)
        by_chance = any_called or size <= 3 or value < _LARGE
        if equal and (may_be_total_name(called[i]) or not by_chance):
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


def _two_ways(doubt: str, choices: ReadingChoices) -> Remark:
    """Remark on the reading of a number with two readings."""
    sign = "," if "," in doubt else "."
    whole, part = doubt.replace(sign, "\u202f"), doubt.replace(",", ".")
    thousands = choices.decimal != sign
    read, other = (whole, part) if thousands else (part, whole)
    what = "point" if sign == "." else "comma"
    return Remark(
        says=(
            f"{quote_value(doubt)} is read as {read}: the {what}"
            f" {'separates the thousands' if thousands else 'marks the decimals'}."
        ),
        mends={f"Read it as {other}": {"decimal": sign if thousands else _OTHER[sign]}},
        asks=choices.decimal is None,
        kept={"decimal": _OTHER[sign] if thousands else sign},
    )


def _bad_cells(
    table: Table,
    bad: Ints,
    multiple: str | None,
    score: str,
    label: str | None,
    choices: ReadingChoices,
) -> Remark:
    count = len(bad)
    listed = _listed(table, bad, score, label)
    what = "is not a number" if count == 1 else "are not numbers"
    cells = f"{count:,} of {len(table.frame):,} cells in column {quote_value(score)} {what}"
    if choices.bad_cells is not None:
        return Remark(says=f"{cells}. Left out: {listed}.")
    leave = "Leave this row out" if count == 1 else f"Leave these {count:,} rows out"
    mends: dict[str, dict[str, Any]] = {leave: {"bad_cells": "leave-out"}}
    if multiple is not None:
        (value,) = parse_numbers(pd.Series([multiple]), multiples=True).tolist()
        mends = {f"Read {quote_value(multiple)} as {value:,.10g}": {"multiples": True}} | mends
    return Remark(says=f"{cells}: {listed}.", mends=mends, asks=True)


def _odd_rows(
    table: Table, label: str, odd: Ints, first_is_total: bool, choices: ReadingChoices
) -> Remark:
    """Remark on totals and on rows without a name."""
    name = cell_text(table.frame[label].iloc[odd[0]]) or ""
    where = table.row_label(odd[0])
    says = f"{where} has no name"
    if first_is_total:
        called = f"{quote_value(name)} ({where.lower()})" if name.strip() else where
        is_sum = "is called a total" if is_total_or_mean_name(name) else "is the sum of other rows"
        is_sum = "is called a mean" if is_mean_name(name) else is_sum
        says = f"{called} {is_sum}"
    more = f", and {len(odd) - 1:,} more rows are like it" if len(odd) > 2 else ""
    more = ", and one more row is like it" if len(odd) == 2 else more
    if choices.total is not None:
        done = "left out" if choices.total == "leave-out" else "kept as an item"
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


def _repeated_names(names: Column, label: str, choices: ReadingChoices) -> list[Remark]:
    alike = pd.Series([normalise_name(n) if isinstance(n, str) else n for n in names.tolist()])
    again = [cell for cell in alike[alike.duplicated()].unique() if not is_blank(cell)]
    if not again:
        return []
    others = len(again) - 1
    says = f"{quote_value(cell_text(again[0]) or '')} is in {int((alike == again[0]).sum()):,} rows"
    if others:
        says += f", and {others:,} more {'name repeats' if others == 1 else 'names repeat'}"
    done = {"sum": "added up", "largest": "the largest is taken", "keep": "each is an item"}
    if choices.duplicates is not None:
        return [Remark(says=f"{says}: {done[choices.duplicates]}.")]
    mends: dict[str, dict[str, Any]] = {
        "Add them up": {"duplicates": "sum"},
        "Take the largest": {"duplicates": "largest"},
        "Keep them apart": {"duplicates": "keep"},
        "Count the rows": {"person": None, "item": label},
    }
    return [Remark(says=f"{says}.", mends=mends, asks=True)]


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


def build_scores(
    table: Table, label: str | None, rows: ScoreRows, choices: ReadingChoices
) -> Scores:
    values = rows.values
    if not rows.kept.all():
        places = np.flatnonzero(rows.kept)
        frame = table.frame.iloc[places].reset_index(drop=True)
        table = replace(table, frame=frame, rows=np.asarray(table.rows)[places])
        values = values[places]
    if len(values) < 2:
        raise IngestError(
            f"There is only {len(values)} item in {quote_value(table.source)}; a selection needs at"
            " least 2."
        )
    person = {**table.person, **item_sensitivity_arguments(table)}
    labels = None if label is None else item_labels_by_row(table, label)
    if labels is not None and choices.duplicates in {"sum", "largest"}:
        labels = [normalise_name(each) for each in labels]
        if isinstance(own := person.get(SENSITIVITY), np.ndarray):
            person |= {SENSITIVITY: merge_repeated_labels(own, labels, "largest")[0]}
        values, labels = merge_repeated_labels(values, labels, choices.duplicates)
    return Scores(values, labels=labels, **person)

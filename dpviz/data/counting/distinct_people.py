"""Distinct people per item in DuckDB: one SQL text for every log, wherever its rows come from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dpviz.base import Cancelled, ParameterError, Progress, check_choice, pd, portion
from dpviz.data.counting.count_expression import BLANKS, CONTROLS_AND_NUL, MAY_CHANGE, OTHER
from dpviz.data.counting.counts import MISSING, Counts, build_counts, check_tallies
from dpviz.data.counting.embedded_duckdb import column_types, quote_literal, quote_name, run_query
from dpviz.data.counting.engine_errors import engine_error_text
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import (
    MAX_NAME,
    IngestError,
    check_contribution_limit,
    check_count_limit,
    quote_value,
)
from dpviz.data.reading.guessing.item_lists import listed_items

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_FLOATS = ("FLOAT", "DOUBLE")
_MERGED_AS_THEY_ARE: Final = (
    *_INTEGERS,
    *(f"U{kind}" for kind in _INTEGERS),
    *_FLOATS,
    *("DECIMAL", "BOOLEAN", "DATE", "TIME", "UUID"),
)
_OTHER = quote_literal(OTHER)
_QUERY = """
WITH read AS (
    SELECT {who} AS who, {what} AS what, {place} AS place FROM {relation} {where}
), listed AS (
    SELECT who, {listed} AS what, place FROM read
), pairs AS (
    {pairs}
), judged AS (
    SELECT *, {someone} AS someone, {someone} AND {named} AND {listed_item} AS counted FROM pairs
), kept AS (
    SELECT *, {beyond} AS beyond FROM judged
)
SELECT coalesce({item}, '') AS item, count(*) FILTER (someone) - {cut} AS score,
    sum(events) AS events, coalesce(sum(events) FILTER (someone IS NOT TRUE), 0) AS without_person,
    {cut} AS cut_pairs, {cut_events} AS cut_rows, {first_place} AS place, {odd_item} AS odd_item,
    bool_or({doubtful}) AS doubtful, max({long}) AS long_person,
    arg_max(place, {long}) AS long_place
FROM kept GROUP BY what
"""
_ODD_PERSON = """
CREATE OR REPLACE TEMP TABLE looked AS
SELECT coalesce(bool_or({odd}), false) AS odd FROM (SELECT DISTINCT {who} AS who FROM {relation} {where})
"""
_COUNTED = f"score > 0 AND item NOT IN ('', {_OTHER})"
_TOTALS = f"""
SELECT sum(events) AS rows, sum(without_person) AS without_person,
    sum(events) FILTER (item = '') AS without_item,
    sum(CASE WHEN item = '' THEN events ELSE without_person END) AS left_out,
    sum(events - without_person) FILTER (item = {_OTHER}) AS other_rows,
    sum(cut_pairs) AS cut_pairs, sum(cut_rows) AS cut_rows,
    count(*) FILTER ({_COUNTED}) AS items,
    max(length(item)) FILTER ({_COUNTED}) AS longest,
    arg_max(place, length(item)) FILTER ({_COUNTED}) AS longest_place,
    max(long_person) AS long_person, arg_max(long_place, long_person) AS long_place
FROM found
"""


@dataclass(frozen=True, kw_only=True)
class LogRows:
    """Rows of a log in DuckDB: a relation, its columns of people and items, and their places.

    `person` is None where each row is another person, `place` where rows have no order.
    """

    connection: Any
    relation: str = "log"
    person: str | None
    item: str
    place: str | None = None
    # can be read only once, so it is normalised at once
    once: bool = False


def count_distinct_people(
    log: LogRows,
    *,
    column_names: tuple[str | None, str],
    row_filter: RowFilter = ALL,
    missing: str,
    items: Iterable[str] | str | Path | None,
    contributions: int | None,
    row_label: Callable[[int], str] | None = None,
    progress: Progress,
) -> Counts:
    """Counts by score and name; with `row_label`, which names rows, as items first occur."""
    check_choice("missing", missing, MISSING)
    contributions = check_contribution_limit(contributions)
    known = None if items is None else listed_items(items)
    try:
        types = column_types(log.connection, log.relation)
        _find(log, types, row_filter.condition(types), known, contributions, progress)
        counts = read_duckdb_counts(
            log.connection,
            column_names,
            engine="duckdb",
            missing=missing,
            items=known,
            contributions=contributions,
            row_label=row_label,
        )
    except (Cancelled, ParameterError):
        raise
    except Exception as err:  # DuckDB raises many kinds
        raise IngestError(f"duckdb could not count the events: {engine_error_text(err)}.") from err
    progress(1.0)
    return replace(counts, chosen=row_filter)


def read_duckdb_counts(
    connection: Any,
    column_names: tuple[str | None, str],
    *,
    engine: str,
    missing: str,
    items: Sequence[str] | None,
    contributions: int | None,
    row_label: Callable[[int], str] | None = None,
    exact_text: bool = False,
) -> Counts:
    """Counts from the table `found`, a row for each item; raises for logs that make no scores."""
    person, item = column_names
    summed = connection.sql(_TOTALS)
    (values,) = summed.fetchall()
    found = {name: int(value or 0) for name, value in zip(summed.columns, values, strict=True)}
    if found["long_person"]:  # two ways of writing it would be two people
        row = "The" if row_label is None else f"{row_label(found['long_place'])}: the"
        start = f"{row} person in column {quote_value(person)} has"
        check_count_limit(start, found["long_person"], "characters", MAX_NAME)
    row = "" if row_label is None else row_label(found["longest_place"])
    check_tallies(found, item, missing, row=row, items_listed=items is not None)
    order = "score DESC, item" if row_label is None else "place"
    table = connection.sql(f"SELECT item, score FROM found WHERE {_COUNTED} ORDER BY {order}")
    return build_counts(
        table.to_arrow_table().to_pandas(),
        found,
        item=item,
        engine=engine,
        exact_text=exact_text,
        items=items,
        contributions=contributions,
        keep_list_order=row_label is not None,
    )


def _find(
    log: LogRows,
    types: Mapping[str, str],
    where: str,
    items: Sequence[str] | None,
    most: int | None,
    progress: Progress,
) -> None:
    """Make the table `found`: a row for each item."""
    as_written = items is None and not log.once
    if items is not None:
        listed = pd.DataFrame({"item": list(items)}, dtype=object)
        log.connection.register("known_items", listed)
    for written in [True, False] if as_written else [False]:
        query = _query(log, types, where, items is not None, most, written)
        part = (0.0, 0.6) if written else (0.7 if as_written else 0.0, 1.0)
        run_query(
            log.connection,
            f"CREATE OR REPLACE TEMP TABLE found AS {query}",
            portion(progress, *part),
        )
        if not _found_is_odd(log, types, where, portion(progress, 0.6, 0.7)):
            break


def _found_is_odd(log: LogRows, types: Mapping[str, str], where: str, progress: Progress) -> bool:
    """True if a written text is not as `normalise_name` makes it, so that two may be one."""
    summed = "SELECT bool_or(odd_item), bool_or(doubtful) FROM found"
    ((odd, doubtful),) = log.connection.execute(summed).fetchall()
    if log.person is None or odd or not doubtful:
        return bool(odd)
    # each person once, as it is slow to see
    kind = types[log.person]
    query = _ODD_PERSON.format(
        odd=_odd("who", kind),
        who=_written(quote_name(log.person), kind),
        relation=log.relation,
        where=where and f"WHERE {where}",
    )
    run_query(log.connection, query, progress)
    ((odd,),) = log.connection.execute("FROM looked").fetchall()
    return bool(odd)


def _query(
    log: LogRows,
    types: Mapping[str, str],
    where: str,
    known: bool,
    most: int | None,
    as_written: bool,
) -> str:
    # as written is faster, and right unless one of the texts is odd
    key = _written if as_written else _normalised
    who_type = "INTEGER" if log.person is None else types[log.person]
    what_type = types[log.item]
    what = key(quote_name(log.item), what_type)
    listed = "what"
    if known:
        what, what_type = name_text_sql(what, what_type), "VARCHAR"
        listed = (
            "CASE WHEN what IS NULL OR what IN (SELECT item FROM known_items) THEN what"
            f" ELSE {_OTHER} END"
        )
    place = "NULL::BIGINT" if log.place is None else "min(place)"
    pairs = (
        "SELECT who, what, 1 AS events, place FROM listed"
        if log.person is None
        else f"SELECT who, what, count(*) AS events, {place} AS place FROM listed GROUP BY who, what"
    )
    beyond = "false"
    if most is not None and log.person is not None:
        hashed = f"md5({name_text_sql('who', who_type)} || {_OTHER} || {name_text_sql('what', what_type)})"
        beyond = (
            f"counted AND row_number() OVER (PARTITION BY who, counted ORDER BY {hashed}) > {most}"
        )
    return _QUERY.format(
        who="1" if log.person is None else key(quote_name(log.person), who_type),
        what=what,
        place="NULL::BIGINT" if log.place is None else quote_name(log.place),
        relation=log.relation,
        where=where and f"WHERE {where}",
        listed=listed,
        pairs=pairs,
        someone=_there("who", who_type),
        named=_there("what", what_type),
        listed_item=f"what <> {_OTHER}" if known else "true",
        beyond=beyond,
        cut="0" if beyond == "false" else "count(*) FILTER (beyond)",
        cut_events="0" if beyond == "false" else "coalesce(sum(events) FILTER (beyond), 0)",
        first_place=place,
        item=name_text_sql("what", what_type),
        odd_item=_odd("what", what_type) if as_written else "false",
        doubtful=may_be_odd_sql("who") if as_written and _is_text(who_type) else "false",
        long=(
            f"CASE WHEN length(who) > {MAX_NAME} AND strlen(who) > length(who) THEN length(who) END"
            if _is_text(who_type) and not as_written
            else "NULL::BIGINT"
        ),
    )


def _is_text(kind: str) -> bool:
    """True for a type whose cells are merged as texts."""
    base = kind.partition("(")[0]
    return kind.endswith("]") or not (
        base in _MERGED_AS_THEY_ARE or base.startswith(("TIMESTAMP", "TIME "))
    )


def _written(column: str, kind: str) -> str:
    """Cells as they are merged at first: texts as written, NULL for NaN."""
    if kind in _FLOATS:
        return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
    return f"{column}::VARCHAR" if _is_text(kind) and kind != "VARCHAR" else column


def _normalised(column: str, kind: str) -> str:
    """Cells as `normalise_name` makes them; NULL for empty ones."""
    written = _written(column, kind)
    return _key(written) if _is_text(kind) else written


def _key(text: str) -> str:
    return f"nullif(CASE WHEN {_may_change(text)} THEN {_changed(text)} ELSE {text} END, '')"


def _changed(text: str) -> str:
    controls, blanks = quote_literal(CONTROLS_AND_NUL), quote_literal(f"^{BLANKS}|{BLANKS}$")
    line = f"regexp_replace(regexp_replace({text}, {controls}, ' ', 'g'), {blanks}, '', 'g')"
    # the form of a long text takes quadratic time; a person or an item so long is refused
    return f"CASE WHEN length({line}) > {MAX_NAME} THEN {line} ELSE nfc_normalize({line}) END"


def _may_change(text: str) -> str:
    return f"regexp_matches({text}, {quote_literal(MAY_CHANGE)})"


def may_be_odd_sql(text: str) -> str:
    """True wherever `MAY_CHANGE` is found, and for few other texts; twice as quick to see.

    Written as bytes, a text has signs for all but ASCII letters, and no sign sorts before "!" but
    blanks and controls.
    """
    return f"encode({text})::VARCHAR <> {text} OR {text} < '!' OR suffix({text}, ' ')"


def _odd(key: str, kind: str) -> str:
    """True if normalising would change a written text, or it may be too long."""
    changes = f"{key} <> {_changed(key)} OR strlen({key}) > {MAX_NAME}"
    odd = f"CASE WHEN {_may_change(key)} THEN {changes} ELSE false END"
    return odd if _is_text(kind) else "false"


def _there(key: str, kind: str) -> str:
    return f"{key} <> ''" if _is_text(kind) else f"{key} IS NOT NULL"


def name_text_sql(key: str, sql_type: str) -> str:
    """A key as text, as `cell_text` writes it: whole numbers without a point, midnights as dates."""
    base = sql_type.partition("(")[0]
    if sql_type in _FLOATS:
        whole = f"abs({key}) < 1e38 AND {key} = trunc({key})"
        return f"CASE WHEN {whole} THEN {key}::HUGEINT::VARCHAR ELSE {key}::VARCHAR END"
    if base == "DECIMAL":
        return rf"regexp_replace(regexp_replace({key}::VARCHAR, '(\.\d*?)0+$', '\1'), '\.$', '')"
    if base == "BOOLEAN":
        return f"CASE WHEN {key} THEN 'True' WHEN NOT {key} THEN 'False' END"
    if base.startswith("TIMESTAMP"):
        at_midnight = f"{key}::TIMESTAMP = date_trunc('day', {key}::TIMESTAMP)"
        text = f"replace({key}::VARCHAR, ' ', 'T')"
        return f"CASE WHEN {at_midnight} THEN {key}::TIMESTAMP::DATE::VARCHAR ELSE {text} END"
    return f"{key}::VARCHAR" if sql_type != "VARCHAR" else key

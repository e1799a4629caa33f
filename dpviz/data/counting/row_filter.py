"""Rows of a log that count: a condition on each row, and a time window.

A row is judged by its own cells alone, so adding or removing a person adds or removes only her
rows, and Δ, monotonic and the limit `most` hold. So subqueries, windows, aggregates and row numbers
are refused. Rows are chosen before contributions are limited.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Final

from dpviz.base import ParameterError, cached_property
from dpviz.data.counting.embedded_duckdb import quote_name
from dpviz.data.counting.filter_columns import DuckDBColumn, IbisColumn
from dpviz.data.reading import IngestError, check_column, quote_value

ALLOWED: Final = (
    "a condition on single rows such as country = 'CH' AND year >= 2024. It compares columns with"
    " values by = <> < <= > >= IN BETWEEN LIKE and IS NULL, with AND, OR and NOT"
)

_GIVES_NOTHING: Final = ("sqlite", "mysql", "pyspark")
"""Engines that may read an invalid moment as a missing one, unlike the others, which raise."""

_OPERATORS: Final = ("AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "IS", "NULL", "TRUE", "FALSE")
_WORD = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w.])[^\W\d]\w*+(?!\s*\()""")
"""A text, a quoted name, or a word that calls no function."""

_COMPARISONS: Final = {
    "COMPARE_EQUAL": (eq, eq),
    "COMPARE_NOTEQUAL": (ne, ne),
    "COMPARE_LESSTHAN": (lt, gt),
    "COMPARE_LESSTHANOREQUALTO": (le, ge),
    "COMPARE_GREATERTHAN": (gt, lt),
    "COMPARE_GREATERTHANOREQUALTO": (ge, le),
}
"""DuckDB's name of a comparison: the comparison, and the same from right to left."""

Columns = Mapping[str, IbisColumn] | Mapping[str, DuckDBColumn]


@dataclass(frozen=True, kw_only=True)
class RowFilter:
    """The rows that count.

    >>> RowFilter(since="2024-01-01", until="2024-02-01", time="at").notes[0]
    "Only rows from 2024-01-01 on and before 2024-02-01 are counted, by column 'at'."
    """

    where: str | None = None
    since: str | None = None
    until: str | None = None
    time: str | None = None

    def __post_init__(self) -> None:
        for name in ("where", "since", "until", "time"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or not value.strip()):
                raise ParameterError(name, value, "a text, or left out")
        bounds = [
            _moment(name, getattr(self, name))
            for name in ("since", "until")
            if getattr(self, name) is not None
        ]
        if len(bounds) == 2 and bounds[0] >= bounds[1]:
            raise ParameterError("until", self.until, f"later than since, {self.since}")
        if bounds and self.time is None:
            raise ParameterError(
                "time", None, "given with since or until: which column says when", "missing"
            )
        if self.time is not None and not bounds:
            raise ParameterError("time", self.time, "left out without since and until", "needless")

    @cached_property
    def _tree(self) -> Any:
        return None if self.where is None else _parsed(self.where)

    @property
    def used_columns(self) -> tuple[str, ...]:
        inside = [] if self.where is None else _columns(self._tree)
        return tuple(dict.fromkeys([*inside, *([] if self.time is None else [self.time])]))

    @property
    def notes(self) -> tuple[str, ...]:
        said = [] if self.where is None else [f"Only rows where {self.where} are counted."]
        if self.time is not None:
            bounds = [f"from {self.since} on"] * (self.since is not None) + [
                f"before {self.until}"
            ] * bool(self.until)
            said.append(
                f"Only rows {' and '.join(bounds)} are counted, by column {quote_value(self.time)}."
            )
        return tuple(said)

    def filter_rows(self, events: Any) -> Any:
        columns = map(str, events.columns)
        kept = self._condition({name: IbisColumn(name, events[name]) for name in columns})
        return events if kept is None else events.filter(kept)

    def condition(self, column_types: Mapping[str, str]) -> str:
        """Condition in DuckDB's SQL on columns of these types; empty for all rows."""
        kept = self._condition(
            {name: DuckDBColumn(name, kind) for name, kind in column_types.items()}
        )
        return "" if kept is None else str(kept)

    def _condition(self, columns: Columns) -> Any:
        for column in self.used_columns:
            check_column("time" if column == self.time else "where", column, list(columns))
        conditions = []
        if self.where is not None:
            conditions.append(_Condition(columns, self.where, self._tree).said)
        if self.time is not None:
            moments = columns[self.time]
            for name, keep in (("since", ge), ("until", lt)):
                if (bound := getattr(self, name)) is not None:
                    conditions.append(
                        keep(moments.as_utc_moments(), moments.moment(_moment(name, bound)))
                    )
        return reduce(and_, conditions) if conditions else None

    def check_time_column(self, events: Any) -> None:
        """Raise if the time column holds invalid texts that the engine would silently leave out."""
        if self.time is None or self.time not in events.columns:
            return
        texts = events[self.time]
        if not texts.type().is_string() or texts.get_backend().name not in _GIVES_NOTHING:
            return
        moments = IbisColumn(self.time, texts).as_utc_moments()
        odd = events.filter(texts.notnull() & moments.isnull())
        found = odd.aggregate(rows=odd.count(), one=odd[self.time].min()).to_pandas()
        rows = int(found["rows"][0])
        if rows:
            one = quote_value(str(found["one"][0]))
            where = "1 row" if rows == 1 else f"{rows:,} rows"
            raise IngestError(
                f"Column {quote_value(self.time)} holds texts that are no moments, such as {one},"
                f" in {where}."
            )


ALL: Final = RowFilter()


def _parsed(where: str) -> Any:
    """The condition as DuckDB's parser reads it: a record for each operator."""
    import duckdb  # noqa: PLC0415 - slow to import

    # a column may be called as a word of SQL is, such as at or order
    quoted = _WORD.sub(_quoted_column, where)
    select = f"SELECT ({quoted}\n) FROM log"
    with duckdb.connect() as connection:
        ((text,),) = connection.execute("SELECT json_serialize_sql(?)", [select]).fetchall()
    statements = json.loads(text).get("statements", [])
    nodes = [each["node"] for each in statements]
    chosen = nodes[0].get("select_list", []) if len(nodes) == 1 else []
    if len(chosen) != 1 or nodes[0]["type"] != "SELECT_NODE":
        raise ParameterError("where", where, ALLOWED)
    return chosen[0]


def _quoted_column(word: re.Match[str]) -> str:
    text = word[0]
    return text if text[0] in "'\"" or text.upper() in _OPERATORS else quote_name(text)


def _columns(node: Any) -> list[str]:
    if isinstance(node, dict):
        named = node.get("column_names", [])[-1:] if node.get("type") == "COLUMN_REF" else []
        return [*named, *(name for each in node.values() for name in _columns(each))]
    return [name for each in node for name in _columns(each)] if isinstance(node, list) else []


class _Condition:
    """A condition as an expression over columns; anything unknown is refused."""

    def __init__(self, columns: Columns, where: str, tree: Any) -> None:
        self._columns, self._where = columns, where
        self.said = self._truth(tree)

    def _refused(self) -> ParameterError:
        return ParameterError("where", self._where, ALLOWED)

    def _truth(self, node: Any) -> Any:
        match node:
            case {"type": "CONJUNCTION_AND", "children": parts}:
                return reduce(and_, map(self._truth, parts))
            case {"type": "CONJUNCTION_OR", "children": parts}:
                return reduce(or_, map(self._truth, parts))
            case {"type": "OPERATOR_NOT", "children": [part]}:
                return ~self._truth(part)
            case {"type": "OPERATOR_IS_NULL", "children": [part]}:
                return self._column(part).expression.isnull()
            case {"type": "OPERATOR_IS_NOT_NULL", "children": [part]}:
                return ~self._column(part).expression.isnull()
            case {"type": "COLUMN_REF"} if self._column(node).kind == "boolean":
                return self._column(node).expression
            case {
                "type": "COMPARE_NOT_DISTINCT_FROM",  # which is how IS TRUE is read
                "left": {"type": "OPERATOR_CAST", "child": part},
                "right": {"literal": {"kind": "BOOLEAN"}} as value,
            } if self._column(part).kind == "boolean":
                return ~self._column(part).expression.isnull() & self._compared(eq, part, value)
            case {"type": "COMPARE_IN", "children": [part, *values]} if values:
                return reduce(or_, (self._compared(eq, part, each) for each in values))
            case {"type": "COMPARE_BETWEEN", "input": part, "lower": low, "upper": high}:
                return self._compared(ge, part, low) & self._compared(le, part, high)
            case {"type": "FUNCTION", "function_name": "~~" | "!~~" as name, "arguments": [a, b]}:
                like = self._like(a["expression"], b["expression"])
                return like if name == "~~" else ~like
            case {"type": kind, "left": left, "right": right} if kind in _COMPARISONS:
                how, turned = _COMPARISONS[kind]
                if left["type"] == "COLUMN_REF":
                    return self._compared(how, left, right)
                return self._compared(turned, right, left)
        raise self._refused()

    def _like(self, part: Any, pattern: Any) -> Any:
        """LIKE with % at either end only, as engines differ in case and in other patterns."""
        column = self._column(part)
        text = self._value(pattern) if pattern["type"] == "VALUE_CONSTANT" else None
        inner = text.removeprefix("%").removesuffix("%") if isinstance(text, str) else ""
        if column.kind != "text" or not inner or any(sign in inner for sign in "%_\\"):
            raise ParameterError(
                "where", self._where, "LIKE with a text column and 'start%', '%end' or '%within%'"
            )
        if str(text).startswith("%"):
            return column.text_condition(
                "contains" if str(text).endswith("%") else "endswith", inner
            )
        if str(text).endswith("%"):
            return column.text_condition("startswith", inner)
        return column.expression == column.constant(inner)

    def _column(self, node: Any) -> IbisColumn | DuckDBColumn:
        match node:
            case {"type": "COLUMN_REF", "column_names": [name]}:
                return self._columns[name]
        raise self._refused()

    def _compared(self, how: Any, left: Any, right: Any) -> Any:
        column = self._column(left)
        if right["type"] == "COLUMN_REF":
            return how(column.expression, self._column(right).expression)
        value = self._value(right)
        if isinstance(value, str) and column.kind == "moment":
            return how(column.as_utc_moments(), column.moment(_moment("where", value)))
        if isinstance(value, str) and column.kind in ("number", "boolean"):
            name = quote_value(column.name)
            allowed = f"without quotation marks around what is compared with {name}"
            raise ParameterError("where", self._where, allowed)
        if column.kind == "text" and not isinstance(value, str | bool):  # as in CSV
            return how(column.as_numbers(), column.constant(value))
        return how(column.expression, column.constant(value))

    def _value(self, node: Any) -> str | float | bool:
        match node:
            case {"literal": {"kind": "STRING", "text": str(text)}}:
                return text
            case {"literal": {"kind": "BOOLEAN", "text": text}}:
                return bool(text == "true")
            case {"literal": {"kind": "INTEGER", "text": text}}:
                return int(text)
            case {"literal": {"kind": "NUMERIC", "text": text}}:
                return float(text)
        raise self._refused()


def _moment(name: str, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as err:
        raise ParameterError(
            name, text, "a date or a moment such as 2024-01-31 or 2024-01-31T18:00Z"
        ) from err
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)

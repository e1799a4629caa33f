"""Rows of a log that count: a condition on each row, and a time window.

A row is judged by its own cells alone, so adding or removing a person adds or removes only her
rows, and Δ, monotonic and the limit `most` hold. So subqueries, windows, aggregates and row numbers
are refused. Rows are chosen before contributions are limited.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any, Final

from dpviz.base import ParameterError, cached_property
from dpviz.data.counting.count_expression import import_ibis
from dpviz.data.reading import IngestError, check_column, quote_value

ALLOWED: Final = (
    "a condition on single rows such as country = 'CH' AND year >= 2024: columns compared with"
    " values by = <> < <= > >= IN BETWEEN LIKE and IS NULL, joined by AND, OR and NOT"
)

_DROPS_OFFSETS: Final = ("duckdb", "postgres")
"""Engines that read +01:00 in a text only for a zoned timestamp; their sessions are in UTC."""

_GIVES_NOTHING: Final = ("sqlite", "mysql", "pyspark")
"""Engines that may read an invalid moment as a missing one, unlike the others, which raise."""


@dataclass(frozen=True, kw_only=True)
class RowFilter:
    """The rows that count.

    >>> RowFilter(since="2024-01-01", until="2024-02-01", time="at").notes[0]
    "Counted are only rows from 2024-01-01 on and before 2024-02-01 by column 'at'."
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

    @property
    def keeps_all_rows(self) -> bool:
        return self.where is None and self.time is None

    @cached_property
    def used_columns(self) -> tuple[str, ...]:
        inside = (
            []
            if self.where is None
            else [name.name for name in _parsed(self.where).find_all(_sqlglot().expressions.Column)]
        )
        return tuple(dict.fromkeys([*inside, *([] if self.time is None else [self.time])]))

    @property
    def notes(self) -> tuple[str, ...]:
        said = [] if self.where is None else [f"Counted are only rows where {self.where}."]
        if self.time is not None:
            bounds = [f"from {self.since} on"] * (self.since is not None) + [
                f"before {self.until}"
            ] * bool(self.until)
            said.append(
                f"Counted are only rows {' and '.join(bounds)} by column {quote_value(self.time)}."
            )
        return tuple(said)

    def filter_rows(self, events: Any) -> Any:
        names = list(map(str, events.columns))
        for column in self.used_columns:
            check_column("time" if column == self.time else "where", column, names)
        if self.where is not None:
            events = events.filter(_Condition(events, self.where).said)
        if self.time is not None:
            at = _as_moment(events[self.time], self.time)
            for name, keep in (("since", at.__ge__), ("until", at.__lt__)):
                if (bound := getattr(self, name)) is not None:
                    events = events.filter(keep(_literal(_moment(name, bound), at)))
        return events

    def check_time_column(self, events: Any) -> None:
        """Raise if the time column holds invalid texts that the engine would silently leave out."""
        if self.time is None or self.time not in events.columns:
            return
        texts = events[self.time]
        if not texts.type().is_string() or texts.get_backend().name not in _GIVES_NOTHING:
            return
        odd = events.filter(texts.notnull() & _as_moment(texts, self.time).isnull())
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


def _sqlglot() -> Any:
    import_ibis()
    import sqlglot  # noqa: PLC0415 - ibis brings it

    return sqlglot


def _parsed(where: str) -> Any:
    sqlglot = _sqlglot()
    try:
        return sqlglot.parse_one(where, dialect="duckdb")
    except sqlglot.errors.SqlglotError as err:
        raise ParameterError("where", where, ALLOWED) from err


class _Condition:
    """A condition over one table as an ibis expression; anything unknown is refused."""

    def __init__(self, events: Any, where: str) -> None:
        self._events, self._where, self._sql = events, where, _sqlglot().expressions
        self.said = self._truth(_parsed(where))

    def _refused(self) -> ParameterError:
        return ParameterError("where", self._where, ALLOWED)

    def _truth(self, node: Any) -> Any:
        sql = self._sql
        match node:
            case sql.Paren():
                return self._truth(node.this)
            case sql.And():
                return self._truth(node.this) & self._truth(node.expression)
            case sql.Or():
                return self._truth(node.this) | self._truth(node.expression)
            case sql.Not():
                return ~self._truth(node.this)
            case sql.Column() if self._column(node).type().is_boolean():
                return self._column(node)
            case sql.Is(expression=sql.Null()):
                return self._column(node.this).isnull()
            case sql.Is(expression=sql.Boolean()) if self._column(node.this).type().is_boolean():
                return (self._column(node.this) == node.expression.this).fill_null(False)
            case sql.In(expressions=[_, *_]) if not (
                node.args.get("query") or node.args.get("unnest")
            ):
                values = node.expressions
                return reduce(or_, (self._compared("__eq__", node.this, each) for each in values))
            case sql.Between():
                low, high = node.args["low"], node.args["high"]
                return self._compared("__ge__", node.this, low) & self._compared(
                    "__le__", node.this, high
                )
            case sql.Like():
                return self._like(self._column(node.this), node.expression)
        for kind, how, turned in (
            (sql.EQ, "__eq__", "__eq__"),
            (sql.NEQ, "__ne__", "__ne__"),
            (sql.LT, "__lt__", "__gt__"),
            (sql.LTE, "__le__", "__ge__"),
            (sql.GT, "__gt__", "__lt__"),
            (sql.GTE, "__ge__", "__le__"),
        ):
            if type(node) is kind:
                if isinstance(node.this, sql.Column):
                    return self._compared(how, node.this, node.expression)
                return self._compared(turned, node.expression, node.this)
        raise self._refused()

    def _like(self, column: Any, pattern: Any) -> Any:
        """LIKE with % at either end only, as engines differ in case and in other patterns."""
        text = pattern.this if isinstance(pattern, self._sql.Literal) and pattern.is_string else ""
        inner = text.removeprefix("%").removesuffix("%")
        if not column.type().is_string() or not inner or any(sign in inner for sign in "%_\\"):
            raise ParameterError(
                "where", self._where, "LIKE with a text column and 'start%', '%end' or '%within%'"
            )
        if text.startswith("%"):
            return column.contains(inner) if text.endswith("%") else column.endswith(inner)
        return column.startswith(inner) if text.endswith("%") else column == inner

    def _column(self, node: Any) -> Any:
        if not isinstance(node, self._sql.Column) or node.table:
            raise self._refused()
        return self._events[node.name]

    def _compared(self, how: str, left: Any, right: Any) -> Any:
        column = self._column(left)
        if isinstance(right, self._sql.Column):
            return getattr(column, how)(self._column(right))
        value = self._value(right)
        kind = column.type()
        if isinstance(value, str):
            if kind.is_temporal() and not kind.is_time():
                column = _as_moment(column, left.name)
                return getattr(column, how)(_literal(_moment("where", value), column))
            if kind.is_numeric() or kind.is_boolean():
                allowed = (
                    f"without quotation marks around what is compared with {quote_value(left.name)}"
                )
                raise ParameterError("where", self._where, allowed)
        elif kind.is_string() and not isinstance(value, bool):  # numbers as text, as in CSV
            column = column.cast("float64")
        return getattr(column, how)(value)

    def _value(self, node: Any) -> str | float | bool:
        sql = self._sql
        match node:
            case sql.Neg(this=sql.Literal(is_string=False)):
                return -self._number(node.this)
            case sql.Boolean():
                return bool(node.this)
            case sql.Literal(is_string=True):
                return str(node.this)
            case sql.Literal():
                return self._number(node)
        raise self._refused()

    @staticmethod
    def _number(node: Any) -> float:
        return int(node.this) if node.is_int else float(node.this)


def _moment(name: str, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as err:
        raise ParameterError(
            name, text, "a date or a moment such as 2024-01-31 or 2024-01-31T18:00Z"
        ) from err
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def _as_moment(column: Any, name: str) -> Any:
    kind = column.type()
    if kind.is_timestamp():
        return column
    if kind.is_string() and column.get_backend().name in _DROPS_OFFSETS:
        return column.cast("timestamp('UTC')")
    if kind.is_date() or kind.is_string():
        return column.cast("timestamp")
    raise ParameterError(
        "time", name, f"a column of dates or moments; {quote_value(name)} is of type {kind}"
    )


def _literal(moment: datetime, column: Any) -> Any:
    return import_ibis().literal(
        moment if column.type().timezone is None else moment.replace(tzinfo=UTC), type=column.type()
    )

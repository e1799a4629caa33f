"""Columns in a condition on rows: expressions of ibis, or DuckDB's SQL as text."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from dpviz.base import ParameterError
from dpviz.data.counting.count_expression import import_ibis
from dpviz.data.counting.embedded_duckdb import quote_literal, quote_name
from dpviz.data.reading import quote_value

_DROPS_OFFSETS: Final = ("duckdb", "postgres")
"""Engines that read +01:00 in a text only for a zoned timestamp; their sessions are in UTC."""

_KINDS: Final = {
    "boolean": ("BOOLEAN",),
    "moment": ("DATE", "TIMESTAMP"),
    "number": ("DECIMAL", "DOUBLE", "FLOAT", "REAL"),
    "other": ("TIME",),
}


@dataclass(frozen=True, eq=False)
class SqlText:  # noqa: PLW1641 - equality is an expression
    """An expression in DuckDB's SQL, with the operators that ibis's expressions have."""

    text: str
    kind: str = "boolean"
    type_name: str = ""

    @classmethod
    def column(cls, name: str, type_name: str) -> "SqlText":
        return cls(quote_name(name), _kind_of(type_name), type_name)

    def _joined(self, sign: str, other: object) -> "SqlText":
        right = other.text if isinstance(other, SqlText) else quote_literal(other)
        return SqlText(f"({self.text} {sign} {right})")

    def _called(self, function: str, text: str) -> "SqlText":
        return SqlText(f"{function}({self.text}, {quote_literal(text)})")

    def __and__(self, other: object) -> "SqlText":
        return self._joined("AND", other)

    def __or__(self, other: object) -> "SqlText":
        return self._joined("OR", other)

    def __invert__(self) -> "SqlText":
        return SqlText(f"(NOT {self.text})")

    def __eq__(self, other: object) -> "SqlText":  # type: ignore[override]
        return self._joined("=", other)

    def __ne__(self, other: object) -> "SqlText":  # type: ignore[override]
        return self._joined("<>", other)

    def __lt__(self, other: object) -> "SqlText":
        return self._joined("<", other)

    def __le__(self, other: object) -> "SqlText":
        return self._joined("<=", other)

    def __gt__(self, other: object) -> "SqlText":
        return self._joined(">", other)

    def __ge__(self, other: object) -> "SqlText":
        return self._joined(">=", other)

    def isnull(self) -> "SqlText":
        return SqlText(f"({self.text} IS NULL)")

    def contains(self, text: str) -> "SqlText":
        return self._called("contains", text)

    def startswith(self, text: str) -> "SqlText":
        return self._called("starts_with", text)

    def endswith(self, text: str) -> "SqlText":
        return self._called("ends_with", text)


def _kind_of(type_name: str) -> str:
    if type_name.endswith("]"):
        return "other"
    base = type_name.partition("(")[0].partition(" ")[0].partition("_")[0]
    named = next((kind for kind, names in _KINDS.items() if base in names), None)
    number = base.removeprefix("U") in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
    return named or ("number" if number else "text" if base in ("VARCHAR", "ENUM") else "other")


def column_kind(column: Any) -> str:
    """One of "text", "number", "boolean", "moment" and "other"."""
    if isinstance(column, SqlText):
        return column.kind
    kind = column.type()
    if kind.is_temporal() and not kind.is_time():
        return "moment"
    if kind.is_boolean():
        return "boolean"
    return "number" if kind.is_numeric() else "text" if kind.is_string() else "other"


def as_number(column: Any) -> Any:
    """A text column as numbers."""
    if isinstance(column, SqlText):
        return SqlText(f"{column.text}::DOUBLE", "number")
    return column.cast("float64")


def as_moment(column: Any, name: str) -> Any:
    """A column as moments of UTC; in DuckDB's SQL without their zone."""
    if isinstance(column, SqlText):
        if column.kind not in ("moment", "text"):
            raise _no_moments(name, column.type_name)
        plain = (
            column.type_name.startswith(("DATE", "TIMESTAMP")) and "ZONE" not in column.type_name
        )
        zoned = f"({column.text}::TIMESTAMPTZ AT TIME ZONE 'UTC')"
        return SqlText(f"{column.text}::TIMESTAMP" if plain else zoned, "moment", "TIMESTAMP")
    kind = column.type()
    if kind.is_timestamp():
        return column
    if kind.is_string() and column.get_backend().name in _DROPS_OFFSETS:
        return column.cast("timestamp('UTC')")
    if kind.is_date() or kind.is_string():
        return column.cast("timestamp")
    raise _no_moments(name, kind)


def _no_moments(name: str, kind: object) -> ParameterError:
    return ParameterError(
        "time", name, f"a column of dates or moments; {quote_value(name)} is of type {kind}"
    )


def moment_literal(moment: datetime, column: Any) -> Any:
    """A moment of UTC without a zone, to be compared with a column of moments."""
    if isinstance(column, SqlText):
        return SqlText(f"TIMESTAMP '{moment.isoformat(' ')}'", "moment")
    return import_ibis().literal(
        moment if column.type().timezone is None else moment.replace(tzinfo=UTC), type=column.type()
    )

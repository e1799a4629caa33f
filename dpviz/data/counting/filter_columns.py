"""Columns in a condition on rows, as expressions of ibis or of DuckDB; both have the same operators."""

from datetime import UTC, datetime
from typing import Any, Final

from dpviz.base import ParameterError
from dpviz.data.counting.count_expression import import_ibis
from dpviz.data.counting.embedded_duckdb import quote_literal
from dpviz.data.reading import quote_value

_DROPS_OFFSETS: Final = ("duckdb", "postgres")
"""Engines that read +01:00 in a text only for a zoned timestamp; their sessions are in UTC."""

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_KINDS: Final = {
    "BOOLEAN": "boolean",
    **dict.fromkeys(("DATE", "TIMESTAMP"), "moment"),
    **dict.fromkeys(("DECIMAL", "DOUBLE", "FLOAT", *_INTEGERS), "number"),
    **dict.fromkeys((f"U{kind}" for kind in _INTEGERS), "number"),
    **dict.fromkeys(("VARCHAR", "ENUM"), "text"),
}


class IbisColumn:
    """A column of an ibis table: `kind` is "text", "number", "boolean", "moment" or "other"."""

    def __init__(self, name: str, expression: Any) -> None:
        self.name, self.expression = name, expression
        self._type = expression.type()

    @property
    def kind(self) -> str:
        kind = self._type
        kinds = {
            "moment": kind.is_temporal() and not kind.is_time(),
            "boolean": kind.is_boolean(),
            "number": kind.is_numeric(),
            "text": kind.is_string(),
        }
        return next((name for name, holds in kinds.items() if holds), "other")

    def constant(self, value: Any) -> Any:
        return value

    def as_numbers(self) -> Any:
        return self.expression.cast("float64")

    def as_utc_moments(self) -> Any:
        """The column as moments of UTC."""
        kind, column = self._type, self.expression
        if kind.is_timestamp():
            return column
        if kind.is_string() and column.get_backend().name in _DROPS_OFFSETS:
            return column.cast("timestamp('UTC')")
        if kind.is_date() or kind.is_string():
            return column.cast("timestamp")
        raise _no_moments(self.name, kind)

    def moment(self, moment: datetime) -> Any:
        """A moment of UTC without a zone, to be compared with `as_utc_moments`."""
        kind = self.as_utc_moments().type()
        zoned = moment if kind.timezone is None else moment.replace(tzinfo=UTC)
        return import_ibis().literal(zoned, type=kind)

    def text_condition(self, test_name: str, text: str) -> Any:
        """A test of a text column: contains, startswith or endswith."""
        return getattr(self.expression, test_name)(text)


class DuckDBColumn:
    """The same of a table in DuckDB, whose session is in UTC; moments are without a zone."""

    def __init__(self, name: str, type_name: str) -> None:
        import duckdb  # noqa: PLC0415 - slow to import

        self.name, self._type, self._duckdb = name, type_name, duckdb
        self.expression: Any = duckdb.ColumnExpression(name)
        base = type_name.partition("(")[0].partition(" ")[0].partition("_")[0]
        self.kind = "other" if type_name.endswith("]") else _KINDS.get(base, "other")

    def constant(self, value: Any) -> Any:
        return self._duckdb.SQLExpression(quote_literal(value))

    def as_numbers(self) -> Any:
        return self.expression.cast("DOUBLE")

    def as_utc_moments(self) -> Any:
        if self.kind not in ("moment", "text"):
            raise _no_moments(self.name, self._type)
        moments = self.expression
        if self.kind == "text":  # which may have a zone
            moments = moments.cast("TIMESTAMP WITH TIME ZONE")
        return moments.cast("TIMESTAMP")

    def moment(self, moment: datetime) -> Any:
        return self._duckdb.ConstantExpression(moment)

    def text_condition(self, test_name: str, text: str) -> Any:
        function = {"startswith": "starts_with", "endswith": "ends_with"}.get(test_name, test_name)
        return self._duckdb.FunctionExpression(function, self.expression, self.constant(text))


def _no_moments(name: str, kind: object) -> ParameterError:
    return ParameterError(
        "time", name, f"a column of dates or moments; {quote_value(name)} is of type {kind}"
    )

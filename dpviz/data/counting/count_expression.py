"""The counting expression for every engine that ibis knows and that can normalise texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dpviz.data.counting.spark import FORM_C
from dpviz.data.reading import MAX_ITEMS, IngestError, person_item_hash_text

OTHER: Final = "\n"
"""Stands for every item that is not on the list; no normalised text is a line break."""

_CONTROLS = "[\x01-\x1f\x7f-\x9f\u2028\u2029]+"
CONTROLS_AND_NUL = "[\\x00-\x1f\x7f-\x9f\u2028\u2029]+"  # for DuckDB; PostgreSQL's texts hold none
BLANKS = (
    "[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"  # what str.strip takes away, beside controls
)
MAY_CHANGE = "^ | $|[^ -~]"  # which is quick to see
_LENT: Final = "pyspark"  # whose function calls Python for every row that reaches it
_FORM_C: Final = {  # the engine's own function
    "bigquery": "normalize",
    "clickhouse": "normalizeUTF8NFC",
    "duckdb": "nfc_normalize",
    "postgres": "normalize",
    _LENT: FORM_C,
    "trino": "normalize",
}


def can_normalise_text(engine: str) -> bool:
    """True if the engine can make Unicode form C, and so merges texts that look alike."""
    return engine in _FORM_C


def import_ibis() -> Any:
    try:
        import ibis  # noqa: PLC0415 - an extra
    except ImportError as err:
        raise IngestError(
            "Counting outside memory needs duckdb and ibis: pip install 'dpviz[count]'."
        ) from err
    return ibis


def people_per_item_expression(
    events: Any,
    person: str,
    item: str,
    *,
    engine: str,
    items: Sequence[str] | None = None,
    contributions: int | None = None,
) -> Any:
    """Expression with one row for each item, and what `count_distinct_people` has of one in DuckDB."""
    ibis = import_ibis()
    columns = {"person": person, "item": item}
    pairs = _keys(events, columns, engine)
    if engine == _LENT:
        texts = [events[name].cast("string") for name in columns.values() if _is_text(events[name])]
        odd = ibis.or_(*(text.re_search(MAY_CHANGE) for text in texts)).fill_null(False)
        plain = _keys(events.filter(~odd), columns, engine="")
        pairs = ibis.union(plain, _keys(events.filter(odd), columns, engine))
    if items is not None:
        text = _text(pairs["item"])
        listed = text.isnull() | text.isin(ibis.memtable({"item": list(items)}).item)
        pairs = pairs.mutate(item=listed.ifelse(text, OTHER))
    # one row for each (person, item) first, which engines do out of core
    merged = pairs.group_by(["person", "item"]).aggregate(events=pairs.count())
    someone = ibis._["person"].notnull()
    sums = {"score": ibis._.count(where=someone), "cut_pairs": 0, "cut_rows": 0}
    if contributions is not None:
        named = ibis._["item"].notnull() if items is None else ibis._["item"] != OTHER
        merged = merged.mutate(whole=(someone & named).fill_null(False))
        hashed = _md5(
            _text(merged.person) + person_item_hash_text("", "") + _text(merged["item"]), engine
        )
        place = ibis.row_number().over(group_by=[merged.person, merged.whole], order_by=[hashed])
        merged = merged.mutate(
            kept=merged.whole & (place < contributions), cut=merged.whole & (place >= contributions)
        )
        sums = {
            "score": merged.count(where=merged.kept),
            "cut_pairs": merged.count(where=merged.cut),
            "cut_rows": merged.events.sum(where=merged.cut).fill_null(0),
        }
    rows = {
        "events": ibis._.events.sum(),
        "without_person": ibis._.events.sum(where=~someone).fill_null(0),
    }
    counted = merged.group_by("item").aggregate(**sums, **rows)
    # a few more show that there are too many items, without a full fetch:
    # two of what is no item (NULL and other items), and one too many
    counted = counted.limit(MAX_ITEMS + 3)
    return counted.mutate(item=_text(counted["item"]).fill_null(""))


def _keys(events: Any, columns: Mapping[str, str], engine: str) -> Any:
    return events.select(**{key: _key(events[name], engine) for key, name in columns.items()})


def _is_text(column: Any) -> bool:
    kind = column.type()
    return not (kind.is_numeric() or kind.is_boolean() or kind.is_temporal() or kind.is_uuid())


def _key(column: Any, engine: str) -> Any:
    """Normalised form of a column; NULL for empty cells and NaN."""
    kind = column.type()
    if kind.is_floating():
        return column.isnan().ifelse(None, column)
    if kind.is_decimal():  # not every engine has a NaN for them, nor ibis a test of it
        return (column.cast("string") == "NaN").ifelse(None, column)
    if not _is_text(column):
        return column
    # enumerations are no text
    text = _builtin("text", column) if engine == "postgres" else column.cast("string")
    alike = text.re_replace(CONTROLS_AND_NUL if engine == "duckdb" else _CONTROLS, " ").re_replace(
        f"^{BLANKS}|{BLANKS}$", ""
    )
    if engine in _FORM_C:
        alike = _builtin(_FORM_C[engine], alike)
    return _may_change(text, engine).ifelse(alike, text).nullif("")


def _may_change(text: Any, engine: str) -> Any:
    """Search for what normalising may change; Snowflake's own search matches whole texts only."""
    if engine == "snowflake":
        pattern = import_ibis().literal(MAY_CHANGE)
        return _builtin("regexp_instr", text, pattern, to="int64") > 0
    return text.re_search(MAY_CHANGE)


def _text(key: Any) -> Any:
    """Key as text: whole numbers without a decimal point."""
    kind = key.type()
    if kind.is_floating():
        exact = key.abs() < 2.0**63  # beyond, and for infinities, a whole number would overflow
        whole = exact.ifelse(key, 0.0).cast("int64")
        return (exact & (whole.cast("float64") == key)).ifelse(
            whole.cast("string"), key.cast("string")
        )
    if kind.is_decimal() and not kind.scale:  # each entry may have a scale of its own
        return key.cast("string").re_replace(r"\.0+$", "").re_replace(r"(\.[0-9]*[1-9])0+$", r"\1")
    return key.ifelse("True", "False") if kind.is_boolean() else key.cast("string")


def _builtin(name: str, *of: Any, to: str = "string") -> Any:
    """The engine's own function of one column, or of a value and a column."""
    kinds = tuple(each.type() for each in of)
    # the engine has the body
    declared = (lambda column: ...) if len(of) == 1 else (lambda value, column: ...)
    return import_ibis().udf.scalar.builtin(declared, name=name, signature=(kinds, to))(*of)


def _md5(text: Any, engine: str) -> Any:
    if engine == "trino":  # which has it of bytes alone
        return _builtin("md5", _builtin("to_utf8", text, to="binary"), to="binary")
    return _builtin("md5", text)

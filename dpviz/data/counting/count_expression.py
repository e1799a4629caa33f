"""The counting expression, the same for every engine that ibis knows.

Events are first merged into one row for each (person, item), which engines can do out of core, and
then counted by item. Texts are normalised as in `dpviz.data.reading`, to Unicode form C if the
engine can. Merging texts as written is faster, but right only if none is `odd`; MySQL can do
nothing else.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from dpviz.base import cell_text
from dpviz.data.counting.spark import FORM_C
from dpviz.data.reading import (
    MAX_ITEMS,
    MAX_NAME,
    IngestError,
    is_name_too_long,
    normalise_name,
    pair_text,
)

OTHER: Final = "\n"
"""Stands for every item that is not on the list; no normalised text is a line break."""

_CONTROLS = "[\x01-\x1f\x7f-\x9f\u2028\u2029]+"
CONTROLS_AND_NUL = "[\\x00-\x1f\x7f-\x9f\u2028\u2029]+"  # for DuckDB; PostgreSQL's texts hold none
BLANKS = (
    "[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"  # what str.strip takes away, beside controls
)
MAY_CHANGE = "^ | $|[^ -~]"  # which is quick to see
_ODD = (  # the same, closer: these letters are what they are in Unicode form C, next to whichever
    "^ | $|[^"
    " -~\u00a1-\u02ff\u0400-\u0482\u048a-\u04ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"
)
_LENT: Final = "pyspark"  # whose function calls Python for every entry
_FORM_C: Final = {  # the engine's own function
    "bigquery": "normalize",
    "clickhouse": "normalizeUTF8NFC",
    "duckdb": "nfc_normalize",
    "postgres": "normalize",
    _LENT: FORM_C,
    "trino": "normalize",
}
_MERGES_ONLY: Final = "mysql"  # MariaDB too: has no Unicode forms, nor a NaN
_IN_PROCESS: Final = (
    "sqlite"  # calls Python's functions; any of its columns may hold values of any type
)


def can_normalise_text(engine: str) -> bool:
    """True if the engine can make Unicode form C, and so merges texts that look alike."""
    return engine in _FORM_C or engine in (_IN_PROCESS, _MERGES_ONLY)


def lacks_unicode_forms(engine: str) -> bool:
    """True if the engine only merges texts as written, so that another must count odd ones."""
    return engine == _MERGES_ONLY


def prefers_variant_check(engine: str) -> bool:
    """True if a check for odd texts pays off even with known items."""
    return engine in (_MERGES_ONLY, _LENT)


def calls_python_per_value(engine: str) -> bool:
    """True if the engine calls Python for every cell, and so never merges texts as written."""
    return engine == _IN_PROCESS


def import_ibis() -> Any:
    """The ibis module, or an error that says how to install it."""
    try:
        import ibis  # noqa: PLC0415 - an extra
    except ImportError as err:
        raise IngestError(
            "Counting outside memory needs duckdb and ibis: pip install 'dpviz[count]'."
        ) from err
    return ibis


def people_per_item(
    events: Any,
    person: str,
    item: str,
    *,
    engine: str,
    items: Sequence[str] | None = None,
    most: int | None = None,
    as_written: bool = False,
) -> Any:
    """Expression with one row for each item and the columns that `build_counts` takes.

    It lets a few rows more than allowed through, so that too many items show without a full fetch.
    """
    ibis = import_ibis()
    key = _written if as_written else _key
    pairs = events.select(person=key(events[person], engine), item=key(events[item], engine))
    if items is not None:
        pairs = pairs.mutate(item=_listed(_text(pairs.item, engine), items, as_written, engine))
    merged = pairs.group_by(["person", "item"]).aggregate(events=pairs.count())

    def someone(rows: Any) -> Any:
        return _there(rows.person, engine)

    def named(rows: Any) -> Any:
        there = _there(rows["item"], engine)
        return there if items is None else there & (rows["item"] != OTHER)

    if most is None:
        sums = {"score": merged.count(where=someone(merged))}
    else:
        whole = (someone(merged) & named(merged)).fill_null(False)
        hashed = _md5(ibis, engine)(
            _text(merged.person, engine) + pair_text("", "") + _text(merged.item, engine)
        )
        place = ibis.row_number().over(group_by=[merged.person, whole], order_by=[hashed])
        merged = merged.mutate(kept=whole & (place < most), cut=whole & (place >= most))
        sums = {
            "score": merged.count(where=merged.kept),
            "cut_pairs": merged.count(where=merged.cut),
            "cut_rows": merged.events.sum(where=merged.cut).fill_null(0),
        }
    lost = merged.events.sum() - merged.events.sum(where=someone(merged)).fill_null(0)
    counted = merged.group_by("item").aggregate(**sums, events=merged.events.sum(), lost=lost)
    if most is None:
        counted = counted.mutate(cut_pairs=0, cut_rows=0)
    of_people = merged.group_by("person").aggregate(items=merged.count(where=named(merged)))
    overall = {"largest": of_people["items"].max(where=someone(of_people))}
    if as_written:
        overall["odd_people"] = _odd(of_people.person, engine).sum()
    counted = counted.cross_join(of_people.aggregate(**overall))
    # two of what is no item (NULL, "", NaN), one too many or of other items
    counted = counted.limit(MAX_ITEMS + 3)
    counted = counted.mutate(item=_or_null(counted["item"], engine))
    if as_written:
        name = counted["item"] if items is None else counted["item"].nullif(OTHER)
        counted = counted.mutate(odd=counted.odd_people + _odd(name, engine)).drop("odd_people")
    return counted.mutate(item=_text(counted["item"], engine).fill_null(""))


def _listed(text: Any, items: Sequence[str], as_written: bool, engine: str) -> Any:
    """Item as text, `OTHER` if it is not listed; odd texts as written are left for later."""
    if as_written:  # and the list is named here, as not all may make a table
        listed = (text == "") | text.isin(list(items)) | _matches(text, _ODD, engine)
    else:
        listed = text.isin(import_ibis().memtable({"item": list(items)}).item)
    return (text.isnull() | listed).ifelse(text, OTHER)


def _there(written: Any, engine: str) -> Any:
    """Non-empty test; NULL for NULL. Faster than turning empty texts into NULL."""
    return written != "" if written.type().is_string() else _or_null(written, engine).notnull()


def _odd(written: Any, engine: str) -> Any:
    """1 if normalisation would change the text, else 0; an empty one is never odd."""
    if not written.type().is_string():
        return written.isnull().ifelse(0, 0)  # numbers are merged as they are
    if engine in (_MERGES_ONLY, _LENT):  # to make texts alike costs more than to look closely
        return _matches(written, _ODD, engine).ifelse(1, 0)
    return _matches(written, MAY_CHANGE, engine).ifelse(
        (written == _key(written, engine)).ifelse(0, 1), 0
    )


def _matches(text: Any, pattern: str, engine: str) -> Any:
    """Search for a pattern in a text; Snowflake's own search matches whole texts only."""
    if engine == "snowflake":
        return _builtin("regexp_instr", text, import_ibis().literal(pattern), to="int64") > 0
    return text.re_search(pattern)


def _key(column: Any, engine: str) -> Any:
    """Normalised form of a column; NULL for empty cells."""
    if engine == _IN_PROCESS:
        kind = column.type()
        if kind.is_string():
            return _plain_there(column).ifelse(column, _as_python(column))
        return _as_python(column if kind.is_numeric() else column.cast("string"))
    if _merged_as_it_is(column):
        return _or_null(column, engine)
    text = _written_text(column, engine)
    alike = text.re_replace(CONTROLS_AND_NUL if engine == "duckdb" else _CONTROLS, " ").re_replace(
        f"^{BLANKS}|{BLANKS}$", ""
    )
    if engine in _FORM_C:
        alike = _builtin(_FORM_C[engine], alike)
    return _matches(text, MAY_CHANGE, engine).ifelse(alike, text).nullif("")


def _written(column: Any, engine: str) -> Any:
    """Column as written, empty cells included."""
    return column if _merged_as_it_is(column) else _written_text(column, engine)


def _written_text(column: Any, engine: str) -> Any:
    # enumerations are no text
    return _builtin("text", column) if engine == "postgres" else column.cast("string")


def _merged_as_it_is(column: Any) -> bool:
    kind = column.type()
    return bool(kind.is_numeric() or kind.is_boolean() or kind.is_temporal() or kind.is_uuid())


def _or_null(written: Any, engine: str) -> Any:
    """NULL for empty cells and NaN."""
    kind = written.type()
    if kind.is_numeric() and engine == _MERGES_ONLY:
        return written
    if kind.is_floating():
        return written.isnan().ifelse(None, written)
    if kind.is_decimal():  # not every engine has a NaN for them, nor ibis a test of it
        return (written.cast("string") == "NaN").ifelse(None, written)
    return written.nullif("") if kind.is_string() else written


def cast_to_text(column: Any, engine: str) -> Any:
    return _text(_written(column, engine), engine)


def _text(key: Any, engine: str) -> Any:
    """Key as text: whole numbers without a decimal point."""
    kind = key.type()
    if kind.is_floating():
        exact = key.abs() < 2.0**63  # beyond, and for infinities, a whole number would overflow
        whole = exact.ifelse(key, 0.0).cast("int64")
        return (exact & (whole.cast("float64") == key)).ifelse(
            whole.cast("string"), key.cast("string")
        )
    # each entry may have a scale of its own
    if kind.is_decimal() and not kind.scale and engine != _MERGES_ONLY:
        return key.cast("string").re_replace(r"\.0+$", "").re_replace(r"(\.[0-9]*[1-9])0+$", r"\1")
    return key.ifelse("True", "False") if kind.is_boolean() else key.cast("string")


def _builtin(name: str, *of: Any, to: str = "string") -> Any:
    """The engine's own function of one column, or of a value and a column."""
    kinds = tuple(each.type() for each in of)
    # the engine has the body
    declared = (lambda column: ...) if len(of) == 1 else (lambda value, column: ...)
    return import_ibis().udf.scalar.builtin(declared, name=name, signature=(kinds, to))(*of)


def _plain_there(column: Any) -> Any:
    """True if SQLite itself sees that there is nothing to normalise; calling Python costs more."""
    literal = import_ibis().literal
    matches = [
        _builtin("glob", literal(pattern), column, to="boolean")
        for pattern in ("*[^ -~]*", " *", "* ")
    ]
    # else there is a NUL in it
    whole = column.length() == _builtin("length", column.cast("binary"), to="int64")
    return (
        (column.typeof() == "text")
        & (column != "")
        & whole
        & ~(matches[0] | matches[1] | matches[2])
    )


def _as_python(column: Any) -> Any:
    """Column normalised by Python, as `dpviz.data.reading` does."""

    def dpviz_text(value: object) -> str | None:
        # bytes as PostgreSQL tells them
        text = rf"\x{value.hex()}" if isinstance(value, bytes) else cell_text(value)
        name = normalise_name(text or "")
        if is_name_too_long(name):  # two ways of writing it would be two people
            raise IngestError(
                f"A text has {len(name):,} characters; at most {MAX_NAME} are allowed."
            )
        return name or None

    return import_ibis().udf.scalar.python(dpviz_text, signature=((column.type(),), "string"))(
        column
    )


def _md5(ibis: Any, engine: str) -> Any:
    if engine == _IN_PROCESS:

        def dpviz_md5(text: str) -> str:
            return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

        return ibis.udf.scalar.python(dpviz_md5)

    if engine == "trino":  # which has it of bytes alone
        return lambda text: _builtin("md5", _builtin("to_utf8", text, to="binary"), to="binary")
    return lambda text: _builtin("md5", text)

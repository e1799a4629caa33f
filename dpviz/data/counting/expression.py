"""The expression that counts, once for every engine that ibis speaks to.

Events are first merged into one row a (person, item), which engines can do out of core, and then counted
by item; how many rows lacked either comes out of the same pass.
Invariant: texts are made alike as `dpviz.data.ingest` does (control characters, blanks around them), and in
Unicode form C where the engine can.
"""

from typing import Any

from dpviz.data.ingest import MAX_ITEMS, IngestError

__all__ = ["import_ibis", "people_per_item"]

_CONTROLS = "[\x01-\x1f\x7f-\x9f\u2028\u2029]+"
_BLANKS = "[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"  # what str.strip takes away, beside controls


def import_ibis() -> Any:
    """The ibis module, or one sentence on how to get it."""
    try:
        import ibis  # noqa: PLC0415 - an extra
    except ImportError as err:
        raise IngestError("Counting outside memory needs duckdb and ibis: pip install 'dpviz[count]'.") from err
    return ibis


def people_per_item(events: Any, person: str, item: str, *, canonical: bool) -> Any:
    """An expression over a table of events: columns item, score, events, lost, as `counts_of` takes them.

    `canonical` asks for Unicode form C, which DuckDB can make. One row more than is allowed is let
    through, so that too many items are noticed without fetching them all.
    """
    ibis = import_ibis()
    alike = _form_c(ibis) if canonical else lambda text: text
    pairs = events.select(person=_text(events[person], alike), item=_text(events[item], alike))
    merged = pairs.group_by(["person", "item"]).aggregate(events=pairs.count())
    absent = merged.person == ""
    counted = merged.group_by("item").aggregate(
        score=(~absent).cast("int64").sum(),
        events=merged.events.sum(),
        lost=ibis.ifelse(absent, merged.events, 0).sum(),
    )
    return counted.limit(MAX_ITEMS + 2)  # one for the events without an item, one too many


def _text(column: Any, alike: Any) -> Any:
    """A column as the text that tells its entries apart; "" where there is none."""
    kind = column.type()
    if kind.is_floating():
        whole = column.cast("int64")
        text = (whole.cast("float64") == column).ifelse(whole.cast("string"), column.cast("string"))
        text = column.isnan().ifelse("", text)
    elif kind.is_string():
        text = alike(column.re_replace(_CONTROLS, " ").re_replace(f"^{_BLANKS}|{_BLANKS}$", ""))
    else:
        text = column.cast("string")
    return text.fill_null("")


def _form_c(ibis: Any) -> Any:
    def nfc_normalize(text: str) -> str:  # the name of the engine's own function; never called here
        raise NotImplementedError

    return ibis.udf.scalar.builtin(nfc_normalize)

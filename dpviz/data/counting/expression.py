"""The expression that counts, once for every engine that ibis speaks to.

Events are first merged into one row a (person, item), which engines can do out of core, and then counted
by item; how many rows lacked either, and how many pairs were left out, comes out of the same query.
Invariant: texts are made alike as `dpviz.data.ingest` does (control characters, blanks around them), and in
Unicode form C where the engine can.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from dpviz.data.ingest import MAX_ITEMS, IngestError
from dpviz.data.ingest.kept import pair_text

__all__ = ["OTHER", "import_ibis", "people_per_item"]

OTHER: Final = "\n"
"""Stands for every item that is not on the list; no text is a line break once it is on one line."""

_CONTROLS = "[\x01-\x1f\x7f-\x9f\u2028\u2029]+"
_BLANKS = "[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"  # what str.strip takes away, beside controls


def import_ibis() -> Any:
    """The ibis module, or one sentence on how to get it."""
    try:
        import ibis  # noqa: PLC0415 - an extra
    except ImportError as err:
        raise IngestError("Counting outside memory needs duckdb and ibis: pip install 'dpviz[count]'.") from err
    return ibis


def people_per_item(
    events: Any,
    person: str,
    item: str,
    *,
    canonical: bool,
    items: Sequence[str] | None = None,
    most: int | None = None,
    own_md5: bool = False,
) -> Any:
    """An expression over a table of events, one row an item, with columns as `counts_of` takes them.

    `canonical` asks for Unicode form C, which DuckDB can make. Of `items` alone, if given; at most `most` of each
    person, by the engine's MD5, or where it has none (`own_md5`) by Python's. One row more than is allowed is let
    through, so that too many items are noticed without fetching them all.
    """
    ibis = import_ibis()
    alike = _form_c(ibis) if canonical else lambda text: text
    pairs = events.select(person=_text(events[person], alike), item=_text(events[item], alike))
    if items is not None:
        known = ibis.memtable({"item": list(items)})
        listed = (pairs.item == "") | pairs.item.isin(known.item)
        pairs = pairs.mutate(item=listed.ifelse(pairs.item, OTHER))
    merged = pairs.group_by(["person", "item"]).aggregate(events=pairs.count())
    absent = merged.person == ""
    whole = ~absent & merged.item.notin(["", OTHER])
    kept = whole
    if most is not None:
        hashed = _md5(ibis, own_md5)(merged.person + pair_text("", "") + merged.item)
        kept = whole & (ibis.row_number().over(group_by=[merged.person, whole], order_by=[hashed]) < most)
    marked = merged.mutate(absent=absent, whole=whole, kept=kept)
    cut = marked.whole & ~marked.kept
    counted = marked.group_by("item").aggregate(
        score=marked.kept.cast("int64").sum(),
        events=marked.events.sum(),
        lost=ibis.ifelse(marked.absent, marked.events, 0).sum(),
        cut_pairs=cut.cast("int64").sum(),
        cut_rows=ibis.ifelse(cut, marked.events, 0).sum(),
    )
    of_people = marked.filter(marked.whole).group_by("person").aggregate(items=ibis._.count())
    counted = counted.cross_join(of_people.aggregate(largest=of_people["items"].max()))
    return counted.limit(MAX_ITEMS + 2)  # one for the events without an item, one too many or of other items


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


def _md5(ibis: Any, own: bool) -> Any:
    if own:

        def dpviz_md5(text: str) -> str:
            return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

        return ibis.udf.scalar.python(dpviz_md5)

    def md5(text: str) -> str:  # as below
        raise NotImplementedError

    return ibis.udf.scalar.builtin(md5)


def _form_c(ibis: Any) -> Any:
    def nfc_normalize(text: str) -> str:  # the name of the engine's own function; never called here
        raise NotImplementedError

    return ibis.udf.scalar.builtin(nfc_normalize)

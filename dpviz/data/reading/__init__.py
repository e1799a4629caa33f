"""Data from outside: files, pasted text, edited tables and event logs → Scores.

`read_table`, `paste` and `read_frame` give a `Table`; `scores_from` and `count_people` make
`Scores` of it. Whatever comes in, what comes out is valid or an `IngestError` in one plain
sentence. How it reads texts, checks and refuses is here too, for what reads data in other ways:
`dpviz.data.counting` must agree.
"""

from dpviz.data.reading.delimited import paste, sniff
from dpviz.data.reading.event_log import CountedLog, check_two, count_log, count_people
from dpviz.data.reading.files import EXTENSIONS, KINDS, read_items, read_table, read_upload
from dpviz.data.reading.input_rules import (
    ENCODINGS,
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_EDIT_ROWS,
    MAX_ITEMS,
    MAX_LABEL,
    MAX_NAME,
    MAX_ROWS,
    MAX_UNPACKED,
    IngestError,
    check_below,
    check_bytes,
    check_count,
    decode,
    encodable,
    quoted,
    texts,
)
from dpviz.data.reading.json_text import decoded
from dpviz.data.reading.kept_items import (
    NAMES_LEAK,
    ItemsKept,
    check_most,
    identity,
    is_too_long,
    known_items,
    pair_text,
)
from dpviz.data.reading.limited_reading import read_safely
from dpviz.data.reading.numbers import DECIMALS
from dpviz.data.reading.table import (
    GUESS,
    Table,
    Unsaid,
    check_column,
    edit_frame,
    read_frame,
    scores_from,
)

__all__ = [
    "DECIMALS",
    "ENCODINGS",
    "EXTENSIONS",
    "GUESS",
    "KINDS",
    "MAX_BYTES",
    "MAX_COLUMNS",
    "MAX_EDIT_ROWS",
    "MAX_ITEMS",
    "MAX_LABEL",
    "MAX_NAME",
    "MAX_ROWS",
    "MAX_UNPACKED",
    "NAMES_LEAK",
    "CountedLog",
    "IngestError",
    "ItemsKept",
    "Table",
    "Unsaid",
    "check_below",
    "check_bytes",
    "check_column",
    "check_count",
    "check_most",
    "check_two",
    "count_log",
    "count_people",
    "decode",
    "decoded",
    "edit_frame",
    "encodable",
    "identity",
    "is_too_long",
    "known_items",
    "pair_text",
    "paste",
    "quoted",
    "read_frame",
    "read_items",
    "read_safely",
    "read_table",
    "read_upload",
    "scores_from",
    "sniff",
    "texts",
]

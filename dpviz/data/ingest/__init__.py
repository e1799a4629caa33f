"""Data from outside: files, pasted text, edited tables and event logs → Scores.

`read_table`, `paste` and `read_frame` give a `Table`; `scores_from` and `count_people` make `Scores`
of it. Whatever comes in, what comes out is valid or an `IngestError` in one plain sentence.
"""

from dpviz.data.ingest.events import CountedLog, count_log, count_people, log_columns
from dpviz.data.ingest.files import EXTENSIONS, KINDS, read_items, read_table, read_upload
from dpviz.data.ingest.kept import Kept, known_items
from dpviz.data.ingest.limits import MAX_BYTES, MAX_COLUMNS, MAX_EDIT_ROWS, MAX_ITEMS, MAX_LABEL, MAX_ROWS, IngestError
from dpviz.data.ingest.numbers import DECIMALS
from dpviz.data.ingest.paste import paste
from dpviz.data.ingest.table import GUESS, Guess, Table, edit_frame, read_frame, scores_from
from dpviz.data.ingest.text import ENCODINGS
from dpviz.data.ingest.wall import read_safely

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
    "MAX_ROWS",
    "CountedLog",
    "Guess",
    "IngestError",
    "Kept",
    "Table",
    "count_log",
    "count_people",
    "edit_frame",
    "known_items",
    "log_columns",
    "paste",
    "read_frame",
    "read_items",
    "read_safely",
    "read_table",
    "read_upload",
    "scores_from",
]

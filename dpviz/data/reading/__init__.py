"""Data from outside: files, pasted text, edited tables and event logs → Scores.

Any input gives a valid result or an `IngestError` in one plain sentence.
"""

from dpviz.base.former_names import former_members
from dpviz.base.text_format import replace_surrogates
from dpviz.data.reading.delimiters import guess_delimiter
from dpviz.data.reading.encoding import check_encoding, decode_text
from dpviz.data.reading.files import EXTENSIONS, KINDS, read_table, read_upload
from dpviz.data.reading.input_rules import (
    MAX_BYTES,
    MAX_EDIT_ROWS,
    MAX_ITEMS,
    MAX_LABEL,
    MAX_NAME,
    IngestError,
    cell_texts,
    check_count_limit,
    quote_value,
)
from dpviz.data.reading.kept_items import (
    CountingSummary,
    check_contribution_limit,
    distinct_list_items,
    is_slow_to_normalise,
    normalise_name,
    person_item_hash_text,
)
from dpviz.data.reading.limited_reading import read_in_limited_process
from dpviz.data.reading.pasted_text import read_pasted_text
from dpviz.data.reading.table import (
    Table,
    check_column,
    editable_frame,
    read_frame,
)

__all__ = [
    "EXTENSIONS",
    "KINDS",
    "MAX_BYTES",
    "MAX_EDIT_ROWS",
    "MAX_ITEMS",
    "MAX_LABEL",
    "MAX_NAME",
    "CountingSummary",
    "IngestError",
    "Table",
    "cell_texts",
    "check_column",
    "check_contribution_limit",
    "check_count_limit",
    "check_encoding",
    "decode_text",
    "distinct_list_items",
    "editable_frame",
    "guess_delimiter",
    "is_slow_to_normalise",
    "normalise_name",
    "person_item_hash_text",
    "quote_value",
    "read_frame",
    "read_in_limited_process",
    "read_pasted_text",
    "read_table",
    "read_upload",
    "replace_surrogates",
]

__getattr__ = former_members(
    __name__,
    CountedLog="dpviz.data.counting.Counts",
    count_log="dpviz.data.counting.count_people_in_log",
    count_people="dpviz.data.counting.scores_from_log",
    read_items="dpviz.data.reading.guessing.item_lists.read_catalogue",
    scores_from="dpviz.data.score_sources.scores_from",
    is_name_too_long="is_slow_to_normalise",
    known_items="distinct_list_items",
    read_safely="read_in_limited_process",
    pair_text="person_item_hash_text",
)

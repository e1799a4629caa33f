"""Event logs of any size to scores: distinct people per item."""

from dpviz.base.former_names import former_members
from dpviz.data.counting.counts import (
    MISSING,
    Counts,
    MissingCells,
    NoListedItems,
    check_distinct_columns,
)
from dpviz.data.counting.engine import count_in_engine
from dpviz.data.counting.event_log import (
    count,
    count_people_in_log,
    count_proposed_log,
    scores_from_log,
)
from dpviz.data.counting.files import ENGINE_GOES, ENGINES, count_files
from dpviz.data.counting.row_filter import RowFilter

__all__ = [
    "ENGINES",
    "ENGINE_GOES",
    "MISSING",
    "Counts",
    "MissingCells",
    "NoListedItems",
    "RowFilter",
    "check_distinct_columns",
    "count",
    "count_files",
    "count_in_engine",
    "count_people_in_log",
    "count_proposed_log",
    "scores_from_log",
]

__getattr__ = former_members(
    __name__,
    Chosen="RowFilter",
    count_log="count_people_in_log",
    count_people="scores_from_log",
    count_proposal="count_proposed_log",
)

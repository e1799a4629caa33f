"""Event logs of any size to scores: distinct people per item.

`count_files` uses pandas for small files, else an embedded DuckDB; `count` counts a data frame;
`count_in_engine` runs the same expression in a database.
"""

from dpviz.base.former_names import former_members
from dpviz.data.counting.counts import MISSING, Counts
from dpviz.data.counting.engine import count_in_engine
from dpviz.data.counting.files import ENGINES, count_files
from dpviz.data.counting.frames import count
from dpviz.data.counting.row_filter import RowFilter

__all__ = ["ENGINES", "MISSING", "Counts", "RowFilter", "count", "count_files", "count_in_engine"]

__getattr__ = former_members(
    __name__,
    Chosen="RowFilter",
)

"""Event logs of any size to scores: distinct people per item, where `dpviz.data.reading` would not
fit.

`count_files` reads CSV, TSV, JSON lines or Parquet files, with pandas while they are small and with
an embedded DuckDB beyond; `count` counts a data frame; `count_in_engine` runs the same expression
where the log already lies.
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

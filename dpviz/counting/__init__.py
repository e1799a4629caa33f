"""Event logs of any size to scores: distinct people per item, where `dpviz.ingest` would not fit.

`count_files` reads CSV, TSV or Parquet files, with pandas while they are small and with an embedded
DuckDB beyond; `count_in_engine` runs the same expression where the log already lies.
"""

from dpviz.counting.counts import MISSING, Counts
from dpviz.counting.engine import count_in_engine
from dpviz.counting.files import ENGINES, count_files

__all__ = ["ENGINES", "MISSING", "Counts", "count_files", "count_in_engine"]

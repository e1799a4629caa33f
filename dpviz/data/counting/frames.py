"""Counting a log that is a data frame of pandas, polars, pyarrow or another Arrow library."""

from collections.abc import Iterable
from typing import Any

from dpviz.base import Progress, check_choice, convert_to_pandas, ignore_progress
from dpviz.data.counting.counts import MISSING, Counts, check_columns
from dpviz.data.counting.files import count_tables
from dpviz.data.reading import Table


def count(
    frame: Any,
    *,
    person: str,
    item: str,
    missing: str = "refuse",
    items: Iterable[str] | None = None,
    most: int | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item in a data frame, a row an event.

    Parameters
    ----------
    frame
        The log: of pandas, polars, pyarrow, DuckDB or whatever else speaks Arrow's PyCapsule
        interface.
    person, item
        The columns that say who, and what.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        The items known beforehand: zeros are kept, rows of other items left out. None for those
        that occur.
    most
        How many items of each person are kept, by a rule that depends on that person's rows alone;
        None for all.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Counts
        The counts, and what was left out, with scores that are ready for a mechanism.

    Raises
    ------
    ParameterError
        For what is no table, a column that is not there, and a log that cannot be counted, in one
        sentence.

    Examples
    --------
    >>> import pandas as pd
    >>> log = pd.DataFrame({"who": ["ann", "bo", "ann", "ann"], "what": ["tea", "tea", "rye", "rye"]})
    >>> counts = count(log, person="who", item="what")
    >>> counts.table.to_dict("list"), counts.scores.monotonic
    ({'item': ['tea', 'rye'], 'score': [2, 1]}, True)
    """
    check_choice("missing", missing, MISSING)
    log = convert_to_pandas(frame)
    check_columns(log.columns, person, item)
    table = Table("the frame", log[[person, item]], range(1, len(log) + 1))
    return count_tables([table], person, item, missing, items, most, progress)

"""Tables and their columns, as types: pandas itself is imported by the functions that make them, as it is slow to load.

Invariant: nothing is loaded here; while the program runs the names are texts, so `Frame | None` stands in quotes.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

Frame: TypeAlias = "pd.DataFrame"
Column: TypeAlias = "pd.Series[Any]"

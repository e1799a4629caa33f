"""Tables and their columns: pandas, loaded once something is asked of it, as it is slow to load, and types for it.

Invariant: nothing is loaded here; while the program runs the types are texts, so `Frame | None` stands in quotes.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas

    pd = pandas
else:

    class _Pandas:
        """Stands for pandas, and has what was asked of it."""

        __module__ = "pandas"

        def __getattr__(self, name: str) -> object:
            import pandas

            setattr(self, name, getattr(pandas, name))
            return vars(self)[name]

    pd = _Pandas()

Frame: TypeAlias = "pd.DataFrame"
Column: TypeAlias = "pd.Series[Any]"

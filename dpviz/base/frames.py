"""Tables and columns: types, and pandas loaded at first use, as it is slow to load."""

import math
from collections.abc import Hashable, Mapping
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dpviz.base.errors import ParameterError

if TYPE_CHECKING:
    import pandas

    pd = pandas
else:

    class _Pandas:
        __module__ = "pandas"

        def __getattr__(self, name: str) -> object:
            import pandas

            setattr(self, name, getattr(pandas, name))
            return vars(self)[name]

    pd = _Pandas()

# strings at run time, so that `Frame | None` needs quotes
Frame: TypeAlias = "pd.DataFrame"
Column: TypeAlias = "pd.Series[Any]"
TOLD: Final = "dpviz"
"""Attribute of a frame that holds what one person can change."""
ONE_PERSON: Final = "one_person"
"""Member of a JSON object that holds the same."""


def attach_person_metadata(frame: Frame, person: Mapping[str, Any]) -> Frame:
    """Store in the frame what one person can change; return the frame."""
    frame.attrs[TOLD] = dict(person)
    return frame


def convert_to_pandas(frame: Any) -> Frame:
    """A table of any library that speaks Arrow's PyCapsule interface, as pandas has it."""
    if isinstance(frame, pd.DataFrame):
        return frame
    # a column alone has the first, too
    if hasattr(frame, "__arrow_c_stream__") and hasattr(frame, "columns"):
        import pyarrow  # noqa: PLC0415 - slow to import

        return pyarrow.table(frame).to_pandas(integer_object_nulls=True)  # type: ignore[no-any-return]
    allowed = (
        "a table of pandas, polars, pyarrow or another library that speaks Arrow's PyCapsule"
        " interface"
    )
    raise ParameterError("frame", frame, allowed)


def require_column(frame: Frame, role: str, name: str) -> Column:
    """Column called `name`; an error names the parameter `role`."""
    if not isinstance(name, Hashable) or name not in frame.columns:
        listed = ", ".join(repr(column) for column in list(frame.columns)[:20])
        raise ParameterError(role, name, f"one of the columns {listed}", "choice")
    return frame[name]


def is_blank(cell: object) -> bool:
    """True for None, a missing value of pandas, NaN, and text of blanks only."""
    if isinstance(cell, str):
        return not cell.strip()
    return (
        cell is None
        or cell is pd.NA
        or cell is pd.NaT
        or (isinstance(cell, float) and math.isnan(cell))
    )


def cell_text(value: object) -> str | None:
    """A cell as text, None where it is blank; whole numbers have no point, dates no hour.

    >>> cell_text(7), cell_text(7.0), cell_text("7"), cell_text("7.0")
    ('7', '7', '7', '7.0')
    """
    if is_blank(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return value.isoformat() if isinstance(value, date) else str(value)

"""Menu of measures that the colour of a heatmap cell can show.

Each turns a `Grid` into an array: log10 of the measure, or itself if `linear`; NaN leaves a cell
blank.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Registry
from dpviz.charts.text_format import power_of_ten
from dpviz.topk import Grid

LEAST = 1e-12  # masses below are rounding
_DECADES = 6
_LN10 = float(np.log(10.0))

Values = Callable[[Grid, Floats | None], Floats]


@dataclass(frozen=True)
class Measure:
    """A measure for a cell's colour: `values` (log10 unless `linear`), blank where NaN."""

    title: str
    meaning: str
    values: Values
    tick: Callable[[float], str]
    linear: bool = False
    decades: float | None = None
    needs_loss: bool = False


def _log10_mass(grid: Grid, loss: Floats | None) -> Floats:
    return np.log10(np.where(grid.mass > LEAST, grid.mass, np.nan))


def _log10_size(grid: Grid, loss: Floats | None) -> Floats:
    return np.where(np.isfinite(grid.log_sets), grid.log_sets, np.nan) / _LN10


def _as_percent(log10: float) -> str:
    return f"{10 ** (log10 + 2):.10g} %" if log10 >= -6 else power_of_ten(log10)


MEASURES: Registry[Measure] = Registry("measure")
MEASURES.add(
    "probability",
    Measure(
        "chance",
        "how likely the list falls into the cell",
        _log10_mass,
        _as_percent,
        decades=_DECADES,
    ),
    label="Chance",
    says="How likely the list falls into a cell. Begin with this.",
)
MEASURES.add(
    "member",
    Measure(
        "of one list",
        "how likely one particular list of the cell is, on average over its lists",
        lambda grid, loss: _log10_mass(grid, loss) - _log10_size(grid, loss),
        power_of_ten,
    ),
    label="Of one list",
    says=(
        "How likely one particular list of a cell is. Use it to see which single lists are likely."
    ),
)
MEASURES.add(
    "size",
    Measure(
        "number of lists",
        "how many different lists of k items the cell holds",
        _log10_size,
        power_of_ten,
    ),
    label="Number of lists",
    says="How many different lists a cell holds. Use it to see why distant cells can be likely.",
)
MEASURES.add(
    "loss",
    Measure(
        "loss",
        "the loss at the cell's middle, which the mechanism tries to keep small",
        lambda grid, loss: np.full(grid.mass.shape, np.nan) if loss is None else loss,
        lambda value: f"{value:,.4g}",
        linear=True,
        needs_loss=True,
    ),
    label="Loss",
    says="How much worse the lists of a cell are. Use it to see what the mechanism tries to avoid.",
)

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
        "how likely the answer falls into the cell",
        _log10_mass,
        _as_percent,
        decades=_DECADES,
    ),
    label="Chance",
    says="How likely the answer falls into a cell. Take it first.",
)
MEASURES.add(
    "member",
    Measure(
        "of one set",
        "how likely one particular set of the cell is, on average over its sets",
        lambda grid, loss: _log10_mass(grid, loss) - _log10_size(grid, loss),
        power_of_ten,
    ),
    label="Of one set",
    says=(
        "How likely one particular set of a cell is. Take it to see which single answers are"
        " likely."
    ),
)
MEASURES.add(
    "size",
    Measure(
        "number of sets",
        "how many different sets of k items the cell holds",
        _log10_size,
        power_of_ten,
    ),
    label="Number of sets",
    says="How many different sets a cell holds. Take it to see why far cells can be likely at all.",
)
MEASURES.add(
    "loss",
    Measure(
        "loss",
        "the loss that the mechanism weighs against chance, at the cell's middle; less is better",
        lambda grid, loss: np.full(grid.mass.shape, np.nan) if loss is None else loss,
        lambda value: f"{value:,.4g}",
        linear=True,
        needs_loss=True,
    ),
    label="Loss",
    says="How much worse the sets of a cell are. Take it to see what the mechanism goes by.",
)

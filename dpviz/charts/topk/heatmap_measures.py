"""Menu of measures that the colour of a heatmap cell can show; no end of a scale depends on ε."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, Registry
from dpviz.base.text_format import number_text, power_of_ten
from dpviz.charts.grammar import Look, axes
from dpviz.charts.look import even_scale
from dpviz.charts.topk.map_frame import LEAST, cell_chances, chance_colours
from dpviz.topk import Grid

_LN10 = float(np.log(10.0))

Values = Callable[[Grid, Floats | None], Floats]


@dataclass(frozen=True)
class Measure:
    """A measure for a cell's colour: `values` (log10 unless `linear`), blank where NaN."""

    title: str
    meaning: str
    values: Values
    tick: Callable[[float], str] = power_of_ten
    linear: bool = False
    needs_loss: bool = False

    def colours(self, grid: Grid, loss: Floats | None, look: Look, **bar: Any) -> dict[str, Any]:
        """Colour axis; those of a chance are their own, and fixed."""
        if self is MEASURES["probability"]:
            return chance_colours(look, **bar)
        size = _log10_size(grid, loss)
        values = self.values(grid, loss) if self.linear else size
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        if self is MEASURES["member"]:  # from as rare as one of all lists to always
            low, high = -high, 0.0
        high = max(high, low + 1e-9)
        ticks = np.linspace(low, high, 5) if self.linear else _decades(low, high)
        texts = [self.tick(float(tick)) for tick in ticks]
        return {
            "colorscale": even_scale(look.second),
            "cmin": low,
            "cmax": high,
            "colorbar": axes.colour_bar(self.title, ticks, texts, look) | bar,
        }


def _decades(low: float, high: float) -> Floats:
    """Whole powers of ten in the range, at most six."""
    first, last = int(np.ceil(low - 1e-9)), int(np.floor(high + 1e-9))
    return np.arange(first, last + 1, max(1, -(-(last - first) // 5))).astype(float)


def _log10_size(grid: Grid, loss: Floats | None) -> Floats:
    return np.where(np.isfinite(grid.log_sets), grid.log_sets, np.nan) / _LN10


MEASURES: Registry[Measure] = Registry("measure")
MEASURES.add(
    "probability",
    Measure(
        "chance",
        "how likely the list falls into the cell",
        lambda grid, loss: cell_chances(grid),
    ),
    label="Chance",
    says="How likely the list falls into a cell.",
)
MEASURES.add(
    "member",
    Measure(
        "of one list",
        "how likely one particular list of the cell is, on average over its lists",
        lambda grid, loss: (
            np.log10(np.where(grid.mass > LEAST, grid.mass, np.nan)) - _log10_size(grid, loss)
        ),
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
        number_text,
        linear=True,
        needs_loss=True,
    ),
    label="Loss",
    says="How much worse the lists of a cell are. Use it to see what the mechanism tries to avoid.",
)

"""Heatmap over (h, t) of a top-k law, with its marginals and the named regions.

A cell is a bin of classes C(h,t). No end of a colour scale depends on ε.
Source: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints, Registry
from dpviz.base.text_format import number_text, power_of_ten_text, release_frequency_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, marks
from dpviz.charts.look import even_colour_scale
from dpviz.charts.topk.map_frame import (
    CELL_MEANING,
    LEAST,
    cell_log10_chances,
    chance_colour_axis,
    heat_cells,
    likeliest_cell_phrases,
    occupied_cell_indices_and_values,
    rank_axis,
    rank_cell_index,
    region_marks,
)
from dpviz.topk import Grid

_LN10 = float(np.log(10.0))
_SHORTER = (
    " A list may be shorter, which makes h smaller. Then t is {}, or larger if a lower item is in"
    " the list."
)
_BARS = " The bars above and beside the cells add up the chances."
_ALONG, _ACROSS = (0, 0.86), (0.875, 1)  # of the cells, and of the bars beside them
_SAID = 0.01  # chance of the second likeliest cell, from which on it is told


Values = Callable[[Grid, Floats | None], Floats]


@dataclass(frozen=True)
class CellMeasure:
    """A measure for a cell's colour: `values` (log10 unless `linear`), blank where NaN."""

    title: str
    meaning: str
    values: Values
    tick: Callable[[float], str] = power_of_ten_text
    linear: bool = False
    needs_loss: bool = False

    def colour_axis(
        self, grid: Grid, loss: Floats | None, look: Look, **bar: Any
    ) -> dict[str, Any]:
        """Colour axis; those of a chance are their own, and fixed."""
        if self is MEASURES["probability"]:
            return chance_colour_axis(look, **bar)
        size = _log10_size(grid, loss)
        values = self.values(grid, loss) if self.linear else size
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        if self is MEASURES["member"]:  # from as rare as one of all lists to always
            low, high = -high, 0.0
        high = max(high, low + 1e-9)
        ticks = np.linspace(low, high, 5) if self.linear else _decades(low, high)
        texts = [self.tick(float(tick)) for tick in ticks]
        return {
            "colorscale": even_colour_scale(look.second),
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


MEASURES: Registry[CellMeasure] = Registry("measure")
MEASURES.add(
    "probability",
    CellMeasure(
        "chance",
        "how likely the list falls into the cell",
        lambda grid, loss: cell_log10_chances(grid),
    ),
    label="Chance",
    says="How likely the list falls into a cell.",
)
MEASURES.add(
    "member",
    CellMeasure(
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
    CellMeasure(
        "number of lists",
        "how many different lists of k items the cell holds",
        _log10_size,
    ),
    label="Number of lists",
    says="How many different lists a cell holds. Use it to see why distant cells can be likely.",
)
MEASURES.add(
    "loss",
    CellMeasure(
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


def class_heatmap(
    grid: Grid,
    regions: Mapping[str, tuple[int, int]],
    *,
    measure: str = "probability",
    loss: Floats | None = None,
    chosen_class: tuple[int, int] | None = None,
    digits: int = 3,
    shorter: bool = False,
    look: Look = LIGHT,
) -> Chart:
    """Heatmap of a grid; `regions` maps names in `EVENTS` to (a,b), outlined as h ≥ a and t ≤ b.

    `loss` has the grid's shape, for the measure of that name. `chosen_class` is a class (h,t) to
    mark, `digits` the certain digits of a chance; `shorter`: fewer than k items may come out.
    """
    entry, chance = MEASURES[measure], measure == "probability"
    along = _ALONG if chance else (0, 1)
    beside = axes.axis("", (0, 1), domain=_ACROSS, tickvals=[1], ticktext=["100 %"], grid=False)
    (first, most), *others = likeliest_cell_phrases(grid, 2)
    rest = "".join(
        f" The next {cell}, with {release_frequency_text(p)}." for cell, p in others if p >= _SAID
    )
    binned = " A cell holds several neighbouring classes together." if grid.has_binned_cells else ""
    bar = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "tickangle": 0,
    }
    bar |= {"title": {"text": entry.title, "side": "top", "font": {"color": look.muted}}}
    return Chart(
        figure=Figure(
            look,
            heat_cells(
                grid,
                entry.values(grid, loss),
                digits,
                xgap=1 if grid.mass.shape[1] <= 36 else 0,
                ygap=1 if grid.mass.shape[0] <= 24 else 0,
                hover="%{customdata}",
                name="",
                showlegend=None,
            ),
            _marginals(grid, digits, look) if chance else (),
            region_marks(grid, regions, look, shorter=shorter),
            () if chosen_class is None else _mark(grid, chosen_class, look),
            margin={"r": 2 * look.text_size, "t": 5 * look.text_size},
            height=290 + 12 * len(grid.h_edges),
            bargap=0,
            x=rank_axis("t, the lowest rank on the list", grid.t_edges, domain=along),
            y=rank_axis("the first h are all there", grid.h_edges, domain=along),
            x2=beside,
            y2=beside,
            coloraxis=entry.colour_axis(grid, loss, look, len=along[1], **bar),
        ),
        shows=(
            f"Heatmap{f' of {entry.meaning}' if chance else ''}, with h from {grid.h_edges[0]} to"
            f" {grid.h_edges[-1] - 1} and t from {grid.t_edges[0]} to {grid.t_edges[-1] - 1}."
        ),
        how_to_read=(
            f"{CELL_MEANING} The colour shows {entry.meaning}.{_BARS if chance else ''}"
            f"{binned}{_SHORTER.format(grid.k) if shorter else ''}"
        ),
        says_now=(
            f"The likeliest cell {first}, with {release_frequency_text(most)}.{rest}"
            if chance
            else f"The colour shows {entry.meaning}."
        ),
        columns=_table(grid, loss),
    )


def _marginals(grid: Grid, digits: int, look: Look) -> list[Mark]:
    t, h = (np.arange(len(mass)) + np.float32(0.5) for mass in (grid.t_mass, grid.h_mass))
    return [
        marks.vertical_bars(
            t,
            grid.t_mass.astype(np.float32),
            look.muted,
            width=1,
            yaxis="y2",
            hover=f"chance <b>%{{y:.{digits}p}}</b>",
        ),
        marks.horizontal_bars(
            grid.h_mass.astype(np.float32),
            h,
            look.muted,
            width=1,
            xaxis="x2",
            hover=f"chance <b>%{{x:.{digits}p}}</b>",
        ),
    ]


def _mark(grid: Grid, chosen: tuple[int, int], look: Look) -> list[Mark]:
    row, column = rank_cell_index(grid.h_edges, chosen[0]), rank_cell_index(grid.t_edges, chosen[1])
    if not (0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1):
        return []
    at = [column + 0.5], [row + 0.5]
    return [marks.dots(*at, look.paper, 11 * look.scale, None, (2, look.ink))]


def _table(grid: Grid, loss: Floats | None) -> dict[str, Floats | Ints]:
    at, held = occupied_cell_indices_and_values(grid)
    held["log10 of the number of sets"] = grid.log_sets[at] / _LN10
    return held if loss is None else held | {"loss at the middle": loss[at]}

"""Releases that were drawn, one dot each, stacked by how many of the true top k came out.

Invariants: dots are illustrations; the expectation beside them comes from the law, never from them.
"""

import math

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.grammar import CLEAR, LIGHT, Chart, Figure, Look, axis, dots, legend_at, note
from dpviz.charts.words import count, number, percent


def draw_dots(
    hits: Ints,
    k: int,
    *,
    mean: float,
    whole: float,
    method: str = "exact",
    chosen: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Dots for `hits`, shape (n,): how many of the items in each release belong to the true top k.

    `mean` is the expected number and `whole` the chance of all k, both by `method` ("exact" or "estimated")
    and never from these draws; `chosen` is the index of a release to mark.
    """
    n = len(hits)
    low, high = min(int(hits.min()), math.floor(mean)), max(int(hits.max()), math.ceil(mean))
    x, y = _piled(hits, per_row=max(1, min(10, 44 // (high - low + 1))))
    all_right = hits == k
    tallest = max(float(y.max()), 6.0)
    figure = Figure(
        look,
        [
            dots(
                x[held],
                y[held],
                colour,
                8 * look.scale,
                symbol,
                name=name,
                customdata=np.column_stack([np.flatnonzero(held) + 1, hits[held]]),
                hover=f"release %{{customdata[0]}}<br>%{{customdata[1]}} of {k:,} right",
            )
            for name, held, colour, symbol in (
                (f"all {k:,} right", all_right, look.categories[0], "diamond"),
                ("not all right", ~all_right, look.sequential[5], "circle"),
            )
            if held.any()
        ],
        ()
        if chosen is None
        else dots(
            x[[chosen]].tolist(),
            y[[chosen]].tolist(),
            CLEAR,
            13 * look.scale,
            None,
            (2, look.ink),
            name="shown in full",
        ),
        [
            note(
                f"{int((hits == value).sum()):,}",
                value,
                float(y[hits == value].max()) + tallest * 0.09,
                "",
                look.muted,
            )
            for value in np.unique(hits).tolist()
        ],
        note(
            f"{method} mean {number(round(mean, 2))}",
            mean,
            0.98,
            "bottom",
            look.muted,
            yref="paper",
            ay=-2.2 * look.size,
            ax=0,
            showarrow=None,
            arrowhead=2,
            arrowwidth=1.2,
            arrowcolor=look.ink,
        ),
        height=320,
        x=axis(
            f"how many of the {k:,} are right",
            (low - 0.7, high + 0.7),
            grid=False,
            tickformat=",d",
            dtick=max(1, -(-(high - low) // 14)),
        ),
        y=axis(None, (0, tallest * 1.2), grid=False, showticklabels=False),
        legend=legend_at(-0.25, "top"),
        margin={"l": 8, "t": 3.4 * look.size, "b": 6.5 * look.size},
    )
    exactly = int(all_right.sum())
    return Chart(
        figure=figure,
        alt=f"Stacked dots of {count(n, 'release')}: {exactly} have all {k} right.",
        how_to_read=(
            "Each dot is one release; the further right, the more of it belongs to the true top. "
            f"The arrow points at the {method} mean, which does not come from these releases."
        ),
        says_now=(
            f"In {exactly:,} of {count(n, 'release')} all {k:,} are right; "
            f"the {method} chance of that is {percent(whole)}."
        ),
        make_table=lambda: {"release": np.arange(1, n + 1), "right": hits},
    )


def _piled(hits: Ints, per_row: int) -> tuple[Floats, Floats]:
    """Where each dot lies: a pile for each value, filled row by row in the order drawn."""
    order = np.argsort(hits, kind="stable")
    ordered = hits[order]
    place = np.empty(len(hits), np.int64)
    place[order] = np.arange(len(hits)) - np.searchsorted(ordered, ordered, side="left")
    row, column = np.divmod(place, per_row)
    size = np.array([(hits == value).sum() for value in hits])
    x = hits + (column - (np.minimum(size, per_row) - 1) / 2) * (0.8 / per_row)
    return x.astype(float), row + 1.0

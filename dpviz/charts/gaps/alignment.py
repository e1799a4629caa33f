"""Randomness alignment: how far noisy values move in the neighbour's world, and what that costs."""

from collections.abc import Sequence

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import count_text, number_text, safe_label, shorten_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks


def alignment_chart(
    names: Sequence[str],
    changes: Floats,
    shifts: Floats,
    costs: Floats,
    total: float,
    epsilon: float,
    *,
    look: Look = LIGHT,
) -> Chart:
    """A row a noisy value: its change, its noise's shift, its cost; `total` counts all values."""
    rows, moved, end = np.arange(len(names))[::-1], costs > 0, changes + shifts
    wide = float(np.abs([changes, end]).max()) or 1.0
    says = (
        f"The noise moves for {count_text(int(moved.sum()), 'value')} shown here. All moves cost ε ="
        f" {number_text(total)} of {number_text(epsilon)}, and the release is the same."
    )
    return Chart(
        figure=Figure(
            look,
            marks.segments((changes[moved], end[moved]), (rows[moved], rows[moved]), look.ink, 2),
            marks.dots(
                changes,
                rows,
                look.paper,
                11,
                "circle",
                (2, look.with_her),
                name="with her, same noise",
            ),
            marks.dots(
                end[moved],
                rows[moved],
                look.ink,
                11,
                "diamond",
                name="with her, noise moved",
            ),
            marks.point_texts(
                np.full(len(names), 1.12 * wide),
                rows,
                [f"ε = {number_text(cost, 3)}" if cost else "" for cost in costs.tolist()],
                {"color": look.ink},
            ),
            marks.vertical_line(0, look.ink),
            height=110 + 30 * len(names),
            x=axes.axis(
                "noisy value, less the one without her", (-1.2 * wide, 1.6 * wide), draggable=True
            ),
            y=axes.axis(
                "",
                (-0.6, len(names) - 0.4),
                tickvals=rows.tolist(),
                ticktext=[safe_label(shorten_text(name, 26)) for name in names],
            ),
            legend=axes.bottom_legend(),
            margin={"l": 13 * look.text_size, "t": 34, "b": 6.5 * look.text_size},
        ),
        shows=f"{count_text(len(names), 'noisy value')} in the world with one more person.",
        how_to_read=(
            "The line is each noisy value without her. A circle is the value with her data and the"
            " same noise. A diamond is the value after its noise moved. The gaps are equal where"
            " diamonds stand below each other. Moving a noise by its scale costs ε = 1."
        ),
        says_now=says,
        columns={
            "noisy value of": list(names),
            "change by her data": changes,
            "shift of the noise": shifts,
            "cost in epsilon": costs,
        },
    )

"""Releases that were drawn, as bars, beside the exact chance of each outcome, as marks.

Invariants: bars begin at zero; each outcome's name stands above its bar, so that a phone has room for both; the law
and what it is compared with differ in shape and in fill, so nothing is told by colour alone.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, label, percent

__all__ = ["draws_and_law"]

_SHAPES = ("circle-open", "square-open", "triangle-up-open")  # of what is compared with
_ROW = 42  # pixels
_NARROW = 460  # pixels wide; what is narrower still is laid out anew (charts/narrow.js)


def draws_and_law(
    outcomes: Sequence[str],
    law: Floats,
    drawn: Ints,
    *,
    name: str,
    beside: Mapping[str, Floats] | None = None,
    says: str = "",
    look: Look = LIGHT,
) -> Chart:
    """`law` and `drawn`, of shape (outcomes,): the chance of each outcome and how often it came; `name` says of what.

    `beside` are at most three other laws of the same outcomes, by name.
    """
    beside, size = dict(beside or {}), int(drawn.sum())
    share = drawn / size if size else np.zeros(len(law))
    told = {"outcome": list(outcomes), "drawn": drawn, f"exact chance, {name}": law}
    told |= {f"exact chance, {other}": chance for other, chance in beside.items()}
    likely = int(np.argmax(law))
    bars = f"The bars are {count(size, 'release')}, drawn; " if size else "No release is drawn yet; "
    open_marks = f" The open marks are {_listed(list(beside))}, exact." if beside else ""
    return Chart(
        figure=_figure(outcomes, law, drawn, share, name, beside, look),
        alt=(
            f"{bars}the marks are exact chances. {name}: {outcomes[likely]} has the largest, "
            f"{percent(float(law[likely]))}. {says}"
        ),
        how_to_read=(
            f"{bars}the filled diamonds are the exact chances of {name}: the more releases, the closer the bars end "
            f"to them.{open_marks}"
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(told),
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _figure(
    outcomes: Sequence[str],
    law: Floats,
    drawn: Ints,
    share: Floats,
    name: str,
    beside: Mapping[str, Floats],
    look: Look,
) -> Figure:
    rows = np.arange(len(law), dtype=np.int16)
    most = max(float(np.max(values)) for values in (law, share, *beside.values()))
    end = min(1.04, 1.16 * most)
    figure, size = Figure(), int(drawn.sum())
    figure.add_bar(
        x=share.astype(np.float32),
        y=rows,
        orientation="h",
        width=0.36,
        marker={"color": look.sequential[4], "line": {"width": 0}},
        name=f"{size:,} drawn" if size else "none drawn yet",
        customdata=[f"{n:,} of {size:,}" for n in drawn.tolist()],
        hovertemplate="%{customdata} releases drawn<extra></extra>",
    )
    for shape, colour, (other, chance) in zip(_SHAPES, _colours(look), beside.items(), strict=False):
        figure.add_scatter(
            x=chance.astype(np.float32),
            y=rows,
            mode="markers",
            cliponaxis=False,
            name=other,
            marker={"symbol": shape, "size": 13 * look.scale, "color": colour, "line": {"color": colour, "width": 2.4}},
            customdata=[percent(p) for p in chance.tolist()],
            hovertemplate=f"{label(other)}: exactly <b>%{{customdata}}</b><extra></extra>",
        )
    figure.add_scatter(
        x=law.astype(np.float32),
        y=rows,
        mode="markers",
        cliponaxis=False,  # a mark at zero is whole
        name=f"exact, {name}",
        marker={"symbol": "diamond", "size": 12 * look.scale, "color": look.ink, "line": {"width": 0}},
        customdata=[percent(p) for p in law.tolist()],
        hovertemplate=f"{label(name)}: exactly <b>%{{customdata}}</b><extra></extra>",
    )
    for row, (outcome, chance, n) in enumerate(zip(outcomes, law.tolist(), drawn.tolist(), strict=True)):
        above = {"y": row, "yshift": 17 * look.scale, "showarrow": False, "yanchor": "middle"}
        figure.add_annotation(text=label(outcome, 44), x=0, xref="paper", xanchor="left", **above)
        came = f"<b>{n:,}</b> of {size:,} · " if size else ""
        figure.add_annotation(
            text=f"{came}exactly {percent(chance)}", x=1, xref="paper", xanchor="right", font={"color": look.muted},
            **above,
        )  # fmt: skip
    named = [str(trace["name"]) for trace in figure.traces]
    columns = max(1, int(_NARROW // ((45 + 6.4 * max(map(len, named))) * look.scale)))  # as plotly sets them there
    lines = math.ceil(len(named) / columns)
    figure.update_layout(
        template=look.template,
        height=round((_ROW * len(law) + 30) * look.scale + (1.55 * lines + 3.1) * look.size),
        margin={"l": 10, "r": 4, "t": (1.55 * lines + 0.9) * look.size, "b": 2.2 * look.size},
        bargap=0,
        xaxis={"range": [0, end], "tickformat": ".0%", "nticks": 6, "fixedrange": True},
        yaxis={"range": [len(law) - 0.55, -0.75], "visible": False, "fixedrange": True},
        legend={
            "orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "itemclick": False,
            "itemdoubleclick": False, "traceorder": "normal",
        },
        dragmode=False,
    )  # fmt: skip
    return figure


def _colours(look: Look) -> tuple[str, str, str]:
    return look.categories[0], look.categories[2], look.categories[4]

"""How many queries two sparse vectors answer: bars beside each other over k, one of them in its branches.

Invariants: heights are the expected numbers handed in; bars are told apart by colour, pattern and place.
"""

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import number

__all__ = ["answer_bars"]

_STYLES = (("plain", 3, ""), ("adaptive, top branch", 0, "/"), ("adaptive, middle branch", 1, "x"))


def answer_bars(k: Ints, plain: Floats, top: Floats, middle: Floats, *, title: str, look: Look = LIGHT) -> Chart:
    """Expected answers by k: of the plain sparse vector, and of the adaptive one by branch, all of shape (len(k),)."""
    figure = Figure()
    for (name, colour, pattern), values, side in zip(
        _STYLES, (plain, top, middle), ("plain", "adaptive", "adaptive"), strict=True
    ):
        figure.add_bar(
            x=k,
            y=values.astype(np.float32),
            name=name,
            offsetgroup=side,
            base=top.astype(np.float32) if name.endswith("middle branch") else None,
            marker={
                "color": look.categories[colour],
                "line": {"width": 0},
                "pattern": {
                    "shape": pattern,
                    "fillmode": "overlay",
                    "fgcolor": look.paper,
                    "size": 5,
                    "solidity": 0.25,
                },
            },
            hovertemplate=f"{name}<br>k = %{{x}}: <b>%{{y:.2f}}</b> answers<extra></extra>",
        )
    figure.update_layout(
        template=look.template,
        height=round(340 * look.scale),
        bargap=0.25,
        bargroupgap=0.05,
        xaxis={"title": {"text": "k, the answers that the budget of the plain one is made for"}, "showgrid": False},
        yaxis={"title": {"text": "expected answers"}, "rangemode": "tozero", "nticks": 6, "fixedrange": True},
        legend={"orientation": "h", "x": 0, "y": -0.26, "yanchor": "top"},
        margin={"t": 1.2 * look.size, "b": 7.2 * look.size},
    )
    adaptive = top + middle
    more = adaptive - plain
    best = int(np.argmax(more))
    last = len(k) - 1
    return Chart(
        figure=figure,
        alt=f"Bars of expected answers over k from {k[0]} to {k[-1]} for {title}: plain and adaptive sparse vector.",
        how_to_read=(
            "At each k the left bar is the plain sparse vector, the right one the adaptive, stacked by the branch that "
            "answered: the top branch pays half."
        ),
        says_now=(
            f"At k = {k[last]} the plain one gives {_two(plain[last])} answers and the adaptive one "
            f"{_two(adaptive[last])}, of which {_two(top[last])} by the top branch; "
            f"the most that adapting adds is {_two(more[best])} answers, "
            f"at k = {k[best]}."
        ),
        make_table=lambda: pd.DataFrame({"k": k, "plain": plain, "adaptive, top": top, "adaptive, middle": middle}),
    )


def _two(value: float) -> str:
    return number(round(float(value), 2))

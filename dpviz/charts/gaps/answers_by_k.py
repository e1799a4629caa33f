"""How many queries two sparse vectors answer: bars beside each other over k, one of them in its branches.

Invariants: heights are the expected numbers handed in; bars are told apart by colour, pattern and place.
"""

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axis, columns, legend_at
from dpviz.charts.words import number


def answer_bars(k: Ints, plain: Floats, top: Floats, middle: Floats, *, title: str, look: Look = LIGHT) -> Chart:
    """Expected answers by k: of the plain sparse vector, and of the adaptive one by branch, all of shape (len(k),)."""
    adaptive = top + middle
    best = int(np.argmax(adaptive - plain))
    figure = Figure(
        look,
        [
            columns(
                k,
                values.astype(np.float32),
                look.categories[colour],
                pattern={
                    "shape": pattern,
                    "fillmode": "overlay",
                    "fgcolor": look.paper,
                    "size": 5,
                    "solidity": 0.25,
                },
                name=name,
                offsetgroup=side,
                base=base,
                hover=f"{name}<br>k = %{{x}}: <b>%{{y:.2f}}</b> answers",
            )
            for name, side, values, base, colour, pattern in (
                ("plain", "plain", plain, None, 3, ""),
                ("adaptive, top branch", "adaptive", top, None, 0, "/"),
                ("adaptive, middle branch", "adaptive", middle, top.astype(np.float32), 1, "x"),
            )
        ],
        height=340,
        bargap=0.25,
        bargroupgap=0.05,
        x=axis("k, the answers that the budget of the plain one is made for", grid=False, moves=True),
        y=axis("expected answers", rangemode="tozero", nticks=6),
        legend=legend_at(-0.26, "top"),
        margin={"t": 1.2 * look.size, "b": 7.2 * look.size},
    )
    return Chart(
        figure=figure,
        alt=f"Bars of expected answers over k from {k[0]} to {k[-1]} for {title}: plain and adaptive sparse vector.",
        how_to_read=(
            "At each k the left bar is the plain sparse vector, the right one the adaptive, stacked by the branch that "
            "answered: the top branch pays half."
        ),
        says_now=(
            f"At k = {k[-1]} the plain one gives {_two(plain[-1])} answers and the adaptive one "
            f"{_two(adaptive[-1])}, of which {_two(top[-1])} by the top branch; "
            f"the most that adapting adds is {_two(adaptive[best] - plain[best])} answers, "
            f"at k = {k[best]}."
        ),
        make_table=lambda: {"k": k, "plain": plain, "adaptive, top": top, "adaptive, middle": middle},
    )


def _two(value: float) -> str:
    return number(round(float(value), 2))

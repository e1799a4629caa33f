"""The law of the number of answers, plain beside adaptive.

Invariants: zoomed to where all but a thousandth of both laws is; at most 400 bars a law, folded where more.
"""

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.fold import Fold
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axis, columns, hatch, legend_below, shares
from dpviz.charts.words import number, percent

_LEFT_OUT = 5e-4
_MOST = 200  # bars of one law


def threshold_count_chart(plain: Floats, adaptive: Floats, k: int, *, look: Look = LIGHT) -> Chart:
    """`plain` (k + 1,) and `adaptive` (2k,): entry c is P(c answers)."""
    n = max(len(plain), len(adaptive))
    laws = np.zeros((2, n))
    laws[0, : len(plain)], laws[1, : len(adaptive)] = plain, adaptive
    seen = [_span(law) for law in laws]
    low, high = min(a for a, _ in seen), max(b for _, b in seen)
    fold = Fold.of(low, high, _MOST)
    each, starts = fold.each, fold.first
    shown = [fold.sum(law[low:]) for law in laws]
    means = laws @ np.arange(n)
    figure = Figure(
        look,
        [
            columns(
                starts + (each - 1) / 2,
                law.astype(np.float32),
                colour,
                pattern=hatch(shape, colour, look),
                name=f"{name}, mean {number(round(mean, 2))}",
                hover=[
                    f"{name}: {_range(int(a), each)}<br><b>{percent(float(p))}</b>"
                    for a, p in zip(starts, law, strict=True)
                ],
            )
            for law, mean, name, colour, shape in zip(
                shown,
                means.tolist(),
                ("plain", "adaptive"),
                (look.categories[3], look.categories[0]),
                ("", "/"),
                strict=True,
            )
        ],
        height=300,
        barmode="group",
        bargap=0.18,
        bargroupgap=0.04,
        margin={"t": 14, "b": 7.2 * look.size},
        x=axis(
            "number of answers",
            (low - 0.7, high + 0.7),
            grid=False,
            tickformat=",d",
            dtick=max(1, -(-(high - low) // 14)),
        ),
        y=shares(),
        legend=legend_below(),
    )
    more = float(laws[1, k + 1 :].sum())
    says = (
        f"On average {number(round(float(means[0]), 2))} answers come out of the plain mechanism and "
        f"{number(round(float(means[1]), 2))} of the adaptive one, which gives more than {k:,} in "
        f"{percent(more)} of releases."
    )
    return Chart(
        figure=figure,
        alt=f"Bars of the chance of each number of answers, from {low:,} to {high:,}. {says}",
        how_to_read=(
            f"How many queries a release says lie above the threshold. The plain mechanism stops at {k:,}; the "
            f"adaptive one pays half for answers far above the threshold and can give up to {2 * k - 1:,}."
            + (f" Each bar folds {each} numbers." if each > 1 else "")
        ),
        says_now=says,
        make_table=lambda: {"answers": np.arange(n), "plain": laws[0], "adaptive": laws[1]},
    )


def _span(law: Floats) -> tuple[int, int]:
    total = np.cumsum(law)
    low = int(np.searchsorted(total, _LEFT_OUT))
    high = int(np.searchsorted(total, total[-1] - _LEFT_OUT))
    return low, min(high, len(law) - 1)


def _range(start: int, each: int) -> str:
    if each > 1:
        return f"{start:,} to {start + each - 1:,} answers"
    return "1 answer" if start == 1 else f"{start:,} answers"

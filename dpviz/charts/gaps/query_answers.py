"""The chance that each query is answered above the threshold, plain and adaptive, in the order asked.

Invariants: at most 400 bars are drawn; neighbouring queries are folded into one bar that shows their
means, and the words say so. Branches of the adaptive mechanism are stacked, so a bar's height is its whole chance.
"""

from typing import Any

import numpy as np

from dpviz.base.arrays import Bools, Floats
from dpviz.base.scores import Scores
from dpviz.charts.fold import Fold
from dpviz.charts.grammar import (
    HALVES,
    LIGHT,
    Chart,
    Figure,
    Look,
    axis,
    columns,
    dots,
    hatch,
    legend_below,
    level,
    note,
)
from dpviz.charts.words import count, label, number, percent

MOST_BARS = 400
_SELDOM = 1e-3
_FEWEST = 40
_VISIBLE = 0.004  # a dot below this would lie on the axis


def threshold_answers_chart(
    scores: Scores,
    threshold: float,
    plain: Floats,
    top: Floats,
    middle: Floats,
    reached: Floats,
    *,
    most: int = MOST_BARS,
    look: Look = LIGHT,
) -> Chart:
    """`plain` = P(answered) by the plain mechanism, `top` and `middle` by the branches of the adaptive one: (n,).

    `reached` (n,) = P(a query is asked at all); those at the end that hardly ever are, are not drawn. With more than
    `most` queries neighbouring ones are folded into one bar.
    """
    shown = _shown(reached)
    fold = Fold.of(1, shown, most)
    adaptive = top + middle
    above = scores.values >= threshold
    each = fold.each
    return Chart(
        figure=_figure(scores, threshold, (plain, top, middle), fold, look),
        alt=(
            f"Scores of {scores.d:,} queries in the order asked, {int(above.sum()):,} of them at or above the "
            f"threshold {number(threshold)}, and under each the chance of an answer. {_says(plain, adaptive, above)}"
        ),
        how_to_read=(
            "Queries are asked from left to right. Above: their scores and the threshold; below: the chance that each "
            "is said to lie above it, as bars for the adaptive mechanism by branch and as dots for the plain one."
            + (f" Each bar folds {each} neighbouring queries into their mean." if each > 1 else "")
            + (
                f" The {scores.d - shown:,} queries after query {shown:,} are not drawn: the budget is nearly always "
                "used up before them."
                if shown < scores.d
                else ""
            )
        ),
        says_now=_says(plain, adaptive, above),
        make_table=lambda: {
            "query": np.arange(1, scores.d + 1),
            "item": [scores.label(i) for i in range(scores.d)],
            "score": scores.values,
            "plain": plain,
            "adaptive": adaptive,
            "adaptive, top branch": top,
            "adaptive, middle branch": middle,
        },
    )


def _says(plain: Floats, adaptive: Floats, above: Bools) -> str:
    n = int(above.sum())
    if n == 0:
        return "No query lies at or above the threshold, so every answer is a mistake."
    a, b = float(plain[above].mean()), float(adaptive[above].mean())
    return (
        f"Of {count(n, 'query', 'queries')} truly at or above the threshold, each is answered with a mean chance of "
        f"{percent(a)} by the plain mechanism and {percent(b)} by the adaptive one."
    )


def _shown(reached: Floats) -> int:
    """How many queries are drawn."""
    seen = np.flatnonzero(reached > _SELDOM)
    last = int(seen[-1]) + 1 if len(seen) else 1
    return len(reached) if last > 0.8 * len(reached) else min(len(reached), max(_FEWEST, -(-last // 10) * 10))


def _figure(scores: Scores, threshold: float, chances: tuple[Floats, Floats, Floats], fold: Fold, look: Look) -> Figure:
    plain, top, middle = (fold.mean(values) for values in chances)
    height = fold.mean(scores.values)
    single = fold.each == 1
    names = [
        f"<b>{label(scores.label(a - 1))}</b><br>query {a:,}" if a == b else f"<b>queries {a:,} to {b:,}</b>, means"
        for a, b in zip(fold.first.tolist(), fold.last.tolist(), strict=True)
    ]
    hover = [
        f"{name}<br>score {number(s)}<br>plain <b>{percent(p)}</b><br>adaptive <b>{percent(t + m)}</b>"
        f"<br>top branch {percent(t)}, middle {percent(m)}"
        for name, s, p, t, m in zip(names, height.tolist(), plain.tolist(), top.tolist(), middle.tolist(), strict=True)
    ]
    low, high = min(0.0, float(height.min()), threshold), max(float(height.max()), threshold)
    low, high = low - (0.05 * (high - low) if low < 0 else 0.0), high + 0.06 * ((high - low) or 1.0)
    colours = np.where(height >= threshold, look.accent, look.sequential[3]).tolist()
    few = single and len(names) <= 150
    common: dict[str, Any] = {"width": (fold.width * (0.8 if few else 1.0)).astype(np.float32), "hover": hover}
    x, seen, end = fold.middle.astype(np.float32), np.flatnonzero(plain >= _VISIBLE), float(fold.last[-1]) + 0.5
    return Figure(
        look,
        columns(x, height, colours, **common),
        [
            columns(
                x,
                chance.astype(np.float32),
                colour,
                pattern=hatch(shape, colour, look, size=5, solidity=0.2),
                name=name,
                yaxis="y2",
                **common,
            )
            for name, chance, colour, shape in (
                ("adaptive, middle branch", middle, look.categories[1], "/" if few else ""),
                ("adaptive, top branch", top, look.categories[0], ""),
            )
        ],
        dots(
            x[seen],
            plain[seen].astype(np.float32),
            look.categories[3],
            7 * look.scale,
            "circle",
            (1, look.paper),
            name="plain",
            yaxis="y2",
        ),
        level(threshold, look.ink),
        note(f"threshold {number(threshold)}", 1, threshold, "right bottom", look.ink, xref="paper", yref="y"),
        height=430,
        barmode="stack",
        bargap=0,
        margin={"t": 14, "b": 7.4 * look.size},
        x=axis(
            "query, in the order asked",
            (0.5 - 0.006 * end, end + 0.006 * end),
            grid=False,
            moves=True,
            anchor="y2",
            tickformat=",d",
        ),
        y=axis("score", (low, high), domain=[0.54, 1], nticks=5),
        y2=axis("chance", (0, 1.04), domain=[0, 0.45], **HALVES),
        legend=legend_below(traceorder="reversed"),
    )

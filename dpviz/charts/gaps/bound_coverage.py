"""How often a one-sided bound holds: before it is known whether there is an answer, and given that there is one.

Invariants: queries that are answered too rarely to tell are left out, and the words say how many.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Mark,
    axis,
    dots,
    legend_below,
    level,
    note,
    shares,
    upright,
)
from dpviz.charts.words import as_typed, count, number, percent

_MOST = 400
_STYLES = ((3, "circle-open", 12), (0, "diamond", 7), (1, "square", 7))


def threshold_coverage_chart(
    scores: Scores,
    threshold: float,
    confidence: float,
    after: Mapping[str, Any],
    before: Mapping[str, Floats],
    overall: Mapping[str, float],
    *,
    look: Look = LIGHT,
) -> Chart:
    """`after`: branch → P(bound holds | answered by it) of each query (n,), masked where too rare.

    `before`: branch → P(no answer by it with a bound that fails), (n,). `overall`: mechanism →
    E[answers whose bound holds] / E[answers].
    """
    masked = {name: int(np.ma.getmaskarray(held).sum()) for name, held in after.items()}
    rare = ", ".join(f"{count(n, 'query', 'queries')} ({name})" for name, n in masked.items() if n)
    says = _says(confidence, overall)
    return Chart(
        figure=_figure(scores.values, threshold, confidence, after, look),
        alt=f"How often the lower bound holds for each query once it was answered, by its true score. {says}",
        how_to_read=(
            "Each point is a query: how often its lower bound holds where a release answers it so. Answers are given "
            "when noise is high, so for a query below the threshold an answer is itself a sign that the bound is too "
            "high." + (f" Left out, for they are hardly ever answered: {rare}." if rare else "")
        ),
        says_now=says,
        make_table=lambda: (
            {"item": [scores.label(i) for i in range(scores.d)], "score": scores.values}
            | {f"{name}, before the answer, at least": before[name] for name in after}
            | {f"{name}, given an answer": np.ma.filled(held.astype(float), np.nan) for name, held in after.items()}
        ),
    )


def _figure(values: Floats, threshold: float, confidence: float, after: Mapping[str, Any], look: Look) -> Figure:
    return Figure(
        look,
        [
            _branch(name, held, values, *style, look)
            for (name, held), style in zip(after.items(), _STYLES, strict=False)
        ],
        level(confidence, look.ink, width=1.2),
        note(f"asked for: {as_typed(confidence)}", 1, confidence, "right top", look.ink, xref="paper"),
        upright(threshold, look.muted, "dot"),
        note(f" threshold {number(threshold)}", threshold, 0, "left bottom", look.muted, yref="y domain"),
        height=330,
        margin={"t": 12, "b": 7.2 * look.size},
        x=axis("true score of the query"),
        y=shares("bound holds", (0, 1.04), nticks=6),
        legend=legend_below(),
    )


def _branch(name: str, held: Any, values: Floats, colour: int, symbol: str, size: int, look: Look) -> Mark:
    """A dot a query that is answered often enough to tell, evenly over the scores where there are many."""
    at = np.flatnonzero(~np.ma.getmaskarray(held))
    if len(at):
        at = at[np.argsort(values[at], kind="stable")]
        at = at[np.unique(np.linspace(0, len(at) - 1, min(len(at), _MOST)).astype(int))]
    return dots(
        values[at].astype(np.float32),
        np.asarray(held[at], np.float32),
        look.categories[colour],
        size * look.scale,
        symbol,
        (2 if size > 7 else 0, None),
        name=name,
        hover="score %{x:.4~g}<br>given an answer the bound holds in <b>%{y:.1%}</b>",
    )


def _says(confidence: float, overall: Mapping[str, float]) -> str:
    start = (
        f"Before it is known whether a query is answered, the chance of an answer with a bound that fails is at most "
        f"{as_typed(1 - confidence)}"
    )
    if not overall:
        return f"{start}; here there are hardly any answers."
    shares = " and ".join(f"{percent(share)} of the {name} mechanism's" for name, share in overall.items())
    return f"{start}. Of the answers that do come out, the bound holds for {shares}."

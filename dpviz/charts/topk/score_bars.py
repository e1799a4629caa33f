"""The sorted scores, coloured by the chance that each item is selected.

Ranks are 1-based. At most 400 bars are drawn: neighbouring ranks are folded into one bar that shows
their mean, and ranks far down that are hardly ever selected are left out; the words say so.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.fold import Fold
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, label, number, percent

__all__ = ["MOST_BARS", "score_bars"]

MOST_BARS = 400
_SELDOM = 1e-3  # ranks beyond the last one selected this often are left out where there are many


@dataclass(frozen=True, eq=False)
class _Bars:
    """Bars over ranks (1-based), with means over each."""

    fold: Fold
    score: Floats
    chance: Floats
    low: Floats
    high: Floats


def score_bars(
    scores: Scores, inclusion: Floats, k: int, *, bounds: tuple[Floats, Floats] | None = None, look: Look = LIGHT
) -> Chart:
    """Bars of the scores by rank, coloured by `inclusion` (shape (d,), in item order) with its `bounds`.

    The same chance stands underneath as a height of its own, so colour is never alone.
    """
    ranked, chance = scores.values[scores.order], inclusion[scores.order]
    low, high = (chance, chance) if bounds is None else (bound[scores.order] for bound in bounds)
    shown = _shown(chance, k)
    fold = Fold.of(1, shown, MOST_BARS)
    bars = _Bars(fold, *(fold.mean(values) for values in (ranked, chance, low, high)))
    edge = [
        percent(p, a, b) for p, a, b in zip(chance[k - 1 : k + 1], low[k - 1 : k + 1], high[k - 1 : k + 1], strict=True)
    ]
    figure = _figure(scores, bars, k, look)
    outside = float(chance[k:].sum())
    folded = _folding_words(bars, shown, chance, scores.d)
    return Chart(
        figure=figure,
        alt=(
            f"Bars of {scores.d:,} scores from the highest to the lowest. Items up to rank {k} are selected with "
            f"a chance between {percent(float(chance[:k].min()))} and {percent(float(chance[:k].max()))}; "
            f"the first item after rank {k} with {percent(float(chance[k]))}."
        ),
        how_to_read=(
            f"Each bar is an item, the best on the left; the {look.stronger} it is, and the higher the bar under it, "
            f"the likelier it is selected. The dashed line stands where the true top {k:,} ends.{folded}"
        ),
        says_now=_says_now(scores, edge, k, outside),
        make_table=lambda: pd.DataFrame(
            {
                "rank": np.arange(1, scores.d + 1),
                "item": [scores.label(int(i)) for i in scores.order],
                "score": ranked,
                "chance of being selected": chance,
            }
        ),
    )


def _shown(chance: Floats, k: int) -> int:
    """How many ranks are drawn."""
    d = len(chance)
    if d <= MOST_BARS:
        return d
    seen = np.flatnonzero(chance > _SELDOM)
    return min(d, max(MOST_BARS, 2 * k, int(seen[-1]) + 1 if len(seen) else 0))


def _figure(scores: Scores, bars: _Bars, k: int, look: Look) -> Figure:
    single = bars.fold.each == 1
    names = _names(scores, bars)
    hover = [
        f"{name}<br>score {number(s)}<br>comes out in <b>{percent(p, a, b)}</b> of releases"
        for name, s, p, a, b in zip(
            names, bars.score.tolist(), bars.chance.tolist(), bars.low.tolist(), bars.high.tolist(), strict=True
        )
    ]
    colours = look.shades(bars.chance)
    common = {
        "x": bars.fold.middle.astype(np.float32),
        "width": (bars.fold.width * (0.82 if single and len(names) <= 150 else 1.0)).astype(np.float32),
        "marker": {"color": colours, "line": {"width": 0}},
        "hovertemplate": "%{customdata}<extra></extra>",
        "customdata": hover,
        "showlegend": False,
    }
    low, high = _range(bars.score)
    figure = Figure()
    figure.add_bar(y=bars.score, **common)
    figure.add_bar(y=bars.chance.astype(np.float32), yaxis="y2", **common)
    _draw_colour_bar(figure, look)
    end = float(bars.fold.last[-1]) + 0.5
    figure.update_layout(
        template=look.template,
        margin={"r": 7 * look.size},
        height=round(430 * look.scale),
        bargap=0,
        xaxis={
            "range": [0.5 - end * 0.006, end + end * 0.006],
            "anchor": "y2",
            "title": {"text": "rank by score, 1 is the best"},
            "showgrid": False,
            "tickformat": ",d",
        },
        yaxis={
            "domain": [0.36, 1],
            "title": {"text": "score"},
            "range": [low, high],
            "nticks": 6,
            "tickformat": _ticks(low, high),
            "fixedrange": True,
        },
        yaxis2={
            "domain": [0, 0.26],
            "title": {"text": "chance"},
            "range": [0, 1.04],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["0", "50 %", "100 %"],
            "fixedrange": True,
        },
    )
    _mark_cutoff(figure, scores, k, end, look)
    return figure


def _draw_colour_bar(figure: Figure, look: Look) -> None:
    """A trace without points that brings the colour bar: bars get finished colours, which draw faster."""
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        showlegend=False,
        hoverinfo="skip",
        marker={
            "color": [0.0],
            "colorscale": look.visible_ramp,
            "cmin": 0,
            "cmax": 1,
            "colorbar": {
                "title": {"text": "chance", "font": {"color": look.muted}},
                "tickvals": [0, 0.25, 0.5, 0.75, 1],
                "ticktext": ["0 %", "25 %", "50 %", "75 %", "100 %"],
                "tickfont": {"color": look.muted},
                "thickness": 10,
                "outlinewidth": 0,
                "len": 0.66,
                "y": 1,
                "yanchor": "top",
            },
        },
    )


def _mark_cutoff(figure: Figure, scores: Scores, k: int, end: float, look: Look) -> None:
    """The line after rank k, with the names on both sides of it and how far apart they are."""
    last, first = (int(item) for item in scores.order[k - 1 : k + 1])
    apart = float(scores.values[last] - scores.values[first])
    figure.add_shape(
        type="line",
        x0=k + 0.5,
        x1=k + 0.5,
        y0=0,
        y1=1.0,
        yref="paper",
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )
    left = k < 0.6 * end
    names = [f"{rank:,}: {label(scores.label(item), 28)}" for rank, item in ((k, last), (k + 1, first))]
    figure.add_annotation(
        x=k + 0.5,
        y=1.0,
        yref="paper",
        xanchor="left" if left else "right",
        yanchor="top",
        align="left" if left else "right",
        xshift=6 if left else -6,
        showarrow=False,
        text=f"true top {k:,} ends · {f'distance {number(apart)}' if apart else 'a tie'}<br>{'<br>'.join(names)}",
        font={"color": look.muted},
    )


def _range(ranked: Floats) -> tuple[float, float]:
    """From zero always: the length of a bar is the score."""
    low, high = min(0.0, float(ranked.min())), max(0.0, float(ranked.max()))
    room = 0.12 * (high / 2 - low / 2)
    return (low - room if low < 0 else 0.0), (high + room if high > 0 else 0.0 if low < 0 else 1.0)


def _ticks(low: float, high: float) -> str:
    """Large scores in thousands and millions, so that they fit beside the axis."""
    return "~s" if max(abs(low), abs(high)) >= 1e4 else ""


def _names(scores: Scores, bars: _Bars) -> list[str]:
    return [
        f"<b>{label(scores.label(int(scores.order[a - 1])))}</b><br>rank {a:,}"
        if a == b
        else f"<b>ranks {a:,} to {b:,}</b>, means"
        for a, b in zip(bars.fold.first.tolist(), bars.fold.last.tolist(), strict=True)
    ]


def _folding_words(bars: _Bars, shown: int, chance: Floats, d: int) -> str:
    words = ""
    if bars.fold.each > 1:
        words += f" Each bar folds {bars.fold.each} neighbouring ranks into their mean."
    if shown < d:
        left = float(chance[shown:].sum())
        words += (
            f" The {d - shown:,} items after rank {shown:,} are not drawn: together they take "
            f"{number(round(left, 3)) if left >= 0.001 else 'fewer than 0.001'} places on average."
        )
    return words


def _says_now(scores: Scores, edge: list[str], k: int, outside: float) -> str:
    a, b = scores.tied(k)
    start = f"On average {number(round(k - outside, 2))} of the {count(k, 'place')} "
    start += "goes to the true top item" if k == 1 else f"go to the true top {k:,}"
    if b > k:
        return f"{start}; ranks {a + 1:,} to {b:,} tie, so which of them belong to it is arbitrary."
    return f"{start}; the last of it is selected in {edge[0]} of releases, the first item after it in {edge[1]}."

"""The sorted scores with the line they must fall below, and how large a front group large margin settles on.

The upper panel has f_(x) by rank x on a logarithmic axis and the line f_1 − margin_(x−1): where a score lies
below it, the items before that rank stand clear of it. The lower panel has P(ℓ = x) over the same axis.
Invariant: at most 400 ranks are drawn; whatever is left out is told.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, label, number, of_releases, percent
from dpviz.margin.front_group import FrontGroup
from dpviz.margin.one_item import TopOneLaw

__all__ = ["MOST_DRAWN", "margin_scores"]

MOST_DRAWN = 400
_ALL_SHOWN = 60  # ranks from 1 on that are never thinned out
_TABLE = 100_000  # rows
_FARTHEST = 10_000_000  # ranks, where the universe goes on
_LEAST = 1e-4  # chances of ℓ below this have no stem
_DEEPEST = 4.0  # how many times the span of the scores the line may reach below it


@dataclass(frozen=True, eq=False)
class _Points:
    """What is drawn: 1-based ranks with their scores, and the line at ranks 2.. (NaN at rank 1)."""

    rank: Ints
    score: Floats
    line: Floats


def margin_scores(scores: Scores, found: FrontGroup, law: TopOneLaw, *, look: Look = LIGHT) -> Chart:
    """Scores, margin and law of ℓ for large margin; `law` has a `rank_law`."""
    points = _points(scores, found, law.zeros)
    figure = _figure(scores, points, found, law, look)
    return Chart(
        figure=figure,
        alt=(
            f"Sorted scores of {count(scores.d, 'item')} by rank, with the line below which a score must fall for the "
            f"items before it to stand clear, and the chance of each size of the front group. {_says_now(found, law)}"
        ),
        how_to_read=(
            "Above: each dot is an item, the best on the left. The shaded region begins a margin below the best score; "
            "the first dot in it ends the front group. Below: the chance that large margin, which adds noise to this "
            "comparison, settles on a group of each size; it then chooses among that group only. Both rank axes are in "
            f"steps of ten.{_unseen(points, scores, law)}"
        ),
        says_now=_says_now(found, law),
        make_table=lambda: _table(scores, found, law),
    )


def _points(scores: Scores, found: FrontGroup, zeros: int) -> _Points:
    d = scores.d
    best = float(scores.values[scores.order[0]])
    line = np.append(np.nan, best - found.margin)
    if d <= MOST_DRAWN:
        return _Points(np.arange(1, d + 1), scores.values[scores.order], line[:d])
    spaced = np.rint(np.geomspace(1, d, MOST_DRAWN - _ALL_SHOWN)).astype(np.int64)
    front = () if found.rank is None else range(max(1, found.rank - 3), min(d, found.rank + 4) + 1)
    rank = np.unique(np.concatenate([np.arange(1, min(d, _ALL_SHOWN) + 1), spaced, np.array(front, np.int64)]))
    return _Points(rank, scores.values[scores.order[rank - 1]], line[rank - 1])


def _figure(scores: Scores, points: _Points, found: FrontGroup, law: TopOneLaw, look: Look) -> Figure:
    last = min(scores.d + law.zeros, max(_FARTHEST, 10 * scores.d))
    figure = Figure()
    floor, top = _range(points)
    _shade(figure, points, found, scores, last, floor, look)
    if law.zeros:
        figure.add_scatter(
            x=[scores.d + 1, last],
            y=[0, 0],
            mode="lines",
            line={"color": look.muted, "width": 3, "dash": "dot"},
            hovertemplate=f"{count(law.zeros, 'unlisted item')}<br>score 0<extra></extra>",
            showlegend=False,
        )
    clear = np.zeros(len(points.rank), bool) if found.rank is None else points.rank <= found.rank
    hover = [
        f"<b>{label(scores.label(int(scores.order[rank - 1])), 100)}</b><br>rank {rank:,}, score {number(score)}"
        for rank, score in zip(points.rank.tolist(), points.score.tolist(), strict=True)
    ]
    for name, shown, colour, symbol in (
        ("front group", clear, look.categories[0], "diamond"),
        ("other items", ~clear, look.sequential[5], "circle"),
    ):
        at = np.flatnonzero(shown)
        if len(at):
            figure.add_scatter(
                x=points.rank[at],
                y=points.score[at],
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 7 * look.scale},
                name=name,
                customdata=[hover[i] for i in at],
                hovertemplate="%{customdata}<extra></extra>",
                showlegend=False,
            )
    _stems(figure, law, last, look)
    _words(figure, points, found, (floor, top), look)
    _lay_out(figure, last, (floor, top), look)
    return figure


def _range(points: _Points) -> tuple[float, float]:
    """From a little below the scores and the line to above the best; a line far below is not followed."""
    low, high = float(points.score.min()), float(points.score.max())
    span = max(high - low, 1e-9 * max(1.0, abs(high)))
    line = points.line[np.isfinite(points.line)]
    deepest = float(line.max()) - 0.08 * span if len(line) else low
    floor = min(low, max(deepest, low - _DEEPEST * span))
    return floor - 0.06 * (high - floor), high + 0.09 * (high - floor)


def _shade(
    figure: Figure, points: _Points, found: FrontGroup, scores: Scores, last: int, floor: float, look: Look
) -> None:
    """The region in which a score is far enough below the best."""
    rank, line = points.rank[1:].astype(float), points.line[1:]
    if last > scores.d:  # the margin grows with log r: beyond the list it is told by its last two points
        rank, line = np.append(rank, float(scores.d + 1)), np.append(line, scores.values.max() - found.margin[-1])
    if not len(rank) or line.max() < floor:
        return
    floor_line, edge = np.full(len(rank), floor), np.maximum(line, floor)
    for y, fill in ((floor_line, "none"), (edge, "tonexty")):
        figure.add_scatter(
            x=rank,
            y=y,
            mode="lines",
            line={"width": 0},
            fill=fill,
            fillcolor="rgba(86,160,230,0.14)",
            hoverinfo="skip",
            showlegend=False,
        )
    figure.add_scatter(
        x=rank,
        y=np.where(line > floor, line, np.nan),
        mode="lines",
        line={"color": look.accent, "width": 2 * look.scale, "dash": "dash"},
        hovertemplate="rank %{x:,}<br>clear below %{y:,.4~g}<extra></extra>",
        showlegend=False,
    )


def _stems(figure: Figure, law: TopOneLaw, last: int, look: Look) -> None:
    chance = law.rank_law
    if chance is None:
        return
    at = np.flatnonzero(chance > _LEAST)
    at = at[np.argsort(-chance[at], kind="stable")[:MOST_DRAWN]]
    x, y = (at + 1).astype(float), chance[at]
    if law.zeros and law.beyond > _LEAST:
        x, y = np.append(x, float(last)), np.append(y, law.beyond)
    hover = [f"a group of {int(r):,}<br><b>{percent(float(p))}</b> of releases" for r, p in zip(x, y, strict=True)]
    if law.zeros and law.beyond > _LEAST:
        hover[-1] = f"past the listed items, up to all<br><b>{percent(law.beyond)}</b> of releases"
    figure.add_scatter(
        x=np.repeat(x, 3),
        y=np.stack([np.zeros(len(y)), y, np.full(len(y), np.nan)], axis=1).ravel(),
        mode="lines",
        line={"color": look.categories[0], "width": 4 * look.scale},
        hoverinfo="skip",
        yaxis="y2",
        showlegend=False,
    )
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={"color": look.categories[0], "size": 9 * look.scale},
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
        yaxis="y2",
        showlegend=False,
    )


def _words(figure: Figure, points: _Points, found: FrontGroup, span: tuple[float, float], look: Look) -> None:
    """What the line and the end of the front group are."""
    floor, _ = span
    font = {"color": look.muted, "size": look.size}
    line = points.line[np.isfinite(points.line)]
    if not len(line) or line.max() < floor:
        figure.add_annotation(
            x=0.99, xref="paper", y=0.44, yref="paper", xanchor="right", yanchor="bottom", showarrow=False, font=font,
            text=f"the margin is out of sight: the scores would have to fall by {number(float(found.margin[0]))}",
        )  # fmt: skip
    else:
        _name_line(figure, points, found, span, look)
    if found.rank is not None:
        at = float(np.log10(np.sqrt(found.rank * (found.rank + 1.0))))
        drop, margin = float(found.drop[found.rank - 1]), float(found.margin[found.rank - 1])
        figure.add_shape(
            type="line", x0=10**at, x1=10**at, y0=0.0, y1=1.0, yref="paper",
            line={"color": look.ink, "width": 1, "dash": "dash"},
        )  # fmt: skip
        figure.add_annotation(
            x=at, y=1.0, yref="paper", xanchor="left", yanchor="top", xshift=6, showarrow=False, font=font,
            text=f"front group of {found.rank:,} ends · drop {number(drop)}, margin {number(margin)}",
        )  # fmt: skip


def _name_line(figure: Figure, points: _Points, found: FrontGroup, span: tuple[float, float], look: Look) -> None:
    """What the line is, above it behind the front group; below its end where it runs close to the top."""
    floor, top = span
    beside = int(np.searchsorted(points.rank, max(1.6 * ((found.rank or 0) + 1), points.rank[-1] ** 0.3)))
    beside = min(max(beside, 1), len(points.rank) - 1)
    high = float(points.line[beside]) > top - 0.3 * (top - floor)
    at = len(points.rank) - 1 if high else beside
    figure.add_annotation(
        x=np.log10(points.rank[at]), y=float(points.line[at]), xanchor="right" if high else "left",
        yanchor="top" if high else "bottom", showarrow=False, text="the best score less the margin",
        font={"color": look.accent, "size": look.size},
    )  # fmt: skip


def _lay_out(figure: Figure, last: int, span: tuple[float, float], look: Look) -> None:
    decades = range(int(np.log10(last)) + 1)
    step, finer = (1 if len(decades) < 9 else 2), ((1, 2, 5) if len(decades) < 4 else (1,))
    ticks = [m * 10**p for p in decades if p % step == 0 for m in finer if m * 10**p <= last]
    figure.update_layout(
        template=look.template,
        height=round(460 * look.scale),
        margin={"r": 12},
        hovermode="closest",
        xaxis={
            "type": "log",
            "range": [-0.06 * np.log10(last) - 0.02, 1.02 * np.log10(last) + 0.02],
            "anchor": "y2",
            "title": {"text": "rank by score, 1 is the best; below: size of the front group"},
            "tickvals": ticks,
            "ticktext": [f"{tick:,}" for tick in ticks],
        },
        yaxis={
            "domain": [0.36, 1],
            "title": {"text": "score"},
            "range": span,
            "nticks": 6,
            "tickformat": "~s" if max(map(abs, span)) >= 1e4 else ",",
            "fixedrange": True,
        },
        yaxis2={
            "domain": [0, 0.24],
            "title": {"text": "chance"},
            "range": [0, 1.1],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["0", "50 %", "100 %"],
            "fixedrange": True,
        },
    )


def _likeliest(law: TopOneLaw) -> tuple[int | None, float]:
    """The likeliest size of the front group (None past the listed ranks) with its chance."""
    chance = np.zeros(1) if law.rank_law is None else law.rank_law
    best = int(np.argmax(chance))
    return (best + 1, float(chance[best])) if chance[best] >= law.beyond else (None, law.beyond)


def _says_now(found: FrontGroup, law: TopOneLaw) -> str:
    size, chance = _likeliest(law)
    settles = (
        f"Large margin settles on the top {size:,} in {of_releases(chance)}"
        if size is not None
        else f"Large margin takes in unlisted items in {of_releases(chance)}"
    )
    if found.rank is None:
        shortfall = int(np.argmin(found.margin - found.drop))
        alone = f"the top {shortfall + 1:,}" if shortfall else "the best item alone"
        return (
            f"No group stands clear: the nearest is {alone}, after which the scores drop "
            f"{number(float(found.drop[shortfall]))} and {number(float(found.margin[shortfall]))} is asked. {settles}."
        )
    at = found.rank - 1
    who = "The best item stands" if found.rank == 1 else f"The top {found.rank:,} stand"
    return (
        f"{who} clear: the next score is {number(float(found.drop[at]))} below the best, and "
        f"{number(float(found.margin[at]))} is asked. {settles}."
    )


def _unseen(points: _Points, scores: Scores, law: TopOneLaw) -> str:
    words = ""
    if len(points.rank) < scores.d:
        words += f" Of {scores.d:,} listed items {len(points.rank):,} are drawn, evenly over the axis."
    if scores.d > _TABLE:
        words += f" The table has the first {_TABLE:,}."
    if law.zeros:
        words += f" The dotted line at score 0 stands for {count(law.zeros, 'unlisted item')}."
    return words


def _table(scores: Scores, found: FrontGroup, law: TopOneLaw) -> pd.DataFrame:
    d = min(scores.d, _TABLE)
    rows = np.arange(d)
    padded = np.full((2, d), np.nan)
    padded[:, : min(d, len(found.drop))] = found.drop[:d], found.margin[:d]
    return pd.DataFrame(
        {
            "rank": rows + 1,
            "item": [scores.label(int(i)) for i in scores.order[:d]],
            "score": scores.values[scores.order[:d]],
            "drop to the next, from the best": padded[0],
            "margin asked": padded[1],
            "chance of a front group of this size": np.zeros(d) if law.rank_law is None else law.rank_law[:d],
        }
    )

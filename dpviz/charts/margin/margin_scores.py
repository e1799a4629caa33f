"""Sorted scores with the margin line, and the size of the front group that large margin settles on.

The upper panel has f_(x) by rank x on a logarithmic axis and the line f_1 − margin_(x−1): a score
below it stands clear of the items before its rank. The lower panel has P(ℓ = x).
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, Scores
from dpviz.base.text_format import (
    count_text,
    number_text,
    percent,
    release_frequency_text,
    safe_label,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks
from dpviz.margin import TopOneLaw
from dpviz.margin.front_group import FrontGroup

MOST_DRAWN = 400
_ALL_SHOWN = 60  # ranks from 1 on that are never thinned out
_TABLE = 100_000  # rows
_FARTHEST = 10_000_000  # ranks, where the universe goes on
_LEAST = 1e-4  # chances of ℓ below this have no stem
_DEEPEST = 4.0  # how many times the span of the scores the line may reach below it


@dataclass(frozen=True, eq=False)
class _Points:
    """Drawn 1-based ranks with their scores, and the line at ranks 2.. (NaN at rank 1)."""

    rank: Ints
    score: Floats
    line: Floats


def margin_scores_chart(
    scores: Scores, group: FrontGroup, law: TopOneLaw, *, look: Look = LIGHT
) -> Chart:
    """Scores, margin and law of ℓ for large margin; `law` has a `rank_law`."""
    points = _points(scores, group, law.zeros)
    return Chart(
        figure=_figure(scores, points, group, law, look),
        shows=(
            f"Sorted scores of {count_text(scores.d, 'item')} by rank, and the chance of each size"
            " of the front group. A line shows where a score ends that group."
        ),
        how_to_read=(
            "In the upper part each dot is an item, the best on the left. The shaded region begins"
            " one margin below the best score. The first dot in it ends the front group, and the"
            " bracket shows the margin. The lower part shows the chance of each group size, with"
            " noise in this comparison. Large margin then chooses within that group. Both rank axes"
            f" are in steps of ten.{_unseen(points, scores, law)}"
        ),
        says_now=_says_now(group, law),
        columns=_table(scores, group, law),
    )


def _points(scores: Scores, group: FrontGroup, zeros: int) -> _Points:
    d = scores.d
    line = np.append(np.nan, float(scores.values[scores.order[0]]) - group.margin)
    if d <= MOST_DRAWN:
        return _Points(np.arange(1, d + 1), scores.values[scores.order], line[:d])
    spaced = np.rint(np.geomspace(1, d, MOST_DRAWN - _ALL_SHOWN)).astype(np.int64)
    front = () if group.rank is None else range(max(1, group.rank - 3), min(d, group.rank + 4) + 1)
    rank = np.unique(
        np.concatenate([np.arange(1, min(d, _ALL_SHOWN) + 1), spaced, np.array(front, np.int64)])
    )
    return _Points(rank, scores.values[scores.order[rank - 1]], line[rank - 1])


def _figure(
    scores: Scores, points: _Points, group: FrontGroup, law: TopOneLaw, look: Look
) -> Figure:
    last = min(scores.d + law.zeros, max(_FARTHEST, 10 * scores.d))
    span = _range(points)
    decades = range(int(np.log10(last)) + 1)
    step, finer = (1 if len(decades) < 9 else 2), ((1, 2, 5) if len(decades) < 4 else (1,))
    ticks = [m * 10**p for p in decades if p % step == 0 for m in finer if m * 10**p <= last]
    return Figure(
        look,
        _shade(points, group, scores, last, span[0], look),
        marks.curve_mark(
            [scores.d + 1, last],
            [0, 0],
            look.muted,
            3,
            "dot",
            hover=f"{count_text(law.zeros, 'unlisted item')}<br>score 0",
        )
        if law.zeros
        else (),
        _items(scores, points, group, look),
        _bracket(scores, group, last, span[0], look),
        _stems(law, last, look),
        _line_words(points, group, span, look),
        height=460,
        margin={"r": 12},
        hovermode="closest",
        x=axes.axis(
            "rank by score, 1 is the best; below: size of the front group",
            (-0.06 * np.log10(last) - 0.02, 1.02 * np.log10(last) + 0.02),
            draggable=True,
            type="log",
            anchor="y2",
            tickvals=ticks,
            ticktext=[f"{tick:,}" for tick in ticks],
        ),
        y=axes.axis(
            "score",
            span,
            domain=[0.36, 1],
            nticks=6,
            tickformat="~s" if max(map(abs, span)) >= 1e4 else ",",
        ),
        y2=axes.axis("chance", (0, 1.1), domain=[0, 0.24], **axes.HALVES),
    )


def _items(scores: Scores, points: _Points, group: FrontGroup, look: Look) -> list[Mark]:
    clear = np.zeros(len(points.rank), bool) if group.rank is None else points.rank <= group.rank
    hover = [
        f"<b>{safe_label(scores.label(int(scores.order[rank - 1])), 100)}</b><br>rank {rank:,},"
        f" score {number_text(score)}"
        for rank, score in marks.zip_plain_values(points.rank, points.score)
    ]
    return [
        marks.dots(
            points.rank[held],
            points.score[held],
            colour,
            7 * look.scale,
            symbol,
            name=name,
            showlegend=False,
            hover=[hover[i] for i in np.flatnonzero(held)],
        )
        for name, held, colour, symbol in (
            ("front group", clear, look.accent, "diamond"),
            ("other items", ~clear, look.muted, "circle"),
        )
        if held.any()
    ]


def _range(points: _Points) -> tuple[float, float]:
    """Range of scores and line with some room; a line far below is cut off."""
    low, high = float(points.score.min()), float(points.score.max())
    span = max(high - low, 1e-9 * max(1.0, abs(high)))
    line = points.line[np.isfinite(points.line)]
    floor = min(
        low, max(float(line.max()) - 0.08 * span if len(line) else low, low - _DEEPEST * span)
    )
    return floor - 0.06 * (high - floor), high + 0.09 * (high - floor)


def _shade(
    points: _Points, group: FrontGroup, scores: Scores, last: int, floor: float, look: Look
) -> list[Mark]:
    rank, line = points.rank[1:].astype(float), points.line[1:]
    # the margin grows with log r: beyond the list it is told by its last two points
    if last > scores.d:
        rank, line = (
            np.append(rank, float(scores.d + 1)),
            np.append(line, scores.values.max() - group.margin[-1]),
        )
    if not len(rank) or line.max() < floor:
        return []
    seen, shade = np.where(line > floor, line, np.nan), look.transparent_colour(look.muted)
    hover = "rank %{x:,}<br>clear below %{y:,.4~r}"
    return [
        marks.filled_area(rank, np.full(len(rank), floor), shade, fill="none"),
        marks.filled_area(rank, np.maximum(line, floor), shade, fill="tonexty"),
        marks.curve_mark(rank, seen, look.ink, 2 * look.scale, "dash", hover=hover),
    ]


def _stems(law: TopOneLaw, last: int, look: Look) -> list[Mark]:
    if law.rank_law is None:
        return []
    at = np.flatnonzero(law.rank_law > _LEAST)
    at = at[np.argsort(-law.rank_law[at], kind="stable")[:MOST_DRAWN]]
    x, y = (at + 1).astype(float), law.rank_law[at]
    hover = [
        f"a group of {int(r):,}<br><b>{percent(float(p))}</b> of releases"
        for r, p in zip(x, y, strict=True)
    ]
    if law.zeros and law.beyond > _LEAST:
        x, y = np.append(x, float(last)), np.append(y, law.beyond)
        hover.append(
            f"past the listed items, up to all<br><b>{percent(law.beyond)}</b> of releases"
        )
    return [
        marks.segments((x, x), (np.zeros(len(y)), y), look.accent, 4 * look.scale, yaxis="y2"),
        marks.dots(x, y, look.accent, 9 * look.scale, hover=hover, yaxis="y2"),
    ]


def _line_words(points: _Points, group: FrontGroup, span: tuple[float, float], look: Look) -> Mark:
    """Name of the line, above it behind the front group, or below its end."""
    floor, top = span
    line = points.line[np.isfinite(points.line)]
    if not len(line) or line.max() < floor:
        return marks.text_annotation(
            "the margin is below the chart: the scores would have to drop by"
            f" {number_text(float(group.margin[0]))}",
            0.99,
            0.44,
            "right bottom",
            look.muted,
            size=look.text_size,
            xref="paper",
            yref="paper",
        )
    beside = int(
        np.searchsorted(points.rank, max(1.6 * ((group.rank or 0) + 1), points.rank[-1] ** 0.3))
    )
    beside = min(max(beside, 1), len(points.rank) - 1)
    high = float(points.line[beside]) > top - 0.3 * (top - floor)
    at, anchor = (len(points.rank) - 1, "right top") if high else (beside, "left bottom")
    return marks.text_annotation(
        "best score minus margin",
        np.log10(points.rank[at]),
        float(points.line[at]),
        anchor,
        look.ink,
        size=look.text_size,
    )


def _bracket(scores: Scores, group: FrontGroup, last: int, floor: float, look: Look) -> list[Mark]:
    """End of the front group, with the drop asked and the drop there."""
    if group.rank is None:
        return []
    at, cap = float(np.log10(np.sqrt(group.rank * (group.rank + 1.0)))), 0.008 * np.log10(last)
    best = float(scores.values.max())
    down = max(best - float(group.margin[group.rank - 1]), floor)
    left, middle, right = 10 ** (at - cap), 10**at, 10 ** (at + cap)
    drop, margin = (
        number_text(float(values[group.rank - 1])) for values in (group.drop, group.margin)
    )
    ends = (
        (np.array([middle, left, left]), np.array([middle, right, right])),
        ([best, best, down], [down, best, down]),
    )
    text = f"front group of {group.rank:,} ends:<br>the margin is {margin},<br>the drop is {drop}"
    return [
        marks.segments(*ends, look.ink, 2 * look.scale, name="margin needed", showlegend=False),
        marks.text_annotation(
            text, at, (best + down) / 2, "left middle", look.ink, size=look.text_size, xshift=8
        ),
    ]


def _likeliest(law: TopOneLaw) -> tuple[int | None, float]:
    """Likeliest size of the front group (None past the listed ranks) with its chance."""
    chance = np.zeros(1) if law.rank_law is None else law.rank_law
    best = int(np.argmax(chance))
    return (best + 1, float(chance[best])) if chance[best] >= law.beyond else (None, law.beyond)


def _says_now(group: FrontGroup, law: TopOneLaw) -> str:
    size, chance = _likeliest(law)
    settles = (
        f"Large margin chooses among the top {size:,} in {release_frequency_text(chance)}"
        if size is not None
        else f"Large margin includes unlisted items in {release_frequency_text(chance)}"
    )
    if group.rank is None:
        shortfall = int(np.argmin(group.margin - group.drop))
        alone = f"the top {shortfall + 1:,}" if shortfall else "the best item alone"
        return (
            f"No group is far enough ahead. The nearest is {alone}, where the scores drop"
            f" {number_text(float(group.drop[shortfall]))} and must drop"
            f" {number_text(float(group.margin[shortfall]))}. {settles}."
        )
    at = group.rank - 1
    who = "The best item is" if group.rank == 1 else f"The top {group.rank:,} are"
    return (
        f"{who} far enough ahead. The next score is {number_text(float(group.drop[at]))} below the"
        f" best, and {number_text(float(group.margin[at]))} is needed. {settles}."
    )


def _unseen(points: _Points, scores: Scores, law: TopOneLaw) -> str:
    words = ""
    if len(points.rank) < scores.d:
        words += (
            f" {len(points.rank):,} of {scores.d:,} listed items are drawn, evenly over the axis."
        )
    if scores.d > _TABLE:
        words += f" The table has the first {_TABLE:,}."
    if law.zeros:
        words += f" The dotted line at score 0 stands for {count_text(law.zeros, 'unlisted item')}."
    return words


def _table(scores: Scores, group: FrontGroup, law: TopOneLaw) -> dict[str, object]:
    d = min(scores.d, _TABLE)
    padded = np.full((2, d), np.nan)
    padded[:, : min(d, len(group.drop))] = group.drop[:d], group.margin[:d]
    return {
        "rank": np.arange(1, d + 1),
        "item": item_column_builder(scores.label, scores.order[:d]),
        "score": scores.values[scores.order[:d]],
        "drop to the next, from the best": padded[0],
        "margin needed": padded[1],
        "chance of a front group of this size": np.zeros(d)
        if law.rank_law is None
        else law.rank_law[:d],
    }

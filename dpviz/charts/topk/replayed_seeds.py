"""Releases of several designs with the same seeds, as strips of chosen ranks."""

from collections.abc import Sequence

import numpy as np

from dpviz.base import Ints, Scores
from dpviz.base.text_format import count_text, number_text, safe_label
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Mark,
    axes,
    design_identity,
    item_column_builder,
    marks,
)
from dpviz.charts.topk.map_frame import rank_axis_position, rank_ticks

_CELLS = 160  # across
_PAD = "\u00a0\u00a0"
_FOLDED = (
    " Neighbouring ranks share a cell, and more of them further down. A stronger colour means that"
    " more of them were chosen."
)
_LISTED = 1_000  # items of a release that the table spells out


def replayed_seeds_chart(
    labels: Sequence[str],
    ranks: Sequence[Ints],
    seeds: Sequence[int],
    scores: Scores,
    *,
    look: Look = LIGHT,
) -> Chart:
    """Strips for `ranks`, one array of shape (seeds, k) of 0-based ranks for each design."""
    k = ranks[0].shape[1]
    names = [design_identity(i, look).lettered_label(text) for i, text in enumerate(labels)]
    last = max(int(r.max()) + 1 for r in ranks)
    edges = _edges(k, min(scores.d, max(last, k + max(1, k // 4))))
    n = len(seeds)
    tied = scores.tie_counts(k).at_or_above
    hits = [_right(design, tied) for design in ranks]
    means = ", ".join(
        f"{name} {number_text(round(float(h.mean()), 1))}"
        for name, h in zip(names, hits, strict=True)
    )
    whole = ", ".join(f"{name} {int((h == k).sum())}" for name, h in zip(names, hits, strict=True))
    return Chart(
        figure=_figure(labels, ranks, seeds, edges, scores, look),
        shows=(
            f"Strips of the ranks chosen with {count_text(n, 'seed')}. Items of the true top {k} in"
            f" the list, on average: {means}."
        ),
        how_to_read=(
            "Each row is one release. Its seed is on the left, its number of right items on the"
            f" right. The true top {k:,} ends at the dashed line. A blank to the left is a missing"
            " item, a mark to the right is a wrong one"
            + (f", unless its score ties with rank {k:,}" if tied > k else "")
            + ". Mechanisms use the same seeds, each in its own way."
            + (_FOLDED if (np.diff(edges) > 1).any() else "")
        ),
        says_now=(
            f"Lists that are {'exactly' if tied == k else 'as good as'} the true top {k:,}, of"
            f" {count_text(n, 'release')} each: {whole}."
        ),
        columns=[
            {
                "design": name,
                "seed": seed,
                "rank": row[:_LISTED] + 1,
                "item": item_column_builder(scores.label, scores.order[row[:_LISTED]]),
                "true top": np.where(row[:_LISTED] < tied, "yes", ""),
            }
            for name, design in zip(names, ranks, strict=True)
            for seed, row in zip(seeds, (row[row >= 0] for row in design), strict=True)
        ],
    )


def _figure(
    labels: Sequence[str],
    ranks: Sequence[Ints],
    seeds: Sequence[int],
    edges: Ints,
    scores: Scores,
    look: Look,
) -> Figure:
    k, size, n = ranks[0].shape[1], look.text_size, len(seeds)
    strip, gap = n * 15 * look.scale, 2.6 * size
    top, bottom = 2.2 * size, 3.8 * size
    inner = len(ranks) * strip + (len(ranks) - 1) * gap
    highs = [1 - i * (strip + gap) / inner for i in range(len(ranks))]
    ticks = _ticks(edges, k)
    strips = {
        f"yaxis{axes.axis_suffix(i)}": axes.row_axis(
            [str(seed) for seed in seeds],
            look,
            domain=[max(0.0, high - strip / inner), high],
            range=[n - 0.5, -0.5],
            tickfont={"size": 0.76 * size, "color": look.muted},
            anchor="x",
        )
        for i, high in enumerate(highs)
    }
    return Figure(
        look,
        [
            [
                _strip(design, edges, i, scores, look),
                _hits(design, i, len(edges) - 1, scores.tie_counts(k).at_or_above, look),
            ]
            for i, design in enumerate(ranks)
        ],
        [
            marks.panel_heading(
                f"<b>{who.letter}</b>  {text}", 0, look, y=high, colour=who.colour, lift=2
            )
            for who, text, high in zip(
                (design_identity(i, look) for i in range(len(ranks))), labels, highs, strict=True
            )
        ],
        marks.vertical_line(rank_axis_position(edges, k), look.ink, xref=None, yref="paper"),
        height=(inner + top + bottom) / look.scale,
        margin={"l": 4.6 * size, "r": 5.4 * size, "t": top, "b": bottom},
        x=axes.axis(
            "rank by score, 1 is the best",
            (0, len(edges) - 1),
            grid=False,
            draggable=True,
            tickvals=[rank_axis_position(edges, rank - 0.5) for rank in ticks],
            ticktext=[f"{rank:,}" for rank in ticks],
            anchor=f"y{axes.axis_suffix(len(ranks) - 1)}",
        ),
        showlegend=False,
        **strips,
    )


# If ranks are many, neighbours share a cell, and its strength is their chosen part.
def _edges(k: int, last: int) -> Ints:
    """Edges of cells over 0-based ranks, with one at k; later cells widen if there are many."""
    per = -(-k // (_CELLS // 2))
    after = np.arange(k, last)
    if len(after) > _CELLS // 2:
        after = k + np.round(np.geomspace(1, last - k + 1, _CELLS // 2 + 1) - 1).astype(np.int64)
    return np.unique(np.concatenate([np.arange(0, k, per), after, [k, last]])).astype(np.int64)


def _ticks(edges: Ints, k: int) -> list[int]:
    first = int(np.searchsorted(edges, k))
    if (np.diff(edges) > 1).any():
        after = np.unique(np.linspace(first, len(edges) - 2, 6).astype(int))[1:]
        below = [int(edges[i]) + 1 for i in after]
    else:
        step = max(1, int(edges[-1]) // 30)
        below = [rank for rank in rank_ticks(k, int(edges[-1])) if rank > k + step]
    return [1, *([k] if k > 1 else []), *below]


def _strip(design: Ints, edges: Ints, i: int, scores: Scores, look: Look) -> list[Mark]:
    """Two heatmaps: chosen ranks of the true top k in the design's colour, and those below it."""
    share = np.stack([np.histogram(row, edges)[0] for row in design]) / np.diff(edges)
    names = [
        safe_label(scores.label(int(scores.order[a]))) + f"<br>rank {a + 1:,}"
        if b == a + 1
        else f"ranks {a + 1:,} to {b:,}"
        for a, b in marks.zip_plain_values(edges[:-1], edges[1:])
    ]
    in_top = np.broadcast_to(edges[:-1] < design.shape[1], share.shape)
    return [
        marks.trace(
            "heatmap",
            np.arange(len(edges), dtype=np.float32),
            np.arange(len(design)),
            z=np.where((in_top == inside) & (share > 0), share, np.nan).astype(np.float32),
            zmin=0,
            zmax=1,
            colorscale=[(0.0, look.transparent_colour(colour)), (1.0, colour)],
            showscale=False,
            xgap=1 if len(edges) < _CELLS else 0,
            ygap=2,
            customdata=[names] * len(design),
            hover="%{customdata}",
            hoverongaps=False,
            yaxis=f"y{axes.axis_suffix(i)}",
            showlegend=None,
        )
        for inside, colour in ((True, design_identity(i, look).colour), (False, look.muted))
    ]


def _right(design: Ints, tied: int) -> Ints:
    """Number of right items of each list; the first `tied` ranks count as right."""
    return np.asarray(((design >= 0) & (design < tied)).sum(1))


def _hits(design: Ints, i: int, end: int, tied: int, look: Look) -> Mark:
    k = design.shape[1]
    hits = _right(design, tied).tolist()
    return marks.point_texts(
        [end] * len(hits),
        list(range(len(hits))),
        [f"{_PAD}{h:,} of {k:,}" for h in hits],
        {"color": [look.ink if h == k else look.muted for h in hits], "size": 0.8 * look.text_size},
        yaxis=f"y{axes.axis_suffix(i)}",
        showlegend=None,
    )

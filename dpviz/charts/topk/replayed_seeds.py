"""Releases of several designs with the same seeds, as strips of ranks: what came out, and what was missed.

Invariants: one row a seed, in the same order for all designs; a mark left of the dashed line belongs to the
true top k; where ranks are many, neighbours share a cell and its strength is their part chosen.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.arrays import Ints
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.identity import identity
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.topk.class_maps import round_ranks
from dpviz.charts.words import count, label, number

__all__ = ["replayed_seeds"]

_CELLS = 160  # across
_PAD = "\u00a0\u00a0"
_FOLDED = (
    " Neighbouring ranks share a cell, more of them further down; the stronger it is, the more of them were chosen."
)
_LISTED = 1_000  # items of a release that the table spells out


def replayed_seeds(
    labels: Sequence[str], ranks: Sequence[Ints], seeds: Sequence[int], scores: Scores, *, look: Look = LIGHT
) -> Chart:
    """Strips for `ranks`, one array of shape (seeds, k) of 0-based ranks a design."""
    k = ranks[0].shape[1]
    names = [identity(i, look).named(text) for i, text in enumerate(labels)]
    last = max(int(r.max()) + 1 for r in ranks)
    shown = min(scores.d, max(last, k + max(1, k // 4)))
    size, n = look.size, len(seeds)
    strip, gap = n * 15 * look.scale, 2.6 * size
    top, bottom = 2.2 * size, 3.8 * size
    inner = len(ranks) * strip + (len(ranks) - 1) * gap
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": []}
    edges = _edges(k, shown)
    ticks = _ticks(edges, k)
    for i, design in enumerate(ranks):
        high = 1 - i * (strip + gap) / inner
        low = max(0.0, high - strip / inner)
        traces += _strip(design, edges, i, scores, look)
        traces.append(_hits(design, i, len(edges) - 1, look))
        suffix = "" if i == 0 else str(i + 1)
        layout[f"yaxis{suffix}"] = {
            "domain": [low, high],
            "range": [n - 0.5, -0.5],
            "tickvals": list(range(n)),
            "ticktext": [str(seed) for seed in seeds],
            "tickfont": {"size": 0.76 * size, "color": look.muted},
            "showgrid": False,
            "fixedrange": True,
            "anchor": "x",
        }
        layout["annotations"].append(_title(i, labels[i], high, look))
    end = _along(edges, k)
    line = {"color": look.ink, "width": 1, "dash": "dash"}
    layout["shapes"] = [{"type": "line", "x0": end, "x1": end, "y0": 0, "y1": 1, "yref": "paper", "line": line}]
    figure = Figure(traces)
    figure.update_layout(
        template=look.template,
        height=round(inner + top + bottom),
        margin={"l": 4.6 * size, "r": 5.4 * size, "t": top, "b": bottom},
        xaxis={
            "range": [0, len(edges) - 1],
            "title": {"text": "rank by score, 1 is the best"},
            "showgrid": False,
            "tickvals": [_along(edges, rank - 0.5) for rank in ticks],
            "ticktext": [f"{rank:,}" for rank in ticks],
            "anchor": f"y{len(ranks)}" if len(ranks) > 1 else "y",
        },
        showlegend=False,
        **layout,
    )
    hits = [(design < k).sum(1) for design in ranks]
    means = ", ".join(f"{name} {number(round(float(h.mean()), 1))}" for name, h in zip(names, hits, strict=True))
    whole = ", ".join(f"{name} {int((h == k).sum())}" for name, h in zip(names, hits, strict=True))
    return Chart(
        figure=figure,
        alt=f"Strips of the ranks chosen with {count(n, 'seed')}. Of the true top {k} come out on average: {means}.",
        how_to_read=(
            "Each row is one release, with its seed on the left and how many of the true top it holds on the right; "
            f"the dashed line is where the true top {k:,} ends. Left of it a blank is an item missed, right of it one "
            "that took its place. Equal seeds start the same random stream, which each mechanism uses in "
            "its own way." + (_FOLDED if _folded(edges) else "")
        ),
        says_now=f"Of these {count(n, 'release')} each, exactly the true top {k:,} came out with {whole}.",
        make_table=lambda: _table(names, ranks, seeds, scores),
    )


def _edges(k: int, shown: int) -> Ints:
    """Edges of cells over 0-based ranks, with one at k; where many follow, cells widen further down."""
    per = -(-k // (_CELLS // 2))
    after = np.arange(k, shown)
    if len(after) > _CELLS // 2:
        after = k + np.round(np.geomspace(1, shown - k + 1, _CELLS // 2 + 1) - 1).astype(np.int64)
    return np.unique(np.concatenate([np.arange(0, k, per), after, [k, shown]])).astype(np.int64)


def _along(edges: Ints, rank: float) -> float:
    """Where a 0-based rank lies, counted in cells."""
    return float(np.interp(rank, edges, np.arange(len(edges))))


def _ticks(edges: Ints, k: int) -> list[int]:
    """Ranks (from 1) with a label: the first, the k-th, and some after it."""
    first = int(np.searchsorted(edges, k))
    if (np.diff(edges) > 1).any():
        after = np.unique(np.linspace(first, len(edges) - 2, 6).astype(int))[1:]
        below = [int(edges[i]) + 1 for i in after]
    else:
        step = max(1, int(edges[-1]) // 30)
        below = [rank for rank in round_ranks(k, int(edges[-1])) if rank > k + step]
    return [1, *([k] if k > 1 else []), *below]


def _folded(edges: Ints) -> bool:
    return bool((np.diff(edges) > 1).any())


def _strip(design: Ints, edges: Ints, i: int, scores: Scores, look: Look) -> list[dict[str, Any]]:
    """Two heatmaps: what was chosen of the true top k, in the design's colour, and what was chosen below it."""
    share = np.stack([np.histogram(row, edges)[0] for row in design]) / np.diff(edges)
    names = [
        label(scores.label(int(scores.order[a]))) + f"<br>rank {a + 1:,}" if b == a + 1 else f"ranks {a + 1:,} to {b:,}"
        for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    in_top = np.broadcast_to(edges[:-1] < design.shape[1], share.shape)
    common = {
        "type": "heatmap",
        "x": np.arange(len(edges), dtype=np.float32),
        "y": np.arange(len(design)),
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "xgap": 1 if len(edges) < _CELLS else 0,
        "ygap": 2,
        "customdata": [names] * len(design),
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "yaxis": _axis(i),
    }
    return [
        common
        | {
            "z": np.where((in_top == inside) & (share > 0), share, np.nan).astype(np.float32),
            "colorscale": [(0.0, _faint(colour)), (1.0, colour)],
        }
        for inside, colour in ((True, identity(i, look).colour), (False, look.muted))
    ]


def _axis(i: int) -> str:
    return "y" if i == 0 else f"y{i + 1}"


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[j : j + 2], 16) for j in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.15)"


def _title(i: int, text: str, high: float, look: Look) -> dict[str, Any]:
    """The design's name above its strip."""
    who = identity(i, look)
    return {
        "text": f"<b>{who.letter}</b>  {text}",
        "x": 0,
        "y": high,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 2,
        "showarrow": False,
        "font": {"color": who.colour, "size": look.size},
    }


def _hits(design: Ints, i: int, right: int, look: Look) -> dict[str, Any]:
    """How many of the true top each row holds, beside it."""
    k = design.shape[1]
    hits = (design < k).sum(1).tolist()
    return {
        "type": "scatter",
        "mode": "text",
        "x": [right] * len(hits),
        "y": list(range(len(hits))),
        "text": [f"{_PAD}{h:,} of {k:,}" for h in hits],
        "textposition": "middle right",
        "textfont": {"color": [look.ink if h == k else look.muted for h in hits], "size": 0.8 * look.size},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "yaxis": _axis(i),
    }


def _table(names: Sequence[str], ranks: Sequence[Ints], seeds: Sequence[int], scores: Scores) -> pd.DataFrame:
    k = ranks[0].shape[1]
    parts = []
    for name, design in zip(names, ranks, strict=True):
        for seed, row in zip(seeds, design, strict=True):
            kept = row[:_LISTED]
            parts.append(
                pd.DataFrame(
                    {
                        "design": name,
                        "seed": seed,
                        "rank": kept + 1,
                        "item": [scores.label(int(scores.order[r])) for r in kept],
                        "true top": np.where(kept < k, "yes", ""),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)

"""Items by name, a row each: score, frequency in 100 releases, and the cut-off between them."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Floats, Scores
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    number_text,
    percent,
    releases_per_hundred_text,
    safe_label,
    shorten_text,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks
from dpviz.charts.grammar.axes import IntegerBins

# beyond it, items far from the cut-off are folded into rows that show means
MOST_NAMED = 30
_WINDOW = 18  # rows of an item each where there are more
_BEST = 3  # of them for the best
_LETTERS = 26  # of a name
_HIGH = 365  # pixels for all rows, while none is smaller than the smallest that can be read
_LEAST, _MOST = 12.4, 26.0
_CUT = 1.3  # rows that the cut-off takes
_BETWEEN = 0.05  # of the width, between the two panels


def _fold_rows(k: int, d: int) -> IntegerBins:
    """Rows over ranks, one item each or folded, the best on top."""
    if d <= MOST_NAMED:
        return IntegerBins.from_range(1, d, d)
    size = _WINDOW - _BEST  # of the rows around the cut-off
    start = min(k + 1 - (size + 1) // 2, d + 1 - size)
    if start <= _BEST + 2:  # one item alone is not folded
        start, size = 1, _WINDOW
    end = start + size - 1 if start + size < d else d
    first = [*range(1, _BEST + 1), _BEST + 1] if start > 1 else []
    first += [*range(start, end + 1), *([end + 1] if end < d else [])]
    return IntegerBins(np.array(first), np.append(np.array(first[1:]) - 1, d))


def _row_labels(rows: IntegerBins, scores: Scores) -> list[str]:
    return [
        scores.label(int(scores.order[a - 1])) if a == b else f"ranks {a:,} to {b:,}, each"
        for a, b in marks.zip_plain_values(rows.first, rows.last)
    ]


def item_rows(
    scores: Scores,
    inclusion: Floats,
    k: int,
    *,
    bounds: tuple[Floats, Floats] | None = None,
    previous_inclusion: tuple[str, Floats] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Rows of names, scores and chances from `inclusion` (d,), in item order."""
    order = scores.order
    ranked, chance = scores.values[order], inclusion[order]
    low, high = (chance, chance) if bounds is None else (bound[order] for bound in bounds)
    rows = _fold_rows(k, scores.d)
    ghost = (
        None
        if previous_inclusion is None
        else (previous_inclusion[0], rows.mean(previous_inclusion[1][order]))
    )
    folded = (
        ""
        if scores.d <= MOST_NAMED
        else " Items far from the cut-off share a row, which shows their means."
    )
    line = f" The true top {k:,} is above the dashed line, the cut-off." if k < scores.d else ""
    thin = (
        ""
        if previous_inclusion is None
        else f" The thin bars show the previous setting, {previous_inclusion[0]}."
    )
    last = min(k, scores.d) - 1  # fewer than k may be known
    edge = [
        releases_per_hundred_text(float(chance[r]), float(low[r]), float(high[r]))
        for r in (last, last + 1)
        if r < scores.d
    ]
    says = _says_now(scores, edge, k)
    return Chart(
        figure=_figure(
            rows,
            scores,
            [rows.mean(values) for values in (ranked, chance, low, high)],
            k,
            ghost,
            look,
        ),
        shows=(
            f"{count_text(len(rows.first), 'row')} for {scores.d:,} items with their scores, the"
            f" best on top."
        ),
        how_to_read=(
            "Each row is an item with its score. The right bar shows in how many of 100 releases it"
            f" is in the list.{line}{folded}{thin}"
        ),
        says_now=says,
        columns={
            "rank": np.arange(1, scores.d + 1),
            "item": item_column_builder(scores.label, order),
            "score": ranked,
            "chance of being selected": chance,
            **(
                {}
                if previous_inclusion is None
                else {f"chance with {previous_inclusion[0]}": previous_inclusion[1][order]}
            ),
        },
    )


def item_rows_table(scores: Scores, inclusion: Floats, k: int) -> pd.DataFrame:
    """Rows of `item_rows` as drawn: first and last rank, item, mean score and chance."""
    rows, order = _fold_rows(k, scores.d), scores.order
    return pd.DataFrame(
        {
            "first": rows.first,
            "last": rows.last,
            "item": _row_labels(rows, scores),
            "score": rows.mean(scores.values[order]),
            "chance": rows.mean(inclusion[order]),
        }
    )


def _figure(
    rows: IntegerBins,
    scores: Scores,
    means: list[Floats],
    k: int,
    ghost: tuple[str, Floats] | None,
    look: Look,
) -> Figure:
    score, chance, low, high = means
    names = _row_labels(rows, scores)
    row = min(max(_HIGH / len(names), _LEAST), _MOST) * look.scale
    size = min(look.text_size, 0.88 * row)
    hover = [
        f"<b>{safe_label(name)}</b>{f'<br>rank {a:,}' if a == b else ', means'}<br>score"
        f" {number_text(s)}<br>in the list in <b>{percent(p, x, y)}</b> of releases"
        for name, a, b, s, p, x, y in marks.zip_plain_values(
            names, rows.first, rows.last, score, chance, low, high
        )
    ]
    font = {"size": size, "color": look.ink}
    common: dict[str, Any] = {
        "width": 0.7,
        "textposition": "outside",
        "cliponaxis": False,
        "constraintext": "none",
        "textfont": font,
        "hover": hover,
    }
    right: dict[str, Any] = {"xaxis": "x2", "showlegend": False}
    # the cut-off takes room between two rows
    place = np.arange(len(names)) + np.where(rows.first > k, _CUT, 0.0)
    places, colours = place.astype(np.float32), marks.chance_colours(chance, look)
    between = int((rows.last <= k).sum()) - 0.5 + _CUT / 2
    cut = _cut(between, scores, k, size, look) if k < scores.d else []
    wide = max(len(shorten_text(name, _LETTERS)) for name in names)
    top, above, half = float(place[-1]) + 0.6, 1.7 * look.text_size, 0.5 + _BETWEEN / 2
    below = 4 if ghost is None else above
    lengths: dict[str, Any] = {
        "showticklabels": False,
        "grid": False,
        "zeroline": True,
        "zerolinecolor": look.line,
    }
    return Figure(
        look,
        ()
        if ghost is None
        else marks.horizontal_bars(
            ghost[1].astype(np.float32),
            places + np.float32(marks.BELOW),
            look.muted,
            width=marks.THIN,
            name=ghost[0],
            hover=f"{ghost[0]}: %{{x:.1%}}",
            **right,
        ),
        marks.horizontal_bars(
            score,
            places,
            colours,
            text=[number_text(s, 4) for s in score.tolist()],
            **common,
        ),
        marks.horizontal_bars(chance.astype(np.float32), places, colours, xaxis="x2", **common),
        marks.point_texts(
            chance.astype(np.float32),
            places,
            [
                f"\u00a0{releases_per_hundred_text(*each)}"
                for each in marks.zip_plain_values(chance, low, high)
            ],
            font,
            name="in 100 releases",
            **right,
        ),
        _headings(half, look),
        [] if ghost is None else _setting_before(ghost[0], look),
        cut,
        barmode="overlay",
        height=(row * (top + 0.6) + above + below) / look.scale,
        margin={"l": 0.53 * size * wide + 12, "r": 3 * size, "t": above, "b": below},
        x=axes.axis(None, axes.span_from_zero(0.3, score), domain=[0, 1 - half], **lengths),
        x2=axes.axis(None, (0, 1.02), domain=[half, 1], anchor="y", **lengths),
        y=axes.row_axis(
            [*(safe_label(name, _LETTERS) for name in names), *(["<i>cut-off</i>"] if cut else [])],
            look,
            [*place.tolist(), *([between] if cut else [])],
            range=[top, -0.6],
            tickfont=font,
            showline=False,
        ),
    )


def _headings(half: float, look: Look) -> list[Mark]:
    return [
        marks.panel_heading(text, x, look, colour=look.muted, size=_small(look))
        for x, text in ((0.0, "score"), (half, "in 100 releases"))
    ]


def _setting_before(label: str, look: Look) -> Mark:
    """Legend of the thin bars; below the panels, as the headings leave it no room."""
    return marks.text_annotation(
        f"━━ before: {label}",
        1,
        0,
        "right top",
        look.muted,
        size=_small(look),
        xref="paper",
        yref="paper",
    )


def _small(look: Look) -> float:
    return min(look.text_size, 12 * look.scale)


def _cut(at: float, scores: Scores, k: int, size: float, look: Look) -> list[Mark]:
    ranked = scores.values[scores.order[k - 1 : k + 1]]
    apart = float(ranked[0] - ranked[1])
    return [
        marks.horizontal_line(at, look.ink, xref="paper", yref=None),
        marks.text_annotation(
            f"the true top {k:,} ends: {f'distance {number_text(apart, 4)}' if apart else 'a tie'}",
            0.02,
            at,
            "left middle",
            look.muted,
            size=size,
            xref="paper",
            bgcolor=look.paper,
        ),
    ]


def _says_now(scores: Scores, edge: list[str], k: int) -> str:
    last, *after = (
        isolate_direction(shorten_text(scores.label(int(scores.order[r])), _LETTERS))
        for r in (min(k, scores.d) - 1, k)
        if r < scores.d
    )
    a, b = scores.tie_counts(k)
    who = "the best item" if k == 1 else f"the last of the true top {k:,}"
    says = f"{last}, {who}, is in {edge[0]} of 100 lists."
    if after:
        says += f" {after[0]}, the next item, is in {edge[1]}."
    if b > k:
        says += f" Ranks {a + 1:,} to {b:,} tie, so the choice among them is arbitrary."
    return says

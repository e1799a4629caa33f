"""Sorted scores, coloured by each item's chance to be selected."""

import numpy as np

from dpviz.base import Floats, Scores
from dpviz.base.text_format import count_text, number_text, percent, safe_label
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks
from dpviz.charts.grammar.axes import IntegerBins

# beyond it, neighbouring ranks share a bar
MOST_BARS = 400
_SELDOM = 1e-3  # ranks beyond the last one selected this often are left out where there are many


def score_bars(
    scores: Scores,
    inclusion: Floats,
    k: int,
    *,
    bounds: tuple[Floats, Floats] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Bars of the scores by rank, coloured by `inclusion` (d,), in item order."""
    ranked, chance = scores.values[scores.order], inclusion[scores.order]
    low, high = (chance, chance) if bounds is None else (bound[scores.order] for bound in bounds)
    last = _shown(chance, k)
    fold = IntegerBins.from_range(1, last, MOST_BARS)
    cut = slice(min(k, scores.d) - 1, k + 1)  # fewer than k may be known
    edge = [percent(p, a, b) for p, a, b in zip(chance[cut], low[cut], high[cut], strict=True)]
    return Chart(
        figure=_figure(
            scores, fold, [fold.mean(values) for values in (ranked, chance, low, high)], k, look
        ),
        shows=(
            f"Bars of {scores.d:,} scores from the highest to the lowest. Items up to rank {k} have"
            f" a chance between {percent(float(chance[:k].min()))} and"
            f" {percent(float(chance[:k].max()))} to be in the list."
        ),
        how_to_read=(
            "Each bar is an item, the best on the left. The bar under it, and its shade, show the"
            f" chance that it is in the list. The true top {k:,} ends at the dashed line."
            + _folding_words(fold, last, chance)
        ),
        says_now=_says_now(scores, edge, k, right=float(chance[:k].sum())),
        columns={
            "rank": np.arange(1, scores.d + 1),
            "item": item_column_builder(scores.label, scores.order),
            "score": ranked,
            "chance of being selected": chance,
        },
    )


def _shown(chance: Floats, k: int) -> int:
    d = len(chance)
    if d <= MOST_BARS:
        return d
    seen = np.flatnonzero(chance > _SELDOM)
    return min(d, max(MOST_BARS, 2 * k, int(seen[-1]) + 1 if len(seen) else 0))


def _figure(scores: Scores, fold: IntegerBins, means: list[Floats], k: int, look: Look) -> Figure:
    score, chance = means[:2]
    names = [
        f"<b>{safe_label(scores.label(int(scores.order[a - 1])))}</b><br>rank {a:,}"
        if a == b
        else f"<b>ranks {a:,} to {b:,}</b>, means"
        for a, b in marks.zip_plain_values(fold.first, fold.last)
    ]
    hover = [
        f"{name}<br>score {number_text(s)}<br>in the list in <b>{percent(p, a, b)}</b> of releases"
        for name, s, p, a, b in marks.zip_plain_values(names, *means)
    ]
    x, colours = fold.centres.astype(np.float32), marks.chance_colours(chance, look)
    width = (fold.widths * (0.82 if (fold.bin_size == 1 and len(names) <= 150) else 1.0)).astype(
        np.float32
    )
    low, high = axes.span_from_zero(0.06, score)
    end = float(fold.last[-1]) + 0.5
    return Figure(
        look,
        marks.vertical_bars(x, score, colours, width=width, hover=hover),
        marks.vertical_bars(
            x, chance.astype(np.float32), colours, width=width, hover=hover, yaxis="y2"
        ),
        _colour_bar(look),
        _cutoff(scores, k, end, look) if k < scores.d else (),
        margin={"r": 7 * look.text_size},
        height=430,
        bargap=0,
        x=axes.axis(
            "rank by score, 1 is the best",
            (0.5 - end * 0.006, end + end * 0.006),
            grid=False,
            draggable=True,
            anchor="y2",
            tickformat=",d",
        ),
        y=axes.axis(
            "score",
            (low, high),
            domain=[0.36, 1],
            nticks=6,
            tickformat="~s" if max(abs(low), abs(high)) >= 1e4 else "",
        ),  # so that large scores fit beside it
        y2=axes.axis("chance", (0, 1.04), domain=[0, 0.26], **axes.HALVES),
    )


def _colour_bar(look: Look) -> Mark:
    """Mark without points for the colour bar, as bars with finished colours draw faster."""
    scale = axes.colour_bar(
        "chance", [0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"], look
    )
    marker = {
        "color": [0.0],
        "colorscale": look.visible_colour_scale,
        "cmin": 0,
        "cmax": 1,
        "colorbar": {**scale, "len": 0.66, "y": 1, "yanchor": "top"},
    }
    return marks.trace("scatter", [None], [None], mode="markers", marker=marker)


def _cutoff(scores: Scores, k: int, end: float, look: Look) -> list[Mark]:
    """Line after rank k, with the names on both sides and the distance of their scores."""
    last, first = (int(item) for item in scores.order[k - 1 : k + 1])
    apart = float(scores.values[last] - scores.values[first])
    names = [
        f"{rank:,}: {safe_label(scores.label(item), 28)}"
        for rank, item in ((k, last), (k + 1, first))
    ]
    side, shift = ("left", 6) if k < 0.6 * end else ("right", -6)
    text = (
        f"true top {k:,} ends ·"
        f" {f'distance {number_text(apart)}' if apart else 'a tie'}<br>{'<br>'.join(names)}"
    )
    return [
        marks.vertical_line(k + 0.5, look.ink, xref=None, yref="paper", y1=1.0),
        marks.text_annotation(
            text, k + 0.5, 1.0, f"{side} top", look.muted, yref="paper", align=side, xshift=shift
        ),
    ]


def _folding_words(fold: IntegerBins, last: int, chance: Floats) -> str:
    words = (
        f" Each bar folds {fold.bin_size} neighbouring ranks into their mean."
        if fold.bin_size > 1
        else ""
    )
    if last == len(chance):
        return words
    left = float(chance[last:].sum())
    return words + (
        f" The {len(chance) - last:,} items after rank {last:,} are not drawn. Together they fill "
        f"{number_text(round(left, 3)) if left >= 0.001 else 'fewer than 0.001'} places on average."
    )


def _says_now(scores: Scores, edge: list[str], k: int, right: float) -> str:
    a, b = scores.tie_counts(k)
    start = f"On average {number_text(round(right, 2))} of the {count_text(k, 'place')} " + (
        "goes to the true top item" if k == 1 else f"go to the true top {k:,}"
    )
    if b > k:
        return f"{start}. Ranks {a + 1:,} to {b:,} tie, so the choice among them is arbitrary."
    return (
        f"{start}. The last of them is in the list in {edge[0]} of releases"
        + "".join(f", the next item in {chance}" for chance in edge[1:])
        + "."
    )

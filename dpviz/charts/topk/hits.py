"""Hits of a top-k law: its law as bars, and drawn releases as dots.

Symbols: hits[j] = P(exactly j of the k chosen score at least the k-th largest score).
"""

import math
from collections.abc import Callable

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import count_text, number_text, percent, release_frequency_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks
from dpviz.charts.grammar.axes import IntegerBins

_MOST_BARS = 60
_TOLD = 16  # bars, each of which has its chance above it
_SELDOM = 1e-3  # what lies below the first bar is together this seldom

Bounds = Callable[[Floats], tuple[Floats, Floats]]


def hit_count_chart(
    hits: Floats,
    *,
    at_least: int,
    bounds: Bounds,
    method: str = "exact",
    previous_hits: tuple[str, Floats] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Bars of `hits`, shape (k + 1,), with the chance that `at_least` are in the true top k.

    `bounds` gives the intervals of probabilities; `previous_hits` is the name and law of another
    setting.
    """
    k = len(hits) - 1
    start = _start([hits, *([] if previous_hits is None else [previous_hits[1]])], at_least)
    fold = IntegerBins.from_range(start, k, _MOST_BARS)
    chance = fold.sum(hits[start:])
    (low, high), (lows, highs) = bounds(chance), bounds(hits)
    reached = min(float(hits[at_least:].sum()), 1.0)
    often = release_frequency_text(reached, *(float(end) for end in bounds(np.array(reached))))
    mean = float(hits @ np.arange(k + 1))
    wanted = (
        f"At least {at_least:,} of the {k:,} items are"
        if at_least < k
        else f"{'Both' if k == 2 else f'All {k:,}'} items are"
        if k > 1
        else "The item is"
    )
    likeliest = int(np.argmax(hits))
    drawn = " The thin lines are 95 % intervals." if method == "estimated" else ""
    folded = f" Each bar adds up {fold.bin_size} neighbouring numbers." if fold.bin_size > 1 else ""
    thin = (
        ""
        if previous_hits is None
        else f" The grey lines show the previous setting, {previous_hits[0]}."
    )
    says = (
        f"{wanted} right in {often}. Most often {likeliest:,} {'is' if likeliest == 1 else 'are'}"
        f" right, on average {number_text(round(mean, 2))}."
    )
    ghost = (
        None if previous_hits is None else (previous_hits[0], fold.sum(previous_hits[1][start:]))
    )
    return Chart(
        figure=_figure(fold, (chance, low, high), at_least, method, ghost, look),
        shows=f"Bars of how many of the {k} items in the list belong to the true top {k}.",
        how_to_read=(
            f"Each bar is a number of items of the true top {k:,}. Bars to the right of the dashed"
            f" line meet the goal.{folded}{drawn}{thin}"
        ),
        says_now=says,
        columns={
            "right": np.arange(k + 1),
            "chance": hits,
            "low": lows,
            "high": highs,
            **(
                {}
                if previous_hits is None
                else {f"chance with {previous_hits[0]}": previous_hits[1]}
            ),
        },
    )


def _start(laws: list[Floats], at_least: int) -> int:
    """First count that is drawn: below it counts are rare, and the goal is in view."""
    seen = min(int(np.searchsorted(np.cumsum(law), _SELDOM)) for law in laws)
    return max(0, min(seen, at_least - 1, len(laws[0]) - 4))


def _figure(
    fold: IntegerBins,
    figures: tuple[Floats, Floats, Floats],
    at_least: int,
    method: str,
    before: tuple[str, Floats] | None,
    look: Look,
) -> Figure:
    chance, low, high = figures
    colours = [look.right if first >= at_least else look.muted for first in fold.first.tolist()]
    hover = [
        f"{f'{a:,}' if a == b else f'{a:,} to {b:,}'} right<br>in <b>{percent(p, x, y)}</b> of"
        " releases"
        for a, b, p, x, y in marks.zip_plain_values(fold.first, fold.last, chance, low, high)
    ]
    few = len(chance) <= _TOLD
    x = fold.centres.astype(np.float32)
    top = float((high if before is None else np.maximum(high, before[1])).max())
    if fold.last[-1] <= _TOLD:
        top = 1.0  # one scale for every ε; of more counts no bar might be seen on it
    # a text stands at the end of its bar, or above a line that would go through it
    line = high if before is None else before[1]
    ends = np.where(abs(line - high - 0.08 * top) < 0.08 * top, line, high)
    return Figure(
        look,
        marks.vertical_bars(
            x,
            chance.astype(np.float32),
            colours,
            width=(fold.widths * 0.7).astype(np.float32),
            error_y=marks.error_bars(
                chance, low, high, np.float32, color=look.ink, thickness=1.2, width=3
            )
            if method == "estimated"
            else None,
            hover=hover,
            name="hits",
            showlegend=False,
        ),
        marks.point_texts(
            x,
            ends.astype(np.float32),
            [percent(*each) for each in marks.zip_plain_values(chance, low, high)],
            None,
            at="top center",
            name="chance",
        )
        if few
        else (),
        ()
        if before is None
        else marks.segments(
            (x - 0.45 * fold.widths, x + 0.45 * fold.widths),
            (before[1], before[1]),
            look.muted,
            2.5 * look.scale,
            name=before[0],
            hover=f"{before[0]}: %{{y:.1%}}",
        ),
        marks.vertical_line(at_least - 0.5, look.ink),
        height=250,
        barmode="overlay",
        margin={
            "t": 1.8 * look.text_size,
            "b": (5.4 if before is not None else 3.6) * look.text_size,
        },
        x=axes.axis(
            f"right items of {int(fold.last[-1]):,}",
            (float(fold.first[0]) - 0.7, float(fold.last[-1]) + 0.7),
            grid=False,
            tickformat=",d",
            dtick=1 if few else None,
        ),
        y=axes.percent_axis(span=(0, 1.18 * top or 1.0)),
        legend=axes.bottom_legend(),
    )


def drawn_hits_chart(
    hits: Ints,
    k: int,
    *,
    mean: float,
    whole: float,
    method: str = "exact",
    chosen_release: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Dots for `hits`, shape (n,): the number of true top k items in each release.

    `mean` and `whole`, the chance of all k, come from the law, never from these draws.
    """
    n = len(hits)
    low, high = min(int(hits.min()), math.floor(mean)), max(int(hits.max()), math.ceil(mean))
    x, y = _piled(hits, per_row=max(1, min(10, 44 // (high - low + 1))))
    all_right = hits == k
    tallest = max(float(y.max()), 6.0)
    exactly = int(all_right.sum())
    return Chart(
        figure=Figure(
            look,
            [
                marks.dots(
                    x[held],
                    y[held],
                    colour,
                    8 * look.scale,
                    symbol,
                    name=name,
                    customdata=np.column_stack([np.flatnonzero(held) + 1, hits[held]]),
                    hover=f"release %{{customdata[0]}}<br>%{{customdata[1]}} of {k:,} right",
                )
                for name, held, colour, symbol in (
                    (f"all {k:,} right", all_right, look.right, "diamond"),
                    ("not all right", ~all_right, look.muted, "circle"),
                )
                if held.any()
            ],
            ()
            if chosen_release is None
            else marks.dots(
                x[[chosen_release]].tolist(),
                y[[chosen_release]].tolist(),
                marks.CLEAR,
                13 * look.scale,
                None,
                (2, look.ink),
                name="shown in full",
            ),
            [
                marks.text_annotation(
                    f"{int((hits == value).sum()):,}",
                    value,
                    float(y[hits == value].max()) + tallest * 0.09,
                    "",
                    look.muted,
                )
                for value in np.unique(hits).tolist()
            ],
            marks.text_annotation(
                f"{method} mean {number_text(round(mean, 2))}",
                mean,
                0.98,
                "bottom",
                look.muted,
                yref="paper",
                ay=-2.2 * look.text_size,
                ax=0,
                showarrow=None,
                arrowhead=2,
                arrowwidth=1.2,
                arrowcolor=look.ink,
            ),
            height=320,
            x=axes.axis(
                f"right items of {k:,}",
                (low - 0.7, high + 0.7),
                grid=False,
                tickformat=",d",
                dtick=max(1, -(-(high - low) // 14)),
            ),
            y=axes.axis(None, (0, tallest * 1.2), grid=False, showticklabels=False),
            legend=axes.horizontal_legend(-0.25, "top"),
            margin={"l": 8, "t": 3.4 * look.text_size, "b": 6.5 * look.text_size},
        ),
        shows=f"Stacked dots of {count_text(n, 'release')}.",
        how_to_read=(
            "Each dot is one release. A dot further right has more right items. The arrow shows the"
            f" {method} mean, which is not computed from these releases."
        ),
        says_now=(
            f"In {exactly:,} of {count_text(n, 'release')} all {k:,} are right. The {method} chance"
            f" of that is {percent(whole)}."
        ),
        columns={"release": np.arange(1, n + 1), "right": hits},
    )


def _piled(hits: Ints, per_row: int) -> tuple[Floats, Floats]:
    """Place of each dot: a pile for each value, filled row by row in the order drawn."""
    order = np.argsort(hits, kind="stable")
    ordered = hits[order]
    place = np.empty(len(hits), np.int64)
    place[order] = np.arange(len(hits)) - np.searchsorted(ordered, ordered, side="left")
    row, column = np.divmod(place, per_row)
    x = hits + (
        column - (np.minimum(np.array([(hits == value).sum() for value in hits]), per_row) - 1) / 2
    ) * (0.8 / per_row)
    return x.astype(float), row + 1.0

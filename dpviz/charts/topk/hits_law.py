"""The law of hits: how many of the items that come out belong to the true top k, and how often.

Symbols: hits[j] = P(exactly j of the k chosen score at least the k-th largest score).
Invariants: bars begin at zero and hold all but a thousandth of the mass below them; neighbouring counts are
folded where there are many, and intervals are those of what is drawn.
"""

from collections.abc import Callable

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.fold import Fold
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    axis,
    columns,
    dots,
    errors,
    legend_below,
    shares,
    upright,
    words,
)
from dpviz.charts.words import number, of_releases, percent

_MOST_BARS = 60
_SELDOM = 1e-3  # what lies below the first bar is together this seldom

Bounds = Callable[[Floats], tuple[Floats, Floats]]


def hits_law(
    hits: Floats,
    *,
    at_least: int,
    bounds: Bounds,
    method: str = "exact",
    before: tuple[str, Floats] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Bars of `hits`, shape (k + 1,), with how often `at_least` of the chosen belong to the true top k.

    `bounds` gives the interval of probabilities of the same law by `method` ("exact" or "estimated", which draws
    them); `before` is another setting with the same k, its name and its law.
    """
    k = len(hits) - 1
    start = _start([hits, *([] if before is None else [before[1]])], at_least)
    fold = Fold.of(start, k, _MOST_BARS)
    chance = fold.sum(hits[start:])
    low, high = bounds(chance)
    reached = min(float(hits[at_least:].sum()), 1.0)
    often = of_releases(reached, *(float(end) for end in bounds(np.array(reached))))
    mean = float(hits @ np.arange(k + 1))
    wanted = f"At least {at_least:,} of the {k:,} are" if at_least < k else f"All {k:,} are" if k > 1 else "The item is"
    likeliest = int(np.argmax(hits))
    drawn = " The thin lines are 95 % intervals." if method == "estimated" else ""
    folded = f" Each bar adds up {fold.each} neighbouring numbers." if fold.each > 1 else ""
    marks = "" if before is None else f" The open diamonds show {before[0]}, the setting before."
    says = f"{wanted} right in {often}; most often {likeliest:,} are, on average {number(round(mean, 2))}."
    ghost = None if before is None else (before[0], fold.sum(before[1][start:]))
    return Chart(
        figure=_figure(fold, (chance, low, high), at_least, method, ghost, look),
        alt=f"Bars of how many of the {k} items that come out belong to the true top {k}. {says}",
        how_to_read=(
            f"The further right, the more of the {k:,} that come out belong to the true top {k:,}; the higher the bar, "
            f"the more often. Right of the dashed line the goal is met.{folded}{drawn}{marks}"
        ),
        says_now=says,
        make_table=lambda: {
            "right": np.arange(k + 1),
            "chance": hits,
            "low": bounds(hits)[0],
            "high": bounds(hits)[1],
            **({} if before is None else {f"chance with {before[0]}": before[1]}),
        },
    )


def _start(laws: list[Floats], at_least: int) -> int:
    """The first count that is drawn: what lies below is hardly ever seen, and the goal is in view."""
    seen = min(int(np.searchsorted(np.cumsum(law), _SELDOM)) for law in laws)
    return max(0, min(seen, at_least - 1, len(laws[0]) - 4))


def _figure(
    fold: Fold,
    told: tuple[Floats, Floats, Floats],
    at_least: int,
    method: str,
    before: tuple[str, Floats] | None,
    look: Look,
) -> Figure:
    chance, low, high = told
    colours = [look.sequential[6] if first >= at_least else look.sequential[3] for first in fold.first.tolist()]
    hover = [
        f"{f'{a:,}' if a == b else f'{a:,} to {b:,}'} right<br>in <b>{percent(p, x, y)}</b> of releases"
        for a, b, p, x, y in zip(
            fold.first.tolist(), fold.last.tolist(), chance.tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]
    few = len(chance) <= 16
    x = fold.middle.astype(np.float32)
    tops = high if before is None else np.maximum(high, before[1])
    top = float(tops.max())
    return Figure(
        look,
        columns(
            x,
            chance.astype(np.float32),
            colours,
            width=(fold.width * 0.82).astype(np.float32),
            error_y=errors(chance, low, high, np.float32, color=look.ink, thickness=1.2, width=3)
            if method == "estimated"
            else None,
            hover=hover,
            name="hits",
            showlegend=False,
        ),
        ()
        if before is None
        else dots(
            x,
            before[1].astype(np.float32),
            None,
            9 * look.scale,
            "diamond-open",
            (2, look.categories[0]),
            name=before[0],
            hover=f"{before[0]}: %{{y:.1%}}",
        ),
        words(
            x,
            (high if before is None else np.maximum(high, before[1] + 0.02 * top)).astype(np.float32),
            [percent(*each) for each in zip(chance.tolist(), low.tolist(), high.tolist(), strict=True)],
            None,
            at="top center",
            name="chance",
        )
        if few
        else (),
        upright(at_least - 0.5, look.ink),
        height=250,
        margin={"t": 1.8 * look.size, "b": (5.4 if before is not None else 3.6) * look.size},
        x=axis(
            f"how many of the {int(fold.last[-1]):,} are right",
            (float(fold.first[0]) - 0.7, float(fold.last[-1]) + 0.7),
            grid=False,
            tickformat=",d",
            dtick=1 if few else None,
        ),
        y=shares(span=(0, 1.18 * top or 1.0)),
        legend=legend_below(),
    )

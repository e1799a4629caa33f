"""One release of noisy top-k with gap as a staircase: how far each item came out below the one before it.

Symbols: position r = 1 … k in noisy order; step r = gap r; the last step leads to the best item left out.
Invariants: published is the staircase; what is true stands beside it and is marked as not published.
"""

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axis, bars, dots, legend_below
from dpviz.charts.words import count, isolated, label, number, trimmed
from dpviz.gaps.noisy_top_k import GapRelease

_NAMED = 25  # steps that are named on the axis
_STEPS = 400  # steps that are drawn


def gap_release_chart(release: GapRelease, scores: Scores, *, look: Look = LIGHT) -> Chart:
    """The staircase of `release`, with the true differences between the items beside it."""
    k = len(release.items)
    below = np.concatenate([[0.0], np.cumsum(release.gaps)])
    true = scores.values[release.items[0]] - scores.values[release.items]
    names = [scores.label(int(i)) for i in release.items]
    exactly = int((scores.rank[release.items] < k).sum())
    first, last = (isolated(trimmed(name)) for name in (names[0], names[-1]))
    return Chart(
        figure=_figure(below, true, names, look),
        alt=(
            f"A staircase of {count(k, 'selected item')}, from {first} down to {last}, which came out "
            f"{number(float(below[k - 1]))} lower; the best item left out is another "
            f"{number(float(release.gaps[-1]))} below."
        ),
        how_to_read=(
            "Each step down is a gap: how far the noisy score of an item lies above the next one's. Items and gaps "
            "(bars) are published; the diamonds, how far the items truly lie below the first, are not."
            + (f" The first {_STEPS} steps are drawn." if k > _STEPS else "")
        ),
        says_now=_says(release, scores, names, exactly),
        make_table=lambda: {
            "place": np.arange(1, k + 1),
            "item": names,
            "gap to the next (published)": release.gaps,
            "true score (not published)": scores.values[release.items],
            "true rank (not published)": scores.rank[release.items] + 1,
        },
    )


def _says(release: GapRelease, scores: Scores, names: list[str], exactly: int) -> str:
    k = len(names)
    first = isolated(trimmed(names[0]))
    if k == 1:
        return f"{first} came out first, {number(release.gaps[0], 3)} above the best item left out."
    return (
        f"{first} came out first, {number(release.gaps[0], 3)} above the second; "
        f"{'all' if exactly == k else f'{exactly:,} of the'} {k:,} belong to the true top {k:,}."
    )


def _figure(below: Floats, true: Floats, names: list[str], look: Look) -> Figure:
    k = min(len(names), _STEPS)
    place = np.arange(1, k + 2)
    start, stop = below[:k], below[1 : k + 1]
    hover = [
        f"place {r:,}: <b>{label(name, 100)}</b><br>gap to the next {number(b - a, 3)}"
        for r, name, a, b in zip(place.tolist(), names[:k], start.tolist(), stop.tolist(), strict=False)
    ]
    named = k <= _NAMED
    ticks = [*names[:k], "best item left out"]
    wide = max((len(trimmed(tick, 26)) for tick in ticks), default=0) if named else 0
    low, high = min(0.0, float(true.min())), max(float(below[k]), float(true.max()))
    span = (high - low) or 1.0
    return Figure(
        look,
        bars(
            (stop - start).astype(np.float32),
            place[:k],
            look.categories[3],
            base=start.tolist(),
            width=0.62 if named else 1.0,
            name="gap to the next item (published)",
            hover=hover,
        ),
        dots(
            true[:k].astype(np.float32),
            place[:k],
            look.categories[0],
            (9 if named else 5) * look.scale,
            "diamond-open",
            (2, look.categories[0]),
            name="true distance below the first (not published)",
            hover="truly %{x:.4~g} below the first",
        ),
        height=min(130 + 26 * (k + 1), 470) if named else 430,
        barmode="overlay",
        margin={"l": (wide * 0.56 + 1.6) * look.size if named else 4.6 * look.size, "t": 12, "b": 6.6 * look.size},
        x=axis("noisy score, in score units below the first item's", (low - 0.03 * span, high + 0.05 * span)),
        y=axis(
            None if named else "place in noisy order",
            (k + 1.6, 0.4),
            grid=False,
            tickvals=place.tolist() if named else None,
            ticktext=[label(tick, 26) for tick in ticks] if named else None,
            tickformat=None if named else ",d",
        ),
        legend=legend_below(traceorder="normal"),
    )

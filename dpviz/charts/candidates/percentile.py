"""The percentile sparse vector, query by query: quality of each candidate, and end of the search."""

from collections.abc import Iterator, Sequence

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    number_text,
    percent,
    release_frequency_text,
    safe_label,
    shorten_text,
    stated_percent_text,
)
from dpviz.candidates import StopLaw
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, marks

MOST_STEPS = 40


def percentile_search_chart(
    names: Sequence[str],
    chances: Floats,
    percentile: float,
    law: StopLaw,
    threshold: float,
    *,
    look: Look = LIGHT,
) -> Chart:
    """`chances` are P(a run scores ≥ `threshold`) by query; `law` is that of the stopping query."""
    steps = min(len(names), MOST_STEPS)
    reached = 1 - np.append(0.0, np.cumsum(law.stop)[:-1])
    yes = np.where(reached > 1e-15, law.stop / np.maximum(reached, 1e-15), 0.0)
    good = chances >= percentile
    rows = [f"{i + 1:,}\u2002{safe_label(name, 32)}" for i, name in enumerate(names[:steps])] + [
        "<i>none of them</i>"
    ]
    widest = max(float(law.stop.max()), law.none, float(reached.max()))
    best = int(np.argmax(law.stop))
    right = float(law.stop[good].sum())
    says = (
        f"The search stops most often at {isolate_direction(shorten_text(names[best]))}, in"
        f" {release_frequency_text(float(law.stop[best]))}. It names a candidate that reaches p* in"
        f" {release_frequency_text(right)}, and none in {release_frequency_text(law.none)}."
    )
    left = (
        f" {count_text(len(names) - steps, 'query', 'queries')} more are in the table only."
        if len(names) > steps
        else ""
    )
    return Chart(
        figure=Figure(
            look,
            _shares(names[:steps], chances[:steps], percentile, look),
            _stops(names[:steps], law, reached[:steps], yes[:steps], look),
            height=29 * len(rows) + 110,
            bargap=0.3,
            barmode="overlay",
            y=axes.row_axis(rows, look),
            x=axes.axis(
                f"runs that score {number_text(threshold)} or more",
                (-0.04, 1.04),
                domain=[0, 0.36],
                **axes.HALVES,
            ),
            x2=axes.percent_axis(
                "chance that the search ends here", (0, widest * 1.13), domain=[0.42, 1], anchor="y"
            ),
            legend=axes.horizontal_legend(1, "bottom"),
            margin={
                "l": 18.5 * look.text_size,
                "t": 2.6 * look.text_size,
                "b": 3.8 * look.text_size,
                "r": 12,
            },
        ),
        shows=(
            f"For {len(names):,} queries in order, how often a run reaches the threshold and where"
            f" the search stops."
        ),
        how_to_read=(
            "The search goes from top to bottom. On the left is the share of a candidate's runs"
            " that reach the threshold; the dashed line is p*. On the right the outline is the"
            " chance"
            " that the search gets this far. The bar is the chance that it ends here." + left
        ),
        says_now=says,
        columns={
            "query": np.arange(1, len(names) + 1),
            "candidate": list(names),
            "share of runs": chances,
            "asked": reached,
            "yes if asked": yes,
            "stops here": law.stop,
        },
    )


def _shares(names: Sequence[str], chances: Floats, percentile: float, look: Look) -> Iterator[Mark]:
    good = chances >= percentile
    for held, name, symbol, colour in (
        (good, f"reaches p* = {stated_percent_text(percentile)}", "circle", look.right),
        (~good, "does not", "circle-open", look.wrong),
    ):
        where = np.flatnonzero(held)
        yield marks.dots(
            chances[where],
            where,
            colour,
            10 * look.scale,
            symbol,
            (2, colour),
            name=name,
            customdata=[safe_label(names[i]) for i in where.tolist()],
            hover="<b>%{customdata}</b><br>reaches the threshold in %{x:.1%} of its runs",
        )
    yield marks.vertical_line(
        percentile, look.ink, y0=-0.6, y1=len(names) - 0.5, xref=None, yref=None
    )


def _stops(
    names: Sequence[str], law: StopLaw, reached: Floats, yes: Floats, look: Look
) -> list[Mark]:
    n = len(names)
    ends = [*law.stop[:n].tolist(), law.none]
    hover = [
        f"<b>{safe_label(name)}</b><br>asked in {percent(a)}, then yes in {percent(b)}<br>ends"
        f" here in {percent(p)}"
        for name, a, b, p in marks.zip_plain_values(names, reached, yes, ends[:n])
    ]
    return [
        marks.horizontal_bars(
            reached,
            list(range(n)),
            marks.CLEAR,
            edge=(1.2, look.muted),
            xaxis="x2",
            name="gets this far",
        ),
        marks.horizontal_bars(
            ends,
            list(range(n + 1)),
            [look.accent] * n + [look.muted],
            pattern={"shape": [""] * n + ["/"]},
            xaxis="x2",
            name="ends here",
            hover=[*hover, f"<b>none of them</b><br>{percent(law.none)}"],
        ),
        marks.point_texts(
            [*np.maximum(reached, law.stop[:n]).tolist(), law.none],
            list(range(n + 1)),
            ["\u00a0\u00a0" + percent(p) for p in ends],
            {"color": look.muted},
            xaxis="x2",
        ),
    ]

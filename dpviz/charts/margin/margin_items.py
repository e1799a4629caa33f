"""Chance of each item to come out, a panel for each rule and a row for each item."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz.base import Scores
from dpviz.base.text_format import (
    count_text,
    percent,
    release_frequency_text,
    safe_label,
    shorten_text,
)
from dpviz.charts.grammar import LIGHT, STACKED, Chart, Figure, Look, axes, marks
from dpviz.margin import COMPARED, TopOneLaw

_ROWS = 7
_BETWEEN = 0.05
_LONGEST = 30
_TABLE = 100_000  # items
_LEAST = 1e-3  # a chance below this has no figure beside its bar
NOTHING = "nothing is published"


def guarantee_label(rule_name: str) -> str:
    """Guarantee of the rule with this name, in the field's short form."""
    return "ε-DP" if COMPARED[rule_name].pure else "(ε, δ)-DP"


@dataclass(frozen=True)
class ItemChances:
    """The best items, the folded rows, and the chance of each by rule."""

    items: list[str]
    folded: list[str]
    chances: Mapping[str, list[float]]


def item_chances(scores: Scores, laws: Mapping[str, TopOneLaw]) -> ItemChances:
    every = list(laws.values())
    top = scores.order[:_ROWS]
    others, zeros = scores.d - len(top), every[0].zeros
    folded: dict[str, list[float]] = {}
    if others:
        folded[count_text(others, "other listed item")] = [
            max(0.0, float(law.inclusion.sum()) - sum(law.inclusion[top].tolist())) for law in every
        ]
    if zeros:
        folded[count_text(zeros, "unlisted item")] = [law.zero_mass for law in every]
    if any(law.fail > 0 for law in every):
        folded[NOTHING] = [law.fail for law in every]
    chances = {
        name: [*law.inclusion[top].tolist(), *(values[i] for values in folded.values())]
        for i, (name, law) in enumerate(laws.items())
    }
    return ItemChances([scores.label(int(i)) for i in top], list(folded), chances)


def margin_items_chart(
    scores: Scores, laws: Mapping[str, TopOneLaw], *, look: Look = LIGHT
) -> Chart:
    """`laws` by rule name, all with the same unlisted items."""
    of = item_chances(scores, laws)
    return Chart(
        figure=_figure(of.chances, of.items, of.folded, look),
        shows=(
            f"Bars of the chance of each of the best {count_text(len(of.items), 'item')} and of the"
            f" rest, for {', '.join(COMPARED.label(name) for name in laws)}."
        ),
        how_to_read=(
            "Each panel is a mechanism and each row an item, the best on top. Each panel adds up to"
            " 100 %, and a row without a figure has less than 0.1 %. With ε-DP one person changes"
            " any chance at most by a factor of e^ε. (ε, δ)-DP allows δ more, and only such"
            " mechanisms do not depend on the size of the universe."
            + (f" The table has the best {_TABLE:,} items." if scores.d > _TABLE else "")
        ),
        says_now=_says_now(laws),
        columns=_table(scores, laws),
    )


def _figure(
    shares: Mapping[str, list[float]], items: list[str], folded: list[str], look: Look
) -> Figure:
    wide = (1 - _BETWEEN * (len(shares) - 1)) / len(shares)
    names = [*(safe_label(item, _LONGEST) for item in items), *folded]
    full = [*(safe_label(item, 100) for item in items), *folded]
    places = np.arange(len(names), dtype=float)
    places[len(items) :] += 0.45  # what is folded stands a little apart
    colours = [look.accent] * len(items) + [look.muted] * len(folded)
    longest = max(len(shorten_text(name, _LONGEST)) for name in names)
    starts = {name: i * (wide + _BETWEEN) for i, name in enumerate(shares)}
    panels = {
        f"xaxis{axes.axis_suffix(i)}": axes.axis(
            None, (0, 1.42), domain=[start, start + wide], anchor="y", **axes.HALVES
        )
        for i, start in enumerate(starts.values())
    }
    return Figure(
        look,
        [
            marks.horizontal_bars(
                np.asarray(values, np.float32),
                places,
                colours,
                width=0.62,
                text=[percent(value) if value >= _LEAST else "" for value in values],
                textposition="outside",
                cliponaxis=False,
                textfont={"color": look.ink, "size": 0.92 * look.text_size},
                customdata=[
                    f"{row}<br><b>{percent(p)}</b>" for row, p in zip(full, values, strict=True)
                ],
                hover=f"%{{customdata}} of releases<extra>{COMPARED.label(name)}</extra>",
                xaxis=f"x{axes.axis_suffix(i)}",
                yaxis="y",
            )
            for i, (name, values) in enumerate(shares.items())
        ],
        [
            marks.panel_heading(
                f"<b>{COMPARED.label(name)}</b><br>{guarantee_label(name)}",
                start,
                look,
                lift=8,
                align="left",
            )
            for name, start in starts.items()
        ],
        meta=STACKED,
        height=90 + 27 * (len(names) + 0.5) + 30 / look.scale,
        margin={
            "l": (0.54 * longest + 1.2) * look.text_size,
            "t": 4.6 * look.text_size,
            "r": 8,
            "b": 2.6 * look.text_size,
        },
        y=axes.row_axis(names, look, places, range=[places[-1] + 0.6, -0.6]),
        **panels,
    )


def _says_now(laws: Mapping[str, TopOneLaw]) -> str:
    chances = [
        f"{COMPARED.label(name)}: {release_frequency_text(law.best_probability)}"
        for name, law in laws.items()
    ]
    return "The best item is published: " + " · ".join(chances) + "."


def _table(scores: Scores, laws: Mapping[str, TopOneLaw]) -> dict[str, object]:
    order = scores.order[:_TABLE]
    zeros, fails = (next(iter(laws.values())).zeros > 0, any(law.fail > 0 for law in laws.values()))
    rest = {"all unlisted items": zeros, NOTHING: fails}

    def column(listed: list[object], *others: object) -> list[object]:
        return [
            *listed,
            *(other for other, held in zip(others, rest.values(), strict=True) if held),
        ]

    return {
        "item": lambda: column([scores.label(int(i)) for i in order], *rest),
        "score": column(scores.values[order].tolist(), 0.0, np.nan),
        **{
            COMPARED.label(name): column(law.inclusion[order].tolist(), law.zero_mass, law.fail)
            for name, law in laws.items()
        },
    }

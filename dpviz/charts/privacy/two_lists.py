"""Two lists side by side: in how many of 100 releases each item comes out, with one person's data and without.

Invariants: both panels have the same rows and the same axis; all of at most 30 items have a row, of more those whose
chance changes most; frequencies are out of as many releases as it takes to tell the worlds apart, and no more than
the errors allow.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, label, number, trimmed

__all__ = ["frequency_base", "frequency_sentence", "told_apart", "two_lists"]

_ALL = 30  # items that all have a row
_MOST = 10  # rows of more
_LONGEST = 26  # characters of a name
_BASES = (100, 1_000, 10_000, 100_000, 1_000_000)


def frequency_base(first: Floats, second: Floats, error: float = 0.0) -> int:
    """Of how many releases to speak: the fewest of which the largest difference makes one at least.

    >>> frequency_base(np.array([0.41]), np.array([0.37])), frequency_base(np.array([0.411]), np.array([0.4101]))
    (100, 10000)
    """
    most = float(np.abs(first - second).max())
    known = [base for base in _BASES if base == _BASES[0] or 1 / base >= 2 * error]
    return next((base for base in known if most * base >= 1.0), known[-1])


def told_apart(first: Floats, second: Floats, base: int) -> int:
    """The item whose frequencies differ most."""
    apart = np.abs(np.rint(first * base) - np.rint(second * base))
    return int(np.argmax(apart + np.abs(first - second)))


def two_lists(
    labels: Sequence[str],
    order: Ints,
    first: Floats,
    second: Floats,
    moved: Floats,
    *,
    worlds: tuple[str, str],
    noun: str = "published lists",
    verb: str = "include",
    hers: str = "an item that she counts in",
    error: float = 0.0,
    base: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Chances `first` and `second` (d,) of items in the two `worlds`; `order` ranks them.

    `moved` (d,) says how the person moves each, from the second world to the first. `noun` and `verb` say what is
    counted: of 100 published lists, 41 include an item; `hers` is what a ● stands for. `base` is of how many releases
    to speak, where it is not left to the chances.
    """
    base = frequency_base(first, second, error) if base is None else base
    shown = _shown(order, first, second)
    told = [(_times(float(p), base), _times(float(q), base)) for p, q in zip(first[shown], second[shown], strict=True)]
    says = _says(first, second, base, worlds, noun)
    folded = len(order) - len(shown)
    return Chart(
        figure=_figure([labels[i] for i in shown], first[shown], second[shown], told, moved[shown], base, worlds, look),
        alt=f"Two lists of {count(len(shown), 'item')} side by side, {worlds[0]} and {worlds[1]}. {says}",
        how_to_read=(
            f"Bars count the {noun}, of {base:,}, that {verb} the item. ● is {hers}"
            + (", ○ one of whoever is in her place" if (moved < 0).any() and (moved > 0).any() else "")
            + "; a line on the right is the bar on the left."
            + (f" Shown are the {len(shown)} items whose chance changes most, by rank." if folded else "")
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {
                "rank": np.arange(1, len(order) + 1),
                "item": [labels[i] for i in order],
                worlds[0]: first[order],
                worlds[1]: second[order],
                "she moves it by": moved[order],
            }
        ),
    )


def _shown(order: Ints, first: Floats, second: Floats) -> Ints:
    """The items that have a row, by rank."""
    if len(order) <= _ALL:
        return order
    apart = np.abs(first - second)[order]
    return order[np.sort(np.argsort(-apart, kind="stable")[:_MOST])]


def _times(p: float, base: int) -> str:
    """HTML: how many of `base`, never all or none of them."""
    many = round(p * base)
    return "&lt;1" if many < 1 else f"&gt;{base - 1:,}" if many >= base else f"{many:,}"


def frequency_sentence(name: str, p: float, q: float, base: int, worlds: tuple[str, str], noun: str, verb: str) -> str:
    """One item's chances in both worlds as natural frequencies; `name` is HTML.

    >>> frequency_sentence("Zoo", 0.41, 0.37, 100, ("with her", "without her"), "published lists", "include")
    'Of 100 published lists, 41 include Zoo with her and 37 without her.'
    """
    if round(p * base) == round(q * base):
        return f"No item's chance changes by as much as one of {base:,} {noun}."
    many = [_times(chance, base).replace("&lt;", "fewer than ").replace("&gt;", "more than ") for chance in (p, q)]
    return f"Of {base:,} {noun}, {many[0]} {verb} {name} {worlds[0]} and {many[1]} {worlds[1]}."


def _says(first: Floats, second: Floats, base: int, worlds: tuple[str, str], noun: str) -> str:
    went = base * float(np.maximum(first - second, 0.0).sum())
    if went < 0.5:
        return f"Not one place on {base:,} {noun} goes to another item {worlds[0]}."
    places = number(float(f"{went:.3g}"))
    return f"On {base:,} {noun} {places} places go to another item {worlds[0]} than {worlds[1]}."


def _figure(
    names: list[str],
    first: Floats,
    second: Floats,
    told: list[tuple[str, str]],
    moved: Floats,
    base: int,
    worlds: tuple[str, str],
    look: Look,
) -> Figure:
    size, rows = look.size, list(range(len(names)))
    figure = Figure()
    colours = look.categories[3], look.categories[0]
    highest = base * max(float(first.max()), float(second.max()), 1e-9)
    domains = [[0.0, 0.485], [0.515, 1.0]]
    layout: dict[str, Any] = {}
    for side, (world, chances) in enumerate(zip(worlds, (first, second), strict=True)):
        at = "" if side == 0 else "2"
        figure.add_bar(
            x=(base * chances).astype(np.float32),
            y=rows,
            orientation="h",
            name=world,
            marker={
                "color": colours[side],
                "line": {"width": 0},
                "pattern": {
                    "shape": "/" if side else "", "bgcolor": colours[side], "fgcolor": look.paper, "size": 6,
                    "solidity": 0.15,
                },
            },
            customdata=[
                f"<b>{label(name)}</b><br>{world}: <b>{pair[side]}</b> of {base:,}"
                for name, pair in zip(names, told, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
            xaxis=f"x{at}",
            yaxis="y",
            showlegend=False,
        )  # fmt: skip
        figure.add_scatter(  # clear of the line that marks the other side
            x=(base * (np.maximum(first, second) if side else chances)).astype(np.float32),
            y=rows,
            mode="text",
            name=f"{world}, in figures",
            text=["\u00a0" * 2 + pair[side] for pair in told],
            textposition="middle right",
            textfont={"color": look.ink},
            cliponaxis=False,
            hoverinfo="skip",
            xaxis=f"x{at}",
            yaxis="y",
            showlegend=False,
        )
        layout[f"xaxis{at}"] = {
            "domain": domains[side],
            "range": [0, 1.18 * highest],
            "tickformat": ",.3~g",
            "nticks": 5,
            "fixedrange": True,
            "anchor": "y",
            "title": {"text": f"of {base:,}", "standoff": 4},
        }
        figure.add_annotation(
            text=f"<b>{world[0].upper()}{world[1:]}</b>", x=domains[side][0], y=1, xref="paper", yref="paper",
            xanchor="left", yanchor="bottom", yshift=4, showarrow=False, font={"color": look.ink, "size": size},
        )  # fmt: skip
    figure.add_scatter(
        x=(base * first).astype(np.float32),
        y=rows,
        mode="markers",
        name=f"{worlds[0]}, for comparison",
        marker={"symbol": "line-ns", "size": 13 * look.scale, "line": {"color": look.ink, "width": 1.6}},
        hoverinfo="skip",
        xaxis="x2",
        yaxis="y",
        showlegend=False,
    )
    marks = ["● " if m > 0 else "○ " if m < 0 else "" for m in moved.tolist()]
    if not (moved > 0).any():
        marks = ["● " if m < 0 else "" for m in moved.tolist()]
    shown = [mark + label(name, _LONGEST) for mark, name in zip(marks, names, strict=True)]
    longest = max(len(trimmed(name, _LONGEST)) for name in names) + 2
    figure.update_layout(
        template=look.template,
        height=round((24 * len(names) + 76) * look.scale),
        bargap=0.3,
        barmode="overlay",
        margin={"l": (0.54 * longest + 1.2) * size, "t": 2.2 * size, "r": 10, "b": 3.4 * size},
        yaxis={
            "range": [len(names) - 0.4, -0.6],
            "tickvals": rows,
            "ticktext": shown,
            "tickfont": {"color": look.ink},
            "ticklabelstandoff": 6,
            "showgrid": False,
            "fixedrange": True,
        },
        **layout,
    )
    return figure

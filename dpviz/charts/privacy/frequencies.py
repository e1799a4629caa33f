"""Natural frequencies: a hundred people as icons, and lists with and without a person's data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import count_text, number_text, safe_label, shorten_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks

_ROWS, _COLUMNS = 5, 20
_SYMBOLS = ("circle", "diamond", "diamond-open", "circle-open")


@dataclass(frozen=True)
class PeopleGroup:
    """Some of the hundred people, and what is true of them."""

    people: int
    says: str


def split_hundred_people(rising_shares: Sequence[float]) -> list[int]:
    """Numbers of people between rising shares of 1."""
    people: list[int] = np.diff(
        np.concatenate([[0], np.rint(100 * np.array(rising_shares)).astype(int)])
    ).tolist()
    return people


def hundred_people_chart(
    parts: Sequence[PeopleGroup], says: str, how_to_read: str, *, look: Look = LIGHT
) -> Chart:
    """`parts`, at most four, that add up to a hundred; the last is drawn hollow."""
    lines = 1.9 * len(parts)  # of the legend
    starts = np.cumsum([0, *(part.people for part in parts)]).tolist()
    return Chart(
        figure=Figure(
            look,
            [
                _people(part, start, 3 if number == len(parts) - 1 else number, look)
                for number, (part, start) in enumerate(zip(parts, starts, strict=False))
            ],
            height=150 + (lines + 1) * look.text_size / look.scale,
            margin={"l": 4, "r": 4, "t": 6, "b": (lines + 0.6) * look.text_size},
            x=axes.axis(None, (-0.7, _COLUMNS - 0.3), visible=False),
            y=axes.axis(None, (_ROWS - 0.4, -0.6), visible=False),
            legend=axes.bottom_legend(orientation="v", font={"color": look.ink}),
        ),
        shows="A hundred people: "
        + "; ".join(f"{part.people} {part.says}" for part in parts)
        + ".",
        how_to_read=how_to_read,
        says_now=says,
        columns={
            "people of 100": [part.people for part in parts],
            "what is true of them": [part.says for part in parts],
        },
    )


def _people(part: PeopleGroup, start: int, style: int, look: Look) -> Mark:
    places = np.arange(start, start + part.people)
    colour = (look.muted, look.attacker, look.attacker, look.muted)[style]
    return marks.dots(
        (places % _COLUMNS).astype(np.int16),
        (places // _COLUMNS).astype(np.int16),
        colour,
        13 * look.scale,
        _SYMBOLS[style],
        (1.4 if style > 1 else 0, colour),
        name=f"{part.people} {part.says}",
        hovertext=f"{part.people} of 100 {part.says}",
        hoverinfo="text",
    )


_ALL = 30  # items that all have a row
# those whose chance changes most
_MOST = 10  # rows of more
_LONGEST = 26  # characters of a name
_DOMAINS = (
    [0.0, 0.47],
    [0.53, 1.0],
)  # of the two panels; between them the last number of one and the first of the next
_BASES = (100, 1_000, 10_000, 100_000, 1_000_000)


def frequency_denominator(first_chances: Floats, second_chances: Floats, error: float = 0.0) -> int:
    """Fewest releases out of which the largest difference makes at least one."""
    most = float(np.abs(first_chances - second_chances).max())
    known = [base for base in _BASES if base == _BASES[0] or 1 / base >= 2 * error]
    return next((base for base in known if most * base >= 1.0), known[-1])


def most_different_item_index(
    first_chances: Floats, second_chances: Floats, denominator: int
) -> int:
    return int(
        np.argmax(
            np.abs(np.rint(first_chances * denominator) - np.rint(second_chances * denominator))
            + np.abs(first_chances - second_chances)
        )
    )


def paired_frequencies_chart(
    label: Callable[[int], str],
    order: Ints,
    first_chances: Floats,
    second_chances: Floats,
    effects: Floats,
    *,
    worlds: tuple[str, str],
    noun: str = "published lists",
    verb: str = "include",
    dot_meaning: str = "an item that she counts in",
    error: float = 0.0,
    uncertain_difference: float = 0.0,
    denominator: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Chances `first_chances` and `second_chances` (d,) of items in the two `worlds`; `order` ranks
    them.

    `effects` (d,) is the person's effect on each, from the second world to the first. `noun` and
    `verb` say what is counted; `dot_meaning` explains ●. `denominator` is the number of releases
    (default: by the chances). No difference up to `uncertain_difference` is told.
    """
    denominator = (
        frequency_denominator(first_chances, second_chances, error)
        if denominator is None
        else denominator
    )
    picked = _shown(order, first_chances, second_chances)
    frequencies = [
        (_times(float(p), denominator), _times(float(q), denominator))
        for p, q in zip(first_chances[picked], second_chances[picked], strict=True)
    ]
    says = _says(first_chances, second_chances, denominator, worlds, noun, uncertain_difference)
    return Chart(
        figure=_figure(
            [label(i) for i in picked],
            (first_chances[picked], second_chances[picked]),
            frequencies,
            effects[picked],
            denominator,
            worlds,
            look,
        ),
        shows=(
            f"Two lists of {count_text(len(picked), 'item')} side by side, {worlds[0]} and"
            f" {worlds[1]}."
        ),
        how_to_read=(
            f"Bars show how many of {denominator:,} {noun} {verb} the item. ● marks {dot_meaning}"
            + (
                ", ○ one that the person who replaces her counts in"
                if (effects < 0).any() and (effects > 0).any()
                else ""
            )
            + ". The thin bars on the right repeat those on the left."
            + (
                f" The {len(picked)} items whose chance changes most are shown, by rank."
                if (len(order) - len(picked))
                else ""
            )
        ),
        says_now=says,
        columns={
            "rank": np.arange(1, len(order) + 1),
            "item": item_column_builder(label, order),
            worlds[0]: first_chances[order],
            worlds[1]: second_chances[order],
            "her effect": effects[order],
        },
    )


def _shown(order: Ints, first: Floats, second: Floats) -> Ints:
    if len(order) <= _ALL:
        return order
    return order[np.sort(np.argsort(-np.abs(first - second)[order], kind="stable")[:_MOST])]


_ROUNDING = 1e-12  # of a chance


def _times(p: float, base: int) -> str:
    """HTML: count out of `base`, never all or none of them."""
    many = round(p * base)
    return "&lt;1" if many < 1 else f"&gt;{base - 1:,}" if many >= base else f"{many:,}"


NOTHING_CERTAIN = "No difference between the two is larger than the error of the simulation."


def frequency_sentence(
    name: str, p: float, q: float, denominator: int, worlds: tuple[str, str], noun: str, verb: str
) -> str:
    """One item's chances in both worlds as natural frequencies; `name` is HTML."""
    if round(p * denominator) == round(q * denominator):
        return f"No item's chance changes by as much as 1 in {denominator:,} {noun}."
    many = [
        _times(chance, denominator).replace("&lt;", "fewer than ").replace("&gt;", "more than ")
        for chance in (p, q)
    ]
    return (
        f"Of {denominator:,} {noun}, {many[0]} {verb} {name} {worlds[0]} and {many[1]} {worlds[1]}."
    )


def _says(
    first: Floats, second: Floats, base: int, worlds: tuple[str, str], noun: str, uncertain: float
) -> str:
    """Total frequencies gained and lost in the first world, of differences that are certain."""
    moved = np.where(np.abs(first - second) > max(uncertain, _ROUNDING), first - second, 0.0)
    if uncertain and not moved.any():
        return NOTHING_CERTAIN
    more, less = (base * float(np.maximum(way, 0.0).sum()) for way in (moved, -moved))
    return (
        f"In {base:,} {noun}, no item appears even once more or less often {worlds[0]}."
        if max(more, less) < 0.5
        else f"In {base:,} {noun}, the items that gain {worlds[0]} appear {number_text(more, 3)}"
        f" more times. Those that lose appear {number_text(less, 3)} fewer times."
    )


def _figure(
    names: list[str],
    chances: tuple[Floats, Floats],
    frequencies: list[tuple[str, str]],
    moved: Floats,
    base: int,
    worlds: tuple[str, str],
    look: Look,
) -> Figure:
    size, places = look.text_size, list(range(len(names)))
    first, second = chances
    highest = base * max(float(first.max()), float(second.max()), 1e-9)
    along = axes.axis(f"of {base:,}", (0, 1.3 * highest), tickformat=",~r", nticks=5, anchor="y")
    along["title"]["standoff"] = 4
    hers, replaced = "● ", "○ " if (moved > 0).any() else "● "
    marked = [
        (hers if m > 0 else replaced if m < 0 else "") + safe_label(name, _LONGEST)
        for m, name in marks.zip_plain_values(moved, names)
    ]
    longest = max(len(shorten_text(name, _LONGEST)) for name in names) + 2
    return Figure(
        look,
        marks.horizontal_bars(
            (base * first).astype(np.float32),
            np.array(places) + marks.BELOW,
            look.with_her,
            width=marks.THIN,
            name=f"{worlds[0]}, for comparison",
            xaxis="x2",
            yaxis="y",
            showlegend=False,
        ),
        [
            _world(side, chances, [pair[side] for pair in frequencies], names, base, world, look)
            for side, world in enumerate(worlds)
        ],
        height=24 * len(names) + 76,
        bargap=0.3,
        barmode="overlay",
        margin={"l": (0.54 * longest + 1.2) * size, "t": 2.2 * size, "r": 10, "b": 3.4 * size},
        x=along | {"domain": _DOMAINS[0]},
        x2=along | {"domain": _DOMAINS[1]},
        y=axes.row_axis(marked, look),
    )


def _world(
    side: int,
    chances: tuple[Floats, Floats],
    often: list[str],
    names: list[str],
    base: int,
    world: str,
    look: Look,
) -> list[Mark]:
    """One panel: a bar for each item, with its figure at the end."""
    places, colour = list(range(len(names))), (look.with_her, look.without_her)[side]
    where: dict[str, Any] = {"xaxis": "x2" if side else "x", "yaxis": "y", "showlegend": False}
    return [
        marks.horizontal_bars(
            (base * chances[side]).astype(np.float32),
            places,
            colour,
            width=0.7,
            pattern=marks.hatch_pattern("/" if side else "", colour, look),
            name=world,
            hover=[
                f"<b>{safe_label(name)}</b><br>{world}: <b>{many}</b> of {base:,}"
                for name, many in zip(names, often, strict=True)
            ],
            **where,
        ),
        marks.point_texts(
            (base * chances[side]).astype(np.float32),
            places,
            ["\u00a0" * 2 + many for many in often],
            {"color": look.ink},
            name=f"{world}, in figures",
            **where,
        ),
        marks.panel_heading(
            f"<b>{world[0].upper()}{world[1:]}</b>", _DOMAINS[side][0], look, lift=4
        ),
    ]

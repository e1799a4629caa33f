"""The dictionary of colours: what each means, in charts, pages and files, light and dark.

A colour has one meaning everywhere, and a shape, dash, letter or word always says it too.
Source: Machado, Oliveira & Fernandes 2009, for the views of colours that tests compare.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dpviz.base import Floats, cached_property

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
MARKERS = ("circle", "diamond", "square", "triangle-up", "x", "star", "cross")
MOST_DESIGNS = 6  # beside each other
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Look:
    """Colours by their meaning, and text size; `scale` enlarges text for a projector.

    `room` is the width of a class's projector, in 1920 pixels; 0 elsewhere.
    """

    name: str
    ink: str
    muted: str
    """Explanations, a setting before, and the rest."""
    line: str
    paper: str
    raised: str
    accent: str
    """The setting now, its amounts, and all that can be pressed."""
    press: str
    """A button under white words."""
    right: str
    wrong: str
    attacker: str
    """Guesses of an attacker, and how often they are right."""
    with_her: str
    without_her: str
    designs: tuple[str, ...]
    """Mechanisms A to F, and other lines that carry a name."""
    sequential: tuple[str, ...]
    """The map: a chance, from rare to likely."""
    second: tuple[str, ...]
    """Other maps: what is not a chance."""
    scale: float = 1.0
    room: float = 0.0

    @cached_property
    def text_size(self) -> float:
        return 13 * self.scale

    @cached_property
    def visible_colour_scale(self) -> tuple[tuple[float, str], ...]:
        """Scale of chances without its faintest colours, for bars."""
        return even_colour_scale(self.sequential[2:])

    @cached_property
    def visible_channels(self) -> tuple[Floats, Floats]:
        """Places of `visible_colour_scale`, shape (n,), and red, green and blue there, (3, n)."""
        places, colours = zip(*self.visible_colour_scale, strict=True)
        return np.array(places), np.array([_channels(colour) for colour in colours], float).T

    @property
    def colours_by_meaning(self) -> dict[str, str]:
        """Every colour by its meaning; those of a row have numbers from 0."""
        rows = [(one.name, getattr(self, one.name)) for one in fields(self)[1:-2]]
        return {
            name if isinstance(held, str) else f"{name}_{i}": colour
            for name, held in rows
            for i, colour in enumerate([held] if isinstance(held, str) else held)
        }

    @staticmethod
    def transparent_colour(colour: str) -> str:
        return f"rgba({','.join(map(str, _channels(colour)))},0.15)"

    def for_projector(self, width: float) -> "Look":
        """Look on a projector of this width in pixels. Text has 24 on one of 1920."""
        return replace(self, scale=1.85 * width / 1920, room=width / 1920)

    @cached_property
    def template(self) -> dict[str, Any]:
        """Template that every figure starts from."""
        axis = {
            "gridcolor": self.line,
            "linecolor": self.line,
            "zeroline": False,
            "ticks": "",
            "separatethousands": True,
            "tickfont": {"color": self.muted},
            "title": {"font": {"color": self.muted}, "standoff": 10},
            "automargin": False,  # measuring margins anew doubles the time of a repaint
        }
        return {
            "layout": {
                "font": {"family": FONT, "size": self.text_size, "color": self.ink},
                "paper_bgcolor": self.paper,  # that of the page too, and of pictures saved from it
                "plot_bgcolor": self.paper,
                "colorway": list(self.designs),
                "xaxis": axis
                | {
                    "ticklabelstandoff": 3,
                    "tickangle": 0,
                },  # clear of the other axis, and of the title
                "yaxis": axis,
                "margin": {
                    "l": 4.6 * self.text_size,
                    "r": 8,
                    "t": 24,
                    "b": 3.8 * self.text_size,
                    "autoexpand": False,
                },
                "hoverlabel": {
                    "bgcolor": self.raised,
                    "bordercolor": self.line,
                    "font": {"family": FONT, "size": self.text_size, "color": self.ink},
                    "align": "left",
                },
                "legend": {"font": {"color": self.muted}, "bgcolor": "rgba(0,0,0,0)"},
                "modebar": {
                    "bgcolor": "rgba(0,0,0,0)",
                    "color": self.muted,
                    "activecolor": self.ink,
                },
                "dragmode": "pan",
            }
        }


def even_colour_scale(colours: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Colours at even places from 0 to 1."""
    return tuple((i / (len(colours) - 1), colour) for i, colour in enumerate(colours))


def _channels(colour: str) -> list[int]:
    """Red, green and blue of a colour like #1f5fa8."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


STACKED = {"stack": True}
"""`meta` of a layout whose panels are stacked on narrow screens."""

LIGHT = Look(
    name="light",
    ink="#1c2733",
    muted="#5b6875",
    line="#e4e8ec",
    paper="#ffffff",
    raised="#f7f9fb",
    accent="#1f5fa8",
    press="#20609e",
    right="#089388",
    wrong="#ad422e",
    attacker="#8b0076",
    with_her="#2f1dad",
    without_her="#b66a00",
    designs=("#199cda", "#60330c", "#42a763", "#ed58b1", "#21404c", "#6572f9"),
    sequential=(
        "#f1f7f5", "#d9ebe6", "#b7dcd5", "#8ecbc6", "#63b5b9",
        "#419cab", "#31809d", "#31638c", "#344672", "#2b2a52",
    ),
    second=("#f4f1ea", "#e2dccd", "#c9bfa8", "#a99d82", "#85795f", "#5f553f", "#3b3425"),
)  # fmt: skip
DARK = Look(
    name="dark",
    ink="#e8ecf1",
    muted="#9aa7b4",
    line="#2a323c",
    paper="#0f141a",
    raised="#1b222c",
    accent="#6cb2f5",
    press="#2c6cb2",
    right="#57d6a1",
    wrong="#f07c16",
    attacker="#cf60c7",
    with_her="#9680fc",
    without_her="#fce06f",
    designs=("#418698", "#bc9675", "#a9cd49", "#f0c6e6", "#198959", "#d4feff"),
    sequential=(
        "#161c26", "#1d2a3c", "#263f5c", "#2c567a", "#2f7194",
        "#388da6", "#52a9b1", "#7fc3bb", "#b2dccb", "#e4f5e4",
    ),
    second=("#26231c", "#3b362b", "#575040", "#7a7059", "#a0957b", "#c6bda6", "#ebe5d6"),
)  # fmt: skip
LOOKS = {look.name: look for look in (LIGHT, DARK)}


@dataclass(frozen=True)
class DesignIdentity:
    letter: str
    colour: str
    dash: str
    marker: str

    def lettered_label(self, label: str) -> str:
        return f"{self.letter} {label}"


def design_identity(number: int, look: Look) -> DesignIdentity:
    """Identity of the design with this number, from 0."""
    at = number % MOST_DESIGNS
    return DesignIdentity("ABCDEF"[at], look.designs[at], DASHES[at], MARKERS[at])


def world_or_design_colour(name: str, number: int, look: Look) -> str:
    """Colour of a world, with somebody or without; else what is shown first, or a design's."""
    world = re.fullmatch("(with|without) (?:her|Ana)", name)
    named = f"{world[1]}_her" if world else f"designs_{number}" if number else "accent"
    return look.colours_by_meaning[named]


def css_colour_variables(*looks: Look, rules: str = "") -> str:
    """Style variables (`--dp-right`), or only those that `rules` name; the theme picks the look."""
    light, *others = ([*look.colours_by_meaning.items()] for look in looks)
    return ";".join(
        f"{variable}:" + (f"light-dark({colour}, {others[0][at][1]})" if others else colour)
        for at, (name, colour) in enumerate(light)
        for variable in [f"--dp-{name.replace('_', '-')}"]
        if not rules or f"var({variable})" in rules
    )

"""Light and dark colours of charts, the templates made from them, and the identity of designs.

A design has one letter, colour, dash and marker on a page; nothing is told by colour alone.
Source: Okabe & Ito 2008 (colour universal design), for the categorical colours.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.base import Floats, cached_property

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
MARKERS = ("circle", "diamond", "square", "triangle-up", "x", "star", "cross")
MOST_DESIGNS = 6  # beside each other
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Look:
    """Colours and text size; `scale` enlarges text for a projector.

    `room` is the width of a class's projector, in 1920 pixels; 0 elsewhere.
    """

    name: str
    ink: str
    muted: str
    line: str
    paper: str
    raised: str
    accent: str
    sequential: tuple[str, ...]
    categories: tuple[str, ...]
    scale: float = 1.0
    room: float = 0.0

    @property
    def text_size(self) -> float:
        return 13 * self.scale

    @property
    def colour_scale(self) -> list[tuple[float, str]]:
        last = len(self.sequential) - 1
        return [(i / last, colour) for i, colour in enumerate(self.sequential)]

    @property
    def visible_colour_scale(self) -> list[tuple[float, str]]:
        """`colour_scale` without its faintest colours, for bars."""
        kept = self.sequential[2:]
        return [(i / (len(kept) - 1), colour) for i, colour in enumerate(kept)]

    @property
    def distinct_colours(self) -> tuple[str, ...]:
        """Categorical colours in an order whose first few differ most."""
        return tuple(self.categories[i] for i in (3, 0, 4, 2, 1, 6, 5))

    def shades(self, share: Floats) -> list[str]:
        """Colours of `visible_colour_scale` at shares from 0 to 1, shape (n,)."""
        places, colours = zip(*self.visible_colour_scale, strict=True)
        channels = np.array([_channels(colour) for colour in colours])
        mixed = np.stack([np.interp(share, places, channel) for channel in channels.T], axis=1)
        return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.rint(mixed).astype(int).tolist()]

    @staticmethod
    def transparent_colour(colour: str) -> str:
        return f"rgba({','.join(map(str, _channels(colour)))},0.15)"

    def with_text_scale(self, scale: float) -> "Look":
        return replace(self, scale=scale)

    def for_class(self, width: float) -> "Look":
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
            "tickfont": {"color": self.muted},
            "title": {"font": {"color": self.muted}, "standoff": 10},
            "automargin": False,  # measuring margins anew doubles the time of a repaint
        }
        return {
            "layout": {
                "font": {"family": FONT, "size": self.text_size, "color": self.ink},
                "paper_bgcolor": self.paper,  # that of the page too, and of pictures saved from it
                "plot_bgcolor": self.paper,
                "colorway": list(self.categories),
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
    raised="#ffffff",
    accent="#1f5fa8",
    sequential=(
        "#f1f7f5", "#d9ebe6", "#b7dcd5", "#8ecbc6", "#63b5b9",
        "#419cab", "#31809d", "#31638c", "#344672", "#2b2a52",
    ),
    categories=("#c8500a", "#d99a00", "#b0508a", "#0072b2", "#009e73", "#56b4e9", "#5b6875"),
)  # fmt: skip
DARK = Look(
    name="dark",
    ink="#e8ecf1",
    muted="#9aa7b4",
    line="#2a323c",
    paper="#0f141a",
    raised="#1b222c",
    accent="#6cb2f5",
    sequential=(
        "#161c26", "#1d2a3c", "#263f5c", "#2c567a", "#2f7194",
        "#388da6", "#52a9b1", "#7fc3bb", "#b2dccb", "#e4f5e4",
    ),
    categories=("#ff8a4a", "#f2c14e", "#e08cc0", "#4cb0f0", "#3fc79a", "#8fd0f5", "#9aa7b4"),
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
    return DesignIdentity("ABCDEF"[at], look.distinct_colours[at], DASHES[at], MARKERS[at])

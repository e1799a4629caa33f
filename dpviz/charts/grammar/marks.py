"""Marks of a figure: bars, dots, curves, texts, lines across, and notes.

A mark without a name is not in the legend, one without a hover shows nothing under the pointer.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from dpviz.base import Floats
from dpviz.charts.chart import Mark
from dpviz.charts.look import Look

Values: TypeAlias = Sequence[Any] | np.ndarray[Any, Any]

CLEAR = "rgba(0,0,0,0)"
BELOW, THIN = 0.45, 0.14
"""Of a row: where the thin bar of what is compared with lies, clear of a bar's text; its width."""


def trace(
    kind: str,
    x: Values,
    y: Values,
    *,
    name: str | None = None,
    hover: Sequence[Any] | str | None = None,
    **more: Any,
) -> Mark:
    """Points of some kind; `hover` and `name` decide what the pointer and the legend show."""
    settings = {"type": kind, "x": x, "y": y, "name": name, "showlegend": None if name else False}
    if hover is None:
        settings["hoverinfo"] = "skip"
    else:
        text = hover if isinstance(hover, str) else "%{customdata}"
        settings["customdata"] = None if isinstance(hover, str) else hover
        settings["hovertemplate"] = text if "<extra>" in text else f"{text}<extra></extra>"
    return Mark("traces", settings | more)


def zip_plain_values(*columns: Values) -> Iterator[tuple[Any, ...]]:
    """Entries of several columns of one length, as plain Python values."""
    plain = (held.tolist() if isinstance(held, np.ndarray) else held for held in columns)
    return zip(*plain, strict=True)


def chance_colours(chances: Floats, look: Look) -> list[str]:
    """Colour of a bar for each chance, shape (n,), between those of the visible scale."""
    places, channels = look.visible_channels
    mixed = np.stack([np.interp(chances, places, channel) for channel in channels], axis=1)
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.rint(mixed).astype(int).tolist()]


def vertical_bars(
    x: Values,
    y: Values,
    colour: str | list[str],
    *,
    pattern: dict[str, Any] | None = None,
    edge: tuple[float, str] | None = None,
    **more: Any,
) -> Mark:
    """Vertical bars of heights y at x; `edge` is the width and the colour of the outline."""
    outline = {"width": 0} if edge is None else {"width": edge[0], "color": edge[1]}
    return trace("bar", x, y, marker={"color": colour, "line": outline, "pattern": pattern}, **more)


def horizontal_bars(x: Values, y: Values, colour: str | list[str], **more: Any) -> Mark:
    return vertical_bars(x, y, colour, orientation="h", **more)


def hatch_pattern(
    shape: str, colour: str, look: Look, *, size: int = 6, solidity: float = 0.15
) -> dict[str, Any]:
    """Pattern of bars, which tells them apart without colour; none if `shape` is empty."""
    return {
        "shape": shape,
        "bgcolor": colour,
        "fgcolor": look.paper,
        "size": size,
        "solidity": solidity,
    }


def dots(
    x: Values,
    y: Values,
    colour: str | list[str] | None,
    size: float,
    symbol: str | Sequence[str] | None = None,
    edge: tuple[float, str | None] | None = None,
    **more: Any,
) -> Mark:
    """Points of a symbol; `edge` is the width and the colour of the outline."""
    outline = None if edge is None else {"width": edge[0], "color": edge[1]}
    marker = {"color": colour, "size": size, "symbol": symbol, "line": outline}
    return trace("scatter", x, y, **{"mode": "markers", "marker": marker, **more})


def curve_mark(
    x: Values, y: Values, colour: str, width: float, dash: str | None = None, **more: Any
) -> Mark:
    return trace(
        "scatter", x, y, mode="lines", line={"color": colour, "width": width, "dash": dash}, **more
    )


def segments(
    x: tuple[Values, Values], y: tuple[Values, Values], colour: str, width: float, **more: Any
) -> Mark:
    """Separate line from each (x₀, y₀) to its (x₁, y₁)."""
    gap = np.full(len(x[0]), np.nan)
    across, up = (np.column_stack([*ends, gap]).ravel() for ends in (x, y))
    return curve_mark(across, up, colour, width, **more)


def filled_area(x: Values, y: Values, colour: str, **more: Any) -> Mark:
    return trace(
        "scatter", x, y, **{"mode": "lines", "line": {"width": 0}, "fillcolor": colour, **more}
    )


def point_texts(
    x: Values,
    y: Values,
    text: Sequence[str],
    font: dict[str, Any] | None,
    *,
    at: str | Sequence[str] = "middle right",
    **more: Any,
) -> Mark:
    """Texts beside points, never cut and not in the legend."""
    placed = {"textposition": at, "textfont": font, "cliponaxis": False, "showlegend": False}
    return trace("scatter", x, y, mode="text", text=text, **placed | more)


def error_bars(
    values: Floats, low: Floats, high: Floats, number_type: Any = float, **looks: Any
) -> dict[str, Any]:
    """Intervals from `low` to `high` around values, of a number type, for plotly's `error_y`."""
    above, below = (high - values).astype(number_type), (values - low).astype(number_type)
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, **looks}


def vertical_line(
    x: float, colour: str, dash: str | None = "dash", *, width: float = 1, **more: Any
) -> Mark:
    """Vertical line from edge to edge of the first panel; `yref="paper"` for all panels."""
    settings = {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain"}
    return Mark(
        "shapes", settings | {"line": {"color": colour, "width": width, "dash": dash}} | more
    )


def horizontal_line(
    y: float, colour: str, dash: str | None = "dash", *, width: float = 1, **more: Any
) -> Mark:
    """Horizontal line from edge to edge of the first panel."""
    settings = {"type": "line", "x0": 0, "x1": 1, "y0": y, "y1": y, "xref": "x domain", "yref": "y"}
    return Mark(
        "shapes", settings | {"line": {"color": colour, "width": width, "dash": dash}} | more
    )


def text_annotation(
    text: str,
    x: float,
    y: float,
    anchor: str,
    colour: str | None,
    *,
    size: float | None = None,
    **more: Any,
) -> Mark:
    """Text at a place; `anchor` is its part that lies there: "left bottom", "right", "middle"."""
    sides = {
        "xanchor" if side in {"left", "center", "right"} else "yanchor": side
        for side in anchor.split()
    }
    font = {"color": colour, "size": size} if colour or size else None
    return Mark(
        "annotations",
        {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **sides, **more},
    )


def panel_heading(
    text: str,
    x: float,
    look: Look,
    *,
    y: float = 1,
    colour: str | None = None,
    lift: float | None = None,
    **more: Any,
) -> Mark:
    """Heading of a panel, `lift` pixels above it; x and y are shares of the figure."""
    paper = {"xref": "paper", "yref": "paper", "yshift": lift}
    return text_annotation(
        text, x, y, "left bottom", colour or look.ink, **{"size": look.text_size, **paper, **more}
    )

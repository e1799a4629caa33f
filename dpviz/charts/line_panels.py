"""Lines in panels beside each other: one style a name in all panels, bands where a value is an interval.

Invariants: a line is told by colour, dash, marker and, where there is room, its name beside it; panels share
the vertical axis; positions of markers and names follow from the arrays alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.direct_labels import place_labels
from dpviz.charts.figure import Figure
from dpviz.charts.look import STACKED, Look

__all__ = ["Axis", "Line", "Panel", "draw_panels"]

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
MARKERS = ("circle", "diamond", "square", "triangle-up", "x", "star", "cross")
_WIDTH = 940.0  # pixels a figure is laid out for
_BETWEEN = 0.045
_NBSP = "\u00a0"


@dataclass(frozen=True, eq=False)
class Line:
    """A line with its name; `marks` are the x where a marker stands, `low` and `high` the edges of its band.

    `style` is the number of its colour, dash and marker. A line of `plain` has markers only. `told` is what the legend
    says, where that is more than the name.
    """

    name: str
    x: Floats
    y: Floats
    style: int
    marks: Floats = field(default_factory=lambda: np.empty(0))
    low: Floats | None = None
    high: Floats | None = None
    plain: bool = False
    told: str = ""


@dataclass(frozen=True, eq=False)
class Panel:
    """Lines over one horizontal axis, under a title; `share` of the width relative to the others."""

    title: str
    lines: Sequence[Line]
    share: float = 1.0
    named: bool = True


@dataclass(frozen=True)
class Axis:
    """An axis: its title, its range in data units, logarithmic or not, shown in per cent or not."""

    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False

    def along(self, values: Floats, pixels: float) -> Floats:
        """Pixels from the axis' start."""
        with np.errstate(divide="ignore"):
            low, high, v = (np.log10(a) if self.log else np.asarray(a, float) for a in (self.low, self.high, values))
        return np.asarray((v - low) / (high - low) * pixels)

    def back(self, pixel: float, pixels: float) -> float:
        """The value at a pixel."""
        if self.log:
            return float(self.low * (self.high / self.low) ** (pixel / pixels))
        return self.low + (self.high - self.low) * pixel / pixels

    def layout(self) -> dict[str, Any]:
        """What plotly needs."""
        settings: dict[str, Any] = {"title": {"text": self.title}, "range": [self.low, self.high]}
        if self.log:
            settings |= {"type": "log", "range": [float(np.log10(self.low)), float(np.log10(self.high))]}
            ticks = self._ticks()
            settings |= {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}
        if self.percent:
            digits = 0 if self.high - self.low > 0.06 else 1 if self.high - self.low > 0.006 else 2
            settings |= {"tickformat": f".{digits}%", "nticks": 6}
        return settings

    def _ticks(self) -> list[float]:
        """Powers of ten; their 2 and 5 too where there are few, every second or third where there are many."""
        low, high = float(np.log10(self.low)), float(np.log10(self.high))
        step = max(1, round((high - low) / 5))
        decades = [10.0**p for p in range(int(np.floor(low)), int(np.ceil(high)) + 1) if p % step == 0]
        inside = [v for v in decades if self.low <= v <= self.high]
        if len(inside) >= 3:
            return inside
        finer = [m * 10.0**p for p in range(int(np.floor(low)), int(np.ceil(high)) + 1) for m in (1, 2, 5)]
        return [v for v in finer if self.low <= v <= self.high]


def draw_panels(
    panels: Sequence[Panel],
    x: Axis | Sequence[Axis],
    y: Axis,
    *,
    look: Look,
    height: float = 330.0,
    upright: tuple[float, str] | None = None,
) -> Figure:
    """The figure. `upright` is an x with a text, marked by a vertical line in every panel."""
    axes = [x] * len(panels) if isinstance(x, Axis) else list(x)
    figure = Figure()
    domains = _domains([panel.share for panel in panels])
    size, height = look.size, round(height * look.scale)
    bottom, top = 7.2 * size, 2.6 * size
    layout: dict[str, Any] = {}
    for i, (panel, axis, domain) in enumerate(zip(panels, axes, domains, strict=True)):
        number = "" if i == 0 else str(i + 1)
        layout[f"xaxis{number}"] = axis.layout() | {"domain": domain, "anchor": f"y{number}", "showgrid": True}
        layout[f"yaxis{number}"] = y.layout() | {"anchor": f"x{number}", "fixedrange": True}
        if i:
            layout[f"yaxis{number}"] |= {"matches": "y", "showticklabels": False, "title": {"text": ""}}
        where = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        for line in panel.lines:
            _draw(figure, line, where, look)
        if panel.named:
            box = (domain[1] - domain[0]) * (_WIDTH - 6 * size), height - bottom - top
            _name(figure, panel.lines, axis, y, box, where, look)
        figure.add_annotation(
            text=panel.title,
            x=domain[0],
            y=1,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            yshift=6,
            showarrow=False,
            font={"color": look.ink, "size": size},
        )
        if upright is not None:
            figure.add_shape(
                type="line",
                x0=upright[0],
                x1=upright[0],
                y0=0,
                y1=1,
                xref=where["xaxis"],
                yref=f"{where['yaxis']} domain",
                line={"color": look.ink, "width": 1, "dash": "dash"},
            )
    if upright is not None:
        _tell_upright(figure, upright, axes[0], look)
    _legend(figure, panels, look)
    figure.update_layout(
        template=look.template,
        meta=STACKED,
        height=height,
        margin={"t": top, "b": bottom, "l": 4.6 * size, "r": 8},
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -4.3 * size / (height - top - bottom),
            "yanchor": "top",
        },
        hovermode="closest",
        **layout,
    )
    return figure


def _domains(shares: Sequence[float]) -> list[list[float]]:
    room = 1.0 - _BETWEEN * (len(shares) - 1)
    ends = np.cumsum(np.array(shares) / sum(shares) * room)
    starts = np.concatenate(([0.0], ends[:-1]))
    shifts = _BETWEEN * np.arange(len(shares))
    domains: list[list[float]] = np.clip(np.stack([starts + shifts, ends + shifts], axis=1), 0.0, 1.0).tolist()
    return domains


def _style(style: int, look: Look) -> dict[str, Any]:
    colour = look.distinct[style % len(look.distinct)]
    return {
        "line": {"color": colour, "width": 2.2 * look.scale, "dash": DASHES[style % len(DASHES)]},
        "marker": {"color": colour, "symbol": MARKERS[style % len(MARKERS)], "size": 8 * look.scale},
    }


def _draw(figure: Figure, line: Line, where: dict[str, str], look: Look) -> None:
    style = _style(line.style, look)
    common = {"legendgroup": line.name, "showlegend": False, **where}
    if line.low is not None and line.high is not None:
        figure.add_scatter(
            x=_short(np.concatenate([line.x, line.x[::-1]])),
            y=_short(np.concatenate([line.high, line.low[::-1]])),
            mode="lines",
            line={"width": 0, "color": style["line"]["color"]},
            fill="toself",
            fillcolor=style["line"]["color"],
            opacity=0.22,
            hoverinfo="skip",
            **common,
        )
    hover = f"{line.name}<br>%{{x:.4~g}}: <b>%{{y}}</b><extra></extra>"
    if not line.plain:
        figure.add_scatter(
            x=_short(line.x), y=_short(line.y), mode="lines", line=style["line"], hovertemplate=hover, **common
        )
    if len(line.marks):
        figure.add_scatter(
            x=_short(line.marks),
            y=_short(np.interp(line.marks, line.x, line.y)),
            mode="markers",
            marker=style["marker"],
            hovertemplate=hover,
            **common,
        )


def _name(
    figure: Figure,
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    box: tuple[float, float],
    where: dict[str, str],
    look: Look,
) -> None:
    shown = [line for line in lines if not line.plain]
    paths = []
    for line in shown:
        seen = (line.x >= x.low) & (line.x <= x.high)
        paths.append((x.along(line.x[seen], box[0]), y.along(line.y[seen], box[1])))
    for line, place in zip(
        shown, place_labels([line.name for line in shown], paths, *box, size=0.92 * look.size), strict=True
    ):
        if place is not None:
            pad = 2 * _NBSP
            figure.add_scatter(
                x=[x.back(place.x, box[0])],
                y=[y.back(place.y, box[1])],
                mode="text",
                text=[line.name + pad if place.left else pad + line.name],
                textposition="middle left" if place.left else "middle right",
                textfont={"color": _style(line.style, look)["line"]["color"], "size": 0.92 * look.size},
                hoverinfo="skip",
                cliponaxis=False,
                legendgroup=line.name,
                showlegend=False,
                **where,
            )


def _tell_upright(figure: Figure, upright: tuple[float, str], axis: Axis, look: Look) -> None:
    figure.add_annotation(
        x=float(np.log10(upright[0])) if axis.log else upright[0],
        xref="x",
        y=0,
        yref="y domain",
        xanchor="left",
        yanchor="bottom",
        xshift=4,
        text=upright[1],
        showarrow=False,
        font={"color": look.muted},
    )


def _legend(figure: Figure, panels: Sequence[Panel], look: Look) -> None:
    """One entry a name, drawn as line and marker together."""
    for name, line in {line.name: line for panel in panels for line in panel.lines}.items():
        mode = "markers" if line.plain else "lines+markers" if len(line.marks) else "lines"
        style = _style(line.style, look)
        figure.add_scatter(x=[None], y=[None], mode=mode, name=line.told or name, legendgroup=name, **style)


def _short(values: Floats) -> Floats:
    return np.asarray(values, np.float32)

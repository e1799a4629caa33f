"""Lines in panels side by side, with bands for intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import number_text
from dpviz.charts.direct_labels import NEAR_THE_END, place_labels
from dpviz.charts.grammar import (
    DASHES,
    LIGHT,
    MARKERS,
    STACKED,
    Chart,
    Figure,
    Look,
    Mark,
    Marks,
    axes,
    marks,
)
from dpviz.charts.look import MOST_DESIGNS

_WIDTH = 940.0  # pixels a figure is laid out for
_ALONE = 600.0  # pixels that a panel alone has at least, but on a phone
_LONG = 16  # letters of a name
PHONE = "phone"
"""`meta` of names that are shown on a phone only (`narrow.js`)."""
_BETWEEN = 0.045


@dataclass(frozen=True, eq=False)
class Line:
    """A line with its name; `marks` are the x of its markers, `low` and `high` its band's edges.

    `style` is the number of its dash and marker, and of its colour as a design's, unless `colour`
    names a meaning of `Look`. `told` is its full name, if `name` is short. A `wide` line is seen
    beneath another that lies on it.
    """

    name: str
    x: Floats
    y: Floats
    style: int
    marks: Floats = field(default_factory=lambda: np.empty(0))
    low: Floats | None = None
    high: Floats | None = None
    told: str = ""
    colour: str = ""
    wide: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """Lines over one horizontal axis, under a title; `share` is its relative width."""

    title: str
    lines: Sequence[Line]
    share: float = 1.0
    named: bool = True


@dataclass(frozen=True)
class Axis:
    """An axis: its title, its range in data units, logarithmic or not, in per cent or not."""

    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False

    def to_pixels(self, values: Floats, axis_pixels: float) -> Floats:
        with np.errstate(divide="ignore"):
            low, high, v = (
                np.log10(a) if self.log else np.asarray(a, float)
                for a in (self.low, self.high, values)
            )
        return np.asarray((v - low) / (high - low) * axis_pixels)

    def value_at_pixel(self, pixel: float, axis_pixels: float) -> float:
        if self.log:
            return float(self.low * (self.high / self.low) ** (pixel / axis_pixels))
        return self.low + (self.high - self.low) * pixel / axis_pixels

    def layout(self, **more: Any) -> dict[str, Any]:
        settings = axes.axis(self.title, (self.low, self.high), draggable=True)
        if self.log:
            ticks = self._ticks()
            settings |= {
                "type": "log",
                "range": [float(np.log10(self.low)), float(np.log10(self.high))],
                "tickvals": ticks,
                "ticktext": [number_text(tick) for tick in ticks],
            }
        if self.percent:
            digits = 0 if self.high - self.low > 0.06 else 1 if self.high - self.low > 0.006 else 2
            settings |= {"tickformat": f".{digits}%", "nticks": 6}
        return settings | more

    def _ticks(self) -> list[float]:
        """Powers of ten: with their 2 and 5 if they are few, not all of them if many."""
        low, high = float(np.log10(self.low)), float(np.log10(self.high))
        step = max(1, round((high - low) / 5))
        decades = [
            10.0**p for p in range(int(np.floor(low)), int(np.ceil(high)) + 1) if p % step == 0
        ]
        inside = [v for v in decades if self.low <= v <= self.high]
        if len(inside) >= 3:
            return inside
        finer = [
            m * 10.0**p
            for p in range(int(np.floor(low)), int(np.ceil(high)) + 1)
            for m in (1, 2, 5)
        ]
        return [v for v in finer if self.low <= v <= self.high]


@dataclass(frozen=True)
class VerticalMarker:
    """An x marked by a vertical line in every panel; its text is in the first."""

    x: float
    text: str
    high: bool = False

    def marker_text(self, x_axis: Axis, look: Look, foot: float = 0) -> Mark:
        at = float(np.log10(self.x)) if x_axis.log else self.x
        y, end = (1.0, "top") if self.high else (foot, "bottom")
        inside = x_axis.to_pixels(np.array([self.x]), 1.0)[0] < NEAR_THE_END
        side, shift = ("left", 4) if inside else ("right", -4)
        return marks.text_annotation(
            self.text, at, y, f"{side} {end}", look.muted, xref="x", yref="y domain", xshift=shift
        )


# A single panel whose lines all have full names has no legend.
def panel_figure(
    panels: Sequence[Panel],
    x: Axis | Sequence[Axis],
    y: Axis,
    *,
    look: Look,
    height: float = 330.0,
    mark: VerticalMarker | None = None,
    extra_marks: Marks = (),
    legend_lines: int | None = None,
) -> Figure:
    """Figure of the panels, with `extra_marks` on top; `legend_lines` of 0 means no legend."""
    spans = [x] * len(panels) if isinstance(x, Axis) else list(x)
    domains = _domains([panel.share for panel in panels])
    size, height = look.text_size, round(height * look.scale)
    high = height - 9.8 * size
    whole = (
        _names(panels[0].lines, spans[0], y, (_ALONE, high), look, mark, full=True)
        if (legend_lines != 0 and len(panels) == 1 and panels[0].named)
        else []
    )
    lines = 0 if whole else legend_lines
    bottom, top = (4.2 if lines == 0 else 7.2) * size, 2.6 * size
    layout: dict[str, Any] = {}
    drawn: list[Marks] = []
    for i, (panel, along, domain) in enumerate(zip(panels, spans, domains, strict=True)):
        suffix = axes.axis_suffix(i)
        shared = {"matches": "y", "showticklabels": False, "title": {"text": ""}} if i else {}
        layout[f"xaxis{suffix}"] = along.layout(domain=domain, anchor=f"y{suffix}", showgrid=True)
        layout[f"yaxis{suffix}"] = y.layout(anchor=f"x{suffix}", fixedrange=True, **shared)
        where: dict[str, Any] = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        drawn += [_line(line, where, look) for line in panel.lines]
        if panel.named:
            phone = _names(panel.lines, along, y, (330.0, high), look, mark)
            wide = whole or _names(
                panel.lines, along, y, ((domain[1] - domain[0]) * _WIDTH, high), look, mark
            )
            drawn += [
                [marks.point_texts(**one, **where) for one in wide],
                [marks.point_texts(**one, **where, meta=PHONE, visible=False) for one in phone],
            ]
        drawn.append(marks.panel_heading(panel.title, domain[0], look, lift=6))
        if mark is not None:
            drawn.append(
                marks.vertical_line(
                    mark.x, look.ink, xref=where["xaxis"], yref=f"{where['yaxis']} domain"
                )
            )
    extra = 2.1 * size * ((lines or 1) - 1)
    return Figure(
        look,
        drawn,
        () if mark is None else mark.marker_text(spans[0], look),
        ()
        if legend_lines == 0
        else _legend(panels, look, **{"meta": PHONE, "visible": False} if whole else {}),
        extra_marks,
        height=(height + round(extra)) / look.scale,
        meta=STACKED,
        margin={"t": top, "b": bottom + extra, "l": 4.6 * size, "r": 8},
        legend=axes.horizontal_legend(
            -4.3 * size / (height - top - bottom),
            "top",
            xanchor="left",
            maxheight=0.5 if lines else None,
        ),
        hovermode="closest",
        **layout,
    )


def _domains(shares: Sequence[float]) -> list[list[float]]:
    ends = np.cumsum(np.array(shares) / sum(shares) * (1.0 - _BETWEEN * (len(shares) - 1)))
    shifts = _BETWEEN * np.arange(len(shares))
    domains: list[list[float]] = np.clip(
        np.stack([np.concatenate(([0.0], ends[:-1])) + shifts, ends + shifts], axis=1), 0.0, 1.0
    ).tolist()
    return domains


def _style(line: Line, look: Look) -> dict[str, Any]:
    style = line.style
    colour = look.colours_by_meaning[line.colour or f"designs_{style % MOST_DESIGNS}"]
    return {
        "line": {"color": colour, "width": 2.2 * look.scale, "dash": DASHES[style % len(DASHES)]},
        "marker": {
            "color": colour,
            "symbol": MARKERS[style % len(MARKERS)],
            "size": 8 * look.scale,
        },
    }


def _line(line: Line, where: dict[str, str], look: Look) -> Iterator[Mark]:
    style = _style(line, look)
    style["line"]["width"] *= 3 if line.wide else 1
    colour = style["line"]["color"]
    common = {
        "legendgroup": line.name,
        "hover": f"{line.name}<br>%{{x:,.4~r}}: <b>%{{y}}</b>",
        **where,
    }
    if line.low is not None and line.high is not None:
        x, y = np.concatenate([line.x, line.x[::-1]]), np.concatenate([line.high, line.low[::-1]])
        band = {"fill": "toself", "opacity": 0.22, "line": {"width": 0, "color": colour}}
        yield marks.filled_area(_short(x), _short(y), colour, **band, **common | {"hover": None})
    yield marks.trace(
        "scatter", _short(line.x), _short(line.y), mode="lines", line=style["line"], **common
    )
    if len(line.marks):
        yield marks.trace(
            "scatter",
            _short(line.marks),
            _short(np.interp(line.marks, line.x, line.y)),
            mode="markers",
            marker=style["marker"],
            **common,
        )


def _names(
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    box: tuple[float, float],
    look: Look,
    mark: VerticalMarker | None,
    *,
    full: bool = False,
) -> list[dict[str, Any]]:
    """Names of lines beside them, if there is room; if `full`, all of them or none."""
    joined = [line for line in lines if ((line.x >= x.low) & (line.x <= x.high)).any()]
    box = (box[0] - 6 * look.text_size, box[1])
    paths = []
    for line in joined:
        seen = (line.x >= x.low) & (line.x <= x.high)
        paths.append((x.to_pixels(line.x[seen], box[0]), y.to_pixels(line.y[seen], box[1])))
    size = 0.92 * look.text_size
    said = [_in_rows(line.told or line.name) if full else line.name for line in joined]
    uprights = (
        [] if mark is None else [(float(x.to_pixels(np.array([mark.x]), box[0])[0]), mark.text)]
    )
    places = place_labels(
        said, paths, *box, text_size=size, vertical_lines=uprights, allow_beyond_lines=full
    )
    named = []
    for line, text, place in zip(joined, said, places, strict=True):
        if place is None:
            if full:
                return []
            continue
        pad = 2 * "\u00a0"
        rows = (row + pad if place.left else pad + row for row in text.split("\n"))
        named.append(
            {
                "x": [x.value_at_pixel(place.x, box[0])],
                "y": [y.value_at_pixel(place.y, box[1])],
                "text": ["<br>".join(rows)],
                "font": {"color": _style(line, look)["line"]["color"], "size": size},
                "at": "middle left" if place.left else "middle right",
                "legendgroup": line.name,
            }
        )
    return [] if full and len(named) < len(lines) else named


def _in_rows(name: str) -> str:
    """Long name in two rows, the longer one as short as possible."""
    spaces = [at for at, sign in enumerate(name[:-1]) if sign == " " and name[at + 1] != "·"]
    at = min(spaces, key=lambda at: max(at, len(name) - at), default=-1)
    return name if len(name) < _LONG or at < 0 else f"{name[:at]}\n{name[at + 1 :]}"


def _legend(panels: Sequence[Panel], look: Look, **more: Any) -> Iterator[Mark]:
    """One entry for each name, with line and marker together."""
    for name, line in {line.name: line for panel in panels for line in panel.lines}.items():
        mode = "lines+markers" if len(line.marks) else "lines"
        entry = {
            "name": line.told or name,
            "legendgroup": name,
            "hoverinfo": None,
            **_style(line, look),
            **more,
        }
        yield marks.trace("scatter", [None], [None], mode=mode, **entry)


def _short(values: Floats) -> Floats:
    return np.asarray(values, np.float32)


def line_chart(
    panels: Sequence[Panel],
    x: Axis | Sequence[Axis],
    y: Axis,
    *,
    how_to_read: str,
    says_now: str,
    look: Look = LIGHT,
) -> Chart:
    first = x if isinstance(x, Axis) else x[0]
    names = list(dict.fromkeys(line.name for panel in panels for line in panel.lines))
    return Chart(
        figure=panel_figure(panels, x, y, look=look),
        shows=f"Lines of {y.title} over {first.title}: {', '.join(names)}.",
        how_to_read=how_to_read,
        says_now=says_now,
        columns=[
            {
                "panel": panel.title,
                "line": line.name,
                "x": line.x,
                "y": line.y,
                "low": np.full(len(line.x), np.nan) if line.low is None else line.low,
                "high": np.full(len(line.x), np.nan) if line.high is None else line.high,
            }
            for panel in panels
            for line in panel.lines
        ],
    )

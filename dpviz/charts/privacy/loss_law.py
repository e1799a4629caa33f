"""The law of the privacy loss: how strongly what comes out points to one of the two worlds.

Symbols: L = log P/P' of what comes out, P with her and P' without: right of 0 it speaks for her being in the data.
Invariants: bars of each world add up to the mass that is known; what is infinite stands beyond the ends and says so;
the ceiling ±ε is marked wherever it is finite.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import number, of_releases
from dpviz.privacy.loss import Events, PrivacyLoss

__all__ = ["loss_law"]

_BINS = 50


@dataclass(frozen=True, eq=False)
class _Side:
    """One world's law of L, binned."""

    name: str
    mass: Floats


def loss_law(loss: PrivacyLoss, *, worlds: tuple[str, str], look: Look = LIGHT) -> Chart:
    """`loss` with her data against without; `worlds` name the two."""
    there = loss.reversed
    values = np.concatenate([loss.values, -there.values])
    finite = np.abs(values[np.isfinite(values)])
    ceiling = loss.ceiling.epsilon
    reach = max([float(finite.max()) if len(finite) else 0.0] + ([ceiling] if math.isfinite(ceiling) else []))
    reach = 1.04 * (reach or 1.0)
    edges = np.linspace(-reach, reach, _BINS + 1)
    sides = [
        _Side(worlds[0], _binned(loss.values, loss.mass, edges)),
        _Side(worlds[1], _binned(-there.values, there.mass, edges)),
    ]
    says = _says(loss)
    return Chart(
        figure=_figure(sides, edges, ceiling, look),
        alt=f"Bars of the privacy loss of what comes out, {worlds[0]} and {worlds[1]}. {says}",
        how_to_read=(
            "Each release points one way: to the right, it is likelier with her data; to the left, without; at 0 it "
            "says nothing. Bars say how often which strength comes out in either world; ±ε is the most that is allowed."
            + _known(loss)
        ),
        says_now=says,
        make_table=lambda: pd.concat(
            [
                pd.DataFrame({"world": worlds[0], "loss": loss.values, "chance": loss.mass}),
                pd.DataFrame({"world": worlds[1], "loss": -there.values, "chance": there.mass}),
            ],
            ignore_index=True,
        ),
    )


def _known(loss: PrivacyLoss) -> str:
    if isinstance(loss.here, Events):
        return " What is drawn is the one event, with its opposite, that tells most."
    return "" if loss.method == "exact" else " Each loss is drawn at what is certain of it, at least."


def _binned(values: Floats, mass: Floats, edges: Floats) -> Floats:
    """Mass by bin; what is infinite in the first and the last."""
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.asarray(np.bincount(at, mass, len(edges) - 1), float)


def _says(loss: PrivacyLoss) -> str:
    least = "" if loss.method == "exact" else "at least "
    if loss.largest == math.inf:
        return "Something comes out in one world only: whoever sees it knows. Only δ holds that back."
    shown = f"The most telling output counts {least}{number(_three(loss.largest))}"
    held = f" of at most ε = {number(loss.ceiling.epsilon)}" if math.isfinite(loss.ceiling.epsilon) else ""
    strong = loss.values > loss.largest / 2
    often = (
        f"; more than half of that is shown in {of_releases(float(loss.mass[strong].sum()))}" if strong.any() else ""
    )
    return f"{shown}{held}{often}."


def _three(value: float) -> float:
    return float(f"{value:.3g}")


def _figure(sides: list[_Side], edges: Floats, ceiling: float, look: Look) -> Figure:
    figure = Figure()
    middle, width = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    for side, colour, shape, shift in zip(
        sides, (look.categories[3], look.categories[0]), ("", "/"), (-0.22, 0.22), strict=True
    ):
        figure.add_bar(
            x=(middle + shift * width).astype(np.float32),
            y=side.mass.astype(np.float32),
            width=0.44 * width,
            name=side.name,
            marker={
                "color": colour,
                "line": {"width": 0},
                "pattern": {"shape": shape, "bgcolor": colour, "fgcolor": look.paper, "size": 6, "solidity": 0.15},
            },
            customdata=[
                f"{side.name}: loss about {at:.3g}<br><b>{of_releases(float(p))}</b>"
                for at, p in zip(middle.tolist(), side.mass.tolist(), strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    figure.add_upright(0.0, line={"color": look.muted, "width": 1})
    if math.isfinite(ceiling):
        for at, text in ((-ceiling, "−ε"), (ceiling, "ε")):
            figure.add_upright(at, line={"color": look.ink, "width": 1.2, "dash": "dash"})
            figure.add_annotation(
                x=at, y=1, xref="x", yref="y domain", yanchor="bottom", text=text, showarrow=False,
                font={"color": look.muted},
            )  # fmt: skip
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round(280 * look.scale),
        barmode="overlay",
        margin={"t": 2.0 * size, "b": 7.0 * size},
        xaxis={
            "title": {"text": "← without her · privacy loss · with her →"},
            "range": [float(edges[0]), float(edges[-1])],
            "showgrid": False,
            "fixedrange": True,
        },
        yaxis={"title": {"text": "share of releases"}, "tickformat": ".0%", "rangemode": "tozero", "nticks": 5,
               "fixedrange": True},
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
    )  # fmt: skip
    return figure

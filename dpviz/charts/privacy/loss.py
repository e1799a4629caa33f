"""The privacy loss between two worlds: its law, and δ(ε'), which is left over where a smaller ε' is claimed.

Symbols: L = log P/P' of what comes out, P with her and P' without: right of 0 it speaks for her being in the data.
Invariants: both directions are drawn; bars of each world add up to the mass that is known; what is infinite stands
beyond the ends and says so; the ceiling ±ε is marked wherever it is finite; where the loss is a lower bound so is δ,
which the words say.
"""

import math

import numpy as np

from dpviz.base import Floats
from dpviz.charts import at_least, at_most
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Mark,
    axis,
    columns,
    hatch,
    legend_below,
    note,
    number,
    of_releases,
    shares,
    upright,
)
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_laws import Events

_BINS = 50


def loss_law(loss: PrivacyLoss, *, worlds: tuple[str, str], look: Look = LIGHT) -> Chart:
    """`loss` with her data against without; `worlds` name the two."""
    there = loss.reversed
    values = np.concatenate([loss.values, -there.values])
    finite = np.abs(values[np.isfinite(values)])
    ceiling = loss.ceiling.epsilon
    reach = max([float(finite.max()) if len(finite) else 0.0] + ([ceiling] if math.isfinite(ceiling) else []))
    reach = 1.04 * (reach or 1.0)
    edges = np.linspace(-reach, reach, _BINS + 1)
    says = _says(loss)
    masses = _binned(loss.values, loss.mass, edges), _binned(-there.values, there.mass, edges)
    return Chart(
        figure=_figure(worlds, masses, edges, ceiling, look),
        alt=f"Bars of the privacy loss of what comes out, {worlds[0]} and {worlds[1]}. {says}",
        how_to_read=(
            "Each release points one way: to the right, it is likelier with her data; to the left, without; at 0 it "
            "says nothing. Bars say how often which strength comes out in either world; ±ε is the most that is allowed."
            + _known(loss)
        ),
        says_now=says,
        make_table=lambda: [
            {"world": worlds[0], "loss": loss.values, "chance": loss.mass},
            {"world": worlds[1], "loss": -there.values, "chance": there.mass},
        ],
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
    known = number(loss.largest, 3) if loss.method == "exact" else f"at least {at_least(loss.largest, 3)}"
    if loss.largest == math.inf:
        return "Something comes out in one world only: whoever sees it knows. Only δ holds that back."
    largest = f"The most telling output counts {known}"
    held = f" of at most ε = {at_most(loss.ceiling.epsilon)}" if math.isfinite(loss.ceiling.epsilon) else ""
    strong = loss.values > loss.largest / 2
    often = (
        f"; more than half of that is shown in {of_releases(float(loss.mass[strong].sum()))}" if strong.any() else ""
    )
    return f"{largest}{held}{often}."


def _figure(
    worlds: tuple[str, str], masses: tuple[Floats, Floats], edges: Floats, ceiling: float, look: Look
) -> Figure:
    ends = [(-ceiling, "−ε"), (ceiling, "ε")] if math.isfinite(ceiling) else []
    return Figure(
        look,
        [
            _columns(worlds[0], masses[0], edges, look.categories[3], "", -0.22, look),
            _columns(worlds[1], masses[1], edges, look.categories[0], "/", 0.22, look),
        ],
        upright(0.0, look.muted, None),
        [upright(at, look.ink, width=1.2) for at, _ in ends],
        [note(text, at, 1, "bottom", look.muted, xref="x", yref="y domain") for at, text in ends],
        height=280,
        barmode="overlay",
        margin={"t": 2.0 * look.size, "b": 7.0 * look.size},
        x=axis("← without her · privacy loss · with her →", (float(edges[0]), float(edges[-1])), grid=False),
        y=shares("share of releases"),
        legend=legend_below(),
    )


def _columns(world: str, mass: Floats, edges: Floats, colour: str, shape: str, shift: float, look: Look) -> Mark:
    """One world's columns, beside those of the other."""
    middle, width = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    return columns(
        (middle + shift * width).astype(np.float32),
        mass.astype(np.float32),
        colour,
        pattern=hatch(shape, colour, look),
        width=0.44 * width,
        name=world,
        hover=[
            f"{world}: loss about {at:.3g}<br><b>{of_releases(float(p))}</b>"
            for at, p in zip(middle.tolist(), mass.tolist(), strict=True)
        ],
    )


def delta_curve(
    epsilons: Floats,
    forth: Floats,
    back: Floats,
    *,
    worlds: tuple[str, str],
    largest: float,
    exact: bool,
    look: Look = LIGHT,
) -> Chart:
    """δ at each ε' of the data with her against without (`forth`), and the other way; 0 from the `largest` loss on."""
    lines = [Line(worlds[0], epsilons, forth, 0), Line(worlds[1], epsilons, back, 1)]
    high = float(np.maximum(forth, back).max())
    known = number(high, 3) if exact else f"at least {at_least(high, 3)}"
    says = f"At ε' = 0 δ is {known}"
    says += f", and from ε' = {number(largest, 3)} on it is 0." if exact and math.isfinite(largest) else "."
    return Chart(
        figure=draw_panels(
            [Panel("δ for this person at ε'", lines, named=False)],
            Axis("ε' that is claimed", 0.0, float(epsilons[-1])),
            Axis("δ", 0.0, 1.06 * high or 1.0),
            look=look,
            height=280.0,
        ),
        alt=f"δ against ε', falling, in both directions. {says}",
        how_to_read=(
            "An (ε', δ) guarantee may be broken by δ. For this person alone an ε' below the mechanism's would do, "
            "with the δ that the line shows for releases made in that world"
            + ("." if exact else "; lines are lower bounds, from events whose chances are known.")
        ),
        says_now=says,
        make_table=lambda: {"epsilon": epsilons, f"delta {worlds[0]}": forth, f"delta {worlds[1]}": back},
    )

"""Privacy loss between two worlds: its law, and the δ that remains at a smaller ε'.

Symbols: L = log P/P' of an output, P with her data and P' without; L > 0 speaks for her data.
"""

import math

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import (
    lower_bound_text,
    number_text,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, marks
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_laws import EventLosses

_NOTHING = 1e-9  # of a loss


def loss_distribution_chart(
    loss: PrivacyLoss, *, worlds: tuple[str, str], look: Look = LIGHT
) -> Chart:
    """`loss` with her data against without; `worlds` name the two."""
    there = loss.reversed
    values = np.concatenate([loss.values, -there.values])
    finite = np.abs(values[np.isfinite(values)])
    ceiling = loss.ceiling.epsilon
    reach = max(
        [float(finite.max()) if len(finite) else 0.0]
        + ([ceiling] if math.isfinite(ceiling) else [])
    )
    reach = 1.04 * (reach or 1.0)
    edges = np.linspace(-reach, reach, 51)
    says = _says(loss, worlds)
    masses = _binned(loss.values, loss.mass, edges), _binned(-there.values, there.mass, edges)
    return Chart(
        figure=_figure(worlds, masses, edges, ceiling, look),
        shows=f"Bars of the privacy loss of one release, {worlds[0]} and {worlds[1]}.",
        how_to_read=(
            f"A release to the right of 0 is likelier {worlds[0]}, one to the left is likelier"
            f" {worlds[1]}. At 0 it reveals nothing. Bars show how often each loss occurs in"
            " each case."
            f" {'The limit is ±ε.' if math.isfinite(ceiling) else 'There is no limit ε.'}"
            + (
                " Only the most revealing event and its opposite are drawn."
                if isinstance(loss.here, EventLosses)
                else ""
                if loss.method == "exact"
                else " Each loss is drawn at its certified lower bound."
            )
        ),
        says_now=says,
        columns=[
            {"world": worlds[0], "loss": loss.values, "chance": loss.mass},
            {"world": worlds[1], "loss": -there.values, "chance": there.mass},
        ],
    )


def _binned(values: Floats, mass: Floats, edges: Floats) -> Floats:
    """Mass by bin; infinite values are in the first and the last."""
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.asarray(np.bincount(at, mass, len(edges) - 1), float)


def _says(loss: PrivacyLoss, worlds: tuple[str, str]) -> str:
    known = (
        number_text(loss.largest)
        if loss.method == "exact"
        else f"at least {lower_bound_text(loss.largest, 3)}"
    )
    most = (
        f"ε = {upper_bound_text(loss.ceiling.epsilon)}"
        if math.isfinite(loss.ceiling.epsilon)
        else ""
    )
    if loss.method != "exact" and loss.largest < _NOTHING:
        return f"Nothing is known of the loss{most and ' except its limit, '}{most}."
    if loss.largest == math.inf:
        held = "Only δ limits" if loss.ceiling.delta else "Nothing limits"
        return f"Some release can occur in one case only, and reveals which. {held} how often."
    limit = f" (limit: {most})" if most else ""
    says = f"The most revealing release has a loss of {known}{limit}{_points(loss, worlds)}."
    strong = np.abs(loss.values) > loss.largest / 2
    # a bound on the loss of an event says nothing of each release in it
    if loss.method != "exact" or not strong.any():
        return says
    often = release_frequency_text(float(loss.mass[strong].sum()))
    return f"{says} The loss is over half of that in {often} {worlds[0]}."


def _points(loss: PrivacyLoss, worlds: tuple[str, str]) -> str:
    """World in which the most revealing release is likelier."""
    forth, back = loss.here.highest, loss.there.highest
    if loss.largest < _NOTHING or abs(forth - back) < _NOTHING:
        return ""
    return f" and is likelier {worlds[0] if forth > back else worlds[1]}"


def _figure(
    worlds: tuple[str, str],
    masses: tuple[Floats, Floats],
    edges: Floats,
    ceiling: float,
    look: Look,
) -> Figure:
    ends = [(-ceiling, "−ε"), (ceiling, "ε")] if math.isfinite(ceiling) else []
    return Figure(
        look,
        [
            _columns(worlds[0], masses[0], edges, look.with_her, "", -0.22, look),
            _columns(worlds[1], masses[1], edges, look.without_her, "/", 0.22, look),
        ],
        marks.vertical_line(0.0, look.muted, None),
        [marks.vertical_line(at, look.ink, width=1.2) for at, _ in ends],
        [
            marks.text_annotation(text, at, 1, "bottom", look.muted, xref="x", yref="y domain")
            for at, text in ends
        ],
        height=280,
        barmode="overlay",
        margin={"t": 2.0 * look.text_size, "b": 7.0 * look.text_size},
        x=axes.axis(
            f"← {worlds[1]} · privacy loss · {worlds[0]} →",
            (float(edges[0]), float(edges[-1])),
            grid=False,
        ),
        y=axes.percent_axis("share of releases"),
        legend=axes.bottom_legend(),
    )


def _columns(
    world: str, mass: Floats, edges: Floats, colour: str, shape: str, shift: float, look: Look
) -> Mark:
    middle, width = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    return marks.vertical_bars(
        (middle + shift * width).astype(np.float32),
        mass.astype(np.float32),
        colour,
        pattern=marks.hatch_pattern(shape, colour, look),
        width=0.44 * width,
        name=world,
        hover=[
            f"{world}: loss about {at:.3g}<br><b>{release_frequency_text(float(p))}</b>"
            for at, p in marks.zip_plain_values(middle, mass)
        ],
    )


def delta_curve_chart(
    epsilons: Floats,
    forth: Floats,
    back: Floats,
    *,
    worlds: tuple[str, str],
    largest: float,
    exceeds: tuple[Floats, Floats] | None = None,
    upper_bounds: Floats | None = None,
    look: Look = LIGHT,
) -> Chart:
    """δ at each ε' with her data against without (`forth`) and back; 0 from the `largest` loss on.

    `exceeds` are the chances of a loss above ε' in the two worlds. `upper_bounds` is what the
    mechanism's ceiling allows, given if δ is only a lower bound.
    """
    exact, none = upper_bounds is None, np.zeros(0)
    lines = [
        Line(worlds[0], epsilons, forth, 0, colour="with_her"),
        Line(worlds[1], epsilons, back, 1, colour="without_her"),
    ]
    both = np.maximum(forth, back)
    if upper_bounds is not None:
        lines.append(
            Line(
                "allowed at most",
                epsilons,
                upper_bounds,
                2,
                low=both,
                high=upper_bounds,
                colour="ink",
            )
        )
    high = float(np.max([*both, *(none if upper_bounds is None else upper_bounds)]))
    says = _says_delta(epsilons, (forth, back), largest, exceeds, upper_bounds)
    table = {"epsilon": epsilons, f"delta {worlds[0]}": forth, f"delta {worlds[1]}": back}
    if exceeds is not None:
        table |= {
            f"chance of a loss above, {world}": one
            for world, one in zip(worlds, exceeds, strict=True)
        }
    if upper_bounds is not None:
        table |= {"delta allowed at most": upper_bounds}
    return Chart(
        figure=panel_figure(
            [Panel("δ for this person at ε'", lines, named=False)],
            Axis("ε' that is claimed", 0.0, float(epsilons[-1])),
            Axis("δ", 0.0, 1.06 * high or 1.0),
            look=look,
            height=280.0,
        ),
        shows="Falling curves of δ against ε' in both directions.",
        how_to_read=(
            "For this person alone a smaller ε' holds with the δ shown. That δ is the part of all"
            " chances beyond e^ε' times those in the other case. A loss above ε' has at least that"
            " chance."
            + ("" if exact else " Lines are lower bounds. The truth is between them and the limit.")
        ),
        says_now=says,
        columns=table,
    )


def _says_delta(
    epsilons: Floats,
    ways: tuple[Floats, Floats],
    largest: float,
    exceeds: tuple[Floats, Floats] | None,
    most: Floats | None,
) -> str:
    """δ at 0, its end, and the chance of a loss above ε' in the middle, in one world."""
    start = max(float(delta[0]) for delta in ways)
    if most is not None:
        return (
            f"At ε' = 0, δ is at least {lower_bound_text(start, 3)} and at most"
            f" {upper_bound_text(float(most[0]), 3)}."
        )
    says = f"At ε' = 0, δ is {number_text(start, 3)}." + (
        f" From ε' = {upper_bound_text(largest, 3)} on, it is 0." if math.isfinite(largest) else ""
    )
    some = np.flatnonzero(np.maximum(*ways) > 0)
    if exceeds is None or not len(some):
        return says
    at = int(some[len(some) // 2])
    delta, above = max(
        (float(one[at]), float(chance[at])) for one, chance in zip(ways, exceeds, strict=True)
    )
    return (
        f"{says} At ε' = {number_text(float(epsilons[at]), 3)} it is {number_text(delta, 3)}, and"
        f" the loss is above ε' in {release_frequency_text(above)}."
    )

"""δ(ε'): what is left over where a smaller ε' than the mechanism's is claimed for this pair.

Invariant: both directions are drawn; where the loss is a lower bound so is δ, which the words say.
"""

import math

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.charts.words import at_least, number


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

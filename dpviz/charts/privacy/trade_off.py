"""Trade-off of a test that says from one release whether her data are in.

Symbols: α = chance of a false alarm, in the world without her; β = chance to miss her. No test lies
below this person's line, nor any person's test below the ceiling's.
"""

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import lower_percent_text, percent, upper_percent_text
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure

_SAID = 0.05  # α of the sentence


def trade_off_curve_chart(
    alarms: Floats,
    misses: Floats,
    least: Floats,
    allowed: Floats,
    *,
    worlds: tuple[str, str],
    exact: bool,
    look: Look = LIGHT,
) -> Chart:
    """`misses` of the best known test at each rate of false alarms; none misses less than `least`.

    `allowed` is the lower bound for any person.
    """
    miss, bound, floor = (
        float(np.interp(_SAID, alarms, line)) for line in (misses, least, allowed)
    )
    says = _says(miss, None if exact else bound, floor, worlds)
    lines = [
        Line("pure guessing", alarms, 1 - alarms, 2, colour="muted"),
        Line(
            "about her",
            alarms,
            misses,
            0,
            low=None if exact else least,
            high=None if exact else misses,
            colour="attacker",
        ),
        Line("about anybody, at least", alarms, allowed, 1, colour="ink"),
    ]
    return Chart(
        figure=panel_figure(
            [Panel("chance to miss her", lines, named=False)],
            Axis("chance of a false alarm", 0.0, 1.0, percent=True),
            Axis("misses", 0.0, 1.02, percent=True),
            look=look,
            height=300.0,
        ),
        shows=(
            "Three lines of the chance to miss her against the chance of a false alarm, falling"
            " from 100 % to 0."
        ),
        how_to_read=(
            f"A test sees one release and decides whether it was made {worlds[0]} or {worlds[1]}. A"
            " test with more false alarms can miss less. A line far below pure guessing reveals"
            " much about her."
            + ("" if exact else " Within the band below her line a better test could lie.")
        ),
        says_now=says,
        columns={
            "false alarms": alarms,
            "misses": misses,
            "misses at least": least,
            "misses at least, about anybody": allowed,
        },
    )


def _says(miss: float, least: float | None, allowed: float, worlds: tuple[str, str]) -> str:
    known = (
        percent(miss)
        if least is None
        else f"at most {upper_percent_text(miss)} and at least {lower_percent_text(least)}"
    )
    anybody = (
        f" For anybody, ε makes such a test miss at least {lower_percent_text(allowed)}."
        if allowed
        else ""
    )
    return (
        f"With 5 % false alarms, the best test misses {known} of the releases made {worlds[0]}"
        f" (pure guessing: 95 %).{anybody}"
    )

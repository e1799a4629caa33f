"""Utility against the stop chance γ: more runs on the left, fewer on the right.

Invariants: between the computed γ lines are straight in log γ; the theorem's bound is drawn where it says
something (above 0).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from dpviz.candidates.worth import StopCurve
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, Upright, draw_panels
from dpviz.charts.words import as_typed, number, percent

_BOUND = "least that random stopping promises"


def stop_curves(
    curves: Mapping[str, StopCurve],
    what: Literal["within", "score"],
    *,
    stop: float,
    share: float,
    dearer: Sequence[str] = (),
    bound: bool = True,
    look: Look = LIGHT,
) -> Chart:
    """The chance to be among the best `share` of all runs, or the mean score, of each rule by its label.

    `stop` is γ as it is now, `dearer` the rules whose total ε grows with the runs. With `bound` the
    promise 1 − γ/p of random stopping is drawn too.
    """
    first = next(iter(curves.values()))
    lines = [
        Line(name, curve.stop, getattr(curve, what), style, marks=np.array([stop]))
        for style, (name, curve) in enumerate(curves.items())
    ]
    if bound and what == "within":
        seen = np.append(first.stop[first.stop < share], share)
        lines.append(Line(_BOUND, seen, 1 - seen / share, 5))
    x = Axis(
        "stop chance γ (of Poisson repeats: 1/μ), logarithmic",
        float(first.stop[0]),
        float(first.stop[-1]),
        log=True,
    )
    if what == "within":
        y = Axis("chance", 0.0, 1.02, percent=True)
        title = f"among the best {as_typed(share)} of all runs"
    else:
        values = np.concatenate([curve.score for curve in curves.values()])
        room = 0.06 * (float(values.max() - values.min()) or 1.0)
        y = Axis("mean score", float(values.min()) - room, float(values.max()) + room)
        title = "mean score of what comes out"
    says = _says(curves, what, stop, share)
    return Chart(
        figure=draw_panels(
            [Panel(title, lines, named=False)],
            x,
            y,
            look=look,
            height=350.0,
            mark=Upright(stop, f"γ = {number(stop)}"),
        ),
        alt=f"Curves against the stop chance from {number(x.low)} to {number(x.high)}: {title}. {says}",
        how_to_read=_how(dearer, bound and what == "within"),
        says_now=says,
        make_table=lambda: [
            {
                "rule": name,
                "stop chance": curve.stop,
                "mean score": curve.score,
                "in the top": curve.within,
                "nothing": curve.bottom,
                "runs on average": curve.runs,
            }
            for name, curve in curves.items()
        ],
    )


def _says(curves: Mapping[str, StopCurve], what: str, stop: float, share: float) -> str:
    values = []
    for name, curve in curves.items():
        value = float(np.interp(np.log(stop), np.log(curve.stop), getattr(curve, what)))
        values.append(f"{name} {percent(value) if what == 'within' else number(value)}")
    of = f"the chance to be among the best {as_typed(share)}" if what == "within" else "the mean score"
    return f"At γ = {number(stop)} {of}: " + ", ".join(values) + "."


def _how(dearer: Sequence[str], bound: bool) -> str:
    sentence = "To the left the rules make more runs and choose better; that costs work, and no more ε"
    sentence += f", except with {' and '.join(dearer)}, whose total ε grows as well." if dearer else "."
    return sentence + (" The bound of random stopping, 1 − γ/p, holds for every pool of candidates." if bound else "")

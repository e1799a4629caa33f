"""Chance of the goal as all scores shrink or grow, so that a sudden fall is seen in time."""

from collections.abc import Sequence

import numpy as np

from dpviz.base.text_format import percent, upper_bound_text
from dpviz.charts.decision.goal_curves import goal_marks
from dpviz.charts.grammar import LIGHT, Chart, Look, marks
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure

_HEIGHT = 260.0


def goal_drift_chart(
    factors: Sequence[float],
    chances: Sequence[float],
    goal: float,
    chance_title: str,
    *,
    lost_below: float | None,
    asked: tuple[float, float],
    data_name: str = "",
    look: Look = LIGHT,
) -> Chart:
    """Line of the chance; the goal is lost below `lost_below`, and the range `asked` is shaded.

    `data_name` names the data, if there are several.
    """
    x, y = np.asarray(factors, float), np.asarray(chances, float)
    shown = lost_below is not None and x[0] <= lost_below <= x[-1]
    says = (
        f"With all scores ×{x[0]:g} the {chance_title}{data_name} is {percent(float(y[0]))}, unchanged"
        f" {percent(float(np.interp(1.0, x, y)))}, with ×{x[-1]:g} {percent(float(y[-1]))}."
    )
    if shown or not lost_below:
        says += f" {missed_goal_sentence(lost_below)}"
    return Chart(
        figure=panel_figure(
            [
                Panel(
                    "",
                    [Line("chance", x, y, 0, marks=np.array([1.0]), colour="accent")],
                    named=False,
                )
            ],
            Axis("all scores, times", float(x[0]), float(x[-1])),
            Axis(chance_title, 0.0, 1.02, percent=True),
            look=look,
            height=_HEIGHT,
            legend_lines=0,
            mark=(
                VerticalMarker(lost_below, f"met down to ×{upper_factor_text(lost_below)}")
                if lost_below is not None and shown
                else None
            ),
            extra_marks=[
                *(
                    []
                    if asked == (1.0, 1.0)
                    else [
                        marks.filled_area(
                            [asked[0], asked[1], asked[1], asked[0]],
                            [0.0, 0.0, 1.02, 1.02],
                            look.muted,
                            fill="toself",
                            opacity=0.12,
                            line={"width": 0},
                        )
                    ]
                ),
                goal_marks(goal, look),
            ],
        ),
        shows=f"A line of {chance_title} against the factor that all scores are multiplied by.",
        how_to_read=(
            "The data to be published differ from these. Left of ×1 all scores are smaller, right"
            " of it larger."
        ),
        says_now=says,
        columns=[{"factor": x, "chance": y}],
    )


def upper_factor_text(factor: float) -> str:
    """Factor that still meets the goal, to three digits and rounded up."""
    return upper_bound_text(factor, 3)


def missed_goal_sentence(lost_below: float | None) -> str:
    """Sentence that says when the goal is missed as scores shrink; None where it is missed now.

    >>> missed_goal_sentence(0.7123)
    'The goal is met until scores fall below 71.3 % of these.'
    """
    if lost_below is None:
        return "The goal is missed even if nothing changes."
    if not lost_below:
        return "Smaller scores do not make it miss the goal."
    left = upper_bound_text(100 * lost_below, 3)
    if left == "100":
        return "If scores fall even a little, the goal is missed."
    return f"The goal is met until scores fall below {left} % of these."

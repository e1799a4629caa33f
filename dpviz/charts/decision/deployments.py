"""Bounds on an attacker's right guesses, a row for each deployment, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.base.text_format import safe_label, shorten_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks

_LONGEST = 30  # characters of a name
_ROW = 33  # pixels
_ENDS = 48.5, 102.0
_TICKS = (50, 60, 70, 80, 90, 100)


@dataclass(frozen=True)
class GuessRow:
    """Bounds on right guesses of 100 for a deployment or a `plan`; `opened` marks the one read."""

    name: str
    unit: int
    year: int | None
    protected: str
    plan: bool = False
    opened: bool = False


def deployments_chart(rows: Sequence[GuessRow], says: str, *, look: Look = LIGHT) -> Chart:
    """Dots of right guesses about one unit, with a hollow one for a year where a unit comes back."""
    years = [(place, row) for place, row in enumerate(rows) if row.year is not None]
    size = look.text_size
    longest = max((len(shorten_text(row.name, _LONGEST)) for row in rows), default=1)
    return Chart(
        figure=Figure(
            look,
            marks.segments(
                ([row.unit for _, row in years], [row.year for _, row in years]),
                ([place for place, _ in years], [place for place, _ in years]),
                look.muted,
                1.2,
            ),
            marks.dots(
                [row.year for _, row in years],
                [place for place, _ in years],
                look.paper,
                13 * look.scale,
                "circle",
                (1.6, look.attacker),
                name="right about all units of a year",
                cliponaxis=False,
                hover=[f"<b>{safe_label(row.name)}</b><br>a year: {row.year}" for _, row in years],
            ),
            _dots(rows, "right about one unit", look),
            _dots(rows, "your plan, all lists", look, plan=True),
            height=_ROW * len(rows) + 106,
            margin={
                "l": (0.52 * longest + 1.2) * size,
                "t": 6,
                "r": 8,
                "b": 6.8 * size,
            },
            x=axes.axis(
                "attacker right, times in 100 at most",
                _ENDS,
                grid=True,
                tickvals=_TICKS,
                ticktext=[*map(str, _TICKS)],
            ),
            y=axes.row_axis(
                [_label(row) for row in rows],
                look,
                tickfont={"color": look.ink, "size": 0.9 * size},
            ),
            legend=axes.bottom_legend(),
        ),
        shows=f"Right guesses of an attacker for {len(rows)} entries.",
        how_to_read=(
            "Each row is one entry. A filled dot bounds right guesses about one unit, named below."
            " A hollow dot bounds those about all units of a year. Pure guessing is 50."
        ),
        says_now=says,
        columns={
            "entry": [row.name for row in rows],
            "unit": [row.protected for row in rows],
            "attacker right of 100, one unit": [row.unit for row in rows],
            "attacker right of 100, a year": [row.year for row in rows],
        },
    )


def _label(row: GuessRow) -> str:
    name = safe_label(row.name, _LONGEST)
    name = f"<b>{name}</b>" if row.plan or row.opened else name
    below = safe_label(row.protected, _LONGEST)
    return f'{name}<br><span style="font-size:0.8em">{below}</span>'


def _dots(rows: Sequence[GuessRow], name: str, look: Look, *, plan: bool = False) -> Any:
    picked = [(place, row) for place, row in enumerate(rows) if row.plan is plan]
    colour = look.accent if plan else look.attacker
    return marks.dots(
        [row.unit for _, row in picked],
        [place for place, _ in picked],
        colour,
        (13 if plan else 9) * look.scale,
        "diamond" if plan else "circle",
        (0, colour),
        name=name,
        cliponaxis=False,
        showlegend=bool(picked),
        hover=[
            f"<b>{safe_label(row.name)}</b><br>{safe_label(row.protected)}: {row.unit}"
            for _, row in picked
        ],
    )

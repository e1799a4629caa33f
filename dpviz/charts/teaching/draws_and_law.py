"""Drawn releases as bars, beside the exact chance of each outcome as marks."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import count_text, join_with_and, percent, safe_label
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, marks
from dpviz.charts.look import world_or_design_colour

_STYLES = ("circle-open", "square-open", "triangle-up-open")  # marks of what is compared with
_BAR, _LANE = 0.0, 0.42  # how far the bars of what else is drawn lie below, in rows of one
_DENSE = 0.66  # how much less high rows are in a room
_ROW = 42  # pixels
_WIDE = 880  # pixels of a chart on a projector of 1920
_HIGHEST = 756  # what a room sees of one there without scrolling
_ROOMY = 12  # bars that have room for a legend of every mark there
_NARROW = 460  # pixels wide; what is narrower still is laid out anew (charts/narrow.js)


def draws_and_law_chart(
    outcomes: Sequence[str],
    law: Floats | None,
    draw_counts: Ints,
    *,
    name: str,
    beside: Mapping[str, Floats] | None = None,
    other_names: Sequence[str] = (),
    mark: tuple[int, float] | None = None,
    says: str = "",
    look: Look = LIGHT,
) -> Chart:
    """`law` (outcomes,) holds chances; `draw_counts` (1 + also, outcomes) counts how often each
    came.

    `name` and `other_names` name what was drawn. `beside` are at most three other laws of the same
    outcomes. Without `law` the draws stand alone. `mark` is an outcome's number and an expected
    chance.
    """
    draw_counts = np.atleast_2d(draw_counts)
    beside, size, names = dict(beside or {}), int(draw_counts[0].sum()), (name, *other_names)
    came = dict(zip(names, draw_counts, strict=True))
    columns = (
        {"drawn": draw_counts[0]}
        if not other_names
        else {f"drawn, {one}": counts for one, counts in came.items()}
    )
    if law is None:
        alone = (
            f"The bars are {count_text(size, 'simulated release')} of {join_with_and(names)}."
            if size
            else "There are no releases yet."
        )
        return Chart(
            figure=_figure(outcomes, None, came, {}, mark, look),
            shows=alone,
            how_to_read=alone,
            says_now="",
            columns={"outcome": list(outcomes), **columns},
        )
    likely = int(np.argmax(law))
    bars = (
        f"The bars are {count_text(size, 'simulated release')}{' of each' if other_names else ''}."
        if size
        else "There are no releases yet."
    )
    open_marks = f" Open marks are the exact chances of {join_with_and(beside)}." if beside else ""
    return Chart(
        figure=_figure(outcomes, law, came, beside, mark, look),
        shows=(
            f"{bars} The marks are exact chances. {name}: {outcomes[likely]} has the largest, "
            f"{percent(float(law[likely]))}."
        ),
        how_to_read=(
            f"{bars} Filled diamonds are the exact chances of {name}. With more releases the bars"
            f" come closer to them.{open_marks}"
        ),
        says_now=says,
        columns={
            "outcome": list(outcomes),
            **columns,
            **{
                f"exact chance, {law_name}": chance
                for law_name, chance in {name: law, **beside}.items()
            },
        },
    )


# Each outcome's name stands above its bar, so that a phone has room for both.
def _figure(
    outcomes: Sequence[str],
    law: Floats | None,
    came: Mapping[str, Ints],
    beside: Mapping[str, Floats],
    mark: tuple[int, float] | None,
    look: Look,
) -> Figure:
    name, *others = came
    first = came[name]
    size = int(first.sum())
    places, exact = np.arange(len(first), dtype=np.float32), [] if law is None else [law]
    shares_of = {
        one: counts / size if size else np.zeros(len(counts)) for one, counts in came.items()
    }
    guessed = [] if mark is None else [mark]
    expected = [np.array([p]) for _, p in guessed]
    most = (
        max(float(np.max(v)) for v in (*exact, *shares_of.values(), *beside.values(), *expected))
        or 1.0
    )
    many, lane = len(came), _BAR if len(came) == 1 else _LANE
    row = _ROW + round(_ROW * lane) * (many - 1)
    scale = _ROW / row  # a row of the figure is one high, whatever lies in it
    lanes = {one: places + np.float32(n * lane * scale) for n, one in enumerate(came)}
    told = {
        one: f"{size:,} drawn" + (f", {one}" if others else "") if size else "none drawn yet"
        for one in came
    }
    room = look.room  # there it is wide, and no higher than a screen
    # where rows are many, the bars that open marks lie on name them too
    named = [one for one in beside if one not in lanes or not room or many * len(first) <= _ROOMY]
    entries = [*(told.values() if size else [told[name]]), *named[: len(_STYLES)]]
    entries += [*(f"exact, {name}" for _ in exact), *("your mark" for _ in guessed)]
    longest = max(map(len, entries))
    entry = (24 + 6.2 * longest if room else 45 + 6.4 * longest) * look.scale
    in_a_line = max(
        1, int((_WIDE * room if room else _NARROW) // entry)
    )  # as plotly sets them there
    lines = math.ceil(len(entries) / in_a_line)
    above = (17 if not room else 14 if len(named) == len(beside) else 11) * look.scale
    height = (
        row * (_DENSE if room else 1) * len(first)
        + 30
        + (1.55 * lines + 3.1) * look.text_size / look.scale
    )

    return Figure(
        look,
        [
            marks.horizontal_bars(
                shares_of[one].astype(np.float32),
                lanes[one],
                world_or_design_colour(one, n, look),
                width=0.36 * scale,
                name=told[one],
                showlegend=n == 0 or bool(size),
                customdata=[f"{came_so:,} of {size:,}" for came_so in counts.tolist()],
                hover=f"{safe_label(one)}: %{{customdata}} releases drawn"
                if others
                else "%{customdata} releases drawn",
            )
            for n, (one, counts) in enumerate(came.items())
        ],
        [
            _marks(
                chance,
                lanes.get(other, lanes[name]),
                other,
                other,
                look.ink if other in lanes else world_or_design_colour(other, n, look),
                13 * look.scale,
                shape,
                2.4,
                other in named,
            )
            for n, (shape, (other, chance)) in enumerate(
                zip(_STYLES, beside.items(), strict=False), start=1
            )
        ],
        [
            _marks(
                law,
                lanes[name],
                entries[len(entries) - 1 - len(guessed)],
                name,
                look.ink,
                12 * look.scale,
                "diamond",
                0,
                True,
            )
            for law in exact
        ],
        [
            marks.dots(
                np.array([p], np.float32),
                np.array([lanes[name][at]]),
                look.ink,
                26 * look.scale,
                "line-ns-open",
                (3, look.ink),
                cliponaxis=False,
                name="your mark",
                customdata=[percent(p)],
                hover="your mark: <b>%{customdata}</b>",
            )
            for at, p in guessed
        ],
        [
            [
                marks.text_annotation(
                    safe_label(outcome, 44), 0, n, "left middle", None, xref="paper", yshift=above
                ),
                marks.text_annotation(
                    _told(n, first, law, size, full=True),
                    1,
                    n,
                    "right middle",
                    look.muted,
                    xref="paper",
                    yshift=above,
                ),
                [
                    marks.text_annotation(
                        _told(n, came[one], beside.get(one), size),
                        1,
                        lanes[one][n],
                        "right middle",
                        look.muted,
                        xref="paper",
                    )
                    for one in others
                ],
            ]
            for n, outcome in enumerate(outcomes)
        ],
        height=min(height, _HIGHEST * room / look.scale) if room else height,
        margin={
            "l": 10,
            "r": 4,
            "t": (1.55 * lines + 0.9) * look.text_size,
            "b": 2.2 * look.text_size,
        },
        bargap=0,
        barmode="overlay",
        x=axes.percent_axis(None, (0, 1.34 * most), tickvals=_ticks(most))
        if others
        else axes.percent_axis(None, (0, min(1.04, 1.16 * most)), nticks=6),
        y=axes.axis(
            None,
            (len(first) - 1 + 0.45 * scale + lane * scale * (many - 1), -0.75 * scale),
            visible=False,
        ),
        legend=axes.horizontal_legend(
            1, "top", yref="container", itemclick=False, itemdoubleclick=False, traceorder="normal"
        ),
        dragmode=False,
    )


def _told(row: int, counts: Ints, chances: Floats | None, size: int, *, full: bool = False) -> str:
    """Count of an outcome and its exact chance; in short form beside a bar of its own."""
    n = int(counts[row])
    came = [f"<b>{n:,}</b> of {size:,}" if full else f"<b>{n:,}</b>"] if size else []
    exact = "" if chances is None else percent(float(chances[row]))
    return " · ".join([*came, *([f"exactly {exact}" if full else exact] if exact else [])])


def _ticks(most: float) -> Floats:
    """Round shares up to the largest, six at most; beyond them stand the bars' own texts."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if most / step <= 6)
    return np.arange(0, most + 1e-9, step)


def _marks(
    chance: Floats,
    places: marks.Values,
    name: str,
    law: str,
    colour: str,
    size: float,
    shape: str,
    edge: float,
    named: bool,
) -> Mark:
    """Exact chances of a law; a mark at zero is not cut."""
    return marks.dots(
        chance.astype(np.float32),
        places,
        colour,
        size,
        shape,
        (edge, colour if edge else None),
        cliponaxis=False,
        name=name,
        showlegend=named,
        customdata=[percent(p) for p in chance.tolist()],
        hover=f"{safe_label(law)}: exactly <b>%{{customdata}}</b>",
    )

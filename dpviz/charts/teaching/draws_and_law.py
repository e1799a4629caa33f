"""Releases that were drawn, as bars, beside the exact chance of each outcome, as marks.

Invariants: bars begin at zero; each outcome's name stands above its bar, so that a phone has room for both; the law
and what it is compared with differ in shape and in fill, so nothing is told by colour alone.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Mark,
    Values,
    axis,
    bars,
    count,
    dots,
    label,
    legend_at,
    listed,
    note,
    percent,
    shares,
)

_STYLES = {
    "circle-open": 0,
    "square-open": 2,
    "triangle-up-open": 4,
}  # shapes of what is compared with, and their colours
_ROW = 42  # pixels
_NARROW = 460  # pixels wide; what is narrower still is laid out anew (charts/narrow.js)


def draws_and_law(
    outcomes: Sequence[str],
    law: Floats | None,
    drawn: Ints,
    *,
    name: str,
    beside: Mapping[str, Floats] | None = None,
    says: str = "",
    look: Look = LIGHT,
) -> Chart:
    """`law` and `drawn`, of shape (outcomes,): the chance of each outcome and how often it came; `name` says of what.

    `beside` are at most three other laws of the same outcomes, by name. Without `law` the draws stand alone, as long as
    one is to find out.
    """
    beside, size = dict(beside or {}), int(drawn.sum())
    share = drawn / size if size else np.zeros(len(drawn))
    if law is None:
        alone = f"The bars are {count(size, 'release')} of {name}, drawn." if size else "No release is drawn yet."
        return Chart(
            figure=_figure(outcomes, None, drawn, share, name, {}, look),
            alt=alone,
            how_to_read=alone,
            says_now="",
            make_table=lambda: {"outcome": list(outcomes), "drawn": drawn},
        )
    likely = int(np.argmax(law))
    bars = f"The bars are {count(size, 'release')}, drawn; " if size else "No release is drawn yet; "
    open_marks = f" The open marks are {listed(beside)}, exact." if beside else ""
    return Chart(
        figure=_figure(outcomes, law, drawn, share, name, beside, look),
        alt=(
            f"{bars}the marks are exact chances. {name}: {outcomes[likely]} has the largest, "
            f"{percent(float(law[likely]))}. {says}"
        ),
        how_to_read=(
            f"{bars}the filled diamonds are the exact chances of {name}: the more releases, the closer the bars end "
            f"to them.{open_marks}"
        ),
        says_now=says,
        make_table=lambda: {
            "outcome": list(outcomes),
            "drawn": drawn,
            **{f"exact chance, {law_name}": chance for law_name, chance in {name: law, **beside}.items()},
        },
    )


def _figure(
    outcomes: Sequence[str],
    law: Floats | None,
    drawn: Ints,
    share: Floats,
    name: str,
    beside: Mapping[str, Floats],
    look: Look,
) -> Figure:
    places, exact = np.arange(len(drawn), dtype=np.int16), [] if law is None else [law]
    most = max(float(np.max(values)) for values in (*exact, share, *beside.values())) or 1.0
    size = int(drawn.sum())
    first = f"{size:,} drawn" if size else "none drawn yet"
    entries = [first, *list(beside)[: len(_STYLES)], *(f"exact, {name}" for _ in exact)]
    in_a_line = max(1, int(_NARROW // ((45 + 6.4 * max(map(len, entries))) * look.scale)))  # as plotly sets them there
    lines = math.ceil(len(entries) / in_a_line)

    def came(n: int) -> list[str]:
        return [f"<b>{n:,}</b> of {size:,}"] if size else []

    return Figure(
        look,
        bars(
            share.astype(np.float32),
            places,
            look.sequential[4],
            width=0.36,
            name=entries[0],
            customdata=[f"{n:,} of {size:,}" for n in drawn.tolist()],
            hover="%{customdata} releases drawn",
        ),
        [
            _marks(chance, places, other, other, look.categories[colour], 13 * look.scale, shape, 2.4)
            for (shape, colour), (other, chance) in zip(_STYLES.items(), beside.items(), strict=False)
        ],
        [_marks(law, places, entries[-1], name, look.ink, 12 * look.scale, "diamond", 0) for law in exact],
        [
            [
                note(label(outcome, 44), 0, row, "left middle", None, xref="paper", yshift=17 * look.scale),
                note(
                    " · ".join([*came(n), *(f"exactly {percent(float(law[row]))}" for law in exact)]),
                    1,
                    row,
                    "right middle",
                    look.muted,
                    xref="paper",
                    yshift=17 * look.scale,
                ),
            ]
            for row, (outcome, n) in enumerate(zip(outcomes, drawn.tolist(), strict=True))
        ],
        height=_ROW * len(drawn) + 30 + (1.55 * lines + 3.1) * look.size / look.scale,
        margin={"l": 10, "r": 4, "t": (1.55 * lines + 0.9) * look.size, "b": 2.2 * look.size},
        bargap=0,
        x=shares(None, (0, min(1.04, 1.16 * most)), nticks=6),
        y=axis(None, (len(drawn) - 0.55, -0.75), visible=False),
        legend=legend_at(1, "top", yref="container", itemclick=False, itemdoubleclick=False, traceorder="normal"),
        dragmode=False,
    )


def _marks(
    chance: Floats, places: Values, name: str, law: str, colour: str, size: float, shape: str, edge: float
) -> Mark:
    """The exact chances of a law; a mark at zero is whole."""
    return dots(
        chance.astype(np.float32),
        places,
        colour,
        size,
        shape,
        (edge, colour if edge else None),
        cliponaxis=False,
        name=name,
        customdata=[percent(p) for p in chance.tolist()],
        hover=f"{label(law)}: exactly <b>%{{customdata}}</b>",
    )

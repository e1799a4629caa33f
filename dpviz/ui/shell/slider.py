"""A slider of our own over stops: what follows it in the browser does so while it moves, the page when it is let go of.

The scripts beside it: `slider.js` tells the window what is under the hand, `hand.js` has the page follow. Labelled, for
keys, screen readers and fingers; on paper it is not.
"""

import math
from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.base import rendered
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.style import asset

_HEARD: Slot[dict[str, str]] = Slot("slider.heard", dict)  # the number of what each told last


def slider(
    key: str,
    label: str,
    stops: Sequence[float],
    value: float,
    let_go: Callable[[float], object],
    *,
    shown: Callable[[float], str] = "{:.10g}".format,
    ends: tuple[str, str] | tuple[()] = (),
    help: str = "",
    curve: Sequence[float] = (),
    says: Sequence[str] = (),
    mark: str = "",
) -> None:
    """A slider at `value`, one of the positive, rising `stops`; `let_go` is called with the stop where it is let go of.

    `curve` stands behind the track: a height from 0 to 1 for each stop. `says` is what a screen reader hears of each
    stop after its value. Both may come later, from the steps with this `mark` (see `hand`).
    """

    def heard() -> None:
        told = (st.session_state.get(key) or {}).get("told")
        if not isinstance(told, dict) or not isinstance(told.get("value"), int | float):
            return
        _HEARD.value[key] = str(told.get("number"))
        if math.isfinite(told["value"]):
            let_go(float(told["value"]))

    data = {
        "name": key,
        "label": label,
        "stops": list(stops),
        "texts": [shown(stop) for stop in stops],
        "value": value,
        "ends": list(ends),
        "help": help,
        "curve": list(curve),
        "says": list(says),
        "mark": mark,
        "heard": _HEARD.value.get(key),
    }
    st.components.v2.component(
        "dpviz_slider",
        html=str(rendered(__package__, "slider.html")),
        css=asset("slider.css"),
        js=asset("at_once.js") + asset("slider.js"),
    )(data=data, key=key, on_told_change=heard)

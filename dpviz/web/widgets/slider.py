"""The app's own slider over stops: previews follow while it moves, the page when it is released.

`slider.js` tells the window its position, `slider_preview.js` previews the page. It has a label,
keys, touch and text for screen readers, and is not printed.
"""

import math
from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.base import render_template
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue
from dpviz.web.widgets.style import component, shared_script_call

# fmt: off
_MANTISSAS = (
    1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8,
    3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0,
)
# fmt: on
_FEW = 3  # so many fewer, where each step is dear
# number of the last message of each slider
_HEARD: SessionValue[dict[str, str]] = SessionValue("slider.heard", dict)


def slider_stops(low: float, high: float, value: float, *, few: bool = False) -> list[float]:
    """Twenty stops a power of ten from `low` to `high`, and `value`; seven where `few`.

    >>> slider_stops(0.9, 1.2, 0.85)
    [0.85, 0.9, 1.0, 1.1, 1.2]
    """
    low, high = min(low, value), max(high, value)
    mantissas = _MANTISSAS[::_FEW] if few else _MANTISSAS
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = {float(f"{m}e{e}") for e in decades for m in mantissas}
    return sorted({step for step in steps if low <= step <= high} | {value})


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
    alone: bool = False,
) -> None:
    """A slider at `value`, one of the rising `stops`; `let_go` gets the stop where it is released.

    `curve` is a height from 0 to 1 behind each stop, `says` the text for screen readers after each
    value. Both may come later from the steps under this `mark`. An `alone` slider shows its value,
    as no box beside it does.
    """

    def heard() -> None:
        told = (st.session_state.get(key) or {}).get("told")
        if not isinstance(told, dict) or not isinstance(told.get("value"), int | float):
            return
        _HEARD.value[key] = str(told.get("number"))
        if math.isfinite(told["value"]):
            let_go(float(told["value"]))

    component(
        "dpviz_slider",
        shared_script_call("dpvizSlider"),
        face=str(render_template(__package__, "slider.html")),
        rules=read_asset("slider.css"),
        data={
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
            "alone": alone,
            "heard": _HEARD.value.get(key),
        },
        key=key,
        on_told_change=heard,
    )

"""A figure as plain data for JSON: marks, and the layout around them. A None is left out."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from dpviz.charts.look import Look

_SHORT = {
    "int8": "i1",
    "uint8": "u1",
    "int16": "i2",
    "uint16": "u2",
    "int32": "i4",
    "float32": "f4",
    "float64": "f8",
}
# most of what there is: looked at without a call
_READY = frozenset({str, int, float, bool, type(None)})
_AXES = {"x": "xaxis", "y": "yaxis", "x2": "xaxis2", "y2": "yaxis2"}


@dataclass(frozen=True, eq=False)
class Mark:
    """A trace, a shape or an annotation, in the words of plotly's figure reference."""

    kind: Literal["traces", "shapes", "annotations"]
    settings: dict[str, Any]


Marks: TypeAlias = Mark | Iterable["Marks"]
"""One mark or several, in any grouping; they are drawn in their order."""


# Not plotly's own objects, which check every value: that took a third of a page's run.
class Figure:
    """Marks over a layout, whose axes are named as in a formula: x, y, x2, y2.

    >>> from dpviz.charts.look import LIGHT
    >>> line = Mark("traces", {"type": "scatter", "x": np.array([1, 2]), "y": [0.5, 0.25], "name": None})
    >>> figure = Figure(LIGHT, line, height=200, x={"title": {"text": "k"}})
    >>> figure.data["data"]
    [{'type': 'scatter', 'x': {'dtype': 'i1', 'bdata': 'AQI='}, 'y': [0.5, 0.25]}]
    >>> figure.data["layout"]["height"], figure.data["layout"]["xaxis"]
    (200, {'title': {'text': 'k'}})
    """

    def __init__(self, look: Look, *marks: Marks, height: float, **layout: Any) -> None:
        drawn: dict[str, list[dict[str, Any]]] = {"traces": [], "shapes": [], "annotations": []}
        for mark in _flat(marks):
            drawn[mark.kind].append(mark.settings)
        self.traces = drawn.pop("traces")
        self.layout: dict[str, Any] = {
            "template": look.template,
            "height": round(height * look.scale),
            **{_AXES.get(name, name): value for name, value in layout.items()},
            **{kind: settings for kind, settings in drawn.items() if settings},
        }

    @property
    def data(self) -> dict[str, Any]:
        """Figure for JSON: {"data": traces, "layout": …}."""
        layout: dict[str, Any] = _plain(
            {name: value for name, value in self.layout.items() if name != "template"}
        )
        layout["template"] = self.layout["template"]  # plain already, and the same for every figure
        return {"data": [_plain(trace) for trace in self.traces], "layout": layout}


def _flat(marks: Marks) -> Iterator[Mark]:
    if isinstance(marks, Mark):
        yield marks
    else:
        for mark in marks:
            yield from _flat(mark)


def _plain(value: Any) -> Any:
    """Value with its arrays and numpy numbers made ready for JSON."""
    match value:
        case dict():
            return {
                k: v if type(v) in _READY else _plain(v) for k, v in value.items() if v is not None
            }
        case np.ndarray():
            return _array(value)
        case np.generic():
            return value.item()
        case list() | tuple():
            return [v if type(v) in _READY else _plain(v) for v in value]
        case _:
            return value


def _array(values: np.ndarray[Any, Any]) -> Any:
    """Typed array as plotly.js reads it; it has no integers of 64 bit."""
    if values.dtype.kind in "iu" and values.itemsize == 8 and values.size:
        values = values.astype(
            np.min_scalar_type(max(abs(int(values.min())), abs(int(values.max())) + 1) * -1)
        )
    kind = _SHORT.get(values.dtype.name)
    if kind is None or not values.size:
        return _plain(values.tolist())
    typed = {"dtype": kind, "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
    return typed if values.ndim == 1 else {**typed, "shape": ", ".join(map(str, values.shape))}

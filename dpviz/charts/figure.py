"""A figure as plain data: traces, annotations, shapes and a layout, ready for JSON.

plotly's own figure objects check every value that is set, which took a third of a page's run; here values are
only gathered. That each chart is a figure plotly accepts is checked in the tests, for every chart and theme.
Invariants: what `data` gives holds numbers, texts, lists and dicts, an array as its bytes in base 64, the form in
which plotly.js takes typed arrays; nothing of it is changed afterwards.
"""

import base64
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

__all__ = ["Figure"]

_SHORT = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "float32": "f4", "float64": "f8"}
_READY = frozenset({str, int, float, bool, type(None)})  # most of what there is: looked at without a call


class Figure:
    """Traces over a layout, in the words of plotly's figure reference.

    >>> figure = Figure()
    >>> figure.add_scatter(x=np.array([1, 2]), y=[0.5, 0.25], mode="lines")
    >>> figure.update_layout(height=200, xaxis={"title": {"text": "k"}})
    >>> figure.data["layout"]
    {'height': 200, 'xaxis': {'title': {'text': 'k'}}}
    >>> figure.data["data"]
    [{'type': 'scatter', 'x': {'dtype': 'i1', 'bdata': 'AQI='}, 'y': [0.5, 0.25], 'mode': 'lines'}]
    """

    def __init__(self, traces: Iterable[dict[str, Any]] = ()) -> None:
        self.traces = list(traces)
        self.layout: dict[str, Any] = {}

    def add_scatter(self, **trace: Any) -> None:
        """Add points or a line."""
        self.traces.append({"type": "scatter", **trace})

    def add_bar(self, **trace: Any) -> None:
        """Add bars."""
        self.traces.append({"type": "bar", **trace})

    def add_heatmap(self, **trace: Any) -> None:
        """Add a heatmap."""
        self.traces.append({"type": "heatmap", **trace})

    def add_annotation(self, **annotation: Any) -> None:
        """Add a text."""
        self.layout.setdefault("annotations", []).append(annotation)

    def add_shape(self, **shape: Any) -> None:
        """Add a line or a box."""
        self.layout.setdefault("shapes", []).append(shape)

    def add_upright(self, x: float, **shape: Any) -> None:
        """Add a vertical line from edge to edge of the first panel."""
        self.add_shape(**{"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain"} | shape)

    def add_level(self, y: float, **shape: Any) -> None:
        """Add a horizontal line from edge to edge of the first panel."""
        self.add_shape(**{"type": "line", "x0": 0, "x1": 1, "y0": y, "y1": y, "xref": "x domain", "yref": "y"} | shape)

    def update_layout(self, **layout: Any) -> None:
        """Set parts of the layout; what it does not name stays."""
        self.layout = _merged(self.layout, layout)

    @property
    def data(self) -> dict[str, Any]:
        """The whole figure: {"data": traces, "layout": …}, ready for JSON."""
        layout: dict[str, Any] = _plain({name: value for name, value in self.layout.items() if name != "template"})
        if "template" in self.layout:
            layout["template"] = self.layout["template"]  # plain already, and the same for every figure
        return {"data": [_plain(trace) for trace in self.traces], "layout": layout}


def _merged(old: dict[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(old)
    for name, value in new.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged


def _plain(value: Any) -> Any:
    """The value with its arrays and numpy's numbers made ready for JSON; texts and numbers stay as they are."""
    if isinstance(value, dict):
        return {k: v if type(v) in _READY else _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [v if type(v) in _READY else _plain(v) for v in value]
    return value


def _array(values: np.ndarray[Any, Any]) -> Any:
    """Typed arrays as plotly.js reads them; whole numbers as narrow as they fit, for it has none of 64 bits."""
    if values.dtype.kind in "iu" and values.itemsize == 8 and values.size:
        values = values.astype(np.min_scalar_type(max(abs(int(values.min())), abs(int(values.max())) + 1) * -1))
    kind = _SHORT.get(values.dtype.name)
    if kind is None or not values.size:
        return _plain(values.tolist())
    typed = {"dtype": kind, "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
    return typed if values.ndim == 1 else {**typed, "shape": ", ".join(map(str, values.shape))}

"""Names written beside lines, clear of everything else."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats

_WIDE = 0.56  # of the size of the text: the mean width of a letter
_HIGH = 1.25
_GAP = 5.0  # pixels between a line and its name
NEAR_THE_END = 2 / 3
"""Share of an axis from which the text of a vertical line stands on the line's left."""
_HEIGHTS = (
    0.5,
    0.58,
    0.42,
    0.66,
    0.34,
    0.74,
    0.26,
    0.82,
    0.18,
    0.9,
    0.1,
)  # of the panel, the best first


_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class LabelPlace:
    """Middle of a name's near end in pixels, and whether the name runs to the left from there."""

    x: float
    y: float
    left: bool


def place_labels(
    names: Sequence[str],
    paths: Sequence[tuple[Floats, Floats]],
    width: float,
    height: float,
    text_size: float,
    vertical_lines: Sequence[tuple[float, str]] = (),
    *,
    allow_beyond_lines: bool = False,
) -> list[LabelPlace | None]:
    """Place for each name, which may have several rows; None if none is free.

    `vertical_lines` are vertical lines with a text. A name nearer to another line than to its own
    has no place, unless it may lie `allow_beyond_lines` that line.
    """
    columns = np.arange(0.0, width + 1.0)
    drawn = [_Drawn(columns, x, y) for x, y in paths]
    taken = [
        box
        for at, text in vertical_lines
        for box in _upright(at, text, height, text_size, inside=at < NEAR_THE_END * width)
    ]
    places: list[LabelPlace | None] = [None] * len(names)
    in_rows = [name.split("\n") for name in names]
    # the longest name first, as it has the fewest places, so that equal lines get equal places
    for number in sorted(range(len(names)), key=lambda number: -max(map(len, in_rows[number]))):
        (x, y), rows = paths[number], in_rows[number]
        others = drawn[:number] + drawn[number + 1 :]
        wide, high = _WIDE * text_size * max(map(len, rows)) + _GAP, _HIGH * text_size * len(rows)
        best: tuple[LabelPlace, _Box] | None = None
        for place, at in _candidates(x, y, width, height, high):
            x0 = place.x - wide if place.left else place.x + _GAP
            box = (x0, x0 + wide - _GAP, place.y - high / 2, place.y + high / 2)
            if (
                not _within(box, (width, height))
                or any(_overlap(box, other) for other in taken)
                or any(line.crosses_box(box) for line in drawn)
            ):
                continue
            # no other line is nearer
            if not any(line.crosses_box(_with_point(box, *at)) for line in others):
                best = place, box
                break
            if allow_beyond_lines and best is None:
                best = place, box
        if best is not None:
            places[number] = best[0]
            taken.append(best[1])
    return places


def _upright(at: float, text: str, height: float, size: float, *, inside: bool) -> list[_Box]:
    wide, high = _GAP + _WIDE * size * len(text), _HIGH * size
    start, end = (at, at + wide) if inside else (at - wide, at)
    return [(at, at, 0.0, height), (start, end, 0.0, high), (start, end, height - high, height)]


_SIDES = ("middle right", "middle left", "top right", "bottom right", "top left", "bottom left")


def point_label_sides(
    names: Sequence[str], x: Floats, y: Floats, box_size: tuple[float, float], text_size: float
) -> list[str]:
    """Side of its point for each name, clear of others; x and y are shares of the box.

    >>> point_label_sides(["a", "b"], np.array([0.5, 0.52]), np.array([0.5, 0.5]), (400, 300), 13)
    ['middle left', 'middle right']
    """
    xs, ys = x * box_size[0], y * box_size[1]
    taken = [
        (a - text_size / 2, a + text_size / 2, b - text_size / 2, b + text_size / 2)
        for a, b in zip(xs, ys, strict=True)
    ]
    sides = []
    for number, (name, *point) in enumerate(zip(names, xs.tolist(), ys.tolist(), strict=True)):
        others = taken[:number] + taken[number + 1 :]
        wide = _WIDE * text_size * len(name) + 2 * _GAP
        boxes = {side: _beside(point, side, wide, _HIGH * text_size) for side in _SIDES}
        free = [
            side
            for side, at in boxes.items()
            if _within(at, box_size) and not any(_overlap(at, o) for o in others)
        ]
        sides.append(free[0] if free else _SIDES[0])
        taken.append(boxes[sides[-1]])
    return sides


def _beside(point: Sequence[float], side: str, wide: float, high: float) -> _Box:
    """Box that a name covers there: left, right, low, high."""
    x, y = point
    left = x - wide if side.endswith("left") else x
    low = y - (0.0 if side.startswith("top") else high if side.startswith("bottom") else high / 2)
    return left, left + wide, low, low + high


def _within(at: _Box, box: tuple[float, float]) -> bool:
    return at[0] >= 0 and at[1] <= box[0] and at[2] >= 0 and at[3] <= box[1]


def _candidates(
    x: Floats, y: Floats, width: float, height: float, high: float
) -> Iterator[tuple[LabelPlace, tuple[float, float]]]:
    """Possible places, each with its point on the line: at the panel's end, else beside it."""
    if len(x) and x[-1] > width - _GAP:
        for shift in (high, -high):
            yield LabelPlace(float(x[-1]), float(y[-1]) + shift, True), (float(x[-1]), float(y[-1]))
    # pixels more, where a line leans over its name
    for aside, level in (
        (aside, share * height) for aside in (0.0, 8.0, 16.0) for share in _HEIGHTS
    ):
        above = np.flatnonzero((y[:-1] < level) != (y[1:] < level))
        if len(above):
            i = int(above[0])
            at = float(x[i] + (x[i + 1] - x[i]) * (level - y[i]) / (y[i + 1] - y[i]))
            for shift in (0.0, -high, high):
                yield LabelPlace(at + aside, level + shift, False), (at, level)
                yield LabelPlace(at - aside, level + shift, True), (at, level)


def _with_point(box: _Box, x: float, y: float) -> _Box:
    return min(box[0], x), max(box[1], x), min(box[2], y), max(box[3], y)


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


class _Drawn:
    """A line as its lowest and highest point between neighbouring pixel columns."""

    def __init__(self, columns: Floats, x: Floats, y: Floats) -> None:
        height = np.interp(columns, x, y, left=np.nan, right=np.nan)
        there = np.flatnonzero(np.isfinite(height))
        height = height[there]
        self.columns = there.tolist()
        self.low, self.high = (
            np.minimum(height[:-1], height[1:]),
            np.maximum(height[:-1], height[1:]),
        )

    def crosses_box(self, box: _Box) -> bool:
        first = bisect_left(self.columns, max(0, int(box[0])))
        last = bisect_left(self.columns, math.ceil(box[1]) + 1) - 1
        if last <= first:
            return False
        return bool(((self.low[first:last] <= box[3]) & (self.high[first:last] >= box[2])).any())

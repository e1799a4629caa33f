"""Names beside lines: inside the panel, upon nothing, and each beside its own line."""

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.charts.direct_labels import LabelPlace, place_labels

WIDTH, HEIGHT, SIZE = 400.0, 300.0, 13.0
LETTER, LINE, GAP = (
    0.56 * SIZE,
    1.25 * SIZE,
    5.0,
)  # a letter's width, a line's height, the room beside a line
RISING = np.array([0.0, HEIGHT])
Path = tuple[Floats, Floats]
Box = tuple[float, float, float, float]


def placed(*lines: tuple[str, Path], width: float = WIDTH) -> list[LabelPlace | None]:
    return place_labels(
        [name for name, _ in lines], [path for _, path in lines], width, HEIGHT, SIZE
    )


def steep(at: float) -> Path:
    """A line that rises over the whole panel within ten pixels."""
    return np.array([at - 5, at + 5]), RISING


def box(name: str, place: LabelPlace) -> Box:
    wide = LETTER * len(name)
    left = place.x - GAP - wide if place.left else place.x + GAP
    return left, left + wide, place.y - LINE / 2, place.y + LINE / 2


def test_no_name_lies_on_a_vertical_line_or_on_what_it_says() -> None:
    at, text = 110.0, "ε = 0.2"  # which fit beside the line's best place alone
    (before,) = placed(("a name", steep(100)))
    (after,) = place_labels(["a name"], [steep(100)], WIDTH, HEIGHT, SIZE, [(at, text)])
    assert before is not None
    assert after is not None
    assert (before.left, after.left) == (False, True)
    flat = np.array([0.0, WIDTH]), np.array([HEIGHT - LINE, HEIGHT - LINE])
    (end,) = place_labels(["a name"], [flat], WIDTH, HEIGHT, SIZE, [(WIDTH - 60, text)])
    assert end is not None
    assert end.y < HEIGHT - LINE, "under the line, above which the text stands"


def test_a_name_wider_than_the_panel_is_left_to_the_legend() -> None:
    assert placed(("a name that is long", steep(50)), width=100.0) == [None]


def test_a_panel_lower_than_a_line_of_text_has_no_names() -> None:
    assert place_labels(["a"], [steep(100)], WIDTH, LINE - 1, SIZE) == [None]


def test_names_of_crossing_lines_cover_nothing() -> None:
    rng = np.random.default_rng(3)
    kept = 0
    for _ in range(40):
        lines = []
        for _ in range(5):
            path = np.sort(rng.uniform(0, WIDTH, 5)), np.sort(rng.uniform(0, HEIGHT, 5))
            lines.append(("a line's name"[: rng.integers(1, 14)], path))
        boxes: list[Box] = []
        for (name, (x, y)), place in zip(lines, placed(*lines), strict=True):
            if place is None:
                continue
            kept += 1
            near = np.interp(place.x + np.array([-16, -8, 0, 8, 16]), x, y)  # where it leans over
            assert np.abs(near - place.y).min() <= LINE + 1e-6  # level with it, or one line off
            left, right, bottom, top = box(name, place)
            assert 0 <= left < right <= WIDTH
            assert 0 <= bottom < top <= HEIGHT
            for one in boxes:
                assert left >= one[1] or one[0] >= right or bottom >= one[3] or one[2] >= top
            boxes.append((left, right, bottom, top))
            for _, (xs, ys) in lines:
                columns = np.linspace(left, right, 200)
                heights = np.interp(columns, xs, ys, left=np.nan, right=np.nan)
                assert not ((heights > bottom) & (heights < top)).any()
    assert kept > 60

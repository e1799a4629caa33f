"""Lines in panels: each line, band, marker and name stands where its arrays say."""

import numpy as np
import pytest

from dpviz.charts.chart import Chart
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, line_chart
from dpviz.charts.look import LIGHT
from tests.charts.drawn import Drawn

X = np.array([1.0, 10.0, 100.0])
RISING = Line("rising", X, np.array([0.1, 0.5, 0.9]), 1, marks=np.array([10.0, 55.0]))
BANDED = Line(
    "banded",
    X,
    np.array([0.8, 0.6, 0.3]),
    3,
    low=np.array([0.7, 0.5, 0.1]),
    high=np.array([0.85, 0.7, 0.6]),
)


def chart(*panels: Panel, log: bool = True) -> Chart:
    x = Axis("over", 1.0, 100.0, log=log)
    return line_chart(panels, x, Axis("up", 0.0, 1.0, percent=True), how_to_read="", says_now="")


def test_each_panel_draws_its_own_lines_on_its_own_axes() -> None:
    other = Line("rising", X, np.array([0.3, 0.2, 0.1]), 1)
    drawn = Drawn(chart(Panel("left", [RISING, BANDED]), Panel("right", [other], share=2.0)))
    for panel, line in ((1, RISING), (1, BANDED), (2, other)):
        trace = drawn.part(line.name, "lines", panel)
        np.testing.assert_allclose(trace.x, line.x)
        np.testing.assert_allclose(trace.y, line.y, rtol=1e-6)
    left, right = drawn.layout["xaxis"]["domain"], drawn.layout["xaxis2"]["domain"]
    assert 0 == left[0] < left[1] < right[0] < right[1]
    assert right[1] == pytest.approx(1)
    assert right[1] - right[0] == pytest.approx(2 * (left[1] - left[0]))
    assert (drawn.note("left")["x"], drawn.note("right")["x"]) == (left[0], right[0])
    assert drawn.layout["yaxis2"]["matches"] == "y"


def test_markers_stand_on_the_line_where_they_are_asked_for() -> None:
    drawn = Drawn(chart(Panel("", [RISING])))
    marks = drawn.part("rising", "markers")
    np.testing.assert_allclose(marks.x, RISING.marks)
    np.testing.assert_allclose(marks.y, [0.5, 0.7], rtol=1e-6)


def test_pixels_along_an_axis_lead_back_to_their_value() -> None:
    for axis in (Axis("", 0.01, 100.0, log=True), Axis("", -3.0, 7.0)):
        values = np.array([0.5, 1.0, 6.0])
        assert [
            axis.value_at_pixel(float(p), 900.0) for p in axis.to_pixels(values, 900.0)
        ] == pytest.approx(values.tolist())
    assert Axis("", 1.0, 100.0, log=True).to_pixels(
        np.array([1.0, 10.0, 100.0]), 900.0
    ).tolist() == [0, 450, 900]


def test_the_table_holds_every_line_of_every_panel_with_its_band() -> None:
    table = chart(Panel("left", [BANDED]), Panel("right", [RISING])).table
    assert table["panel"].tolist() == ["left"] * 3 + ["right"] * 3
    assert table["line"].tolist() == ["banded"] * 3 + ["rising"] * 3
    for name in ("x", "y", "low", "high"):
        np.testing.assert_array_equal(table[name][:3], getattr(BANDED, name))
    assert table[["low", "high"]].iloc[3:].isna().all(axis=None)


@pytest.mark.parametrize("log", [False, True])
def test_the_text_of_a_vertical_line_stays_within_a_phone(log: bool) -> None:
    along, phone, text = Axis("over", 1.0, 100.0, log=log), 240.0, "your limit"
    width = 0.55 * LIGHT.text_size * len(text)
    for at in np.random.default_rng(1).uniform(0.0, 1.0, 50):
        x = along.value_at_pixel(float(at), 1.0)
        said = VerticalMarker(x, text).marker_text(along, LIGHT).settings
        start = at * phone + said["xshift"] - (width if said["xanchor"] == "right" else 0.0)
        assert start >= 0, (at, start)
        assert start + width <= phone, (at, start)

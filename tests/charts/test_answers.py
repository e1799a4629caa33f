"""Expected answers over k: bars of the numbers handed in."""

import numpy as np

from dpviz.charts.gaps.answer_counts import expected_answers_chart
from tests.charts.drawn import Drawn, numbers

K = np.array([2, 5, 9])
PLAIN, TOP, MIDDLE = np.array([1.5, 3.5, 7.0]), np.array([1.0, 2.5, 6.0]), np.array([0.9, 1.5, 2.0])
CHART = expected_answers_chart(K, PLAIN, TOP, MIDDLE, title="shop")


def test_each_bar_has_the_height_handed_in_and_the_middle_branch_stands_on_the_top_branch() -> None:
    drawn = Drawn(CHART)
    for name, height in (
        ("plain", PLAIN),
        ("adaptive, top branch", TOP),
        ("adaptive, middle branch", MIDDLE),
    ):
        np.testing.assert_array_equal(drawn.named(name).x, K)
        np.testing.assert_allclose(drawn.named(name).y, height, rtol=1e-6)
    np.testing.assert_allclose(
        numbers(drawn.named("adaptive, middle branch")["base"]), TOP, rtol=1e-6
    )
    assert drawn.named("plain")["base"] is drawn.named("adaptive, top branch")["base"] is None

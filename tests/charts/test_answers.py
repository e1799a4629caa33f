"""Expected answers over k: bars of the numbers handed in, the branches of the adaptive one upon
each other.
"""

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


def test_plain_and_adaptive_stand_side_by_side_in_colours_of_their_own() -> None:
    plain, top, middle = Drawn(CHART).of("bar")
    assert plain["offsetgroup"] != top["offsetgroup"] == middle["offsetgroup"]
    assert len({bar["marker.color"] for bar in (plain, top, middle)}) == 3
    assert len({bar["marker.pattern.shape"] for bar in (plain, top, middle)}) == 3


def test_what_adapting_adds_most_is_told_with_its_k() -> None:
    assert "the most that adapting adds is 1 answers, at k = 9" in CHART.says_now
    assert (
        "At k = 9 the plain one gives 7 answers and the adaptive one 8, of which 6 by the top"
        in CHART.says_now
    )
    assert CHART.table.to_numpy().T.tolist() == [
        K.tolist(),
        PLAIN.tolist(),
        TOP.tolist(),
        MIDDLE.tolist(),
    ]

"""The law of hits: bars at their count from zero, intervals where it is estimated."""

import numpy as np
import pytest

from dpviz import Canonical, Scores, estimate
from dpviz.base.text_format import percent, release_frequency_text
from dpviz.charts import hit_count_chart
from tests.charts.drawn import Drawn, numbers

SCORES = Scores(np.arange(30.0)[::-1] ** 1.2, monotonic=True)
DIST = Canonical(epsilon=0.3, k=6).distribution(SCORES)
ROUGH = estimate(Canonical(epsilon=0.3, k=6), SCORES, samples=300)


def test_each_bar_is_the_chance_of_its_count() -> None:
    chart = hit_count_chart(DIST.hits, at_least=5, bounds=DIST.bounds)
    (bars,) = Drawn(chart).of("bar")
    np.testing.assert_allclose(bars.y, DIST.hits[bars.x.astype(int)], rtol=1e-6)
    assert bars.x[-1] == 6
    assert DIST.hits[: int(bars.x[0])].sum() <= 1e-3
    assert bars["base"] is None
    assert bars["error_y"] is None
    assert chart.table["chance"].tolist() == DIST.hits.tolist()
    assert Drawn(chart).named("chance").text == [
        percent(float(DIST.hits[i])) for i in bars.x.astype(int)
    ]
    for count, told in zip(bars.x.astype(int).tolist(), bars["customdata"], strict=True):
        assert told.startswith(f"{count} right")
        assert f"<b>{percent(float(DIST.hits[count]))}</b>" in told


@pytest.mark.parametrize("at_least", [1, 4, 6])
def test_the_goal_is_marked_and_told(at_least: int) -> None:
    chart = hit_count_chart(DIST.hits, at_least=at_least, bounds=DIST.bounds)
    drawn = Drawn(chart)
    assert drawn.uprights == [at_least - 0.5]
    (bars,) = drawn.of("bar")
    assert [c == bars["marker.color"][-1] for c in bars["marker.color"]] == [
        x >= at_least for x in bars.x
    ]
    reached = float(DIST.hits[at_least:].sum())
    who = "All 6 items" if at_least == 6 else f"At least {at_least} of the 6 items"
    assert chart.says_now.startswith(
        f"{who} are right in {release_frequency_text(min(reached, 1.0))}."
    )
    assert f"Most often {int(DIST.hits.argmax())} are right, on average" in chart.says_now


def test_bars_of_two_budgets_are_on_one_scale() -> None:
    laws = [Canonical(epsilon=epsilon, k=6).distribution(SCORES) for epsilon in (0.1, 2.0)]
    one, other = (hit_count_chart(law.hits, at_least=5, bounds=law.bounds) for law in laws)
    assert one.figure.layout["yaxis"]["range"] == other.figure.layout["yaxis"]["range"]


def test_an_estimate_has_the_interval_of_each_bar() -> None:
    (bars,) = Drawn(
        hit_count_chart(ROUGH.hits, at_least=5, bounds=ROUGH.bounds, method="estimated")
    ).of("bar")
    low, high = ROUGH.bounds(ROUGH.hits[bars.x.astype(int)])
    np.testing.assert_allclose(numbers(bars["error_y.array"]), high - bars.y, atol=1e-6)
    np.testing.assert_allclose(numbers(bars["error_y.arrayminus"]), bars.y - low, atol=1e-6)
    assert (high > bars.y).all()


def test_many_counts_are_folded_and_none_is_lost() -> None:
    law = np.zeros(1001)
    law[700:1001] = 1 / 301
    seen: list[np.ndarray] = []

    def bounds(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen.append(p)
        return np.maximum(p - 0.01, 0), np.minimum(p + 0.01, 1)

    chart = hit_count_chart(law, at_least=900, bounds=bounds, method="estimated")
    (bars,) = Drawn(chart).of("bar")
    assert len(bars.y) <= 60
    assert bars.y.sum() == pytest.approx(1.0)
    assert "adds up" in chart.how_to_read
    assert any(
        len(np.shape(p)) and np.array_equal(np.float32(p), np.float32(bars.y)) for p in seen
    )  # of what is drawn

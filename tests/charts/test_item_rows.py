"""The items by name: rows at their place, numbers that say the chance, the cut-off between."""

import re

import numpy as np
import pytest

from dpviz import Canonical, Scores
from dpviz.base.text_format import percent, releases_per_hundred_text
from dpviz.charts import item_rows
from dpviz.charts.grammar.marks import BELOW
from tests.charts.drawn import Drawn, plain

PLACES = Scores(
    [3.0, 9.0, 1.0, 7.0, 4.0], labels=["Castle", "Zoo", "Theatre", "Museum", "Pool"], monotonic=True
)


def ticks(drawn: Drawn) -> dict[str, float]:
    """The name beside each row, with the place of the row."""
    return {plain(text): place for text, place in drawn.axis("y").ticks.items()}


def many(d: int) -> Scores:
    return Scores(np.arange(d, 0.0, -1.0), labels=[f"no. {i}" for i in range(1, d + 1)])


def test_every_item_stands_beside_its_bars_under_its_name() -> None:
    chance = Canonical(epsilon=1.0, k=2).distribution(PLACES).inclusion
    drawn = Drawn(item_rows(PLACES, chance, 2))
    score, chances = drawn.of("bar")
    places = ticks(drawn)
    assert drawn.axis("y").start > drawn.axis("y").end  # the best on top
    for i, name in enumerate(PLACES.labels or ()):
        row = int(np.flatnonzero(chances.y == np.float32(places[name]))[0])
        assert score.x[row] == PLACES.values[i]
        assert chances.x[row] == pytest.approx(chance[i], rel=1e-6)
        said = drawn.named("in 100 releases").text[row].strip()
        assert said == releases_per_hundred_text(float(chance[i]))
        assert plain(chances["customdata"][row]).startswith(name)
        assert percent(float(chance[i])) in chances["customdata"][row]
    assert (score.axes, chances.axes) == (("x", "y"), ("x2", "y"))


def test_the_cut_off_lies_between_the_last_of_the_top_and_the_first_after_it() -> None:
    drawn = Drawn(item_rows(PLACES, np.full(5, 0.4), 2))
    places = ticks(drawn)
    assert places["Museum"] < places["cut-off"] < places["Pool"]
    assert drawn.levels == [places["cut-off"]]
    assert drawn.note("the true top 2 ends: distance 3")["y"] == places["cut-off"]
    assert drawn.note("in 100 releases")
    tied = Scores([5.0, 5.0, 1.0])
    assert Drawn(item_rows(tied, np.full(3, 1 / 3), 1)).note("the true top 1 ends: a tie")
    assert "arbitrary" in item_rows(tied, np.full(3, 1 / 3), 1).says_now


@pytest.mark.parametrize(
    ("d", "k"), [(31, 1), (31, 30), (60, 11), (60, 13), (4096, 100), (4096, 4090)]
)
def test_of_many_items_the_best_and_those_around_the_cut_off_are_named_and_the_others_counted_in(
    d: int, k: int
) -> None:
    chance = np.linspace(1, 0, d)
    drawn = Drawn(item_rows(many(d), chance, k))
    names = ticks(drawn)
    assert {f"no. {i}" for i in (1, 2, 3, *range(max(1, k - 3), min(d, k + 4) + 1))} < names.keys()
    assert len(names) <= 24
    items = 0
    for name, place in names.items():
        told = [int(number) for number in re.findall(r"\d+", name.replace(",", ""))]
        if not told:  # the cut-off
            continue
        row = int(np.flatnonzero(drawn.of("bar")[1].y == np.float32(place))[0])
        first, last = told[0], told[-1]
        items += last - first + 1
        assert drawn.of("bar")[1].x[row] == pytest.approx(chance[first - 1 : last].mean(), abs=1e-6)
        assert (place < names["cut-off"]) == (last <= k)
    assert items == d


def test_the_setting_before_is_marked_at_what_it_was() -> None:
    was = np.array([0.1, 0.6, 0.05, 0.2, 0.05])
    chart = item_rows(PLACES, np.full(5, 0.4), 2, previous_inclusion=("ε = 0.1", was))
    drawn = Drawn(chart)
    ghost, places = drawn.named("ε = 0.1"), ticks(drawn)
    for i, name in enumerate(PLACES.labels or ()):
        row = int(np.flatnonzero(np.isclose(ghost.y, places[name] + BELOW))[0])
        assert ghost.x[row] == pytest.approx(was[i], rel=1e-6)
    assert ghost.axes == ("x2", "y")
    assert "ε = 0.1" in chart.how_to_read
    legend, heading = drawn.note("━━ before: ε = 0.1"), drawn.note("in 100 releases")
    assert (legend["xanchor"], legend["x"], legend["y"]) == ("right", 1, 0)
    assert heading["text"] == "in 100 releases"  # which has no room for more on a phone
    assert chart.table["chance with ε = 0.1"].tolist() == was[PLACES.order].tolist()
    alone = Drawn(item_rows(PLACES, was, 2)).of("scatter")
    assert "markers" not in {trace["mode"] for trace in alone}
    ends = drawn.named("in 100 releases")  # at the end of the bar of now, whatever was before
    assert np.allclose(ends.x, 0.4)


def test_no_digit_that_the_bounds_leave_open_is_told() -> None:
    chance = np.array([0.9972, 0.0028])
    bounds = np.maximum(chance - 0.001, 0), np.minimum(chance + 0.001, 1)
    drawn = Drawn(item_rows(Scores([9.0, 5.0]), chance, 1, bounds=bounds))
    told = [releases_per_hundred_text(p, p - 0.001, p + 0.001) for p in (0.9972, 0.0028)]
    assert [text.strip() for text in drawn.named("in 100 releases").text] == told

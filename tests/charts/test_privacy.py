"""Charts on one person's data: what is drawn is what came in, every word of a label is data."""

import math

import numpy as np
import pytest

from dpviz import Canonical, OneShot, Scores, inclusion_with_and_without, privacy_loss
from dpviz.base.law import OutcomeComparison, PrivacyCeiling, RevealingOutput
from dpviz.base.text_format import upper_bound_text
from dpviz.charts import Chart
from dpviz.charts.privacy.frequencies import (
    PeopleGroup,
    frequency_sentence,
    hundred_people_chart,
    paired_frequencies_chart,
    split_hundred_people,
)
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.privacy.outcomes import comparison_loss
from tests.charts.drawn import Drawn, plain

WORLDS = ("with her", "without her")
HERE = Scores(
    [9, 7, 4, 3, 2, 1],
    labels=["Zoo", "<b>Museum</b>", "Pool", "Castle", "Farm", "Park"],
    monotonic=True,
)
MOVED = np.array([1.0, 0, 0, 1, 0, 0])
THERE = Scores(HERE.values - MOVED, labels=HERE.labels, monotonic=True)
MECHANISM = Canonical(epsilon=1.0, k=2)
FIRST, SECOND = (side.value for side in inclusion_with_and_without(MECHANISM, HERE, THERE))
LOSS = privacy_loss(MECHANISM, HERE, THERE)
EPSILONS = np.linspace(0.0, 1.0, 11)
PARTS = [
    PeopleGroup(50, "by luck"),
    PeopleGroup(6, "by this release"),
    PeopleGroup(17, "about another"),
    PeopleGroup(27, "are wrong"),
]


def lists(**changes: object) -> Chart:
    told: dict[str, object] = {"label": HERE.label, "order": HERE.order, "first_chances": FIRST}
    told |= {"second_chances": SECOND, "effects": MOVED, "worlds": WORLDS}
    return paired_frequencies_chart(**(told | changes))  # type: ignore[arg-type]


def test_both_lists_have_the_same_rows_and_the_chances_handed_in() -> None:
    drawn = Drawn(lists())
    axis = drawn.axis("y")
    assert axis.start > axis.end  # the best item on top
    names = [plain(name) for name in axis.ticks]
    assert names == ["● Zoo", "&lt;b&gt;Museum&lt;/b&gt;", "Pool", "● Castle", "Farm", "Park"]
    for world, chances, at in ((WORLDS[0], FIRST, "x"), (WORLDS[1], SECOND, "x2")):
        bars, told = drawn.named(world), drawn.named(f"{world}, in figures")
        assert bars.axes == told.axes == (at, "y")
        np.testing.assert_allclose(bars.x, 100 * chances[HERE.order], rtol=1e-6)
        np.testing.assert_array_equal(bars.y, list(axis.ticks.values()))
        shown = [f"{round(100 * p)}" for p in chances[HERE.order]]
        assert [text.strip() for text in told.text] == shown
        np.testing.assert_allclose(told.x, bars.x)
    beside = drawn.named("with her, for comparison")
    assert beside.axes == ("x2", "y")
    np.testing.assert_allclose(beside.x, 100 * FIRST[HERE.order], rtol=1e-6)
    assert drawn.note("With her")["x"] < drawn.note("Without her")["x"]


def test_of_many_items_those_whose_chance_changes_most_have_a_row_by_rank() -> None:
    first, changed = np.full(100, 0.2), np.array([90, 3, *range(40, 48)])
    second, order = first.copy(), np.arange(100)[::-1]
    second[changed] -= np.linspace(0.02, 0.1, 10)
    both = {"first_chances": first, "second_chances": second, "effects": np.zeros(100)}
    chart = lists(label="item {}".format, order=order, **both)
    names = [plain(name) for name in Drawn(chart).axis("y").ticks]
    assert names == [f"item {i}" for i in sorted(changed, reverse=True)]
    assert "10 items whose chance changes most" in chart.how_to_read
    assert "changes most" not in lists().how_to_read


def test_sentences_say_how_often_and_never_never() -> None:
    told = (WORLDS, "published lists", "include")
    assert frequency_sentence("Zoo", 0.41, 0.37, 100, *told) == (
        "Of 100 published lists, 41 include Zoo with her and 37 without her."
    )
    assert "more than 99 include Zoo" in frequency_sentence("Zoo", 0.999, 0.9, 100, *told)
    assert "fewer than 1 without" in frequency_sentence("Zoo", 0.1, 1e-9, 100, *told)
    assert "No item's chance" in frequency_sentence("Zoo", 0.1, 0.1, 100, *told)
    assert (
        "no item appears even once more or less often with her"
        in lists(second_chances=FIRST).says_now
    )
    more, less = (100 * np.maximum(way, 0).sum() for way in (FIRST - SECOND, SECOND - FIRST))
    said = "{:.3g} more times. Those that lose appear {:.3g} fewer times"
    assert said.format(more, less) in lists().says_now
    fewer = np.minimum(FIRST, SECOND)  # where what some gain others need not lose
    assert said.format(more, 0) in lists(second_chances=fewer).says_now
    nearly = lists(second_chances=fewer + 1e-17 + 1e-16 * FIRST).says_now
    assert "Those that lose appear 0 fewer times" in nearly
    rare = Drawn(lists(second_chances=np.array([1.0, 0.0, *SECOND[2:]])))
    texts = rare.named("without her, in figures").text[:2]
    assert [text.strip() for text in texts] == ["&gt;99", "&lt;1"]


def test_every_loss_stands_where_it_is_with_its_mass_in_both_worlds() -> None:
    drawn = Drawn(loss_distribution_chart(LOSS, worlds=WORLDS))
    axis = drawn.axis("x")
    width = (axis.end - axis.start) / 50
    for world, loss, sign in zip(WORLDS, (LOSS, LOSS.reversed), (1, -1), strict=True):
        bars, values, mass = drawn.named(world), sign * loss.values, loss.mass
        assert bars.y.sum() == pytest.approx(1.0, abs=1e-5)
        for value in np.unique(values.round(9)):
            near = np.abs(bars.x - value) < width
            assert bars.y[near].sum() >= mass[np.isclose(values, value)].sum() - 1e-6
    assert sorted(drawn.uprights) == [-1.0, 0.0, 1.0]
    assert drawn.note("ε")["x"] == 1.0


def test_it_tells_a_bound_from_the_law() -> None:
    many = Scores(np.arange(40.0)[::-1], monotonic=True)
    moved = Scores(many.values + (np.arange(40) % 2), monotonic=True)
    loss = privacy_loss(OneShot(epsilon=1.0, k=10), moved, many)
    assert loss.method == "at least"
    chart = loss_distribution_chart(loss, worlds=WORLDS)
    assert "at least" in chart.says_now
    assert "Only the most revealing event and its opposite" in chart.how_to_read
    assert (
        "Only the most revealing event"
        not in loss_distribution_chart(LOSS, worlds=WORLDS).how_to_read
    )


def test_what_is_possible_in_one_world_only_is_told() -> None:
    chances = np.array([0.9, 0.1]), np.array([1.0, 0.0])
    shown, ceiling = lambda at: RevealingOutput("nothing"), PrivacyCeiling(1.0, 0.1)
    both = OutcomeComparison(*chances, 0.0, 0.0, shown, "the item")
    infinite = comparison_loss(both, ceiling)
    assert infinite.largest == math.inf
    chart = loss_distribution_chart(infinite, worlds=WORLDS)
    assert "in one case only" in chart.says_now
    bars = Drawn(chart).named("with her")
    assert bars.y[-1] == pytest.approx(0.1, rel=1e-5)


def test_delta_is_drawn_in_both_directions_and_ends_at_the_largest_loss() -> None:
    forth, back = LOSS.delta_curve(EPSILONS), LOSS.reversed.delta_curve(EPSILONS)
    largest = LOSS.largest
    chart = delta_curve_chart(EPSILONS, forth, back, worlds=WORLDS, largest=largest)
    drawn = Drawn(chart)
    for world, loss in ((WORLDS[0], LOSS), (WORLDS[1], LOSS.reversed)):
        line = drawn.part(world, "lines")
        np.testing.assert_allclose(line.x, EPSILONS, rtol=1e-6)
        np.testing.assert_allclose(line.y, [loss.delta(e) for e in EPSILONS], atol=1e-7)
    assert (
        f"is {LOSS.delta(0.0):.3g}. From ε' = {upper_bound_text(largest, 3)} on, it is 0"
        in chart.says_now
    )
    assert "lower bounds" not in chart.how_to_read
    np.testing.assert_array_equal(chart.table["epsilon"], EPSILONS)


def test_a_hundred_icons_each_once_in_the_order_of_the_parts() -> None:
    chart = hundred_people_chart(PARTS, "says", "how")
    drawn = Drawn(chart)
    places = np.concatenate([t.y * 20 + t.x for t in drawn.traces])
    assert places.tolist() == list(range(100))
    assert [len(t.x) for t in drawn.traces] == [50, 6, 17, 27]
    assert [t.name for t in drawn.traces] == [f"{part.people} {part.says}" for part in PARTS]
    assert len({t["marker.symbol"] for t in drawn.traces}) == 4
    assert drawn.axis("y").start > drawn.axis("y").end
    assert chart.table["people of 100"].sum() == 100
    assert "6 by this release" in chart.alt


def test_people_are_shared_out_whole() -> None:
    assert split_hundred_people([0.5, 0.5, 0.731, 1.0]) == [50, 0, 23, 27]
    assert sum(split_hundred_people([0.1234, 0.555, 1.0])) == 100

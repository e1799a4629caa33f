"""Releases drawn beside the exact law: each bar, mark, name and count is that of its own outcome."""

from typing import Any

import numpy as np
import pytest

from dpviz import charts
from dpviz.base.text_format import percent
from dpviz.charts.teaching.draws_and_law import draws_and_law_chart
from tests.charts.drawn import Drawn, Trace, parts, plain

OUTCOMES = ["Zoo", "Castle", "Farm"]
LAW = np.array([0.5, 0.3, 0.2])
OTHER, THIRD = np.array([0.6, 0.25, 0.15]), np.array([0.4, 0.35, 0.25])
DRAWN = np.array([7, 2, 1])


BESIDE = {"B": OTHER, "C": THIRD}
CHART = draws_and_law_chart(OUTCOMES, LAW, DRAWN, name="A", beside=BESIDE, says="Says.")


def by_row(trace: Trace) -> dict[int, float]:
    return dict(zip(trace.y.astype(int).tolist(), trace.x.round(6).tolist(), strict=True))


def test_bars_are_the_shares_drawn_and_marks_the_laws_each_in_its_row() -> None:
    drawn = Drawn(CHART)
    assert by_row(drawn.named("10 drawn")) == {0: 0.7, 1: 0.2, 2: 0.1}
    for name, law in (("exact, A", LAW), ("B", OTHER), ("C", THIRD)):
        assert by_row(drawn.named(name)) == pytest.approx(dict(enumerate(law.tolist())), abs=1e-6)
    assert len(drawn.traces) == 4


def test_the_first_outcome_is_on_top_and_its_words_are_in_its_row() -> None:
    drawn = Drawn(CHART)
    assert drawn.axis("y").start > drawn.axis("y").end
    rows = zip(OUTCOMES, LAW.tolist(), DRAWN.tolist(), strict=True)
    for row, (outcome, chance, n) in enumerate(rows):
        assert drawn.note(outcome)["y"] == row
        came = drawn.note(f"{n} of 10")
        assert (came["y"], plain(came["text"])) == (row, f"{n} of 10 · exactly {percent(chance)}")


def test_without_a_draw_there_are_no_bars_and_no_counts() -> None:
    shown = draws_and_law_chart(OUTCOMES, LAW, np.zeros(3, np.int64), name="A")
    drawn = Drawn(shown)
    assert set(drawn.named("none drawn yet").x.tolist()) == {0.0}
    assert plain(drawn.note("exactly 50")["text"]) == f"exactly {percent(0.5)}"
    assert shown.table["exact chance, A"].tolist() == LAW.tolist()


@pytest.mark.parametrize("width", [1024, 1366, 1920])
def test_in_a_room_the_legend_has_the_lines_that_it_needs_and_six_outcomes_of_two_fit(
    width: int,
) -> None:
    def layout(name: str) -> Any:
        law, counts = np.full(6, 1 / 6), np.full((2, 6), 100)
        both = {"beside": {"other": law}, "other_names": ("other",)}
        room = charts.LIGHT.for_projector(width)
        return parts(
            draws_and_law_chart(list("abcdef"), law, counts, name=name, look=room, **both)
        )["layout"]

    short = layout("permute-and-flip")
    long = layout("a mechanism with a name too long for half a line")
    assert long["margin"]["t"] > short["margin"]["t"]  # else the legend lies on the first name
    room = (979 - 246) * width / 1920  # between the title and the buttons, as at 1920 × 1080
    assert short["height"] < room


def test_in_a_room_the_counts_of_six_outcomes_of_three_do_not_meet() -> None:
    law, counts, room = np.full(6, 1 / 6), np.full((3, 6), 100), charts.LIGHT.for_projector(1366)
    others = ["right names among them", "right names, with a catalogue"]
    both = {"beside": dict.fromkeys(others, law), "other_names": others, "look": room}
    drawn = draws_and_law_chart(list("abcdef"), law, counts, name="names on the list", **both)
    layout = parts(drawn)["layout"]
    first, last = layout["yaxis"]["range"]
    high = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    apart = np.diff(sorted(note["y"] for note in layout["annotations"] if note["x"] == 1)).min()
    assert apart * high / abs(last - first) > 0.75 * room.text_size

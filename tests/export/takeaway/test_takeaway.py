"""A figure to take away as data: its steps, how it is packed, what may end it."""

import json

import pytest

from dpviz import Canonical, Design, Scenario, Scores
from dpviz.base.errors import Cancelled
from dpviz.base.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.export.takeaway import build_takeaway_file, compressed_script, json_with_shared_parts
from dpviz.pages.common.slider_file import epsilon_grid
from dpviz.pages.compare.view import build_slider_figure as compared
from dpviz.pages.explore.view import build_slider_figure as explored
from dpviz.studies.data_spec import DataSpec
from tests.export.takeaway.taken import content_of, unpacked, whole

DESIGNS = tuple(Design(mechanism=name) for name in ("canonical", "peeling", "one_shot", "joint"))


@pytest.mark.parametrize("text", ["", "a", "</script>", "ε" * 1000, "\x00\n"])
def test_what_is_packed_comes_back(text: str) -> None:
    assert unpacked(compressed_script(text, "x")) == text


def test_parts_that_come_again_stand_once() -> None:
    long = {"values": list(range(50)), "words": "x" * 60}
    content = {"steps": [long, {"a": long, "b": None}, [long, 0.5, "short"]]}
    told = json.loads(unpacked(compressed_script(json_with_shared_parts(content), "x")))
    assert whole(told["content"], told["pool"]) == content
    assert json.dumps(told).count("x" * 60) == 1


def test_every_step_has_the_figures_of_its_law() -> None:
    scenario, scores = Scenario(k=2), EXAMPLES["class_trip"].scores()
    made = explored(scenario, scores)
    assert made.steps[made.start].value == "1"
    for epsilon, one in zip(epsilon_grid(1.0), made.steps, strict=True):
        law = Canonical(epsilon=epsilon, k=2).distribution(scores)
        assert one.cells[0][0] == percent(law.top, *law.interval("top"))
        told = [float(row[-1]) for row in one.pictures["dark"][0]["table"][1:]]
        assert told == pytest.approx(law.inclusion[scores.order], abs=1e-6)


@pytest.mark.long
def test_six_estimated_mechanisms_and_long_labels_stay_below_two_megabytes() -> None:
    scores = Scores([float(i) for i in range(60)], labels=["ü" * 100 + str(i) for i in range(60)])
    own = Scenario(
        data=DataSpec(source="uploaded"), k=20, scores=scores, designs=(*DESIGNS, *DESIGNS[:2])
    )
    for made in (compared(own, scores), explored(own.replace(designs=(DESIGNS[3],)), scores)):
        assert len(build_takeaway_file(made).html.encode()) < 2_000_000


def test_axes_hold_still() -> None:
    content = content_of(
        build_takeaway_file(explored(Scenario(), Scenario().load())).html_without_plotly
    )
    for look in ("light", "dark"):
        for number in (0, 1):
            layouts = [one["pictures"][look][number]["layout"] for one in content["steps"]]
            axes = {name for layout in layouts for name in layout if name[1:5] == "axis"}
            assert all(
                len({str(layout[name].get("range")) for layout in layouts}) == 1 for name in axes
            )


def test_it_may_be_stopped_and_says_how_far_it_is() -> None:
    seen: list[float] = []

    def stop(fraction: float) -> None:
        seen.append(fraction)
        if fraction > 0.5:
            raise Cancelled

    for make in (explored, compared):
        seen.clear()
        with pytest.raises(Cancelled):
            make(Scenario(designs=DESIGNS[:2]), Scenario().load(), progress=stop)
        assert seen == sorted(seen)
        assert seen[-2] <= 0.5 < seen[-1] < 0.6

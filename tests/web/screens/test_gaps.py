"""The page on gaps, run without a browser: its figures are the library's, and bad input is told in
one sentence.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import THRESHOLD, AdaptiveSparseVector, NoisyTopKWithGap, SparseVector
from dpviz.base.text_format import number_text, percent
from dpviz.data import EXAMPLES
from dpviz.gaps.sparse.query_order import reorder_scores
from tests.web.screens.shown import (
    array,
    badges,
    bodies,
    cards,
    control,
    errors,
    figures,
    press,
    settled,
    words,
)

OpenPage = Callable[..., AppTest]
HELP_LINE = EXAMPLES["help_line"].scores()
TOP_K = {"data": "example:help_line", "epsilon": "0.7", "k": "5"}
SPARSE = {
    **TOP_K,
    "page.gaps.half": "sparse_vector",
    "page.gaps.by": "value",
    "page.gaps.threshold": "130.0",
}
RUN = {**SPARSE, "page.gaps.run": "true"}


def answers(app: AppTest) -> list[str]:
    """How many answers the table says that plain and adaptive give."""
    body = next(body for body in bodies(app) if "dp-tall" in body and "<tbody>" in body)
    return [
        re.findall(r'<div class="dp-cell">([^<]*)', row)[0]
        for row in re.findall(r"</span>(?:Plain|Adaptive)(.*?)</tr>", body)
    ]


def pair(**changes: Any) -> list[Any]:
    """The plain and the adaptive mechanism."""
    given = {"epsilon": 0.7, "k": 5, "threshold": 130.0, **changes}
    return [
        cls(**given).match_monotonicity(HELP_LINE) for cls in (SparseVector, AdaptiveSparseVector)
    ]


def expected(mechanism: Any, scores: Any = HELP_LINE) -> str:
    return number_text(round(mechanism.distribution(scores).expected_answers, 2))


def test_it_opens_on_an_example_of_its_own_with_everything_filled(open_page: OpenPage) -> None:
    app = settled(open_page("gaps"))
    assert "How far apart are the 10 best items, at ε = 1?" in words(app)
    assert len(figures(app)) == 2
    assert "not private" in words(app)
    assert badges(app) == {
        "Measured alone": "exact",
        "With the gaps": "estimated",
        "Ratio, simulated": "estimated",
        "Ratio, by formula": "exact",
    }


def test_the_release_is_that_of_the_seed(open_page: OpenPage) -> None:
    app = settled(open_page("gaps", **TOP_K))
    assert cards(app)["Measured alone"] == number_text(float(f"{2**1.5 * 5 / 0.7:.3g}"))
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        release = NoisyTopKWithGap(epsilon=0.7, k=5).release(HELP_LINE, rng=rng)
        np.testing.assert_allclose(array(figures(app)[0]["data"][0]["x"]), release.gaps, rtol=1e-6)
        press(app, "Release again")
    assert app.session_state["dpviz.scenario"].seed == 2


def test_one_item_has_no_second_to_compare_with(open_page: OpenPage) -> None:
    app = settled(open_page("gaps", **{**TOP_K, "k": "1"}))
    assert "With k = 1 there is no second item" in words(app)


def test_plain_and_adaptive_show_the_librarys_figures(open_page: OpenPage) -> None:
    app = settled(open_page("gaps", **SPARSE))
    assert answers(app) == [*map(expected, pair())]
    assert len(app.get("plotly_chart")) == 4
    app = settled(open_page("gaps", **SPARSE, **{"page.gaps.order": "ascending"}))
    assert answers(app) == [expected(one, reorder_scores(HELP_LINE, "ascending")) for one in pair()]


def test_the_quantile_gives_the_threshold_and_by_hand_starts_from_it(open_page: OpenPage) -> None:
    def by(way: str) -> None:
        groups = app.get("button_group")
        next(group for group in groups if group.label == "Threshold").set_value(way).run()

    app = open_page("gaps", **TOP_K, **{"page.gaps.half": "sparse_vector"})
    measured = float(np.quantile(HELP_LINE.values, 0.95))
    assert f"threshold {number_text(measured)}: 3 queries of 60" in words(app)
    control(app, "number_input", "Quantile").set_value(75.0).run()
    measured = float(np.quantile(HELP_LINE.values, 0.75))
    assert f"threshold {number_text(measured)}: 15 queries of 60" in words(app)
    by("value")
    assert control(app, "number_input", "Threshold, in").value == measured
    control(app, "number_input", "Threshold, in").set_value(100.0).run()
    assert "threshold 100: 21 queries of 60" in words(app)
    assert app.session_state["dpviz.scenario"].page["gaps.threshold"] == 100.0
    by("quantile")
    by("value")  # and again, not from what was typed before
    assert control(app, "number_input", "Threshold, in").value == measured


def test_splits_are_the_librarys_and_one_by_hand(open_page: OpenPage) -> None:
    app = settled(open_page("gaps", **SPARSE))
    control(app, "selectbox", "Split of ε").set_value("even").run()
    assert answers(settled(app))[0] == expected(pair(split="even")[0])
    control(app, "selectbox", "Split of ε").set_value("custom").run()
    control(app, "number_input", "Threshold's share").set_value(20.0).run()
    plain = SparseVector(epsilon=0.7, k=5, threshold=130.0, split=(0.14, 0.56 / 5), monotonic=True)
    assert answers(settled(app))[0] == expected(plain)
    control(app, "number_input", "ε, exactly").set_value(3.0).run()  # a share fits whatever ε is
    assert not app.error


@pytest.mark.parametrize("design", list(THRESHOLD))
def test_a_run_is_the_seeds_release_with_its_bounds(open_page: OpenPage, design: str) -> None:
    link = {"page.gaps.design": design, "page.gaps.confidence": "0.8"}
    app = settled(open_page("gaps", **SPARSE, **link))
    press(app, "Release once")
    mechanism = pair()[list(THRESHOLD).index(design)]
    release = mechanism.release(HELP_LINE, rng=np.random.default_rng(0), confidence=0.8)
    folds = [fold.label for fold in app.expander]
    assert any(f"bounds of the {len(release.items)} answers" in label for label in folds)
    bounds, estimates = figures(app)[2]["data"][1:3]
    np.testing.assert_allclose(array(bounds["x"]), release.lower_bounds)
    np.testing.assert_allclose(array(estimates["x"]), mechanism.threshold + release.gaps)
    last = int(release.items[-1])
    by = mechanism.branch_names.index(release.branches[-1])
    control(app, "number_input", "Query").set_value(last + 1).run()
    coverage = mechanism.coverage(HELP_LINE, confidence=0.8).coverage_after_answer[by, last]
    for told in (
        f"Query {last + 1} in detail",
        number_text(float(f"{release.gaps[-1]:.4g}")),
        number_text(float(f"{release.lower_bounds[-1]:.4g}")),
        percent(float(coverage)),
    ):
        assert told in words(app)


def test_a_run_is_stepped_through_and_from_answer_to_answer(open_page: OpenPage) -> None:
    app = open_page("gaps", **RUN)
    asked = control(app, "number_input", "Query").value
    press(app, "First")
    assert control(app, "number_input", "Query").value == 1
    items = pair()[1].release(HELP_LINE, rng=np.random.default_rng(0)).items
    assert len(items) > 1
    for item in items:
        if item > 0:
            press(app, "Next answer")
        assert control(app, "number_input", "Query").value == item + 1
    assert control(app, "button", "Next answer").disabled
    press(app, "First")
    press(app, "Next")
    assert "Query 2 in detail" in words(app)
    press(app, "Last")
    assert control(app, "number_input", "Query").value == asked
    assert "the release ends" in words(app)
    press(app, "Release again")
    assert app.session_state["dpviz.scenario"].seed == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", "inf"),
        ("threshold", "high"),
        ("threshold", "1e305"),
        ("split", "third"),
        ("share", "1"),
        ("shuffle", "-1"),
        ("half", "both"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(open_page: OpenPage, name: str, value: str) -> None:
    app = open_page("gaps", **{**SPARSE, "page.gaps.split": "custom", f"page.gaps.{name}": value})
    assert len(app.error) == 1
    assert "must be" in errors(app)
    assert not app.get("plotly_chart")


def test_a_page_that_cannot_be_shown_starts_anew(open_page: OpenPage) -> None:
    app = press(open_page("gaps", **SPARSE, **{"page.gaps.share": "7"}), "Start this page anew")
    assert not app.error
    assert app.get("plotly_chart")


def test_no_query_above_the_threshold_has_no_precision(open_page: OpenPage) -> None:
    app = settled(open_page("gaps", **{**RUN, "page.gaps.threshold": "100000.0"}))
    for told in ("none", "This release gave no answer", "almost no answers"):
        assert told in words(app)

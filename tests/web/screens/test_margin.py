"""The margin page, run without a browser: its figures are the library's, and bad input is told in
one sentence.
"""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.charts.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.margin.baselines import DistanceToInstability, NoisyMax
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.universe_curve import MOST_UNLISTED
from dpviz.pages.margin.study import FIRST
from dpviz.studies.scenario import Scenario
from tests.web.screens.placed import unplaced
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "vectors.json").read_text(encoding="utf-8")
)
PAIRS = EXAMPLES["bought_together"].scores()
ZEROS = 7_998_000 - PAIRS.d


def text(app: AppTest) -> str:
    """All that is written in HTML fragments, without the tags."""
    bodies = [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]
    return html.unescape(re.sub(r"<[^>]+>", " ", unplaced(" ".join(bodies))))


def cards(app: AppTest) -> dict[str, str]:
    """Each headline figure by its name."""
    body = next(
        e.proto.body
        for e in app.get("html")
        if "dp-cards" in e.proto.body and "dp-card" in e.proto.body
    )
    found = re.findall(r'<div class="dp-name">([^<]+).*?<div class="dp-value">(.*?)</div>', body)
    return {name: html.unescape(re.sub(r"<[^>]+>", "", value)) for name, value in found}


def whole(app: AppTest, charts: int = 5) -> AppTest:
    """The page once so many charts are on it."""
    for _ in range(60):
        if len(app.get("plotly_chart")) >= charts:
            break
        run_when_computed(app)
    assert not app.exception
    return app


def figures(app: AppTest) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def array(told: object) -> np.ndarray:
    """A figure's array, which comes as base64 with its type."""
    import base64

    if isinstance(told, dict):
        return np.frombuffer(base64.b64decode(told["bdata"]), told["dtype"])
    return np.array(told, float)


def bars(app: AppTest) -> list[np.ndarray]:
    """The item law of every mechanism, as drawn."""
    figure = next(f for f in figures(app) if all(trace["type"] == "bar" for trace in f["data"]))
    return [array(trace["x"]) for trace in figure["data"]]


def control(app: AppTest, kind: str, label: str):  # type: ignore[no-untyped-def]
    return next(widget for widget in app.get(kind) if widget.label.startswith(label))


def paste(app: AppTest, counts: list[float]) -> AppTest:
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value(
        "\n".join(f"item {i}, {c:g}" for i, c in enumerate(counts))
    )
    control(app, "button", "Use these scores").click().run()
    return app


PAIRED = {"data": "example:bought_together", "epsilon": "0.5"}


def test_pairs_bought_together_have_the_librarys_figures(open_page: OpenPage) -> None:
    app = whole(open_page("margin", **PAIRED))
    law = LargeMargin(epsilon=0.5, delta=1e-6).distribution(PAIRS, zeros=ZEROS)
    assert cards(app) == {
        "Best item": percent(law.best_probability),
        "Good item": percent(law.near_best_probability(160.0)),
        "Front group": "3",
        "Drop": "1,530",
        "Exponential": percent(
            NoisyMax(epsilon=0.5).distribution(PAIRS, zeros=ZEROS).best_probability
        ),
    }
    shown = bars(app)
    order = PAIRS.order[:7]
    failed = DistanceToInstability(epsilon=0.5, delta=1e-6).distribution(PAIRS)
    for drawn, expected in zip(
        shown,
        (
            law,
            NoisyMax(epsilon=0.5).distribution(PAIRS, zeros=ZEROS),
            NoisyMax(epsilon=0.5, noise="laplace").distribution(PAIRS, zeros=ZEROS),
            failed,
        ),
        strict=True,
    ):
        np.testing.assert_allclose(drawn[:7], expected.inclusion[order], rtol=1e-6, atol=1e-30)
        assert drawn[-2] == pytest.approx(expected.zero_mass, rel=1e-6)
        assert drawn[-1] == pytest.approx(expected.fail, rel=1e-6)
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert "not private" in text(app)
    assert "k, items out" not in {widget.label for widget in app.number_input}


@pytest.mark.parametrize(
    "vector", VECTORS["large_margin"], ids=lambda vector: f"{len(vector['counts'])} items"
)
def test_the_reference_vectors_are_what_the_page_shows(open_page: OpenPage, vector: dict) -> None:  # type: ignore[type-arg]
    app = open_page(
        "margin", epsilon=repr(vector["epsilon"]), **{"page.delta": repr(vector["delta"])}
    )
    app = whole(paste(app, vector["counts"]), charts=2)
    order = np.argsort(-np.array(vector["counts"]), kind="stable")
    shown = bars(app)[0]
    rows = min(7, len(order))
    np.testing.assert_allclose(
        shown[:rows], np.array(vector["item_law"])[order][:rows], rtol=1e-5, atol=1e-12
    )
    stems = figures(app)[0]["data"][-1]
    assert stems["yaxis"] == "y2"
    for size, chance in zip(array(stems["x"]), array(stems["y"]), strict=True):
        assert chance == pytest.approx(vector["rank_law"][int(size) - 1], abs=1e-9)


def test_delta_universe_and_good_are_in_the_link_and_change_the_figures(
    open_page: OpenPage,
) -> None:
    app = whole(open_page("margin", **PAIRED))
    control(app, "number_input", "δ, exactly").set_value(1e-3).run()
    control(app, "number_input", "K, exactly").set_value(20_000).run()
    control(app, "number_input", "A good item").set_value(0.0).run()
    app = whole(app)
    held = app.session_state["dpviz.scenario"]
    assert dict(held.page) == {"delta": 1e-3, "universe": 20_000, "good": 0.0}
    law = LargeMargin(epsilon=0.5, delta=1e-3).distribution(PAIRS, zeros=20_000 - PAIRS.d)
    assert cards(app)["Good item"] == percent(law.best_probability) == cards(app)["Best item"]
    assert "Which of 20,000 items" in text(app)
    again = whole(open_page("margin", **held.to_query()))
    assert again.session_state["dpviz.scenario"] == held
    assert cards(again) == cards(app)


def test_sliders_and_boxes_are_one(open_page: OpenPage) -> None:
    app = open_page("margin", **PAIRED)
    control(app, "select_slider", "δ, the leeway").set_value(1e-9).run()
    assert control(app, "number_input", "δ, exactly").value == 1e-9
    control(app, "select_slider", "K, items").set_value(100_000).run()
    assert control(app, "number_input", "K, exactly").value == 100_000
    most = PAIRS.d + MOST_UNLISTED  # the last that is listed, one by one
    control(app, "select_slider", "K, items").set_value(most).run()
    assert control(app, "number_input", "K, exactly").value == most
    control(app, "number_input", "δ, exactly").set_value(-3.0).run()
    told = "δ must be a number above 0 and below 1, not -3. It stays 1e-09."
    assert app.error[0].value.replace("\\", "") == told
    control(app, "number_input", "δ, exactly").set_value(0.123).run()
    assert control(app, "select_slider", "δ, the leeway").value == 0.123
    assert not app.exception


def test_a_universe_beyond_counting_is_a_power_of_ten(open_page: OpenPage) -> None:
    app = open_page("margin")
    assert control(app, "number_input", "K, as a power of ten").value == 400
    control(app, "number_input", "K, as a power of ten").set_value(250).run()
    assert dict(app.session_state["dpviz.scenario"].page) == {"digits": 250}
    assert control(app, "select_slider", "K, items").value == 10**250
    assert "Which of 10²⁵⁰ items" in text(app)
    control(app, "select_slider", "K, items").set_value(1000).run()
    assert dict(app.session_state["dpviz.scenario"].page) == {"universe": 1000}
    assert control(app, "number_input", "K, exactly").value == 1000
    assert not app.exception


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            {},
            (
                "Worth having here: large margin gives a good item in more than 999 of 1,000"
                " releases, "
            ),
        ),
        (
            {},
            "Below about 1.2×10²⁷⁴ items the exponential mechanism would do as well, without a δ.",
        ),
        (
            {"data": "example:chat_openings", "epsilon": "0.5", "page.digits": "200"},
            "Not worth having here: large margin gives the best item in 50 of 100 releases, ",
        ),
        (
            PAIRED,
            (
                "Not worth having here: large margin gives the best item in 85 of 100 releases, the"
                " exponential"
            ),
        ),
        (
            PAIRED,
            (
                "It would be from about 1×10³⁴² items on, where the exponential mechanism is down"
                " to one half."
            ),
        ),
        (
            {"data": "example:help_line", "epsilon": "0.5"},
            "The scores do not fall as far as large margin asks.",
        ),
    ],
)
def test_the_first_line_says_when_it_is_worth_having(
    open_page: OpenPage, query: dict[str, str], told: str
) -> None:
    app = whole(open_page("margin", **query), charts=2)
    lead = next(e.proto.body for e in app.get("html") if "dp-lead" in e.proto.body)
    assert told in html.unescape(lead)


def test_the_learning_example_has_four_good_rules(open_page: OpenPage) -> None:
    app = open_page("margin")
    control(app, "selectbox", "Example").set_value("simple_rules").run()
    app = whole(app)
    scores = EXAMPLES["simple_rules"].scores()
    law = LargeMargin(epsilon=0.5, delta=1e-6).distribution(scores)
    assert cards(app)["Front group"] == "4"
    assert cards(app)["Best item"] == percent(law.best_probability)
    assert "Here the exponential mechanism and max of Laplaces do so too" in text(app)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"page.delta": "1.5"},
            "delta must be a number above 0 and below 1, not 1.5. It is taken as 1e-06.",
        ),
        ({"page.delta": "0"}, "delta must be a number above 0"),
        ({"page.delta": "many"}, "delta must be a number above 0"),
        (
            {"page.universe": "3"},
            "the universe must be a whole number from 14,979 to 10,014,979, not 3.",
        ),
        ({"page.universe": "99999999999"}, "the universe must be a whole number from"),
        (
            {"page.good": "-1"},
            "the distance of a good item must be a number of at least 0, not -1.",
        ),
        ({"page.people": "1"}, "people must be a whole number from 2"),
    ],
)
def test_what_is_not_allowed_is_told_in_one_sentence(
    open_page: OpenPage, given: dict[str, str], told: str
) -> None:
    app = open_page("margin", data="example:bought_together", epsilon="0.5", **given)
    assert len(app.error) == 1
    assert told in app.error[0].value.replace("\\", "")
    assert cards(whole(app, charts=1))["Front group"] == "3"


def test_a_box_does_not_take_what_is_not_allowed(open_page: OpenPage) -> None:
    app = whole(open_page("margin"))
    before = cards(app)
    control(app, "number_input", "δ, exactly").set_value(2.0).run()
    whole(app)
    assert control(app, "number_input", "δ, exactly").value == 1e-6
    assert cards(app) == before


def test_a_delta_of_a_half_leaves_the_instability_test_out(open_page: OpenPage) -> None:
    app = whole(open_page("margin", **{"page.delta": "0.6"}))
    assert "Instability test is left out" in app.info[0].value
    assert len(bars(app)) == 3


def test_scores_below_zero_have_no_larger_universe(open_page: OpenPage) -> None:
    app = whole(paste(open_page("margin"), [900.0, 3.0, -2.0]), charts=3)
    assert "Some scores are below zero" in text(app)
    assert "K, exactly" not in {widget.label for widget in app.number_input}
    assert "Which of 3 items" in text(app)


def test_without_a_clear_group_it_offers_an_example_that_has_one(open_page: OpenPage) -> None:
    app = whole(open_page("margin", data="example:help_line", epsilon="0.2"))
    assert "No group stands clear" in text(app)
    control(app, "button", "Show an example").click().run()
    assert "The top 3 stand clear" in text(whole(app))


def test_the_lower_bounds_are_only_for_a_small_epsilon(open_page: OpenPage) -> None:
    app = whole(open_page("margin", epsilon="2.0"), charts=4)
    assert "The lower bounds are theorems for ε below 1." in text(app)


def test_until_data_are_chosen_each_page_shows_its_own_example_as_it_was_left(
    open_page: OpenPage,
) -> None:
    app = open_page()
    assert app.session_state["dpviz.scenario"] == Scenario(epsilon=0.2)
    app.switch_page("pages/margin.py").run()
    assert app.session_state["dpviz.scenario"] == FIRST
    app.switch_page("pages/explore.py").run()
    assert app.session_state["dpviz.scenario"] == Scenario(epsilon=0.2)
    control(app, "number_input", "ε, exactly").set_value(0.7).run()
    app.switch_page("pages/margin.py").run()
    assert app.session_state["dpviz.scenario"] == FIRST.replace(epsilon=0.7)  # somebody chose it
    app.switch_page("pages/explore.py").run()
    assert app.session_state["dpviz.scenario"] == Scenario(epsilon=0.7)
    assert not app.exception


def test_scores_below_zero_have_no_unlisted_items_whatever_the_link_says(
    open_page: OpenPage,
) -> None:
    app = paste(open_page("margin", **{"page.universe": "5000"}), [900.0, 3.0, -2.0])
    assert "the universe must be a whole number from 3 to 3, not 5000." in app.error[
        0
    ].value.replace("\\", "")
    assert "Which of 3 items" in text(app)

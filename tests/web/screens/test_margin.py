"""The margin page, run without a browser: its figures are the library's, and bad input is told in
one sentence.
"""

import html
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.margin.baselines import NoisyMax
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.universe_curve import MOST_UNLISTED
from tests.web.screens.shown import cards, control, errors, figures, press, settled, words

OpenPage = Callable[..., AppTest]
PAIRS = EXAMPLES["bought_together"].scores()
HELP_LINE = EXAMPLES["help_line"].scores()
PAIRED = {"data": "example:bought_together", "epsilon": "0.5"}


def paste(app: AppTest, counts: list[float]) -> AppTest:
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value("\n".join(f"i{n}, {c:g}" for n, c in enumerate(counts)))
    return press(app, "Use these scores")


def test_pairs_bought_together_have_the_librarys_figures(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.margin.universe_curve.MOST_UNLISTED", MOST_UNLISTED)  # as it is
    app = settled(open_page("margin", **PAIRED))
    zeros = 7_998_000 - PAIRS.d
    law = LargeMargin(epsilon=0.5, delta=1e-6).distribution(PAIRS, zeros=zeros)
    other = NoisyMax(epsilon=0.5).distribution(PAIRS, zeros=zeros)
    assert cards(app) == {
        "Best item": percent(law.best_probability),
        "Good item": percent(law.near_best_probability(160.0)),
        "Front group": "3",
        "Drop": "1,530",
        "Exponential": percent(other.best_probability),
    }
    assert len(figures(app)) == 5
    assert "not private" in words(app)
    assert "k, list length" not in {widget.label for widget in app.number_input}


def test_delta_universe_and_good_are_in_the_link_and_figures(open_page: OpenPage) -> None:
    app = open_page("margin", data="example:help_line", epsilon="0.5")
    control(app, "select_slider", "K, items").set_value(20_000).run()
    control(app, "number_input", "δ, exactly").set_value(1e-3)
    control(app, "number_input", "A good item").set_value(0.0).run()
    held = app.session_state["dpviz.scenario"]
    assert dict(held.page) == {"universe": 20_000, "delta": 1e-3, "good": 0.0}
    law = LargeMargin(epsilon=0.5, delta=1e-3).distribution(HELP_LINE, zeros=20_000 - HELP_LINE.d)
    shown = cards(settled(app))
    assert shown["Good item"] == percent(law.best_probability) == shown["Best item"]
    assert "Which of 20,000 items" in words(app)
    again = settled(open_page("margin", **held.to_query()))
    assert again.session_state["dpviz.scenario"] == held
    assert cards(again) == shown


def test_sliders_and_boxes_are_one(open_page: OpenPage) -> None:
    app = open_page("margin", data="example:help_line", epsilon="0.5")
    control(app, "select_slider", "δ, the leeway").set_value(1e-9).run()
    assert control(app, "number_input", "δ, exactly").value == 1e-9
    before = cards(settled(app))
    control(app, "number_input", "δ, exactly").set_value(-3.0).run()
    assert errors(app) == "δ must be a number above 0 and below 1, not -3. It stays 1e-09."
    assert cards(settled(app)) == before
    control(app, "number_input", "δ, exactly").set_value(0.123).run()
    assert control(app, "select_slider", "δ, the leeway").value == 0.123
    for most in (100_000, HELP_LINE.d + MOST_UNLISTED):  # the last that is listed, one by one
        control(app, "select_slider", "K, items").set_value(most).run()
        assert control(app, "number_input", "K, exactly").value == most
    assert not app.exception


def test_a_universe_beyond_counting_is_a_power_of_ten(open_page: OpenPage) -> None:
    app = open_page("margin")
    assert control(app, "number_input", "K, as a power of ten").value == 400
    control(app, "number_input", "K, as a power of ten").set_value(250).run()
    assert dict(app.session_state["dpviz.scenario"].page) == {"digits": 250}
    assert control(app, "select_slider", "K, items").value == 10**250
    assert "Which of 10²⁵⁰ items" in words(app)
    control(app, "select_slider", "K, items").set_value(1000).run()
    assert dict(app.session_state["dpviz.scenario"].page) == {"universe": 1000}
    assert control(app, "number_input", "K, exactly").value == 1000


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            {},
            (
                "Large margin is better here. It gives a good item in more than 999 of 1,000",
                "With about 1.2×10²⁷⁴ items the exponential mechanism would give a good item in half",
            ),
        ),
        (
            {"data": "example:chat_openings", "epsilon": "0.5", "page.digits": "200"},
            ("Large margin is not better here. It gives the best item in 50 of 100 releases, ",),
        ),
        (PAIRED, ("With about 1×10³⁴² items the exponential mechanism would give",)),
        (
            {"data": "example:help_line", "epsilon": "0.5"},
            ("The scores do not drop far enough for large margin.",),
        ),
    ],
)
def test_the_lead_says_what_it_is_worth(
    open_page: OpenPage, query: dict[str, str], told: tuple[str, ...]
) -> None:
    app = settled(open_page("margin", **query))
    lead = next(e.proto.body for e in app.get("html") if "dp-lead" in e.proto.body)
    assert [said for said in told if said not in html.unescape(lead)] == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"page.delta": "1.5"},
            "delta must be a number above 0 and below 1, not 1.5. It is taken as 1e-06.",
        ),
        (
            {"page.universe": "3"},
            "the universe must be a whole number from 14,979 to 10,014,979, not 3.",
        ),
        (
            {"page.good": "-1"},
            "the distance of a good item must be a number of at least 0, not -1.",
        ),
    ],
)
def test_what_is_not_allowed_is_told(open_page: OpenPage, given: dict[str, str], told: str) -> None:
    app = open_page("margin", **PAIRED, **given)
    assert len(app.error) == 1
    assert told in errors(app)
    assert cards(settled(app))["Front group"] == "3"


def test_where_a_theorem_does_not_hold_it_is_left_out(open_page: OpenPage) -> None:
    app = settled(open_page("margin", **{"page.delta": "0.6"}))
    assert "Instability test is left out" in app.info[0].value
    app = settled(open_page("margin", epsilon="2.0"))
    assert "The lower bounds are theorems for ε below 1." in words(app)


def test_scores_below_zero_have_no_larger_universe(open_page: OpenPage) -> None:
    app = paste(open_page("margin", **{"page.universe": "5000"}), [900.0, 3.0, -2.0])
    assert "the universe must be a whole number from 3 to 3, not 5000." in errors(app)
    assert "Some scores are below zero" in words(settled(app))
    assert "K, exactly" not in {widget.label for widget in app.number_input}
    assert "Which of 3 items" in words(app)


def test_without_a_clear_group_it_offers_an_example_that_has_one(open_page: OpenPage) -> None:
    app = settled(open_page("margin", data="example:help_line", epsilon="0.2"))
    assert "No group is far enough ahead" in words(app)
    assert "The top 3 are far enough ahead" in words(settled(press(app, "Show an example")))

"""The candidates page, run without a browser: its figures are the library's, and bad input gets one
sentence.
"""

import re
from collections.abc import Callable
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import (
    CANDIDATES,
    CandidatePool,
    NegativeBinomialRepeats,
    PoissonRepeats,
    RandomStopping,
    Scenario,
)
from dpviz.base.text_format import number_text, percent, upper_bound_text
from dpviz.candidates import sufficient_limit_for_delta2, sufficient_limit_for_epsilon0
from dpviz.candidates.repeats import gaussian_rule_epsilons
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.utility import rule_utility
from dpviz.pages import load_page_view
from dpviz.pages.candidates.settings import POOLS
from dpviz.pages.common import PageSubject, PreviewRequest
from dpviz.web.screens.candidates.controls import EXAMPLE
from tests.menus import Contract
from tests.web.screens import uploads
from tests.web.screens.shown import cards, control, errors, figures, settled, words

OpenPage = Callable[..., AppTest]
RUNS = b"model,accuracy\nash,0.9\noak,0.5\nash,0.7\noak,0.8\nelm,0.8\n"
RUNS_POOL = CandidatePool([[0.9, 0.7], [0.5, 0.8], [0.8]])
TYPED = {"page.pc.pool": "typed"}


def expected(rule, pool: CandidatePool) -> dict[str, str]:  # type: ignore[no-untyped-def]
    worth = rule_utility(rule.distribution(pool), 0.05)
    shown = {
        "Total ε": upper_bound_text(rule.total_epsilon(0.5)[0]),
        "Mean score": number_text(worth.score),
        "In the top 5\u202f%": percent(worth.within),
        "Runs": number_text(round(worth.runs, 2)),
    }
    return shown | ({"Nothing": percent(worth.bottom)} if worth.bottom > 1e-12 else {})


def give(app: AppTest, content: bytes) -> None:
    uploads.give(app, "candidates_file", "a.csv", content)


def test_untouched_it_shows_the_librarys_figures(open_page: OpenPage) -> None:
    app = settled(open_page("candidates"))
    built_in = logistic_regression_runs(people=600, epsilon=0.5, runs=200, seed=0).pool
    assert cards(app) == expected(RandomStopping(stop=0.01), built_in)
    assert "would cost ε = 5" in words(app)
    assert "not private" in words(app)
    assert len(figures(app)) == 3
    assert "k, list length" not in {box.label for box in app.number_input}  # scores are not here
    control(app, "select_slider", "Stop chance").set_value(0.1).run()
    assert control(app, "number_input", "γ, exactly").value == 0.1
    control(app, "number_input", "γ, exactly").set_value(0.025).run()
    assert control(app, "select_slider", "Stop chance").value == 0.025
    assert cards(settled(app)) == expected(RandomStopping(stop=0.025), built_in)


@pytest.mark.parametrize("source", list(POOLS))
class TestSources(Contract):
    menu = POOLS
    names = frozenset(POOLS)

    def test_a_link_opens_it(self, open_page: OpenPage, source: str) -> None:
        """With the candidates it stands for, or with the request for what it needs."""
        app = open_page("candidates", **{"page.pc.pool": source, "page.pc.view": "percentile"})
        assert control(app, "selectbox", "Candidates from").value == source
        assert not app.error
        assert app.info or cards(app)


@pytest.mark.parametrize("name", list(CANDIDATES))
def test_every_rule_of_the_registry_can_be_chosen(open_page: OpenPage, name: str) -> None:
    app = open_page("candidates", **TYPED)
    control(app, "selectbox", "Rule").set_value(name).run()
    rule = CANDIDATES[name](**({"threshold": 0.8} if name == "known_threshold" else {}))
    often = EXAMPLE.groupby("candidate", sort=False)["how often"].transform("sum")
    rows = EXAMPLE.assign(mass=EXAMPLE["how often"] / often).groupby("candidate", sort=False)
    pool = CandidatePool([(of["score"].to_numpy(), of["mass"].to_numpy()) for _, of in rows])
    assert cards(settled(app)) == expected(rule, pool)


def test_runs_that_are_not_pure_are_covered_by_some_rules_only(open_page: OpenPage) -> None:
    query = {**TYPED, "page.pc.delta1": "1e-06"}
    app = settled(open_page("candidates", **query))
    assert cards(app)["Total ε"] == "not covered"
    assert "needs a limit T" in app.warning[0].value
    control(app, "toggle", "Set the limit").set_value(True).run()
    rule = RandomStopping(stop=0.01, limit=control(settled(app), "number_input", "Limit T").value)
    assert cards(app)["Total ε"] == upper_bound_text(rule.total_epsilon(0.5, 1e-6)[0])


def test_an_uploaded_run_table_is_asked_for_and_stays_out_of_the_link(open_page: OpenPage) -> None:
    app = open_page("candidates", **{"page.pc.pool": "uploaded", "page.pc.stop": "0.1"})
    assert "never contain the table" in app.info[0].value
    give(app, RUNS)
    shown = cards(settled(app))
    assert shown == expected(RandomStopping(stop=0.1), RUNS_POOL)
    assert "ash" not in repr(app.session_state["dpviz.scenario"].to_query())
    for bad, told in (
        (b"model,accuracy\nash,0.9\noak,good\n", "Row 3: the score 'good'"),
        (b"model,accuracy\nash,0.9\n,0.5\n", "Row 3: the candidate"),
        (b"accuracy\n0.9\n0.8\n", "one column"),
        (b"", "empty"),
    ):
        give(app, bad)
        assert len(app.error) == 1
        assert told in errors(app)
        assert cards(settled(app)) == shown


@pytest.mark.parametrize(
    ("rule", "label", "given", "told"),
    [
        (
            "random_stopping",
            "γ, exactly",
            0.0,
            "Stop chance γ must be a number above 0 and at most 1",
        ),
        ("random_stopping", "ε1, exactly", -1.0, "ε1 must be a number above 0 and at most 10,000"),
        ("random_stopping", "Top share", 0.0, "Top share p of all runs must be a number above 0"),
        ("negative_binomial", "γ, exactly", 1.0, "γ must be a number above 0 and below 1"),
        ("poisson", "Mean number", 0.5, "Mean number of runs μ must be a number from 1"),
    ],
)
def test_what_is_not_allowed_gets_one_sentence(
    open_page: OpenPage, rule: str, label: str, given: float, told: str
) -> None:
    app = settled(open_page("candidates", **TYPED, **{"page.pc.rule": rule}))
    before = cards(app)
    control(app, "number_input", label).set_value(given).run()
    assert len(app.error) == 1
    assert told in errors(app)
    assert cards(settled(app)) == before
    assert control(app, "number_input", label).value != given


@pytest.mark.parametrize(
    ("rule", "told"), [("known_threshold", "Thm 3.1"), ("random_stopping", "Thm 3.5")]
)
def test_a_limit_below_the_theorems_is_refused(open_page: OpenPage, rule: str, told: str) -> None:
    app = open_page("candidates", **TYPED, **{"page.pc.rule": rule})
    control(app, "toggle", "Set the limit").set_value(True).run()
    held = control(app, "number_input", "Limit T").value
    control(app, "number_input", "Limit T").set_value(3).run()
    assert told in errors(app)
    assert control(app, "number_input", "Limit T").value == held


@pytest.mark.parametrize("query", [{"page.pc.stop": "7"}, {"page.pc.rule": "none"}])
def test_a_bad_link_shows_the_page_all_the_same(open_page: OpenPage, query: dict[str, str]) -> None:
    assert cards(settled(open_page("candidates", **TYPED, **query)))["Total ε"] == "1.5"


def test_the_percentile_search_has_another_form(open_page: OpenPage) -> None:
    app = settled(open_page("candidates", **TYPED, **{"page.pc.view": "percentile"}))
    exact, boxes = cards(app)["None"], {box.label for box in app.number_input}
    control(app, "segmented_control", "Form").set_value("sampled").run()
    assert cards(settled(app))["None"] != exact
    assert boxes < {box.label for box in app.number_input}
    assert "Theorem 4.4" in words(app)


def test_what_leaks_is_told_exactly(open_page: OpenPage) -> None:
    link = {"page.pc.view": "leaks", "page.pc.leak.k": "4", "page.pc.epsilon1": "0.5"}
    app = open_page("candidates", **link)
    assert "7.39 times as often" in words(app)
    control(app, "number_input", "Chance that a run fails").set_value(0.5).run()
    assert "so that chance is used here" in words(app)
    control(app, "number_input", "Candidates K").set_value(99).run()
    assert "Candidates K must be a whole number from 1 to 16, not 99. It stays 4." in errors(app)


def test_the_gaussian_table_is_the_accountants(open_page: OpenPage) -> None:
    app = settled(open_page("candidates", **TYPED, **{"page.pc.view": "price"}))
    app.session_state["gaussian_totals"] = True
    app = settled(app.run())
    totals = gaussian_rule_epsilons([NegativeBinomialRepeats(), PoissonRepeats()], 4, 4.0, 1e-6)
    shown = app.dataframe[-1].value["total epsilon"].tolist()
    assert shown == [float(f"{e:.4g}") for e in totals.values()]


def test_a_threshold_that_nothing_reaches_and_one_within_ones_own_runs(open_page: OpenPage) -> None:
    query = {"page.pc.rule": "known_threshold", "page.pc.threshold": "2.0"}
    app = settled(open_page("candidates", **TYPED, **query))
    assert (cards(app)["Mean score"], cards(app)["Nothing"]) == ("none", ">99.9\u202f%")
    assert "Nothing is ever published" in words(app)
    for view in ("price", "stop"):
        settled(open_page("candidates", **TYPED, **query, **{"page.pc.view": view}))
    app = open_page("candidates", **{"page.pc.pool": "uploaded", "page.pc.rule": "known_threshold"})
    give(app, b"candidate,score\n" + b"".join(b"c%d,%d\n" % (i % 3, i * 10) for i in range(30)))
    assert control(settled(app), "number_input", "Threshold").value == 220.0


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_the_limit_that_is_suggested_adds_little(open_page: OpenPage, delta: float) -> None:
    query = {**TYPED, "page.pc.delta1": repr(delta), "page.pc.stop": "0.1"}
    app = settled(open_page("candidates", **query))
    control(app, "toggle", "Set the limit").set_value(True).run()
    limit = control(settled(app), "number_input", "Limit T").value
    assert limit == (
        sufficient_limit_for_delta2(0.1, 1e-6) if delta else sufficient_limit_for_epsilon0(0.1, 0.1)
    )


_PLACE = re.compile(r'<span data-place="([^"]*)" data-at="([^"]*)">(.*?)</span>', re.DOTALL)


@pytest.mark.parametrize("view", ["outcome", "percentile", "leaks"])
def test_under_the_hand_every_place_says_what_the_page_says(open_page: OpenPage, view: str) -> None:
    page = {"pc.view": view, "pc.epsilon1": 0.8, "pc.runs": 20, "pc.people": 50}
    app = open_page("candidates", **{f"page.{name}": f"{value}" for name, value in page.items()})
    settled(app)
    of = PageSubject(Scenario(page=page | {"pc.epsilon1": 0.3}))
    step = load_page_view("candidates").build_slider_preview(of, 0.8, PreviewRequest())
    body = "".join(element.proto.body for element in app.get("html"))
    shown = {name: (at, unescape(text)) for name, at, text in _PLACE.findall(body)}
    says = step.texts | {f"says {name}": chart.says_now for name, chart in step.charts.items()}
    assert shown == {name: ("0.8", text) for name, text in says.items() if name in shown}
    assert {*step.texts} - {*shown} <= {name for name, text in step.texts.items() if not text}
    assert [name for name in shown if name.startswith("says ")]

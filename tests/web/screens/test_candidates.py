"""The candidates page, run without a browser: its figures are the library's, and bad input gets one
sentence.
"""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import (
    CANDIDATES,
    CandidatePool,
    KnownThreshold,
    NegativeBinomialRepeats,
    PercentileSparseVector,
    PoissonRepeats,
    RandomStopping,
    naive_best,
)
from dpviz.candidates import limit_for_delta, limit_for_epsilon
from dpviz.candidates.leaks import threshold_leak
from dpviz.candidates.run_tables import TYPED_COLUMNS
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.utility import rule_utility
from dpviz.charts.text_format import number_text, percent, upper_bound_text
from dpviz.pages.candidates.settings import POOLS, VIEWS
from dpviz.web.screens.candidates.controls import EXAMPLE, TYPED
from tests.menus import Contract
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())
RUNS = b"model,accuracy\nash,0.9\noak,0.5\nash,0.7\noak,0.8\nelm,0.8\n"
RUNS_POOL = CandidatePool([[0.9, 0.7], [0.5, 0.8], [0.8]])


@pytest.fixture(scope="module")
def built_in() -> CandidatePool:
    return logistic_regression_runs(people=600, epsilon=0.5, runs=200, seed=0).pool


def bodies(app: AppTest) -> list[str]:
    return [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]


def text(app: AppTest) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", " ".join(bodies(app))))


def settled(app: AppTest) -> AppTest:
    """The page once all that is computed beside it is there."""
    for _ in range(200):
        assert not app.exception, [told.value for told in app.exception]
        if not any("dp-place" in body for body in bodies(app)):
            return app
        run_when_computed(app)
    raise AssertionError("the page never finished")


def cards(app: AppTest) -> dict[str, str]:
    """The headline figures by name."""
    body = next(body for body in bodies(settled(app)) if "dp-cards" in body)
    found = re.findall(r'<div class="dp-name">([^<]+)<.*?<div class="dp-value">(.*?)</div>', body)
    return {
        html.unescape(name): html.unescape(re.sub(r"<[^>]+>", "", value)) for name, value in found
    }


def control(app: AppTest, kind: str, label: str):  # type: ignore[no-untyped-def]
    """The control with this label, else the first whose label starts so."""
    widgets = list(app.get(kind))
    return next((w for w in widgets if w.label == label), None) or next(
        w for w in widgets if w.label.startswith(label)
    )


def figures(app: AppTest) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def numbers(held: object) -> np.ndarray:
    """An array as plotly sends it."""
    if isinstance(held, dict):
        import base64

        return np.frombuffer(base64.b64decode(held["bdata"]), np.dtype(held["dtype"])).astype(float)
    return np.array(held, float)


def expected(rule, pool: CandidatePool, share: float = 0.05) -> dict[str, str]:  # type: ignore[no-untyped-def]
    worth = rule_utility(rule.distribution(pool), share)
    shown = {
        "Mean score": number_text(worth.score),
        f"In the top {100 * share:g}\u202f%": percent(worth.within),
        "Runs": number_text(round(worth.runs, 2)),
    }
    return shown | ({"Nothing": percent(worth.bottom)} if worth.bottom > 1e-12 else {})


def test_untouched_it_shows_the_librarys_figures(
    open_page: OpenPage, built_in: CandidatePool
) -> None:
    app = open_page("candidates")
    rule = RandomStopping(stop=0.01)
    assert cards(app) == {"Total ε": "1.5"} | expected(rule, built_in)
    assert "would cost ε = 5" in text(app)
    assert "drawn with replacement" in text(app)
    assert "in proportion to their runs" in text(app)
    assert "not private" in text(app)
    bars = next(trace for trace in figures(app)[0]["data"] if trace["type"] == "bar")
    assert np.sort(numbers(bars["x"])) == pytest.approx(
        np.sort(rule.distribution(built_in).candidate)
    )
    diamonds = next(trace for trace in figures(app)[0]["data"] if trace.get("mode") == "markers")
    assert np.sort(numbers(diamonds["x"])) == pytest.approx(np.sort(naive_best(built_in).candidate))
    assert len(figures(app)) == 3
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert not app.error


@pytest.mark.parametrize("view", list(VIEWS))
class TestViews(Contract):
    menu = VIEWS
    names = frozenset(VIEWS)

    def test_it_has_charts_with_words(self, open_page: OpenPage, view: str) -> None:
        app = settled(open_page("candidates", **{"page.pc.view": view, "page.pc.pool": "typed"}))
        assert not app.error
        assert len(figures(app)) >= 1
        assert all(chart.proto.alt for chart in app.get("plotly_chart"))
        assert len(re.findall('class="dp-how"', " ".join(bodies(app)))) >= len(figures(app))


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


def test_scores_of_the_sidebar_of_other_pages_are_not_here(open_page: OpenPage) -> None:
    app = open_page("candidates")
    labels = {widget.label for kind in ("selectbox", "number_input") for widget in app.get(kind)}
    assert "k, items out" not in labels
    assert "Scores from" not in labels
    assert "Example" not in labels


@pytest.mark.parametrize("name", list(CANDIDATES))
def test_every_rule_of_the_registry_can_be_chosen(open_page: OpenPage, name: str) -> None:
    app = open_page("candidates", **{"page.pc.pool": "typed"})
    control(app, "selectbox", "Rule").set_value(name).run()
    rule = {
        "known_threshold": KnownThreshold(threshold=0.8),
        "random_stopping": RandomStopping(),
        "negative_binomial": NegativeBinomialRepeats(),
        "poisson": PoissonRepeats(),
    }[name]
    frame = EXAMPLE
    pool = CandidatePool(
        [
            (rows["score"].to_numpy(), rows["how often"].to_numpy() / rows["how often"].sum())
            for _, rows in frame.groupby("candidate", sort=False)
        ]
    )
    shown = cards(app)
    assert shown.pop("Total ε") == upper_bound_text(rule.total_epsilon(0.5)[0])
    assert shown == expected(rule, pool)


def test_stop_by_slider_and_by_box_are_one(open_page: OpenPage, built_in: CandidatePool) -> None:
    app = open_page("candidates")
    control(app, "select_slider", "Stop chance").set_value(0.1).run()
    assert control(app, "number_input", "γ, exactly").value == 0.1
    assert cards(app)["Runs"] == "10"
    control(app, "number_input", "γ, exactly").set_value(0.025).run()
    assert control(app, "select_slider", "Stop chance").value == 0.025
    assert cards(app) == {"Total ε": "1.5"} | expected(RandomStopping(stop=0.025), built_in)


def typed(row: dict[str, list[float]], of: str) -> pd.DataFrame:
    """One candidate whose runs are the outcomes of a reference row, the best first or the good ones
    at 1.
    """
    p = row[of]
    scores = list(range(len(p), 0, -1)) if of == "outcomes_best_first" else row["good"]
    return pd.DataFrame(
        [["all", float(s), q] for s, q in zip(scores, p, strict=True)], columns=list(TYPED_COLUMNS)
    )


def open_typed(open_page: OpenPage, frame: pd.DataFrame, **query: str) -> AppTest:
    app = open_page("candidates", **{"page.pc.pool": "typed", **query})
    app.session_state[TYPED.name] = frame
    return settled(app.run())


@pytest.mark.parametrize("row", VECTORS["random_stopping"])
def test_reference_values_of_random_stopping(
    open_page: OpenPage, row: dict[str, list[float]]
) -> None:
    app = open_typed(
        open_page, typed(row, "outcomes_best_first"), **{"page.pc.stop": repr(row["gamma"])}
    )
    columns = next(trace for trace in figures(app)[1]["data"] if trace["type"] == "bar")
    assert numbers(columns["y"])[::-1] == pytest.approx(row["law"], abs=1e-12)


@pytest.mark.parametrize("row", VECTORS["known_threshold"])
def test_reference_values_of_known_threshold(
    open_page: OpenPage, row: dict[str, list[float]]
) -> None:
    query = {
        "page.pc.rule": "known_threshold",
        "page.pc.stop": repr(row["gamma"]),
        "page.pc.threshold": "1.0",
        "page.pc.limit.known_threshold": str(row["limit"]),
    }
    app = open_typed(open_page, typed(row, "outcomes"), **query)
    bars = next(trace for trace in figures(app)[0]["data"] if trace["type"] == "bar")
    assert numbers(bars["x"]) == pytest.approx([sum(row["law"]), row["bottom"]], abs=1e-12)
    assert cards(app)["Nothing"] == percent(row["bottom"])


def test_total_epsilon_of_every_rule_beside_the_naive_one(open_page: OpenPage) -> None:
    app = settled(
        open_page(
            "candidates",
            **{"page.pc.pool": "typed", "page.pc.view": "price", "page.pc.epsilon1": "0.3"},
        )
    )
    dots = figures(app)[0]["data"][0]
    rules = [
        KnownThreshold(threshold=0.8),
        RandomStopping(),
        NegativeBinomialRepeats(),
        PoissonRepeats(),
    ]
    totals = {rule.name: rule.total_epsilon(0.3)[0] for rule in rules}
    assert numbers(dots["x"]) == pytest.approx(
        [0.3, *(totals[name] for name in CANDIDATES), 4 * 0.3]
    )
    assert "Theorem 3.1" in text(app)


def test_runs_that_are_not_pure_are_covered_by_some_rules_only(open_page: OpenPage) -> None:
    query = {"page.pc.pool": "typed", "page.pc.delta1": "1e-06"}
    app = settled(open_page("candidates", **query))
    assert cards(app)["Total ε"] == "not covered"
    assert "asks for a limit T" in app.warning[0].value
    control(app, "toggle", "Set the limit").set_value(True).run()
    rule = RandomStopping(stop=0.01, limit=control(settled(app), "number_input", "Limit T").value)
    assert cards(app)["Total ε"] == upper_bound_text(rule.total_epsilon(0.5, 1e-6)[0])
    app = settled(open_page("candidates", **query, **{"page.pc.view": "price"}))
    assert "its theorem is about runs with δ1 = 0" in text(app)


def test_an_uploaded_run_table(open_page: OpenPage) -> None:
    app = open_page("candidates")
    control(app, "selectbox", "Candidates from").set_value("uploaded").run()
    assert "Load a table of runs" in app.info[0].value
    app.file_uploader(key="dpviz.candidates.file").set_value(("runs.csv", RUNS, "text/csv")).run()
    assert cards(app) == {"Total ε": "1.5"} | expected(RandomStopping(), RUNS_POOL)
    shown = cards(app)
    for bad, told in (
        (b"model,accuracy\nash,0.9\noak,good\n", "Row 3: the score 'good'"),
        (b"model,accuracy\nash,0.9\n,0.5\n", "Row 3: the candidate"),
        (b"model,accuracy\nash,0.9\noak,\n", "Row 3: the score"),
        (b"accuracy\n0.9\n0.8\n", "one column"),
        (b"", "empty"),
    ):
        app.file_uploader(key="dpviz.candidates.file").set_value(("bad.csv", bad, "text/csv")).run()
        assert not app.exception
        assert len(app.error) == 1
        assert told in app.error[0].value.replace("\\", "")
        assert cards(app) == shown


def test_a_link_with_uploaded_runs_asks_for_them(open_page: OpenPage) -> None:
    app = open_page("candidates", **{"page.pc.pool": "uploaded", "page.pc.stop": "0.1"})
    assert "never hold such a table" in app.info[0].value
    app.file_uploader(key="dpviz.candidates.file").set_value(("runs.csv", RUNS, "text/csv")).run()
    assert cards(app) == {"Total ε": "1.5"} | expected(RandomStopping(stop=0.1), RUNS_POOL)
    assert "ash" not in repr(app.session_state["dpviz.scenario"].to_query())


@pytest.mark.parametrize(
    ("rule", "label", "given", "told"),
    [
        (
            "random_stopping",
            "γ, exactly",
            0.0,
            "Stop chance γ must be a number above 0 and at most 1, not 0. It",
        ),
        (
            "random_stopping",
            "γ, exactly",
            1.5,
            "Stop chance γ must be a number above 0 and at most 1",
        ),
        (
            "random_stopping",
            "ε1, exactly",
            -1.0,
            "ε1 must be a number above 0 and at most 10,000, not -1",
        ),
        ("random_stopping", "Top share", 0.0, "Top share p of all runs must be a number above 0"),
        ("poisson", "δ", 1.5, "δ must be a number above 0"),
        ("poisson", "δ", 1.0, "δ must be a number above 0 and below 1"),
        ("negative_binomial", "γ, exactly", 1.0, "γ must be a number above 0 and below 1"),
        ("poisson", "δ", 0.0, "δ must be a number above 0"),
        ("poisson", "Mean number", 0.5, "Mean number of runs μ must be a number from 1"),
        ("known_threshold", "ε0", 2.0, "ε0 must be a number above 0"),
        ("negative_binomial", "Shape", -1.0, "Shape η must be a number above -1"),
    ],
)
def test_what_is_not_allowed_gets_one_sentence(
    open_page: OpenPage, rule: str, label: str, given: float, told: str
) -> None:
    app = open_page("candidates", **{"page.pc.pool": "typed", "page.pc.rule": rule})
    before = cards(app)
    control(app, "number_input", label).set_value(given).run()
    assert len(app.error) == 1
    assert told in app.error[0].value.replace("\\", "")
    assert cards(app) == before
    assert control(app, "number_input", label).value != given


@pytest.mark.parametrize(
    ("rule", "told"), [("known_threshold", "Thm 3.1"), ("random_stopping", "Thm 3.5")]
)
def test_a_limit_below_the_theorems_is_refused(open_page: OpenPage, rule: str, told: str) -> None:
    app = open_page("candidates", **{"page.pc.pool": "typed", "page.pc.rule": rule})
    control(app, "toggle", "Set the limit").set_value(True).run()
    held = control(app, "number_input", "Limit T").value
    control(app, "number_input", "Limit T").set_value(3).run()
    assert len(app.error) == 1
    assert told in app.error[0].value.replace("\\", "")
    assert control(app, "number_input", "Limit T").value == held


@pytest.mark.parametrize(
    "query", [{"page.pc.stop": "7"}, {"page.pc.epsilon1": "-2"}, {"page.pc.rule": "none"}]
)
def test_a_bad_link_shows_the_page_all_the_same(open_page: OpenPage, query: dict[str, str]) -> None:
    app = open_page("candidates", **{"page.pc.pool": "typed"}, **query)
    assert cards(app)["Total ε"] == "1.5"


def test_the_percentile_search_is_the_librarys(open_page: OpenPage) -> None:
    app = open_page(
        "candidates",
        **{"page.pc.pool": "typed", "page.pc.view": "percentile", "page.pc.threshold": "0.79"},
    )
    law = PercentileSparseVector(percentile=0.5, epsilon=1.0, candidate_epsilon=0.5).distribution(
        [1.0, 0.2, 0.5, 0.0]
    )
    shown = cards(app)
    assert shown["Right"] == percent(float(law.stop[[0, 2]].sum()))
    assert shown["None"] == percent(law.none)
    control(app, "segmented_control", "Form").set_value("sampled").run()
    sampled = PercentileSparseVector(
        percentile=0.5, epsilon=1.0, candidate_epsilon=0.5, samples=2000
    )
    assert cards(app)["None"] == percent(sampled.distribution([1.0, 0.2, 0.5, 0.0]).none)
    assert "Theorem 4.4" in text(app)


def test_what_leaks_is_told_exactly(open_page: OpenPage) -> None:
    app = open_page(
        "candidates", **{"page.pc.view": "leaks", "page.pc.leak.k": "4", "page.pc.epsilon1": "0.5"}
    )
    assert "7.39 times as often" in text(app)
    control(app, "number_input", "Chance that a run fails").set_value(0.5).run()
    assert "which is used here" in text(app)
    control(app, "number_input", "Candidates K").set_value(99).run()
    assert "Candidates K must be a whole number from 1 to 16, not 99. It stays 4." in app.error[
        0
    ].value.replace("\\", "")


def test_the_gaussian_table_is_the_accountants(open_page: OpenPage) -> None:
    from dpviz.candidates.repeats import gaussian_rule_epsilons

    app = settled(open_page("candidates", **{"page.pc.pool": "typed", "page.pc.view": "price"}))
    app.session_state["gaussian_totals"] = True
    app = settled(app.run())
    totals = gaussian_rule_epsilons([NegativeBinomialRepeats(), PoissonRepeats()], 4, 4.0, 1e-6)
    assert app.dataframe[-1].value["total epsilon"].tolist() == [
        float(f"{e:.4g}") for e in totals.values()
    ]


def test_a_threshold_that_nothing_reaches(open_page: OpenPage) -> None:
    query = {"page.pc.pool": "typed", "page.pc.rule": "known_threshold", "page.pc.threshold": "2.0"}
    app = settled(open_page("candidates", **query))
    assert cards(app)["Mean score"] == "none"
    assert cards(app)["Nothing"] == ">99.9\u202f%"
    assert "Nothing ever comes out" in text(app)
    settled(open_page("candidates", **query, **{"page.pc.view": "price"}))
    settled(open_page("candidates", **query, **{"page.pc.view": "stop"}))


def test_a_threshold_begins_within_ones_own_runs(open_page: OpenPage) -> None:
    app = open_page("candidates", **{"page.pc.pool": "uploaded", "page.pc.rule": "known_threshold"})
    content = b"candidate,score\n" + b"".join(f"c{i % 3},{i * 10}\n".encode() for i in range(30))
    app.file_uploader(key="dpviz.candidates.file").set_value(
        ("runs.csv", content, "text/csv")
    ).run()
    assert control(settled(app), "number_input", "Threshold").value == 220.0
    assert "Nothing" in cards(app)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_the_limit_that_is_suggested_adds_little(open_page: OpenPage, delta: float) -> None:
    query = {"page.pc.pool": "typed", "page.pc.delta1": repr(delta), "page.pc.stop": "0.1"}
    app = settled(open_page("candidates", **query))
    control(app, "toggle", "Set the limit").set_value(True).run()
    limit = control(settled(app), "number_input", "Limit T").value
    assert limit == (limit_for_delta(0.1, 1e-6) if delta else limit_for_epsilon(0.1, 0.1))


def test_a_whole_number_in_a_link_is_a_number(open_page: OpenPage) -> None:
    app = open_page("candidates", **{"page.pc.pool": "typed", "page.pc.stop": "1"})
    assert cards(app)["Runs"] == "1"
    assert control(app, "number_input", "γ, exactly").value == 1.0


def test_what_is_said_to_be_used_is_drawn(open_page: OpenPage) -> None:
    query = {
        "page.pc.view": "leaks",
        "page.pc.epsilon1": "0.5",
        "page.pc.stop": "0.1",
        "page.pc.leak.failure": "0.5",
    }
    app = open_page("candidates", **query)
    leak = threshold_leak(8, 1 / (1 + np.exp(0.5)), 0.1, 0.5)
    line = next(
        t
        for t in figures(app)[1]["data"]
        if t.get("legendgroup") == "exact loss" and t["mode"] == "lines"
    )
    assert numbers(line["y"]) == pytest.approx(leak.loss, rel=1e-6)

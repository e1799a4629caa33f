"""The page on gaps, run without a browser: its figures are the library's, and bad input is told in
one sentence.
"""

import base64
import html
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import THRESHOLD, AdaptiveSparseVector, NoisyTopKWithGap, Scores, SparseVector
from dpviz.charts.text_format import number_text, percent
from dpviz.data import EXAMPLES
from dpviz.gaps.gap_estimates import blue_variance_ratio
from dpviz.gaps.gap_experiment import sparse_vector_experiment, top_k_experiment
from dpviz.gaps.sparse.query_order import ORDERS, reorder_scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from tests.web.screens.placed import unplaced
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "vectors.json").read_text(encoding="utf-8")
)
HELP_LINE = EXAMPLES["help_line"].scores()
TOP_K = {"data": "example:help_line", "epsilon": "0.7", "k": "5"}
SPARSE = {
    **TOP_K,
    "page.gaps.half": "sparse_vector",
    "page.gaps.by": "value",
    "page.gaps.threshold": "130.0",
}


def text(app: AppTest) -> str:
    """All that is written in HTML fragments, without the tags."""
    bodies = [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]
    return html.unescape(re.sub(r"<[^>]+>", " ", unplaced(" ".join(bodies))))


def cards(app: AppTest) -> dict[str, tuple[str, str]]:
    """Each headline figure by its name, with its badge."""
    body = next(
        e.proto.body
        for e in app.get("html")
        if "dp-cards" in e.proto.body and "dp-card" in e.proto.body
    )
    pattern = (
        r'<div class="dp-name">([^<]+)<span class="dp-tip"[^>]*>(\w+).*?<div'
        r' class="dp-value">(.*?)</div>'
    )
    found = re.findall(pattern, body)
    return {
        name: (html.unescape(re.sub(r"<[^>]+>", "", value)), badge) for name, badge, value in found
    }


def rows(app: AppTest) -> dict[str, list[str]]:
    """The values of the table that sets plain beside adaptive."""
    body = next(
        e.proto.body
        for e in app.get("html")
        if "dp-tall" in e.proto.body and "<tbody>" in e.proto.body
    )
    found = {}
    for name, row in re.findall(r"</span>(Plain|Adaptive)(.*?)</tr>", body):
        cells = re.findall(r'<div class="dp-cell">(.*?)</div>', row)
        found[name] = [html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in cells]
    return found


def control(app: AppTest, kind: str, label: str) -> Any:
    """The control of this kind whose label starts so."""
    return next(widget for widget in app.get(kind) if widget.label.startswith(label))


def figures(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def array(told: object) -> np.ndarray:  # type: ignore[type-arg]
    """A figure's array, which comes as base64 with its type."""
    if isinstance(told, dict):
        return np.frombuffer(base64.b64decode(told["bdata"]), told["dtype"])
    return np.array(told, float)


def whole(app: AppTest, charts: int) -> AppTest:
    """The page once so many charts are on it and nothing is under way."""
    for _ in range(100):
        waiting = any(
            f'class="dp-{kind}"' in e.proto.body
            for e in app.get("html")
            for kind in ("place", "wait")
        )
        if (
            len(app.get("plotly_chart")) >= charts
            and not waiting
            and "Stop" not in [b.label for b in app.button]
        ):
            break
        run_when_computed(app)
    assert not app.exception
    return app


def pair(
    query: Mapping[str, str] = SPARSE, scores: Scores = HELP_LINE, **changes: Any
) -> list[Any]:
    """The plain and the adaptive mechanism that a link asks for."""
    given = {
        "epsilon": float(query["epsilon"]),
        "k": int(query["k"]),
        "threshold": float(query["page.gaps.threshold"]),
        **changes,
    }
    return [cls(**given).match_monotonicity(scores) for cls in (SparseVector, AdaptiveSparseVector)]


def two(value: float) -> str:
    return number_text(round(value, 2)) if value >= 1 else number_text(float(f"{value:.3g}"))


# Noisy top-k


def test_it_opens_on_an_example_of_its_own_with_everything_filled(open_page: OpenPage) -> None:
    app = whole(open_page("gaps"), 2)
    assert "How far apart are the 10 best items, at ε = 1?" in text(app)
    assert len(figures(app)) == 2
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert "not private" in text(app)
    assert "Why they differ" in text(app)
    assert not re.search(r"\b[25]0\s*%", text(app))  # no promise of how much is gained


def test_errors_are_those_of_the_experiment_each_with_its_badge(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **TOP_K), 2)
    found = top_k_experiment(
        HELP_LINE, epsilon=0.7, k=5, runs=20_000, rng=np.random.default_rng([5, 1])
    )
    assert cards(app) == {
        "Measured alone": (number_text(float(f"{2**1.5 * 5 / 0.7:.3g}")), "exact"),
        "With the gaps": (number_text(float(f"{found.combined.value**0.5:.3g}")), "estimated"),
        "Ratio, simulated": (number_text(float(f"{found.ratio.value:.3g}")), "estimated"),
        "Ratio, by formula": (number_text(float(f"{blue_variance_ratio(5, 1.0):.3g}")), "exact"),
    }


def test_formula_and_simulation_stand_on_one_chart_for_both_kinds_of_scores(
    open_page: OpenPage,
) -> None:
    app = whole(open_page("gaps", **TOP_K), 2)
    traces = {trace["name"]: trace for trace in figures(app)[1]["data"]}
    assert set(traces) == {
        f"{what}, {kind}" for what in ("formula", "simulated") for kind in ("monotonic", "general")
    }
    for kind, ratio in (("monotonic", 1.0), ("general", 4.0)):
        k = array(traces[f"formula, {kind}"]["x"])
        expected = [blue_variance_ratio(int(n), ratio) for n in k]
        np.testing.assert_allclose(array(traces[f"formula, {kind}"]["y"]), expected, rtol=1e-6)
        points = traces[f"simulated, {kind}"]
        assert {2, 5, 25} <= set(array(points["x"]).astype(int).tolist())
        assert len(array(points["error_y"]["array"])) == len(array(points["x"]))


def test_the_release_is_that_of_the_seed(open_page: OpenPage) -> None:
    app = open_page("gaps", **TOP_K)
    for seed in (0, 1):
        release = NoisyTopKWithGap(epsilon=0.7, k=5).release(
            HELP_LINE, rng=np.random.default_rng(seed)
        )
        np.testing.assert_allclose(array(figures(app)[0]["data"][0]["x"]), release.gaps, rtol=1e-6)
        control(app, "button", "Release again").click().run()
    assert app.session_state["dpviz.scenario"].seed == 2


def test_one_item_has_no_second_to_compare_with(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **{**TOP_K, "k": "1"}), 2)
    assert "With k = 1 there is no second item" in text(app)
    mechanism = NoisyTopKWithGap(epsilon=0.7, k=1)
    release = mechanism.release(HELP_LINE, rng=np.random.default_rng(0))
    chance = mechanism.gap_survival(HELP_LINE, int(release.items[0]), float(release.gaps[0]))
    assert f"in {percent(chance)} of releases (exact)" in text(app)


# Sparse vector


def test_plain_and_adaptive_show_the_librarys_figures(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **SPARSE), 4)
    above = HELP_LINE.values >= 130
    for name, mechanism in zip(("Plain", "Adaptive"), pair(), strict=True):
        law = mechanism.distribution(HELP_LINE)
        left = 0.7 - law.expected_epsilon_spent
        assert rows(app)[name] == [
            two(law.expected_answers),
            two(float(law.answer_probabilities[above].sum())),
            percent(law.precision),
            two(law.expected_epsilon_spent),
            two(left) if left > 1e-9 else "0",
        ]
    assert len(app.get("plotly_chart")) == 4
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_chances_and_numbers_of_answers_are_drawn_as_computed(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **SPARSE), 4)
    plain, adaptive = (mechanism.distribution(HELP_LINE) for mechanism in pair())
    drawn = {t.get("name"): array(t["y"]) for t in figures(app)[0]["data"]}
    top = drawn["adaptive, top branch"]
    np.testing.assert_allclose(top, adaptive.branch_probabilities("top")[: len(top)], atol=1e-6)
    np.testing.assert_allclose(
        drawn["adaptive, middle branch"],
        adaptive.branch_probabilities("middle")[: len(top)],
        atol=1e-6,
    )
    counts = figures(app)[1]["data"]
    for trace, law in zip(
        counts, (plain.answer_count_probabilities, adaptive.answer_count_probabilities), strict=True
    ):
        at = array(trace["x"]).astype(int)
        np.testing.assert_allclose(
            array(trace["y"]), [law[n] if n < len(law) else 0 for n in at], atol=1e-6
        )


def test_orders_are_compared(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **SPARSE), 4)
    right, wrong = (array(t["x"]) for t in figures(app)[3]["data"][:2])
    expected = []
    for order in ORDERS:
        asked = reorder_scores(HELP_LINE, order, 1)
        for mechanism in pair():
            answered = mechanism.distribution(asked).answer_probabilities
            expected.append(
                [answered[asked.values >= 130].sum(), answered[asked.values < 130].sum()]
            )
    np.testing.assert_allclose(np.column_stack([right, wrong]), expected, atol=1e-5)


def test_another_order_moves_all_figures(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **SPARSE, **{"page.gaps.order": "ascending"}), 4)
    asked = reorder_scores(HELP_LINE, "ascending")
    assert rows(app)["Plain"][0] == two(pair()[0].distribution(asked).expected_answers)


def test_the_quantile_gives_the_threshold_and_by_hand_starts_from_it(open_page: OpenPage) -> None:
    query = {
        name: value
        for name, value in SPARSE.items()
        if name not in {"page.gaps.by", "page.gaps.threshold"}
    }
    app = open_page("gaps", **query)
    assert control(app, "number_input", "Quantile").value == 95.0
    measured = float(np.quantile(HELP_LINE.values, 0.95))
    assert f"Threshold {number_text(measured)}: 3 queries of 60" in text(app)
    control(app, "number_input", "Quantile").set_value(75.0).run()
    measured = float(np.quantile(HELP_LINE.values, 0.75))
    assert f"Threshold {number_text(measured)}: 15 queries of 60" in text(app)
    next(group for group in app.get("button_group") if group.label == "Threshold").set_value(
        "value"
    ).run()
    assert control(app, "number_input", "Threshold, in").value == measured
    control(app, "number_input", "Threshold, in").set_value(100.0).run()
    assert "Threshold 100: 21 queries of 60" in text(app)
    assert app.session_state["dpviz.scenario"].page["gaps.threshold"] == 100.0
    for by in ("quantile", "value"):  # and again, not from what was typed before
        next(group for group in app.get("button_group") if group.label == "Threshold").set_value(
            by
        ).run()
    assert control(app, "number_input", "Threshold, in").value == measured


def test_splits_are_the_librarys_and_one_by_hand(open_page: OpenPage) -> None:
    app = open_page("gaps", **SPARSE)
    control(app, "selectbox", "Split of ε").set_value("even").run()
    assert rows(app)["Plain"][0] == two(
        pair(split="even")[0].distribution(HELP_LINE).expected_answers
    )
    control(app, "selectbox", "Split of ε").set_value("custom").run()
    control(app, "number_input", "Threshold's share").set_value(20.0).run()
    plain = SparseVector(epsilon=0.7, k=5, threshold=130.0, split=(0.14, 0.56 / 5), monotonic=True)
    assert rows(app)["Plain"][0] == two(plain.distribution(HELP_LINE).expected_answers)
    control(app, "number_input", "ε, exactly").set_value(3.0).run()  # a share fits whatever ε is
    assert not app.error


@pytest.mark.parametrize("design", list(THRESHOLD))
def test_a_run_is_the_seeds_release_with_gaps_bounds_and_coverage(
    open_page: OpenPage, design: str
) -> None:
    app = whole(open_page("gaps", **SPARSE, **{"page.gaps.design": design}), 4)
    control(app, "button", "Release once").click().run()
    mechanism = pair()[list(THRESHOLD).index(design)]
    release = mechanism.release(HELP_LINE, rng=np.random.default_rng(0))
    assert any(
        f"Gaps and lower bounds of the {len(release.items)} answers" in fold.label
        for fold in app.expander
    )
    bounds, estimates = figures(app)[2]["data"][1:3]
    np.testing.assert_allclose(array(bounds["x"]), release.lower_bounds)
    np.testing.assert_allclose(array(estimates["x"]), mechanism.threshold + release.gaps)
    last = int(release.items[-1])
    by = mechanism.branch_names.index(release.branches[-1])
    control(app, "number_input", "Query").set_value(last + 1).run()
    shown = text(app)
    assert f"Query {last + 1}, closely" in shown
    assert number_text(float(f"{release.gaps[-1]:.4g}")) in shown
    assert number_text(float(f"{release.lower_bounds[-1]:.4g}")) in shown
    assert percent(float(mechanism.coverage(HELP_LINE).coverage_after_answer[by, last])) in shown


def test_a_run_is_stepped_through(open_page: OpenPage) -> None:
    app = open_page("gaps", **SPARSE, **{"page.gaps.run": "true"})
    asked = control(app, "number_input", "Query").value
    control(app, "button", "First").click().run()
    assert control(app, "number_input", "Query").value == 1
    control(app, "button", "Next").click().run()
    assert "Query 2, closely" in text(app)
    control(app, "button", "Last").click().run()
    assert control(app, "number_input", "Query").value == asked
    assert "the release ends" in text(app)
    control(app, "button", "Release again").click().run()
    assert app.session_state["dpviz.scenario"].seed == 1
    assert not app.exception


def test_the_confidence_moves_the_bounds(open_page: OpenPage) -> None:
    app = open_page("gaps", **SPARSE, **{"page.gaps.run": "true", "page.gaps.confidence": "0.8"})
    release = pair()[1].release(HELP_LINE, rng=np.random.default_rng(0), confidence=0.8)
    bounds = next(
        t for f in figures(app) for t in f["data"] if str(t.get("name")).startswith("lower bound")
    )
    np.testing.assert_allclose(array(bounds["x"]), release.lower_bounds)


@pytest.mark.parametrize("kind", ["sparse_vector", "adaptive_sparse_vector"])
def test_pasted_reference_queries_give_the_reference_answers(
    open_page: OpenPage, kind: str
) -> None:
    for row in VECTORS[kind]:
        k, answered = row["k"], sum(p * sum(c in "THM" for c in s) for s, p in row["law"].items())
        epsilon = row.get("epsilon", row["epsilon0"] + 2 * k * row["epsilon1"])
        page = {
            "half": "sparse_vector",
            "by": "value",
            "threshold": row["threshold"],
            "split": "custom",
        }
        page["share"] = row["epsilon0"] / epsilon
        held = Scores(row["queries"])
        scenario = Scenario(
            data=DataSpec(source="uploaded", monotonic=False),
            scores=held,
            epsilon=epsilon,
            k=k,
            page={f"gaps.{name}": value for name, value in page.items()},
        )
        app = open_page("gaps")
        app.session_state["dpviz.scenario"] = scenario
        app.run()
        name = "Plain" if kind == "sparse_vector" else "Adaptive"
        assert rows(app)[name][0] == two(answered)


def test_a_link_opens_what_it_says(open_page: OpenPage) -> None:
    page = {
        "half": "sparse_vector",
        "quantile": 0.9,
        "split": "even",
        "order": "shuffled",
        "shuffle": 4,
        "run": True,
    }
    scenario = Scenario(
        epsilon=1.5, k=4, page={f"gaps.{name}": value for name, value in page.items()}, seed=9
    )
    app = open_page("gaps", **scenario.to_query())
    assert app.session_state["dpviz.scenario"] == scenario
    assert control(app, "number_input", "Quantile").value == 90.0
    assert control(app, "selectbox", "Split of ε").value == "even"
    assert control(app, "number_input", "Seed of the shuffle").value == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threshold", "inf"),
        ("threshold", "high"),
        ("threshold", "1e305"),
        ("quantile", "95"),
        ("split", "third"),
        ("share", "1"),
        ("share", "-0.5"),
        ("order", "best"),
        ("shuffle", "-1"),
        ("confidence", "2"),
        ("half", "both"),
        ("design", "none"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(open_page: OpenPage, name: str, value: str) -> None:
    app = open_page("gaps", **{**SPARSE, "page.gaps.split": "custom", f"page.gaps.{name}": value})
    assert len(app.error) == 1
    assert "must be" in app.error[0].value.replace("\\", "")
    assert not app.get("plotly_chart")


def test_a_page_that_cannot_be_shown_starts_anew(open_page: OpenPage) -> None:
    app = open_page("gaps", **{**SPARSE, "page.gaps.share": "7"})
    control(app, "button", "Start this page anew").click().run()
    assert not app.error
    assert app.get("plotly_chart")


def test_a_threshold_that_is_no_number_is_told_of_the_link(open_page: OpenPage) -> None:
    app = open_page("gaps", **{**SPARSE, "page.gaps.threshold": "NaN"})
    assert "link" in app.info[0].value


def test_no_query_above_the_threshold_is_shown_without_a_precision_made_up(
    open_page: OpenPage,
) -> None:
    app = whole(
        open_page("gaps", **{**SPARSE, "page.gaps.threshold": "100000.0", "page.gaps.run": "true"}),
        5,
    )
    assert "none" in rows(app)["Plain"]
    assert "This release gave no answer" in text(app)
    assert "hardly any answers" in text(app)


def test_what_gaps_are_worth_after_a_sparse_vector(open_page: OpenPage) -> None:
    app = whole(open_page("gaps", **SPARSE), 4)
    found = sparse_vector_experiment(
        HELP_LINE, epsilon=0.7, k=5, threshold=130.0, runs=4_000, rng=np.random.default_rng(5)
    )
    shown = cards(app)
    assert shown["Ratio, simulated"] == (
        number_text(float(f"{found.ratio.value:.3g}")),
        "estimated",
    )
    assert shown["Ratio, by formula"] == (number_text(float(f"{found.formula:.3g}")), "exact")
    assert shown["With the gaps"] == (
        number_text(float(f"{found.combined.value**0.5:.3g}")),
        "estimated",
    )


def test_next_answer_goes_from_answer_to_answer(open_page: OpenPage) -> None:
    app = open_page("gaps", **SPARSE, **{"page.gaps.run": "true", "page.gaps.step": "1"})
    items = pair()[1].release(HELP_LINE, rng=np.random.default_rng(0)).items
    assert len(items) > 1
    for item in items:
        if item > 0:
            control(app, "button", "Next answer").click().run()
        assert control(app, "number_input", "Query").value == item + 1
    assert control(app, "button", "Next answer").disabled


def test_the_table_of_bounds_has_the_chance_given_the_branch_that_answered(
    open_page: OpenPage,
) -> None:
    app = whole(open_page("gaps", **SPARSE, **{"page.gaps.run": "true"}, seed="1"), 5)
    app.session_state["threshold_bounds_table"] = True
    app.run()
    mechanism = pair()[1]
    release = mechanism.release(HELP_LINE, rng=np.random.default_rng(1))
    assert "middle" in release.branches
    after = mechanism.coverage(HELP_LINE).coverage_after_answer
    by = [mechanism.branch_names.index(name) for name in release.branches]
    (table,) = (
        frame.value for frame in app.dataframe if "chance given the answer" in frame.value.columns
    )
    np.testing.assert_allclose(table["chance given the answer"], after[by, release.items])

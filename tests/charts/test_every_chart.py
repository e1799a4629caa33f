"""Every chart function, in every look, draws what plotly accepts, with words and inert labels."""

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, get_type_hints

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import dpviz.charts
from dpviz import (
    AdaptiveSparseVector,
    CandidatePool,
    Canonical,
    LargeMargin,
    NoisyTopKWithGap,
    Peeling,
    PercentileSparseVector,
    RandomStopping,
    Scores,
    SparseVector,
    naive_best,
    privacy_loss,
)
from dpviz.base import GAUSSIAN, ignore_progress
from dpviz.base.safe_csv import export_csv
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.candidates.search_cost import runs_needed
from dpviz.candidates.utility import (
    rule_prices,
    rule_utility,
    score_bins,
    stop_probability_curve,
    top_quantile,
)
from dpviz.charts import (
    DARK,
    LOOKS,
    MEASURES,
    Chart,
    Look,
    class_heatmap,
    drawn_hits_chart,
    score_bars,
)
from dpviz.charts import candidates as candidate_charts
from dpviz.charts.decision.cost_lines import CostLine, goal_by_cost_chart
from dpviz.charts.decision.deployments import GuessRow, deployments_chart
from dpviz.charts.decision.goal_curves import goal_by_epsilon_chart
from dpviz.charts.decision.goal_drift import goal_drift_chart
from dpviz.charts.gaps.alignment import alignment_chart
from dpviz.charts.gaps.answer_counts import (
    expected_answers_chart,
    query_order_chart,
    threshold_answer_count_chart,
)
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.charts.gaps.queries import answer_chance_chart, threshold_coverage_chart
from dpviz.charts.gaps.threshold_run import threshold_bounds_chart, threshold_run_chart
from dpviz.charts.line_panels import Axis, Line, Panel, line_chart
from dpviz.charts.margin.margin_curves import (
    margin_bound_chart,
    margin_promise_chart,
    universe_size_chart,
)
from dpviz.charts.margin.margin_items import margin_items_chart
from dpviz.charts.margin.margin_scores import margin_scores_chart
from dpviz.charts.margin.uneven_sensitivities import uneven_sensitivities_chart
from dpviz.charts.privacy.frequencies import (
    PeopleGroup,
    hundred_people_chart,
    paired_frequencies_chart,
)
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.charts.teaching.draws_and_law import draws_and_law_chart
from dpviz.charts.topk.chance_by_size import chance_by_count_chart
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import (
    NamedDesign,
    epsilon_curves_chart,
    k_curves_chart,
    shortfall_chart,
)
from dpviz.charts.topk.figure_lines import figure_lines_chart
from dpviz.charts.topk.hits import hit_count_chart
from dpviz.charts.topk.item_rows import item_rows
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.charts.topk.utility_curves import utility_curves_chart
from dpviz.margin.baselines import COMPARED
from dpviz.margin.front_group import (
    distance_from_best_cdf,
    distance_lower_bounds,
    front_group,
    utility_guarantee_curve,
)
from dpviz.margin.uneven_sensitivities import uneven_curves
from dpviz.margin.universe_curve import huge_universe_curve, universe_curve, universe_sizes
from dpviz.numerics.cutoff.passing_rule import PassingRule
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.design import Design
from dpviz.topk import figures_by_k, utility_curves
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.law_grid import bin_on_edges, frame_edges, grid_class_losses
from dpviz.topk.shortfall_guarantees import shortfall_curve
from tests.charts.drawn import Drawn, numbers

FEWEST_WORDS = 4  # of a sentence
SAID_BESIDE: dict[Any, set[str]] = {
    line_chart: {"how_to_read", "says_now"},  # which others are made of
    hundred_people_chart: {"how_to_read", "says_now"},  # what two hundreds mean stands between them
    draws_and_law_chart: {"says_now"},  # the lesson's sentence, once the law is shown
}
ChartFunction = Callable[..., Chart]
CASES: dict[ChartFunction, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {}
EVERY_LOOK = {**LOOKS, "enlarged": replace(DARK, scale=1.35)}

LABELS = ["a\"b<c>&amp;'", "$y$ %{z}", "<b>Zoo</b>", "", "é"]
SCORES = Scores([50.0, 42.0, 30.0, 30.0, 3.0], labels=LABELS, monotonic=True)
LAW_OF = Canonical(epsilon=1.0, k=2)
MECHANISMS = {"A": LAW_OF, "B": Peeling(epsilon=1.0, k=2)}
NAMED = {NamedDesign(i, name): made for i, (name, made) in enumerate(MECHANISMS.items())}
LAW = LAW_OF.distribution(SCORES)
EDGES = frame_edges(2, 5)
GRID = bin_on_edges(LAW.law, *EDGES)
REGIONS = {name: event_bounds(name, SCORES.ranked, 2) for name in EVENTS}

PLAIN = SparseVector(epsilon=2.0, k=2, threshold=35.0, monotonic=True)
ADAPTIVE = AdaptiveSparseVector(epsilon=2.0, k=2, threshold=35.0, monotonic=True)
ANSWERS = PLAIN.distribution(SCORES)
BRANCHES = ADAPTIVE.distribution(SCORES)
RUN = ADAPTIVE.replay(SCORES, rng=np.random.default_rng(2))

FRONT = LargeMargin(epsilon=0.5, delta=1e-5)
ONE_ITEM = {name: rule.replace(epsilon=0.5, delta=1e-5) for name, rule in COMPARED.items()}
TOP_ONE = {name: rule.distribution(SCORES, zeros=50) for name, rule in ONE_ITEM.items()}

LOSS = privacy_loss(
    LAW_OF, SCORES, Scores([51.0, 42.0, 30.0, 31.0, 3.0], labels=LABELS, monotonic=True)
)
WORLDS = ("with her", "without her")

POOL = CandidatePool([[0.9, 0.7], [0.8, 0.2], [0.5]], labels=LABELS[:3])
RULE = RandomStopping(stop=0.1)
CHOSEN = RULE.distribution(POOL)


def draws(function: ChartFunction, *given: Any, **said: Any) -> None:
    """A case of a chart function: it draws what is given, in whatever look."""
    CASES.setdefault(function, []).append((given, said))


def charts(function: ChartFunction, look: Look) -> list[Chart]:
    return [function(*given, **said, look=look) for given, said in CASES[function]]


CURVES = {
    who: utility_curves(made, SCORES, events=["top", "good"], tolerance=1e-2)
    for who, made in NAMED.items()
}
TOP = {who: curves[0] for who, curves in CURVES.items()}
BOUNDS = LAW.bounds(LAW.inclusion)
HALF = LAW.inclusion / 2
MANY = Scores(np.arange(60.0)), np.full(60, 0.2), 12

draws(score_bars, SCORES, LAW.inclusion, 2)
draws(score_bars, SCORES, LAW.inclusion, 2, bounds=BOUNDS)
draws(item_rows, SCORES, LAW.inclusion, 2)
draws(item_rows, SCORES, LAW.inclusion, 2, bounds=BOUNDS, previous_inclusion=("Peeling", HALF))
draws(item_rows, *MANY)
draws(hit_count_chart, LAW.hits, at_least=2, bounds=LAW.bounds, method="exact")
BEFORE = ("Peeling", LAW.hits[::-1])
draws(
    hit_count_chart,
    LAW.hits,
    at_least=2,
    bounds=LAW.bounds,
    method="estimated",
    previous_hits=BEFORE,
)
RULE_OF_COUNTS = PassingRule(GAUSSIAN, 6.0, 30.0)
draws(chance_by_count_chart, RULE_OF_COUNTS)
BEFORE_RULE = ("noise = 12", PassingRule(GAUSSIAN, 12.0, 30.0))
draws(chance_by_count_chart, RULE_OF_COUNTS, scores=SCORES, k=2, previous_rule=BEFORE_RULE)
draws(class_heatmap, GRID, REGIONS, chosen_class=(1, 3))
for measure in MEASURES:
    draws(
        class_heatmap, GRID, REGIONS, measure=measure, loss=grid_class_losses(LAW_OF, SCORES, GRID)
    )
for chosen in (None, 1):
    draws(drawn_hits_chart, np.array([2, 1, 2, 0]), 2, mean=1.6, whole=0.7, chosen_release=chosen)

LAWS = [made.distribution(SCORES).law for made in MECHANISMS.values()]
draws(class_heatmaps, list(MECHANISMS), [bin_on_edges(law, *EDGES) for law in LAWS], REGIONS)
draws(utility_curves_chart, dict(zip(MECHANISMS, CURVES.values(), strict=True)))
draws(epsilon_curves_chart, TOP, 1.0)
PROMISED = {who: (np.array([0.1, 10.0]), np.array([0.0, 0.9])) for who in NAMED}
draws(epsilon_curves_chart, TOP, 1.0, guarantees=PROMISED)
BY_K = {
    who: figures_by_k(made, SCORES, [1, 2, 3, 4], figures=["top"])[0] for who, made in NAMED.items()
}
draws(k_curves_chart, BY_K, 2, 1.0)
EPSILONS = np.geomspace(0.01, 100, 11).tolist()
SHORT = {who: shortfall_curve(made, SCORES, EPSILONS) for who, made in NAMED.items()}
draws(shortfall_chart, SHORT, 1.0)
RANKS = [made.sampler(SCORES)(3, np.random.default_rng(1)) for made in MECHANISMS.values()]
draws(replayed_seeds_chart, list(MECHANISMS), RANKS, [5, 6, 7], SCORES)
draws(figure_lines_chart, {"": figures_by_k(LAW_OF, SCORES, [1, 2])}, x_quantity="k")
BOTH = {name: figures_by_k(made, SCORES, [3, 1]) for name, made in MECHANISMS.items()}
draws(figure_lines_chart, BOTH)

X, Y = np.array([1.0, 10.0, 100.0]), np.array([0.1, 0.5, 0.9])
PANEL = Panel("left", [Line("a", X, Y, 0, marks=X, low=Y - 0.1, high=Y + 0.1)])
AXES = Axis("over", 1.0, 100.0, log=True), Axis("up", 0.0, 1.0)
draws(line_chart, [PANEL], *AXES, how_to_read="", says_now="")

RELEASE = NoisyTopKWithGap(epsilon=2.0, k=3).release(SCORES, rng=np.random.default_rng(1))
draws(gap_release_chart, RELEASE, SCORES)
KS, ONE = np.arange(2, 11), np.array([4.0])
HELD = GapRatios(KS, 0.5 + 0.5 / KS, ONE, ONE * 0.62, ONE * 0.6, ONE * 0.64, ONE * 300)
draws(gap_ratio_chart, {"monotonic": HELD, "general": HELD}, k=4, own="monotonic")
PARTS = [BRANCHES.branch_probabilities(name) for name in ("top", "middle")]
REACHED = BRANCHES.reach_probabilities
draws(answer_chance_chart, SCORES, 35.0, ANSWERS.answer_probabilities, *PARTS, REACHED)
COUNTS = [law.answer_count_probabilities for law in (ANSWERS, BRANCHES)]
draws(threshold_answer_count_chart, *COUNTS, 2)
for step in (0, 3):
    draws(threshold_run_chart, RUN, SCORES, step)
draws(threshold_bounds_chart, RUN, SCORES, 0.95, None)
COVERED = PLAIN.coverage(SCORES)
AFTER = COVERED.coverage_after_answer[0], COVERED.coverage_before_answer[0]
COVERAGE = [{"plain": part} for part in (*AFTER, COVERED.overall_coverage)]
draws(threshold_coverage_chart, SCORES, 35.0, 0.95, *COVERAGE)
draws(query_order_chart, {"As given": ((4.0, 0.5), (6.0, 1.0))}, "As given", 9)
MEANS = np.array([1.5, 3.5, 7.0])
SHOWN = np.array([2, 5, 9]), MEANS, MEANS - 0.5, MEANS / 4
draws(expected_answers_chart, *SHOWN, title="<b>shop</b>")

MOVED = np.array([1.0, -1.0, 0.0]), np.array([0.0, 2.0, 0.0]), np.array([0.0, 0.5, 0.0])
draws(alignment_chart, LABELS[:3], *MOVED, 0.5, 1.0)

GROUP = front_group(FRONT, SCORES, zeros=50)
draws(margin_scores_chart, SCORES, GROUP, TOP_ONE["large_margin"])
draws(margin_items_chart, SCORES, TOP_ONE)
PURE_RULES = ONE_ITEM["gumbel"], ONE_ITEM["generalised"]
draws(uneven_sensitivities_chart, uneven_curves(*PURE_RULES, SCORES, ignore_progress))
CLOSE = {name: distance_from_best_cdf(law) for name, law in TOP_ONE.items()}
draws(margin_promise_chart, CLOSE, utility_guarantee_curve(FRONT, SCORES, zeros=50))
for delta in (1e-4, 0.4):
    draws(margin_bound_chart, distance_lower_bounds(0.5, delta, 1_000_000, 6000), 0.5, 6000)
SIZES, DIGITS = universe_sizes(SCORES.d)[:4], np.linspace(3.0, 30.0, 5)
NEAR, FAR = {}, {}
for name, rule in ONE_ITEM.items():
    NEAR[name] = universe_curve(rule, SCORES, 20.0, SIZES)[0]
    widest = rule.distribution(SCORES, zeros=int(SIZES[-1]) - SCORES.d)
    FAR[name] = huge_universe_curve(rule, widest, 20.0, DIGITS)
draws(universe_size_chart, NEAR, FAR, 100, 20.0, 24.0)
draws(universe_size_chart, NEAR, None, 100, 20.0, None)

NAIVE = naive_best(POOL).candidate
draws(candidate_charts.chosen_candidate_chart, CHOSEN, POOL.mean_scores, NAIVE)
WORTH = score_bins(CHOSEN), rule_utility(CHOSEN, 0.2), 0.6, top_quantile(POOL, 0.2), 0.2
draws(candidate_charts.output_score_chart, *WORTH)
draws(candidate_charts.run_count_chart, CHOSEN.runs)
PRICES = rule_prices([RULE], POOL, 0.5, 1e-6, 0.2)
CALLED = {"one": "One", "random_stopping": "Random stopping", "naive": "Naive"}
draws(candidate_charts.cost_quality_chart, PRICES, CALLED, chosen="random_stopping", share=0.2)
BY_STOP = {
    "A": stop_probability_curve(lambda stop: RandomStopping(stop=stop), POOL, 0.2, [0.01, 0.1, 1.0])
}
for what in ("within", "score"):
    draws(candidate_charts.stop_chance_chart, BY_STOP, what, stop=0.1, share=0.2)
TAILS = POOL.tail(0.6)
SEARCH = PercentileSparseVector(candidate_epsilon=0.1).distribution(TAILS)
draws(candidate_charts.percentile_search_chart, LABELS[:3], TAILS, 0.5, SEARCH, 0.6)
draws(candidate_charts.runs_needed_chart, runs_needed(5, 0.5))
draws(candidate_charts.naive_leak_chart, naive_leak(5, 0.5, 0.1), 0.5, 3)
draws(candidate_charts.lowered_threshold_leak_chart, threshold_leak(5, 0.1, 0.1, 0.5), 0.5)

draws(loss_distribution_chart, LOSS, worlds=WORLDS)
AT, WAYS = np.linspace(0.0, 1.0, 9), (LOSS, LOSS.reversed)
DELTAS = AT, *(way.delta_curve(AT) for way in WAYS)
ABOVE = tuple(np.array([way.exceeds(one) for one in AT]) for way in WAYS)
draws(delta_curve_chart, *DELTAS, worlds=WORLDS, largest=LOSS.largest, exceeds=ABOVE)
MOST = LOSS.allowed.delta_curve(AT)
draws(delta_curve_chart, *DELTAS, worlds=WORLDS, largest=LOSS.largest, upper_bounds=MOST)
ALARMS = np.linspace(0.0, 1.0, 21)
MISSES = LOSS.trade_off(ALARMS), LOSS.trade_off_least(ALARMS), LOSS.allowed.trade_off(ALARMS)
for exact in (True, False):
    draws(trade_off_curve_chart, ALARMS, *MISSES, worlds=WORLDS, exact=exact)
LISTS = SCORES.label, SCORES.order, LAW.inclusion, HALF, np.array([1.0, 0, 0, -1.0, 0])
draws(paired_frequencies_chart, *LISTS, worlds=WORLDS)
PEOPLE = [PeopleGroup(60, "are <b>not</b> in it"), PeopleGroup(40, "are")]
draws(hundred_people_chart, PEOPLE, "Says.", "How.")
DRAWN = LABELS, HALF, np.array([5, 3, 1, 1, 0])
draws(draws_and_law_chart, *DRAWN, name="<b>A</b>", beside={"B": HALF}, says="Says.")
draws(draws_and_law_chart, LABELS, HALF, np.zeros(5, np.int64), name="A")

DECISION = decide(
    Question(k=2, data=DataSpec(name="class_trip"), designs=(Design(), Design(mechanism="peeling")))
)
TAKEN = [(0, DECISION.epsilon, "ε of A"), (1, 3.0, "ε of B")]
draws(goal_by_epsilon_chart, DECISION.needs, ["1", "2"], ["a", "b"], TAKEN, 0.9, "chance")
COST, CHANCE = np.geomspace(0.1, 10.0, 9), np.linspace(0.0, 1.0, 9)
PLANS = [CostLine("1", "<b>A</b>", COST, CHANCE), CostLine("2", "Two", 2 * COST, CHANCE)]
draws(goal_by_cost_chart, PLANS, (0, 3.2, 0.9), 0.9, "chance", "ε of all", accepted=1.5)
SHARES = [CostLine("1", "One", 50 + 4 * COST, CHANCE)], (0, 60.0, 0.9), 0.9, "chance", "of 100"
draws(goal_by_cost_chart, *SHARES, in_right_guesses=True, axis_reaches=[70.0])
ROWS = [
    GuessRow("Views", 54, 96, "device-day"),
    GuessRow("Your plan", 62, None, "reader", plan=True),
]
draws(deployments_chart, ROWS, "Fewer right guesses: Views (54, device-day).")
DRIFT = [0.8, 0.99, 1.0, 1.2], [0.0, 0.86, 0.91, 1.0]
draws(goal_drift_chart, *DRIFT, 0.9, "chance", lost_below=0.998, asked=(0.8, 1.0))
draws(goal_drift_chart, *DRIFT, 0.95, "chance", lost_below=None, asked=(1.0, 1.0))


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def chart_functions(within: Sequence[ModuleType]) -> set[ChartFunction]:
    """The public functions of these modules that give a `Chart`."""
    return {
        function
        for module in within
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        if not name.startswith("_") and get_type_hints(function).get("return") is Chart
    }


def test_every_chart_function_has_a_case() -> None:
    missing = chart_functions(list(modules(dpviz.charts))) - CASES.keys()
    assert not missing, (
        f"draw these in a case of their own: {sorted(f.__qualname__ for f in missing)}"
    )


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_every_chart_says_what_it_shows_and_how_it_is_read(function: ChartFunction) -> None:
    drawn = charts(function, DARK)
    said = {
        "alt": min(len(one.alt.split()) for one in drawn),
        "how_to_read": min(len(one.how_to_read.split()) for one in drawn),
        "says_now": max(len(one.says_now.split()) for one in drawn),  # it may wait, as in a lesson
    }
    missing = {name for name, words in said.items() if words < FEWEST_WORDS}
    assert missing <= SAID_BESIDE.get(function, set())
    for chart in drawn:
        assert not re.search("nan|&lt;", " ".join((chart.alt, chart.how_to_read, chart.says_now)))
        assert len(chart.table)
        assert export_csv(chart.table)


@pytest.mark.parametrize("look", EVERY_LOOK.values(), ids=list(EVERY_LOOK))
@pytest.mark.parametrize("function", list(CASES), ids=lambda function: function.__name__)
def test_plotly_accepts_every_chart_in_every_look(function: ChartFunction, look: Look) -> None:
    drawn = charts(function, look)
    assert drawn
    for chart in drawn:
        go.Figure(chart.figure.data)  # raises where a name or a value is none that plotly knows
        written = json.dumps(chart.figure.data, ensure_ascii=False)
        assert not re.search(r"[\">]\d+e[+-]\d", written), (
            "one way to write a small or large number: 1×10⁻⁶"
        )
        assert not re.search(r"\d~?g[}\"]", written), "1,000 and not 1e+3"
        assert "<b>Zoo</b>" not in written  # a label is data and never markup
        template = chart.figure.data["layout"]["template"]["layout"]
        assert (template["paper_bgcolor"], template["font"]["size"]) == (look.paper, look.text_size)


ZOOMED = {shortfall_chart, threshold_run_chart, margin_promise_chart, goal_by_cost_chart}


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_all_that_is_drawn_lies_within_its_axes(function: ChartFunction) -> None:
    for drawn in map(Drawn, charts(function, DARK)):
        for trace in (one for one in drawn.traces if one["type"] != "heatmap"):
            for name in trace.axes[function in ZOOMED :]:  # those end sooner to the right
                axis = drawn.axis(name)
                low, high = sorted((axis.start, axis.end))
                if np.isfinite(low):
                    values = trace.x if name[0] == "x" else trace.y
                    values, room = values[np.isfinite(values)], 1e-6 * (high - low)
                    assert (values >= low - room).all()
                    assert (values <= high + room).all()


BARRED = [made for made in CASES if made is not query_order_chart]  # whose bars stack in groups


@pytest.mark.parametrize("function", BARRED, ids=lambda function: function.__name__)
def test_bars_of_one_quantity_share_a_scale_and_no_figure_lies_on_one(
    function: ChartFunction,
) -> None:
    """A text stands at the end of its own bar, on none of what is compared with it."""
    for drawn in map(Drawn, charts(function, DARK)):
        scales: dict[str, set[float]] = {}
        texts = [one for one in drawn.traces if one["mode"] == "text"]
        for bar in drawn.of("bar"):
            way = -1 if bar["orientation"] == "h" else 1
            (place, end), name = (bar.x, bar.y)[::way], bar.axes[::way][1]
            axis, wide = drawn.axis(name), bar["width"] or 0.8
            half = (numbers(wide) if isinstance(wide, dict) else np.full(len(place), wide)) / 2
            low, high = drawn.layout[f"{name[0]}axis{name[1:]}"].get("domain", (0, 1))
            unit = np.nan_to_num((axis.end - axis.start) / (high - low))  # 0: plotly finds the ends
            scales.setdefault(f"{way} {axis.title}", set()).add(round(float(unit), 9))
            for text in (one for one in texts if one.axes == bar.axes):
                across, along = (text.x, text.y)[::way]
                near = np.abs(across[:, None] - place) < half
                beyond = (along[:, None] - end)[near] / axis.end
                assert ((beyond > -1e-6) & (beyond < 0.14)).all()
        if function not in {item_rows, class_heatmap}:  # scores beside chances; two marginals
            assert all(len(units) == 1 for units in scales.values()), scales


def test_no_number_of_a_table_is_minus_zero() -> None:
    minus = np.array([-0.0, -1.5, 0.0])
    chart = replace(
        charts(score_bars, DARK)[0],
        columns=pd.DataFrame({"a": ["-", "b", "c"], "b": minus}),
    )
    assert np.signbit(chart.table["b"]).tolist() == [False, True, False]
    assert chart.table.columns.tolist() == ["a", "b"]

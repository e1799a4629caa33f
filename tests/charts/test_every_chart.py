"""Every chart function, in every look, draws what plotly accepts, with words and inert labels."""

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from dpviz.base.arrays import Floats
from dpviz.base.safe_csv import export_csv
from dpviz.candidates.leaks import naive_leak, threshold_leak
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
from dpviz.charts.decision.goal_curves import goal_by_epsilon_chart
from dpviz.charts.decision.goal_drift import goal_drift_chart
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
from dpviz.charts.privacy.frequencies import (
    PeopleGroup,
    hundred_people_chart,
    paired_frequencies_chart,
)
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.charts.teaching.draws_and_law import draws_and_law_chart
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
from dpviz.margin.universe_curve import huge_universe_curve, universe_curve, universe_sizes
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.design import Design
from dpviz.topk import figures_by_k, utility_curves
from dpviz.topk.class_inspection import grid_loss
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.law_grid import bin_on_edges, class_grid, shared_edges
from dpviz.topk.shortfall_guarantees import shortfall_curve
from tests.charts.drawn import Drawn

FEWEST_WORDS = 4  # of a sentence
SAID_BESIDE: dict[Any, set[str]] = {
    line_chart: {"how_to_read", "says_now"},  # which others are made of
    hundred_people_chart: {"how_to_read", "says_now"},  # what two hundreds mean stands between them
    draws_and_law_chart: {"says_now"},  # the lesson's sentence, once the law is shown
}
ChartFunction = Callable[..., Chart]
Drawing = Callable[[Look], Iterator[Chart]]
CASES: dict[ChartFunction, Drawing] = {}
EVERY_LOOK = {**LOOKS, "enlarged": DARK.with_text_scale(1.35)}

LABELS = ["a\"b<c>&amp;'", "$y$ %{z}", "<b>Zoo</b>", "", "é"]
SCORES = Scores([50.0, 42.0, 30.0, 30.0, 3.0], labels=LABELS, monotonic=True)
MECHANISMS = {"A": Canonical(epsilon=1.0, k=2), "B": Peeling(epsilon=1.0, k=2)}
NAMED = {NamedDesign(i, name): made for i, (name, made) in enumerate(MECHANISMS.items())}
LAW = MECHANISMS["A"].distribution(SCORES)
GRID = LAW.grid(80, 120)
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
    MECHANISMS["A"], SCORES, Scores([51.0, 42.0, 30.0, 31.0, 3.0], labels=LABELS, monotonic=True)
)
WORLDS = ("with her", "without her")

POOL = CandidatePool([[0.9, 0.7], [0.8, 0.2], [0.5]], labels=LABELS[:3])
RULE = RandomStopping(stop=0.1)
CHOSEN = RULE.distribution(POOL)


def draws(function: ChartFunction) -> Callable[[Drawing], Drawing]:
    """What is decorated draws the charts of `function` in a look."""

    def kept(drawing: Drawing) -> Drawing:
        CASES[function] = drawing
        return drawing

    return kept


def curves(event: str) -> Mapping[NamedDesign, Any]:
    return {
        who: utility_curves(made, SCORES, events=[event], tolerance=1e-2)[0]
        for who, made in NAMED.items()
    }


@draws(score_bars)
def _(look: Look) -> Iterator[Chart]:
    yield score_bars(SCORES, LAW.inclusion, 2, look=look)
    yield score_bars(SCORES, LAW.inclusion, 2, bounds=LAW.bounds(LAW.inclusion), look=look)


@draws(item_rows)
def _(look: Look) -> Iterator[Chart]:
    yield item_rows(SCORES, LAW.inclusion, 2, look=look)
    bounds, before = LAW.bounds(LAW.inclusion), ("Peeling", LAW.inclusion / 2)
    yield item_rows(SCORES, LAW.inclusion, 2, bounds=bounds, before=before, look=look)
    yield item_rows(Scores(np.arange(60.0)), np.full(60, 0.2), 12, look=look)


@draws(hit_count_chart)
def _(look: Look) -> Iterator[Chart]:
    for method, before in (("exact", None), ("estimated", ("Peeling", LAW.hits[::-1]))):
        yield hit_count_chart(
            LAW.hits, at_least=2, bounds=LAW.bounds, method=method, before=before, look=look
        )


@draws(class_heatmap)
def _(look: Look) -> Iterator[Chart]:
    yield class_heatmap(GRID, REGIONS, chosen=(1, 3), look=look)
    for measure in MEASURES:
        yield class_heatmap(
            GRID, REGIONS, measure=measure, loss=grid_loss(MECHANISMS["A"], SCORES, GRID), look=look
        )


@draws(drawn_hits_chart)
def _(look: Look) -> Iterator[Chart]:
    for chosen in (None, 1):
        yield drawn_hits_chart(
            np.array([2, 1, 2, 0]), 2, mean=1.6, whole=0.7, chosen=chosen, look=look
        )


@draws(class_heatmaps)
def _(look: Look) -> Iterator[Chart]:
    laws = [made.distribution(SCORES).law for made in MECHANISMS.values()]
    edges = shared_edges([class_grid(law, 80, 120) for law in laws], 80, 120)
    yield class_heatmaps(
        list(MECHANISMS), [bin_on_edges(law, *edges) for law in laws], REGIONS, look=look
    )


@draws(utility_curves_chart)
def _(look: Look) -> Iterator[Chart]:
    both = {
        name: utility_curves(made, SCORES, events=["top", "good"], tolerance=1e-2)
        for name, made in MECHANISMS.items()
    }
    yield utility_curves_chart(both, epsilon=0.5, look=look)


@draws(epsilon_curves_chart)
def _(look: Look) -> Iterator[Chart]:
    yield epsilon_curves_chart(curves("top"), 1.0, look=look)
    promised = {who: (np.array([0.1, 10.0]), np.array([0.0, 0.9])) for who in NAMED}
    yield epsilon_curves_chart(curves("top"), 1.0, promised=promised, look=look)


@draws(k_curves_chart)
def _(look: Look) -> Iterator[Chart]:
    by_k = {
        who: figures_by_k(made, SCORES, [1, 2, 3, 4], events=["top"])[0]
        for who, made in NAMED.items()
    }
    yield k_curves_chart(by_k, 2, 1.0, look=look)


@draws(shortfall_chart)
def _(look: Look) -> Iterator[Chart]:
    epsilons = np.geomspace(0.01, 100, 11).tolist()
    yield shortfall_chart(
        {who: shortfall_curve(made, SCORES, epsilons) for who, made in NAMED.items()},
        1.0,
        look=look,
    )


@draws(replayed_seeds_chart)
def _(look: Look) -> Iterator[Chart]:
    ranks = [made.sampler(SCORES)(3, np.random.default_rng(1)) for made in MECHANISMS.values()]
    yield replayed_seeds_chart(list(MECHANISMS), ranks, [5, 6, 7], SCORES, look=look)


@draws(line_chart)
def _(look: Look) -> Iterator[Chart]:
    x, y = np.array([1.0, 10.0, 100.0]), np.array([0.1, 0.5, 0.9])
    panel = Panel("left", [Line("a", x, y, 0, marks=x, low=y - 0.1, high=y + 0.1)])
    axis = Axis("over", 1.0, 100.0, log=True)
    yield line_chart([panel], axis, Axis("up", 0.0, 1.0), how_to_read="", says_now="", look=look)


@draws(gap_release_chart)
def _(look: Look) -> Iterator[Chart]:
    release = NoisyTopKWithGap(epsilon=2.0, k=3).release(SCORES, rng=np.random.default_rng(1))
    yield gap_release_chart(release, SCORES, look=look)


@draws(gap_ratio_chart)
def _(look: Look) -> Iterator[Chart]:
    k, one = np.arange(2, 11), np.array([4.0])
    held = GapRatios(k, 0.5 + 0.5 / k, one, one * 0.62, one * 0.6, one * 0.64, one * 300)
    yield gap_ratio_chart({"monotonic": held, "general": held}, k=4, own="monotonic", look=look)


@draws(answer_chance_chart)
def _(look: Look) -> Iterator[Chart]:
    top, middle = BRANCHES.branch_probabilities("top"), BRANCHES.branch_probabilities("middle")
    yield answer_chance_chart(
        SCORES,
        35.0,
        ANSWERS.answer_probabilities,
        top,
        middle,
        BRANCHES.reach_probabilities,
        look=look,
    )


@draws(threshold_answer_count_chart)
def _(look: Look) -> Iterator[Chart]:
    yield threshold_answer_count_chart(
        ANSWERS.answer_count_probabilities, BRANCHES.answer_count_probabilities, 2, look=look
    )


@draws(threshold_run_chart)
def _(look: Look) -> Iterator[Chart]:
    for step in (0, 3):
        yield threshold_run_chart(RUN, SCORES, step, look=look)


@draws(threshold_bounds_chart)
def _(look: Look) -> Iterator[Chart]:
    yield threshold_bounds_chart(RUN, SCORES, 0.95, None, look=look)


@draws(threshold_coverage_chart)
def _(look: Look) -> Iterator[Chart]:
    held = PLAIN.coverage(SCORES)
    assert held.overall_coverage is not None
    after, before, overall = (
        {"plain": held.coverage_after_answer[0]},
        {"plain": held.coverage_before_answer[0]},
        {"plain": held.overall_coverage},
    )
    yield threshold_coverage_chart(SCORES, 35.0, 0.95, after, before, overall, look=look)


@draws(query_order_chart)
def _(look: Look) -> Iterator[Chart]:
    yield query_order_chart({"As given": ((4.0, 0.5), (6.0, 1.0))}, "As given", 9, look=look)


@draws(expected_answers_chart)
def _(look: Look) -> Iterator[Chart]:
    k, plain = np.array([2, 5, 9]), np.array([1.5, 3.5, 7.0])
    yield expected_answers_chart(k, plain, plain - 0.5, plain / 4, title="<b>shop</b>", look=look)


@draws(margin_scores_chart)
def _(look: Look) -> Iterator[Chart]:
    yield margin_scores_chart(
        SCORES, front_group(FRONT, SCORES, zeros=50), TOP_ONE["large_margin"], look=look
    )


@draws(margin_items_chart)
def _(look: Look) -> Iterator[Chart]:
    yield margin_items_chart(SCORES, TOP_ONE, look=look)


@draws(margin_promise_chart)
def _(look: Look) -> Iterator[Chart]:
    close = {name: distance_from_best_cdf(law) for name, law in TOP_ONE.items()}
    yield margin_promise_chart(close, utility_guarantee_curve(FRONT, SCORES, zeros=50), look=look)


@draws(margin_bound_chart)
def _(look: Look) -> Iterator[Chart]:
    for delta in (1e-4, 0.4):
        yield margin_bound_chart(
            distance_lower_bounds(0.5, delta, 1_000_000, 6000), 0.5, 6000, look=look
        )


@draws(universe_size_chart)
def _(look: Look) -> Iterator[Chart]:
    sizes, digits = universe_sizes(SCORES.d)[:4], np.linspace(3.0, 30.0, 5)
    near = {name: universe_curve(rule, SCORES, 20.0, sizes)[0] for name, rule in ONE_ITEM.items()}
    widest = {
        name: rule.distribution(SCORES, zeros=int(sizes[-1]) - SCORES.d)
        for name, rule in ONE_ITEM.items()
    }
    far = {
        name: huge_universe_curve(rule, widest[name], 20.0, digits)
        for name, rule in ONE_ITEM.items()
    }
    yield universe_size_chart(near, far, 100, 20.0, 24.0, look=look)
    yield universe_size_chart(near, None, 100, 20.0, None, look=look)


@draws(candidate_charts.chosen_candidate_chart)
def _(look: Look) -> Iterator[Chart]:
    yield candidate_charts.chosen_candidate_chart(
        CHOSEN, POOL.mean_scores, naive_best(POOL).candidate, look=look
    )


@draws(candidate_charts.output_score_chart)
def _(look: Look) -> Iterator[Chart]:
    quantile = top_quantile(POOL, 0.2)
    yield candidate_charts.output_score_chart(
        score_bins(CHOSEN), rule_utility(CHOSEN, 0.2), 0.6, quantile, 0.2, look=look
    )


@draws(candidate_charts.run_count_chart)
def _(look: Look) -> Iterator[Chart]:
    yield candidate_charts.run_count_chart(CHOSEN.runs, look=look)


@draws(candidate_charts.cost_quality_chart)
def _(look: Look) -> Iterator[Chart]:
    labels = {"one": "One", "random_stopping": "Random stopping", "naive": "Naive"}
    table = rule_prices([RULE], POOL, 0.5, 1e-6, 0.2)
    yield candidate_charts.cost_quality_chart(
        table, labels, chosen="random_stopping", share=0.2, look=look
    )


@draws(candidate_charts.stop_chance_chart)
def _(look: Look) -> Iterator[Chart]:
    by_stop = {
        "A": stop_probability_curve(
            lambda stop: RandomStopping(stop=stop), POOL, 0.2, [0.01, 0.1, 1.0]
        )
    }
    yield candidate_charts.stop_chance_chart(by_stop, "within", stop=0.1, share=0.2, look=look)
    yield candidate_charts.stop_chance_chart(by_stop, "score", stop=0.1, share=0.2, look=look)


@draws(candidate_charts.percentile_search_chart)
def _(look: Look) -> Iterator[Chart]:
    tails: Floats = POOL.tail(0.6)
    law = PercentileSparseVector(candidate_epsilon=0.1).distribution(tails)
    yield candidate_charts.percentile_search_chart(LABELS[:3], tails, 0.5, law, 0.6, look=look)


@draws(candidate_charts.naive_leak_chart)
def _(look: Look) -> Iterator[Chart]:
    yield candidate_charts.naive_leak_chart(naive_leak(5, 0.5, 0.1), 0.5, 3, look=look)


@draws(candidate_charts.lowered_threshold_leak_chart)
def _(look: Look) -> Iterator[Chart]:
    yield candidate_charts.lowered_threshold_leak_chart(
        threshold_leak(5, 0.1, 0.1, 0.5), 0.5, look=look
    )


@draws(loss_distribution_chart)
def _(look: Look) -> Iterator[Chart]:
    yield loss_distribution_chart(LOSS, worlds=WORLDS, look=look)


@draws(delta_curve_chart)
def _(look: Look) -> Iterator[Chart]:
    at = np.linspace(0.0, 1.0, 9)
    ways = LOSS, LOSS.reversed
    forth, back, most = (way.delta_curve(at) for way in (*ways, LOSS.allowed))
    above = tuple(np.array([way.exceeds(one) for one in at]) for way in ways)
    yield delta_curve_chart(
        at, forth, back, worlds=WORLDS, largest=LOSS.largest, exceeds=above, look=look
    )
    yield delta_curve_chart(
        at, forth, back, worlds=WORLDS, largest=LOSS.largest, most=most, look=look
    )


@draws(trade_off_curve_chart)
def _(look: Look) -> Iterator[Chart]:
    at = np.linspace(0.0, 1.0, 21)
    lines = LOSS.trade_off(at), LOSS.trade_off_least(at), LOSS.allowed.trade_off(at)
    for exact in (True, False):
        yield trade_off_curve_chart(at, *lines, worlds=WORLDS, exact=exact, look=look)


@draws(paired_frequencies_chart)
def _(look: Look) -> Iterator[Chart]:
    moved = np.array([1.0, 0.0, 0.0, -1.0, 0.0])
    yield paired_frequencies_chart(
        SCORES.label,
        SCORES.order,
        LAW.inclusion,
        LAW.inclusion / 2,
        moved,
        worlds=WORLDS,
        look=look,
    )


@draws(hundred_people_chart)
def _(look: Look) -> Iterator[Chart]:
    yield hundred_people_chart(
        [PeopleGroup(60, "are <b>not</b> in it"), PeopleGroup(40, "are")],
        "Says.",
        "How.",
        look=look,
    )


@draws(draws_and_law_chart)
def _(look: Look) -> Iterator[Chart]:
    chance, drawn = LAW.inclusion / 2, np.array([5, 3, 1, 1, 0])
    yield draws_and_law_chart(
        LABELS, chance, drawn, name="<b>A</b>", beside={"B": chance}, says="Says.", look=look
    )
    yield draws_and_law_chart(LABELS, chance, np.zeros(5, np.int64), name="A", look=look)


@draws(figure_lines_chart)
def _(look: Look) -> Iterator[Chart]:
    alone = figures_by_k(MECHANISMS["A"], SCORES, [1, 2])
    yield figure_lines_chart({"": alone}, over="k", look=look)
    yield figure_lines_chart(
        {name: figures_by_k(made, SCORES, [3, 1]) for name, made in MECHANISMS.items()}, look=look
    )


@draws(goal_by_epsilon_chart)
def _(look: Look) -> Iterator[Chart]:
    asked = Question(
        k=2, data=DataSpec(name="class_trip"), designs=(Design(), Design(mechanism="peeling"))
    )
    decision = decide(asked)
    taken = [(0, decision.epsilon, "ε of A"), (1, 3.0, "ε of B")]
    yield goal_by_epsilon_chart(
        decision.needs, ["1", "2"], ["a", "b"], taken, 0.9, "chance", look=look
    )


@draws(goal_by_cost_chart)
def _(look: Look) -> Iterator[Chart]:
    cost, chance = np.geomspace(0.1, 10.0, 9), np.linspace(0.0, 1.0, 9)
    lines = [CostLine("1", "<b>A</b>", cost, chance), CostLine("2", "Two", 2 * cost, chance)]
    yield goal_by_cost_chart(
        lines, (0, 3.2, 0.9), 0.9, "chance", "ε of all", accepted=1.5, look=look
    )
    shares = [CostLine("1", "One", 50 + 4 * cost, chance)]
    yield goal_by_cost_chart(
        shares, (0, 60.0, 0.9), 0.9, "chance", "of 100", people=True, within=[70.0], look=look
    )


@draws(goal_drift_chart)
def _(look: Look) -> Iterator[Chart]:
    factors, chances = [0.8, 0.99, 1.0, 1.2], [0.0, 0.86, 0.91, 1.0]
    yield goal_drift_chart(
        factors, chances, 0.9, "chance", lost_below=0.998, asked=(0.8, 1.0), look=look
    )
    yield goal_drift_chart(
        factors, chances, 0.95, "chance", lost_below=None, asked=(1.0, 1.0), look=look
    )


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
    charts = list(CASES[function](DARK))
    said = {
        "alt": min(len(one.alt.split()) for one in charts),
        "how_to_read": min(len(one.how_to_read.split()) for one in charts),
        "says_now": max(len(one.says_now.split()) for one in charts),  # it may wait, as in a lesson
    }
    missing = {name for name, words in said.items() if words < FEWEST_WORDS}
    assert missing <= SAID_BESIDE.get(function, set())
    for chart in charts:
        assert not re.search("nan|&lt;", " ".join((chart.alt, chart.how_to_read, chart.says_now)))
        assert len(chart.table)
        assert export_csv(chart.table)


@pytest.mark.parametrize("look", EVERY_LOOK.values(), ids=list(EVERY_LOOK))
@pytest.mark.parametrize("function", list(CASES), ids=lambda function: function.__name__)
def test_plotly_accepts_every_chart_in_every_look(function: ChartFunction, look: Look) -> None:
    drawn = list(CASES[function](look))
    assert drawn
    for chart in drawn:
        go.Figure(chart.figure.data)  # raises where a name or a value is none that plotly knows
        written = json.dumps(chart.figure.data, ensure_ascii=False)
        assert not re.search(r"[\">]\d+e[+-]\d", written), (
            "one way to write a small or large number: 1×10⁻⁶"
        )
        assert "<b>Zoo</b>" not in written  # a label is data and never markup
        template = chart.figure.data["layout"]["template"]["layout"]
        assert (template["paper_bgcolor"], template["font"]["size"]) == (look.paper, look.text_size)


ZOOMED = {shortfall_chart, threshold_run_chart, margin_promise_chart, goal_by_cost_chart}


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_all_that_is_drawn_lies_within_its_axes(function: ChartFunction) -> None:
    for drawn in map(Drawn, CASES[function](DARK)):
        for trace in (one for one in drawn.traces if one["type"] != "heatmap"):
            for name in trace.axes[function in ZOOMED :]:  # those end sooner to the right
                axis = drawn.axis(name)
                low, high = sorted((axis.start, axis.end))
                if np.isfinite(low):
                    values = trace.x if name[0] == "x" else trace.y
                    values, room = values[np.isfinite(values)], 1e-6 * (high - low)
                    assert (values >= low - room).all()
                    assert (values <= high + room).all()


def test_no_number_of_a_table_is_minus_zero() -> None:
    """Nor of one that a chart brings: `Chart.table` makes them zero."""
    minus = np.array([-0.0, -1.5, 0.0])
    chart = replace(
        next(CASES[score_bars](DARK)),
        make_table=lambda: pd.DataFrame({"a": ["-", "b", "c"], "b": minus}),
    )
    assert np.signbit(chart.table["b"]).tolist() == [False, True, False]
    assert chart.table.columns.tolist() == ["a", "b"]

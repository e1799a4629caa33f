"""Pictures of results by type, for `dpviz.plot` and the `plot` methods of results."""

import math
from collections.abc import Callable, Mapping
from functools import partial, singledispatch
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.base import ParameterError, check_choice
from dpviz.candidates import naive_best
from dpviz.candidates.rules import SelectionLaw
from dpviz.charts.candidates.outcomes import chosen_candidate_chart
from dpviz.charts.chart import Chart
from dpviz.charts.decision.goal_curves import goal_by_epsilon_chart
from dpviz.charts.look import LOOKS, Look
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.charts.topk.class_heatmap import class_heatmap
from dpviz.charts.topk.figure_lines import figure_lines_chart, sweep_curves
from dpviz.charts.topk.hits import hit_count_chart
from dpviz.charts.topk.item_rows import item_rows
from dpviz.gaps.gap_law import GapLaw
from dpviz.gaps.sparse.run_law import ThresholdDistribution
from dpviz.margin.top_one import TopOneLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies.decision.decision import Decision
from dpviz.topk import TopKDistribution, bin_on_edges, frame_edges
from dpviz.topk.classes import event_bounds
from dpviz.topk.figure_curve import FigureCurve, FigureCurves

Drawings = Mapping[str, Callable[..., Chart]]

_WORLDS = "with the first scores", "with the neighbour"
_POINTS = 241
_FAR = 50.0  # of a loss without a ceiling


def plot_result(result: Any, show: str | None, look: str) -> go.Figure:
    """Picture of a result, by the picture's name (default: the first) and the look's."""
    drawings = result_plots(result)
    drawing = (
        next(iter(drawings.values()))
        if show is None
        else drawings[check_choice("show", show, list(drawings))]
    )
    return go.Figure(drawing(look=LOOKS[check_choice("look", look, list(LOOKS))]).figure.data)


@singledispatch
def result_plots(result: Any) -> Drawings:
    """Possible pictures of a result by name; each takes a look."""
    raise ParameterError(
        "result", result, "a law of items, a privacy loss, curves, a decision or a table of a sweep"
    )


@result_plots.register
def _top_k(law: TopKDistribution) -> Drawings:
    reach, x = min(law.k, law.scores.d - 1), law.scores.rescaled_scores_and_sensitivity[0]
    return {
        "items": partial(
            item_rows, law.scores, law.inclusion, reach, bounds=law.bounds(law.inclusion)
        ),
        "hits": lambda look: hit_count_chart(
            law.hits, at_least=law.k, bounds=law.bounds, method=law.method, look=look
        ),
        "classes": lambda look: class_heatmap(
            bin_on_edges(law.law, *frame_edges(law.k, law.scores.d)),
            {name: event_bounds(name, x, law.reach) for name in ("top", "great", "good")},
            look=look,
        ),
    }


@result_plots.register(TopOneLaw)
@result_plots.register(GapLaw)
@result_plots.register(ThresholdDistribution)
def _by_scores(law: TopOneLaw | GapLaw | ThresholdDistribution) -> Drawings:
    chances = law.chances[: law.scores.d]  # of those that are listed
    return {
        "items": partial(
            item_rows, law.scores, chances, law.requested_count, bounds=law.bounds(chances)
        )
    }


@result_plots.register
def _candidates(law: SelectionLaw) -> Drawings:
    return {
        "candidates": partial(
            chosen_candidate_chart, law, law.pool.mean_scores, naive_best(law.pool).candidate
        )
    }


@result_plots.register
def _loss(loss: PrivacyLoss) -> Drawings:
    return {
        "loss": partial(loss_distribution_chart, loss, worlds=_WORLDS),
        "delta": partial(_delta, loss),
        "trade_off": partial(_trade_off, loss),
    }


def _delta(loss: PrivacyLoss, look: Look) -> Chart:
    ceiling, exact = loss.ceiling.epsilon, loss.method == "exact"
    epsilons = np.linspace(
        0.0, (ceiling if math.isfinite(ceiling) else min(loss.largest, _FAR)) or 1.0, _POINTS
    )
    ways = loss, loss.reversed
    forth, back, most = (way.delta_curve(epsilons) for way in (*ways, loss.allowed))
    above, above_back = (np.array([way.exceeds(at) for at in epsilons.tolist()]) for way in ways)
    return delta_curve_chart(
        epsilons,
        forth,
        back,
        worlds=_WORLDS,
        largest=loss.largest,
        exceeds=(above, above_back) if exact else None,
        upper_bounds=None if exact else most,
        look=look,
    )


def _trade_off(loss: PrivacyLoss, look: Look) -> Chart:
    alphas, against = np.linspace(0.0, 1.0, 101), loss.reversed
    return trade_off_curve_chart(
        alphas,
        against.trade_off(alphas),
        against.trade_off_least(alphas),
        against.allowed.trade_off(alphas)
        if math.isfinite(against.ceiling.epsilon)
        else np.zeros(len(alphas)),
        worlds=_WORLDS,
        exact=against.method == "exact",
        look=look,
    )


@result_plots.register
def _curves(curves: FigureCurves) -> Drawings:
    return {curves.over: partial(figure_lines_chart, {"": list(curves)}, x_quantity=curves.over)}


@result_plots.register
def _curve(curve: FigureCurve) -> Drawings:
    return {"epsilon": partial(figure_lines_chart, {"": [curve]})}


@result_plots.register
def _decision(decision: Decision) -> Drawings:
    drawn = [need for need in decision.needs if need.along is not None]
    taken = (
        [(drawn.index(decision.chosen_plan_with_curves), decision.epsilon, "ε")]
        if decision.chosen_plan_with_curves in drawn
        else []
    )
    names, labels = [f"{at + 1}" for at in range(len(drawn))], [need.label for need in drawn]
    return {
        "goal": partial(
            goal_by_epsilon_chart,
            drawn,
            names,
            labels,
            taken,
            decision.question.parsed_goal.probability,
            "chance of its goal",
        )
    }


@result_plots.register
def _sweep(table: pd.DataFrame) -> Drawings:
    return {
        over: partial(figure_lines_chart, designs, x_quantity=over)
        for over, designs in sweep_curves(table).items()
    }

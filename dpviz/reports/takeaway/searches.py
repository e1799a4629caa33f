"""The steps of Candidates' other views: the percentile search by its ε, what leaks when runs are compared by ε1."""

import math
from dataclasses import replace

import pandas as pd

from dpviz.base.progress import Progress, each, portion
from dpviz.candidates import PercentileSparseVector
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import candidates as drawn
from dpviz.charts.chart import Chart
from dpviz.charts.look import Look
from dpviz.charts.words import as_typed, count, number, of_releases, percent
from dpviz.reports.takeaway.said import shown, three, told
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.pages.candidates import (
    CANDIDATES_PAGE,
    DEMONSTRATIONS,
    LARGEST_LEAK,
    MOST_STEPS,
    Made,
    Pools,
    of_rule,
    search_on,
    stop_on,
    suited_threshold,
)
from dpviz.studies.scenario import Scenario

__all__ = ["leaking", "searched"]


def searched(scenario: Scenario, pools: Pools, progress: Progress) -> Takeaway:
    """The first candidate that is good often enough, by the ε of the whole search."""
    page = CANDIDATES_PAGE.on(scenario.page)[0]
    declared = of_rule("known_threshold", suited_threshold(pools.own))
    threshold = float(declared.values_on(scenario.page)[0]["threshold"])
    made = pools.at(page.epsilon1).make(portion(progress, 0.0, 0.2))
    search = search_on(scenario.page, page.epsilon1)
    values = around(search.epsilon)
    steps = [
        _searched(replace(search, epsilon=value), made, threshold, part)
        for value, part in each(values, portion(progress, 0.2, 1.0))
    ]
    return Takeaway(
        title=f"{made.name}: the first that is good often enough",
        lead=(
            f"{count(made.pool.size, 'candidate')} are asked in order: does a run of yours score at least "
            f"{number(threshold)} with a chance of {as_typed(search.percentile)}?"
        ),
        moves="ε of the whole search",
        steps=tuple(steps),
        start=values.index(search.epsilon),
        heads=(
            ("Total ε", "for the whole search"),
            ("Right", "stops at one that reaches p*"),
            ("Wrong", "stops at one that does not"),
            ("None", "all were asked, none said yes"),
        ),
        charts=("Where the search stops",),
        note=(
            "It holds the names of the candidates and how often their runs reach the threshold."
            if page.pool != "built_in"
            else "The people are made up, and the runs are of this app."
        ),
    )


def _searched(search: PercentileSparseVector, made: Made, threshold: float, progress: Progress) -> Step:
    chances = made.pool.tail(threshold)
    law = search.distribution(chances, progress=progress)
    names = [made.pool.label(k) for k in range(made.pool.size)]

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        chart = drawn.percentile_steps(names, chances, search.percentile, law, threshold, look=look)
        return [(chart, told(chart.table))]

    good = chances >= search.percentile
    right, wrong = float(law.stop[good].sum()), float(law.stop[~good].sum())
    total = search.total_epsilon()
    paid = number(total[0]) + (f", δ = {number(total[1])}" if total[1] else "")
    said = (
        f"At ε = {shown(search.epsilon)} the search names one that truly reaches p* in {of_releases(right)} "
        f"(exact, error at most {number(max(law.error, 1e-16))})."
    )
    return step(shown(search.epsilon), said, [[paid, percent(right), percent(wrong), percent(law.none)]], draw)


def leaking(scenario: Scenario, progress: Progress) -> Takeaway:
    """Two worst pairs of neighbours, by the price of one run."""
    page = CANDIDATES_PAGE.on(scenario.page)[0]
    start = min(page.epsilon1, LARGEST_LEAK)
    values = [value for value in around(start) if value <= LARGEST_LEAK]
    return Takeaway(
        title="What leaks when runs are compared",
        lead="Each run is private on its own, and still the way to choose among them can give a person away.",
        moves="Privacy budget ε1 of one run",
        steps=tuple(_leak_at(value, scenario) for value, _ in each(values, progress)),
        start=values.index(start),
        heads=(
            ("Best of one run each", "its loss on this pair, with K candidates"),
            ("Random stopping", "its loss on the same pair"),
            ("Threshold that comes down", "its loss after R steps"),
        ),
        charts=("Why the best of K runs is not free", "Why a threshold must not come down"),
        note="Exact laws of two worst cases (Liu & Talwar 2018, Appendix B.1 and B.2).",
        moving=(0, 1),  # losses go with ε1
    )


def _leak_at(epsilon: float, scenario: Scenario) -> Step:
    page, stop = DEMONSTRATIONS.on(scenario.page)[0], stop_on(scenario.page)
    naive = naive_leak(MOST_STEPS, epsilon, stop)
    steps = threshold_leak(page.steps, min(page.failure, 1 / (1 + math.exp(epsilon))), stop, epsilon)

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        first = drawn.naive_leak_chart(naive, epsilon, page.k, look=look)
        second = drawn.threshold_leak_chart(steps, epsilon, look=look)
        return [(first, told(first.table)), (second, told(second.table))]

    i = page.k - 1
    told_now = [float(naive.naive[i]), float(naive.stopping[i]), float(steps.loss[-1])]
    said = (
        f"At ε1 = {shown(epsilon)} a run, comparing {count(page.k, 'candidate')} by their best runs loses "
        f"{three(told_now[0])} on the worst pair, random stopping {three(told_now[1])} (exact)."
    )
    return step(shown(epsilon), said, [[three(value) for value in told_now]], draw)

"""The steps of Candidates: what comes out and what it costs, by ε1 of one run; and by γ where runs cannot be made anew.

Symbols: ε1 = the price of one run; γ = the chance to stop after a run.
Invariants: runs that are made by the page are made anew at each ε1, a table of runs stays as it is: its own ε1 is a
fact about it, so the slider moves γ; laws are exact for the runs there are, which the file says.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each, portion, silent
from dpviz.candidates import CANDIDATES, CandidateRule, naive_best
from dpviz.candidates.worth import (
    Price,
    StopCurve,
    Utility,
    mean_scores,
    prices,
    score_bins,
    stop_curve,
    top_quantile,
    utility,
)
from dpviz.charts import candidates as drawn
from dpviz.charts.chart import Chart
from dpviz.charts.look import Look
from dpviz.charts.words import as_typed, count, number, of_releases, percent
from dpviz.reports.rule_words import LABELS, settings, words
from dpviz.reports.takeaway.said import shown, told
from dpviz.reports.takeaway.searches import leaking, searched
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.pages.candidates import (
    CANDIDATES_PAGE,
    STOPS,
    Made,
    Pools,
    every_rule,
    grows_dearer,
    rule_at_stop,
    rule_on,
    stop_on,
    stops_allowed,
    suited_threshold,
)
from dpviz.studies.scenario import Scenario

__all__ = ["chosen_among", "chosen_among_holds", "chosen_among_moves"]

_ONE = "Privacy budget ε1 of one run"
_GAMMA = "γ, the chance to stop after a run"


def chosen_among(scenario: Scenario, pools: Pools, *, progress: Progress = silent) -> Takeaway:
    """The view that the scenario's page has open. Raises `ParameterError` for settings that do not do."""
    view = CANDIDATES_PAGE.on(scenario.page)[0].view
    if view == "leaks":
        return leaking(scenario, progress)
    if view == "percentile":
        return searched(scenario, pools, progress)
    of = _Choice.of(scenario, pools)
    if view == "price":
        return _priced(of, progress)
    if view == "stop":
        return _stopped(of, progress)
    return _by_price(of, progress) if pools.anew else _by_stop(of, progress)


def chosen_among_moves(scenario: Scenario, pools: Pools) -> str:
    """What the slider moves, in a few words."""
    view = CANDIDATES_PAGE.on(scenario.page)[0].view
    if view == "percentile":
        return "ε of the whole search"
    return "γ, the chance to stop," if view == "stop" or (view == "outcome" and not pools.anew) else "ε1 of one run"


def chosen_among_holds(scenario: Scenario, pools: Pools) -> str:
    """What the file holds of the candidates, in words."""
    page = CANDIDATES_PAGE.on(scenario.page)[0]
    if page.view == "leaks":
        return "It is about two worst cases, not about data."
    if page.pool == "built_in":
        return "The people are made up, and the runs are of this app."
    return (
        "It holds the names of the candidates and what their runs score on average and as a whole, no single person. "
        "That is computed from the runs themselves; it is private only as far as they all are together."
    )


@dataclass(frozen=True)
class _Choice:
    """What is chosen from what, as the page has it."""

    scenario: Scenario
    pools: Pools
    rule: CandidateRule
    epsilon: float
    delta: float
    share: float

    @classmethod
    def of(cls, scenario: Scenario, pools: Pools) -> "_Choice":
        page = CANDIDATES_PAGE.on(scenario.page)[0]
        rule = rule_on(scenario.page, page.rule, suited_threshold(pools.own))
        return cls(scenario, pools, rule, page.epsilon1, page.delta1, page.share)

    @property
    def threshold(self) -> float:
        return suited_threshold(self.pools.own)

    @property
    def name(self) -> str:
        return self.pools.at(self.epsilon).name

    @property
    def note(self) -> str:
        """What the file says with its figures."""
        held = chosen_among_holds(self.scenario, self.pools)
        return f"{held} {_OF_RUNS}" if self.pools.empirical else held

    @property
    def lead(self) -> str:
        size = count(self.pools.at(self.epsilon).size, "private candidate")
        return f"One of {size}, by {settings(self.rule)}. {words(self.rule.name).does}"

    def made(self, epsilon: float, progress: Progress) -> Made:
        return self.pools.at(epsilon).make(progress)

    def total(self, rule: CandidateRule, epsilon: float) -> str:
        """What a release costs, or that no theorem says."""
        try:
            return _paid(rule.total_epsilon(epsilon, self.delta))
        except ParameterError:
            return _paid(None)


_OF_RUNS = "Laws are exact for the runs that were made; ε is about new ones, made for a release."


def _paid(total: tuple[float, float] | None) -> str:
    if total is None:
        return "not covered"
    return number(total[0]) + (f", δ = {number(total[1])}" if total[1] else "")


def _heads(share: float) -> tuple[tuple[str, str], ...]:
    return (
        ("Total ε", "of one release"),
        ("Mean score", "of what comes out"),
        (f"In the top {as_typed(share)}", "among the best of all runs"),
        ("Nothing", "⊥: no run is published"),
        ("Runs", "made on average, and kept secret"),
    )


def _cells(total: str, worth: Utility) -> list[str]:
    score = "none" if worth.score is None else number(worth.score)
    nothing = percent(worth.bottom) if worth.bottom > 1e-12 else "0"
    return [total, score, percent(worth.within), nothing, number(round(worth.runs, 2))]


def _by_price(of: _Choice, progress: Progress) -> Takeaway:
    values = around(of.epsilon)
    steps = []
    for value, part in each(values, progress):
        made = of.made(value, portion(part, 0.0, 0.7))
        where = f"At ε1 = {shown(value)} a run"
        steps.append(_chosen(of, made, of.rule, value, (shown(value), where), portion(part, 0.7, 1.0)))
    return _outcome(of, _ONE, steps, values.index(of.epsilon))


def _by_stop(of: _Choice, progress: Progress) -> Takeaway:
    page = of.scenario.page
    made, own = of.made(of.epsilon, portion(progress, 0.0, 0.1)), stop_on(page)
    make = rule_at_stop(page, of.rule.name, of.threshold)
    values = stops_allowed(make, sorted({*STOPS, own}))
    steps = [
        _chosen(of, made, make(value), of.epsilon, (shown(value), f"At γ = {shown(value)}"), part)
        for value, part in each(values, portion(progress, 0.1, 1.0))
    ]
    return _outcome(of, _GAMMA, steps, values.index(own) if own in values else len(values) - 1)


def _outcome(of: _Choice, moves: str, steps: Sequence[Step], start: int) -> Takeaway:
    return Takeaway(
        title=f"{of.name}: whose run comes out",
        lead=of.lead,
        moves=moves,
        steps=tuple(steps),
        start=start,
        heads=_heads(of.share),
        charts=("Whose run comes out", "How good it is"),
        note=of.note,
    )


def _chosen(
    of: _Choice, made: Made, rule: CandidateRule, epsilon: float, at: tuple[str, str], progress: Progress
) -> Step:
    law = rule.distribution(made.pool, progress=progress)
    worth, means, naive = utility(law, of.share), mean_scores(made.pool), naive_best(made.pool)
    bins, quantile = score_bins(law), top_quantile(made.pool, of.share)
    value, where = at

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        who = drawn.chosen_bars(law, means, naive.candidate, look=look)
        scores = drawn.score_columns(bins, worth, float(np.mean(means)), quantile, of.share, look=look)
        return [(who, told(who.table)), (scores, told(scores.table))]

    total = of.total(rule, epsilon)
    said = (
        f"{where}, ε = {total} in all: what comes out is among the best {as_typed(of.share)} of all runs in "
        f"{of_releases(worth.within)} (exact for these runs, error at most {number(max(worth.error, 1e-16))})."
    )
    return step(value, said, [_cells(total, worth)], draw)


def _priced(of: _Choice, progress: Progress) -> Takeaway:
    values, ways = around(of.epsilon), every_rule(of.scenario.page, of.threshold)
    steps = []
    for value, part in each(values, progress):
        made = of.made(value, portion(part, 0.0, 0.5))
        table = prices(ways, made.pool, value, of.delta, of.share, portion(part, 0.5, 1.0))
        steps.append(_price_at(of, value, table))
    names = [price.name for price in table]
    return Takeaway(
        title=f"{of.name}: what each way to choose costs",
        lead=f"{count(of.pools.at(of.epsilon).size, 'private candidate')}, and the ways to publish one run of them.",
        moves=_ONE,
        steps=tuple(steps),
        start=values.index(of.epsilon),
        heads=_heads(of.share),
        rows=tuple(LABELS[name] for name in names),
        charts=("What one release costs in all",),
        note=of.note,
        moving=(0,),  # totals go with ε1
    )


def _price_at(of: _Choice, epsilon: float, table: Sequence[Price]) -> Step:
    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        bars = drawn.price_bars(table, LABELS, chosen=of.rule.name, share=of.share, brief=True, look=look)
        return [(bars, told(bars.table))]

    paid = [_paid(None if price.epsilon is None else (price.epsilon, price.delta or 0.0)) for price in table]
    totals = dict(zip([price.name for price in table], paid, strict=True))
    said = f"At ε1 = {shown(epsilon)} a run, {LABELS[of.rule.name]} costs ε = {totals.get(of.rule.name, 'not covered')}"
    said += f"; publishing the best of one run each costs {totals['naive']}."
    cells = [_cells(total, price.utility) for total, price in zip(paid, table, strict=True)]
    return step(shown(epsilon), said, cells, draw)


def _stopped(of: _Choice, progress: Progress) -> Takeaway:
    page, own = of.scenario.page, stop_on(of.scenario.page)
    made, values = of.made(of.epsilon, portion(progress, 0.0, 0.2)), sorted({*STOPS, own})
    makes = {name: rule_at_stop(page, name, of.threshold) for name in CANDIDATES}
    curves: dict[str, StopCurve] = {}
    for (name, make), part in each(list(makes.items()), portion(progress, 0.2, 0.9)):
        curves[CANDIDATES.label(name)] = stop_curve(make, made.pool, of.share, stops_allowed(make, values), part)
    dearer = [CANDIDATES.label(name) for name, make in makes.items() if grows_dearer(make, of.epsilon)]
    steps = [_stop_at(of, value, curves, makes, dearer) for value, _ in each(values, portion(progress, 0.9, 1.0))]
    return Takeaway(
        title=f"{of.name}: more runs, better choices",
        lead=f"{count(made.pool.size, 'private candidate')}; each rule draws them until a coin says stop.",
        moves=_GAMMA,
        steps=tuple(steps),
        start=values.index(own),
        heads=_heads(of.share),
        rows=tuple(curves),
        charts=(f"Among the best {as_typed(of.share)} of all runs", "Mean score of what comes out"),
        note=of.note,
    )


def _stop_at(
    of: _Choice,
    stop: float,
    curves: dict[str, StopCurve],
    makes: dict[str, Callable[[float], CandidateRule]],
    dearer: Sequence[str],
) -> Step:
    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        pictures = []
        for what in ("within", "score"):
            chart = drawn.stop_curves(curves, what, stop=stop, share=of.share, dearer=dearer, look=look)
            now = [_at(curve, what, stop) for curve in curves.values()]
            here = pd.DataFrame({"rule": list(curves), "at this γ": now})
            pictures.append((chart, told(here)))
        return pictures

    cells = []
    for make, curve in zip(makes.values(), curves.values(), strict=True):
        if stop not in curve.stop:
            cells.append(["not at this γ", "", "", "", ""])
            continue
        i = int(np.flatnonzero(curve.stop == stop)[0])
        score, within, bottom, runs = (
            float(values[i]) for values in (curve.score, curve.within, curve.bottom, curve.runs)
        )
        worth = Utility(score, within, bottom, runs, curve.error)
        cells.append(_cells(of.total(make(stop), of.epsilon), worth))
    best = max(curves, key=lambda name: _at(curves[name], "within", stop))
    said = (
        f"At γ = {shown(stop)} {best} is most often among the best {as_typed(of.share)} of all runs: in "
        f"{of_releases(_at(curves[best], 'within', stop))} (exact for these runs)."
    )
    return step(shown(stop), said, cells, draw)


def _at(curve: StopCurve, what: str, stop: float) -> float:
    values: Floats = getattr(curve, what)
    return float(np.interp(np.log(stop), np.log(curve.stop), values))

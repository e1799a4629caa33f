"""The steps of Explore and of Compare: every ε around the setting, its law computed as the pages compute it.

Invariants: a law is asked for its figures and forgotten, so that the work takes the memory of one; a file holds names
and scores of those items only that its picture shows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.progress import Progress, each, silent
from dpviz.base.scores import Scores, check_scores
from dpviz.charts.chart import Chart
from dpviz.charts.identity import identity
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.topk.design_curves import Named, epsilon_curves
from dpviz.charts.topk.hits_law import hits_law
from dpviz.charts.topk.item_rows import item_rows, rows_shown
from dpviz.charts.words import count, number, of_releases, percent, trimmed
from dpviz.reports.takeaway.said import NOTHING, of_data, shown, titled
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.scenario import Scenario
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.curves import FigureCurve
from dpviz.topk.distribution import TopKDistribution

__all__ = ["compared", "explored", "holds"]

_SELDOM = 1e-3  # counts that come this seldom have no row
_DIGITS = 6


def explored(scenario: Scenario, scores: Scores, *, progress: Progress = silent) -> Takeaway:
    """The scenario's first design: who comes out, and how many belong there. Raises `ParameterError` for k ≥ d."""
    mechanism = scenario.mechanisms[0]
    mechanism.check_scores(check_scores(scores))
    values = around(scenario.epsilon)
    events = _events(scores, scenario.k)
    steps = [
        _explored(mechanism.replace(epsilon=value).distribution(scores, progress=part), events)
        for value, part in each(values, progress)
    ]
    k = scenario.k
    label = scenario.designs[0].label_for(k, scores.contributions)
    return Takeaway(
        title=titled(scenario, "what ε buys"),
        lead=f"{label} publishes {k:,} of {scores.d:,}. {scores.change}",
        moves="Privacy budget ε",
        steps=tuple(steps),
        start=values.index(scenario.epsilon),
        heads=_heads(events, scores, k),
        charts=("Who comes out", "How many of them are right"),
        note=holds(scenario, scores, items=True),
    )


def compared(scenario: Scenario, scores: Scores, event: str = "", *, progress: Progress = silent) -> Takeaway:
    """All designs of the scenario, with the curves of one event. Raises `ParameterError` for k ≥ d."""
    for mechanism in scenario.mechanisms:
        mechanism.check_scores(check_scores(scores))
    k, values, events = scenario.k, around(scenario.epsilon), _events(scores, scenario.k)
    event = event if event in events else _meant(events)
    names = [Named(n, one.label_for(k, scores.contributions)) for n, one in enumerate(scenario.designs)]
    at: list[list[_Told]] = [
        [
            _Told.of(mechanism.replace(epsilon=value).distribution(scores, progress=inner), events)
            for mechanism, inner in each(scenario.mechanisms, part)
        ]
        for value, part in each(values, progress)
    ]
    curves = {who: _curve(event, values, [told[who.number] for told in at]) for who in names}
    rows = tuple(f"{identity(who.number, LIGHT).letter} {who.label}" for who in names)
    return Takeaway(
        title=titled(scenario, "what ε buys"),
        lead=f"{count(len(names), 'mechanism')} side by side, each publishing {k:,} of {scores.d:,}. {scores.change}",
        moves="Privacy budget ε",
        steps=tuple(
            _compared(value, told, rows, curves, values, _meaning(event, scores, k))
            for value, told in zip(values, at, strict=True)
        ),
        start=values.index(scenario.epsilon),
        heads=_heads(events, scores, k),
        rows=rows,
        charts=(f"The chance of {EVENTS[event].label}, by ε",),
        note=holds(scenario, scores, items=False),
    )


def holds(scenario: Scenario, scores: Scores, *, items: bool) -> str:
    """What the file holds of the data, in words."""
    if not items:
        return of_data(scenario, NOTHING)
    rows = rows_shown(scores, np.zeros(scores.d), scenario.k)
    named = int((rows["first"] == rows["last"]).sum())
    rest = "" if named == scores.d else ", and of the others the mean score above and below them"
    which = "all" if named == scores.d else "the"
    return of_data(scenario, f"the names and scores of {which} {named:,} items that it shows by name{rest}")


@dataclass(frozen=True)
class _Told:
    """The headline figures of a law: the chance of each event with its bounds, and the two averages."""

    chances: dict[str, tuple[float, float, float]]
    right: float
    worst: float
    method: str

    @classmethod
    def of(cls, dist: TopKDistribution, events: Sequence[str]) -> "_Told":
        chances = {name: (dist.event(name), *dist.interval(name)) for name in events}
        return cls(chances, dist.expected_hits, dist.expected_worst_rank, dist.method)

    @property
    def cells(self) -> list[str]:
        """As the pages tell them."""
        places = 2 if self.method == "exact" else 1
        worst = number(round(self.worst, places if self.worst < 100 else 1))
        about = "" if self.method == "exact" else " (estimated)"
        averages = [number(round(self.right, places)), worst]
        return [text + about for text in (*(percent(*chance) for chance in self.chances.values()), *averages)]


def _events(scores: Scores, k: int) -> list[str]:
    """The events that say something here: OPTIMAL only where ties make it differ from TOP."""
    tied = scores.tied(k)[1] > k
    return [name for name in EVENTS if tied or name != "optimal"]


def _meant(events: Sequence[str]) -> str:
    """What people mean by the true top: where scores tie, whichever way the ties fall."""
    return "optimal" if "optimal" in events else "top"


def _heads(events: Sequence[str], scores: Scores, k: int) -> tuple[tuple[str, str], ...]:
    told = [(EVENTS[name].label, _meaning(name, scores, k)) for name in events]
    return (*told, ("Right", f"of {k:,}, on average"), ("Worst rank", f"on average; {k:,} is ideal"))


def _meaning(event: str, scores: Scores, k: int) -> str:
    a, b = event_bounds(event, scores.comparable[0], k)
    if event == "optimal":
        return f"as good as the true top {k:,}: ties count"
    if b == k:
        return f"exactly the true top {k:,}" if k > 1 else "exactly the true top item"
    return f"the best {f'{a:,} all' if a > 1 else 'one'} in, nothing below rank {b:,}"


def _explored(dist: TopKDistribution, events: Sequence[str]) -> Step:
    scores, k, epsilon = dist.scores, dist.k, dist.mechanism.epsilon
    told, inclusion = _Told.of(dist, events), dist.inclusion
    chances = _decimals(dist)
    items = rows_shown(scores, inclusion, k)
    by_name = pd.DataFrame(
        {
            "rank": [
                f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in zip(items["first"], items["last"], strict=True)
            ],
            "item": [trimmed(name) for name in items["item"]],
            "score": [number(score) for score in items["score"]],
            "chance of coming out": [chances(p) for p in items["chance"]],
        }
    )
    right = pd.DataFrame({"right": np.arange(k + 1), "chance": dist.hits})
    right = right[right["chance"] >= _SELDOM]
    by_count = pd.DataFrame(
        {"how many are right": [f"{n:,}" for n in right["right"]], "chance": [chances(p) for p in right["chance"]]}
    )

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        bounds = dist.bounds(inclusion)
        law = hits_law(dist.hits, at_least=k, bounds=dist.bounds, method=dist.method, look=look)
        return [(item_rows(scores, inclusion, k, bounds=bounds, look=look), by_name), (law, by_count)]

    event = _meant(events)
    what = _meaning(event, scores, k)
    how = f"{dist.method}, error at most {number(max(dist.error, 1e-16))}"
    if dist.method == "estimated":
        how = f"estimated from {count(dist.draws, 'simulated release')}"
    said = f"At ε = {shown(epsilon)} what comes out is {what} in {of_releases(*told.chances[event])} ({how})."
    return step(shown(epsilon), said, [told.cells], draw)


def _compared(
    value: float,
    told: Sequence[_Told],
    rows: Sequence[str],
    curves: dict[Named, FigureCurve],
    values: Sequence[float],
    what: str,
) -> Step:
    event = next(iter(curves.values())).event
    ranked = sorted(zip([one.chances[event] for one in told], rows, strict=True), key=lambda pair: -pair[0][0])
    (high, best), (low, worst) = ranked[0], ranked[-1]
    said = f"At ε = {shown(value)}: {what} in {of_releases(*high)} with {best}"
    said += f", in {of_releases(*low)} with {worst}." if worst != best else "."
    now = pd.DataFrame(
        {
            "mechanism": rows,
            f"chance of {EVENTS[event].label}": [percent(*one.chances[event]) for one in told],
            "figures are": [one.method for one in told],
        }
    )

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        return [(epsilon_curves(curves, value, span=(values[0], values[-1]), look=look), now)]

    return step(shown(value), said, [one.cells for one in told], draw)


def _curve(event: str, values: Sequence[float], told: Sequence[_Told]) -> FigureCurve:
    """The steps as a curve; its error is half of what a curve through every other one misses the rest by."""
    value, low, high = np.array([one.chances[event] for one in told]).T
    x, method = np.array(values), told[0].method
    coarse = FigureCurve(event, x[::2], value[::2], low[::2], high[::2], 0.0, method)
    inner = x[(x > x[::2][0]) & (x < x[::2][-1])]
    missed = np.abs(coarse.at(inner) - value[np.isin(x, inner)])
    return FigureCurve(event, x, value, low, high, float(missed.max()) / 2, method)


def _decimals(dist: TopKDistribution) -> Callable[[float], str]:
    """Chances as the tables have them: as many decimal places as the law is right to, six at most."""
    known = dist.draws**-0.5 if dist.draws else max(dist.error, 1e-16)
    places = int(np.clip(np.floor(-np.log10(known)), 1, _DIGITS))
    return lambda chance: f"{chance:.{places}f}"

"""The steps of Neighbours: what one person's data change, ε by ε (ε1 of one run, among candidates).

Invariants: the person is the same at every step, the worst found at the ε where the slider starts; both worlds are
counted out of as many releases at each step, so that bars can be held against each other; a loss that is only known
to be at least so large is told so.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each, portion, silent
from dpviz.base.scores import Scores
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.worth import mean_scores
from dpviz.charts.chart import Chart
from dpviz.charts.look import Look
from dpviz.charts.privacy.loss_law import loss_law
from dpviz.charts.privacy.two_lists import frequency_base, two_lists
from dpviz.charts.words import count, number
from dpviz.privacy.candidate_neighbours import moved_pool, search_pools
from dpviz.privacy.inclusion import Chances, inclusion_with_and_without
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss
from dpviz.privacy.odds import guess_bound
from dpviz.privacy.worst import search_neighbours
from dpviz.reports.takeaway.said import of_data, shown, three, titled, told
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.pages.candidates import CANDIDATES_PAGE, Pools
from dpviz.studies.pages.neighbours import NEIGHBOURS_PAGE, WHO, Family, Pair, family_of, moved, name_on, pair
from dpviz.studies.scenario import Scenario

__all__ = ["with_and_without", "with_and_without_holds"]

Worlds = tuple[Any, Pair]  # the mechanism, and the data with her and without


@dataclass(frozen=True, eq=False)
class _Study:
    """What is looked at: `at` has the two worlds and the mechanism at any ε."""

    family: Family
    label: str
    replaced: bool
    start: float
    at: Callable[[float, Progress], Worlds]

    @property
    def worlds(self) -> tuple[str, str]:
        return "with her", "with another in her place" if self.replaced else "without her"


def with_and_without(
    scenario: Scenario, scores: Scores | None, pools: Pools | None, *, progress: Progress = silent
) -> Takeaway:
    """The mechanism and the person of the scenario's page. Raises `ParameterError` for settings that do not do."""
    settings = NEIGHBOURS_PAGE.on(scenario.page)[0]
    name = name_on(scenario)
    first, rest = portion(progress, 0.0, 0.3), portion(progress, 0.3, 1.0)
    if scores is None:
        if pools is None:
            raise ParameterError("the candidates", None, "given: a pool of runs")
        study = _of_pools(name, scenario, pools, first)
    else:
        study = _of_scores(name, scenario, scores, first)
    values = around(study.start)
    mechanism, both = study.at(study.start, silent)
    chances = inclusion_with_and_without(mechanism, both.here, both.there)
    base = frequency_base(chances[0].value, chances[1].value, _error(chances))
    size = both.here.d if isinstance(both.here, Scores) else both.here.size
    what = "item" if scores is not None else "candidate"
    whose = WHO[settings.who].lower()
    if settings.who == "worst":
        whose = f"the worst found at ε = {shown(study.start)}, which is no proof that nobody is worse"
    change = "one person changes every run by as much as ε1 allows." if scores is None else scores.change
    symbol = "ε1 of one run" if scores is None else "ε"
    data = titled(scenario, "") if scores is not None else f"{pools.at(study.start).name}: " if pools else ""
    return Takeaway(
        title=f"{data.rstrip(': ')}: what one person's data change",
        lead=(
            f"{study.label} on {count(size, what)}. She counts in {count(len(both.hers), what)} ({whose}). "
            f"{change[:1].upper()}{change[1:]}"
        ),
        moves=f"Privacy budget {symbol}",
        steps=tuple(_worlds_at(value, study, base, scores is None, part) for value, part in each(values, rest)),
        start=values.index(study.start),
        heads=(
            ("Privacy loss", "the most that one answer tells, of its ceiling"),
            ("Odds", "as likely in one world as in the other, at most"),
            ("A guesser is right", "who guesses whether she is in; a coin: 50 of 100"),
            ("At this ε, at most", "so often a guesser could be right about anybody"),
            ("On average", "the loss of a release, with her data"),
        ),
        charts=("Two lists side by side", "How much an answer tells"),
        note=with_and_without_holds(scenario, scores),
        moving=(1,),  # a loss is held against its ε
    )


def with_and_without_holds(scenario: Scenario, scores: Scores | None) -> str:
    """What the file holds of the data, in words."""
    if scores is None:
        if CANDIDATES_PAGE.on(scenario.page)[0].pool == "built_in":
            return "The people are made up, and the runs are of this app."
        return "It holds the names of the candidates and how often each comes out, no run and no person."
    return of_data(scenario, "the names of the items that it shows and whether she counts in them, and no score")


def _of_scores(name: str, scenario: Scenario, scores: Scores, progress: Progress) -> _Study:
    settings, family = NEIGHBOURS_PAGE.on(scenario.page)[0], family_of(name)

    def mechanism(epsilon: float) -> Any:
        return family.build(name, scenario.replace(epsilon=epsilon), scores)

    if settings.who == "worst":
        rng = np.random.default_rng(scenario.seed)
        found = list(search_neighbours(mechanism(scenario.epsilon), scores, rng=rng, progress=progress))
        both = moved(scores, np.sign(found[-1][0].values - scores.values))
    else:
        both = pair(scenario, scores, settings, scenario.epsilon)
    label = family.menu.label(name)
    if name in {design.mechanism for design in scenario.designs[:1]}:
        label = scenario.designs[0].label_for(scenario.k, scores.contributions)
    return _Study(
        family, label, not scores.monotonic, scenario.epsilon, lambda epsilon, part: (mechanism(epsilon), both)
    )


def _of_pools(name: str, scenario: Scenario, pools: Pools, progress: Progress) -> _Study:
    settings, family = NEIGHBOURS_PAGE.on(scenario.page)[0], family_of(name)
    rule, start = family.build(name, scenario, pools.own), CANDIDATES_PAGE.on(scenario.page)[0].epsilon1
    worst: list[int] | None = None
    if settings.who == "worst":
        pool = pools.at(start).make(portion(progress, 0.0, 0.2)).pool
        *_, (better, _, _) = search_pools(rule, pool, start, progress=portion(progress, 0.2, 1.0))
        worst = list(better)

    def at(epsilon: float, part: Progress) -> Worlds:
        pool = pools.at(epsilon).make(part).pool
        if worst is None:
            return rule, pair(scenario, pool, settings, epsilon)
        step = np.zeros(pool.size)
        step[worst] = 1.0
        return rule, Pair(moved_pool(pool, worst, epsilon), pool, step, joins=True)

    return _Study(family, family.menu.label(name), False, start, at)


def _worlds_at(epsilon: float, study: _Study, base: int, candidates: bool, progress: Progress) -> Step:
    mechanism, both = study.at(epsilon, portion(progress, 0.0, 0.4))
    first, second = inclusion_with_and_without(mechanism, both.here, both.there, progress=portion(progress, 0.4, 0.6))
    loss = privacy_loss(mechanism, both.here, both.there, progress=portion(progress, 0.6, 1.0))
    of = both.there if both.joins else both.here
    pooled = isinstance(of, CandidatePool)
    order = np.argsort(-mean_scores(of), kind="stable") if pooled else of.order
    labels = [of.label(i) for i in range(of.size if pooled else of.d)]

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        lists = two_lists(
            labels,
            order,
            first.value,
            second.value,
            both.moved,
            worlds=study.worlds,
            noun=study.family.noun,
            verb=study.family.verb,
            hers="a candidate whose runs she makes better" if candidates else "an item that she counts in",
            error=_error((first, second)),
            base=base,
            look=look,
        )
        law = loss_law(loss, worlds=study.worlds, look=look)
        return [(lists, _rows(lists.table)), (law, _most_telling(law.table))]

    return step(shown(epsilon), _sentence(epsilon, loss, first.draws, candidates), [_cells(loss)], draw)


def _sentence(epsilon: float, loss: PrivacyLoss, draws: int, candidates: bool) -> str:
    least = "" if loss.method == "exact" else "at least "
    of = f", of at most ε = {number(loss.ceiling.epsilon)}" if math.isfinite(loss.ceiling.epsilon) else ""
    how = f"exact, error at most {number(max(loss.error, 1e-16))}"
    if loss.method != "exact":
        how = "a certified lower bound"
    said = f"At {'ε1' if candidates else 'ε'} = {shown(epsilon)} the most telling answer counts {least}"
    said += f"{_loss(loss.largest)}{of} ({how})."
    return f"{said} Chances are estimated from {draws:,} draws in each world." if draws else said


def _cells(loss: PrivacyLoss) -> list[str]:
    least = "" if loss.method == "exact" else "≥ "
    ceiling = loss.ceiling
    total = max(loss.delta(0.0), loss.reversed.delta(0.0))
    finite = math.isfinite(ceiling.epsilon)
    most = guess_bound(ceiling.epsilon, ceiling.delta) if finite else 1.0
    return [
        f"{least}{_loss(loss.largest)}" + (f" of {number(ceiling.epsilon)}" if finite else ""),
        f"{least}× {three(math.exp(loss.largest)) if loss.largest < 700 else '∞'}",
        f"{least}{100 * (1 + total) / 2:.3g} of 100",
        f"{100 * most:.3g} of 100",
        f"{least}{_loss(loss.mean)}",
    ]


def _loss(value: float) -> str:
    return three(value) if value > 1e-9 else "0"


def _error(chances: tuple[Chances, Chances]) -> float:
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def _rows(table: pd.DataFrame) -> pd.DataFrame:
    """The items whose chance changes most, by rank."""
    first, second = (table.iloc[:, i] for i in (2, 3))
    return told(table.loc[(first - second).abs().nlargest(30).sort_index().index])


def _most_telling(table: pd.DataFrame) -> pd.DataFrame:
    """The losses that come out most often."""
    return told(table.loc[table["chance"].nlargest(30).sort_index().index])

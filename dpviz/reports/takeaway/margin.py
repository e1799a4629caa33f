"""The steps of Margin, ε by ε: one item of a huge universe, by large margin and by what it is held against."""

import pandas as pd

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each, silent
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.look import Look
from dpviz.charts.margin.margin_items import margin_items
from dpviz.charts.margin.margin_scores import MOST_DRAWN, margin_scores
from dpviz.charts.words import number, of_releases, percent, whole
from dpviz.margin.compared import COMPARED
from dpviz.margin.front_group import front_group
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.one_item import TopOneLaw
from dpviz.reports.takeaway.said import of_data, shown, titled, told
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.pages.margin import Settings, read
from dpviz.studies.scenario import Scenario

__all__ = ["one_item", "one_item_holds"]

_OWN, _RIVAL = "large_margin", "gumbel"
_ITEMS = 20  # rows of the table


def one_item(scenario: Scenario, scores: Scores, *, progress: Progress = silent) -> Takeaway:
    """One item at the δ and in the universe of the scenario's page. Raises `ParameterError` as large margin does."""
    settings, _ = read(scenario, scores)
    values = around(scenario.epsilon)
    good = number(settings.good)
    unlisted = f"; all but the {scores.d:,} listed have score zero" if settings.universe > scores.d else ""
    return Takeaway(
        title=titled(scenario, "one item, by four mechanisms"),
        lead=f"One of {whole(settings.universe)} items at δ = {number(settings.delta)}{unlisted}. {scores.change}",
        moves="Privacy budget ε",
        steps=tuple(_item_at(value, settings, scores, part) for value, part in each(values, progress)),
        start=values.index(scenario.epsilon),
        heads=(
            ("Best item", "comes out"),
            ("Good item", f"at most {good} below the best"),
            ("Unlisted item", "comes out"),
            ("Nothing", "is released"),
        ),
        rows=tuple(COMPARED.label(name) for name in COMPARED),
        charts=("Where the scores drop away", "Which item comes out, by mechanism"),
        note=one_item_holds(scenario, scores),
        moving=(0,),  # the margin goes with 1/ε, far below all scores
    )


def one_item_holds(scenario: Scenario, scores: Scores) -> str:
    """What the file holds of the data, in words."""
    which = f"all {scores.d:,} items" if scores.d <= MOST_DRAWN else f"about {MOST_DRAWN} items, more of the best"
    return of_data(scenario, f"the names and scores of {which}")


def _item_at(epsilon: float, settings: Settings, scores: Scores, progress: Progress) -> Step:
    zeros, laws = settings.universe - scores.d, dict[str, TopOneLaw | str]()
    for name, part in each(list(COMPARED), progress):
        try:
            rule = COMPARED[name].replace(epsilon=epsilon, delta=settings.delta)
            laws[name] = rule.distribution(scores, zeros=zeros, progress=part)
        except ParameterError as err:
            if name == _OWN:
                raise
            laws[name] = f"left out: {err}"
    known = {name: law for name, law in laws.items() if isinstance(law, TopOneLaw)}
    found = front_group(LargeMargin(epsilon=epsilon, delta=settings.delta), scores, zeros=zeros)

    others = (zeros > 0) + any(law.fail > 0 for law in known.values())

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        fall, items = margin_scores(scores, found, known[_OWN], look=look), margin_items(scores, known, look=look)
        return [(fall, told(fall.table)), (items, _few(items.table, others))]

    own, rival = (known[name].near_best(settings.good) for name in (_OWN, _RIVAL))
    said = (
        f"At ε = {shown(epsilon)} large margin gives a good item in {of_releases(own)}, the exponential mechanism in "
        f"{of_releases(rival)} (exact, error at most {number(max(1e-16, *(law.error for law in known.values())))})."
    )
    return step(shown(epsilon), said, [_cells(law, settings.good) for law in laws.values()], draw)


def _cells(law: TopOneLaw | str, good: float) -> list[str]:
    if isinstance(law, str):
        return [law, "", "", ""]
    unlisted, nothing = (percent(p) if p else "0" for p in (law.zero_mass, law.fail))
    return [percent(law.best), percent(law.near_best(good)), unlisted, nothing]


def _few(table: pd.DataFrame, others: int) -> pd.DataFrame:
    """The best items, and the last rows, which are `others` than listed items."""
    listed = len(table) - others
    return told(pd.concat([table.head(min(listed, _ITEMS)), table.iloc[listed:]]))

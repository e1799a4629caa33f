"""The main picture of Explore: the items by name with how often each comes out, and below, all of them by rank."""

from dpviz import charts
from dpviz.studies.scenario import Scenario
from dpviz.ui.explore.before import before
from dpviz.ui.shell.show import show, waiting
from dpviz.ui.work.answer import Answer

__all__ = ["all_scores", "picture"]


def picture(scenario: Scenario, answer: Answer, look: charts.Look, *, playing: bool) -> None:
    """The items by name, with the setting before as a ghost."""
    if answer.inclusion is None or answer.inclusion_bounds is None:
        waiting("The chance of each item")
        return
    ghost = before(scenario, answer, playing=playing)
    chart = charts.item_rows(
        answer.scores,
        answer.inclusion,
        scenario.k,
        bounds=answer.inclusion_bounds,
        before=None if ghost is None else (ghost[0], ghost[1].inclusion),
        look=look,
    )
    show(chart, "scores", brief=True)


def all_scores(scenario: Scenario, answer: Answer, look: charts.Look) -> None:
    """All scores by rank, where the picture has room for some of them only."""
    if answer.inclusion is None or answer.inclusion_bounds is None:
        waiting("The chance of each item")
        return
    bounds = answer.inclusion_bounds
    show(charts.score_bars(answer.scores, answer.inclusion, scenario.k, bounds=bounds, look=look), "all_scores")

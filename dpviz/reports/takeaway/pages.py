"""Every page of which there is a figure to take away: what its slider moves, what the file holds, how it is made.

Invariant: a scenario with its scores or its pool of candidates is all that a figure is made of, so that a page, its
link and a command give the same file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date as Date

from dpviz.base.progress import Progress, rising, silent
from dpviz.base.scores import Scores
from dpviz.reports import shown
from dpviz.reports.takeaway.candidates import chosen_among, chosen_among_holds, chosen_among_moves
from dpviz.reports.takeaway.choices import compared, explored, holds
from dpviz.reports.takeaway.decide import decided, decided_holds
from dpviz.reports.takeaway.gaps import gapped, gapped_holds
from dpviz.reports.takeaway.margin import one_item, one_item_holds
from dpviz.reports.takeaway.neighbours import with_and_without, with_and_without_holds
from dpviz.reports.takeaway.page import File, written
from dpviz.reports.takeaway.steps import Takeaway
from dpviz.studies.about import About, Pair, Shown, about
from dpviz.studies.pages import candidates, decide, gaps, margin, neighbours
from dpviz.studies.pages.candidates import CANDIDATES_PAGE, Pools
from dpviz.studies.scenario import Scenario

__all__ = ["PAGES", "Page", "Subject", "file_of"]


@dataclass(frozen=True, eq=False)
class Subject:
    """What a page shows: a scenario with the scores it is about, or with the pools that candidates come from."""

    scenario: Scenario
    scores: Scores | None = None
    pools: Pools | None = None

    @property
    def known(self) -> Scores:
        """The scores."""
        return self.scenario.load() if self.scores is None else self.scores

    @property
    def among(self) -> Pools:
        """The pools: those of the built-in candidates where none are given."""
        return self.pools or Pools(lambda epsilon: candidates.built_in(self.scenario, epsilon))


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page by its title: how its figure is made and what that holds, what the page says that it shows,
    where that is not the scenario's designs.

    `moves` is what the slider moves, `first` what the page opens on; `among` whether it is about a pool of candidates.
    """

    title: str
    made: Callable[[Subject, Progress], Takeaway]
    holds: Callable[[Subject], str]
    shown: Callable[[Subject], Shown] | None = None
    moves: Callable[[Subject], str] = lambda of: "ε"
    first: Scenario | None = None
    among: Callable[[Scenario], bool] = lambda scenario: False

    def about(self, of: Subject, *, date: Date, link: str = "") -> About:
        """What the page says of itself."""
        scores = None if self.among(of.scenario) else of.known
        return about(self.title, of.scenario, scores, date=date, link=link, shown=self.shown and self.shown(of))


def _candidates_shown(of: Subject) -> Shown:
    page = CANDIDATES_PAGE.on(of.scenario.page)[0]
    return _rule_shown(of, page.view, page.rule)


def _rule_shown(of: Subject, view: str, name: str) -> Shown:
    page, pools = CANDIDATES_PAGE.on(of.scenario.page)[0], of.among
    rule = candidates.rule_on(of.scenario.page, name, candidates.suited_threshold(pools.own))
    return shown.candidates(view, pools.at(page.epsilon1).name, (page.epsilon1, page.delta1), rule)


def _neighbours_shown(of: Subject) -> Shown:
    if not neighbours.among_candidates(of.scenario):
        return shown.neighbours(of.scenario, of.known)
    return _rule_shown(of, "outcome", neighbours.name_on(of.scenario))


def _neighbours(of: Subject, progress: Progress) -> Takeaway:
    among = neighbours.among_candidates(of.scenario)
    scores, pools = (None, of.among) if among else (of.known, None)
    return with_and_without(of.scenario, scores, pools, progress=progress)


def _neighbours_holds(of: Subject) -> str:
    return with_and_without_holds(of.scenario, None if neighbours.among_candidates(of.scenario) else of.known)


def _compared(of: Subject, progress: Progress) -> Takeaway:
    return compared(of.scenario, of.known, str(of.scenario.page.get("event", "")), progress=progress)


PAGES: Mapping[str, Page] = {
    "explore": Page(
        title="Explore",
        made=lambda of, progress: explored(of.scenario, of.known, progress=progress),
        holds=lambda of: holds(of.scenario, of.known, items=True),
    ),
    "compare": Page(title="Compare", made=_compared, holds=lambda of: holds(of.scenario, of.known, items=False)),
    "gaps": Page(
        title="Gaps",
        made=lambda of, progress: gapped(of.scenario, of.known, progress=progress),
        holds=lambda of: gapped_holds(of.scenario, of.known),
        shown=lambda of: shown.gaps(of.scenario, of.known),
        first=gaps.FIRST,
    ),
    "margin": Page(
        title="Margin",
        made=lambda of, progress: one_item(of.scenario, of.known, progress=progress),
        holds=lambda of: one_item_holds(of.scenario, of.known),
        shown=lambda of: shown.margin(of.scenario, of.known),
        first=margin.FIRST,
    ),
    "candidates": Page(
        title="Candidates",
        made=lambda of, progress: chosen_among(of.scenario, of.among, progress=progress),
        holds=lambda of: chosen_among_holds(of.scenario, of.among),
        shown=_candidates_shown,
        moves=lambda of: chosen_among_moves(of.scenario, of.among),
        among=lambda scenario: True,
    ),
    "neighbours": Page(
        title="Neighbours",
        made=_neighbours,
        holds=_neighbours_holds,
        shown=_neighbours_shown,
        moves=lambda of: "ε1 of one run" if neighbours.among_candidates(of.scenario) else "ε",
        first=neighbours.FIRST,
        among=neighbours.among_candidates,
    ),
    "decide": Page(
        title="Decide",
        made=lambda of, progress: decided(of.scenario, of.known, progress=progress),
        holds=lambda of: decided_holds(of.scenario, of.known),
        shown=lambda of: shown.decide(decide.question(of.scenario)),
    ),
}
"""By the name in its address, every page of which there is a figure."""


def file_of(page: Page, of: Subject, rows: tuple[Pair, ...], progress: Progress = silent) -> File:
    """The file of a page's figure; `rows` are what the page says of itself."""
    made, moved = page.made(of, rising(progress)), page.moves(of)
    starts = f"{moved} where the slider starts", made.steps[made.start].value
    return written(made, [starts if what == moved else (what, value) for what, value in rows])

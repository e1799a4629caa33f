"""What a page's view is: its title, what it is made of, what it says that it shows, its figure to take away.

Invariant: a scenario with its scores or its pool of candidates is all that a view is made of, so that a page, its
link, its file and a command say the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date as Date

from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.studies.about import About, Shown, about
from dpviz.studies.pages.candidates.study import Runs
from dpviz.studies.scenario import Scenario
from dpviz.views.common.slider import Takeaway


@dataclass(frozen=True, eq=False)
class Subject:
    """What a page shows: a scenario with the scores it is about, or with the table of runs that it chooses among."""

    scenario: Scenario
    scores: Scores | None = None
    table: Runs | None = None

    @property
    def known(self) -> Scores:
        """The scores."""
        return self.scenario.load() if self.scores is None else self.scores


@dataclass(frozen=True, kw_only=True)
class PageView:
    """A page by its title: its figure with a slider and what that holds of the data.

    `settings` names what it reads off a scenario's page. `shown` is what the page says that it shows, where that is
    not the scenario's designs. `moves` is what the slider moves, `first` what the page opens on; `among` whether it is
    about a pool of candidates.
    """

    title: str
    slider: Callable[[Subject, Progress], Takeaway]
    holds: Callable[[Subject], str]
    settings: tuple[str, ...] = ()
    shown: Callable[[Subject], Shown] | None = None
    moves: Callable[[Subject], str] = lambda of: "ε"
    first: Scenario | None = None
    among: Callable[[Scenario], bool] = lambda scenario: False

    def about(self, of: Subject, *, date: Date, link: str = "") -> About:
        """What the page says of itself."""
        scores = None if self.among(of.scenario) else of.known
        return about(self.title, of.scenario, scores, date=date, link=link, shown=self.shown and self.shown(of))

"""What a page's view is: its title, what it says that it shows, its figure to take away.

Invariant: a scenario with its scores or its pool of candidates is all that a view is made of, so
that a page, its link, its file and a command say the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date as Date

from dpviz.base import Progress
from dpviz.pages.common.epsilon_preview import PreviewSpec
from dpviz.pages.common.slider_file import Takeaway
from dpviz.pages.common.subject import PageSubject
from dpviz.studies import Scenario
from dpviz.studies.provenance import Provenance, ShownMechanism, build_provenance


@dataclass(frozen=True, kw_only=True)
class PageView:
    """A page by its title: its figure with a slider and what that holds of the data.

    `settings` names what it reads off a scenario's page. `shown` is what the page says that it
    shows, where that is not the scenario's designs. `moves` is what the slider moves, `first` what
    the page opens on; `among` whether it is about a pool of candidates. `hand` is how it follows ε
    under the hand.
    """

    title: str
    slider: Callable[[PageSubject, Progress], Takeaway]
    holds: Callable[[PageSubject], str]
    settings: tuple[str, ...] = ()
    shown: Callable[[PageSubject], ShownMechanism] | None = None
    moves: Callable[[PageSubject], str] = lambda of: "ε"
    first: Scenario | None = None
    among: Callable[[Scenario], bool] = lambda scenario: False
    hand: PreviewSpec | None = None

    def provenance(self, of: PageSubject, *, date: Date, link: str = "") -> Provenance:
        """What the page says of itself."""
        scores = None if self.among(of.scenario) else of.loaded_scores
        return build_provenance(
            self.title,
            of.scenario,
            scores,
            date=date,
            link=link,
            shown=self.shown and self.shown(of),
        )

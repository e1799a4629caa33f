"""View of a page, made of a scenario with its scores or pool of candidates alone."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date as Date

from dpviz.base import Progress
from dpviz.pages.common.epsilon_preview import PreviewSpec
from dpviz.pages.common.slider_file import Takeaway
from dpviz.pages.common.subject import PageSubject
from dpviz.studies import Provenance, Scenario, ShownMechanism, build_provenance


@dataclass(frozen=True, kw_only=True)
class PageView:
    """Title of a page, its figure with a slider (`slider`), and what that `holds` of the data.

    `settings`: names of its page parameters. `shown`: mechanism shown in place of the scenario's
    designs. `moves`: name of the slider's quantity. `first`: scenario that the page opens on.
    `among`: the page is about a pool of candidates. `hand`: its preview.
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
        return build_provenance(
            self.title,
            of.scenario,
            None if self.among(of.scenario) else of.loaded_scores,
            date=date,
            link=link,
            shown=self.shown and self.shown(of),
        )

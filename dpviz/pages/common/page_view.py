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
    """A page: its title, figure with a slider, settings and preview.

    `settings` names its page parameters. `describe_settings` is the mechanism shown in place of the
    scenario's designs. `first_scenario` is what the page opens on.
    """

    title: str
    build_takeaway: Callable[[PageSubject, Progress], Takeaway]
    data_disclosure: Callable[[PageSubject], str]
    settings: tuple[str, ...] = ()
    describe_settings: Callable[[PageSubject], ShownMechanism] | None = None
    slider_quantity: Callable[[PageSubject], str] = lambda of: "ε"
    first_scenario: Scenario | None = None
    uses_candidates: Callable[[Scenario], bool] = lambda scenario: False
    preview: PreviewSpec | None = None

    def provenance(self, of: PageSubject, *, date: Date, link: str = "") -> Provenance:
        return build_provenance(
            self.title,
            of.scenario,
            None if self.uses_candidates(of.scenario) else of.loaded_scores,
            date=date,
            link=link,
            shown=self.describe_settings and self.describe_settings(of),
        )

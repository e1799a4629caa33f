"""View of a page, made of a scenario with its scores or pool of candidates alone."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from typing import Any, Protocol

from dpviz.base import Progress, Scores, ignore_progress
from dpviz.charts import LIGHT, Chart, Look
from dpviz.pages.common.slider_file import SliderFigure, browser_chart_data
from dpviz.studies import Provenance, Scenario, ShownMechanism, Study, build_provenance
from dpviz.studies.candidate_runs import CandidateRuns

_POINTED = {"customdata", "hovertemplate", "hoverinfo", "hovertext"}


@dataclass(frozen=True, eq=False)
class PageSubject:
    """A scenario with its scores, or with the table of runs that it chooses among."""

    scenario: Scenario
    scores: Scores | None = None
    table: CandidateRuns | None = None

    @property
    def loaded_scores(self) -> Scores:
        return self.scenario.load() if self.scores is None else self.scores


# ---- headline figures ----------------------------------------------------------------------------


class FigureSource(Protocol):
    @property
    def method(self) -> str:
        """ "exact" or "estimated"."""

    @property
    def error(self) -> float:
        """A bound on the error of any figure."""


@dataclass(frozen=True)
class ExactSource:
    error: float
    method: str = "exact"


@dataclass(frozen=True)
class SimulatedSource:
    """A source that draws releases, with the 95 % interval in words."""

    draws: int
    interval: str
    error: float = math.inf
    method: str = "estimated"


@dataclass(frozen=True)
class Headline:
    """A figure with its name, meaning and source; without a value it is still computed.

    `remark`: how the figure came about. `of`: what it is out of, in small type.
    """

    name: str
    value: str | None
    meaning: str
    source: FigureSource | None = None
    remark: str = ""
    of: str = ""


# ---- the page while ε is dragged -----------------------------------------------------------------

PreviewText = str | Sequence[str | tuple[int, str]]
"""A text, or its parts; a design is a part with its number and label."""


def headline_texts_by_live_name(headlines: Sequence[Headline]) -> dict[str, PreviewText]:
    parts = {"figure": "value", "of": "of", "meaning": "meaning"}
    return {
        f"{place}-{n}": getattr(one, name) or ""
        for n, one in enumerate(headlines)
        for place, name in parts.items()
    }


@dataclass(frozen=True)
class PreviewRequest:
    look: Look = LIGHT
    progress: Progress = ignore_progress
    reused_studies: Sequence[Any] = ()


@dataclass(frozen=True, kw_only=True)
class PagePreview:
    """A page at one ε: texts by place, charts by name, `lead` aloud, and `height` from 0 to 1."""

    texts: Mapping[str, PreviewText]
    charts: Mapping[str, Chart]
    lead: str
    height: float

    @property
    def browser_data(self) -> dict[str, Any]:
        """JSON data for the browser, without what only a pointer would show."""
        return {
            "said": dict(self.texts),
            "charts": {
                name: _still(browser_chart_data(chart)) for name, chart in self.charts.items()
            },
            "says": self.lead,
            "height": round(self.height, 4),
        }


def _still(drawn: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": [
            {name: value for name, value in trace.items() if name not in _POINTED}
            for trace in drawn["data"]
        ],
        "layout": drawn["layout"],
        "says": drawn["says"],
    }


# ---- the page ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PageView:
    """A page: its title, figure with a slider, settings, and preview while its ε is dragged.

    `describe_settings` is the mechanism shown in place of the scenario's designs.
    `build_slider_preview` shows the page at another ε within `preview_range`; None: it does not
    follow ε. `reused_studies` do not depend on ε. `seeded`: the scenario's seed draws something
    shown. `is_costly`: fewer values are computed. `has_quick_preview`: values are computed for
    large data too. `parameter_name` is the scenario's ε or one of the page's, with a getter and a
    setter.
    """

    title: str
    build_slider_figure: Callable[[PageSubject, Progress], SliderFigure]
    file_disclosure: Callable[[PageSubject], str]
    settings: tuple[str, ...] = ()
    describe_settings: Callable[[PageSubject], ShownMechanism] | None = None
    slider_quantity: Callable[[PageSubject], str] = lambda subject: "ε"
    first_scenario: Scenario | None = None
    uses_candidates: Callable[[Scenario], bool] | None = None
    build_slider_preview: Callable[[PageSubject, float, PreviewRequest], PagePreview] | None = None
    preview_range: Callable[[PageSubject], tuple[float, float] | None] | None = None
    reused_studies: Callable[[PageSubject], Sequence[Study]] | None = None
    seeded: bool = False
    is_costly: bool = False
    has_quick_preview: Callable[[PageSubject], bool] | None = None
    range_note: str = "The slider covers the values that matter for these data."
    parameter_name: str = "epsilon"
    current_value: Callable[[PageSubject], float] = lambda subject: subject.scenario.epsilon
    scenario_at_value: Callable[[PageSubject, float], Scenario] = lambda subject, epsilon: (
        subject.scenario.replace(epsilon=epsilon)
    )

    def provenance(self, subject: PageSubject, *, date: Date, link: str = "") -> Provenance:
        pooled = self.uses_candidates is not None and self.uses_candidates(subject.scenario)
        return build_provenance(
            self.title,
            subject.scenario,
            None if pooled else subject.loaded_scores,
            date=date,
            link=link,
            shown_mechanism=self.describe_settings and self.describe_settings(subject),
        )

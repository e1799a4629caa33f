"""Preview of a page while ε is dragged: its own texts and charts at other values of ε."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.base import Progress, ignore_progress
from dpviz.charts import LIGHT, Chart, Look
from dpviz.pages.common.slider_file import browser_chart
from dpviz.pages.common.subject import Headline, PageSubject
from dpviz.studies import Scenario, Study

_POINTED = {"customdata", "hovertemplate", "hoverinfo", "hovertext"}


PreviewText = str | Sequence[str | tuple[int, str]]
"""A text, or its parts; a design is a part with its number and label."""


@dataclass(frozen=True)
class PreviewRequest:
    """Look, progress and the page's studies for a preview."""

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
        """JSON data for the browser."""
        return {
            "said": dict(self.texts),
            "charts": {name: _still(browser_chart(chart)) for name, chart in self.charts.items()},
            "says": self.lead,
            "height": round(self.height, 4),
        }


def _still(drawn: dict[str, Any]) -> dict[str, Any]:
    """A chart without the data that only a pointer would show."""
    return {
        "data": [
            {name: value for name, value in trace.items() if name not in _POINTED}
            for trace in drawn["data"]
        ],
        "layout": drawn["layout"],
        "says": drawn["says"],
    }


@dataclass(frozen=True)
class PreviewSpec:
    """Preview of a page at another ε: its builder, and the range of ε (None: it does not follow ε).

    `reused_studies` do not depend on ε. `seeded`: the scenario's seed draws something shown.
    `is_costly`: fewer values are computed. `has_quick_preview`: values are computed for large data
    too. `parameter_name` is the scenario's ε or one of the page's, with a getter and a setter.
    `range_note` says why the slider ends where it does.
    """

    build_preview: Callable[[PageSubject, float, PreviewRequest], PagePreview]
    preview_range: Callable[[PageSubject], tuple[float, float] | None]
    reused_studies: Callable[[PageSubject], Sequence[Study]] = lambda of: ()
    seeded: bool = False
    is_costly: bool = False
    has_quick_preview: Callable[[PageSubject], bool] = lambda of: False
    range_note: str = "The slider covers the values that matter for these data."
    parameter_name: str = "epsilon"
    current_value: Callable[[PageSubject], float] = lambda of: of.scenario.epsilon
    scenario_at_value: Callable[[PageSubject, float], Scenario] = lambda of, epsilon: (
        of.scenario.replace(epsilon=epsilon)
    )


def headline_texts_by_place(headlines: Sequence[Headline]) -> dict[str, PreviewText]:
    """Texts of the headline figures, by place."""
    parts = {"figure": "value", "of": "of", "meaning": "meaning"}
    return {
        f"{place}-{n}": getattr(one, name) or ""
        for n, one in enumerate(headlines)
        for place, name in parts.items()
    }


def nearest_first(values: Sequence[float], value: float) -> list[float]:
    """The positive `values`, ordered by their steps away from `value`.

    >>> nearest_first([1.0, 2.0, 4.0, 8.0], 2.0)
    [2.0, 1.0, 4.0, 8.0]
    """
    at = min(range(len(values)), key=lambda i: abs(values[i] - value))
    return [values[i] for i in sorted(range(len(values)), key=lambda i: (abs(i - at), i))]

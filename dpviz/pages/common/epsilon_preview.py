"""How a page follows ε while it is under the hand: what it says and shows at a step, and how the
browser gets that.

It is the page's own words and charts that are made for each step, so that what follows the hand is
what the page shows once it is let go of; a chart is packed as in a file with a slider.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.base import Progress, ignore_progress
from dpviz.charts import LIGHT, Chart, Look
from dpviz.pages.common.slider_file import browser_chart
from dpviz.pages.common.subject import Headline, PageSubject
from dpviz.studies import Scenario, Study

_POINTED = {"customdata", "hovertemplate", "hoverinfo", "hovertext"}


Said = str | Sequence[str | tuple[int, str]]
"""A text, or its parts, of which a design is a number and a label."""


@dataclass(frozen=True)
class PreviewRequest:
    """How a step is asked for: in which look, with what the page has of the studies that the step
    uses.
    """

    look: Look = LIGHT
    progress: Progress = ignore_progress
    uses: Sequence[Any] = ()


@dataclass(frozen=True, kw_only=True)
class PagePreview:
    """A page at an ε: its texts by their places, its charts by their names, and the `lead`, which
    says it aloud.

    `height` is how high the answer's curve stands, from 0 to 1.
    """

    said: Mapping[str, Said]
    charts: Mapping[str, Chart]
    lead: str
    height: float

    @property
    def browser_data(self) -> dict[str, Any]:
        """As the browser gets it."""
        charts = {name: _still(browser_chart(chart)) for name, chart in self.charts.items()}
        return {
            "said": dict(self.said),
            "charts": charts,
            "says": self.lead,
            "height": round(self.height, 4),
        }


def _still(drawn: dict[str, Any]) -> dict[str, Any]:
    """Without what only a pointer over the chart would show."""
    traces = [
        {name: value for name, value in trace.items() if name not in _POINTED}
        for trace in drawn["data"]
    ]
    return {"data": traces, "layout": drawn["layout"], "says": drawn["says"]}


@dataclass(frozen=True)
class PreviewSpec:
    """What a page shows at another ε, and where something happens on these data: nowhere for one
    that does not follow.

    `uses` are studies that the page computes anyway, which do not depend on the ε of now. One that
    is `seeded` shows what the scenario's seed draws; where steps are `dear` there are fewer of
    them. `moves` is what the stage calls the budget: the scenario's ε, or one of the page's, of
    which `value` reads what it is and `at` gives the scenario with another. Pages on very much do
    not follow, as each step would take long or much memory, but where steps are `quick` there too.
    """

    step: Callable[[PageSubject, float, PreviewRequest], PagePreview]
    reach: Callable[[PageSubject], tuple[float, float] | None]
    uses: Callable[[PageSubject], Sequence[Study]] = lambda of: ()
    seeded: bool = False
    dear: bool = False
    quick: Callable[[PageSubject], bool] = lambda of: False
    moves: str = "epsilon"
    value: Callable[[PageSubject], float] = lambda of: of.scenario.epsilon
    at: Callable[[PageSubject, float], Scenario] = lambda of, epsilon: of.scenario.replace(
        epsilon=epsilon
    )


def headline_texts(headlines: Sequence[Headline]) -> dict[str, Said]:
    """What the headline figures say, by their places."""
    parts = {"figure": "value", "of": "of", "meaning": "meaning"}
    return {
        f"{place}-{n}": getattr(one, name) or ""
        for n, one in enumerate(headlines)
        for place, name in parts.items()
    }


def nearest_first(values: Sequence[float], value: float) -> list[float]:
    """The positive `values`, those first that are the fewest steps away from `value`.

    >>> nearest_first([1.0, 2.0, 4.0, 8.0], 2.0)
    [2.0, 1.0, 4.0, 8.0]
    """
    at = min(range(len(values)), key=lambda i: abs(values[i] - value))
    return [values[i] for i in sorted(range(len(values)), key=lambda i: (abs(i - at), i))]

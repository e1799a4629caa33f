"""What the page Explore adds to the scenario: the goal, what the colour shows, the class looked at, the draws."""

from dataclasses import dataclass

from dpviz import charts
from dpviz.base.parameters import parameter
from dpviz.ui.shell import state
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["PAGE", "ExploreParameters", "asked_for"]


@dataclass(frozen=True, kw_only=True)
class ExploreParameters:
    """The class (h,t) is brought into what exists; `draws` of anything but 1 and 100 counts as none.

    The goal: `at_least` of the k that come out are right (0: nine of ten) in a share `sure` of releases.
    """

    measure: str = parameter(next(iter(charts.MEASURES)), choices=charts.MEASURES, label="The colour shows")
    h: int = parameter(0, integer=True, label="h")
    t: int = parameter(0, integer=True, label="t")
    draws: int = parameter(0, integer=True, label="Releases drawn")
    at_least: int = parameter(0, low=0, integer=True, label="At least so many are right")
    sure: float = parameter(0.9, low=0.01, high=0.999, label="in so many releases")


PAGE = PageParameters(ExploreParameters)


def asked_for(*names: str) -> bool:
    """Whether the scenario, a link perhaps, says something of one of these."""
    return any(name in state.scenario().page for name in names)

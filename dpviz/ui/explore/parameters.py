"""What the page Explore adds to the scenario: what the colour shows, the class looked at, the releases drawn."""

from dataclasses import dataclass

from dpviz import charts
from dpviz.base.parameters import parameter
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["PAGE", "ExploreParameters"]


@dataclass(frozen=True, kw_only=True)
class ExploreParameters:
    """The class (h,t) is brought into what exists; `draws` of anything but 1 and 100 counts as none."""

    measure: str = parameter(next(iter(charts.MEASURES)), choices=charts.MEASURES, label="The colour shows")
    h: int = parameter(0, integer=True, label="h")
    t: int = parameter(0, integer=True, label="t")
    draws: int = parameter(0, integer=True, label="Releases drawn")


PAGE = PageParameters(ExploreParameters)

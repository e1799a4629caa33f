"""What the page Compare adds to the scenario: the figure that curves and goals are about, the papers' bounds."""

from dataclasses import dataclass

from dpviz.base.parameters import parameter
from dpviz.topk.classes import EVENTS
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["PAGE", "CompareParameters"]


@dataclass(frozen=True, kw_only=True)
class CompareParameters:
    """Where scores tie and no figure is asked for, OPTIMAL is what one would mean."""

    event: str = parameter("top", choices=EVENTS, label="Figure")
    bounds: bool = parameter(False, label="The papers' bounds")


PAGE = PageParameters(CompareParameters)

"""Pictures of results, drawn by modules that `dpviz` names by `set_plotting_modules`."""

from importlib import import_module
from types import ModuleType
from typing import Any, Literal, TypeAlias

LookName: TypeAlias = Literal["light", "dark"]

_drawers: list[str] = []


def set_plotting_modules(pictures: str, live_figures: str) -> None:
    _drawers[:] = [pictures, live_figures]


def live_figures_module() -> ModuleType:
    """The module that draws live figures."""
    return import_module(_drawers[1])


def plot(result: Any, show: str | None = None, *, look: LookName = "light") -> Any:
    """Draw the app's picture of a result.

    Parameters
    ----------
    result
        A law of items, a privacy loss, curves, a decision, or the table of a sweep.
    show
        One of its pictures: of a law of k items "items", "hits" or "classes"; of a privacy loss
        "loss", "delta" or "trade_off"; of a table of a sweep "epsilon" or "k", whichever it goes
        over. None for the first.
    look
        "light" or "dark".

    Returns
    -------
    plotly.graph_objects.Figure
        The figure, which a notebook shows; it has `write_html` and `update_layout`.

    Raises
    ------
    ParameterError
        For a result that has no picture, or not this one.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> law = Canonical(epsilon=1.0, k=1).distribution(Scores({"lake": 14.0, "zoo": 12.0}))
    >>> type(plot(law)).__name__, law.plot("hits").layout.xaxis.title.text
    ('Figure', 'right items of 1')
    """
    return import_module(_drawers[0]).plot_result(result, show, look)


class Plottable:
    """Base of results that have a picture."""

    __slots__ = ()

    def plot(self, show: str | None = None, *, look: LookName = "light") -> Any:
        """Draw the app's picture of it.

        Parameters
        ----------
        show
            One of its pictures, see `dpviz.plot`; None for the first.
        look
            "light" or "dark".

        Returns
        -------
        plotly.graph_objects.Figure
            The figure, which a notebook shows.
        """
        return plot(self, show, look=look)

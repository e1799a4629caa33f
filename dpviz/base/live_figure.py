"""Live figures of results: a picture with an ε slider, for notebooks, pages and files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.base.files import write_atomically
from dpviz.base.html import markup
from dpviz.base.plotting import live_figures_module
from dpviz.base.progress import Progress, ignore_progress

_FIRST_HEIGHT = 1200  # pixels, until the frame says its own


@dataclass(frozen=True, repr=False)
class LiveFigure:
    """A figure with an ε slider: a notebook shows it, `save` makes a file of it.

    It asks no other host for anything. In a notebook its frame follows the light or dark page.

    Parameters
    ----------
    title
        Title of the figure.
    html
        The whole page with plotly's script, to be read without a network.
    html_without_plotly
        The same page without the script.
    own_plotly
        False if the frame takes plotly's script from another live figure on the same page.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> law = Canonical(epsilon=1.0, k=1).distribution(Scores({"lake": 14.0, "zoo": 12.0}))
    >>> figure = law.live()
    >>> figure.size < 60_000, figure.plotly_size < 2_000_000
    (True, True)
    """

    title: str
    html: str
    html_without_plotly: str
    own_plotly: bool = True

    @property
    def size(self) -> int:
        """Bytes of the figure beside plotly's script."""
        return len(self.html_without_plotly.encode())

    @property
    def plotly_size(self) -> int:
        """Bytes of plotly's script in a file, and in a frame that has its own."""
        return len(self.html.encode()) - self.size

    def save(self, path: str | Path) -> None:
        """Write the figure to an HTML file that works without a server or a network.

        Parameters
        ----------
        path
            The file, such as "figure.html".
        """
        write_atomically(Path(path), self.html.encode())

    def _repr_html_(self) -> str:
        frame = '<iframe title="{}" srcdoc="{}" style="width:100%;height:{}px;border:0"></iframe>'
        page = self.html if self.own_plotly else self.html_without_plotly
        return str(markup(frame, self.title, page, _FIRST_HEIGHT))

    def __repr__(self) -> str:
        plotly = f"{self.plotly_size / 1e3:,.0f} kB of plotly's script"
        whose = f"and {plotly}" if self.own_plotly else f"and in a file {plotly}"
        return f"LiveFigure({self.title!r}, {self.size / 1e3:.0f} kB {whose})"


def draw_live_figure(
    result: Any, *settings: Any, own_plotly: bool, progress: Progress
) -> LiveFigure:
    """The live figure of a result; what else it needs is in `settings`."""
    figure: LiveFigure = live_figures_module().live_figure(
        result, *settings, own_plotly=own_plotly, progress=progress
    )
    return figure


class LiveResult:
    """Base of results that have a figure with an ε slider."""

    __slots__ = ()

    def live(self, *, own_plotly: bool = True, progress: Progress = ignore_progress) -> LiveFigure:
        """A figure with an ε slider, for a notebook, a page or a file.

        Parameters
        ----------
        own_plotly
            False if the figure takes plotly's script from another live figure on the same page.
        progress
            Called with the fraction done; may raise `Cancelled`.

        Returns
        -------
        LiveFigure
            The figure; see its `save` and `html`.

        Examples
        --------
        >>> from dpviz import Canonical, Scores
        >>> Canonical(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).live().title
        'The best 1 of 2: effect of ε'
        """
        return draw_live_figure(self, own_plotly=own_plotly, progress=progress)

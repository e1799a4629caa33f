"""Chart: what every chart function returns.

Invariants: charts compute nothing, they turn arrays into a figure; each has an alternative text, one
sentence that says how to read it, one that says what it shows now, and the table behind it, which is made when
it is asked for: on a page it mostly stays folded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape

import pandas as pd
import plotly.io

from dpviz.charts.figure import Figure

__all__ = ["Chart"]


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure with the words and the table that go with it."""

    figure: Figure
    alt: str
    how_to_read: str
    says_now: str
    make_table: Callable[[], pd.DataFrame]

    @cached_property
    def table(self) -> pd.DataFrame:
        """The numbers behind the figure."""
        return self.make_table()

    def html(self, title: str) -> str:
        """A page of its own with the words and plotly inside, for use without a network; about 5 MB."""
        text: str = plotly.io.to_html(
            self.figure.data,
            validate=False,
            include_plotlyjs=True,
            include_mathjax=False,
            full_html=True,
            default_width="100%",
            default_height="80vh",
            config={"displaylogo": False},
        )
        look = self.figure.layout["template"]["layout"]
        style = (
            f"body {{ background: {look['paper_bgcolor']}; color: {look['font']['color']}; "
            "font-family: 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif; margin: 2rem }"
        )
        words = "".join(f"<p>{escape(sentence)}</p>" for sentence in (self.says_now, self.how_to_read))
        start, _, end = text.rpartition("</body>")
        return f"{start}{words}</body>{end}".replace(
            "<head>", f"<head><title>{escape(title)}</title><style>{style}</style>", 1
        )

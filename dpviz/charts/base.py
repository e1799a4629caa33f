"""Chart: what every chart function returns.

Invariants: charts compute nothing, they turn arrays into a figure; each has an alternative text, one
sentence that says how to read it, one that says what it shows now, and the table behind it.
"""

from dataclasses import dataclass
from html import escape

import pandas as pd
import plotly.graph_objects as go

__all__ = ["Chart"]


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure with the words and the table that go with it."""

    figure: go.Figure
    alt: str
    how_to_read: str
    says_now: str
    table: pd.DataFrame

    def html(self, title: str, *, paper: str = "#ffffff") -> str:
        """A page of its own with plotly inside, for use without a network; about 5 MB."""
        figure = go.Figure(self.figure).update_layout(paper_bgcolor=paper, margin={"l": 48, "r": 48, "t": 48, "b": 48})
        text: str = figure.to_html(
            include_plotlyjs=True,
            include_mathjax=False,
            full_html=True,
            default_width="100%",
            default_height="90vh",
            config={"displaylogo": False},
        )
        return text.replace("<head>", f"<head><title>{escape(title)}</title>", 1)

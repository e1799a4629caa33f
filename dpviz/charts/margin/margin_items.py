"""Which item comes out, by rule: one panel a rule, one row an item, the rest folded into rows of their own.

Invariants: every panel has the same rows and the same axis, and its bars add up to 1; what is folded says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base.arrays import Ints
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, STACKED, Look
from dpviz.charts.words import count, label, of_releases, percent, trimmed
from dpviz.margin.compared import COMPARED
from dpviz.margin.one_item import TopOneLaw

__all__ = ["guarantee", "margin_items"]

_ROWS = 7
_BETWEEN = 0.05
_LONGEST = 30
_LONGEST_TOLD = 100  # on hover
_TABLE = 100_000  # items
_LEAST = 1e-3  # a chance below this has no figure beside its bar
NOTHING = "nothing is released"


@dataclass(frozen=True)
class _Rows:
    """The rows: the best items, then what is folded; `top` are item indices by rank."""

    top: Ints
    names: list[str]
    full: list[str]


def guarantee(name: str) -> str:
    """What the rule with this name guarantees, in the field's short form."""
    return "ε-DP" if COMPARED[name].pure else "(ε, δ)-DP"


def margin_items(scores: Scores, laws: Mapping[str, TopOneLaw], *, look: Look = LIGHT) -> Chart:
    """`laws` by the name of their rule, all with the same unlisted items."""
    zeros = next(iter(laws.values())).zeros
    top = scores.order[: min(_ROWS, scores.d)]
    names = [label(scores.label(int(i)), _LONGEST) for i in top]
    others = scores.d - len(top)
    if others:
        names.append(count(others, "other listed item"))
    if zeros:
        names.append(count(zeros, "unlisted item"))
    if any(law.fail > 0 for law in laws.values()):
        names.append(NOTHING)
    full = [label(scores.label(int(i)), _LONGEST_TOLD) for i in top]
    rows = _Rows(top, names, [*full, *names[len(full) :]])
    shares = {name: _shares(law, rows, bool(others), bool(zeros)) for name, law in laws.items()}
    return Chart(
        figure=_figure(shares, rows, look),
        alt=(
            f"Bars of the chance of each of the best {count(len(top), 'item')} and of the rest, for "
            f"{', '.join(COMPARED.label(name) for name in laws)}. {_says_now(laws)}"
        ),
        how_to_read=(
            "A panel is a mechanism, a row an item, the best on top; each panel adds up to 100 %, and no figure means "
            "less than 0.1 %. ε-DP limits how much one person changes any chance by a factor of e^ε; (ε, δ)-DP lets it "
            "change by δ more, and only such mechanisms can do without the size of the universe."
            + (f" The table has the best {_TABLE:,} items." if scores.d > _TABLE else "")
        ),
        says_now=_says_now(laws),
        make_table=lambda: _table(scores, laws),
    )


def _shares(law: TopOneLaw, rows: _Rows, others: bool, zeros: bool) -> list[float]:
    shares: list[float] = law.inclusion[rows.top].tolist()
    if others:
        shares.append(max(0.0, float(law.inclusion.sum()) - sum(shares)))
    if zeros:
        shares.append(law.zero_mass)
    if rows.names[-1] == NOTHING:
        shares.append(law.fail)
    return shares


def _figure(shares: Mapping[str, list[float]], rows: _Rows, look: Look) -> Figure:
    across = len(shares)
    wide = (1 - _BETWEEN * (across - 1)) / across
    place = np.arange(len(rows.names), dtype=float)
    place[len(rows.top) :] += 0.45  # what is folded stands a little apart
    colours = [look.categories[0] if r < len(rows.top) else look.muted for r in range(len(rows.names))]
    bars, titles, axes = [], [], {}
    for i, (name, values) in enumerate(shares.items()):
        at = "" if i == 0 else str(i + 1)
        start = i * (wide + _BETWEEN)
        bars.append(
            {
                "type": "bar",
                "x": np.asarray(values, np.float32),
                "y": place,
                "orientation": "h",
                "width": 0.62,
                "marker": {"color": colours, "line": {"width": 0}},
                "text": [percent(value) if value >= _LEAST else "" for value in values],
                "textposition": "outside",
                "cliponaxis": False,
                "textfont": {"color": look.ink, "size": 0.92 * look.size},
                "customdata": [f"{row}<br><b>{percent(p)}</b>" for row, p in zip(rows.full, values, strict=True)],
                "hovertemplate": "%{customdata} of releases<extra>" + COMPARED.label(name) + "</extra>",
                "xaxis": f"x{at}",
                "yaxis": "y",
                "showlegend": False,
            }
        )
        titles.append(
            {
                "x": start,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "yshift": 8,
                "showarrow": False,
                "align": "left",
                "text": f"<b>{COMPARED.label(name)}</b><br>{guarantee(name)}",
                "font": {"color": look.ink, "size": look.size},
            }
        )
        axes[f"xaxis{at}"] = {
            "domain": [start, start + wide],
            "range": [0, 1.42],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["0", "50 %", "100 %"],
            "fixedrange": True,
            "anchor": "y",
        }
    longest = max(len(trimmed(name, _LONGEST)) for name in rows.names)
    layout = {
        "template": look.template,
        "meta": STACKED,
        "height": round((90 + 27 * (len(rows.names) + 0.5)) * look.scale + 30),
        "margin": {"l": (0.54 * longest + 1.2) * look.size, "t": 4.6 * look.size, "r": 8, "b": 2.6 * look.size},
        "yaxis": {
            "range": [place[-1] + 0.6, -0.6],
            "tickvals": place,
            "ticktext": rows.names,
            "tickfont": {"color": look.ink},
            "ticklabelstandoff": 6,
            "showgrid": False,
            "fixedrange": True,
        },
        "annotations": titles,
        **axes,
    }
    figure = Figure(bars)
    figure.update_layout(**layout)
    return figure


def _says_now(laws: Mapping[str, TopOneLaw]) -> str:
    chances = [f"{COMPARED.label(name)}: {of_releases(law.best)}" for name, law in laws.items()]
    return "How often the best item comes out. " + " · ".join(chances) + "."


def _table(scores: Scores, laws: Mapping[str, TopOneLaw]) -> pd.DataFrame:
    order = scores.order[:_TABLE]
    items = [scores.label(int(i)) for i in order]
    columns: dict[str, object] = {
        "item": [*items, "all unlisted items", NOTHING],
        "score": [*scores.values[order].tolist(), 0.0, np.nan],
    }
    for name, law in laws.items():
        columns[COMPARED.label(name)] = [*law.inclusion[order].tolist(), law.zero_mass, law.fail]
    table = pd.DataFrame(columns)
    kept = np.ones(len(table), bool)
    kept[-2] = next(iter(laws.values())).zeros > 0
    kept[-1] = any(law.fail > 0 for law in laws.values())
    return table[kept].reset_index(drop=True)

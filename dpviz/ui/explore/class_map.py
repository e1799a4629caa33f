"""The (h,t) heatmap on a page: choose what it shows, click a cell or type its h and t, see what is in it."""

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.charts.words import count, number, percent, power
from dpviz.topk.grid import Grid
from dpviz.topk.inspection import ClassDetails, grid_loss, inspect_class
from dpviz.ui.explore.parameters import PAGE
from dpviz.ui.shell import state
from dpviz.ui.shell.click import clicked_cell
from dpviz.ui.shell.controls import number_box
from dpviz.ui.shell.explain import explain, term
from dpviz.ui.shell.show import show, waiting
from dpviz.ui.shell.text import bidi, plain
from dpviz.ui.work.answer import Answer

__all__ = ["class_map"]

_REGIONS = ("top", "great", "good")
_CHART = "classes"
_LISTED = 12  # items of a set that are spelled out before "and so on"
_LN10 = float(np.log(10.0))


def class_map(answer: Answer, look: charts.Look) -> None:
    """The heatmap with its switch and, beside it, one class looked at closely."""
    st.html(
        f'<p class="dp-says">A list is told by two numbers: its {term("h")}, how many of the best are all in, and its '
        f"{term('t')}, the rank of the worst that is in.</p>"
    )
    grid = answer.grid
    if grid is None:
        waiting("The heatmap")
        return
    loss = grid_loss(answer.mechanism, answer.scores, grid)
    measures = [name for name in charts.MEASURES if loss is not None or not charts.MEASURES[name].needs_loss]
    chosen = PAGE.read()[0].measure
    chosen = chosen if chosen in measures else measures[0]
    _take_click(grid)
    h, t = _class(answer, grid)
    left, right = st.columns([2.4, 1], gap="large")
    with left:
        PAGE.switch("measure", "The colour shows", charts.MEASURES.label, chosen, options=measures)
        regions = {name: answer.bounds(name) for name in _REGIONS}
        chart = charts.class_heatmap(
            grid,
            regions,
            measure=chosen,
            loss=loss,
            chosen=(h, t),
            digits=3 if answer.method == "exact" else 2,
            look=look,
        )
        show(chart, _CHART)
    with right:
        _inspector(answer, h, t)
    explain("utility_class", "h", "t", "loss")
    state.write_link()


def _take_click(grid: Grid) -> None:
    """A click on a cell chooses the class in its middle."""
    cell = clicked_cell(_CHART, "class_click")
    if cell is None:
        return
    column = int(np.clip(np.searchsorted(grid.t_edges - 0.5, cell[0], side="right") - 1, 0, len(grid.t_edges) - 2))
    row = int(np.clip(np.searchsorted(grid.h_edges - 0.5, cell[1], side="right") - 1, 0, len(grid.h_edges) - 2))
    t = (int(grid.t_edges[column]) + int(grid.t_edges[column + 1]) - 1) // 2
    h = (int(grid.h_edges[row]) + int(grid.h_edges[row + 1]) - 1) // 2
    PAGE.change(h=h, t=t)


def _class(answer: Answer, grid: Grid) -> tuple[int, int]:
    """The class that is looked at: the one chosen, as far as it still exists, else the likeliest cell's."""
    k, d = answer.mechanism.k, answer.scores.d
    row, column = np.unravel_index(int(np.argmax(grid.mass)), grid.mass.shape)
    usual = {"h": {"default": int(grid.h_edges[row + 1]) - 1}, "t": {"default": int(grid.t_edges[column])}}
    chosen = PAGE.suited(**usual).read()[0]
    h, t = min(max(chosen.h, 0), k - 1), min(max(chosen.t, k), d)
    return (h, t) if t > k else (k - 1, k)


def _inspector(answer: Answer, h: int, t: int) -> None:
    k, d = answer.mechanism.k, answer.scores.d
    st.html('<h3 class="dp-side">One cell, closely</h3><p class="dp-note">Click a cell, or type its h and t.</p>')
    boxes = st.columns(2)
    with boxes[0]:
        number_box("h", h, lambda h: _choose_class(k, h, t, "h"), "class_h", low=0, high=k - 1, why=f", as k is {k:,}")
    with boxes[1]:
        number_box(
            "t", t, lambda t: _choose_class(k, h, t, "t"), "class_t", low=k, high=d,
            why=f", as {k:,} of {d:,} items come out",
        )  # fmt: skip
    dist = answer.distribution
    if dist is None:
        waiting("This cell")
        return
    try:
        details = inspect_class(dist, h, t, rng=np.random.default_rng(state.scenario().seed))
    except ParameterError as err:
        st.error(plain(str(err)))
        return
    st.html(_facts(details, answer) + _members(details, answer))


def _choose_class(k: int, h: int, t: int, typed: str) -> None:
    """Both at once; the exact top k is the only answer whose worst rank is k."""
    if t == k and h != k - 1:
        h, t = (h, k + 1) if typed == "h" else (k - 1, k)
    PAGE.change(h=h, t=t)


def _facts(details: ClassDetails, answer: Answer) -> str:
    k = answer.mechanism.k
    shown = _class_chance(details.probability, answer)
    rows = [
        ("sets in it", "1" if details.t == k else power(details.log_size / _LN10)),
        ("chance", f"{shown} · {answer.method}"),
    ]
    if details.loss is not None:
        rows.append((term("loss"), number(details.loss)))
    meaning = (
        f"The exact top {k:,}."
        if details.t == k
        else _head(details.h) + f", rank {details.h + 1:,} is missing, and the worst item in it has rank {details.t:,}."
    )
    facts = "".join(f'<div class="dp-row"><span>{name}</span>{value}</div>' for name, value in rows)
    return f'<p class="dp-set">{meaning}</p>{facts}'


def _class_chance(p: float, answer: Answer) -> str:
    """The chance of a class, as far as it is known."""
    dist = answer.distribution
    if dist is not None and dist.draws:
        low, high = dist.bounds(np.array(p))
        return percent(p, float(low), float(high))
    if p <= max(answer.error, 1e-12):
        return "too small to tell from rounding"
    return percent(p) if p >= 0.001 else f"{percent(p)} ({power(float(np.log10(p)))})"


def _head(h: int) -> str:
    return {0: "None of the best is sure to be in", 1: "The best item is in"}.get(h, f"The best {h:,} are all in")


def _members(details: ClassDetails, answer: Answer) -> str:
    scores, k = answer.scores, answer.mechanism.k
    one = len(details.members) == 1
    out = '<h3 class="dp-side dp-next">' + ("The set, with ranks" if one else "Some of its sets, with ranks") + "</h3>"
    for row, log_p in zip(details.members, details.log_member.tolist(), strict=True):
        out += f'<p class="dp-set">{_spelled(row.tolist(), details, scores, k)}<br><small>'
        out += f"{_chance(log_p, estimated=answer.method == 'estimated')}</small></p>"
    return out


def _chance(log_p: float, *, estimated: bool) -> str:
    """The chance of one particular set, as a person would say it."""
    if log_p == -np.inf:
        return "this very set: not among the draws" if estimated else "this very set: never"
    if log_p > np.log(0.01):
        return f"this very set: {percent(float(np.exp(log_p)))}"
    return f"this very set: 1 in {power(-log_p / _LN10)} releases"


def _spelled(items: list[int], details: ClassDetails, scores: Scores, k: int) -> str:
    """The items of a set that make it what it is: the head in short, then what comes after it."""
    head = 0 if details.t == k or len(items) <= _LISTED else details.h
    rest = items[head:]
    named = [f"{bidi(scores.label(i))} <small>({int(scores.rank[i]) + 1:,})</small>" for i in rest]
    if len(named) > _LISTED:
        kept = named[: _LISTED - 1]
        named = [*kept, f"… {count(len(named) - len(kept) - 1, 'more item')} …", named[-1]]
    start = [f"ranks 1 to {head:,}"] if head else []
    return " · ".join(start + named)

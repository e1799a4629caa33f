"""Every kind of answer: the (h,t) heatmap, and beside it the details of one class."""

from functools import partial

import numpy as np
import streamlit as st

from dpviz.base import Markup, ParameterError, join_markup, markup
from dpviz.charts import MEASURES, Look, class_heatmap, count_text, number_text
from dpviz.pages.common.top_k_figures import event_regions
from dpviz.pages.explore import closer_look as closely
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.topk import Grid, TopKDistribution
from dpviz.topk.class_inspection import ClassDetails, grid_loss, inspect_class
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.session import state
from dpviz.web.widgets import (
    PageParameters,
    clicked_cell,
    escape_markdown,
    glossary_term,
    heading,
    html,
    isolate_bidi,
    number_box,
    paragraph,
    show_chart_with_table,
    show_glossary,
    show_live_view,
    show_or_wait,
)

_CHART = "classes"
_LISTED = 12  # items of a set that are spelled out before "and so on"


def show_class_map(law: LawStudy, look: Look) -> None:
    heading("All possible lists")
    show_live_view("class_map", partial(_class_map, law, look), "The heatmap", alone=True)


def _class_map(law: LawStudy, look: Look) -> None:
    paragraph(
        markup(
            "Two numbers describe a list. Its {} is how many of the best items come before the"
            " first missing one. Its {} is the rank of its lowest item.",
            glossary_term("h"),
            glossary_term("t"),
        ),
        "says",
    )
    grid = law.grid
    loss = grid_loss(law.mechanism, law.scores, grid)
    measures = [name for name in MEASURES if loss is not None or not MEASURES[name].needs_loss]
    chosen = PAGE.current_settings().measure
    chosen = chosen if chosen in measures else measures[0]
    if (cell := clicked_cell(_CHART, "class_click")) is not None:
        PAGE.change(h=_middle(grid.h_edges, cell[1]), t=_middle(grid.t_edges, cell[0]))
    h, t = _chosen_class(law, grid)
    left, right = st.columns([2.4, 1], gap="large")
    with left:
        PAGE.choice_buttons("measure", "The colour shows", MEASURES.label, chosen, options=measures)
        show_chart_with_table(
            class_heatmap(
                grid,
                event_regions(law),
                measure=chosen,
                loss=loss,
                chosen=(h, t),
                digits=3 if law.distribution.method == "exact" else 2,
                shorter=law.mechanism.shorter,
                look=look,
            ),
            _CHART,
            brief=True,
        )
    with right:
        _class_boxes(law.k, law.scores.d, h, t, shorter=law.mechanism.shorter)
        show_or_wait(partial(_inspected, law, h, t), "This cell")
    show_glossary("utility_class", "h", "t", "loss")
    state.write_link()


def _middle(edges: np.ndarray, at: float) -> int:
    cell = int(np.clip(np.searchsorted(edges - 0.5, at, side="right") - 1, 0, len(edges) - 2))
    return (int(edges[cell]) + int(edges[cell + 1]) - 1) // 2


def _chosen_class(law: LawStudy, grid: Grid) -> tuple[int, int]:
    """Chosen class, brought within the limits, else the likeliest cell's."""
    k, d = law.k, law.scores.d
    row, column = np.unravel_index(int(np.argmax(grid.mass)), grid.mass.shape)
    usual = {
        "h": {"default": int(grid.h_edges[row + 1]) - 1},
        "t": {"default": int(grid.t_edges[column])},
    }
    chosen = PageParameters(PAGE.of.with_declarations(**usual)).current_settings()
    return _existing(
        min(max(chosen.h, 0), k), min(max(chosen.t, k), d), k, shorter=law.mechanism.shorter
    )


def _existing(h: int, t: int, k: int, *, shorter: bool) -> tuple[int, int]:
    """Nearest class that exists: the exact top k is (k − 1, k), or (k, k) with shorter lists."""
    if t > k:
        return min(h, k - 1), t
    return (h, t) if shorter else (k - 1, k)


def _class_boxes(k: int, d: int, h: int, t: int, *, shorter: bool) -> None:
    html(
        markup(
            '<h3 class="dp-side">One cell in detail</h3><p class="dp-note">Click a cell, or type'
            " its h and t.</p>"
        )
    )
    left, right = st.columns(2)
    with left:
        edit = partial(_choose, k, t=t, typed="h", shorter=shorter)
        number_box(
            "h",
            h,
            lambda h: edit(h=h),
            "class_h",
            low=0,
            high=k if shorter else k - 1,
            why=f", as k is {k:,}",
        )
    with right:
        at = partial(_choose, k, h, typed="t", shorter=shorter)
        number_box(
            "t",
            t,
            lambda t: at(t=t),
            "class_t",
            low=k,
            high=d,
            why=f", as the list has {k:,} of {d:,} items",
        )


def _choose(k: int, h: int, t: int, typed: str, *, shorter: bool) -> None:
    """Set both: only the exact top k has the worst rank k, unless a list may be shorter."""
    if shorter:
        h, t = (h, k) if typed == "h" and h == k else _existing(h, t, k, shorter=True)
    elif t == k and h != k - 1:
        h, t = (h, k + 1) if typed == "h" else (k - 1, k)
    PAGE.change(h=h, t=t)


def _inspected(law: LawStudy, h: int, t: int) -> None:
    dist = law.whole
    try:
        details = inspect_class(dist, h, t, rng=np.random.default_rng(state.scenario().seed))
    except ParameterError as err:
        st.error(escape_markdown(str(err)))
        return
    chance = f"{closely.class_chance(dist, details.probability)} · {dist.method}"
    rows: list[tuple[object, str]] = [
        ("possible lists", closely.class_size(details, dist.k)),
        ("chance", chance),
    ]
    if details.loss is not None:
        rows.append((glossary_term("loss"), number_text(details.loss)))
    facts = join_markup(
        markup('<div class="dp-row"><span>{}</span>{}</div>', name, value) for name, value in rows
    )
    title = "The list, with ranks" if len(details.members) == 1 else "Some of its lists, with ranks"
    members = join_markup(
        markup(
            '<p class="dp-set">{}<br><small>{}</small></p>',
            _spelled(items.tolist(), details, dist),
            closely.format_set_probability(dist, log_p),
        )
        for items, log_p in zip(details.members, details.log_member.tolist(), strict=True)
    )
    html(
        markup(
            '<p class="dp-set">{}</p>{}<h3 class="dp-side dp-next">{}</h3>{}',
            closely.class_meaning(details, dist.k, shorter=dist.law.shorter),
            facts,
            title,
            members,
        )
    )


def _spelled(items: list[int], details: ClassDetails, dist: TopKDistribution) -> Markup:
    """Items that distinguish a set: its head in short, then the rest."""
    scores = dist.scores
    if not (items := [item for item in items if item >= 0]):
        return markup("no item")
    head = 0 if details.t == dist.k or len(items) <= _LISTED else details.h
    named = [
        markup("{} <small>({:,})</small>", isolate_bidi(scores.label(i)), int(scores.rank[i]) + 1)
        for i in items[head:]
    ]
    if len(named) > _LISTED:
        named = [
            *named[: _LISTED - 1],
            markup("{}", f"… {count_text(len(named) - _LISTED, 'more item')} …"),
            named[-1],
        ]
    return markup(" · ").join([*([f"ranks 1 to {head:,}"] if head else []), *named])

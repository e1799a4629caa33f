"""The map of all possible lists: ten lists fall into it, and a cell tells its own when clicked."""

from functools import partial

import numpy as np
import streamlit as st

from dpviz.base import Markup, ParameterError, join_markup, markup
from dpviz.charts import MEASURES, Look, count_text, number_text
from dpviz.pages.explore import closer_look as closely
from dpviz.studies.mechanism_studies import LawStudy, ReleasesStudy
from dpviz.topk import TopKDistribution
from dpviz.topk.class_inspection import ClassDetails, inspect_class
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import state
from dpviz.web.widgets import (
    clicked_cell,
    component,
    escape_markdown,
    glossary_term,
    heading,
    html,
    isolate_bidi,
    number_box,
    paragraph,
    show_chart_with_table,
    show_expander,
    show_live_view,
    show_notice,
    show_or_wait,
)

_CHART, _TYPED = "classes", "typed_cell"
_LISTED = 12  # items of a set that are spelled out before "and so on"
_WATCH = (
    '<button type="button"></button><ol tabindex="0" aria-label="Lists that fall into the map"></ol>'
    '<p role="status"></p>'
)


def show_class_map(law: LawStudy, ten: ReleasesStudy, look: Look) -> None:
    heading("All possible lists")
    show_live_view(partial(_watch, law, ten))
    html(
        markup(
            '<p class="dp-says dp-cell-words">Every possible list lies in one cell. Its {} is how'
            " many of the first items are all there. Its {} is the lowest rank on it.</p>",
            glossary_term("h"),
            glossary_term("t"),
        )
    )
    show_live_view(partial(_class_map, law, look), "The heatmap")


def _watch(law: LawStudy, ten: ReleasesStudy) -> None:
    """A button, upon which the ten releases fall into the map, each readable by name."""
    component(
        "dpviz_watch_lists",
        read_asset("watch_lists.js"),
        face=_WATCH,
        rules=read_asset("watch_lists.css"),
        data={
            "lists": closely.watched_lists(law, ten.releases[0]),
            "cells": law.grid.mass.shape,
            "chart": _CHART,
            "mark": f"{ten.key} {ten.seed}",
        },
        key="watch_lists",
    )


def _class_map(law: LawStudy, look: Look) -> None:
    h, t = _chosen_class(law)
    if (cell := clicked_cell(_CHART, "class_click")) is not None:
        edges = law.grid.h_edges, law.grid.t_edges
        _choose(law, *(_middle(*each) for each in zip(edges, reversed(cell), strict=True)))
        if _chosen_class(law) != (h, t):
            st.rerun()
    left, right = st.columns([2.4, 1], gap="large")
    with left:
        show_chart_with_table(
            closely.class_map(law, h, t, look), _CHART, brief=True, at=law.mechanism.setting
        )
    with right:
        show_or_wait(partial(_inspected, law, h, t), "This cell")
    state.write_link()


def _middle(edges: np.ndarray, at: float) -> int:
    cell = int(np.clip(at, 0, len(edges) - 2))
    return (int(edges[cell]) + int(edges[cell + 1]) - 1) // 2


def _chosen_class(law: LawStudy) -> tuple[int, int]:
    settings = PAGE.current_settings()
    return closely.nearest_class(law, settings.h, settings.t)


def _choose(law: LawStudy, h: int, t: int) -> None:
    h, t = closely.nearest_class(law, h, t)
    PAGE.change(h=h, t=t)


def show_other_maps(law: LawStudy, look: Look) -> None:
    """The same cells, with colours that show something else than their chance."""
    given = state.scenario().page
    show_expander(
        "Other maps: how likely one list is, how many lists a cell holds, and their loss",
        "other_maps",
        partial(show_live_view, partial(_other_maps, law, look), "The map"),
        opened="measure" in given,
    )
    show_expander(
        "One cell by its h and t",
        "one_cell",
        partial(show_live_view, partial(_cell_boxes, law)),
    )


def _other_maps(law: LawStudy, look: Look) -> None:
    without_loss = closely.map_loss(law) is None
    options = [
        name for name, of in list(MEASURES.items())[1:] if not (of.needs_loss and without_loss)
    ]
    chosen = PAGE.current_settings().measure
    chosen = chosen if chosen in options else options[0]
    PAGE.choice_buttons("measure", "The colour shows", MEASURES.label, chosen, options=options)
    with st.container(key="pale_other_map"):  # it does not follow the slider
        show_chart_with_table(
            closely.class_map(law, *_chosen_class(law), look, chosen), "other_map", brief=True
        )


def _cell_boxes(law: LawStudy) -> None:
    k, d, (h, t) = law.k, law.scores.d, _chosen_class(law)
    shorter = law.mechanism.shorter
    paragraph("The map marks this cell and shows its lists beside it.", "note")
    left, right = st.columns(2)
    with left:
        number_box(
            "h",
            h,
            lambda h: _choose(law, h, k if h == k else t if shorter else max(t, k + 1)),
            "class_h",
            low=0,
            high=k,
            why=f", as k is {k:,}",
            where=_TYPED,
        )
    with right:
        number_box(
            "t",
            t,
            lambda t: _choose(law, h, t),
            "class_t",
            low=k,
            high=d,
            why=f", as the list has {k:,} of {d:,} items",
            where=_TYPED,
        )
    show_notice(_TYPED)


def _inspected(law: LawStudy, h: int, t: int) -> None:
    dist = law.whole
    try:
        # of the exact top k the law says h = k − 1
        least = h if dist.law.shorter else min(h, dist.k - 1)
        rng = np.random.default_rng(state.scenario().seed)
        details = inspect_class(dist, least, t, rng=rng)
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
    people = closely.people_sentence(details, dist.k)
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
            '<div data-pale><h3 class="dp-side">This cell</h3><p class="dp-note">Click a cell of'
            ' the map to see another.</p><p class="dp-set">{} {}</p>{}<h3'
            ' class="dp-side dp-next">{}</h3>{}</div>',
            closely.class_meaning(details, dist.k, shorter=dist.law.shorter),
            people,
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

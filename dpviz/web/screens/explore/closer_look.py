"""The map of all possible lists on Explore, releases drawn, and all scores by rank."""

import math

import numpy as np
import streamlit as st

from dpviz.base import Ints, Markup, Scores, join_markup, markup
from dpviz.charts import (
    MEASURES,
    MOST_NAMED,
    Look,
    count_text,
    number_text,
    power_of_ten_text,
    score_bars,
    shorten_text,
)
from dpviz.pages.explore import closer_look as closely
from dpviz.studies import LARGEST_SEED, LawStudy, ReleasesStudy, read_if_ready
from dpviz.topk import TopKDistribution
from dpviz.topk.law_grid import ClassDetails, inspect_class
from dpviz.web import widgets as ui
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue, state

_CHART, _TYPED = "classes", "typed_cell"
_LISTED = 12  # items of a set that are spelled out before "and so on"
_WATCH = (
    '<button type="button"></button><ol tabindex="0" aria-label="Lists that fall into the map"></ol>'
    '<p role="status"></p>'
)


def show_class_map(law: LawStudy, releases_study: ReleasesStudy, look: Look) -> None:
    ui.heading("All possible lists")
    with ui.live_part():  # upon its button the ten releases fall into the map, readable by name
        ui.component(
            "dpviz_watch_lists",
            read_asset("watch_lists.js"),
            body_html=_WATCH,
            css=read_asset("watch_lists.css"),
            data={
                "lists": closely.released_lists_with_cells(law, releases_study.releases[0]),
                "cells": law.grid.mass.shape,
                "chart": _CHART,
                "mark": f"{releases_study.key} {releases_study.seed}",
            },
            key="watch_lists",
        )
    ui.show_markup(
        '<p class="dp-says dp-cell-words">Every possible list lies in one cell. Its {} is how'
        " many of the first items are all there. Its {} is the lowest rank on it.</p>",
        ui.glossary_term("h"),
        ui.glossary_term("t"),
    )
    with ui.live_part("The heatmap"):
        _show_map(law, look)


def _show_map(law: LawStudy, look: Look) -> None:
    h, t = _chosen_class(law)
    if (cell := _clicked_cell()) is not None:
        _choose(law, _middle(law.grid.h_edges, cell[1]), _middle(law.grid.t_edges, cell[0]))
        if _chosen_class(law) != (h, t):
            st.rerun()
    left, right = st.columns([2.4, 1], gap="large")
    with left:
        ui.show_chart(
            closely.class_map_chart(law, h, t, look),
            _CHART,
            law.mechanism.setting,
            help_folded=True,
        )
    with right, ui.live_part("This cell"), ui.show_refusals():
        _show_cell(law, h, t)
    state.write_changed_link()


def _clicked_cell() -> tuple[float, float] | None:
    """(x, y) of the heatmap cell just clicked, which Streamlit's selection (issue 8760) lacks."""
    cell = ui.component(
        "dpviz_click",
        read_asset("heatmap_click.js"),
        data={"chart": _CHART},
        key="class_click",
        on_cell_change=lambda: None,
    ).cell
    return None if cell is None else (float(cell["x"]), float(cell["y"]))


def _middle(edges: Ints, at: float) -> int:
    """Value in the middle of the bin that was clicked."""
    number = int(np.clip(at, 0, len(edges) - 2))
    return (int(edges[number]) + int(edges[number + 1]) - 1) // 2


def _chosen_class(law: LawStudy) -> tuple[int, int]:
    settings = PAGE.current_settings()
    return closely.nearest_existing_class(law, settings.h, settings.t)


def _choose(law: LawStudy, h: int, t: int) -> None:
    PAGE.change(**dict(zip("ht", closely.nearest_existing_class(law, h, t), strict=True)))


def _show_other_map(law: LawStudy, look: Look) -> None:
    without_loss = closely.class_map_loss(law) is None
    options = [
        name for name, of in list(MEASURES.items())[1:] if not (of.needs_loss and without_loss)
    ]
    chosen = PAGE.current_settings().measure
    chosen = chosen if chosen in options else options[0]
    PAGE.choice_buttons("measure", "The colour shows", MEASURES.label, chosen, options=options)
    with st.container(key="pale_other_map"):  # it does not follow the slider
        ui.show_chart(
            closely.class_map_chart(law, *_chosen_class(law), look, chosen),
            "other_map",
            help_folded=True,
        )


def _show_cell_boxes(law: LawStudy) -> None:
    k, d, (h, t) = law.k, law.scores.d, _chosen_class(law)
    shorter = law.mechanism.shorter
    ui.show_paragraph("The map marks this cell and shows its lists beside it.", "note")
    left, right = st.columns(2)
    with left:
        ui.number_box(
            "h",
            h,
            lambda h: _choose(law, h, k if h == k else t if shorter else max(t, k + 1)),
            "class_h",
            low=0,
            high=k,
            why=f", as k is {k:,}",
            notice_place=_TYPED,
        )
    with right:
        ui.number_box(
            "t",
            t,
            ui.edit_for_keyword(_choose, "t", law=law, h=h),
            "class_t",
            low=k,
            high=d,
            why=f", as the list has {k:,} of {d:,} items",
            notice_place=_TYPED,
        )
    ui.show_notice(_TYPED)


def _show_cell(law: LawStudy, h: int, t: int) -> None:
    dist = law.whole
    # of the exact top k the law says h = k − 1
    least = h if dist.law.shorter else min(h, dist.k - 1)
    rng = np.random.default_rng(state.scenario().seed)
    details = inspect_class(dist.mechanism, dist.scores, dist.law, least, t, rng=rng)
    lists = "1" if t == dist.k else power_of_ten_text(details.log_size / math.log(10))
    chance = f"{closely.format_class_probability(dist, details.probability)} · {dist.method}"
    rows: list[tuple[object, str]] = [("possible lists", lists), ("chance", chance)]
    if details.loss is not None:
        rows.append((ui.glossary_term("loss"), number_text(details.loss)))
    facts = join_markup(
        markup('<div class="dp-row"><span>{}</span>{}</div>', name, value) for name, value in rows
    )
    people = closely.class_loss_sentence(details, dist.k)
    title = "The list, with ranks" if len(details.members) == 1 else "Some of its lists, with ranks"
    members = join_markup(
        markup(
            '<p class="dp-set">{}<br><small>{}</small></p>',
            _spelled(items.tolist(), details, dist),
            closely.format_set_probability(dist, log_p),
        )
        for items, log_p in zip(details.members, details.log_member.tolist(), strict=True)
    )
    ui.show_markup(
        '<div data-pale><h3 class="dp-side">This cell</h3><p class="dp-note">Click a cell of'
        ' the map to see another.</p><p class="dp-set">{} {}</p>{}<h3'
        ' class="dp-side dp-next">{}</h3>{}</div>',
        closely.class_meaning(details, dist.k, may_be_shorter=dist.law.shorter),
        people,
        facts,
        title,
        members,
    )


def _spelled(items: list[int], details: ClassDetails, dist: TopKDistribution) -> Markup:
    """Items that distinguish a set: its head in short, then the rest."""
    scores = dist.scores
    if not (items := [item for item in items if item >= 0]):
        return markup("no item")
    head = 0 if details.t == dist.k or len(items) <= _LISTED else details.h
    named = [
        markup(
            "{} <small>({:,})</small>", ui.isolate_bidi(scores.label(i)), int(scores.rank[i]) + 1
        )
        for i in items[head:]
    ]
    if len(named) > _LISTED:
        more = markup("… {} …", count_text(len(named) - _LISTED, "more item"))
        named = [*named[: _LISTED - 1], more, named[-1]]
    return markup(" · ").join([*([f"ranks 1 to {head:,}"] if head else []), *named])


_MANY = 100
_SHOWN: SessionValue[int] = SessionValue("explore.release", int)  # 0: the first


def show_detail_folds(law: LawStudy, look: Look) -> None:
    """Releases, all scores where the page folds some, the map in other colours, and any cell."""
    given = state.scenario().page
    if law.scores.d > MOST_NAMED:
        with ui.fold(
            "all_scores",
            f"All {law.scores.d:,} scores by rank, with the chance of each",
            "The chance of each item",
        ) as opened:
            if opened:
                chart = score_bars(
                    law.scores, law.inclusion, law.k, bounds=law.inclusion_bounds, look=look
                )
                with st.container(key="pale_all_scores"):
                    ui.show_chart(chart, "all_scores")
    with ui.fold(
        "draws", "A hundred simulated releases, or one in full", opened="draws" in given
    ) as opened:
        if opened:
            _show_draws(law, look)
    with ui.fold(
        "other_maps",
        "Other maps: how likely one list is, how many lists a cell holds, and their loss",
        "The map",
        opened="measure" in given,
    ) as opened:
        if opened:
            _show_other_map(law, look)
    with ui.fold("one_cell", "One cell by its h and t") as opened:
        if opened:
            _show_cell_boxes(law)


# ---- releases drawn ------------------------------------------------------------------------------


def _show_draws(law: LawStudy, look: Look) -> None:
    size = PAGE.current_settings().draws
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Draw once", on_click=_draw, args=(1,), icon=":material/casino:")
        st.button(f"Draw {_MANY}", on_click=_draw, args=(_MANY,), icon=":material/grain:")
        seed = ui.seed_box("seed", "The same seed gives the same releases again.")
    ui.show_paragraph(ui.ILLUSTRATIONS)
    if size in {1, _MANY} and read_if_ready(lambda: (law.all_right, law.expected_hits)) is not None:
        drawn, _ = ui.compute_in_background(
            ReleasesStudy(
                mechanism=law.mechanism,
                scores=law.scores,
                size=size,
                seed=seed,
                noisy=law.mechanism.releases_scores(law.scores.contributions),
            ),
            "draws",
            patience_seconds=PATIENCE,
        )
        with (
            ui.show_job_progress("draws", key="draws"),
            st.container(key="pale_drawn"),
            ui.live_part(),
        ):
            _show_drawn(law, drawn, look)
    state.write_changed_link()


def _draw(size: int) -> None:
    """Show the seed's own draws at first, then those of the following seeds."""
    scenario = state.scenario()
    again = scenario.page.get("draws") == size
    state.change_scenario(
        seed=(scenario.seed + again) % LARGEST_SEED, page={**scenario.page, "draws": size}
    )


def _show_drawn(law: LawStudy, drawn: ReleasesStudy, look: Look) -> None:
    sets, noisy = drawn.releases
    left, right = st.columns([1.5, 1], gap="large")
    with right:
        which = 0
        if drawn.size > 1:
            shown = min(max(_SHOWN.value, 1), drawn.size)
            ui.number_box(
                "Release shown in full", shown, _SHOWN.put, "release_shown", low=1, high=drawn.size
            )
            which = shown - 1
        items = sets[which]
        table = closely.release_items_table(items, law.scores, law.k)
        st.dataframe(
            table, hide_index=True, width="stretch", height=min(36 * (len(table) + 1), 330)
        )
        st.text(closely.missed_items_sentence(items, law.scores, law.k))
        if noisy is not None:
            st.text(closely.noisy_counts_sentence(items, noisy[which], law.scores))
    with left:
        ui.show_chart(
            closely.release_dots_chart(law, sets, which if drawn.size > 1 else None, look), "draws"
        )


_NAMED = 3  # items that came out wrongly, or are missing, by name
_LETTERS = 22


def show_ten_releases(releases_study: ReleasesStudy) -> None:
    drawn = read_if_ready(lambda: releases_study.releases)
    rows = (
        ()
        if drawn is None
        else (_release(items, releases_study.scores, releases_study.k) for items in drawn[0])
    )
    ui.show_markup(
        '<h2 class="dp-h2 dp-ten">Ten simulated releases</h2>'
        '<ol class="dp-releases" data-pale aria-label="Ten simulated releases">{}</ol>',
        join_markup(rows),
    )


def _release(items: Ints, scores: Scores, k: int) -> Markup:
    wrong, missing = closely.wrong_and_missing_ranks(items, scores, k)
    if not len(missing):
        right = "it is right" if k == 1 else "all are right"
        line = '<li class="dp-whole"><b>{:,} of {:,}</b> <span>{}</span></li>'
        return markup(line, k, k, right)
    size = int((items >= 0).sum())
    said = markup("" if size else "no item")
    if 0 < size < k:
        said += f"{count_text(size, 'item')}, "
    if size and not len(wrong):
        said += "without "
    if size:
        said += markup(" instead of ").join(
            _names(ranks, scores) for ranks in (wrong, missing) if len(ranks)
        )
    line = '<li title="{}"><b>{:,} of {:,}</b> <span>{}</span></li>'
    return markup(line, said.striptags(), k - len(missing), k, said)


def _names(ranks: Ints, scores: Scores) -> Markup:
    labels = [
        shorten_text(scores.label(int(scores.order[rank])), _LETTERS) for rank in ranks[:_NAMED]
    ]
    more = [f"{len(ranks) - _NAMED:,} more"] if len(ranks) > _NAMED else []
    return markup(", ").join([*map(ui.isolate_bidi, labels), *more])

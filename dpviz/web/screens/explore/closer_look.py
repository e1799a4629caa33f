"""Releases drawn on Explore, ten in view and a hundred in a fold, and all scores by rank."""

from functools import partial

import streamlit as st

from dpviz.base import Ints, Markup, Scores, join_markup, markup
from dpviz.charts import MOST_NAMED, Look, count_text, shorten_text
from dpviz.pages.explore import closer_look as closely
from dpviz.pages.explore import view
from dpviz.studies import LARGEST_SEED, read_if_ready
from dpviz.studies.mechanism_studies import LawStudy, ReleasesStudy
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import (
    ILLUSTRATIONS,
    compute_in_background,
    html,
    isolate_bidi,
    number_box,
    paragraph,
    seed_box,
    show_chart_with_table,
    show_expander,
    show_job_progress,
    show_live_view,
)

_MANY = 100
_SHOWN: SessionValue[int] = SessionValue("explore.release", lambda: 1)


def show_detail_folds(law: LawStudy, look: Look) -> None:
    scores, given = law.scores, state.scenario().page
    if scores.d > MOST_NAMED:
        show_expander(
            f"All {scores.d:,} scores by rank, with the chance of each",
            "all_scores",
            partial(
                show_live_view,
                partial(_all_scores, law, look),
                "The chance of each item",
            ),
        )
    show_expander(
        "A hundred simulated releases, or one in full",
        "draws",
        partial(show_live_view, partial(_draws, law, look)),
        opened="draws" in given,
    )


def _all_scores(law: LawStudy, look: Look) -> None:
    with st.container(key="pale_all_scores"):
        show_chart_with_table(closely.ranked_scores_chart(law, look), "all_scores")


# ---- releases drawn ------------------------------------------------------------------------------


def _draws(law: LawStudy, look: Look) -> None:
    size = PAGE.current_settings().draws
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Draw once", on_click=_draw, args=(1,), icon=":material/casino:")
        st.button(f"Draw {_MANY}", on_click=_draw, args=(_MANY,), icon=":material/grain:")
        seed = seed_box("seed", "The same seed gives the same releases again.")
    paragraph(ILLUSTRATIONS)
    if size in {1, _MANY} and read_if_ready(lambda: (law.all_right, law.expected_hits)) is not None:
        drawn, job = compute_in_background(
            ReleasesStudy(
                mechanism=law.mechanism,
                scores=law.scores,
                size=size,
                seed=seed,
                noisy=law.mechanism.releases_scores(law.scores.contributions),
            ),
            "draws",
            patience=PATIENCE,
        )
        with show_job_progress(lambda: [job], "draws"), st.container(key="pale_drawn"):
            show_live_view(lambda: read_if_ready(partial(_drawn, law, drawn, look)))
    state.write_link()


def _draw(size: int) -> None:
    """Show the seed's own draws at first, then those of the following seeds."""
    scenario = state.scenario()
    again = scenario.page.get("draws") == size
    state.change_scenario(
        seed=(scenario.seed + again) % LARGEST_SEED, page={**scenario.page, "draws": size}
    )


def _drawn(law: LawStudy, drawn: ReleasesStudy, look: Look) -> None:
    sets, noisy = drawn.releases
    left, right = st.columns([1.5, 1], gap="large")
    with right:
        which = _which(drawn.size)
        items = sets[which]
        table = closely.release_items_table(items, law.scores, law.k)
        st.dataframe(
            table, hide_index=True, width="stretch", height=min(36 * (len(table) + 1), 330)
        )
        st.text(closely.missed_items_sentence(items, law.scores, law.k))
        if noisy is not None:
            st.text(closely.noisy_counts_sentence(items, noisy[which], law.scores))
    with left:
        show_chart_with_table(
            closely.release_dots_chart(law, sets, which if drawn.size > 1 else None, look), "draws"
        )


def _which(size: int) -> int:
    if size == 1:
        return 0
    chosen = min(_SHOWN.value, size)
    number_box("Release shown in full", chosen, _SHOWN.put, "release_shown", low=1, high=size)
    return chosen - 1


_NAMED = 3  # items that came out wrongly, or are missing, by name
_LETTERS = 22


def show_ten_releases(ten: ReleasesStudy) -> None:
    drawn = read_if_ready(lambda: ten.releases)
    rows = () if drawn is None else (_release(items, ten.scores, ten.k) for items in drawn[0])
    html(
        markup(
            '<h2 class="dp-h2 dp-ten">Ten simulated releases</h2>'
            '<ol class="dp-releases" data-pale aria-label="Ten simulated releases">{}</ol>',
            join_markup(rows),
        )
    )


def _release(items: Ints, scores: Scores, k: int) -> Markup:
    wrong, missing = view.wrong_and_missing_ranks(items, scores, k)
    if not len(missing):
        return markup(
            '<li class="dp-whole"><b>{:,} of {:,}</b> <span>{}</span></li>',
            k,
            k,
            "it is right" if k == 1 else "all are right",
        )
    size = int((items >= 0).sum())
    names = [_names(ranks, scores) for ranks in (wrong, missing) if len(ranks) and size]
    start, joint = "" if size else "no item", " instead of "
    if 0 < size < k:
        start = f"{count_text(size, 'item')}, "
    if size and not len(wrong):
        start += "without "
    return markup(
        '<li title="{}"><b>{:,} of {:,}</b> <span>{}</span></li>',
        start + joint.join(", ".join([*labels, *more]) for labels, more in names),
        k - len(missing),
        k,
        markup("{}", start)
        + markup(joint).join(
            markup(", ").join([*map(isolate_bidi, labels), *more]) for labels, more in names
        ),
    )


def _names(ranks: Ints, scores: Scores) -> tuple[list[str], list[str]]:
    """Labels that are spelled out, and how many more there are."""
    labels = [
        shorten_text(scores.label(int(scores.order[rank])), _LETTERS) for rank in ranks[:_NAMED]
    ]
    return labels, [f"{len(ranks) - _NAMED:,} more"] if len(ranks) > _NAMED else []

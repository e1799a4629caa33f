"""The page Compare: headline figures, heatmaps, and the same seeds replayed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.base import Markup, Scores, markup
from dpviz.charts import Look, count_text
from dpviz.pages.common.top_k_figures import format_expected_hits, format_worst_rank
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import (
    RELEASES,
    ComparedDesign,
    ReplayStudy,
    compared_designs,
)
from dpviz.studies import Scenario, read_if_ready
from dpviz.web.jobs import PATIENCE, session_job_queue
from dpviz.web.screens.compare.by_epsilon import show_epsilon_sections
from dpviz.web.screens.compare.controls import (
    chance_cell,
    design_cell,
    design_style_rules,
    sentence_html,
)
from dpviz.web.session import state
from dpviz.web.widgets import (
    WAIT,
    advance_seed,
    compute_all_in_background,
    heading,
    live_text,
    page_head,
    paragraph,
    seed_box,
    show_chart_placeholder,
    show_chart_with_table,
    show_expander,
    show_glossary,
    show_job_progress,
    show_live_view,
    show_table,
    style,
)


def show_page(scenario: Scenario, scores: Scores, look: Look) -> None:
    designs = compared_designs(scenario, scores)
    laws, _ = compute_all_in_background([side.law for side in designs])
    of = [replace(side, law=law) for side, law in zip(designs, laws, strict=True)]
    show_live_view(partial(_title, scenario, scores, of))
    with show_job_progress(lambda: session_job_queue().jobs("laws"), "laws"):
        show_live_view(
            partial(show_epsilon_sections, of, look, partial(_other_sections, of, look)),
        )


def _other_sections(of: Sequence[ComparedDesign], look: Look) -> None:
    """The maps of all laws, the other figures, and the same seeds replayed."""
    page_head.show_not_private_banner()
    heading("Which lists are published")
    show_live_view(partial(_maps, of, look), "The heatmaps", wait=show_chart_placeholder)
    heading("Details")
    line = "All figures of each mechanism at this ε"
    show_live_view(lambda: show_expander(line, "figures", partial(_figures, of)))
    replay = f"{RELEASES} simulated releases of each mechanism, from the same seeds"
    show_live_view(lambda: show_expander(replay, "replay", partial(_replay, of, look)))


def _title(scenario: Scenario, scores: Scores, of: Sequence[ComparedDesign]) -> None:
    style.add_style_rules(design_style_rules())
    asked, at = compare.page_heading(scenario.k, scores.d), of[0].at
    page_head.show_page_title(
        scenario,
        scores,
        "Compare",
        sentence_html(read_if_ready(lambda: compare.lead_sentence(of)) or ()),
        count_text(len(of), "mechanism"),
        asked,
        at,
    )


# ---- headline figures ----------------------------------------------------------------------------


def _figures(of: Sequence[ComparedDesign]) -> None:
    show_table(
        "Headline figures",
        [("Mechanism", ""), *compare.design_column_headings(of)],
        map(_row, of),
        "dp-designs",
    )


def _row(side: ComparedDesign) -> list[object]:
    law, at = side.law, side.at

    def right() -> Markup:
        value = live_text(f"right-{side.number}", format_expected_hits(law), at)
        return markup("{} <small>of {:,}</small>", value, law.k)

    def worst() -> Markup:
        return live_text(f"worst-{side.number}", format_worst_rank(law), at)

    return [
        design_cell(side),
        *(chance_cell(side, name, name) for name in law.events),
        *(
            markup('<div class="dp-cell">{}</div>', read_if_ready(figure) or WAIT)
            for figure in (right, worst)
        ),
    ]


# ---- all laws, and the same seeds ----------------------------------------------------------------


def _maps(of: Sequence[ComparedDesign], look: Look) -> None:
    """Heatmaps of all designs on the same axes, once every law is there."""
    with st.container(key="compare_maps_box"):
        show_chart_with_table(
            compare.maps_chart(of, look),
            "compare_maps",
            brief=True,
            leads=True,
            at=of[0].at,
        )
    show_glossary("h", "t", "top", "great", "good", "chance")


def _replay(of: Sequence[ComparedDesign], look: Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = seed_box(
            "compare_seed", "The same seeds give the same releases again.", "First seed"
        )
        st.button(
            f"Next {RELEASES} seeds",
            icon=":material/casino:",
            key="next_seeds",
            on_click=advance_seed,
            args=(RELEASES,),
        )
    studies, _ = compute_all_in_background(
        [
            ReplayStudy(mechanism=side.law.mechanism, scores=side.law.scores, seed=seed)
            for side in of
        ],
        "draws",
        patience=PATIENCE,
    )
    with show_job_progress(lambda: session_job_queue().jobs("draws"), "replay"):
        chart = partial(compare.replay_chart, of, studies, look)
        with st.container(key="pale_replay"):
            show_live_view(
                lambda: show_chart_with_table(chart(), "replay"),
                "The releases",
                wait=show_chart_placeholder,
            )
    paragraph(page_head.ILLUSTRATIONS)
    state.write_link()

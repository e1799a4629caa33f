"""The page Compare: headline figures, heatmaps, and the same seeds replayed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.base import Markup, Scores, markup
from dpviz.charts import Look, count_text
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.pages import common
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import RELEASES, ComparedDesign, ReplayStudy, compared_designs
from dpviz.studies import Scenario, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.jobs import PATIENCE, session_job_queue
from dpviz.web.screens.compare.by_epsilon import show_epsilon_sections
from dpviz.web.screens.compare.controls import (
    chance_cell,
    design_cell,
    design_style_rules,
    sentence_html,
)
from dpviz.web.session import state


def show_page(scenario: Scenario, scores: Scores, look: Look) -> None:
    designs = compared_designs(scenario, scores)
    laws, _ = ui.compute_all_in_background([side.law for side in designs])
    of = [replace(side, law=law) for side, law in zip(designs, laws, strict=True)]
    ui.show_live_view(partial(_title, scenario, scores, of))
    with ui.show_job_progress(lambda: session_job_queue().jobs("laws"), "laws"):
        ui.show_live_view(
            partial(show_epsilon_sections, of, look, partial(_other_sections, of, look)),
        )


def _other_sections(of: Sequence[ComparedDesign], look: Look) -> None:
    ui.show_not_private_banner()
    ui.heading("Which lists are published")
    ui.show_live_view(partial(_maps, of, look), "The heatmaps", wait=ui.show_chart_placeholder)
    ui.heading("Details")
    line = "All figures of each mechanism at this ε"
    ui.show_live_view(lambda: ui.show_expander(line, "figures", partial(_figures, of)))
    replay = f"{RELEASES} simulated releases of each mechanism, from the same seeds"
    ui.show_live_view(lambda: ui.show_expander(replay, "replay", partial(_replay, of, look)))


def _title(scenario: Scenario, scores: Scores, of: Sequence[ComparedDesign]) -> None:
    ui.add_style_rules(design_style_rules())
    asked, at = compare.page_heading(scenario.k, scores.d), of[0].at
    ui.show_page_title(
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
    ui.show_table(
        "Headline figures",
        [("Mechanism", ""), *common.law_column_headings(of[0].law)],
        map(_row, of),
        "dp-designs",
    )


def _row(side: ComparedDesign) -> list[object]:
    law, at = side.law, side.at

    def right() -> Markup:
        value = ui.live_text(f"right-{side.number}", common.format_expected_hits(law), at)
        return markup("{} <small>of {:,}</small>", value, law.k)

    def worst() -> Markup:
        return ui.live_text(f"worst-{side.number}", common.format_worst_rank(law), at)

    return [
        design_cell(side),
        *(chance_cell(side, name, name) for name in law.events),
        *(
            markup('<div class="dp-cell">{}</div>', read_if_ready(figure) or ui.WAIT)
            for figure in (right, worst)
        ),
    ]


# ---- all laws, and the same seeds ----------------------------------------------------------------


def _maps(of: Sequence[ComparedDesign], look: Look) -> None:
    with st.container(key="compare_maps_box"):
        ui.show_chart_with_table(
            compare.maps_chart(of, look), "compare_maps", brief=True, leads=True, at=of[0].at
        )
    ui.show_glossary("h", "t", "top", "great", "good", "chance")


def _replay(of: Sequence[ComparedDesign], look: Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = ui.seed_box(
            "compare_seed", "The same seeds give the same releases again.", "First seed"
        )
        st.button(
            f"Next {RELEASES} seeds",
            icon=":material/casino:",
            key="next_seeds",
            on_click=ui.advance_seed,
            args=(RELEASES,),
        )
    studies, _ = ui.compute_all_in_background(
        [
            ReplayStudy(mechanism=side.law.mechanism, scores=side.law.scores, seed=seed)
            for side in of
        ],
        "draws",
        patience=PATIENCE,
    )
    with ui.show_job_progress(lambda: session_job_queue().jobs("draws"), "replay"):
        labels, scores = [side.label for side in of], of[0].law.scores
        with st.container(key="pale_replay"):
            ui.show_live_view(
                lambda: ui.show_chart_with_table(
                    replayed_seeds_chart(
                        labels,
                        [study.ranks for study in studies],
                        studies[0].seeds,
                        scores,
                        look=look,
                    ),
                    "replay",
                ),
                "The releases",
                wait=ui.show_chart_placeholder,
            )
    ui.paragraph(ui.ILLUSTRATIONS)
    state.write_link()

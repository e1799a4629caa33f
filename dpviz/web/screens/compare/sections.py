"""The page Compare: headline figures, heatmaps, and the same seeds replayed."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpviz.base import Markup, Scores, markup
from dpviz.charts import Look, count_text
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.pages import common
from dpviz.pages.compare import sentences
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import RELEASES, ComparedDesign, ReplayStudy, compared_designs
from dpviz.studies import Scenario, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.compare import by_epsilon, controls
from dpviz.web.session import state


def show_page(scenario: Scenario, scores: Scores, look: Look) -> None:
    designs = compared_designs(scenario, scores)
    laws, _ = ui.compute_all_in_background([side.law for side in designs])
    of = [replace(side, law=law) for side, law in zip(designs, laws, strict=True)]
    with ui.live_part():
        ui.add_style_rules(controls.design_style_rules())
        ui.show_page_title(
            scenario,
            scores,
            "Compare",
            controls.sentence_html(read_if_ready(sentences.lead_sentence, of) or ()),
            count_text(len(of), "mechanism"),
            sentences.page_heading(scenario.k, scores.d),
            of[0].at,
        )
    with ui.show_job_progress("laws", key="laws"), ui.live_part():
        event = common.select_event(of[0].law, scenario.page.get("event"))
        by_epsilon.show_figure_choice(event, of[0].law.events)
        with ui.show_job_progress("curves", "budgets", "shortfalls", "names", key="rest"):
            needs = by_epsilon.show_chances_and_curves(of, event, look)
            ui.show_not_private_banner()
            ui.heading("Which lists are published")
            with ui.live_part("The heatmaps", show_wait=ui.show_chart_placeholder):
                chart = compare.class_maps_chart(of, look)
                with st.container(key="compare_maps_box"):
                    ui.show_first_chart(chart, "compare_maps", of[0].at)
                ui.show_glossary("h", "t", "top", "great", "good", "chance")
            ui.heading("Details")
            with ui.fold("figures", "All figures of each mechanism at this ε") as opened:
                if opened:
                    ui.show_table(
                        "Headline figures",
                        (("Mechanism", ""), *common.law_column_headings(of[0].law)),
                        map(_row, of),
                        "dp-designs",
                    )
            with ui.fold(
                "replay", f"{RELEASES} simulated releases of each mechanism, from the same seeds"
            ) as opened:
                if opened:
                    _show_replay(of, look)
            by_epsilon.show_smallest_epsilons(needs, look)
        with ui.fold(
            "by_k", "Effect of k: the same chances for shorter and longer lists, at the same ε"
        ) as opened:
            if opened:
                by_epsilon.show_curves_over_k(of, event, look)
        state.write_changed_link()


def _row(side: ComparedDesign) -> list[object]:
    law, at = side.law, side.at

    def right() -> Markup:
        value = ui.live_text(f"right-{side.number}", common.format_expected_hits(law), at)
        return markup("{} <small>of {:,}</small>", value, law.k)

    def worst() -> Markup:
        return ui.live_text(f"worst-{side.number}", common.format_worst_rank(law), at)

    return [
        controls.design_cell(side),
        *(controls.chance_cell(side, name, name) for name in law.events),
        *(
            markup('<div class="dp-cell">{}</div>', read_if_ready(figure) or ui.WAIT)
            for figure in (right, worst)
        ),
    ]


def _show_replay(designs: Sequence[ComparedDesign], look: Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = ui.seed_box(
            "compare_seed", "The same seeds give the same releases again.", "First seed"
        )
        ui.button(f"Next {RELEASES} seeds", "next_seeds", ui.advance_seed, RELEASES, icon="casino")
    studies, _ = ui.compute_all_in_background(
        [
            ReplayStudy(mechanism=side.law.mechanism, scores=side.law.scores, seed=seed)
            for side in designs
        ],
        "draws",
        patience_seconds=PATIENCE,
    )
    labels, scores = [side.label for side in designs], designs[0].law.scores
    with (
        ui.show_job_progress("draws", key="replay"),
        st.container(key="pale_replay"),
        ui.live_part("The releases", show_wait=ui.show_chart_placeholder),
    ):
        ranks, seeds = [study.ranks for study in studies], studies[0].seeds
        ui.show_chart(replayed_seeds_chart(labels, ranks, seeds, scores, look=look), "replay")
    ui.show_paragraph(ui.ILLUSTRATIONS)
    state.write_changed_link()

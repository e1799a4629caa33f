"""One run of a sparse vector: a stepper through its queries, its gaps and their lower bounds."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from dpviz.base import render_template
from dpviz.charts import Look, count_text, shorten_text
from dpviz.charts.gaps.threshold_run import threshold_bounds_chart, threshold_run_chart
from dpviz.gaps import THRESHOLD, ThresholdReplay
from dpviz.pages.gaps.release_details import query_details
from dpviz.pages.gaps.study import GAPS_PAGE, HALVES, QueryStudy, read_gaps_settings
from dpviz.studies import read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.session import state

PAGE = ui.PageParameters(GAPS_PAGE)
SAME_RUN = "The same seed gives the same release again."
_SHORT = {"sparse_vector": "plain", "adaptive_sparse_vector": "adaptive"}


def show_page_half_choice(chosen_half: str) -> None:
    """Choice between the halves of the page."""
    PAGE.choice_buttons(
        "half", "Part of the page", HALVES.__getitem__, chosen_half, label_visibility="collapsed"
    )


def show_single_run(study: QueryStudy, look: Look) -> None:
    settings = read_gaps_settings(state.scenario(), study.scores)
    if settings.confidence != study.settings.confidence:  # other sections show it too
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        PAGE.choice_buttons(
            "design",
            "Mechanism",
            lambda name: _SHORT.get(name, THRESHOLD.label(name)).capitalize(),
            settings.design,
        )
        name = "Release again" if settings.run else "Release once"
        ui.button(name, "gaps_run", _run, icon="play_arrow")
        ui.seed_box("gaps_run_seed", SAME_RUN)
        PAGE.percent_box(
            "confidence", settings.confidence, "Confidence of bounds, %", (50.0, 99.9), width=190
        )
    which = _SHORT[settings.design]
    state.write_changed_link()
    if not settings.run:
        ui.show_paragraph(
            "Press “Release once”, then step through the queries to see each comparison and answer."
        )
        return
    replay = study.mechanisms[which].replay(
        study.ordered_queries,
        rng=np.random.default_rng(state.scenario().seed),
        confidence=settings.confidence,
    )
    step = _stepper(replay, settings.step)
    left, right = st.columns([2, 1], gap="large")
    with left:
        ui.show_chart(
            threshold_run_chart(replay, study.ordered_queries, step, look=look),
            "threshold_steps",
            help_folded=True,
        )
    with right:
        label, units = study.ordered_queries.label(step - 1), study.mechanisms[which].units
        used = int(replay.units[step - 1])
        ui.html(
            render_template(
                "dpviz.web.screens.gaps",
                "closely.html",
                step=step,
                label=label,
                trimmed=shorten_text(label),
                lines=query_details(study, which, replay, step),
                used=f"{used} of {units} units used",
                share=f"{100 * used / units:.4g}",
            )
        )
    line = f"Published gaps and lower bounds of the {len(replay.release.items):,} answers"
    with ui.fold("bounds", f"{line}, with the true scores") as opened:
        if opened:
            _show_bounds(study, which, replay, look)


def _show_bounds(study: QueryStudy, which: str, replay: ThresholdReplay, look: Look) -> None:
    items = replay.release.items
    if not len(items):
        ui.show_paragraph("This release gave no answer, so there are no gaps.")
        return
    coverage = read_if_ready(study.coverage.__getitem__, which)
    often = (
        None
        if coverage is None
        else coverage.coverage_after_answer[replay.branch[items], items].astype(float)
    )
    ui.show_chart(
        threshold_bounds_chart(
            replay,
            study.ordered_queries,
            study.settings.confidence,
            None if often is None else np.ma.filled(often, np.nan),
            look=look,
        ),
        "threshold_bounds",
    )


def _run() -> None:
    """Show the seed's own run at first, then those of the following seeds."""
    if PAGE.current_settings().run:
        ui.advance_seed()
    PAGE.change(run=True, step=None)


def _stepper(replay: ThresholdReplay, wanted: int | None) -> int:
    """Query that is shown: the last one unless chosen."""
    asked = replay.release.asked
    answered = (np.flatnonzero(replay.branch >= 0) + 1).tolist()

    def at(query: int | None) -> int:
        return asked if query is None else min(max(query, 1), asked)

    def move(way: Callable[[int], int]) -> None:
        """Step from the query at the moment of the press; the drawing may be older."""
        PAGE.change(step=at(way(at(PAGE.current_settings().step))))

    step = at(wanted)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ways: tuple[tuple[str, str, Callable[[int], int]], ...] = (
            ("First", "first_page", lambda _: 1),
            ("Back", "chevron_left", lambda now: now - 1),
            ("Next", "chevron_right", lambda now: now + 1),
            (
                "Next answer",
                "skip_next",
                lambda now: next((at for at in answered if at > now), now),
            ),
            ("Last", "last_page", lambda _: asked),
        )
        for name, icon, way in ways:
            ui.button(
                name, f"gaps_step_{name}", move, way, icon=icon, disabled=at(way(step)) == step
            )
        ui.number_box(
            "Query",
            step,
            ui.edit_for_keyword(PAGE.change, "step"),
            "gaps.step",
            low=1,
            high=asked,
            width=130,
            why=f", as this release asked {count_text(asked, 'query', 'queries')}",
        )
    return step

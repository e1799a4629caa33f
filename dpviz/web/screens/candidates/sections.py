"""The page Candidates: its title, the switch between views, and each view."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dpviz.base import ParameterError, markup
from dpviz.charts import Chart, Look, number_text
from dpviz.pages.candidates import choice_view, leaks_view, search_view, sentences
from dpviz.pages.candidates.settings import (
    DEMONSTRATIONS,
    FORM,
    FORMS,
    GAUSSIAN,
    LARGEST_LEAK,
    SEARCH,
    VIEWS,
)
from dpviz.pages.candidates.study import (
    ChoiceStudy,
    LeakStudy,
    PriceStudy,
    RunsStudy,
    SearchStudy,
    StopStudy,
)
from dpviz.pages.candidates.view import page_study
from dpviz.pages.common import PageSubject
from dpviz.studies.candidate_runs import CandidateRuns
from dpviz.web import widgets as ui
from dpviz.web.jobs import RecentCache, session_cache
from dpviz.web.screens.candidates.controls import (
    NAME,
    PAGE,
    current_runs_study,
    parameters_of,
    rule_page_parameters,
)
from dpviz.web.session import state
from dpviz.web.widgets import print_header

S = TypeVar("S", bound=RunsStudy)
C = TypeVar("C", bound=ChoiceStudy)
_MOST_KEPT = 4  # runs that were made


def show_page(look: Look) -> None:
    of = PageSubject(scenario=state.scenario(), table=require_loaded_study().table)
    study = page_study(of)
    try:
        head, described = sentences.page_head_texts(study), sentences.describe_settings(study)
    except ParameterError as err:
        st.error(ui.escape_markdown(str(err)))
        st.stop()
    print_header.set_page_provenance(None, described)
    ui.enable_slider_preview(ui.previewed_page_slider(NAME, of))
    with st.container(key="candidates_first"):
        at = study.settings.epsilon1
        ui.show_page_head(
            "Candidates",
            *(
                ui.live_text(*part, at)
                for part in zip(("heading", "lead", "sub"), head, strict=True)
            ),
        )
        PAGE.choice_buttons(
            "view", "View", VIEWS.__getitem__, study.settings.view, label_visibility="collapsed"
        )
        with ui.show_job_progress("laws"), ui.live_part("The published run"):
            _VIEWS[study.settings.view](study, look)
        ui.show_not_private_banner(study.settings.rule)


def require_loaded_study() -> RunsStudy:
    """Study with the current settings; ends the run where a table must be loaded first."""
    study = current_runs_study()
    if study.needs_table:
        st.info(
            "Load a table of runs in the sidebar. Each row has a candidate's name and a run's"
            " score. Links never contain the table, so the app asks for the file again.",
            icon=":material/upload_file:",
        )
        st.stop()
    return study


def add_runs_to_study(study: S) -> S:
    """Study with its runs, which are cached, as making them is a job of its own."""
    making = RunsStudy(scenario=study.scenario, table=study.table)
    made: RecentCache[CandidateRuns] = session_cache("runs", _MOST_KEPT)
    runs = made.get_or_make(making.key, lambda: ui.compute_in_background(making)[0].runs)
    return study.replace(results={"runs": runs})


def _choice(study: C, draw: Callable[[C, Look], Chart], key: str, look: Look) -> C:
    """Compute the chosen rule's study beside the page, with its figures, a picture and a caveat."""
    now, _ = ui.compute_in_background(add_runs_to_study(study))
    at = now.settings.epsilon1
    left, right = st.columns([1, 2.6], gap="medium")
    with left:
        ui.show_figures(choice_view.headlines(now), slider_value=at)
    with right:
        ui.show_first_chart(draw(now, look), key, at)
    total = now.total_or_error(now.rule)
    if isinstance(total, ParameterError):
        said = f"This rule has no total ε here: {sentences.uncovered_theorem_reason(total)}."
        st.warning(ui.escape_markdown(said), icon=":material/info:")
    beside_it = f"; {now.runs.note}, and why a run may score more" if now.runs.note else ""
    ui.show_markup(
        '<details class="dp-menu"><summary>Which runs these figures describe{}</summary><p'
        ' class="dp-how">{}</p></details>',
        beside_it,
        sentences.run_law_caveat(now),
    )
    return now


def _outcome(study: ChoiceStudy, look: Look) -> None:
    now = _choice(study, choice_view.candidate_chance_chart, "chosen", look)
    at = now.settings.epsilon1
    line = "Scores of the published run and of a single run"
    with ui.fold("scores", line, line) as opened:
        if opened:
            ui.show_chart(choice_view.score_distribution_chart(now, look), "scores", at)
    line = "Number of runs, with the chance of each number"
    with ui.fold("runs", line, line) as opened:
        if opened:
            ui.show_chart(choice_view.number_of_runs_chart(now, look), "runs", at)
    ui.show_glossary("candidate", "run", "chance", "release")


def _prices(study: PriceStudy, look: Look) -> None:
    now = _choice(study, choice_view.price_quality_chart, "prices", look)
    for sentence in choice_view.omitted_rule_sentences(now):
        st.warning(ui.escape_markdown(sentence), icon=":material/info:")
    ui.heading("What the theorems say")
    ui.show_table(
        "Theorems",
        ("Way to choose", "What it does", "What it costs", "Source"),
        [
            (
                markup("<strong>{}</strong>", way),
                does,
                markup("{}<br><small>Not here: {}</small>", costs, reason) if reason else costs,
                source,
            )
            for way, does, costs, reason, source in choice_view.theorem_rows(now)
        ],
        "dp-words",
    )
    with ui.fold("search", "If the threshold must be searched") as opened:
        if opened:
            at = now.settings.epsilon1
            ui.show_paragraph(
                ui.live_text("search", choice_view.threshold_search_explanation(now), at)
            )
            ui.show_chart(choice_view.search_runs_needed_chart(now, look), "runs_needed", at)
    box = st.expander(
        "If every run is a Gaussian mechanism",
        on_change="rerun",
        key="gaussian_totals",
        icon=":material/calculate:",
    )
    if box.open:
        with box, ui.show_refusals():
            _show_gaussian_totals(now)


def _show_gaussian_totals(study: PriceStudy) -> None:
    parameters = parameters_of(GAUSSIAN)
    with st.container(horizontal=True, width=460):
        noise = parameters.number_box("noise", step=0.5)
        delta = parameters.number_box("delta")
    # quick enough to be computed on the page
    latest: RecentCache[dict[str, float | None]] = session_cache("Gaussian totals", 1)
    totals = latest.get_or_make(
        f"{study.key} {noise!r} {delta!r}", study.gaussian_total_epsilons, noise, delta
    )
    rounded = {
        sentences.LABELS[name]: total and float(f"{total:.4g}") for name, total in totals.items()
    }
    columns = {"way to choose": [*rounded], "total epsilon": [*rounded.values()]}
    st.dataframe(columns, hide_index=True, width=460)
    ui.show_paragraph(
        f"The totals are for δ = {number_text(delta)}, by the Rényi accountant of dp-accounting."
        " Known threshold and random stopping are left out, as their theorems use (ε1, δ1). Random"
        " stopping is negative binomial repeats with η = 1."
    )


def _stops(study: StopStudy, look: Look) -> None:
    now = _choice(study, choice_view.quality_by_gamma_chart, "stops_within", look)
    ui.show_chart(
        choice_view.quality_by_gamma_chart(now, look, "score"), "stops_score", now.settings.epsilon1
    )


def _search(study: SearchStudy, look: Look) -> None:
    given = add_runs_to_study(study)
    ui.show_paragraph(
        "The search goes through the candidates in order. It stops at the first whose runs score at"
        " least τ with a chance of p*. Noise on each answer and on p* keeps the whole search within"
        " ε3.",
        "says",
    )
    _search_controls()
    with ui.show_refusals():
        now, _ = ui.compute_in_background(given)
        ui.show_figures(
            search_view.headlines(now), "Figures of the search", slider_value=now.settings.epsilon1
        )
        ui.show_chart(search_view.search_stop_chart(now, look), "percentile", now.settings.epsilon1)
        ui.show_paragraph(
            ui.live_text("noise", search_view.noise_explanation(now), now.settings.epsilon1)
        )


def _search_controls() -> None:
    form, search = parameters_of(FORM), parameters_of(SEARCH)
    value = form.current_settings().form
    form.choice_buttons("form", "Form", FORMS.__getitem__, value, label_visibility="collapsed")
    rule, width = rule_page_parameters("known_threshold"), 4 if value == "sampled" else 3
    boxes: list[tuple[ui.PageParameters[Any], str, float | None]] = [
        (search, "percentile", None),
        (search, "epsilon", None),
        (rule, "threshold", 0.01),
    ]
    if value == "sampled":
        boxes.append((form, "samples", 100))
        boxes += [(search, name, None) for name in ("queries", "delta", "epsilon0")]
    for row in filter(None, (boxes[:width], boxes[width:])):
        for column, (page, name, step) in zip(st.columns(width), row, strict=False):
            with column:
                page.number_box(name, step=step)


def _leaks(study: LeakStudy, look: Look) -> None:
    """The naive best of K (B.1) and falling thresholds (B.2), on the worst pairs of neighbours."""
    sizes = parameters_of(DEMONSTRATIONS)
    if study.settings.epsilon1 > LARGEST_LEAK:
        st.info(
            f"These demonstrations need an ε1 of at most {LARGEST_LEAK:g}.", icon=":material/info:"
        )
        return
    best_of_runs, thresholds = leaks_view.HEADINGS
    ui.heading(best_of_runs)
    ui.show_paragraph(
        markup(
            "One steady candidate always scores 0.9. K others score 0.8 or 0.95, and one person"
            " changes the odds of each by a factor of e<sup>ε1</sup>. The steady one is published"
            " only if all K others score low. Each of them reveals a little, and together they"
            " reveal Kε1 (Liu &amp; Talwar 2018, Appendix B.1)."
        )
    )
    with st.container(width=200):
        sizes.number_box("k")
    ui.show_chart(
        leaks_view.naive_best_leak_chart(study, look), "naive_leak", study.settings.epsilon1
    )
    ui.heading(thresholds)
    ui.show_paragraph(
        "It looks harmless to begin with a high threshold and lower it when runs fail. But the"
        " final threshold reveals how often runs failed, and each step costs privacy (Appendix"
        " B.2)."
    )
    with st.container(horizontal=True, width=460):
        sizes.number_box("steps")
        sizes.number_box("failure")
    if less := leaks_view.reduced_failure_note(study):
        ui.show_paragraph(ui.live_text("failing", less, study.settings.epsilon1), "note")
    ui.show_chart(
        leaks_view.falling_thresholds_leak_chart(study, look),
        "threshold_leak",
        study.settings.epsilon1,
    )


_VIEWS: dict[str, Callable[[Any, Look], None]] = {
    "outcome": _outcome,
    "price": _prices,
    "stop": _stops,
    "percentile": _search,
    "leaks": _leaks,
}

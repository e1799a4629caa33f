"""The half of Gaps on sparse vectors: plain beside adaptive, one release, bounds, and orders."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.base import ParameterError, declared_parameters, markup
from dpviz.charts import Look, number_text
from dpviz.charts.gaps.answer_counts import query_order_chart
from dpviz.gaps import ORDERS, THRESHOLD, SparseVector
from dpviz.pages.gaps import release_details
from dpviz.pages.gaps import sparse as words
from dpviz.pages.gaps.study import BOTH, BY, CUSTOM, SPLIT_MENU, GapsSettings, QueryStudy
from dpviz.pages.gaps.top_k import measurement_error_headlines
from dpviz.studies import LARGEST_SEED, StepPending, StepRefusal, read_if_ready
from dpviz.web import widgets as ui
from dpviz.web.screens.gaps.run import PAGE, show_page_half_choice, show_single_run

_WORDS = markup(
    "A {} asks for an item's score. Queries come one after the other. An {} reports that a query"
    " lies above the {}, and its {}. Only answers cost privacy, in {} of ε.",
    *map(
        ui.glossary_term,
        ("query", "answer", "threshold", "gap"),
        ("query", "answer", "threshold", "gap"),
    ),
    ui.glossary_term("budget_unit", "units"),
)
_DECLARED = {p.name: p for p in declared_parameters(SparseVector)}
_SWATCHES = {"plain": 0, "adaptive": 1}  # of the designs' colours


def show_sparse_vector_half(query_study: QueryStudy, look: Look) -> None:
    """The whole half."""
    scenario, scores, design = query_study.scenario, query_study.scores, query_study.settings.design
    subject = "sparse vector with gap, plain and adaptive"
    try:
        study, _ = ui.compute_in_background(query_study.check_queries())
    except ParameterError as err:
        ui.show_page_title(
            scenario, scores, "Gaps", words.QUESTION, subject, words.page_heading(query_study)
        )
        show_page_half_choice(query_study.settings.half)
        ui.show_not_private_banner(design)
        st.error(ui.escape_markdown(str(err)))
        return
    at = scenario.epsilon
    with ui.live_part():
        ui.show_page_title(
            scenario,
            scores,
            "Gaps",
            words.lead_sentence(study),
            subject,
            words.page_heading(study),
            at,
        )
    show_page_half_choice(query_study.settings.half)
    with ui.show_job_progress("laws"):
        with ui.live_part("The chance of each query"):
            ui.show_first_chart(
                words.answer_chance_by_query_chart(study, look), "threshold_answers", at
            )
        ui.show_not_private_banner(design)
        ui.show_paragraph(_WORDS)
        ui.show_glossary(
            "query",
            "threshold",
            "answer",
            "gap",
            "budget_unit",
            "split",
            "top_branch",
            "middle_branch",
        )
        ui.heading("Plain beside adaptive")
        with ui.live_part():
            ui.show_table(
                "Plain beside adaptive",
                (("Mechanism", ""), *words.COLUMNS),
                [_row(study, which) for which in BOTH],
                "dp-tall",
            )
        ui.show_paragraph(ui.live_text("setup", words.budget_split_sentence(study), at), "note")
        ui.show_menu_help(THRESHOLD, summary="What the two mechanisms do, and when to use each")
        ui.heading("One release, step by step")
        with ui.live_part():
            show_single_run(study, look)
        with ui.fold(
            "threshold_count",
            "Number of answers, with the chance of each number",
            "The number of answers",
        ) as opened:
            if opened:
                ui.show_chart(words.answer_count_chart(study, look), "threshold_count", at)
        with ui.fold(
            "threshold_coverage",
            "How often lower bounds hold, before and after the answer",
            "How often bounds hold",
        ) as opened:
            if opened:
                ui.show_chart(words.coverage_chart(study, look), "threshold_coverage")
        with ui.fold(
            "worth", "Value of the gaps for measured values: the error with them and without"
        ) as opened:
            if opened:
                _show_value(study)
        with show_alignment_fold() as opened:
            if opened:
                ui.show_chart(release_details.run_alignment_chart(study, look), "alignment", at)
        with ui.fold(
            "orders",
            "Effect of the order: the same queries as given, sorted and shuffled",
            "The effect of the order",
        ) as opened:
            if opened:
                _show_orders(study, look)


@contextmanager
def show_alignment_fold() -> Iterator[bool]:
    """Words on why gaps cost nothing, and the noises of one release that would have to move."""
    title = release_details.ALIGNMENT_TITLE
    with ui.fold("alignment", title, "The noise that moves") as opened:
        if opened:
            ui.show_paragraph(release_details.ALIGNMENT_WORDS)
        yield opened


def show_query_section(settings: GapsSettings) -> None:
    chosen = f"Threshold {number_text(settings.threshold)}, {SPLIT_MENU[settings.split].lower()}"
    with ui.sidebar_section("Queries", chosen, "gaps") as is_open:
        for control in _CHOICES if is_open else ():
            control(settings)


def show_query_control_row(settings: GapsSettings) -> None:
    """The same in one row."""
    columns = st.columns([1.15, 1.1, 1.35, 1.1, 1.1], gap="medium", vertical_alignment="bottom")
    for column, control in zip(columns, _CHOICES, strict=True):
        with column:
            control(settings)


def _by(settings: GapsSettings) -> None:
    def change(by: str) -> None:  # a threshold by hand starts where the quantile put it
        PAGE.change(by=by, **({"threshold": settings.threshold} if by == "value" else {}))

    ui.choice_buttons(
        _DECLARED["threshold"].label,
        BY,
        settings.by,
        change,
        "gaps.by",
        help="The threshold is public. Do not choose it by looking at the private data.",
    )


def _split(settings: GapsSettings) -> None:
    PAGE.menu(
        "split", _DECLARED["split"].label, SPLIT_MENU.__getitem__, help=_DECLARED["split"].help
    )


def _share(settings: GapsSettings) -> None:
    if settings.split == CUSTOM:
        PAGE.percent_box(
            "share",
            settings.share,
            "Threshold's share, %",
            (0.1, 99.9),
            step=5.0,
            help="The share of ε for the threshold's noise. Answers use the rest.",
        )


def _threshold(settings: GapsSettings) -> None:
    if settings.by == "quantile":
        PAGE.percent_box(
            "quantile",
            settings.quantile,
            "Quantile, %",
            (0.0, 100.0),
            format="%.6g",
            help=(
                "The threshold is this quantile of the scores. At 95 %, 1 query in 20 lies above"
                " it."
            ),
        )
        return
    st.number_input(
        "Threshold, in score units",
        value=settings.threshold,
        format="%.10g",
        help=_DECLARED["threshold"].help,
        **PAGE.bind_control("threshold", settings.threshold),
    )


def _branches(settings: GapsSettings) -> None:
    PAGE.number_box("branches")
    if settings.branches > 2 or settings.deviations != GapsSettings.deviations:
        PAGE.number_box("deviations")


_CHOICES = (_by, _threshold, _split, _share, _branches)


def _row(study: QueryStudy, which: str) -> list[object]:
    law = read_if_ready(study.law.__getitem__, which)
    name = markup(
        '<span class="dp-swatch" style="background: {}"></span>{}{}',
        f"var(--dp-designs-{_SWATCHES[which]})",
        which.capitalize(),
        "" if law is None else ui.exact_badge(law.error),
    )
    at, cells = study.scenario.epsilon, list[object]([ui.Cell(name, "dp-who")])
    told = read_if_ready(words.summary_cells, study, which)
    for n, (value, small) in enumerate(told or [(None, "")] * len(words.COLUMNS)):
        if value is None:
            cells.append(ui.WAIT)
            continue
        below = (
            markup("<small>{}</small>", ui.live_text(f"small-{which}-{n}", small, at))
            if small
            else ""
        )
        cells.append(
            markup(
                '<div class="dp-cell">{}</div>{}', ui.live_text(f"{which}-{n}", value, at), below
            )
        )
    return cells


def _show_value(study: QueryStudy) -> None:
    ui.show_paragraph(
        markup(
            "Half of ε is for the plain sparse vector. The other half measures the answered"
            " queries. Each value is a weighted mean of its measurement and of threshold + gap. The"
            " weights"
            " come from the variances before the selection. A query is often answered"
            " <i>because</i> its noise was high, so the formula can be wrong."
        )
    )
    experiment = read_if_ready(lambda: study.measurement_experiment)
    if isinstance(experiment, StepRefusal):
        ui.show_paragraph(experiment.reason)
    else:
        ui.show_figures(
            measurement_error_headlines(
                study.error_without_gaps, experiment, study.predicted_squared_error_ratio
            ),
            "Error of measured values",
        )


def _show_orders(study: QueryStudy, look: Look) -> None:
    settings = study.settings
    with st.container(horizontal=True, vertical_alignment="bottom"):
        PAGE.choice_buttons(
            "order", "Order of the queries for all figures above", ORDERS.label, settings.order
        )
        ui.number_box(
            "Seed of the shuffle",
            settings.shuffle,
            ui.edit_for_keyword(PAGE.change, "shuffle"),
            "gaps.shuffle",
            low=0,
            high=LARGEST_SEED,
            width=160,
        )
    ui.show_menu_help(ORDERS, settings.order)
    if not (answers := words.plain_adaptive_answers_by_order(study)):
        raise StepPending
    order, above = ORDERS.label(settings.order), int(study.is_above_threshold.sum())
    ui.show_chart(query_order_chart(answers, order, above, look=look), "threshold_orders")
    if len(answers) < len(ORDERS):
        ui.show_placeholder("Other orders")

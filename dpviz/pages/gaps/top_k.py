"""Gaps of noisy top-k in words and charts: one release, and errors with the gaps and without."""

import math

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, ignore_progress, iterate_with_progress
from dpviz.charts import Chart, Look, count_text, percent
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.gaps import GapRelease, MeasurementExperiment, SimulatedEstimate
from dpviz.pages import common
from dpviz.pages.gaps.study import KINDS, RUNS, GapWorthStudy
from dpviz.studies import Scenario, read_if_ready


def page_heading(scenario: Scenario) -> str:
    k = scenario.k
    what = "How far ahead is the best item" if k == 1 else f"How far apart are the {k:,} best items"
    return f"{what}, at ε = {scenario.epsilon:.10g}?"


def lead_sentence(study: GapWorthStudy) -> str:
    start = "The distance of each item above the next one costs no extra ε"
    now = read_if_ready(lambda: study.current_experiment)
    if now is None or study.k == 1:
        return f"{start}."
    if now.ratio.low > 1:
        return f"{start}. Here it makes measured values worse."
    return (
        f"{start}. Here it makes measured values better."
        if now.ratio.high < 1
        else f"{start}. Here the simulation finds no clear effect on measured values."
    )


def measurement_error_headlines(
    error_without_gaps: float,
    experiment: MeasurementExperiment | None,
    predicted_squared_error_ratio: float,
) -> list[common.Headline]:
    """Errors of measured values without and with the gaps, simulated and by formula."""
    runs = 0 if experiment is None else experiment.runs
    with_gaps = None if experiment is None else _root(experiment.combined)
    return [
        common.Headline(
            "Measured alone",
            common.format_three_digits(error_without_gaps),
            "typical error of one value, in score units",
            common.ExactSource(0.0),
        ),
        _simulated("With the gaps", with_gaps, runs, "typical error on the items selected"),
        _simulated(
            "Ratio, simulated",
            None if experiment is None else experiment.ratio,
            runs,
            "squared error with / without, after selection",
        ),
        common.Headline(
            "Ratio, by formula",
            common.format_three_digits(predicted_squared_error_ratio),
            "for noise before selection",
            common.ExactSource(0.0),
        ),
    ]


def _simulated(
    name: str, estimate: SimulatedEstimate | None, runs: int, meaning: str
) -> common.Headline:
    if estimate is None:
        return common.Headline(name, None, meaning)
    return common.Headline(
        name,
        common.format_three_digits(estimate.value),
        meaning,
        common.SimulatedSource(
            runs,
            f"{common.format_three_digits(estimate.low)} to {common.format_three_digits(estimate.high)}",
        ),
    )


def _root(estimate: SimulatedEstimate) -> SimulatedEstimate:
    return SimulatedEstimate(
        *(math.sqrt(max(v, 0.0)) for v in (estimate.value, estimate.low, estimate.high))
    )


def seeded_release(study: GapWorthStudy) -> GapRelease:
    return study.mechanism.release(study.scores, rng=np.random.default_rng(study.scenario.seed))


def release_chart(study: GapWorthStudy, look: Look) -> Chart:
    return gap_release_chart(seeded_release(study), study.scores, look=look)


def gap_survival_sentence(study: GapWorthStudy) -> str:
    """Chance that the item comes first with as large a gap again."""
    out = seeded_release(study)
    chance = study.mechanism.gap_survival(study.scores, int(out.items[0]), float(out.gaps[0]))
    return f"In {percent(chance)} of releases it comes first with a larger gap (exact)."


def error_ratio_chart(study: GapWorthStudy, look: Look, *, both_kinds: bool = True) -> Chart:
    """Ratio of errors over k, on these scores and, with `both_kinds`, on the other kind."""
    monotonic = study.scores.monotonic
    kinds = {
        KINDS[kind]: _ratios(study, kind)
        for kind in ((monotonic, not monotonic) if both_kinds else (monotonic,))
    }
    return gap_ratio_chart(kinds, k=study.k, own=KINDS[monotonic], look=look)


def _ratios(study: GapWorthStudy, monotonic: bool) -> GapRatios:
    come, names = (
        study.experiment.ready_results(),
        {k: f"{k} {KINDS[monotonic]}" for k in study.experiment_k_values},
    )
    return GapRatios.from_experiments(
        {k: come[name] for k, name in names.items() if name in come},
        (study.experiment_k_values[0], study.experiment_k_values[-1]),
        lambda k: study.predicted_squared_error_ratio(k, monotonic),
    )


def build_slider_preview(
    study: GapWorthStudy, request: common.PreviewRequest
) -> common.PagePreview:
    study.compute_current_experiment(request.progress)
    worth_now = measurement_error_headlines(
        study.error_without_gaps,
        study.current_experiment,
        study.predicted_squared_error_ratio(study.k),
    )
    says = (
        f"{worth_now[0].name} {worth_now[0].value}, {worth_now[1].name.lower()}"
        f" {worth_now[1].value}"
    )
    at = {"heading": page_heading(study.scenario), "lead": lead_sentence(study)}
    largest = float(study.scores.values.max() - study.scores.values.min())
    return common.PagePreview(
        texts=at | common.headline_texts_by_live_name(worth_now),
        charts={"gap_release": release_chart(study, request.look)},
        lead=says,
        height=max(0.0, 1.0 - study.error_without_gaps / largest) if largest else 0.0,
    )


# ---- tables, for the command line ----------------------------------------------------------------


def release_table(study: GapWorthStudy) -> pd.DataFrame:
    out = seeded_release(study)
    return pd.DataFrame(
        {
            "place": np.arange(1, study.k + 1),
            "item": [study.scores.label(i) for i in out.items.tolist()],
            "gap": out.gaps,
        }
    )


def figures_table(study: GapWorthStudy) -> pd.DataFrame:
    now, error = study.current_experiment, _root(study.current_experiment.combined)
    return pd.DataFrame(
        [
            {
                "epsilon": study.scenario.epsilon,
                "k": study.k,
                "error_measured": study.error_without_gaps,
                "error_with_gaps": error.value,
                "error_with_gaps_low": error.low,
                "error_with_gaps_high": error.high,
                "ratio": now.ratio.value,
                "ratio_low": now.ratio.low,
                "ratio_high": now.ratio.high,
                "ratio_formula": now.formula,
                "method": "estimated",
                "draws": now.runs,
            }
        ]
    )


# ---- the figure to take away ---------------------------------------------------------------------


def file_disclosure(scenario: Scenario, scores: Scores) -> str:
    return common.disclosure_sentence(
        scenario,
        "the names of the items in the releases shown, and the true distances of their scores",
    )


def build_slider_figure(
    study: GapWorthStudy, progress: Progress = ignore_progress
) -> common.SliderFigure:
    """Figure of the release of one seed and the errors, by ε."""
    scenario, scores = study.scenario, study.scores
    values = common.epsilon_grid(scenario.epsilon)
    kinds = [f"{n} {KINDS[scores.monotonic]}" for n in study.experiment_k_values]
    return common.SliderFigure(
        title=common.takeaway_title(scenario, "value of the gaps"),
        lead=(
            f"Noisy top-k publishes {study.k:,} of {scores.d:,} items, with the gap of each to the"
            f" next. {scores.change}"
        ),
        slider_quantity="ε, the privacy budget",
        steps=tuple(
            _place(
                study.with_epsilon(value).compute(part, *(f"experiment {name}" for name in kinds))
            )
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(scenario.epsilon),
        column_headings=(
            ("Measured alone", "typical error of one value, in score units; exact"),
            (
                "With the gaps",
                f"typical error, simulated in {count_text(RUNS, 'release')}; 95 % interval",
            ),
            ("Ratio, simulated", "squared error with / without, after selection; 95 % interval"),
            ("Ratio, by formula", "for noise before selection"),
        ),
        charts=("One release, with its gaps", "Error with the gaps, by k"),
        note=(
            f"{file_disclosure(scenario, scores)} Half of ε selects items. The other half measures"
            " them."
        ),
    )


def _place(study: GapWorthStudy) -> common.SliderPosition:
    now, alone, ratios = (
        study.current_experiment,
        study.error_without_gaps,
        _ratios(study, study.scores.monotonic),
    )
    root = _root(now.combined)
    by_k = {
        "k": ratios.at,
        "by formula": [study.predicted_squared_error_ratio(int(n)) for n in ratios.at],
        "simulated": ratios.simulated,
        "from": ratios.low,
        "to": ratios.high,
        "simulated releases": ratios.runs,
    }
    table = common.table_as_text(pd.DataFrame(by_k).sort_values("k"))

    value = common.format_slider_value(study.scenario.epsilon)
    sentence = (
        f"At ε = {value} a value measured alone has a typical error of"
        f" {common.format_three_digits(alone)}. With the gaps it is {common.format_three_digits(root.value)}"
        " (estimated from"
        f" {count_text(now.runs, 'simulated release')}: {common.format_three_digits(root.low)} to"
        f" {common.format_three_digits(root.high)})."
    )
    cells = [
        common.format_three_digits(alone),
        _interval(root),
        _interval(now.ratio),
        common.format_three_digits(study.predicted_squared_error_ratio(study.k)),
    ]
    return common.build_position(
        value,
        sentence,
        [cells],
        common.chart_with_table_builder(release_chart, study),
        lambda look: (error_ratio_chart(study, look, both_kinds=False), table),
    )


def _interval(estimate: SimulatedEstimate) -> str:
    wide = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return f"{common.format_three_digits(estimate.value)} ± {float(f'{wide:.1g}'):g}"

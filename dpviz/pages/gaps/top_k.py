"""What the gaps of noisy top-k are worth: one release, and the error of measured values with the
gaps and without.
"""

import math

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, each, silent
from dpviz.charts import Chart, Look, count, percent
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.gaps import Estimate, GapRelease, MeasurementExperiment
from dpviz.pages.common import (
    Asked,
    Exact,
    Headline,
    PageStep,
    Place,
    Simulated,
    Takeaway,
    around,
    in_words,
    of_data,
    place,
    said_of,
    short,
    three,
    titled,
)
from dpviz.pages.gaps.study import KINDS, RUNS, GapWorth
from dpviz.studies import Scenario, known


def question(scenario: Scenario) -> str:
    """The question."""
    k = scenario.k
    what = "How far ahead is the best item" if k == 1 else f"How far apart are the {k:,} best items"
    return f"{what}, at ε = {scenario.epsilon:.10g}?"


def lead(study: GapWorth) -> str:
    """Whether the gaps help here."""
    start = "How far each item came out above the next costs no extra ε"
    now = known(lambda: study.now)
    if now is None or study.k == 1:
        return f"{start}."
    if now.ratio.low > 1:
        return f"{start}, but here it makes measured values worse."
    if now.ratio.high < 1:
        return f"{start}, and here it makes measured values better."
    return f"{start}; here it hardly changes measured values."


def worth(alone: float, experiment: MeasurementExperiment | None, formula: float) -> list[Headline]:
    """The error of measured values without the gaps and with them, simulated and by formula."""
    runs = 0 if experiment is None else experiment.runs
    with_gaps = None if experiment is None else _root(experiment.combined)
    ratio = None if experiment is None else experiment.ratio
    return [
        Headline(
            "Measured alone", three(alone), "typical error of a value, in score units", Exact(0.0)
        ),
        _simulated("With the gaps", with_gaps, runs, "typical error on the items selected"),
        _simulated(
            "Ratio, simulated", ratio, runs, "squared error with / without, after selection"
        ),
        Headline("Ratio, by formula", three(formula), "for noise before selection", Exact(0.0)),
    ]


def _simulated(name: str, estimate: Estimate | None, runs: int, meaning: str) -> Headline:
    if estimate is None:
        return Headline(name, None, meaning)
    return Headline(
        name,
        three(estimate.value),
        meaning,
        Simulated(runs, f"{three(estimate.low)} to {three(estimate.high)}"),
    )


def _root(estimate: Estimate) -> Estimate:
    """An estimate of the square root."""
    return Estimate(
        *(math.sqrt(max(v, 0.0)) for v in (estimate.value, estimate.low, estimate.high))
    )


def release(study: GapWorth) -> GapRelease:
    """One release, with the noise of the scenario's seed."""
    return study.mechanism.release(study.scores, rng=np.random.default_rng(study.scenario.seed))


def release_chart(study: GapWorth, look: Look) -> Chart:
    """The release, with its gaps."""
    return gap_release_chart(release(study), study.scores, look=look)


def survival(study: GapWorth) -> str:
    """How often the one item that came out comes first by as much again."""
    out = release(study)
    chance = study.mechanism.gap_survival(study.scores, int(out.items[0]), float(out.gaps[0]))
    return f"It comes first with a gap above this one in {percent(chance)} of releases (exact)."


def ratio_chart(study: GapWorth, look: Look, *, both: bool = True) -> Chart:
    """The ratio of errors over k, by formula and simulated, on scores as they are and on the other
    kind.
    """
    monotonic = study.scores.monotonic
    kinds = {
        KINDS[kind]: _ratios(study, kind)
        for kind in ((monotonic, not monotonic) if both else (monotonic,))
    }
    return gap_ratio_chart(kinds, k=study.k, own=KINDS[monotonic], look=look)


def _ratios(study: GapWorth, monotonic: bool) -> GapRatios:
    """What has come of the ratios over k."""
    come, names = study.experiment.come(), {k: f"{k} {KINDS[monotonic]}" for k in study.sizes}
    there = {k: come[name] for k, name in names.items() if name in come}
    return GapRatios.of(
        there, (study.sizes[0], study.sizes[-1]), lambda k: study.formula(k, monotonic)
    )


def step(study: GapWorth, asked: Asked) -> PageStep:
    """This half of the page, under the hand: the release of the scenario's seed, and the errors."""
    study.measure(asked.progress)
    worth_now = worth(study.measured_alone, study.now, study.formula(study.k))
    says = (
        f"{worth_now[0].name} {worth_now[0].value}, {worth_now[1].name.lower()}"
        f" {worth_now[1].value}"
    )
    at = {"heading": question(study.scenario), "lead": lead(study)}
    largest = float(study.scores.values.max() - study.scores.values.min())
    return PageStep(
        said=at | said_of(worth_now),
        charts={"gap_release": release_chart(study, asked.look)},
        lead=says,
        height=max(0.0, 1.0 - study.measured_alone / largest) if largest else 0.0,
    )


# ---- tables, for the command line ----------------------------------------------------------------


def release_table(study: GapWorth) -> pd.DataFrame:
    """A row an item of the release, in the order in which they came out."""
    out = release(study)
    items = [study.scores.label(i) for i in out.items.tolist()]
    return pd.DataFrame({"place": np.arange(1, study.k + 1), "item": items, "gap": out.gaps})


def figures_table(study: GapWorth) -> pd.DataFrame:
    """One row: the errors with their 95 % intervals."""
    now, error = study.now, _root(study.now.combined)
    row = {
        "epsilon": study.scenario.epsilon,
        "k": study.k,
        "error_measured": study.measured_alone,
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
    return pd.DataFrame([row])


# ---- the figure to take away ---------------------------------------------------------------------


def holds(scenario: Scenario, scores: Scores) -> str:
    """What the file holds of the data, in words."""
    return of_data(
        scenario,
        "the names of the items that come out in the releases shown, and how far apart their scores"
        " truly are",
    )


def slider(study: GapWorth, progress: Progress = silent) -> Takeaway:
    """The release of one seed and the errors, at every ε around the setting."""
    scenario, scores = study.scenario, study.scores
    values = around(scenario.epsilon)
    kinds = [f"{n} {KINDS[scores.monotonic]}" for n in study.sizes]
    return Takeaway(
        title=titled(scenario, "what the gaps are worth"),
        lead=(
            f"Noisy top-k publishes {study.k:,} of {scores.d:,} and how far each came out above the"
            f" next. {scores.change}"
        ),
        moves="Privacy budget ε",
        steps=tuple(
            _place(study.at(value).compute(part, *(f"experiment {name}" for name in kinds)))
            for value, part in each(values, progress)
        ),
        start=values.index(scenario.epsilon),
        heads=(
            ("Measured alone", "typical error of a value, in score units; exact"),
            (
                "With the gaps",
                f"typical error, simulated in {count(RUNS, 'release')}; 95 % interval",
            ),
            ("Ratio, simulated", "squared error with / without, after selection; 95 % interval"),
            ("Ratio, by formula", "for noise before selection"),
        ),
        charts=("One release, with its gaps", "The error with the gaps, over k"),
        note=(
            f"{holds(scenario, scores)} Half of ε selects, the other half measures the items"
            " selected."
        ),
    )


def _place(study: GapWorth) -> Place:
    now, alone, ratios = study.now, study.measured_alone, _ratios(study, study.scores.monotonic)
    root = _root(now.combined)
    by_k = {
        "k": ratios.at,
        "by formula": [study.formula(int(n)) for n in ratios.at],
        "simulated": ratios.simulated,
        "from": ratios.low,
        "to": ratios.high,
        "simulated releases": ratios.runs,
    }
    table = in_words(pd.DataFrame(by_k).sort_values("k"))

    def in_look(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        drawn = release_chart(study, look)
        return [(drawn, in_words(drawn.table)), (ratio_chart(study, look, both=False), table)]

    value = short(study.scenario.epsilon)
    sentence = (
        f"At ε = {value} a value measured alone has a typical error of {three(alone)}, with the"
        f" gaps {three(root.value)} (estimated from {count(now.runs, 'simulated release')}:"
        f" {three(root.low)} to {three(root.high)})."
    )
    cells = [three(alone), _interval(root), _interval(now.ratio), three(study.formula(study.k))]
    return place(value, sentence, [cells], in_look)


def _interval(estimate: Estimate) -> str:
    wide = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return f"{three(estimate.value)} ± {float(f'{wide:.1g}'):g}"

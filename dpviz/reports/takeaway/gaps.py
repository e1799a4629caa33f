"""The steps of Gaps, ε by ε: what the gaps are worth with noisy top-k, or which queries sparse vectors answer.

Invariants: the noise of the releases shown is one seed's, scaled by ε as the mechanism scales it; what is simulated
says so, with its interval, while the laws of sparse vectors are exact.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from dpviz.base.progress import Progress, each, silent
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.gaps.answer_counts import threshold_count_chart
from dpviz.charts.gaps.gap_ratio import GapRatios, gap_ratio_chart
from dpviz.charts.gaps.gap_release import gap_release_chart
from dpviz.charts.gaps.query_answers import threshold_answers_chart
from dpviz.charts.look import Look
from dpviz.charts.words import count, number, percent
from dpviz.gaps.gap_experiment import Estimate, measured_formula, measuring_error, repeatable_experiment
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.run_law import ThresholdDistribution
from dpviz.reports.takeaway.said import of_data, shown, three, titled, told
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.pages.gaps import GAPS_PAGE, RUNS, RUNS_OTHER, Settings, ratios_at, read
from dpviz.studies.scenario import Scenario

__all__ = ["gapped", "gapped_holds"]

_BARS = 120  # of queries, so that a file stays below two megabytes
_QUERIES = 40  # rows of the table: those that are answered most often


def gapped(scenario: Scenario, scores: Scores, *, progress: Progress = silent) -> Takeaway:
    """The half that the scenario's page has open. Raises `ParameterError` for settings that cannot be used."""
    settings = read(scenario, scores)
    make = _top_k if settings.half == "top_k" else _sparse
    return make(scenario, scores, settings, progress)


def gapped_holds(scenario: Scenario, scores: Scores) -> str:
    """What the file holds of the data, in words."""
    if GAPS_PAGE.values_on(scenario.page)[0]["half"] == "top_k":
        held = "the names of the items that come out in the releases shown, and how far apart their scores truly are"
    elif scores.d <= _BARS:
        held = f"the names and scores of the {scores.d:,} queries that it shows"
    else:
        held = (
            f"the mean scores of neighbouring queries, at most {_BARS} such means, and the names and scores of "
            f"the {_QUERIES} queries that are answered most often"
        )
    return of_data(scenario, held)


def _top_k(scenario: Scenario, scores: Scores, settings: Settings, progress: Progress) -> Takeaway:
    k, values = min(scenario.k, scores.d - 1), around(scenario.epsilon)
    return Takeaway(
        title=titled(scenario, "what the gaps are worth"),
        lead=f"Noisy top-k publishes {k:,} of {scores.d:,} and how far each came out above the next. {scores.change}",
        moves="Privacy budget ε",
        steps=tuple(_gaps_at(value, k, scores, scenario.seed, part) for value, part in each(values, progress)),
        start=values.index(scenario.epsilon),
        heads=(
            ("Measured alone", "typical error of a value, in score units; exact"),
            ("With the gaps", f"typical error, simulated in {count(RUNS, 'release')}; 95 % interval"),
            ("Ratio, simulated", "squared error with / without, after selection; 95 % interval"),
            ("Ratio, by formula", "for noise before selection"),
        ),
        charts=("One release, with its gaps", "The error with the gaps, over k"),
        note=f"{gapped_holds(scenario, scores)} Half of ε selects, the other half measures the items selected.",
    )


def _gaps_at(epsilon: float, k: int, scores: Scores, seed: int, progress: Progress) -> Step:
    runs = {k: RUNS} | {n: RUNS_OTHER for n in ratios_at(k, scores.d) if n != k}
    found = {
        n: repeatable_experiment(scores, epsilon=epsilon, k=n, runs=many, progress=part)
        for (n, many), part in each(list(runs.items()), progress)
    }
    kind = "monotonic" if scores.monotonic else "general"
    formula = partial(measured_formula, monotonic=scores.monotonic)
    ratios = GapRatios.of(found, (min(found), max(found)), formula)
    release = NoisyTopKWithGap(epsilon=epsilon, k=k).release(scores, rng=np.random.default_rng(seed))
    alone, now = measuring_error(scores, epsilon, k), found[k]
    root = Estimate(*(max(v, 0.0) ** 0.5 for v in (now.combined.value, now.combined.low, now.combined.high)))

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        drawn = gap_release_chart(release, scores, look=look)
        ratio = gap_ratio_chart({kind: ratios}, k=k, own=kind, look=look)
        by_k = {"k": ratios.at, "by formula": [formula(int(n)) for n in ratios.at], "simulated": ratios.simulated}
        by_k |= {"from": ratios.low, "to": ratios.high, "simulated releases": ratios.runs}
        return [(drawn, told(drawn.table)), (ratio, told(pd.DataFrame(by_k).sort_values("k")))]

    said = (
        f"At ε = {shown(epsilon)} a value measured alone has a typical error of {three(alone)}, with the gaps "
        f"{three(root.value)} (estimated from {count(now.runs, 'simulated release')}: {three(root.low)} to "
        f"{three(root.high)})."
    )
    cells = [three(alone), _interval(root), _interval(now.ratio), three(formula(k))]
    return step(shown(epsilon), said, [cells], draw)


def _interval(estimate: Estimate) -> str:
    wide = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return f"{three(estimate.value)} ± {float(f'{wide:.1g}'):g}"


def _sparse(scenario: Scenario, scores: Scores, settings: Settings, progress: Progress) -> Takeaway:
    asked, values = settings.asked(scores), around(scenario.epsilon)
    above = int((scores.values >= settings.threshold).sum())
    steps = []
    for value, part in each(values, progress):
        ways = {
            "plain": settings.plain(value, scenario.k, scores),
            "adaptive": settings.adaptive(value, scenario.k, scores),
        }
        steps.append(_answers_at(value, ways, asked, part))
    return Takeaway(
        title=titled(scenario, "which queries lie above the threshold"),
        lead=(
            f"Sparse vectors ask {count(scores.d, 'query', 'queries')}, {above:,} of them at or above the threshold "
            f"{number(settings.threshold)}, with a budget for {count(scenario.k, 'plain answer')}. {scores.change}"
        ),
        moves="Privacy budget ε",
        steps=tuple(steps),
        start=values.index(scenario.epsilon),
        heads=(
            ("Answers", "expected in one release"),
            ("Truly above", "of these, on average"),
            ("Precision", "truly above / answers, mean"),
            ("ε spent", "on average"),
        ),
        rows=("plain", "adaptive"),
        charts=("Which queries are answered", "How many answers come out"),
        note=gapped_holds(scenario, scores),
    )


def _answers_at(epsilon: float, ways: Mapping[str, ThresholdMechanism], asked: Scores, progress: Progress) -> Step:
    laws = {name: way.distribution(asked, progress=part) for (name, way), part in each(list(ways.items()), progress)}
    plain, adaptive = laws["plain"], laws["adaptive"]
    threshold, k = ways["plain"].threshold, ways["plain"].k
    top, middle = adaptive.branch("top"), adaptive.branch("middle")

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        reached = np.maximum(plain.reached, adaptive.reached)
        answers = threshold_answers_chart(asked, threshold, plain.answered, top, middle, reached, most=_BARS, look=look)
        counts = threshold_count_chart(plain.count, adaptive.count, k, look=look)
        return [(answers, _most_answered(answers.table)), (counts, told(_likely(counts.table)))]

    said = (
        f"At ε = {shown(epsilon)} the plain sparse vector gives {number(round(plain.expected_answers, 2))} answers on "
        f"average, the adaptive one {number(round(adaptive.expected_answers, 2))} (exact, error at most "
        f"{number(max(plain.error, adaptive.error, 1e-16))})."
    )
    above = asked.values >= threshold
    return step(shown(epsilon), said, [_cells(law, above) for law in laws.values()], draw)


def _cells(law: ThresholdDistribution, above: np.ndarray) -> list[str]:
    right = float(law.answered[above].sum())
    precision = "none" if law.precision is None else percent(law.precision)
    return [*(number(round(value, 2)) for value in (law.expected_answers, right)), precision, three(law.spent)]


def _most_answered(table: pd.DataFrame) -> pd.DataFrame:
    often = table[["plain", "adaptive"]].max(axis=1)
    return told(table.loc[often.nlargest(_QUERIES).sort_index().index])


def _likely(table: pd.DataFrame) -> pd.DataFrame:
    """The numbers of answers that come out at all."""
    return table[table[["plain", "adaptive"]].max(axis=1) >= 1e-3]

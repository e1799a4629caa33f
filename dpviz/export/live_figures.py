"""Live figures of laws, comparisons and decisions: the file with a slider, as one object.

Invariant: a frame has at most `LARGEST` bytes beside plotly's script; some positions may go.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from dpviz.base import ParameterError, Progress, Scores, check_flag
from dpviz.base.live_figure import LiveFigure
from dpviz.export.takeaway import build_takeaway_file
from dpviz.pages.common import PageSubject, SliderFigure
from dpviz.pages.compare import view as compare
from dpviz.pages.decide import view as decide
from dpviz.pages.explore import view as explore
from dpviz.studies import Design, Scenario
from dpviz.studies.comparison import Comparison
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import DecideStudy, Decision
from dpviz.topk import TopKDistribution

LARGEST = 60_000
_DRAWS = 10_000  # of an estimated law, where this one was not


def live_figure(result: Any, *settings: Any, own_plotly: bool, progress: Progress) -> LiveFigure:
    check_flag("own_plotly", own_plotly)
    takeaway = _takeaway(result, *settings, progress=progress)
    for every in (1, 2, 4, 8):
        steps = takeaway.steps[takeaway.start % every :: every]
        file = build_takeaway_file(replace(takeaway, steps=steps, start=takeaway.start // every))
        if len(file.html_without_plotly.encode()) <= LARGEST:
            break
    return LiveFigure(takeaway.title, file.html, file.html_without_plotly, own_plotly)


@singledispatch
def _takeaway(result: Any, *, progress: Progress) -> SliderFigure:
    raise ParameterError("result", result, "a law of items, a comparison or a decision")


@_takeaway.register
def _law(law: TopKDistribution, *, progress: Progress) -> SliderFigure:
    return explore.PAGE.build_slider_figure(_subject([law]), progress)


@_takeaway.register
def _comparison(comparison: Comparison, *, progress: Progress) -> SliderFigure:
    return compare.PAGE.build_slider_figure(_subject(comparison.laws), progress)


@_takeaway.register
def _decision(
    decision: Decision, scores: Scores | Sequence[Scores] | None, *, progress: Progress
) -> SliderFigure:
    wanted = "the scores that were given to decide, as a decision holds none"
    if scores is None and decision.scenario.needs_data:
        raise ParameterError("scores", None, wanted)
    study = DecideStudy.from_question(
        decision.question, scores, samples=decision.utility.draws or _DRAWS
    )
    made = decide.build_study_slider_figure(study, decision.scenario, progress)
    if (study.epsilon, study.utility) != (decision.epsilon, decision.utility):
        raise ParameterError("scores", scores, wanted)
    return made


def _subject(laws: Sequence[TopKDistribution]) -> PageSubject:
    first, k, epsilon = laws[0], laws[0].k, laws[0].mechanism.epsilon
    scenario = Scenario(
        data=DataSpec(source="uploaded"),
        epsilon=epsilon if epsilon < math.inf else 1.0,  # not read where the noise is stated
        k=k,
        designs=tuple(Design(mechanism=law.mechanism) for law in laws),
        name=f"The best {k:,} of {first.scores.d:,}",
    )
    return PageSubject(scenario, first.scores)

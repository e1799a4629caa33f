"""One query of a sparse vector's release: comparison, answer and cost."""

from typing import NamedTuple

import numpy as np

from dpviz.charts import count_text, input_percent_text, number_text, percent
from dpviz.gaps import ThresholdReplay
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.pages.common import format_four_digits
from dpviz.pages.gaps.study import QueryStudy
from dpviz.studies import read_if_ready

_HIDDEN = "hidden"


class NamedValue(NamedTuple):
    """A name, its value and a small remark; an important one is `strong`."""

    name: str
    value: str
    remark: str = ""
    strong: bool = False


def query_details(
    study: QueryStudy, which: str, replay: ThresholdReplay, step: int
) -> list[NamedValue]:
    i, mechanism = step - 1, study.mechanisms[which]
    used = int(replay.units[i])
    end = NamedValue("then", f"the release ends: {_why_it_ends(mechanism, used)}")
    return [
        NamedValue("true score", number_text(float(study.ordered_queries.values[i])), _HIDDEN),
        *_compared(mechanism, replay, i),
        *_answer(study, which, replay, i),
        NamedValue("units used", f"{used:,} of {mechanism.units:,}"),
        NamedValue(
            "ε so far",
            f"{format_four_digits(mechanism.plan.epsilon_spent(used))} of {mechanism.epsilon:.10g}",
        ),
        *([end] if step == replay.release.asked else []),
    ]


def _compared(mechanism: ThresholdMechanism, replay: ThresholdReplay, i: int) -> list[NamedValue]:
    """Noisy values and the thresholds they were compared with."""
    signs = ["≥" if replay.branch[i] == at else "<" for at in range(len(mechanism.branch_names))]
    return [
        NamedValue(
            "noisy" if len(signs) == 1 else f"noisy, {branch}",
            f"{format_four_digits(replay.noisy[at, i])} {signs[at]} {format_four_digits(replay.thresholds[at])}",
            _HIDDEN,
        )
        for at, branch in enumerate(mechanism.branch_names)
        if not np.isnan(replay.noisy[at, i])
    ]


def _answer(study: QueryStudy, which: str, replay: ThresholdReplay, i: int) -> list[NamedValue]:
    mechanism, release, j = study.mechanisms[which], replay.release, int(replay.branch[i])
    if j < 0:
        return [NamedValue("answer", "no: nothing is spent")]
    at = int(np.searchsorted(release.items, i))
    branch = f"{mechanism.branch_names[j]} branch" if which == "adaptive" else ""
    often = read_if_ready(lambda: study.coverage[which].coverage_after_answer[j, i])
    if often is None:
        after = NamedValue("", "…", "given the answer")
    elif np.ma.is_masked(often):
        after = NamedValue("", "too rare to compute", "given the answer")
    else:
        after = NamedValue("", percent(float(often)), "given the answer", strong=True)
    return [
        NamedValue("answer", "yes", branch, strong=True),
        NamedValue("gap", format_four_digits(release.gaps[at]), strong=True),
        NamedValue("lower bound", format_four_digits(release.lower_bounds[at])),
        NamedValue(
            "bound holds",
            f"at least {input_percent_text(study.settings.confidence)}",
            "before the answer",
        ),
        after,
        NamedValue(
            "cost",
            f"{count_text(mechanism.branches()[j].cost, 'unit')} of ε {format_four_digits(mechanism.unit_epsilon)}",
        ),
    ]


def _why_it_ends(mechanism: ThresholdMechanism, used: int) -> str:
    left = mechanism.units - used
    if left >= max(test.cost for test in mechanism.branches()):
        return "every query was asked"
    return (
        "the budget is used up"
        if left == 0
        else f"the remaining {count_text(left, 'unit')} cannot pay for the next answer"
    )

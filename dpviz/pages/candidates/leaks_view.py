"""What leaks when runs are compared: two exact demonstrations on worst pairs; the slider moves the
price of one run.
"""

from functools import partial

from dpviz.base import Progress, each
from dpviz.charts import Chart, Look, at_most, count, number
from dpviz.charts import candidates as drawn
from dpviz.pages.candidates import LARGEST_LEAK, LeakStudy
from dpviz.pages.candidates.sentences import LEAKS, LEAKS_LEAD, title
from dpviz.pages.common import (
    Asked,
    PageStep,
    Place,
    Takeaway,
    around,
    pictured,
    place,
    short,
    three,
)

HEADINGS = ("Why the best of K runs is not free", "Why a threshold must not come down")


def best_of_runs_chart(study: LeakStudy, look: Look) -> Chart:
    """What the best of K runs loses."""
    return drawn.naive_leak_chart(
        study.best_of_runs, study.settings.epsilon1, study.sizes.k, look=look
    )


def thresholds_chart(study: LeakStudy, look: Look) -> Chart:
    """What thresholds that come down lose."""
    return drawn.threshold_leak_chart(study.thresholds, study.settings.epsilon1, look=look)


def failing_less(study: LeakStudy) -> str:
    """That a smaller chance of failure is used than the one set; "" where it is that one."""
    if study.sizes.failure <= study.largest_failure:
        return ""
    return (
        f"With ε1 = {number(study.settings.epsilon1)} both outcomes of a run stay within e^ε1 only"
        f" if it fails with a chance of at most {at_most(study.largest_failure)}, which is used"
        " here."
    )


def step(study: LeakStudy, asked: Asked) -> PageStep:
    """Both demonstrations under the hand, at the price that the study has of one run."""
    losses = best_of_runs_chart(study, asked.look)
    heading, lead, below = title(study)
    return PageStep(
        said={"heading": heading, "lead": lead, "sub": below, "failing": failing_less(study)},
        charts={"naive_leak": losses, "threshold_leak": thresholds_chart(study, asked.look)},
        lead=losses.says_now,
        height=study.settings.epsilon1 / LARGEST_LEAK,
    )


def slider(study: LeakStudy, progress: Progress) -> Takeaway:
    """Two worst pairs of neighbours, by the price of one run."""
    start = min(study.settings.epsilon1, LARGEST_LEAK)
    values = [value for value in around(start) if value <= LARGEST_LEAK]
    return Takeaway(
        title=LEAKS,
        lead=LEAKS_LEAD,
        moves="Privacy budget ε1 of one run",
        steps=tuple(_leak(study.at(value)) for value, _ in each(values, progress)),
        start=values.index(start),
        heads=(
            ("Best of one run each", "its loss on this pair, with K candidates"),
            ("Random stopping", "its loss on the same pair"),
            ("Threshold that comes down", "its loss after R steps"),
        ),
        charts=HEADINGS,
        note="Exact laws of two worst cases (Liu & Talwar 2018, Appendix B.1 and B.2).",
        moving=(0, 1),  # losses go with ε1
    )


def _leak(study: LeakStudy) -> Place:
    k, leak, epsilon = study.sizes.k, study.best_of_runs, short(study.settings.epsilon1)
    losses = [
        three(float(loss))
        for loss in (leak.naive[k - 1], leak.stopping[k - 1], study.thresholds.loss[-1])
    ]
    said = (
        f"At ε1 = {epsilon} a run, comparing {count(k, 'candidate')} by their best runs loses"
        f" {losses[0]} on the worst pair, random stopping {losses[1]} (exact)."
    )
    return place(
        epsilon,
        said,
        [losses],
        pictured(partial(best_of_runs_chart, study), partial(thresholds_chart, study)),
    )

"""Small parts that both halves of the page are made of."""

from dpviz.charts.words import count
from dpviz.gaps.gap_experiment import Estimate, MeasurementExperiment
from dpviz.ui.shell import state
from dpviz.ui.shell.badges import estimated, exact
from dpviz.ui.shell.controls import LARGEST_SEED
from dpviz.ui.shell.show import card, cards
from dpviz.ui.shell.text import three

__all__ = ["SAME_RUN", "next_seed", "worth_cards"]

SAME_RUN = "The same seed gives the same release again."


def _simulated(estimate: Estimate, runs: int, root: bool = False) -> str:
    """HTML: the badge of an estimated figure with its interval; `root` for the square root of the figure."""
    low, high = (max(v, 0.0) ** 0.5 if root else v for v in (estimate.low, estimate.high))
    return estimated(f"Simulated in {count(runs, 'release')}.", f"{three(low)} to {three(high)}")


def worth_cards(alone: float, experiment: MeasurementExperiment | None, formula: float) -> None:
    """The error of measured values without the gaps and with them, simulated and by formula."""
    shown = [
        card("Measured alone", three(alone), "typical error of a value, in score units", exact(0.0)),
        card(
            "With the gaps",
            None if experiment is None else three(experiment.combined.value**0.5),
            "typical error on the items selected",
            "" if experiment is None else _simulated(experiment.combined, experiment.runs, root=True),
        ),
        card(
            "Ratio, simulated",
            None if experiment is None else three(experiment.ratio.value),
            "squared error with / without, after selection",
            "" if experiment is None else _simulated(experiment.ratio, experiment.runs),
        ),
        card("Ratio, by formula", three(formula), "for noise before selection", exact(0.0)),
    ]
    cards(shown, "Error of measured values")


def next_seed() -> None:
    """Go on to the next seed."""
    state.change("page", seed=(state.scenario().seed + 1) % LARGEST_SEED)

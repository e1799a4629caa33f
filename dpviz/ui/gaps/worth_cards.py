"""Small parts that both halves of the page are made of."""

import math

from dpviz.base.scores import Scores
from dpviz.charts.words import count
from dpviz.gaps.gap_experiment import Estimate, MeasurementExperiment
from dpviz.ui.shell import state
from dpviz.ui.shell.badges import estimated, exact
from dpviz.ui.shell.controls import LARGEST_SEED
from dpviz.ui.shell.show import card, cards
from dpviz.ui.shell.text import three

__all__ = ["RULES", "SAME_RUN", "measuring_error", "next_seed", "worth_cards"]

SAME_RUN = "The same seed gives the same run again."

RULES = """
.dpg-scroll { overflow-x: auto; }
.dpg-table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; color: var(--dp-ink); }
.dpg-table th { text-align: left; font-size: .82rem; font-weight: 600; color: var(--dp-muted); padding: .3rem 1rem
  .45rem 0; border-bottom: 1px solid var(--dp-line); vertical-align: bottom; }
.dpg-table th small, .dpg-table td small { display: block; font-weight: 400; font-size: .78rem; line-height: 1.35;
  color: var(--dp-muted); }
.dpg-table td { padding: .65rem 1rem .65rem 0; border-bottom: 1px solid var(--dp-line); vertical-align: top; }
.dpg-table tr:last-child td { border-bottom: 0; }
.dpg-table th:nth-child(2) { width: 27%; }
.dpg-table { min-width: 46rem; }
.dpg-who { white-space: nowrap; font-size: .95rem; padding-top: .85rem !important; }
.dpg-who .dp-tip { margin-left: .6rem; }
.dpg-who .dp-tip > span { left: -.6rem; right: auto; white-space: normal; }
.dpg-value { font-size: 1.35rem; font-weight: 620; letter-spacing: -.01em; white-space: nowrap; }
.dpg-table .dp-wait { height: 1.5rem; width: 5rem; }
.dpg-swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: .15rem; margin-right: .5rem;
  vertical-align: -.05rem; }
.dpg-closely .dp-row > span { flex: 0 0 7rem; }
.dpg-closely small { color: var(--dp-muted); font-size: .78rem; }
.dpg-why { border-left: 3px solid var(--dp-line); padding: .1rem 0 .1rem .9rem; max-width: 52rem; font-size: .95rem;
  line-height: 1.55; color: var(--dp-ink); margin: .4rem 0; }
"""


def _simulated(found: Estimate, runs: int, root: bool = False) -> str:
    """HTML: the badge of an estimated figure with its interval; `root` for the square root of the figure."""
    low, high = (max(v, 0.0) ** 0.5 if root else v for v in (found.low, found.high))
    return estimated(f"Simulated in {count(runs, 'run')}.", f"{three(low)} to {three(high)}")


def measuring_error(scores: Scores, epsilon: float, k: int) -> float:
    """The typical error of a value measured with half of ε shared among k of them: √2·2kΔ/ε."""
    return math.sqrt(2.0) * 2 * k * scores.sensitivity / epsilon


def worth_cards(alone: float, found: MeasurementExperiment | None, formula: float) -> None:
    """The error of measured values without the gaps and with them, simulated and by formula."""
    shown = [
        card("Measured alone", three(alone), "typical error of a value, in score units", exact(0.0)),
        card(
            "With the gaps",
            None if found is None else three(found.combined.value**0.5),
            "typical error on the items selected",
            "" if found is None else _simulated(found.combined, found.runs, root=True),
        ),
        card(
            "Ratio, simulated",
            None if found is None else three(found.ratio.value),
            "squared error with / without, after selection",
            "" if found is None else _simulated(found.ratio, found.runs),
        ),
        card("Ratio, by formula", three(formula), "for noise before selection", exact(0.0)),
    ]
    cards(shown, "Error of measured values")


def next_seed() -> None:
    """Go on to the next seed."""
    state.change("page", seed=(state.scenario().seed + 1) % LARGEST_SEED)

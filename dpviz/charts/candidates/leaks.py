"""Exact leaks on the worst pairs of neighbours: the naive best of K runs, and falling thresholds."""

import math

import numpy as np

from dpviz.base.text_format import (
    count_text,
    number_text,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.candidates.leaks import NaiveLeak, ThresholdLeak
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure


def naive_leak_chart(
    leak: NaiveLeak, candidate_epsilon: float, candidates: int, *, look: Look = LIGHT
) -> Chart:
    """Exact loss by number of candidates, with `candidates` candidates marked."""
    x = leak.candidates.astype(float)
    promised = np.full(len(x), 3 * candidate_epsilon)
    lines = [
        Line("best of one run each: Kε1", x, leak.naive, 1, marks=x),
        Line("random stopping, same case", x, leak.stopping, 0, marks=x),
        Line("its limit: 3ε1", x, promised, 5),
    ]
    i = candidates - 1
    says = (
        f"With {count_text(candidates, 'candidate')} the steady one is published in"
        f" {release_frequency_text(float(leak.steady[i]))} without one person and in"
        f" {release_frequency_text(float(leak.steady_other[i]))} with her, {_times(leak.naive[i])}"
        " as often. With random stopping no outcome is more than"
        f" {_at_most_times(leak.stopping[i])} as likely."
    )
    return Chart(
        figure=_figure(
            lines,
            Axis("number of candidates K", 0.8, float(x[-1]) + 0.2),
            1.06 * max(float(leak.naive[-1]), float(promised[0])),
            look,
            VerticalMarker(float(candidates), f"K = {candidates}"),
        ),
        shows=(
            "Loss against the number of candidates: a rising line for the naive best, a flat one"
            " for random stopping."
        ),
        how_to_read=(
            "The loss is how far one person moves the log odds of an outcome. A total ε is a limit"
            " on it. Each candidate runs once at ε1. The naive line rises by ε1 with each"
            " candidate, without limit."
        ),
        says_now=says,
        columns={
            "candidates": leak.candidates,
            "loss of the naive best": leak.naive,
            "loss of random stopping": leak.stopping,
            "steady one wins": leak.steady,
            "steady one wins, neighbour": leak.steady_other,
        },
    )


def lowered_threshold_leak_chart(
    leak: ThresholdLeak, candidate_epsilon: float, *, look: Look = LIGHT
) -> Chart:
    """Exact loss by number of thresholds tried."""
    x = leak.thresholds.astype(float)
    lines = [
        Line("exact loss", x, leak.loss, 1, marks=x),
        Line("at least (R + 1)ε1", x, leak.floor, 5),
        Line(
            "one threshold fixed beforehand: 2ε1 + ε0 with ε0 = 0.1",
            x,
            np.full(len(x), 2 * candidate_epsilon + 0.1),
            0,
        ),
    ]
    says = (
        f"After {count_text(len(x) - 1, 'step')} down, one person makes the worst outcome"
        f" {_times(leak.loss[-1])} as likely. In a single run she makes no outcome more than"
        f" {_at_most_times(candidate_epsilon)} as likely."
    )
    along = Axis("steps R by which the threshold falls", -0.2, float(x[-1]) + 0.2)
    return Chart(
        figure=_figure(lines, along, 1.06 * float(leak.loss[-1]), look),
        shows="Loss against the number of thresholds. Each adds more than ε1.",
        how_to_read=(
            "A run scores 1, or fails with 0. After each failure a coin decides whether the"
            " threshold falls. A failed run is published only after R steps, so publishing it"
            " reveals how often runs failed."
        ),
        says_now=says,
        columns={"thresholds": leak.thresholds, "loss": leak.loss, "floor": leak.floor},
    )


def _figure(
    lines: list[Line], along: Axis, highest: float, look: Look, mark: VerticalMarker | None = None
) -> Figure:
    panel = Panel("how far one person moves the log odds", lines, named=False)
    return panel_figure([panel], along, Axis("loss", 0.0, highest), look=look, mark=mark)


def _at_most_times(loss: float) -> str:
    return f"{upper_bound_text(math.exp(float(loss)), 3)} times"


def _times(loss: float) -> str:
    return f"{number_text(math.exp(float(loss)), 3)} times"

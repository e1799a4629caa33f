"""The designs that are compared, each with its identity and what is known of it so far."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz import charts
from dpviz.base.scores import Scores
from dpviz.charts.identity import MOST, Identity, identity
from dpviz.studies.scenario import Design, Scenario
from dpviz.ui.shell import state
from dpviz.ui.work.answer import Answer, law_steps
from dpviz.ui.work.desk import Desk
from dpviz.ui.work.job import Job

__all__ = ["LEAST", "STARTING", "Side", "begin", "desk", "labels", "sides", "wait", "without_epsilon"]

LEAST = 2
STARTING = (
    Design(mechanism="canonical"),
    Design(mechanism="peeling"),
    Design(mechanism="one_shot", parameters={"noise": "exponential"}),
)
_DESK = "dpviz.compare.desk"
_PATIENCE = 0.25  # seconds a page waits before it shows what is there
_FIRST_PATIENCE = 4.0  # when there is nothing yet to look at


@dataclass(frozen=True, eq=False)
class Side:
    """One of the designs compared: which it is, how it is recognised, what is known of it."""

    number: int
    design: Design
    answer: Answer

    def identity(self, look: charts.Look) -> Identity:
        """Its letter, colour, dash and marker."""
        return identity(self.number, look)


def begin() -> None:
    """Bring the scenario to two to six designs: a single one is joined by those one starts with."""
    scenario = state.scenario()
    designs = scenario.designs
    if len(designs) < LEAST:
        others = [design for design in STARTING if design not in designs]
        designs = (*designs, *others)[: len(STARTING)]
    if len(designs) > MOST:
        state.change(designs=designs[:MOST])
        state.tell("page", f"{len(designs)} mechanisms were given; the first {MOST} are compared.")
    elif designs != scenario.designs:
        state.change(designs=designs)


def desk() -> Desk:
    """The session's own work on comparisons."""
    held: Desk = st.session_state.setdefault(_DESK, Desk())
    return held


def sides(scenario: Scenario, scores: Scores) -> list[Side]:
    """Every design with its law: at once where that is quick, else as it comes."""
    first = _DESK not in st.session_state
    mechanisms = scenario.mechanisms
    keys = [f"{mechanism.key} {scores.digest}" for mechanism in mechanisms]
    steps = {
        key: (lambda mechanism=mechanism: law_steps(mechanism, scores))
        for key, mechanism in zip(keys, mechanisms, strict=True)
    }
    jobs = dict(zip(steps, desk().ask("laws", steps), strict=True))
    wait(list(jobs.values()), _FIRST_PATIENCE if first else _PATIENCE)
    return [
        Side(number, design, Answer(mechanism, scores, key, jobs[key]))
        for number, (design, mechanism, key) in enumerate(zip(scenario.designs, mechanisms, keys, strict=True))
    ]


def wait(jobs: Sequence[Job], seconds: float) -> None:
    """Wait until all jobs are done or the time has passed."""
    end = time.monotonic() + seconds
    for job in jobs:
        job.wait(max(0.0, end - time.monotonic()))


def labels(of: Sequence[Side]) -> list[str]:
    """What the designs are called, in their order."""
    return [side.design.label for side in of]


def without_epsilon(side: Side) -> str:
    """A key for what does not depend on the ε of now."""
    return f"{side.answer.mechanism.replace(epsilon=1.0).key} {side.answer.scores.digest}"

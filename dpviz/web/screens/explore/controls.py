"""The parameters of Explore, and play: ε moves around its setting while the page shows the effect.

Invariant: the next ε comes when the page for this one is complete.
"""

from dataclasses import dataclass, replace
from types import NoneType

import numpy as np
import streamlit as st

from dpviz.pages.explore.view import ExploreSettings
from dpviz.studies import DeclaredParameters, Scenario
from dpviz.web import widgets as ui
from dpviz.web.jobs import Job
from dpviz.web.session import SessionValue, state

PAGE = ui.PageParameters(DeclaredParameters(ExploreSettings))
_STEPS = 17
_LOW, _HIGH = 1e-6, 10_000.0  # of the box for ε


@dataclass(frozen=True)
class _Play:
    """A sweep of ε around a scenario: its step, and True while it moves by itself."""

    of: Scenario
    at: int = 0
    moving: bool = True

    @property
    def epsilons(self) -> list[float]:
        low, high = (
            max(self.of.epsilon / 10, _LOW),
            min(self.of.epsilon * 10, max(_HIGH, self.of.epsilon)),
        )
        return [float(f"{epsilon:.2g}") for epsilon in np.geomspace(low, high, _STEPS)]


PLAY: SessionValue[_Play | None] = SessionValue("explore.play", NoneType)


def scenario_during_play(scenario: Scenario) -> Scenario:
    """Scenario at the ε on screen; play ends where other settings than these are changed."""
    if (now := PLAY.value) is None or _governs(now.of) != _governs(scenario):
        PLAY.put(None)
        return scenario
    return scenario.replace(epsilon=now.epsilons[now.at])


def _governs(scenario: Scenario) -> Scenario:
    return scenario.replace(page={}, seed=0)


def show_play_controls(scenario: Scenario, job: Job) -> None:
    """Buttons of a sweep, and the clock while it moves; `scenario` is the one that is set."""
    if (now := PLAY.value) is None:
        return
    epsilon = now.epsilons[now.at]
    if now.moving:
        ui.button("Pause", "play_pause", _move, False, icon="pause")
    else:
        ui.button("Next ε", "play_next", _next, icon="skip_next")
        ui.button("Continue", "play_go", _move, True, icon="play_arrow")
    ui.button(f"Keep ε = {epsilon:.6g}", "play_keep", _keep, epsilon)
    ui.button(f"Back to ε = {scenario.epsilon:.6g}", "play_back", PLAY.put, None)
    if now.moving:
        _clock(job)


def begin_play(moves_by_itself: bool) -> None:
    """Begin a sweep around the scenario of the moment of the press."""
    PLAY.put(_Play(state.scenario(), moving=moves_by_itself))


def _keep(epsilon: float) -> None:
    PLAY.put(None)
    state.change_scenario(epsilon=epsilon)


def _move(moving: bool) -> None:
    if (now := PLAY.value) is not None:
        PLAY.put(replace(now, moving=moving))


def _next() -> None:
    now = PLAY.value
    PLAY.put(
        None if now is None or now.at + 1 == len(now.epsilons) else replace(now, at=now.at + 1)
    )


def _clock(job: Job) -> None:
    """Take a step when its time has come and the page is complete."""
    started = PLAY.value

    def tick() -> None:
        if fresh.pop("page", False) or PLAY.value is not started or not job.finished:
            return
        _next()
        st.rerun()

    fresh = {"page": True}
    ui.show_in_fragment("play_clock", tick, 0.8)

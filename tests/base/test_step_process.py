"""Worker processes return their results and can be ended at any moment."""

import os
import subprocess
from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from dpviz.base.errors import Cancelled, ParameterError, WorkLost
from dpviz.base.limited_process import FORKER, Limits
from dpviz.base.progress import ignore_progress
from dpviz.base.step_process import StepProcess
from tests.base.works import Steps
from tests.until import until

ROOMY = Limits(500_000_000, 60.0)


@pytest.fixture
def apart() -> Iterator[StepProcess]:
    made = StepProcess(Steps(3), ROOMY)
    yield made
    made.end_process()


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_one_process_computes_all_steps_and_knows_the_earlier_results(apart: StepProcess) -> None:
    where = apart.compute_step("where", ignore_progress, {})
    assert where != os.getpid()
    assert apart.compute_step("sum", ignore_progress, {"where": where}) == 3 + where
    with pytest.raises(ParameterError, match="k must be at most 3, not 9"):
        apart.compute_step("refused", ignore_progress, {})
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        apart.compute_step("broken", ignore_progress, {})


def test_silent_work_ends_when_it_is_cancelled(apart: StepProcess) -> None:
    where = apart.compute_step("where", ignore_progress, {})
    stop = Mock(side_effect=[None, None, None, Cancelled])
    with pytest.raises(Cancelled):
        apart.compute_step("silent", stop, {"where": where})
    assert gone(where)


def test_a_paused_step_begins_again(apart: StepProcess) -> None:
    where = apart.compute_step("where", ignore_progress, {})
    asked = 0

    def rest(fraction: float) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            apart.end_process()
        if asked == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        apart.compute_step("silent", rest, {"where": where})
    assert asked == 5
    assert gone(where)
    # another knows what came before
    assert apart.compute_step("sum", ignore_progress, {"where": where}) == 3 + where


@pytest.mark.parametrize(
    ("step", "limits", "says"),
    [
        (
            "hungry",
            Limits(200_000_000, 60.0),
            "needs more than 200 MB of memory, the limit for one visitor",
        ),
        pytest.param(
            "busy",
            Limits(500_000_000, 1.0),
            "needs more than 1 seconds, the limit for one visitor",
            marks=pytest.mark.long,
        ),
        ("killed", ROOMY, "the process that computed it was ended from outside"),
    ],
)
def test_exceeding_a_limit_gives_a_sentence(step: str, limits: Limits, says: str) -> None:
    with pytest.raises(WorkLost, match=says):
        StepProcess(Steps(), limits).compute_step(step, ignore_progress, {})


def test_a_process_that_cannot_start_gives_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("no more processes")

    FORKER.end()
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(WorkLost, match="too busy to compute this now"):
        StepProcess(Steps(), ROOMY).compute_step("where", ignore_progress, {})


def test_a_server_short_of_memory_starts_none_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.base.step_process.is_memory_over_budget", lambda: True)
    with pytest.raises(WorkLost, match="too busy to compute this now"):
        StepProcess(Steps(), ROOMY).compute_step("where", ignore_progress, {})


def test_a_worker_ends_when_its_parent_is_gone() -> None:
    apart = StepProcess(Steps(), ROOMY)
    where = apart.compute_step("where", ignore_progress, {})
    assert apart._process is not None
    apart._process._leash.close()  # as when the server is killed
    until(lambda: gone(where))
    apart.end_process()

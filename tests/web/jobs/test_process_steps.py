"""What is large is computed in a process of its own: the same figures, in turn, and nothing is left
of it.
"""

import threading
from dataclasses import replace
from typing import cast

import psutil
import pytest

from dpviz import Canonical, JointExponential, Scores
from dpviz.base import ignore_progress
from dpviz.pages.compare.study import CurvesByEpsilonStudy
from dpviz.pages.neighbours.study import NeighboursStudy, TwoWorlds, WorstPersonSearch
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import Scenario
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.studies.study import Study
from dpviz.web.jobs import job
from dpviz.web.jobs.fair_shares import ComputeScheduler
from dpviz.web.jobs.job import Job, JobQueue, ProcessSteps, missing_steps
from tests.base.works import Steps
from tests.until import until

LONG = 60.0
MANY = Scores([float(n % 977) for n in range(20_001)])
HEAVY = JointExponential(epsilon=0.001, k=100)


def once(key: str, make: object) -> None:
    """Keeps nothing."""


@pytest.mark.parametrize(
    ("study", "large"),
    [
        (LawStudy(mechanism=Canonical(epsilon=1.0, k=2), scores=MANY), True),
        (LawStudy(mechanism=Canonical(epsilon=1.0, k=501), scores=Scores(range(600))), True),
        (CurvesByEpsilonStudy(mechanism=HEAVY, scores=Scores(range(200)), events=("top",)), True),
        (LawStudy(mechanism=Canonical(epsilon=1.0, k=100), scores=Scores(range(200))), False),
        (LawStudy(mechanism=replace(HEAVY, k=3), scores=Scores(range(200))), False),
    ],
)
def test_what_is_large_is_computed_elsewhere(study: Study, large: bool) -> None:
    assert study.is_large_study is large
    assert isinstance(missing_steps(study, once), ProcessSteps) is large


def test_figures_from_elsewhere_are_those_from_here() -> None:
    study = LawStudy(mechanism=Canonical(epsilon=0.1, k=3), scores=MANY)
    steps = ProcessSteps(study, study.missing_computations(once))
    there = Job(steps)
    assert there.wait(LONG)
    assert there.problem is None
    here = study.compute()
    assert there.results.keys() == here.results.keys()
    for name in ("event_probability top", "share", "expected_hits", "worst_rank"):
        assert there.results[name] == here.results[name]
    assert there.results["inclusion"].tolist() == here.inclusion.tolist()


def test_a_search_elsewhere_goes_on_where_it_was_once_its_process_was_ended() -> None:
    scores = Scores([9, 5, 5, 2, 0, 0], monotonic=True)
    study = NeighboursStudy(scenario=Scenario(k=2, page={"neighbours.who": "worst"}), scores=scores)
    steps, found = ProcessSteps(WorstPersonSearch(study), ["find"]), list[float]()
    while better := steps["find"](ignore_progress, {"number": len(found)}):
        found.append(cast(tuple[TwoWorlds, PrivacyLoss], better)[1].largest)
        if len(found) == 2:
            steps.apart.end_process()
    steps.apart.end_process()
    assert len(found) > 2
    assert found == [loss.largest for _, loss in study.search_worst_persons()]


def process_of(steps: ProcessSteps) -> int | None:
    """The process that computes them; None while there is none."""
    process = steps.apart._process
    return None if process is None else process.pid


def silent_steps() -> ProcessSteps:
    """One step that tells where it is, and one that never says anything."""
    return ProcessSteps(Steps(), ("where", "silent"))


def begun(work: Job) -> int:
    """The process that computes it."""
    until(lambda: "where" in work.results)
    return int(work.results["where"])


def test_it_ends_with_its_job_whatever_it_does() -> None:
    steps = silent_steps()
    work = Job(steps)
    process = begun(work)
    assert process == process_of(steps)
    assert psutil.pid_exists(process)
    work.cancel()
    assert work.wait(LONG)
    assert work.cancelled
    assert process_of(steps) is None
    assert not psutil.pid_exists(process)
    assert dict(work.results) == {"where": process}  # what was there stays


def test_it_rests_while_nobody_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    there = threading.Event()
    there.set()
    monkeypatch.setattr(Job, "_there", lambda self: there.is_set())
    steps = silent_steps()
    work = Job(steps)
    process = begun(work)
    there.clear()
    until(lambda: not psutil.pid_exists(process))
    there.set()
    until(lambda: process_of(steps) is not None)  # it begins anew
    work.cancel()
    assert work.wait(LONG)
    assert process_of(steps) is None


def test_of_one_session_one_process_computes_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "PROCESSES", ComputeScheduler(4, slice_=1e9, long=1e9, of_one=1))
    made = [silent_steps() for _ in range(3)]
    jobs = JobQueue().request_jobs(
        "laws", [(str(n), lambda steps=steps: steps) for n, steps in enumerate(made)]
    )
    until(lambda: any("where" in each.results for each in jobs))
    assert sum(process_of(steps) is not None for steps in made) == 1
    assert sum("where" in each.results for each in jobs) == 1
    for each in jobs:
        each.cancel()
    assert all(each.wait(LONG) for each in jobs)
    assert [process_of(steps) for steps in made] == [None] * 3


def test_a_job_whose_session_does_not_come_back_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "_there", lambda self: False)
    monkeypatch.setattr(job, "_UNWATCHED", 0.1)
    steps = silent_steps()
    work = Job(steps)
    assert work.wait(LONG)
    assert work.cancelled

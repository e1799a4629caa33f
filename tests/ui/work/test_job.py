"""Work beside the page: it comes step by step, stops when told, and tells what went wrong."""

import threading

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.ui.work.job import Done, Job

LONG = 30.0


def test_results_come_in_order_and_see_those_before() -> None:
    job = Job({"one": lambda progress, done: 1, "two": lambda progress, done: done["one"] + 1})
    assert job.wait(LONG)
    assert dict(job.results) == {"one": 1, "two": 2}
    assert job.problem is None
    assert not job.cancelled


def test_a_job_is_seen_under_way_and_cancelled_at_its_next_report() -> None:
    reached, go = threading.Event(), threading.Event()

    def slow(progress: Progress, done: Done) -> str:
        reached.set()
        go.wait(LONG)
        progress(0.5)
        return "never"

    job = Job({"quick": lambda progress, done: "there", "slow": slow, "after": lambda progress, done: "never"})
    assert reached.wait(LONG)
    assert dict(job.results) == {"quick": "there"}
    assert not job.finished
    job.cancel()
    go.set()
    assert job.wait(LONG)
    assert job.cancelled
    assert dict(job.results) == {"quick": "there"}


def test_what_goes_wrong_becomes_one_sentence() -> None:
    def refuse(progress: Progress, done: Done) -> None:
        raise ParameterError("k", 9, "at most 3")

    def fail(progress: Progress, done: Done) -> None:
        raise ZeroDivisionError("secret")

    refused, failed = Job({"a": refuse}), Job({"a": fail})
    assert refused.wait(LONG)
    assert failed.wait(LONG)
    assert refused.problem == "k must be at most 3, not 9."
    assert failed.problem is not None
    assert "secret" not in failed.problem


def test_a_result_is_read_as_what_it_is() -> None:
    job = Job({"one": lambda progress, done: 1})
    assert job.wait(LONG)
    assert (job.result("one", int), job.result("one", str), job.result("two", int)) == (1, None, None)

"""Jobs of all sessions take turns: many of one do not slow down the one of another."""

import threading
import time

import pytest

from dpviz.web.jobs.fair_shares import ComputeScheduler, TimeClaim
from tests.until import until

LONG = 30.0


def never() -> None:
    """Nobody stops it."""


class Crowd:
    """Threads that compute for ever, or for so many reports, and how often each reported."""

    def __init__(self, shares: ComputeScheduler) -> None:
        self.shares, self.over = shares, threading.Event()
        self.reports: dict[str, int] = {}
        self.now = self.most = 0
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def begin(self, session: str, name: str) -> None:
        self.reports[name] = 0
        self._threads.append(threading.Thread(target=self._work, args=(session, name)))
        self._threads[-1].start()

    def _work(self, session: str, name: str) -> None:
        claim = TimeClaim(session)
        while not self.over.is_set():
            if not self.shares.report_and_may_continue(claim):
                self.shares.give_up_slice(claim)
                try:
                    self.shares.wait_for_slice(claim, self._stop)
                except InterruptedError:
                    break
            with self._lock:
                self.now += 1
                self.most = max(self.most, self.now)
            time.sleep(0.001)  # stands for the work: who computes beside it would be counted now
            with self._lock:
                self.now -= 1
            self.reports[name] += 1
        self.shares.give_up_slice(claim)

    def _stop(self) -> None:
        if self.over.is_set():
            raise InterruptedError

    def end(self) -> None:
        self.over.set()
        for thread in self._threads:
            thread.join(LONG)
            assert not thread.is_alive()


def test_so_many_compute_at_once_and_each_session_has_its_share() -> None:
    crowd = Crowd(ComputeScheduler(1, slice_=0.01, long=LONG))
    for n in range(8):
        crowd.begin("greedy", f"greedy {n}")
    crowd.begin("modest", "modest")
    until(lambda: crowd.reports["modest"] >= 100)
    crowd.end()
    assert crowd.most == 1
    assert (
        sum(crowd.reports.values()) - crowd.reports["modest"] < 5 * crowd.reports["modest"]
    )  # of nine jobs one


def test_who_does_not_report_holds_up_nobody_and_who_is_stopped_waits_no_more() -> None:
    shares = ComputeScheduler(1, long=0.05)
    shares.wait_for_slice(TimeClaim("silent"), never)
    waited = threading.Thread(target=shares.wait_for_slice, args=(TimeClaim("other"), never))
    waited.start()
    waited.join(LONG)
    assert not waited.is_alive()

    held, told = ComputeScheduler(1, long=LONG), threading.Event()
    held.wait_for_slice(TimeClaim("holder"), never)
    ended: list[type[BaseException]] = []

    def stop() -> None:
        if told.is_set():
            raise InterruptedError

    def wait() -> None:
        with pytest.raises(InterruptedError) as caught:
            held.wait_for_slice(TimeClaim("stopped"), stop)
        ended.append(caught.type)

    stopped = threading.Thread(target=wait)
    stopped.start()
    told.set()
    stopped.join(LONG)
    assert ended == [InterruptedError]
    assert not held._waiting

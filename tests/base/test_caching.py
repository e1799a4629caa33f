"""A cached property computed for one object never blocks another."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

from dpviz.base.arrays import cached_property


class Slow:
    """Computes when it may."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.may, self.begun = Event(), Event()
        if at_once:
            self.may.set()

    @cached_property
    def answer(self) -> object:
        self.begun.set()
        assert self.may.wait(60)
        return object()


def test_a_paused_computation_blocks_no_other_object() -> None:
    resting, urgent = Slow(), Slow(at_once=True)
    with ThreadPoolExecutor() as pool:
        rests = pool.submit(lambda: resting.answer)
        try:
            assert resting.begun.wait(60)
            answer = pool.submit(lambda: urgent.answer).result(30)
        finally:
            resting.may.set()
        assert rests.result() is resting.answer
    assert urgent.answer is answer


def test_threads_that_ask_at_the_same_time_get_one_object() -> None:
    class Met:
        both = Barrier(2)

        @cached_property
        def answer(self) -> object:
            self.both.wait(60)
            return object()

    met = Met()
    with ThreadPoolExecutor() as pool:
        first, second = [pool.submit(lambda: met.answer) for _ in range(2)]
        assert first.result() is second.result() is met.answer

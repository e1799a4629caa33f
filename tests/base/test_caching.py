"""A cached property computed for one object never blocks another."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from dpviz.base.caching import cached_property


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

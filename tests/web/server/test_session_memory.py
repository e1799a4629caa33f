"""What all sessions hold is bounded, and nothing of a session stays once it has ended."""

import asyncio
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

from dpviz.base import WorkLost
from dpviz.web.server import session_memory
from dpviz.web.server.session_memory import SessionMemory
from tests.app import new_app
from tests.web.own_process import run_apart

MB = 1_000_000


class Clock:
    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(session_memory, "time", clock)
    monkeypatch.setattr(
        session_memory, "current_budgets", lambda: SimpleNamespace(sessions=100 * MB)
    )
    monkeypatch.setattr(session_memory, "is_memory_over_budget", lambda: False)
    return clock


class Visitors:
    """Sessions that come one after the other, a second apart, and hold 40 MB each."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.memory = clock, SessionMemory()
        self.cut = list[str]()

    def come(self, *names: str) -> None:
        for name in names:
            self.clock.now += 1.0
            self.memory.connect(name, lambda name=name: self.cut.append(name))  # type: ignore[misc]
            self.memory.reserve(name, 40 * MB)


def visit(do: Callable[[], Awaitable[None]]) -> None:
    async def come() -> None:
        await do()

    run_apart(come())


def test_who_was_idle_longest_makes_room_and_is_told_so_on_the_way_back(clock: Clock) -> None:
    async def come() -> None:
        visitors = Visitors(clock)
        visitors.come("first", "second")
        clock.now += 60.0
        visitors.memory.record_activity("first")
        visitors.come("third")
        await asyncio.sleep(0)
        assert visitors.cut == ["second"]
        ended = [name for name in ("first", "second", "third") if visitors.memory.was_ended(name)]
        assert ended == ["second"]

    visit(come)


def test_who_is_at_work_keeps_the_data_and_new_ones_are_refused(clock: Clock) -> None:
    async def come() -> None:
        visitors = Visitors(clock)
        visitors.come("first", "second")
        with pytest.raises(WorkLost, match="no memory left for this now"):
            visitors.come("third")
        visitors.memory.reserve("third", 20 * MB)
        visitors.memory.reserve("first", 40 * MB + 999_999)  # a little more is no new data
        assert visitors.cut == []

    visit(come)


def test_a_process_above_its_budget_ends_idle_sessions_and_takes_nothing_large(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come() -> None:
        visitors = Visitors(clock)
        visitors.come("first")
        monkeypatch.setattr(session_memory, "is_memory_over_budget", lambda: True)
        assert not visitors.memory.try_to_make_room("second")
        clock.now += 61.0
        assert visitors.memory.try_to_make_room("second")
        await asyncio.sleep(0)
        assert visitors.cut == ["first"]

    visit(come)


class Browser(SessionClient):
    def write_forward_msg(self, msg: ForwardMsg) -> None: ...


class Large:
    def shown(self) -> None: ...


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Runtime]:
    """Streamlit's sessions, which end at once where nobody is connected."""
    script = tmp_path / "app.py"
    script.touch()
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(runtime, "get_instance", lambda: Runtime._instance)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(st, "get_option", lambda name: 0.05)
    monkeypatch.setattr(session_memory, "_LAST_RUN", 0.0)
    monkeypatch.setattr(session_memory, "_TOGETHER", 0.0)
    monkeypatch.setattr(session_memory, "_LOOK", 0.1)

    def started() -> Runtime:
        files = MemoryUploadedFileManager("/upload")
        return Runtime(RuntimeConfig(str(script), MemoryMediaFileStorage("/media"), files))

    return started


def test_nothing_of_a_session_stays_once_it_has_ended_and_who_is_back_in_time_has_all(
    server: Callable[[], Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come() -> None:
        streamlit, memory, there = server(), SessionMemory(), list[weakref.ref[Large]]()
        await streamlit.start()
        names = [streamlit.connect_session(Browser(), {}) for _ in range(2)]
        for name in names:
            held = streamlit._session_mgr.get_session_info(name)
            assert held is not None
            large, part = Large(), Large()
            there.extend(map(weakref.ref, (large, part)))
            state, fragments = held.session.session_state, held.session._fragment_storage
            state["large"] = large
            fragments.register("part", part.shown)
            run = SimpleNamespace(session_state=state, fragment_storage=fragments)
            held.session._enqueue_forward_msg(ForwardMsg())
            memory.connect(name, lambda: None)
            with monkeypatch.context() as patch:
                patch.setitem(
                    session_memory.session_emptier.__globals__, "current_run", lambda run=run: run
                )
                memory.reserve(name, MB)
            del large, part, held, state, fragments, run
        await asyncio.sleep(0.1)  # in which it is sent
        for name in names:
            streamlit.disconnect_session(name)
            memory.disconnect(name)
        streamlit.connect_session(Browser(), {}, existing_session_id=names[1])
        memory.connect(names[1], lambda: None)
        watching = asyncio.create_task(memory.end_idle_sessions())
        async with asyncio.timeout(30.0):
            while any(each() for each in there[:2]):
                await asyncio.sleep(0.01)
        assert all(each() for each in there[2:])
        assert [memory.was_ended(name) for name in names] == [True, False]
        watching.cancel()
        streamlit.stop()
        await streamlit.stopped

    visit(come)


def test_a_link_to_more_than_there_is_memory_for_is_answered_by_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_memory, "is_memory_over_budget", lambda: True)
    app = new_app()
    app.query_params["data"], app.query_params["data.size"] = "generated:zipf", "100000"
    app.run().switch_page("pages/explore.py").run()
    assert [error.value for error in app.error] == [session_memory.NO_ROOM.replace(".", "\\.")]
    assert not app.exception

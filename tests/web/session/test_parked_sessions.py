"""A session whose line was cut waits with its data on disk, and finds them when it comes back."""

import asyncio
import weakref
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

from dpviz import Scores
from dpviz.studies import DataSpec, Scenario
from dpviz.web.jobs.job_queue import JobQueue
from dpviz.web.session import parked_sessions, state
from dpviz.web.session.parked_sessions import _written, keep_sessions_on_disk
from dpviz.web.session.slot import PASSING
from tests.web.own_process import run_apart

MANY = Scores(range(200_000), labels=[f"name {number}" for number in range(200_000)])
MINE = Scenario(data=DataSpec(source="uploaded"), scores=MANY, k=3)


class Browser(SessionClient):
    """A browser that is sent what it does not look at."""

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Nothing comes of it."""


Visit = Callable[[Runtime, AppSession], Awaitable[None]]


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Visit], None]:
    """Does something with a server and a session of it."""
    script = tmp_path / "app.py"
    script.touch()
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(runtime, "get_instance", lambda: Runtime._instance)
    monkeypatch.setattr(parked_sessions, "_AFTER", 0.0)

    def visit_with(visit: Visit) -> None:
        async def come() -> None:
            media, files = MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
            streamlit = Runtime(RuntimeConfig(str(script), media, files))
            await streamlit.start()
            keep_sessions_on_disk()
            session = streamlit._session_mgr.get_session_info(
                streamlit.connect_session(Browser(), {})
            )
            assert session is not None
            await visit(streamlit, session.session)
            streamlit.stop()
            await streamlit.stopped

        run_apart(come())

    return visit_with


async def waits(session: AppSession, key: str) -> None:
    """Until it is put away."""
    async with asyncio.timeout(30.0):
        while key in session.session_state:
            await asyncio.sleep(0.01)


def test_it_holds_nothing_while_it_waits_and_all_when_it_is_back(
    visited: Callable[[Visit], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    monkeypatch.setattr(AppSession, "request_rerun", lambda self, of: asked.append(self.id))

    async def come_and_go(streamlit: Runtime, session: AppSession) -> None:
        mine = Scenario.from_json(Scenario().to_json()).replace(
            data=MINE.data, scores=Scores([3.0, 2.0, 1.0] * 99_999)
        )
        desk = JobQueue()
        there = weakref.ref(mine.scores), weakref.ref(desk)
        session.session_state[state._SCENARIO], session.session_state["dpviz.desk"] = mine, desk
        session._fragment_storage.register("part", partial(print, mine.scores))
        session.session_state["of a control"] = 7
        digest = mine.scores.digest
        del mine, desk
        streamlit.disconnect_session(session.id)
        await waits(session, state._SCENARIO)
        assert [each() for each in there] == [None, None]
        (held,) = streamlit._session_mgr._session_storage._away.values()
        assert held._rolled, "on disk, not in memory"
        assert (
            streamlit.connect_session(Browser(), {}, existing_session_id=session.id) == session.id
        )
        assert session.session_state[state._SCENARIO].scores.digest == digest
        assert "dpviz.desk" not in session.session_state
        assert session.session_state["of a control"] == 7
        assert asked == [session.id]
        assert held.closed

    visited(come_and_go)


def test_one_that_is_forgotten_leaves_no_file_and_is_not_run(
    visited: Callable[[Visit], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    monkeypatch.setattr(AppSession, "request_rerun", lambda self, of: asked.append(self.id))

    async def come_and_go(streamlit: Runtime, session: AppSession) -> None:
        session.session_state[state._SCENARIO] = MINE
        streamlit.disconnect_session(session.id)
        await waits(session, state._SCENARIO)
        (held,) = streamlit._session_mgr._session_storage._away.values()
        streamlit.close_session(session.id)
        assert held.closed
        assert asked == []

    visited(come_and_go)


def test_what_is_no_data_stays_where_it_is() -> None:
    assert _written({"dpviz.own": lambda: None}) is None
    held = _written({name: lambda: None for name in PASSING})
    assert held is not None
    held.close()

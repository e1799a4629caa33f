"""Storage on disk for sessions that lost their connection; they find their page as it was.

Streamlit keeps such a session in memory until it returns or is forgotten
(`server.disconnectedSessionTTL`). Here computed results are dropped, and data are written to a file
without a name: nobody else can read it and it ends with this process. Small data stay in memory in
the same form.
Invariant: a person who comes back finds the stored state; the page runs again and recomputes the
rest.
"""

import asyncio
import pickle
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import IO, Any, cast

from streamlit import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from dpviz.web.server.closed_tabs import return_free_memory
from dpviz.web.session.slot import OWN, PASSING

_AFTER = 60.0  # seconds: its jobs are over by then, see `dpviz.web.jobs.job`
_SMALL = 1_000_000  # bytes, which stay in memory
# raised for values that are no data, such as a function in an added mechanism
_CANNOT = (pickle.PicklingError, TypeError, AttributeError)


class DiskSessionStorage(SessionStorage):
    """Streamlit's storage of disconnected sessions, with each written to disk after a while."""

    def __init__(self, storage: SessionStorage, manager: WebsocketSessionManager) -> None:
        self._storage, self._manager = storage, manager
        self._away: dict[str, IO[bytes]] = {}  # by session, what it held
        self._lock = Lock()

    def get(self, session_id: str) -> SessionInfo | None:
        return self._storage.get(session_id)

    def list(self) -> list[SessionInfo]:
        return self._storage.list()

    def save(self, session_info: SessionInfo) -> None:
        """Store a session that has lost its connection."""
        self._storage.save(session_info)
        self._soon(session_info.session)

    def delete(self, session_id: str) -> None:
        """Remove a session; restore its state where it is connected again."""
        info = self._storage.get(session_id)
        self._storage.delete(session_id)
        with self._lock:
            held = self._away.pop(session_id, None)
        if held is not None:
            with held:
                if info is not None and self._manager.is_active_session(session_id):
                    _come_back(info.session, held)

    def _soon(self, session: AppSession) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(
            _AFTER, lambda: loop.run_in_executor(None, self._put_away, session.id, loop)
        )

    def _put_away(self, session_id: str, loop: asyncio.AbstractEventLoop) -> None:
        """Write a session's data to disk, drop its results, and forget sessions that are gone."""
        with self._lock:
            waiting = {each.session.id: each.session for each in self._storage.list()}
            for gone in self._away.keys() - waiting.keys():
                self._away.pop(gone).close()
            if (
                (session := waiting.get(session_id)) is None
                or session_id in self._away
                or self._manager.is_active_session(session_id)
            ):
                return
            if session._scriptrunner is not None:  # its last run has not ended
                loop.call_soon_threadsafe(self._soon, session)
                return
            if (held := _written(_own(session))) is not None:
                self._away[session_id] = held
                _forget(session)
        return_free_memory()


def keep_sessions_on_disk() -> None:
    """Use this storage for the server's sessions from now on."""
    if not runtime.exists():  # another framework serves the app, and starts Streamlit later
        return
    manager = runtime.get_instance()._session_mgr
    if isinstance(manager, WebsocketSessionManager) and not isinstance(
        manager._session_storage, DiskSessionStorage
    ):
        manager._session_storage = DiskSessionStorage(manager._session_storage, manager)


def _own(session: AppSession) -> dict[str, Any]:
    state = session.session_state
    return {key: state[key] for key in list(state.filtered_state) if str(key).startswith(OWN)}


def _written(own: dict[str, Any]) -> IO[bytes] | None:
    """File with the session's data; None where they cannot be pickled."""
    data = {key: value for key, value in own.items() if key not in PASSING}
    held = SpooledTemporaryFile(max_size=_SMALL)  # noqa: SIM115 - open until its session is back
    try:
        pickle.dump(data, held, pickle.HIGHEST_PROTOCOL)
    except _CANNOT:
        held.close()
        return None
    return cast(IO[bytes], held)


def _forget(session: AppSession) -> None:
    for key in _own(session):
        del session.session_state[key]
    session._fragment_storage.clear()


def _come_back(session: AppSession, held: IO[bytes]) -> None:
    """Restore the state, and run the page."""
    held.seek(0)
    for key, value in pickle.load(held).items():  # noqa: S301 - what our own code has written
        session.session_state[key] = value
    session.request_rerun(session._client_state)

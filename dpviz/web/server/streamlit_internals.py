"""Everything of Streamlit that is not its public interface; the rest of dpviz uses none of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

import streamlit as st
from streamlit import cli_util, config, file_util, runtime
from streamlit.delta_generator import DeltaGenerator  # the type of a place on a page
from streamlit.navigation.page import StreamlitPage  # the type of what `st.Page` returns

# what browser and server tell each other: the filter reads it before Streamlit does
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager

# length above which Streamlit refuses a message unread
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.runtime.scriptrunner import (
    RerunData,
    ScriptRunner,
    ScriptRunnerEvent,
    get_script_run_ctx,
)
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.uploaded_file_manager import UploadedFile  # the type of an uploaded file
from streamlit.web.server import server_util

# own routes are checked as Streamlit checks its websocket
from streamlit.web.server.server_util import is_allowed_origin
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

__all__ = [
    "CHART_SCRIPTS",
    "STATIC_FOLDER",
    "BackMsg",
    "DeltaGenerator",
    "ForwardMsg",
    "StreamlitPage",
    "UploadedFile",
    "WidgetState",
    "app_url",
    "close_session",
    "current_run_context",
    "deliver_ended_runs",
    "forget_uploaded_file",
    "get_max_widget_state_size_bytes",
    "held_upload_bytes",
    "is_allowed_origin",
    "is_host_allowed",
    "is_session_connected",
    "open_browser",
    "run_pages_by_navigation",
    "session_emptier",
]


STATIC_FOLDER = Path(file_util.get_static_dir())  # its page, and in `static` the files of that
CHART_SCRIPTS = sorted((STATIC_FOLDER / "static" / "js").glob("PlotlyChart.*.js"))
_BEGIN_RUN = AppSession._create_scriptrunner
_SEND = AppSession._handle_scriptrunner_event_on_event_loop
_ENDED: WeakSet[ScriptRunner] = WeakSet()  # whose last words are still to be sent
open_browser = cli_util.open_browser  # for a plain script `streamlit run` does it itself


def run_pages_by_navigation() -> None:
    """Have the app's own script run first for every visitor, as after the first `st.navigation`."""
    # the first visitor's page would else run alone, and once more with the navigation
    PagesManager.uses_pages_directory = False


def deliver_ended_runs() -> None:
    """Have the browser get all that a run shows, also where a part asks to run as it ends.

    A run that has ended takes no more requests, so Streamlit begins the next one, and drops what
    the server has not sent yet: what a press brings, or a whole page. If the next run is of the
    whole page, nothing is missed, as it shows everything anew.
    """
    AppSession._create_scriptrunner = _begin_run  # type: ignore[assignment, method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _send  # type: ignore[assignment, method-assign]


def _begin_run(session: AppSession, request: RerunData) -> None:
    """Begin a run, and note the one that has ended if this is of a part: else there is none."""
    if session._scriptrunner is not None:
        _ENDED.add(session._scriptrunner)
    _BEGIN_RUN(session, request)


def _send(session: AppSession, runner: ScriptRunner | None, event: Any, *more: Any) -> None:
    """Send what a runner has handed over: Streamlit listens to the current one alone."""
    # that an earlier one shuts down must not count, as it would end the current one
    if runner in _ENDED and event is not ScriptRunnerEvent.SHUTDOWN:
        runner = session._scriptrunner
    _SEND(session, runner, event, *more)


def current_run_context() -> ScriptRunContext | None:
    """Context of the script run in this thread, for its session's name and its fragments."""
    return get_script_run_ctx(suppress_warning=True)


def session_emptier() -> Callable[[], None]:
    """Function that drops all that this run's session holds, for when the session has ended."""
    # a variable of Streamlit keeps the last session alive until anybody is sent anything
    if (context := current_run_context()) is None:
        return lambda: None
    state, fragments = context.session_state, context.fragment_storage

    def empty() -> None:
        for key in state.filtered_state:
            del state[key]
        fragments.clear()

    return empty


def is_session_connected(session: str) -> bool:
    """Say if a browser is connected to the session; jobs of others rest."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def close_session(session: str) -> None:
    """End a session; Streamlit keeps one without a connection until another loses its own."""
    if runtime.exists():
        runtime.get_instance().close_session(session)


def held_upload_bytes(session: str) -> int:
    """Bytes of files that the server holds for a session; Streamlit limits single files only."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in list(manager.file_storage.get(session, {}).values()))


def forget_uploaded_file(file: UploadedFile) -> None:
    """Have the server forget a file that was read, which it else keeps for the session's life."""
    context = current_run_context()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def app_url() -> str:
    """Address at which the person who starts the app finds it; an app with routes prints none."""
    for name in ("browser.serverAddress", "server.address"):
        if config.is_manually_set(name):
            return server_util.get_url(server_util.get_display_address(str(st.get_option(name))))
    return server_util.get_url("localhost")

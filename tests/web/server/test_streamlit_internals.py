"""Private parts of Streamlit stand in one file, and the installed version has them all."""

import ast
import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import streamlit as st
from starlette.datastructures import Headers
from streamlit import cli_util, config, runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Delta_pb2 import Delta
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette import starlette_websocket

from dpviz.base import APP_FOLDER
from dpviz.web.server import streamlit_internals as internals
from tests.web.own_process import run_apart

PUBLIC = {"streamlit", "streamlit.starlette"}
ONE_FILE = Path(internals.__file__)


def own_code() -> Iterator[Path]:
    yield APP_FOLDER / "app.py"
    for folder in ("dpviz", "pages"):
        yield from (APP_FOLDER / folder).rglob("*.py")


def private_parts(code: str) -> set[str]:
    """Modules of Streamlit that are imported and not public, and private names of `st`."""
    found = set[str]()
    if "streamlit" not in code:
        return found
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            named = {f"{node.module}.{each.name}" for each in node.names}
            modules = {name for name in named if inspect.ismodule(part(name))}
            found |= (modules or {str(node.module)}) - PUBLIC
        elif isinstance(node, ast.Import):
            found |= {
                each.name for each in node.names if each.name.startswith("streamlit.")
            } - PUBLIC
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "st":
            found |= {node.attr} & {"runtime", "config", "elements", "delta_generator", "_config"}
    return found


def part(name: str) -> object:
    """What this dotted name stands for, if it is an attribute of the package itself."""
    return getattr(st, name.partition(".")[2], None)


def test_only_one_file_touches_what_is_not_public() -> None:
    touching = {
        file.name: parts
        for file in own_code()
        if file != ONE_FILE and (parts := private_parts(file.read_text(encoding="utf-8")))
    }
    assert touching == {}
    assert private_parts(ONE_FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (Runtime.is_active_session, ["session_id"]),
        (Runtime.close_session, ["session_id"]),
        (MemoryUploadedFileManager.remove_file, ["session_id", "file_id"]),
        (internals.is_host_allowed, ["host"]),
        (internals.is_allowed_origin, ["origin"]),
        (internals.get_max_widget_state_size_bytes, []),
        (cli_util.open_browser, ["url"]),
        (config.is_manually_set, ["option_name"]),
    ],
    ids=lambda given: getattr(given, "__qualname__", ""),
)
def test_each_function_takes_what_it_is_given(function: object, parameters: list[str]) -> None:
    assert callable(function)
    signature = inspect.signature(function).parameters.values()
    needed = [each.name for each in signature if each.default is each.empty and each.name != "self"]
    assert needed == parameters


def test_each_message_has_the_fields_that_are_read() -> None:
    kinds = set(internals.BackMsg.DESCRIPTOR.fields_by_name)
    assert kinds == {
        *("rerun_script", "stop_script", "app_heartbeat", "file_urls_request"),
        *("backend_operation_request", "clear_cache", "set_run_on_save", "load_git_info"),
        *("debug_disconnect_websocket", "debug_shutdown_runtime"),
    }, "another kind of message: decide if a page needs it"
    asked = internals.BackMsg().rerun_script
    assert (asked.fragment_id, asked.page_script_hash, asked.query_string) == ("", "", "")
    values = internals.WidgetState.DESCRIPTOR.oneofs_by_name["value"].fields
    assert [each.name for each in values if each.name.endswith("trigger_value")]
    told = internals.ForwardMsg()
    assert told.new_session.initialize.session_id == told.new_session.page_script_hash == ""
    assert told.navigation.page_script_hash == ""


def test_a_run_knows_its_session_and_its_fragments() -> None:
    assert {"session_id", "fragment_storage", "uploaded_file_mgr"} <= set(
        ScriptRunContext.__dataclass_fields__
    )
    assert internals.current_run_context() is None
    assert internals.is_session_connected("any")  # without a server nobody is away
    assert internals.held_upload_bytes("any") == 0
    assert internals.app_url().startswith("http://localhost:")


def test_the_first_visitor_too_has_the_navigation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internals.PagesManager, "uses_pages_directory", None)  # of a new server
    internals.run_pages_by_navigation()
    assert internals.PagesManager(str(APP_FOLDER / "app.py")).uses_pages_directory is False


def test_the_types_are_those_of_the_public_functions() -> None:
    assert isinstance(st.empty(), internals.DeltaGenerator)
    assert isinstance(st.Page(lambda: None, title="a"), internals.StreamlitPage)
    record = UploadedFileRec("id", "a.csv", "text/csv", b"1")
    file = internals.UploadedFile(record, FileURLs(file_id="id"))
    assert (file.name, file.getvalue(), file.file_id) == ("a.csv", b"1", "id")


def test_a_browser_that_connects_again_names_its_session_third() -> None:
    headers = Headers({"sec-websocket-protocol": "streamlit, token, mine"})
    assert starlette_websocket._parse_subprotocols(headers)[2] == "mine"


TWO_PARTS = """
import streamlit as st

def show(name):
    shown = st.session_state[name] = st.session_state.get(name, 0) + 1
    st.markdown(f"{name} {shown}")

show("page")
st.fragment(show)("left")
st.fragment(show)("right")
"""


async def sent_where_it_is_asked_as_a_run_ends(
    script: Path, ended: str, asked: str
) -> list[internals.ForwardMsg]:
    """Messages to the browser where a part, or the page, is asked for when a run has ended, before
    the server sends anything of that run.
    """
    files = MemoryUploadedFileManager("/")
    session = AppSession(ScriptData(str(script), False), files, ScriptCache(), None, {})

    async def sent() -> list[internals.ForwardMsg]:
        while session._scriptrunner is not None:
            await asyncio.sleep(0)
        return session.flush_browser_queue()

    session.request_rerun(None)
    parts = {each.new_element.markdown.body: each.fragment_id for each in deltas(await sent())}
    requests = {
        "page": None,
        "left": ClientState(fragment_id=parts["left 1"]),
        "right": ClientState(fragment_id=parts["right 1"]),
    }
    session.request_rerun(requests[ended])
    assert session._scriptrunner is not None
    session._scriptrunner._script_thread.join()  # meanwhile the server sends nothing
    session.request_rerun(requests[asked])
    messages = await sent()
    session.shutdown()
    return messages


def deltas(messages: list[internals.ForwardMsg]) -> list[Delta]:
    return [message.delta for message in messages if message.delta.new_element.markdown.body]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of two parts, and Streamlit as it is again when a test has ended."""
    monkeypatch.setattr(runtime, "get_instance", MagicMock())
    for name in ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))
    script = tmp_path / "page.py"
    script.write_text(TWO_PARTS)
    return script


@pytest.mark.parametrize(
    ("ended", "shown"),
    [("page", {"page 2", "left 2", "right 3"}), ("left", {"left 2", "right 2"})],
)
def test_what_a_run_shows_arrives_though_a_part_asks_as_it_ends(
    ended: str, shown: set[str], script: Path
) -> None:
    by_streamlit = run_apart(sent_where_it_is_asked_as_a_run_ends(script, ended, "right"))
    internals.deliver_ended_runs()
    by_us = run_apart(sent_where_it_is_asked_as_a_run_ends(script, ended, "right"))
    assert {each.new_element.markdown.body for each in deltas(by_us)} == shown
    # once Streamlit sends all of it, ours may go
    told = {each.new_element.markdown.body for each in deltas(by_streamlit)}
    assert told == {text for text in shown if text.startswith("right")}


def test_after_a_run_that_ended_the_whole_page_alone_is_begun(script: Path) -> None:
    """Else the browser forgets, at the end of the first, texts that the second only names."""
    internals.deliver_ended_runs()
    messages = run_apart(sent_where_it_is_asked_as_a_run_ends(script, "left", "page"))
    kinds = [message.WhichOneof("type") for message in messages]
    assert (kinds.count("new_session"), kinds.count("script_finished")) == (1, 1)

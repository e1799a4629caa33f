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


async def shown_where_a_part_asks_as_a_run_ends(script: Path, ended: str) -> set[str]:
    """Texts that reach the browser where the right part asks to run when a run of the page, or of
    its left part, has ended, before the server sends anything of it.
    """
    files = MemoryUploadedFileManager("/")
    session = AppSession(ScriptData(str(script), False), files, ScriptCache(), None, {})

    async def shown() -> dict[str, str]:
        """Texts, each with the part that it belongs to."""
        while session._scriptrunner is not None:
            await asyncio.sleep(0)
        deltas = [message.delta for message in session.flush_browser_queue()]
        texts = {each.new_element.markdown.body: each.fragment_id for each in deltas}
        return {text: part for text, part in texts.items() if text}

    session.request_rerun(None)
    parts = await shown()
    left, right = (ClientState(fragment_id=parts[name]) for name in ("left 1", "right 1"))
    session.request_rerun(left if ended == "left" else None)
    assert session._scriptrunner is not None
    session._scriptrunner._script_thread.join()  # meanwhile the server sends nothing
    session.request_rerun(right)
    texts = await shown()
    session.shutdown()
    return set(texts)


@pytest.mark.parametrize(
    ("ended", "shown"),
    [("page", {"page 2", "left 2", "right 3"}), ("left", {"left 2", "right 2"})],
)
def test_what_a_run_shows_arrives_though_a_part_asks_as_it_ends(
    ended: str, shown: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "page.py"
    script.write_text(TWO_PARTS)
    monkeypatch.setattr(runtime, "get_instance", MagicMock())
    for name in ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))  # as it was, at the end
    by_streamlit = run_apart(shown_where_a_part_asks_as_a_run_ends(script, ended))
    internals.deliver_ended_runs()
    assert run_apart(shown_where_a_part_asks_as_a_run_ends(script, ended)) == shown
    # once Streamlit sends all of it, ours may go
    assert by_streamlit == {text for text in shown if text.startswith("right")}

"""What a session uploads and does not have read is bounded, whatever it sends."""

from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dpviz.web.server import streamlit_internals as internals
from dpviz.web.server import upload_budget
from tests.web.own_process import run_apart


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr(internals.runtime, "exists", lambda: True)
    monkeypatch.setattr(
        internals.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager)
    )
    monkeypatch.setattr(upload_budget, "current_budgets", lambda: SimpleNamespace(uploaded=1000))
    return manager


def status(
    app: upload_budget.UploadBudgetMiddleware, path: str, length: int | None, method: str = "PUT"
) -> int:
    """What is answered to an upload of so many bytes."""
    told: list[int] = []

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        if "status" in message:
            told.append(message["status"])

    headers = [] if length is None else [(b"content-length", b"%d" % length)]
    run_apart(
        app({"type": "http", "method": method, "path": path, "headers": headers}, receive, send)
    )
    return told[0]


def test_a_session_has_so_much_waiting_and_others_have_theirs(
    manager: MemoryUploadedFileManager,
) -> None:
    async def takes(scope: Scope, _receive: Receive, send: Send) -> None:
        *_, session, file = scope["path"].split("/")
        size = int(dict(scope["headers"])[b"content-length"])
        beside = f"/_stcore/upload_file/{session}/beside"
        assert status(app, beside, 1000 - size + 1) == 413  # while this one is on its way
        manager.add_file(session, UploadedFileRec(file, file, "", b"x" * size))
        await send({"type": "http.response.start", "status": 204})

    app = upload_budget.UploadBudgetMiddleware(takes)
    at = "/dp/_stcore/upload_file/mine/"
    assert status(app, at + "a", 600) == 204
    assert status(app, at + "b", 500) == 413
    assert status(app, at + "b", None) == 411
    assert status(app, "/dp/_stcore/upload_file/other/a", 600) == 204
    manager.remove_file("mine", "a")  # it was read
    assert status(app, at + "b", 1000) == 204
    assert not app._coming


def test_other_requests_pass(manager: MemoryUploadedFileManager) -> None:
    async def answers(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200})

    app = upload_budget.UploadBudgetMiddleware(answers)
    assert status(app, "/join", None, "POST") == 200
    assert status(app, "/_stcore/upload_file/mine/a", None, "DELETE") == 200

"""What a browser says reaches Streamlit where a page of the app says it, and not where it is for a developer."""

from collections.abc import Iterator

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from dpviz.ui import Heard
from tests.ui.apart import run_apart

CLEAR, SAVE, GIT = BackMsg(clear_cache=True), BackMsg(set_run_on_save=True), BackMsg(load_git_info=True)
RERUN, STOP = BackMsg(), BackMsg(stop_script=True)
RERUN.rerun_script.query_string = "clear_cache=true"


def heard(kind: str, *said: bytes) -> list[Message]:
    """What an app behind hears."""
    told: list[Message] = []
    waiting: Iterator[Message] = iter(
        [*({"type": f"{kind}.receive", "bytes": each} for each in said), {"type": f"{kind}.disconnect"}]
    )

    async def receive() -> Message:
        return next(waiting)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        while not told or "disconnect" not in told[-1]["type"]:
            told.append(await receive())

    run_apart(Heard(app)({"type": kind}, receive, send))
    return told[:-1]


def test_what_pages_say_is_heard_and_what_clears_the_caches_of_all_is_not() -> None:
    said = [each.SerializeToString() for each in (CLEAR, RERUN, SAVE, STOP, GIT, CLEAR)]
    assert [message["bytes"] for message in heard("websocket", *said)] == [said[1], said[3]]


@pytest.mark.parametrize("said", [b"", b"\xff\xff no message"])
def test_what_is_no_message_is_left_to_streamlit(said: bytes) -> None:
    assert [message["bytes"] for message in heard("websocket", said)] == [said]


def test_other_connections_are_not_looked_at() -> None:
    said = CLEAR.SerializeToString()
    assert [message["bytes"] for message in heard("http", said)] == [said]

"""What pages say is heard, but of a page that was left nothing; what is for who develops an app
never is.
"""

from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import runtime_util

from dpviz.web.server import message_filter as module
from dpviz.web.server.message_filter import MessageFilterMiddleware

LIMIT = 300_000  # bytes of a message


def asks(page: str, part: str = "", press: str = "") -> bytes:
    message = BackMsg()
    message.rerun_script.page_script_hash, message.rerun_script.fragment_id = page, part
    if press:
        message.rerun_script.widget_states.widgets.add(id=press, trigger_value=True)
    return message.SerializeToString()


def begins(page: str, by: str = "new_session") -> bytes:
    message = ForwardMsg()
    getattr(message, by).page_script_hash = page
    return message.SerializeToString()


def heard(*said: tuple[str, bytes]) -> list[bytes]:
    """What a server hears of what a browser says (">"), where it says itself what stands between
    ("<").
    """
    left, told = list(said), list[bytes]()

    async def server(_: Scope, receive: Receive, send: Send) -> None:
        while left:
            if left[0][0] == "<":
                await send({"type": "websocket.send", "bytes": left.pop(0)[1]})
            else:
                told.append((await receive())["bytes"])

    async def browser() -> Message:
        return {
            "type": "websocket.receive",
            "bytes": left.pop(0)[1] if left and left[0][0] == ">" else b"",
        }

    async def take(_: Message) -> None:
        """What is said to the browser."""

    with pytest.raises(StopIteration):  # its end: nothing in it waits
        MessageFilterMiddleware(server)({"type": "websocket"}, browser, take).send(None)
    return [each for each in told if each]


@pytest.mark.parametrize("asked", [asks("explore", "chart"), asks("explore", press="again")])
def test_of_the_page_that_was_left_nothing_is_asked(asked: bytes) -> None:
    leaves, late = asks("margin"), (">", asked)
    before = (">", asks("")), ("<", begins("explore")), (">", asked), (">", leaves)
    assert heard(*before, late, ("<", begins("margin")), late) == [asks(""), asked, leaves]
    assert heard(*before, late, ("<", begins("explore")), late) == [asks(""), asked, leaves]
    assert heard(*before, (">", asks("explore"))) == [
        asks(""),
        asked,
        leaves,
        asks("explore"),
    ]  # back again


def test_of_the_page_that_is_shown_everything_is_asked() -> None:
    opened = (">", asks("margin")), ("<", begins("margin")), (">", asks("margin", "chart"))
    assert heard(*opened) == [asks("margin"), asks("margin", "chart")]
    by_itself = (*opened, ("<", begins("decide")), (">", asks("decide", "chart")))
    assert heard(*by_itself)[-1] == asks("decide", "chart")  # a script may go to another page
    by_name = (">", asks("")), ("<", begins("start")), ("<", begins("explore", "navigation"))
    assert heard(*by_name, (">", asks("explore", "chart")))[-1] == asks("explore", "chart")
    assert heard((">", asks("explore", "chart"))) == [
        asks("explore", "chart")
    ]  # a line that was mended


@pytest.mark.parametrize("asked", [BackMsg(clear_cache=True), BackMsg(set_run_on_save=True)])
def test_nobody_empties_the_caches_of_all(asked: BackMsg) -> None:
    stops = BackMsg(stop_script=True).SerializeToString()
    assert heard((">", asked.SerializeToString()), (">", stops)) == [stops]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long each message was that was parsed."""
    seen: list[int] = []

    def parse(heard: bytes) -> BackMsg:
        seen.append(len(heard))
        return BackMsg.FromString(heard)

    asks_nothing = SimpleNamespace(DESCRIPTOR=BackMsg.DESCRIPTOR, FromString=parse)
    monkeypatch.setattr(module, "BackMsg", asks_nothing)
    monkeypatch.setattr(runtime_util, "_max_widget_state_size_bytes", LIMIT)
    return seen


def test_what_is_too_long_goes_on_unread_and_what_may_be_said_is_heard(parsed: list[int]) -> None:
    full = asks("explore", press="p")
    room = LIMIT - len(full) - 20
    full += BackMsg(
        rerun_script={"widget_states": {"widgets": [{"id": "t", "string_value": "x" * room}]}}
    ).SerializeToString()
    assert len(full) <= LIMIT
    assert heard((">", full)) == [full]
    assert parsed == [len(full)]
    long = full + b"\x00" * LIMIT
    assert heard((">", long)) == [long]  # Streamlit closes the line
    assert parsed == [len(full)]


def rerun(**widget: object) -> BackMsg:
    return BackMsg(rerun_script={"widget_states": {"widgets": [widget]}})


FLOODS = {
    "controls": BackMsg(rerun_script={"widget_states": {"widgets": [WidgetState()] * 100_000}}),
    "texts of a control": rerun(string_array_value={"data": [""] * 100_000}),
    "files of a control": rerun(file_uploader_state_value={"uploaded_file_info": [{}] * 100_000}),
    "operations": BackMsg(file_urls_request={"file_names": [""] * 100_000}),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_more_parts_than_any_page_has_go_nowhere_unparsed(
    flood: BackMsg, parsed: list[int]
) -> None:
    now = asks("explore")
    assert heard((">", flood.SerializeToString()), (">", now)) == [now]
    assert heard((">", now * 20_000), (">", now)) == [now]  # each field again and again
    assert parsed == [len(now)] * 2


@pytest.mark.parametrize(
    "odd", [b"\xff", b"\x0b" + asks("a") * 9, asks("a") + b"\x0b\x0c", b"\x80" * 20]
)
def test_what_is_no_message_closes_the_line(odd: bytes, parsed: list[int]) -> None:
    assert heard((">", odd)) == [b"\xff"]
    assert parsed == []


def test_longer_addresses_and_long_messages_of_other_kinds_go_nowhere() -> None:
    address, names = BackMsg(), BackMsg(file_urls_request={"file_names": ["x" * 2**16]})
    address.rerun_script.query_string = "a=&" * 30_000
    for one in (address, names):
        assert heard((">", one.SerializeToString()), (">", asks("a"))) == [asks("a")]


def test_a_session_whose_browser_came_back_without_a_run_ends_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = list[str]()
    monkeypatch.setattr(module.SESSIONS, "disconnect", left.append)

    async def server(*_: object) -> None: ...

    scope = {"type": "websocket", "subprotocols": ["streamlit", "token", "mine"]}
    with pytest.raises(StopIteration):
        MessageFilterMiddleware(server)(scope, server, server).send(None)  # type: ignore[arg-type]
    assert left == ["mine"]

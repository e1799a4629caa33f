"""What a browser asks of Streamlit over its line: what pages say, and nothing of a page that is
being left.

Anybody who is connected may ask Streamlit to empty the caches of everybody, to run on each save of
a file or to tell of its repository. The app's pages never do, so such messages end here. What is
longer than any of theirs is Streamlit's to refuse, and is not looked at before.

What a part of a page asks for, or a press on it, names the page. Where that is on its way and the
page left in the same moment, Streamlit begins the new page and then goes back to the old one, for a
part that is no more: the window stays empty. Where it has not begun the new page yet, it takes both
for one question, about the old page, and the way is lost.
Invariant: pages are asked for as ever; parts and presses are heard of the page only that was asked
for or begun last.
"""

from dataclasses import dataclass

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes

_SAID = frozenset(
    {
        "rerun_script",
        "stop_script",
        "app_heartbeat",
        "file_urls_request",
        "backend_operation_request",
    }
)
_CONTROLS = (
    2_000  # that a page has at most: to go through millions, of two bytes each, would take seconds
)
_ADDRESS = 2**16  # characters: no browser's has more
_LONGEST = 2**16  # bytes of a message that may begin a page: longer ones are charts and tables


@dataclass
class _Place:
    """The page that the browser is at, and the one it has asked for and that has not begun."""

    page: str = ""
    awaited: str = ""

    def begin_page(self, page: str) -> None:
        """The server has begun this page."""
        self.page = page
        if page == self.awaited:
            self.awaited = ""

    def accepts_message(self, within: bool, page: str) -> bool:
        """Whether what is asked for is still to be answered: this page, or something `within` it."""
        here = self.awaited or self.page
        if within:
            return not here or page == here
        self.awaited = page if page != self.page else ""
        return True


class MessageFilterMiddleware:
    """An app that hears what its own pages say, and nothing of those that were left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI asks for; of lines only what is asked over them is looked at."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        place = _Place()

        async def hear() -> Message:
            while True:
                message = await receive()
                if _may_pass(message, place):
                    return message

        async def tell(message: Message) -> None:
            told = message.get("bytes") or b""
            if 0 < len(told) <= _LONGEST:
                kind = (begun := ForwardMsg.FromString(told)).WhichOneof("type")
                if kind in {
                    "new_session",
                    "navigation",
                }:  # the second knows the page where an address named it
                    place.begin_page(getattr(begun, kind).page_script_hash)
            await send(message)

        await self._app(scope, hear, tell)


def _may_pass(message: Message, place: _Place) -> bool:
    heard = message.get("bytes")
    if (
        message["type"] != "websocket.receive"
        or not heard
        or len(heard) > get_max_widget_state_size_bytes()
    ):
        return True
    try:
        asked = BackMsg.FromString(heard)
    except DecodeError:  # to which Streamlit has an answer
        return True
    if asked.WhichOneof("type") != "rerun_script":
        return asked.WhichOneof("type") in _SAID
    controls = asked.rerun_script.widget_states.widgets
    if len(controls) > _CONTROLS or len(asked.rerun_script.query_string) > _ADDRESS:
        return False
    within = bool(asked.rerun_script.fragment_id) or any(map(_is_press, controls))
    return place.accepts_message(within, asked.rerun_script.page_script_hash)


def _is_press(widget: WidgetState) -> bool:
    """Whether it is something that happened on the page, a press or a word of a component, and no
    setting.
    """
    return (widget.WhichOneof("value") or "").endswith("trigger_value")

"""A filter for websocket messages from browsers, against abuse and against races at page changes.

Anybody who is connected may ask Streamlit to empty everybody's caches, to run on each save of a
file or to describe its repository. The app's pages never do, so such messages end here. Messages
above Streamlit's own size limit are left for it to refuse.
A fragment or a press names its page. Where it is on its way while the browser leaves the page,
Streamlit begins the new page and then returns to the old one for a fragment that is gone: the
window stays empty. Where it has not begun the new page, it merges both requests and the navigation
is lost.
Invariant: page requests always pass; fragments and presses pass only for the page that was
requested or begun last.
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
_CONTROLS = 2_000  # at most on a page: to go through millions of two bytes each would take seconds
_ADDRESS = 2**16  # characters: no browser's address has more
_LONGEST = 2**16  # bytes of a message that may begin a page: longer ones are charts and tables


@dataclass
class _Place:
    """The page that the browser is at, and the requested one that has not begun."""

    page: str = ""
    awaited: str = ""

    def begin_page(self, page: str) -> None:
        self.page = page
        if page == self.awaited:
            self.awaited = ""

    def accepts_message(self, within: bool, page: str) -> bool:
        """Say if a message for `page` may pass; `within` marks a fragment or a press."""
        here = self.awaited or self.page
        if within:
            return not here or page == here
        self.awaited = page if page != self.page else ""
        return True


class MessageFilterMiddleware:
    """Middleware that drops messages no page sends, and those of a page that was left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
                # "navigation" knows the page where an address named it
                if kind in {"new_session", "navigation"}:
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
    """Say if it is an event (a press, a component's message) and not a setting."""
    return (widget.WhichOneof("value") or "").endswith("trigger_value")

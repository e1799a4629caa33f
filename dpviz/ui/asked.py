"""What a browser asks of the server over its line, without what is asked of a page that is being left.

A part of a page is drawn anew under the name of its page. Where that is asked for and the page left in the same moment,
Streamlit begins the new page and then goes back to the old one for the part, which is no more: the window stays empty.
Where it has not begun the new page yet, it takes both for one question, about the old page, and the press is lost.
Invariant: whole pages are asked for as ever; parts only of the page that was asked for or begun last.
"""

from dataclasses import dataclass

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_LONGEST = 2**16  # bytes of a message that may begin a page: longer ones are charts and tables


@dataclass
class _Place:
    """The page that the browser is at, and the one it has asked for and that has not begun."""

    page: str = ""
    awaited: str = ""

    def begin(self, page: str) -> None:
        """The server has begun this page."""
        self.page = page
        if page == self.awaited:
            self.awaited = ""

    def takes(self, part: bool, page: str) -> bool:
        """Whether what is asked of this page, or of a `part` of it, is still to be answered."""
        here = self.awaited or self.page
        if part:
            return not here or page == here
        self.awaited = page if page != self.page else ""
        return True


class Asked:
    """An app that hears nothing of parts of a page that was left.

    Parameters
    ----------
    app
        The app.
    """

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
                if kind in {"new_session", "navigation"}:  # the second knows the page where an address named it
                    place.begin(getattr(begun, kind).page_script_hash)
            await send(message)

        await self._app(scope, hear, tell)


def _may_pass(message: Message, place: _Place) -> bool:
    heard = message.get("bytes")
    if message["type"] != "websocket.receive" or not heard:
        return True
    try:
        asked = BackMsg.FromString(heard)
    except DecodeError:  # to which Streamlit has an answer
        return True
    if asked.WhichOneof("type") != "rerun_script":
        return True
    return place.takes(bool(asked.rerun_script.fragment_id), asked.rerun_script.page_script_hash)

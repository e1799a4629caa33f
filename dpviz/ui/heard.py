"""What Streamlit hears of a browser: what a page of the app says, and nothing that is for who develops one.

Anybody who is connected may ask Streamlit to empty the caches of everybody, to run on each save of a file or to tell
of its repository. The app's pages never do, so such messages end here.
"""

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

_SAID = frozenset({"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"})


class Heard:
    """An app that is told what its own pages say.

    Parameters
    ----------
    app
        The app.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a connection, as ASGI asks for."""

        async def receive_heard() -> Message:
            """The next message that the app is to hear."""
            while not _is_heard(message := await receive()):
                pass
            return message

        await self._app(scope, receive_heard if scope["type"] == "websocket" else receive, send)


def _is_heard(message: Message) -> bool:
    said = message.get("bytes") if message["type"] == "websocket.receive" else None
    if not said:
        return True
    try:
        return BackMsg.FromString(said).WhichOneof("type") in _SAID
    except DecodeError:  # to which Streamlit has an answer
        return True

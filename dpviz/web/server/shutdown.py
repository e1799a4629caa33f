"""The end of the server: a request that is still being sent must not hold it."""

import asyncio
import signal

from starlette.types import Message, Receive

_LOOK = 0.25  # seconds


def is_server_stopping() -> bool:
    """Say if the server was told to stop."""
    return bool(
        getattr(getattr(signal.getsignal(signal.SIGTERM), "__self__", None), "should_exit", False)
    )


def receive_until_stop(receive: Receive) -> Receive:
    """Receiver of a request's body that takes a sender for gone once the server is to stop."""

    async def receive_piece() -> Message:
        piece = asyncio.ensure_future(receive())
        try:
            while not (await asyncio.wait([piece], timeout=_LOOK))[0]:
                if is_server_stopping():
                    return {"type": "http.disconnect"}
            return piece.result()
        finally:
            piece.cancel()

    return receive_piece

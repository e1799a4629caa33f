"""The end of the server."""

import signal


def is_server_stopping() -> bool:
    return bool(
        getattr(getattr(signal.getsignal(signal.SIGTERM), "__self__", None), "should_exit", False)
    )

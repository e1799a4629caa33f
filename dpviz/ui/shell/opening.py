"""The browser that opens as the app starts, as `streamlit run` does it for a script without addresses of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit import cli_util, config
from streamlit.web.server import server_util

_SOON = 0.3  # seconds in which the server listens, once it has started


def address() -> str:
    """Where the one who starts it finds the app."""
    for name in ("browser.serverAddress", "server.address"):
        if config.is_manually_set(name):
            return server_util.get_url(server_util.get_display_address(str(st.get_option(name))))
    return server_util.get_url("localhost")


@asynccontextmanager
async def opening(_app: object) -> AsyncIterator[None]:
    """While the app runs: a browser on it, unless it was started without one."""
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(_SOON, cli_util.open_browser, address())
    yield

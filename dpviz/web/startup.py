"""Start of the app: its address, a warning about open access, and a browser that opens.

`streamlit run` opens a browser for a plain script only; for an app with routes it leaves that to
the app.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit import cli_util, config
from streamlit.web.server import server_util

from dpviz.web.server.allowed_hosts import access_warning
from dpviz.web.session.parked_sessions import keep_sessions_on_disk

_SOON = 0.3  # seconds in which the server listens, once it has started


def app_url() -> str:
    """Address at which the person who starts the app finds it."""
    for name in ("browser.serverAddress", "server.address"):
        if config.is_manually_set(name):
            return server_util.get_url(server_util.get_display_address(str(st.get_option(name))))
    return server_util.get_url("localhost")


@asynccontextmanager
async def app_lifespan(_app: object) -> AsyncIterator[None]:
    """Prepare the server, say where it is, and open a browser unless it runs headless."""
    keep_sessions_on_disk()
    sys.stdout.write(f"dpviz is at {app_url()}\n")
    sys.stdout.flush()
    sys.stderr.write(access_warning())
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(_SOON, cli_util.open_browser, app_url())
    yield

"""Start of the app: its address, a warning about open access, and a browser that opens."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from dpviz.base.resource_budgets import raise_file_limit, refuse_work_over_budget
from dpviz.web.server.allowed_hosts import access_warning
from dpviz.web.server.session_memory import SESSIONS, return_large_arrays
from dpviz.web.server.streamlit_internals import app_url, open_browser

_SOON = 0.3  # seconds in which the server listens, once it has started


@asynccontextmanager
async def app_lifespan(_app: object) -> AsyncIterator[None]:
    """Prepare the server, say where it is, and open a browser unless it runs headless."""
    return_large_arrays()
    raise_file_limit()
    refuse_work_over_budget()
    watching = asyncio.create_task(SESSIONS.end_idle_sessions())
    sys.stdout.write(f"dpviz is at {app_url()}\n")
    sys.stdout.flush()
    sys.stderr.write(access_warning())
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(_SOON, open_browser, app_url())
    yield
    watching.cancel()

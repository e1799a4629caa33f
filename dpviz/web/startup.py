"""Start of the app: its address, a warning about open access, and a browser that opens."""

import asyncio
import inspect
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

import streamlit as st

from dpviz.base.resource_budgets import enforce_memory_budget, raise_open_file_limit
from dpviz.web.server.allowed_hosts import open_access_warning
from dpviz.web.server.session_memory import SESSIONS, configure_large_array_memory
from dpviz.web.server.streamlit_internals import (
    app_url,
    deliver_ended_runs,
    open_browser,
    run_pages_by_navigation,
)

_SLOW_MODULES = ("scipy.special", "scipy.optimize")  # those that pages load when they compute
_SOON = 0.3  # seconds in which the server listens, once it has started


@asynccontextmanager
async def app_lifespan(_app: object) -> AsyncIterator[None]:
    """Prepare the server, say where it is, and open a browser unless it runs headless."""
    run_pages_by_navigation()
    deliver_ended_runs()
    configure_large_array_memory()
    raise_open_file_limit()
    enforce_memory_budget()
    threading.Thread(target=_prepare_first_page, daemon=True).start()
    watching = asyncio.create_task(SESSIONS.end_idle_sessions())
    sys.stdout.write(f"dpviz is at {app_url()}\n")
    sys.stdout.flush()
    sys.stderr.write(open_access_warning())
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(_SOON, open_browser, app_url())
    yield
    watching.cancel()


def _prepare_first_page() -> None:
    """Load what the first page would else wait for, while its browser still loads scripts."""
    for name in _SLOW_MODULES:
        import_module(name)
    inspect.stack()  # as Streamlit does once, before the first element; this fills its caches

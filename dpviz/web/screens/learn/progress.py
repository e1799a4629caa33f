"""The address at which phones reach this app; never a local one."""

import os
from urllib.parse import urlsplit

import streamlit as st

from dpviz.base import REACHED_AT


def phone_reachable_url() -> str:
    """App's address, from the command line, else from this browser; "" where none is reachable."""
    if told := os.environ.get(REACHED_AT):
        return told
    here = (st.context.url or "").rpartition("/")[0]
    return "" if is_local_address(here) else here


def is_local_address(address: str) -> bool:
    """Say if only this machine can reach the address.

    >>> is_local_address("http://127.0.0.1:8501/join"), is_local_address("http://192.168.0.7:8501")
    (True, False)
    """
    host = urlsplit(address).hostname or ""
    return host in {"", "localhost", "::1"} or host.startswith("127.")

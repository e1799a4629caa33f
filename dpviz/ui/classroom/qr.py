"""The address of a class as a picture that phones read."""

from urllib.parse import urlencode, urljoin, urlsplit

import segno
import streamlit as st

from dpviz.base.markup import Markup, markup


def address(code: str) -> str:
    """Where a student joins this class, as the teacher's browser knows this app."""
    return f"{urljoin(st.context.url or 'http://localhost:8501/', 'join')}?{urlencode({'code': code})}"


def local(address: str) -> bool:
    """Whether no other machine can follow that address."""
    host = urlsplit(address).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


def picture(address: str) -> Markup:
    """The address as a QR code, dark on light in both themes, as phones want it."""
    made = segno.make(address, error="m").svg_data_uri(scale=8, border=4, light="#ffffff")
    return markup('<img class="dp-qr" src="{}" alt="QR code of {}">', Markup(made), address)

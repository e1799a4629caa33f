"""The app's own look and scripts: `.css` and `.js` files beside the pages' folders, read once."""

from functools import cache
from importlib.resources import files

import streamlit as st

__all__ = ["apply", "asset"]


@cache
def asset(name: str) -> str:
    """The text of a style sheet or script of `dpviz/ui`."""
    return files("dpviz.ui").joinpath(name).read_text(encoding="utf-8")


def apply(*, presenter: bool) -> None:
    """Put the rules on the page; text is larger for a presenter."""
    sheets = ("app.css", "stage.css", "learn.css", "print.css", *(("presenter.css",) if presenter else ()))
    st.html(f"<style>{''.join(map(asset, sheets))}</style>")

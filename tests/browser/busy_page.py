"""A page of parts, for `test_clicks`: one changes all the time, one takes its while where it is
asked to.
"""

import time

import streamlit as st

from dpviz.web.session import state
from dpviz.web.widgets import live_parts, style
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.show import show_expander

WHILE = 1.5  # seconds


def changing() -> None:
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    st.html(f'<p class="drawn">{st.session_state["drawn"]}</p>')


def busy() -> None:
    if st.button("Be busy"):
        time.sleep(WHILE)  # stands for work that takes its while


def fold() -> None:
    show_expander("A fold", "fold", lambda: st.markdown("What is in it"))


def press() -> None:
    if st.button("A button"):
        st.markdown("It was pressed")


state.begin_run()
style.add_shared_scripts()
live_parts.show_live_part("changing", changing, time.monotonic, alone=True)
live_parts.show_live_part("busy", busy, bool, alone=True)
live_parts.show_live_part("folded", fold, bool, alone=True)
live_parts.show_live_part("pressed", press, bool, alone=True)
st.button("Run it all")
show_download_button("A file", lambda: "What is in it", "file.csv", "file")
live_parts.watch_parts("looking", live_parts.PollPace(0.05, 0.05))

"""A page of parts, for `test_clicks`: one changes all the time, one takes its while where it is
asked to.
"""

import time

import streamlit as st

from dpviz.web import widgets
from dpviz.web.server.streamlit_internals import deliver_ended_runs
from dpviz.web.session import state
from dpviz.web.widgets import navigation
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.live_parts import show_in_fragment

WHILE = 1.5  # seconds


def changing() -> None:
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    st.html(f'<p class="drawn">{st.session_state["drawn"]}</p>')


def busy() -> None:
    if st.button("Be busy"):
        time.sleep(WHILE)  # stands for work that takes its while


def show_fold(key: str, name: str, holds: str) -> None:
    def fold() -> None:
        with widgets.fold(key, name) as opened:
            if opened:
                st.markdown(holds)

    show_in_fragment(f"{key}_part", fold, None)


def show_button(key: str, name: str, brings: str) -> None:
    def press() -> None:
        if st.button(name):
            st.markdown(brings)

    show_in_fragment(f"{key}_part", press, None)


deliver_ended_runs()  # as the app does where it starts
state.begin_page_run()
navigation.add_shared_scripts()
show_in_fragment("changing", changing, 0.25)  # the app looks half as often
show_in_fragment("busy", busy, None)
show_fold("one_fold", "A fold", "What is in it")
show_button("one_button", "A button", "It was pressed")
show_fold("other_fold", "Another fold", "What is in that")
show_button("other_button", "Another button", "That was pressed")
st.button("Run it all")
show_download_button("A file", lambda: "What is in it", "file.csv", "file")

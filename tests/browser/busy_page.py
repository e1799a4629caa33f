"""A page of parts, for `test_clicks`: one changes all the time, one takes its while where it is
asked to.
"""

import time

import streamlit as st

from dpviz.web.session import state
from dpviz.web.widgets import style
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.show import show_expander

WHILE = 1.5  # seconds


@st.fragment(run_every=0.05)
def changing() -> None:
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    st.html(f'<p class="drawn">{st.session_state["drawn"]}</p>')


@st.fragment
def busy() -> None:
    if st.button("Be busy"):
        time.sleep(WHILE)  # stands for work that takes its while


@st.fragment
def fold() -> None:
    show_expander("A fold", "fold", lambda: st.markdown("What is in it"))


@st.fragment
def press() -> None:
    if st.button("A button"):
        st.markdown("It was pressed")


state.begin_run()
style.add_shared_scripts()
changing()
busy()
fold()
press()
st.button("Run it all")
show_download_button("A file", lambda: "What is in it", "file.csv", "file")

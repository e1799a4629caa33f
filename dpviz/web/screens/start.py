"""Start: the screen that an address without parameters opens, played in the browser alone; and the
ways on from it.
"""

import streamlit as st

from dpviz.export.document import own_file
from dpviz.export.start_file import shown, written
from dpviz.pages.start.view import facts, scene
from dpviz.studies import DataSpec
from dpviz.teaching.lesson import LESSONS
from dpviz.web.screens.learn.position import LessonPlace
from dpviz.web.server.static_files import asset
from dpviz.web.session import state
from dpviz.web.widgets import download, rules
from dpviz.web.widgets import print_header as paper

LESSON = "opening_story"


def show_page() -> None:
    """The screen, the two doors, and the screen as a file."""
    rules(asset("start_page.css"))
    now = scene()
    paper.describe_alone(facts(), None, state.view())
    about = paper.shown_now()
    st.components.v2.component(
        "dpviz_start",
        html=str(shown(now)),
        css=own_file("scene.css"),
        js=own_file("scene.js") + asset("start_scene.js"),
        isolate_styles=False,
    )(data=now.data(), key="start")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="start_doors"):
        if st.button("Use my data", icon=":material/upload:", key="start_data"):
            _use_own_data()
        # switch_page would write the lesson into the address of this page, to which Back leads
        st.page_link(
            "pages/learn.py", label="How does this work?", icon=":material/school:",
            query_params=LessonPlace(LESSON, 0, LESSONS[LESSON].seed).query(),
        )  # fmt: skip
        download(
            "Share", lambda: written(now, about.rows), f"{about.file_name()}.html", "start_file",
            icon=":material/link:", type="tertiary",
            help="This very screen as one file: it opens anywhere, without a network.",
        )  # fmt: skip


def _use_own_data() -> None:
    """Explore, which asks for them."""
    state.change(data=DataSpec(source="uploaded"), scores=None)
    st.switch_page("pages/explore.py")

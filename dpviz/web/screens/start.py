"""Start: the screen at an address without parameters, played in the browser, with links onward."""

import streamlit as st

from dpviz.export.document import read_template_asset
from dpviz.export.start_file import render_start_file, scene_markup
from dpviz.pages.start.view import EPSILONS, scene, scene_settings
from dpviz.studies import DataSpec
from dpviz.teaching.lessons import LESSONS
from dpviz.web import widgets as ui
from dpviz.web.screens.learn.step import LessonPlace
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import state
from dpviz.web.widgets import print_header

LESSON = "opening_story"


def show_page() -> None:
    ui.add_style_rules(read_asset("start_page.css"))
    now = scene()
    print_header.set_provenance_without_scenario(scene_settings(), None, state.presenter_query())
    about = print_header.page_provenance()
    st.components.v2.component(
        "dpviz_start",
        html=str(scene_markup(now)),
        css=read_template_asset("scene.css"),
        js=read_template_asset("scene.js") + read_asset("start_scene.js"),
        isolate_styles=False,
    )(data=now.browser_data(state.chosen_epsilon()), key="start", on_at_change=_keep_epsilon)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="start_doors"):
        if st.button("Use my data", icon=":material/upload:", key="start_data"):
            state.change_scenario(data=DataSpec(source="uploaded"), scores=None)
            ui.switch_to_page("explore")
        # switch_page would write the lesson into the address of this page, to which Back leads
        st.page_link(
            "pages/learn.py",
            label="How does this work?",
            icon=":material/school:",
            query_params=LessonPlace(LESSON, 0, LESSONS[LESSON].seed).to_query(),
        )
        ui.show_download_button(
            "Share",
            lambda: render_start_file(now, about.rows),
            f"{about.file_name()}.html",
            "start_file",
            icon=":material/link:",
            type="tertiary",
            help="Downloads this screen as one file. It opens anywhere, also without a network.",
        )


def _keep_epsilon() -> None:
    """Take the ε of the slider along to every page."""
    at = st.session_state["start"].at
    if at in range(len(EPSILONS)):
        state.write_changed_link(notes_only=True)
        state.change_scenario(epsilon=EPSILONS[at])

"""The data section of the sidebar, and the page of a link whose data must be loaded first."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.base import ADDED, REPLACED, Registry, Scores, join_markup, markup
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.reading import editable_frame, read_frame
from dpviz.data.score_sources import scores_from
from dpviz.studies import DataSpec, Scenario, data_name
from dpviz.studies.design import complete_parameters
from dpviz.studies.epsilon_range import find_epsilon_halfway_from_chance
from dpviz.topk import log_set_count_within
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import data_source, tab_storage, upload_review
from dpviz.web.widgets.controls import button, menu
from dpviz.web.widgets.data_source import use_scores
from dpviz.web.widgets.design_controls import show_parameter_controls
from dpviz.web.widgets.elements import (
    html,
    isolate_bidi,
    show_menu_help,
    show_paragraph,
    upload_source_name,
)
from dpviz.web.widgets.person_questions import show_person_questions
from dpviz.web.widgets.show import show_page_head, show_refusals, show_table_editor

_BY_HAND = ", edited by hand"


SOURCES: Registry[Callable[[Scenario], None]] = Registry("source")
"""Controls of each source of scores."""
# of generated scores that are not shown yet
_DRAFT: SessionValue[DataSpec] = SessionValue(
    "draft",
    lambda: DataSpec(source="generated", name="zipf", parameters=GENERATORS["zipf"].opening),
)
_AMOUNTS = ("size", "total")  # parameters that stand before the shape


def show_data_section(
    scenario: Scenario, *, asks_to_confirm: bool = False, for_decide_page: bool = False
) -> None:
    """Data section; `asks_to_confirm` where the page itself asks to confirm an upload."""
    source = scenario.data.source if scenario.data.source in SOURCES else "upload"
    # Decide asks about people itself, and for one's own file first
    first = "upload" if for_decide_page and not state.is_data_chosen() else source
    chosen = st.session_state.get(state.DATA_FROM, first)
    if chosen == "example":  # it is used at once, so it shows only itself
        chosen = source
    menu("Scores from", SOURCES, chosen, _choose, "data_from", label_visibility="collapsed")
    show_menu_help(SOURCES, chosen)
    SOURCES[chosen](scenario)
    if not asks_to_confirm:
        upload_review.show_upload_review(scenario)
    if state.is_data_chosen():
        button("Back to the example", "back", _show_example, type="tertiary")
    example = "" if state.is_data_chosen() else "This is an example. "
    show_paragraph(f"{example}All pages use the data that you choose.", "note")
    if not scenario.needs_data:
        scores = state.scores(scenario)
        data_source.show_data_name_box(scenario)
        upload_review.show_confirmed_reading(scenario)
        tab_storage.show_keep_upload_switch(scenario)
        if for_decide_page:
            return
        show_person_questions(scenario, scores)
        if tied := _tie_note(scores, scenario.k):
            show_paragraph(tied, "note")


def _choose(name: str) -> None:
    st.session_state[state.DATA_FROM] = name
    state.clear_notices()
    upload_review.discard_upload()
    if name == "example" and state.scenario().data.source != "example":  # else one is in use
        _use_example(next(iter(EXAMPLES)))


def _example(scenario: Scenario) -> None:
    current = scenario.data.name if scenario.data.source == "example" else next(iter(EXAMPLES))
    menu("Example", EXAMPLES, current, _use_example, "example", label_visibility="collapsed")
    show_menu_help(EXAMPLES, current)


def _use_example(name: str) -> None:
    state.change_scenario(
        "data", data=DataSpec(source="example", name=name), k=EXAMPLES[name].k, scores=None
    )


def _generated(scenario: Scenario) -> None:
    """Size, total and shape of generated scores; before they are shown, a button replaces others."""
    shown = scenario.data.source == "generated"
    spec = scenario.data if shown else _DRAFT.value
    shape, name = GENERATORS[spec.name], spec.name
    given = complete_parameters(name, shape, spec.parameters)

    def edit(parameter: str, value: object) -> None:
        now = _edited_spec()
        if now.name == name:
            _edit_generated(name, {**now.parameters, parameter: value})

    amounts = {each: given.pop(each) for each in _AMOUNTS if each in given}
    show_parameter_controls(shape, amounts, edit, name)
    menu("Shape of the scores", GENERATORS, name, _choose_shape, "generator")
    show_menu_help(GENERATORS, name)
    show_parameter_controls(shape, given, edit, name)
    if not shown:
        button(
            "Show these scores",
            "generate",
            lambda: _use_spec(_DRAFT.value),
            type="primary",
            width="stretch",
        )
        return
    button(
        "Set a suggested ε",
        "telling",
        _set_even_epsilon,
        help="On average, about half of the list is then right: neither sure nor hopeless.",
        width="stretch",
    )


def _edited_spec() -> DataSpec:
    now = state.scenario().data
    return now if now.source == "generated" else _DRAFT.value


def _choose_shape(name: str) -> None:
    """Take another shape, of the size so far."""
    size = _edited_spec().parameters["size"]
    _edit_generated(name, {**GENERATORS[name].opening, "size": size})


def _edit_generated(name: str, parameters: Mapping[str, Any]) -> None:
    """Change the scores on screen, or those that are not shown yet."""
    with state.report_refusals("data"):
        change = _use_spec if state.scenario().data.source == "generated" else _DRAFT.put
        change(DataSpec(source="generated", name=name, parameters=parameters))


def _use_spec(spec: DataSpec) -> None:
    state.change_scenario(
        "data", data=replace(spec, **state.remembered_person_answers()), scores=None
    )


def _set_even_epsilon() -> None:
    with state.report_refusals("data"):
        now = state.scenario()
        epsilon = find_epsilon_halfway_from_chance(now.mechanisms[0], state.scores(now))
        state.change_scenario("data", epsilon=epsilon)


def _tie_note(scores: Scores, k: int) -> str:
    if k >= scores.d:
        return ""
    a, b = scores.tie_counts(k)
    if b == k:
        return ""
    log_ways = float(
        log_set_count_within(np.array(a), np.array(b), k)
    )  # to fill k − a of b − a places
    most = f"1/{round(math.exp(log_ways)):,}" if log_ways < math.log(1e6) else "one in a million"
    return (
        f"Ranks {a + 1:,} to {b:,} have the same score. Their order in the data decides which are"
        f" in the true top {k:,}. All are listed equally often, so TOP is at most {most} at any ε."
        " OPTIMAL counts each of them."
    )


def ask_for_data(scenario: Scenario) -> None:
    """Ask for the data of a link, or for the person's own."""
    if state.is_in_link("data"):
        spec = scenario.data
        most = (
            ""
            if spec.contributions is None
            else f", who counts in at most {spec.contributions:,} items"
        )
        names = "" if spec.names_known else "; the items come from the data"
        rows = {
            "Data": isolate_bidi(spec.called) if spec.called else "no name in the link",
            "Size": "not in the link" if spec.d is None else f"{spec.d:,} items",
            "Neighbours": (
                f"{ADDED if spec.monotonic else REPLACED}{most}, Δ = {spec.sensitivity:.10g}{names}"
            ),
            "Settings": f"ε = {scenario.epsilon:.10g}, k = {scenario.k:,}",
        }
        show_page_head(
            "",
            "Drop the file with these scores",
            "A link never holds the data. Please load the file, or ask the person who sent the"
            " link.",
        )
        html(
            join_markup(
                markup('<div class="dp-row"><span>{}</span>{}</div>', what, value)
                for what, value in rows.items()
            )
        )
    else:
        show_page_head(
            "",
            "Your own data",
            "Each row has an item and its score, or a person and an item. The data stay in this"
            " session.",
        )
    upload_review.show_file_uploader(
        "Drop the file: scores, or a log of who did what", "asked_file"
    )
    upload_review.show_upload_review(scenario, width=520)
    st.button(
        "Show an example instead",
        on_click=_show_example,
        icon=":material/table_chart:",
    )
    st.caption("Pasted and generated scores are under Data in the sidebar.")


def _show_example() -> None:
    opening = state.OPENING.value
    state.replace_scenario(state.scenario().replace(data=opening.data, k=opening.k, scores=None))


def _table(scenario: Scenario) -> None:
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit_table(scenario)


@st.dialog("Edit the scores", width="large")
def _edit_table(scenario: Scenario) -> None:
    state.DIALOG.put(True)
    if scenario.needs_data:
        st.write("There are no scores yet.")
        return
    before = state.scores(scenario)

    def use(edited: pd.DataFrame) -> bool:
        made = scores_from(read_frame(edited), "score", "item", duplicates="keep", total="keep")
        scores = replace(before, values=made.values, labels=made.labels)
        name = upload_source_name(scenario) or data_name(scenario.data)
        return use_scores(scores, scenario.data.items_known, name.removesuffix(_BY_HAND) + _BY_HAND)

    with show_refusals():
        show_table_editor(
            editable_frame(before),
            "edited_table",
            "Change, add or delete rows. You can paste cells from a spreadsheet.",
            "Use these scores",
            use,
        )


for _name, _show, _label, _says in (
    ("example", _example, "An example", "Made-up scores to try things out."),
    ("generated", _generated, "Generated scores", "Scores of a shape and size of your choice."),
    (
        "upload",
        upload_review.show_upload_control,
        "Your own file",
        "Scores, or a log of who did what. You check how it is read. It stays in this session.",
    ),
    ("paste", upload_review.show_paste_form, "Pasted scores", "One score per line, from anywhere."),
    ("edit", _table, "A table to edit", "The scores in use, to be changed by hand."),
):
    SOURCES.add(_name, _show, label=_label, says=_says)

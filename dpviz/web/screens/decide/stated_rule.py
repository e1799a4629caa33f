"""Noise, threshold and cap that are stated as the plan, in place of an ε that is searched."""

from dataclasses import replace

import streamlit as st

from dpviz.base import Scores
from dpviz.charts import upper_bound_text
from dpviz.studies import Design
from dpviz.studies.decision import Question
from dpviz.studies.stated_rule import state_design_noise, stated_rule_sentences
from dpviz.topk import TOP_K
from dpviz.web import widgets as ui
from dpviz.web.screens.decide.question import edit_answers
from dpviz.web.widgets.design_controls import show_parameter_controls

_FIRST = Design(mechanism="threshold_counts", parameters={"noise": "gaussian"})


def show_stated_rule(question: Question, scores: Scores | None) -> None:
    """Controls of the stated rule, and what it promises; a button where none is stated."""
    ui.heading("A rule with stated noise")
    if not question.states_noise:
        if scores is not None:
            st.button(
                "We publish what passes a threshold",
                on_click=lambda: _take(state_design_noise(_FIRST, 1.0, question.k, scores)),
                key="decide_rule",
            )
        ui.paragraph("You state the noise and the threshold. The answer says what they cost.")
        return
    design = question.designs[0]

    def edit(name: str, value: object) -> None:
        _take(replace(design, parameters={**design.parameters, name: value}))

    cls = TOP_K[design.mechanism]
    show_parameter_controls(cls, design.parameters, edit, "decide.rule", hidden=("noise", "delta"))
    rule = stated_rule_sentences(design.build(1.0, question.k), upper_bound_text)
    ui.paragraph(" ".join(rule), "says")


def _take(design: Design) -> None:
    edit_answers(designs=(design,), taken=None, picked=True)

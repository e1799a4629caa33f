"""A folded form for facts that only the publisher knows; any answer may be left open."""

from functools import partial

import streamlit as st

from dpviz.base import declared_parameters
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import (
    PARTICULARS,
    PublisherDetails,
    with_publisher_details,
)
from dpviz.web.widgets import PageParameters, bind_control, paragraph, show_expander

_ASKED = PageParameters(PARTICULARS, where="decide", tell=True)


def show_particulars_form() -> None:
    show_expander(
        "What the sheet asks the publisher: purpose, who keeps the raw counts, review date",
        "particulars",
        _ask,
    )


def _ask() -> None:
    said = _ASKED.values()
    paragraph(
        "Each may stay open: the sheet then says that it was not answered. The link holds the"
        " answers."
    )
    for column, part in zip(st.columns(2), (slice(0, None, 2), slice(1, None, 2)), strict=True):
        for each in declared_parameters(PublisherDetails)[part]:
            column.text_input(
                each.label,
                said[each.name],
                max_chars=200,
                help=each.help,
                **bind_control(
                    PARTICULARS.prefix + each.name, said[each.name], partial(_change, each.name)
                ),
            )


def _change(name: str, text: str) -> None:
    _ASKED.change(**{name: text.strip() or None})


def decision_with_particulars(decision: Decision) -> Decision:
    """Decision with the publisher's answers."""
    return with_publisher_details(
        decision, **{name: value for name, value in _ASKED.values().items() if value}
    )

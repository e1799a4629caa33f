"""Review of uploaded files and pasted text, before their scores or counts are used.

Until a reading is confirmed the old data stay.
Invariant: a press changes the reading as it is when the press arrives, not as it was drawn.
"""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from dpviz.base import markup
from dpviz.base.file_values import SpilledValue
from dpviz.charts import count_text
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading.guessing import (
    Proposal,
    ReadingChoices,
    propose_reading,
)
from dpviz.studies import Scenario, data_name
from dpviz.web.session import SessionValue, defer_to_next_run, state
from dpviz.web.widgets.confirmed_upload import (
    ARRIVED,
    CONFIRMED_UPLOAD,
    EVENT_LOG,
    ConfirmedUpload,
    EventLog,
    use_event_log,
)
from dpviz.web.widgets.controls import button, edit_for_keyword, menu, radio, show_notice
from dpviz.web.widgets.data_source import (
    ACCEPTED,
    EVENTS,
    SCORES,
    is_current_upload_kind,
    report_data_refusals,
    uploaded_data_spec,
    uploader,
    use_scores,
)
from dpviz.web.widgets.elements import (
    escape_markdown,
    isolate_bidi,
    show_bullets,
    show_markup,
    show_paragraph,
    upload_source_name,
)
from dpviz.web.widgets.print_header import page_name

# characters in a box, which go along with every press: see `server.maxWidgetStateSize`
_TYPED = 1_000_000
_CHOOSE = "(choose a column)"
_NAMELESS = "(no names: item 1, item 2, …)"
_EACH_ROW = "(each row is another person)"
_KINDS = {False: "Scores: one item per row", True: "A log: one event per row"}


_OFFER: SessionValue[list[Proposal]] = SessionValue("offer", list)
"""Upload under review, if any. It is changed in place: Streamlit would keep a replaced value until
the next run.
"""


def show_file_uploader(label: str, key: str) -> None:
    """File control for scores or events, hidden while an upload waits for review."""
    if _standing() is None:
        uploader(label, key, _read, help=ACCEPTED + " It stays in this session's memory.")


def show_upload_control(scenario: Scenario) -> None:
    show_file_uploader("Drop a file: scores, or a log of who did what", "data_file")


def _read(name: str, content: str | bytes) -> None:
    with report_data_refusals(name[:1].upper() + name[1:] if isinstance(content, str) else name):
        given = propose_reading(name, content)
        _stand(given)
        if isinstance(content, str) and given.is_unambiguous:
            _use()


def show_paste_form(scenario: Scenario) -> None:
    with st.form("paste", border=False):
        st.text_area(
            "One item per line",
            key="pasted",
            height=140,
            max_chars=_TYPED,
            placeholder="apples, 31\npears, 28\nplums, 28",
            help=(
                "Each line has a number, or a label and a number separated by a comma, a semicolon"
                f" or a tab. The text may have {_TYPED:,} characters. A file may have more."
            ),
        )
        st.form_submit_button("Use these scores", on_click=_read_paste, width="stretch")


def _read_paste() -> None:
    defer_to_next_run(_read, "pasted scores", st.session_state["pasted"])


def _standing() -> Proposal | None:
    return next(iter(_OFFER.value), None)


def _stand(given: Proposal | None) -> None:
    _OFFER.value[:] = [] if given is None else [given]


def discard_upload() -> None:
    _stand(None)


def show_upload_review(scenario: Scenario, *, width: Literal["stretch"] | int = "stretch") -> None:
    """Reading in three rows, the guesses made, and the buttons below what was refused."""
    if (given := _standing()) is None:
        show_notice("data")
        return
    with st.container(key="door", border=True, gap="small", width=width):
        show_markup(
            '<p class="dp-how" role="status"><strong>We read {} as</strong></p>',
            isolate_bidi(given.name),
        )
        _rows(given)
        for number, remark in enumerate(given.remarks):
            with st.container(gap=None):
                show_paragraph(isolate_bidi(remark.says), "note")
                with st.container(horizontal=True, gap="small"):
                    for place, (mend, said) in enumerate(remark.mends.items()):
                        button(
                            escape_markdown(mend),
                            f"mend_{number}_{place}",
                            defer_to_next_run,
                            _say,
                            kwargs={**said},
                            type="secondary" if remark.requires_choice else "tertiary",
                            icon="swap_horiz",
                        )
        if given.said != ReadingChoices() and given.content is not None:
            button(
                "Undo these changes",
                "as_at_first",
                defer_to_next_run,
                _say,
                kwargs=dict(vars(ReadingChoices())),
                type="tertiary",
                icon="undo",
            )
        if (lacking := given.meaning.open_choice) is None:
            line = "{} by {}" if given.meaning.log else "{} has {}"
            show_bullets(
                markup(line, isolate_bidi(item), isolate_bidi(other))
                for item, other in given.first_rows()
                if item and other
            )
        if given.open_question is not None:
            show_paragraph("Please answer the question above.", "note")
        elif lacking is not None:
            show_paragraph(f"Please choose {lacking}.", "note")
        show_notice("data")
        with st.container(horizontal=True, gap="small"):
            button(
                "Use these data" if isinstance(given.content, str) else "Use this file",
                "agree",
                defer_to_next_run,
                _use,
                type="primary",
                disabled=lacking is not None or given.open_question is not None,
            )
            button("Cancel", "leave_it", discard_upload, type="tertiary")
        if not scenario.needs_data:
            show_paragraph(
                markup(
                    "Until you confirm, {} is used.",
                    isolate_bidi(upload_source_name(scenario) or data_name(scenario.data)),
                ),
                "note",
            )


def _rows(given: Proposal) -> None:
    log, meant = given.meaning.log, given.meaning
    radio(
        "It is",
        _KINDS,
        log,
        edit_for_keyword(_say, "log"),
        "door_kind",
        label_visibility="collapsed",
    )
    other = "Column of the person" if log else "Column of the score"
    for label, key, chosen, none in (
        ("Column of the item", "item", meant.item, _CHOOSE if log else _NAMELESS),
        (other, "other", meant.other, _EACH_ROW if log else _CHOOSE),
    ):

        def pick(name: str, key: str = key, none: str = none) -> None:
            _change(lambda now: now.with_column(**{key: None if name == none else name}))

        options = (none, *given.table.columns)
        menu(label, options, none if chosen is None else chosen, pick, f"door_{key}")


def _change(to: Callable[[Proposal], Proposal]) -> None:
    if (now := _standing()) is not None:
        with report_data_refusals(now.name):
            _stand(to(now))


def _say(**said: Any) -> None:
    _change(lambda now: now.with_choices(**said))


def _use() -> None:
    """Use the confirmed upload; where its scores cannot be made it stays under review."""
    if (given := _standing()) is None:
        return
    with report_data_refusals(given.name):
        agreed = ConfirmedUpload(
            name=given.name,
            meaning=given.meaning,
            said=given.said,
            offer=SpilledValue(given.without_source()),
        )
        used = _count(given, agreed) if given.meaning.log else _score(given)
        if used:
            CONFIRMED_UPLOAD.put(agreed)
            ARRIVED.put(page_name())
            _stand(None)


def _score(given: Proposal) -> bool:
    """Use its scores; ask if a limit per person from a log before still holds."""
    spec, counted = uploaded_data_spec(SCORES), is_current_upload_kind(EVENTS)
    scores = spec.with_person_metadata(given.scores())
    used = use_scores(scores, spec.items_known, given.name, SCORES)
    if used and counted and spec.contributions is not None:
        state.set_notice(
            "data",
            f"Your limit of {count_text(spec.contributions, 'item')} per person stays. Please check"
            " that it was applied when these scores were counted.",
        )
    return used


def _count(given: Proposal, agreed: ConfirmedUpload) -> bool:
    """Count the log, with the item list of the log before."""
    before = EVENT_LOG.value
    log = EventLog(
        of=agreed,
        items=None if before is None else before.items,
        most=uploaded_data_spec(EVENTS).contributions,
    )
    return use_event_log(log, count_proposed_log(given, items=log.items, contributions=log.most))


def show_confirmed_reading(scenario: Scenario) -> None:
    """Reading of the current scores, and a button to change it."""
    given = CONFIRMED_UPLOAD.value
    if given is None or _standing() is not None or upload_source_name(scenario) != given.name:
        return
    meant = given.meaning
    words = ("items", "people") if meant.log else ("names", "scores")
    absent = "each row as another person" if meant.log else "without names"
    columns = [
        absent if column is None else markup("{} by {}", word, isolate_bidi(column))
        for word, column in zip(words, (meant.item, meant.other), strict=True)
    ]
    said = markup("Read as {}: {}, {}.", "a log" if meant.log else "scores", *columns)
    show_paragraph(said, "note")
    button("Change how it is read", "read_again", _open_again, width="stretch")


def _open_again() -> None:
    state.clear_notices()
    given = CONFIRMED_UPLOAD.value
    _stand(None if given is None else given.offer.load())

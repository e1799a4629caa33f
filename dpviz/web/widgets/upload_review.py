"""Data from outside: what came in stands to be confirmed, and only then are its scores, or its
counts, those of now.

Files and pasted text have one door: what they are is found out (`dpviz.data.reading.guessing`) and stands in
three rows to be confirmed or changed; until somebody agrees what was there before stays. What was
agreed on can be opened again in the same rows, and lies on disk until then.
Invariant: a press on a row changes what stands there when it is heard, whatever was drawn.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from dpviz.base import Scores, markup
from dpviz.base.spilled_value import SpilledValue
from dpviz.charts import count_text
from dpviz.data.reading import (
    MAX_EDIT_ROWS,
    CountedLog,
    editable_frame,
    read_frame,
    read_items,
    scores_from,
)
from dpviz.data.reading.guessing import Proposal, ReadingChoices, Remark, propose_reading
from dpviz.data.reading.guessing.columns import TableMeaning
from dpviz.studies import Scenario, data_name
from dpviz.web.session import state
from dpviz.web.session.deferred_calls import defer_to_next_run
from dpviz.web.session.slot import SessionValue
from dpviz.web.widgets.controls import bind_control, menu
from dpviz.web.widgets.data_source import (
    ACCEPTED,
    EVENTS,
    ask_items_per_person,
    is_data_origin,
    remembered_data_spec,
    report_data_refusals,
    upload_source_name,
    uploader,
    use_scores,
)
from dpviz.web.widgets.print_header import page_name
from dpviz.web.widgets.show import show_refusals
from dpviz.web.widgets.text import bullets, escape_markdown, html, isolate_bidi, paragraph

_SCORES = "scores"  # the way in of scores, as `EVENTS` is that of a log
_BY_HAND = ", edited by hand"
# characters in a box, which go along with every press: see `server.maxWidgetStateSize`
_TYPED = 1_000_000
_PASTED = "pasted scores"
_CHOOSE, _NAMELESS, _EACH_ROW = (
    "(choose a column)",
    "(no names: item 1, item 2, …)",
    "(each row is another person)",
)
_KINDS = {False: "Scores: one item a row", True: "A log: one event a row"}


@dataclass(frozen=True, kw_only=True)
class ConfirmedUpload:
    """What was agreed on: what it is called, what it is taken for, and all of it."""

    name: str
    meant: TableMeaning
    offer: SpilledValue[Proposal]


@dataclass(frozen=True, kw_only=True)
class EventLog:
    """A log that was agreed on, how it is counted as distinct people per item, and what has to be
    said of that.
    """

    of: ConfirmedUpload
    items: tuple[str, ...] | None = None
    most: int | None = None
    notes: tuple[str, ...] = ()

    def count_with_limit(self, most: int | None) -> CountedLog:
        """Its counts with at most so many items of each person."""
        return self.of.offer.load().counted_log(items=self.items, most=most)

    def scores_with_limit(self, most: int | None) -> Scores:
        """The scores of these."""
        return self.count_with_limit(most).scores

    @property
    def key(self) -> str:
        """What tells it from others in this session."""
        return f"{id(self.of)} {self.of.meant}"


_OFFER: SessionValue[list[Proposal]] = SessionValue("offer", list)
"""What came in and stands to be confirmed, if anything does.

It is changed where it is: of a value that takes the place of another Streamlit keeps both until the
next run.
"""
_AGREED: SessionValue[ConfirmedUpload | None] = SessionValue("agreed", lambda: None)
"""What the last scores that came in were made of."""
_LOG: SessionValue[EventLog | None] = SessionValue("log", lambda: None)
"""The last log that was counted."""
ARRIVED: SessionValue[str] = SessionValue("arrived", str)
"""The page on which the last file came in, until somebody has seen to it."""
_TAKEN_BACK = {
    "items_known": (
        "You said that the names were known beforehand, but those of a log come from it. List the"
        " items that were, or say it again."
    ),
    "sensitivity": "You said another Δ, but in a log one person changes a count by at most 1.",
}
"""What counting a log takes back, and why."""


def current_event_log() -> EventLog | None:
    """The log that the scores of now were counted from; None where they came another way."""
    log = _LOG.value
    return (
        log
        if log is not None
        and is_data_origin(EVENTS)
        and upload_source_name(state.scenario()) == log.of.name
        else None
    )


def recount_event_log(most: int | None) -> Scores | None:
    """The scores of the log at hand, kept to so many items of each person from now on; None where
    there is none.
    """
    log = current_event_log()
    if log is None:
        return None
    counted = log.count_with_limit(most)
    _LOG.put(replace(log, most=most, notes=counted.kept.notes))
    return counted.scores


def show_file_uploader(label: str, key: str) -> None:
    """The control that takes a file, of scores or of events; it is away while what it took stands
    to be confirmed.
    """
    if _standing() is None:
        uploader(label, key, _read, help=ACCEPTED + " It stays in this session's memory.")


def show_upload_control(scenario: Scenario) -> None:
    """The one door for files."""
    show_file_uploader("Drop a file: scores, or a log of who did what", "data_file")


def _read(name: str, content: str | bytes) -> None:
    with report_data_refusals(name[:1].upper() + name[1:] if isinstance(content, str) else name):
        given = propose_reading(name, content)
        _stand(given)
        if isinstance(content, str) and given.is_unambiguous:
            _use()


def show_paste_form(scenario: Scenario) -> None:
    """Text with a score for each item."""
    with st.form("paste", border=False):
        st.text_area(
            "One item a line",
            key="pasted",
            height=140,
            max_chars=_TYPED,
            placeholder="apples, 31\npears, 28\nplums, 28",
            help=(
                "A number a line; or a label and a number, separated by a comma, a semicolon or a"
                f" tab. At most {_TYPED:,} characters; a file may have more."
            ),
        )
        st.form_submit_button("Use these scores", on_click=_read_paste, width="stretch")


def _read_paste() -> None:
    defer_to_next_run(partial(_read, _PASTED, st.session_state["pasted"]))


def _standing() -> Proposal | None:
    return next(iter(_OFFER.value), None)


def _stand(given: Proposal | None) -> None:
    _OFFER.value[:] = [] if given is None else [given]


def has_unconfirmed_upload() -> bool:
    """Whether something that came in stands to be confirmed."""
    return _standing() is not None


def discard_upload() -> None:
    """Let go of what stands to be confirmed."""
    _stand(None)


def show_upload_review(scenario: Scenario, *, width: Literal["stretch"] | int = "stretch") -> None:
    """What came in as it is understood: three rows, every guess that was made, and the press that
    agrees.
    """
    given = _standing()
    if given is None:
        return
    with st.container(key="door", border=True, gap="small", width=width):
        html(
            markup(
                '<p class="dp-how" role="status"><strong>We read {} as</strong></p>',
                isolate_bidi(given.name),
            )
        )
        _rows(given)
        for number, remark in enumerate(given.remarks):
            _guess(number, remark)
        if given.said != ReadingChoices() and given.content is not None:
            look: Any = {"type": "tertiary", "icon": ":material/undo:"}
            st.button(
                "Read it as at first",
                key="as_at_first",
                on_click=_mend,
                args=(dict(vars(ReadingChoices())),),
                **look,
            )
        lacking = given.meant.missing_choice
        if lacking is None:
            between = "by" if given.meant.log else "has"
            bullets(
                markup("{} {} {}", isolate_bidi(item), between, isolate_bidi(other))
                for item, other in given.first_rows()
            )
        else:
            paragraph(f"Choose {lacking} first.", "note")
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Use it so",
                key="agree",
                type="primary",
                disabled=lacking is not None,
                on_click=_agree,
            )
            st.button("Leave it", key="leave_it", on_click=discard_upload, type="tertiary")
        if not scenario.needs_data:
            paragraph(
                markup(
                    "Until then {} stays.",
                    isolate_bidi(upload_source_name(scenario) or data_name(scenario.data)),
                ),
                "note",
            )


def _agree() -> None:
    defer_to_next_run(_use)


def _guess(number: int, remark: Remark) -> None:
    """A guess, and a press for each answer that would mend it."""
    with st.container(gap=None):
        paragraph(isolate_bidi(remark.says), "note")
        with st.container(horizontal=True, gap="small"):
            for place, (mend, said) in enumerate(remark.mends.items()):
                st.button(
                    escape_markdown(mend),
                    key=f"mend_{number}_{place}",
                    on_click=_mend,
                    args=(said,),
                    type="tertiary",
                    icon=":material/swap_horiz:",
                )


def _rows(given: Proposal) -> None:
    """Kind, item, and score or person."""
    log, meant = given.meant.log, given.meant
    st.radio(
        "It is",
        list(_KINDS),
        format_func=_KINDS.__getitem__,
        index=int(log),
        label_visibility="collapsed",
        **bind_control("door_kind", log, lambda log: _change(lambda now: now.with_kind(log=log))),
    )
    columns, item, other = (
        given.table.columns,
        _CHOOSE if log else _NAMELESS,
        _EACH_ROW if log else _CHOOSE,
    )
    for label, key, chosen, none in (
        ("Column of the item", "item", meant.item, item),
        ("Column of the person" if log else "Column of the score", "other", meant.other, other),
    ):
        menu(
            label,
            (none, *columns),
            none if chosen is None else chosen,
            partial(_pick, key, none),
            f"door_{key}",
        )


def _pick(key: str, none: str, name: str) -> None:
    _change(lambda now: now.with_column(**{key: None if name == none else name}))


def _change(to: Any) -> None:
    if (now := _standing()) is not None:
        state.clear_notices()
        _stand(to(now))


def _mend(said: dict[str, Any]) -> None:
    defer_to_next_run(partial(_say, said))


def _say(said: dict[str, Any]) -> None:
    if (now := _standing()) is not None:
        with report_data_refusals(now.name):
            _stand(now.with_choices(**said))


def _use() -> None:
    """What stands there, agreed on: its scores are those of now; where they cannot be made it goes
    on standing.
    """
    given = _standing()
    if given is None:
        return
    with report_data_refusals(given.name):
        agreed = ConfirmedUpload(
            name=given.name, meant=given.meant, offer=SpilledValue(given.without_source())
        )
        used = _count(given, agreed) if given.meant.log else _score(given)
        if used:
            _AGREED.put(agreed)
            ARRIVED.put(page_name())
            _stand(None)


def _score(given: Proposal) -> bool:
    """Show its scores; of those of a log nobody has counted whether a cap that was said holds here,
    which is asked.
    """
    spec, counted = remembered_data_spec(_SCORES), is_data_origin(EVENTS)
    used = use_scores(
        replace(given.scores(), **spec.scores_arguments), spec.items_known, given.name, _SCORES
    )
    if used and counted and spec.contributions is not None:
        most = count_text(spec.contributions, "item")
        state.set_notice(
            "data",
            f"You said that one person counts in at most {most}. Is that so here? A log was kept"
            " to it.",
        )
    return used


def _count(given: Proposal, agreed: ConfirmedUpload) -> bool:
    """Count it, of the items that were listed for the log before."""
    before = _LOG.value
    log = EventLog(
        of=agreed,
        items=None if before is None else before.items,
        most=remembered_data_spec(EVENTS).contributions,
    )
    return _use_log(log, given.counted_log(items=log.items, most=log.most))


def _use_log(log: EventLog, counted: CountedLog) -> bool:
    """Show its counts; what was said of one person stays, but for what counting takes back, which
    is told.
    """
    scores = replace(counted.scores, monotonic=bool(remembered_data_spec(EVENTS).monotonic))
    before, now = (
        state.remembered_answers(),
        {"items_known": counted.kept.items_known, "sensitivity": scores.sensitivity},
    )
    used = use_scores(scores, counted.kept.items_known, log.of.name, EVENTS)
    if used:
        _LOG.put(replace(log, notes=counted.kept.notes))
        if told := [
            why
            for name, why in _TAKEN_BACK.items()
            if before.get(name) and before[name] != now[name]
        ]:
            state.set_notice("data", " ".join(told))
    return used


def show_confirmed_reading(scenario: Scenario) -> None:
    """How the scores of now were read, which can be opened again; and what is asked of a log alone."""
    given = _AGREED.value
    if given is None or has_unconfirmed_upload() or upload_source_name(scenario) != given.name:
        return
    meant = given.meant
    if meant.log:
        people = (
            "each row as another person"
            if meant.other is None
            else markup("people by {}", isolate_bidi(meant.other))
        )
        said = markup("Read as a log: items by {}, {}.", isolate_bidi(meant.item or ""), people)
    else:
        names = (
            "without names"
            if meant.item is None
            else markup("names by {}", isolate_bidi(meant.item))
        )
        said = markup("Read as scores: {}, scores by {}.", names, isolate_bidi(meant.other or ""))
    paragraph(said, "note")
    st.button("Read it differently", key="read_again", on_click=_open_again, width="stretch")
    log = current_event_log()
    if log is not None:
        _ask_of_log(scenario, log)


def _open_again() -> None:
    state.clear_notices()
    given = _AGREED.value
    _stand(None if given is None else given.offer.load())


def _ask_of_log(scenario: Scenario, log: EventLog) -> None:
    """Which items were known beforehand, and how many of each person are kept."""
    known = "" if log.items is None else f": {len(log.items):,}"
    with (
        st.popover("Items known beforehand" + known, width="stretch"),
        st.form("items", border=False),
    ):
        st.text_area("One item a line", key="items_pasted", height=140, max_chars=_TYPED)
        st.file_uploader("Or a text file, one item a line", key="items_file")
        st.form_submit_button("Count these items", on_click=_read_items, width="stretch")
        st.caption(
            "Items that nobody has keep their zero; rows of others are left out. Empty: all that"
            " occur."
        )
    ask_items_per_person(
        "most",
        log.most,
        state.scores(scenario).d,
        lambda most: defer_to_next_run(partial(_recount, most=most)),
    )
    for note in log.notes:
        paragraph(note, "note")


def _read_items() -> None:
    """The list of the file, else of the text; of neither, all items that occur."""
    file, text = st.session_state["items_file"], st.session_state["items_pasted"]
    defer_to_next_run(
        partial(
            _count_items, *(("The list", text) if file is None else (file.name, file.getvalue()))
        )
    )


def _count_items(name: str, content: str | bytes) -> None:
    with state.report_refusals("data"):
        _recount(items=read_items(name, content))


def _recount(**how: Any) -> None:
    """Count the log at hand again, in another way."""
    log = current_event_log()
    if log is not None:
        with state.report_refusals("data"):
            log = replace(log, **how)
            if _use_log(log, log.count_with_limit(log.most)) and "most" in how:
                state.remember_answers(contributions=log.most)


def show_table_editor(scenario: Scenario) -> None:
    """The scores of now as a table to change."""
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit_table(scenario)


@st.dialog("Edit the scores", width="large")
def _edit_table(scenario: Scenario) -> None:
    state.DIALOG.put(True)
    if scenario.needs_data:
        st.write("There are no scores yet.")
        return
    with show_refusals():
        _edit_scores(scenario, state.scores(scenario))


def _edit_scores(scenario: Scenario, before: Scores) -> None:
    frame = editable_frame(before)
    st.caption(
        f"Change, add or delete rows, up to {MAX_EDIT_ROWS:,}; paste a block of cells from a"
        " spreadsheet."
    )
    changed = st.data_editor(
        frame, num_rows="dynamic", hide_index=True, width="stretch", height=420, key="edited_table"
    )
    problem = st.empty()
    if st.button("Use these scores", type="primary"):
        with problem, show_refusals():
            table = read_frame(changed)
            made = scores_from(table, "score", "item")
            scores = replace(before, values=made.values, labels=made.labels)
            name = (upload_source_name(scenario) or data_name(scenario.data)).removesuffix(
                _BY_HAND
            ) + _BY_HAND
            if use_scores(scores, scenario.data.items_known, name):
                st.rerun()

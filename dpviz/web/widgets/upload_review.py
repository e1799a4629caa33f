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
from dpviz.base.spilled_value import Aside
from dpviz.charts import count
from dpviz.data.reading import (
    MAX_EDIT_ROWS,
    CountedLog,
    edit_frame,
    read_frame,
    read_items,
    scores_from,
)
from dpviz.data.reading.guessing import Proposal, Remark, Said, offer
from dpviz.data.reading.guessing.columns import Meant
from dpviz.studies import Scenario, data_name
from dpviz.web.session import state
from dpviz.web.session.deferred import soon
from dpviz.web.session.slot import Slot
from dpviz.web.widgets.controls import bound, menu
from dpviz.web.widgets.data_source import (
    ACCEPTED,
    EVENTS,
    ask_items,
    person_said,
    refusals,
    shown_from,
    taken_by,
    uploader,
    use,
)
from dpviz.web.widgets.print_header import page_name
from dpviz.web.widgets.show import refused_here
from dpviz.web.widgets.text import bidi, bullets, html, paragraph, plain

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
class Agreed:
    """What was agreed on: what it is called, what it is taken for, and all of it."""

    name: str
    meant: Meant
    offer: Aside[Proposal]


@dataclass(frozen=True, kw_only=True)
class EventLog:
    """A log that was agreed on, how it is counted as distinct people per item, and what has to be
    said of that.
    """

    of: Agreed
    items: tuple[str, ...] | None = None
    most: int | None = None
    notes: tuple[str, ...] = ()

    def counted(self, most: int | None) -> CountedLog:
        """Its counts with at most so many items of each person."""
        return self.of.offer.back().counted(items=self.items, most=most)

    def scores(self, most: int | None) -> Scores:
        """The scores of these."""
        return self.counted(most).scores

    @property
    def key(self) -> str:
        """What tells it from others in this session."""
        return f"{id(self.of)} {self.of.meant}"


_OFFER: Slot[list[Proposal]] = Slot("offer", list)
"""What came in and stands to be confirmed, if anything does.

It is changed where it is: of a value that takes the place of another Streamlit keeps both until the
next run.
"""
_AGREED: Slot[Agreed | None] = Slot("agreed", lambda: None)
"""What the last scores that came in were made of."""
_LOG: Slot[EventLog | None] = Slot("log", lambda: None)
"""The last log that was counted."""
ARRIVED: Slot[str] = Slot("arrived", str)
"""The page on which the last file came in, until somebody has seen to it."""
_TAKEN_BACK = {
    "items_known": (
        "You said that the names were known beforehand, but those of a log come from it. List the"
        " items that were, or say it again."
    ),
    "sensitivity": "You said another Δ, but in a log one person changes a count by at most 1.",
}
"""What counting a log takes back, and why."""


def log_at_hand() -> EventLog | None:
    """The log that the scores of now were counted from; None where they came another way."""
    log = _LOG.value
    return (
        log
        if log is not None and taken_by(EVENTS) and shown_from(state.scenario()) == log.of.name
        else None
    )


def count_again(most: int | None) -> Scores | None:
    """The scores of the log at hand, kept to so many items of each person from now on; None where
    there is none.
    """
    log = log_at_hand()
    if log is None:
        return None
    counted = log.counted(most)
    _LOG.put(replace(log, most=most, notes=counted.kept.notes))
    return counted.scores


def any_file(label: str, key: str) -> None:
    """The control that takes a file, of scores or of events; it is away while what it took stands
    to be confirmed.
    """
    if _standing() is None:
        uploader(label, key, _read, help=ACCEPTED + " It stays in this session's memory.")


def upload(scenario: Scenario) -> None:
    """The one door for files."""
    any_file("Drop a file: scores, or a log of who did what", "data_file")


def _read(name: str, content: str | bytes) -> None:
    with refusals(name[:1].upper() + name[1:] if isinstance(content, str) else name):
        given = offer(name, content)
        _stand(given)
        if isinstance(content, str) and given.sure:
            _use()


def pasted(scenario: Scenario) -> None:
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
    soon(partial(_read, _PASTED, st.session_state["pasted"]))


def _standing() -> Proposal | None:
    return next(iter(_OFFER.value), None)


def _stand(given: Proposal | None) -> None:
    _OFFER.value[:] = [] if given is None else [given]


def waits() -> bool:
    """Whether something that came in stands to be confirmed."""
    return _standing() is not None


def drop() -> None:
    """Let go of what stands to be confirmed."""
    _stand(None)


def ask(scenario: Scenario, *, width: Literal["stretch"] | int = "stretch") -> None:
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
                bidi(given.name),
            )
        )
        _rows(given)
        for number, remark in enumerate(given.remarks):
            _guess(number, remark)
        if given.said != Said() and given.content is not None:
            look: Any = {"type": "tertiary", "icon": ":material/undo:"}
            st.button(
                "Read it as at first",
                key="as_at_first",
                on_click=_mend,
                args=(dict(vars(Said())),),
                **look,
            )
        lacking = given.meant.lacking
        if lacking is None:
            between = "by" if given.meant.log else "has"
            bullets(
                markup("{} {} {}", bidi(item), between, bidi(other))
                for item, other in given.first()
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
            st.button("Leave it", key="leave_it", on_click=drop, type="tertiary")
        if not scenario.needs_data:
            paragraph(
                markup(
                    "Until then {} stays.", bidi(shown_from(scenario) or data_name(scenario.data))
                ),
                "note",
            )


def _agree() -> None:
    soon(_use)


def _guess(number: int, remark: Remark) -> None:
    """A guess, and a press for each answer that would mend it."""
    with st.container(gap=None):
        paragraph(bidi(remark.says), "note")
        with st.container(horizontal=True, gap="small"):
            for place, (mend, said) in enumerate(remark.mends.items()):
                st.button(
                    plain(mend),
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
        **bound("door_kind", log, lambda log: _change(lambda now: now.of_kind(log=log))),
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
    _change(lambda now: now.choose(**{key: None if name == none else name}))


def _change(to: Any) -> None:
    if (now := _standing()) is not None:
        state.forget()
        _stand(to(now))


def _mend(said: dict[str, Any]) -> None:
    soon(partial(_say, said))


def _say(said: dict[str, Any]) -> None:
    if (now := _standing()) is not None:
        with refusals(now.name):
            _stand(now.say(**said))


def _use() -> None:
    """What stands there, agreed on: its scores are those of now; where they cannot be made it goes
    on standing.
    """
    given = _standing()
    if given is None:
        return
    with refusals(given.name):
        agreed = Agreed(name=given.name, meant=given.meant, offer=Aside(given.settled()))
        used = _count(given, agreed) if given.meant.log else _score(given)
        if used:
            _AGREED.put(agreed)
            ARRIVED.put(page_name())
            _stand(None)


def _score(given: Proposal) -> bool:
    """Show its scores; of those of a log nobody has counted whether a cap that was said holds here,
    which is asked.
    """
    spec, counted = person_said(_SCORES), taken_by(EVENTS)
    used = use(replace(given.scores(), **spec.person), spec.items_known, given.name, _SCORES)
    if used and counted and spec.contributions is not None:
        most = count(spec.contributions, "item")
        state.tell(
            "data",
            f"You said that one person counts in at most {most}. Is that so here? A log was kept"
            " to it.",
        )
    return used


def _count(given: Proposal, agreed: Agreed) -> bool:
    """Count it, of the items that were listed for the log before."""
    before = _LOG.value
    log = EventLog(
        of=agreed,
        items=None if before is None else before.items,
        most=person_said(EVENTS).contributions,
    )
    return _use_log(log, given.counted(items=log.items, most=log.most))


def _use_log(log: EventLog, counted: CountedLog) -> bool:
    """Show its counts; what was said of one person stays, but for what counting takes back, which
    is told.
    """
    scores = replace(counted.scores, monotonic=bool(person_said(EVENTS).monotonic))
    before, now = (
        state.answers_kept(),
        {"items_known": counted.kept.items_known, "sensitivity": scores.sensitivity},
    )
    used = use(scores, counted.kept.items_known, log.of.name, EVENTS)
    if used:
        _LOG.put(replace(log, notes=counted.kept.notes))
        if told := [
            why
            for name, why in _TAKEN_BACK.items()
            if before.get(name) and before[name] != now[name]
        ]:
            state.tell("data", " ".join(told))
    return used


def agreed(scenario: Scenario) -> None:
    """How the scores of now were read, which can be opened again; and what is asked of a log alone."""
    given = _AGREED.value
    if given is None or waits() or shown_from(scenario) != given.name:
        return
    meant = given.meant
    if meant.log:
        people = (
            "each row as another person"
            if meant.other is None
            else markup("people by {}", bidi(meant.other))
        )
        said = markup("Read as a log: items by {}, {}.", bidi(meant.item or ""), people)
    else:
        names = "without names" if meant.item is None else markup("names by {}", bidi(meant.item))
        said = markup("Read as scores: {}, scores by {}.", names, bidi(meant.other or ""))
    paragraph(said, "note")
    st.button("Read it differently", key="read_again", on_click=_open_again, width="stretch")
    log = log_at_hand()
    if log is not None:
        _ask_of_log(scenario, log)


def _open_again() -> None:
    state.forget()
    given = _AGREED.value
    _stand(None if given is None else given.offer.back())


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
    ask_items(
        "most", log.most, state.scores(scenario).d, lambda most: soon(partial(_recount, most=most))
    )
    for note in log.notes:
        paragraph(note, "note")


def _read_items() -> None:
    """The list of the file, else of the text; of neither, all items that occur."""
    file, text = st.session_state["items_file"], st.session_state["items_pasted"]
    soon(
        partial(
            _count_items, *(("The list", text) if file is None else (file.name, file.getvalue()))
        )
    )


def _count_items(name: str, content: str | bytes) -> None:
    with state.refusals("data"):
        _recount(items=read_items(name, content))


def _recount(**how: Any) -> None:
    """Count the log at hand again, in another way."""
    log = log_at_hand()
    if log is not None:
        with state.refusals("data"):
            log = replace(log, **how)
            if _use_log(log, log.counted(log.most)) and "most" in how:
                state.note_answers(contributions=log.most)


def edited(scenario: Scenario) -> None:
    """The scores of now as a table to change."""
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit_table(scenario)


@st.dialog("Edit the scores", width="large")
def _edit_table(scenario: Scenario) -> None:
    state.DIALOG.put(True)
    if scenario.needs_data:
        st.write("There are no scores yet.")
        return
    with refused_here():
        _edit_scores(scenario, state.scores(scenario))


def _edit_scores(scenario: Scenario, before: Scores) -> None:
    frame = edit_frame(before)
    st.caption(
        f"Change, add or delete rows, up to {MAX_EDIT_ROWS:,}; paste a block of cells from a"
        " spreadsheet."
    )
    changed = st.data_editor(
        frame, num_rows="dynamic", hide_index=True, width="stretch", height=420, key="edited_table"
    )
    problem = st.empty()
    if st.button("Use these scores", type="primary"):
        with problem, refused_here():
            table = read_frame(changed)
            made = scores_from(table, "score", "item")
            scores = replace(before, values=made.values, labels=made.labels)
            name = (shown_from(scenario) or data_name(scenario.data)).removesuffix(
                _BY_HAND
            ) + _BY_HAND
            if use(scores, scenario.data.items_known, name):
                st.rerun()

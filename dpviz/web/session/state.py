"""The session's scenario: the one source that fills every control and that every control edits.

A refused change leaves everything as it was and says why; any other can be undone.
All pages share the settings, data and k once somebody chose data, and ε once somebody chose ε or
data. Until then every page shows an example of its own, as it was left.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import NoneType
from typing import Any

import streamlit as st

from dpviz.base import OPENS_ON, ParameterError, Scores, WorkLost
from dpviz.base.resource_budgets import current_budgets
from dpviz.studies import DataSpec, Scenario
from dpviz.web.server.session_memory import SESSIONS
from dpviz.web.server.streamlit_internals import current_run_context
from dpviz.web.session.link import (
    ANSWERS,
    FIRST_EPSILON,
    answers_in_link,
    scenario_from_link,
)
from dpviz.web.session.slot import SessionValue

_FIRST = Scenario(epsilon=FIRST_EPSILON)

_SCENARIO = "dpviz.scenario"
# scenario that the page shows until somebody chooses data
OPENING: SessionValue[Scenario] = SessionValue("opening", Scenario)
# scenarios that pages showed on their own examples when they were left
_EXAMPLES: SessionValue[dict[tuple[str, str], Scenario]] = SessionValue("own", dict)
_CHOSEN: SessionValue[bool] = SessionValue("chosen", bool)  # True once somebody chose the data
_EPSILON: SessionValue[bool] = SessionValue("epsilon.chosen", bool)  # True once somebody chose ε
# ε on the page before, where this one opened at another that nobody chose
PREVIOUS_PAGE_EPSILON: SessionValue[float | None] = SessionValue("epsilon.elsewhere", NoneType)
_PAGE: SessionValue[str] = SessionValue("begun", str)  # the page that was begun last
# (scenario, data chosen, ε chosen) before each change, the newest last
_BEFORE: SessionValue[list[tuple[Scenario, bool, bool]]] = SessionValue("before", list)
# the scores made last, and their data
_SCORES: SessionValue[tuple[DataSpec, Scores] | None] = SessionValue("scores", NoneType)
_NOTICES: SessionValue[dict[str, str]] = SessionValue("notices", dict)  # by place
# parts of the page that fill as results come, see `widgets.live_parts`
PARTS: SessionValue[list[Any]] = SessionValue("parts", list)
DIALOG: SessionValue[bool] = SessionValue("dialog", bool)  # True while a dialog is open
# query parameters of the link that the session began with
_LINK: SessionValue[dict[str, str]] = SessionValue("link", dict)
_OPENED = "dpviz.opened"  # link and address that the session opened with
_PRESENTER = "dpviz.presenter"
DATA_FROM = "dpviz.data.from"  # the way in that was chosen for scores
_MOST_UNDONE = 50
_LET_GO = (
    "Your file is no longer on the server, as this page was not used for a while. Please choose it"
    " again. Everything else is unchanged."
)
_VIEW, _PRESENTED = "view", "presenter"

# the last answers about one person, by name
_ANSWERS: SessionValue[dict[str, Any]] = SessionValue("answers", dict)


def scenario() -> Scenario:
    """Scenario of this session, with k below the number of items shown."""
    now = scenario_as_chosen()
    if is_data_chosen() or now.needs_data or now.k < (d := scores(now).d):
        return now
    return now.replace(k=d - 1)


def scenario_as_chosen() -> Scenario:
    """Scenario with k as somebody gave it, which an unchosen example may be too small for."""
    if _SCENARIO not in st.session_state:
        open_page_scenario(None)
    now: Scenario = st.session_state[_SCENARIO]
    return now


def open_page_scenario(first_scenario: Scenario | None, page: str = "") -> None:
    """Begin a page that shows `first_scenario` until somebody chooses data; a link takes
    precedence.
    """
    if page != _PAGE.value:
        _PAGE.put(page)
        PREVIOUS_PAGE_EPSILON.put(None)
    first_scenario = first_scenario or _FIRST
    now: Scenario | None = st.session_state.get(_SCENARIO)
    if now is None:
        _LINK.put(dict(st.query_params))
        file = None if st.query_params else os.environ.get(OPENS_ON)  # a link goes before
        _CHOSEN.put(file is not None or "data" in st.query_params)
        opened = (
            _from_link(first_scenario)
            if file is None
            else _fitted(Scenario.from_json(Path(file).read_bytes()))
        )
        st.session_state[_SCENARIO] = opened
        remember_person_answers(**answers_in_link(_LINK.value, opened.data))
        _EPSILON.put("epsilon" in st.query_params)
        if opened.needs_data and SESSIONS.was_ended(_session_before()):
            set_notice("page", _LET_GO)
    elif not is_data_chosen() and _named(first_scenario) != _named(OPENING.value):
        _EXAMPLES.value[_named(OPENING.value)] = now
        example = _EXAMPLES.value.get(_named(first_scenario)) or _from_link(first_scenario)
        epsilon = now.epsilon if _EPSILON.value else example.epsilon
        st.session_state[_SCENARIO] = now.replace(data=example.data, epsilon=epsilon, k=example.k)
        PREVIOUS_PAGE_EPSILON.put(None if epsilon == now.epsilon else now.epsilon)
        _BEFORE.put([])  # those changes were made to an example that is not shown here
    OPENING.put(first_scenario)


def _session_before() -> str:
    """Session that the browser had, which it names as it connects again; "" for none."""
    names = str(st.context.headers.get("sec-websocket-protocol") or "").split(",")
    return names[2].strip() if len(names) > 2 else ""


def is_data_chosen() -> bool:
    """Say if somebody chose the data, which every page then uses."""
    return _CHOSEN.value


def chosen_epsilon() -> float | None:
    """ε that somebody chose, which every page then shows."""
    return scenario_as_chosen().epsilon if _EPSILON.value else None


def is_in_link(name: str) -> bool:
    """Say if the link that began the session names this, such as "data"."""
    return name in _LINK.value


def remember_person_answers(**said: Any) -> None:
    """Keep these answers about one person, which other data do not take back."""
    _ANSWERS.value.update({name: value for name, value in said.items() if name in ANSWERS})


def remembered_person_answers() -> dict[str, Any]:
    """Answers about one person that somebody gave and did not take back."""
    data = scenario_as_chosen().data
    return {name: value for name, value in _ANSWERS.value.items() if getattr(data, name) == value}


def _named(of: Scenario) -> tuple[str, str]:
    return of.data.source, of.data.name


def _from_link(first: Scenario) -> Scenario:
    """`first` with the parts that the link sets, and a notice on those that cannot be read."""
    opened, refused = scenario_from_link(_LINK.value, first, _fitted)
    if refused:
        told = ", ".join(refused)
        set_notice("page", f"Some parts of this link are not valid and were ignored: {told}.")
    return opened


def scores(given_scenario: Scenario | None = None) -> Scores:
    """Scores of the scenario, made once and kept while its data stay the same."""
    given_scenario = scenario() if given_scenario is None else given_scenario
    if given_scenario.scores is not None:
        return given_scenario.scores
    if (made := _SCORES.value) is None or made[0] != given_scenario.data:
        made = (given_scenario.data, given_scenario.load())
        _reserve_memory(made[1])
        _SCORES.put(made)
    return made[1]


def _fitted(new: Scenario, *, other: bool = False) -> Scenario:
    """Scenario with k below the number of items, with a notice; an unchosen example stays."""
    if new.needs_data or not (other or is_data_chosen()):
        return new
    d = scores(new).d
    if new.k < d:
        return new
    set_notice(
        "page",
        f"k was lowered from {new.k:,} to {d - 1:,}, as k must be below the number of items,"
        f" {d:,}.",
    )
    return new.replace(k=d - 1)


def change_scenario(notice_place: str = "page", **changes: Any) -> None:
    """Change parts of the scenario; where that is refused, keep it and say why at the
    `notice_place`.
    """
    clear_notices()
    with report_refusals(notice_place):
        now = scenario_as_chosen()
        new = now.replace(**changes)
        _put(_fitted(new, other=_named(new) != _named(now)))


@contextmanager
def report_refusals(notice_place: str, beginning: str = "", end: str = "") -> Iterator[None]:
    """Turn an error in the block into a notice at the `notice_place`, between `beginning` and
    `end`.
    """
    try:
        yield
        return
    except (ParameterError, WorkLost) as err:
        problem = str(err)
    except MemoryError:
        problem = "The server does not have enough memory for it now."
    clear_notices()
    set_notice(notice_place, f"{beginning}{problem}{end}")


def set_data_chosen() -> None:
    """Count the data on screen as chosen, so that the next page uses them."""
    _CHOSEN.put(True)


def change_without_undo(**changes: Any) -> None:
    """Change parts of the scenario for the page's own needs, with nothing to undo."""
    st.session_state[_SCENARIO] = scenario_as_chosen().replace(**changes)


def _put(new: Scenario) -> None:
    """Store a change that can be undone."""
    now = scenario_as_chosen()
    if new == now:
        return
    if new.scores is not None:
        _reserve_memory(new.scores)
    _BEFORE.put(_remembered([*_BEFORE.value, (now, is_data_chosen(), _EPSILON.value)]))
    st.session_state[_SCENARIO] = new
    _CHOSEN.put(is_data_chosen() or _named(new) != _named(now))
    _EPSILON.put(_EPSILON.value or new.epsilon != now.epsilon)
    PREVIOUS_PAGE_EPSILON.put(None)


def _reserve_memory(new: Scores) -> None:
    """Have the server keep room for these scores and those held already; may raise `WorkLost`."""
    if (run := current_run_context()) is None:
        return
    made = _SCORES.value
    held = [new, None if made is None else made[1], *(each.scores for each, *_ in _BEFORE.value)]
    if (now := st.session_state.get(_SCENARIO)) is not None:
        held.append(now.scores)
    sizes = {id(each): _size(each) for each in held if each is not None}
    SESSIONS.reserve(run.session_id, sum(sizes.values()))


def _size(held: Scores) -> int:
    """Bytes of scores with names, and of what pages compute of each item."""
    return 120 * len(held)  # measured with a million items: 126 MB made here, 71 of a file


def _remembered(before: list[tuple[Scenario, bool, bool]]) -> list[tuple[Scenario, bool, bool]]:
    """Newest states that fit the undo budget; data that several share count once."""
    left, seen = current_budgets().undone, {id(scenario().scores)}
    for number, (each, *_) in enumerate(reversed(before[-_MOST_UNDONE:])):
        if each.scores is not None and id(each.scores) not in seen:
            seen.add(id(each.scores))
            left -= _size(each.scores)
            if left < 0 and number > 0:  # the last change can always be taken back
                return before[len(before) - number :]
    return before[-_MOST_UNDONE:]


def undo() -> None:
    clear_notices()
    if _BEFORE.value:
        st.session_state[_SCENARIO], was_chosen, epsilon_was = _BEFORE.value.pop()
        _CHOSEN.put(was_chosen)
        _EPSILON.put(epsilon_was)
        st.session_state.pop(DATA_FROM, None)


def previous_scenario() -> Scenario | None:
    """Scenario that undo would restore; None where nothing was changed."""
    return _BEFORE.value[-1][0] if _BEFORE.value else None


def replace_scenario(new: Scenario) -> None:
    """Replace the scenario; raises `ParameterError` if its data cannot be made."""
    clear_notices()
    _put(_fitted(new, other=True))
    st.session_state.pop(DATA_FROM, None)


def change_page_parameters(**values: Any) -> None:
    """Set parameters of the page; None removes one."""
    page = {**scenario().page, **values}
    change_scenario(page={name: value for name, value in page.items() if value is not None})


def begin_page_run() -> None:
    """Begin a run of a page: it has no parts yet, and no dialog."""
    PARTS.put([])
    DIALOG.put(False)


def set_notice(notice_place: str, sentence: str) -> None:
    """Show a sentence at a place until the next change."""
    _NOTICES.value[notice_place] = sentence


def notice_text(notice_place: str) -> str | None:
    return _NOTICES.value.get(notice_place)


def clear_notices() -> None:
    _NOTICES.put({})


def link_query() -> dict[str, str]:
    """Query parameters of a link to this page as it is."""
    now = scenario_as_chosen()
    query = now.to_query() | presenter_query()
    of = now.data
    if of.source == "uploaded" and not (of.monotonic or "monotonic" in remembered_person_answers()):
        del query["monotonic"]  # nobody said it: whoever opens the link is asked
    return query


def presenter_query(presenting: bool | None = None) -> dict[str, str]:
    """Query parameter of the presenter view, as it is now unless `presenting` is given."""
    return {_VIEW: _PRESENTED} if (is_presenting() if presenting is None else presenting) else {}


def write_changed_link(*, notes_only: bool = False) -> None:
    """Write the scenario to the address, once it differs from the first; nothing else does."""
    query, address = link_query(), dict(st.query_params)
    # to begin only notes the first
    if st.session_state.setdefault(_OPENED, (query, address)) == (query, address) or notes_only:
        return
    st.session_state[_OPENED] = None
    if address != query:
        st.query_params.from_dict(query)


def is_presenting() -> bool:
    """Say if the presenter view is on; a link may ask for it too."""
    return bool(st.session_state.setdefault(_PRESENTER, st.query_params.get(_VIEW) == _PRESENTED))


def toggle_presenting() -> None:
    st.session_state[_PRESENTER] = not is_presenting()
    st.query_params.pop(_VIEW, None)  # the run that follows writes it

"""The session's scenario: the one source from which every control is filled and which every control
edits.

A control never keeps a value of its own: it is drawn with the scenario's, and its callback changes
the scenario. A change that is not allowed leaves everything as it was and tells why; one that is
made can be taken back. The scenario is read from the link once, when a session starts, and written
to it in one place. What a page carries to the next: its settings always; data and k once somebody
chose data, ε once somebody chose that or data. Until then every page shows an example of its own,
as it was left, at an ε of its own, which is told.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.base import OPENS_ON, ParameterError, Scores
from dpviz.base.resource_budgets import current_budgets
from dpviz.studies import DataSpec, Scenario
from dpviz.studies.scenario import inherited_query
from dpviz.web.session.slot import SessionValue

FIRST_EPSILON = (
    0.2  # on the example: likely enough to be right, far enough from certain to be worth a look
)

_SCENARIO = "dpviz.scenario"
_OPENING: SessionValue[Scenario] = SessionValue(
    "opening", Scenario
)  # what the page shows until somebody chooses data
_EXAMPLES: SessionValue[dict[tuple[str, str], Scenario]] = SessionValue(
    "own", dict
)  # what pages showed of their own examples when they were left
_CHOSEN: SessionValue[bool] = SessionValue("chosen", bool)  # whether somebody chose the data
_EPSILON: SessionValue[bool] = SessionValue("epsilon.chosen", bool)  # whether somebody chose ε
_ELSEWHERE: SessionValue[float | None] = SessionValue(
    "epsilon.elsewhere", lambda: None
)  # ε on the page before, where it was another
_PAGE: SessionValue[str] = SessionValue("begun", str)  # the page that was begun last
_BEFORE: SessionValue[list[tuple[Scenario, bool, bool]]] = SessionValue(
    "before", list
)  # what was there before each change, the last one last
_SCORES: SessionValue[tuple[DataSpec, Scores] | None] = SessionValue(
    "scores", lambda: None
)  # of these data
_NOTICES: SessionValue[dict[str, str]] = SessionValue("notices", dict)  # by place
# parts of the page, that fill as results come, see `work.pending`
PARTS: SessionValue[dict[str, Any]] = SessionValue("parts", dict, passing=True)
DIALOG: SessionValue[bool] = SessionValue(
    "dialog", bool
)  # whether one is open, until the page is run again
_LINK: SessionValue[dict[str, str]] = SessionValue(
    "link", dict
)  # what the link said that the session began with
_OPENED = (  # the link of the scenario that the session opened on, and the address that said so
    "dpviz.opened"
)
_PRESENTER = "dpviz.presenter"
DATA_FROM = "dpviz.data.from"  # the way in that was chosen for scores
_MOST_UNDONE = 50
_VIEW, _PRESENTED = "view", "presenter"

_ANSWERS: SessionValue[dict[str, Any]] = SessionValue(
    "answers", dict
)  # what somebody said last of one person, by name
_OF_A_PERSON = ("monotonic", "sensitivity", "contributions", "items_known", "unit")
_DATA, _PERSON = "the data", "what one person can change"
_PARTS_OF_A_LINK: dict[str, Callable[[str], bool]] = {
    "the version it was made with": "v".__eq__,
    _DATA: lambda key: key == "data" or key.startswith("data."),
    _PERSON: {"sensitivity", "monotonic", "contributions", "items_known"}.__contains__,
    "ε": "epsilon".__eq__,
    "k": "k".__eq__,
    "the seed": "seed".__eq__,
    "the mechanisms": lambda key: key[:1] == "m" and key[1:].isascii() and key[1:].isdigit(),
    "a setting of a page": lambda key: key.startswith("page."),
}


def scenario() -> Scenario:
    """The scenario of this session, with a k that goes with what is shown."""
    now = scenario_as_chosen()
    if is_data_chosen() or now.needs_data or now.k < (d := scores(now).d):
        return now
    return now.replace(k=d - 1)


def scenario_as_chosen() -> Scenario:
    """The same with k as somebody gave it, for which an example that nobody chose may be too small."""
    if _SCENARIO not in st.session_state:
        open_page_scenario(None)
    now: Scenario = st.session_state[_SCENARIO]
    return now


def open_page_scenario(first: Scenario | None, page: str = "") -> None:
    """Begin a page that shows `first` until somebody chooses data; a link goes before."""
    if page != _PAGE.value:
        _PAGE.put(page)
        _ELSEWHERE.put(None)
    first = first or Scenario(epsilon=FIRST_EPSILON)
    now: Scenario | None = st.session_state.get(_SCENARIO)
    if now is None:
        _LINK.put(dict(st.query_params))
        file = None if st.query_params else os.environ.get(OPENS_ON)  # a link goes before
        _CHOSEN.put(file is not None or "data" in st.query_params)
        opened = (
            _from_link(first)
            if file is None
            else _fitted(Scenario.from_json(Path(file).read_bytes()))
        )
        st.session_state[_SCENARIO] = opened
        remember_answers(**_linked_answers(opened.data))
        _EPSILON.put("epsilon" in st.query_params)
    elif not is_data_chosen() and _named(first) != _named(opening_scenario()):
        _EXAMPLES.value[_named(opening_scenario())] = now
        example = _EXAMPLES.value.get(_named(first)) or _from_link(first)
        epsilon = now.epsilon if _EPSILON.value else example.epsilon
        st.session_state[_SCENARIO] = now.replace(data=example.data, epsilon=epsilon, k=example.k)
        _ELSEWHERE.put(None if epsilon == now.epsilon else now.epsilon)
        _BEFORE.put([])  # those changes were made to what is not seen here
    _OPENING.put(first)


def opening_scenario() -> Scenario:
    """What this page shows until somebody chooses data."""
    return _OPENING.value


def is_data_chosen() -> bool:
    """Whether somebody chose the data, which then go along to every page."""
    return _CHOSEN.value


def previous_page_epsilon() -> float | None:
    """ε on the page before, where this one opened at another that nobody chose."""
    return _ELSEWHERE.value


def is_in_link(name: str) -> bool:
    """Whether the link that the session began with names this, such as "data"."""
    return name in _LINK.value


def remember_answers(**said: Any) -> None:
    """Somebody said this of one person, which other data do not take back."""
    _ANSWERS.value.update({name: value for name, value in said.items() if name in _OF_A_PERSON})


def remembered_answers() -> dict[str, Any]:
    """What somebody said of one person and did not take back."""
    data = scenario_as_chosen().data
    return {name: value for name, value in _ANSWERS.value.items() if getattr(data, name) == value}


def _linked_answers(data: DataSpec) -> dict[str, Any]:
    """What the link says of one person that its data do not say themselves."""
    own = DataSpec(source=data.source, name=data.name, parameters=data.parameters)
    said = {name: getattr(data, name) for name in _OF_A_PERSON if is_in_link(name)}
    return {
        name: value
        for name, value in said.items()
        if data.source == "uploaded" or value != getattr(own, name)
    }


def _named(of: Scenario) -> tuple[str, str]:
    return of.data.source, of.data.name


def _from_link(first: Scenario) -> Scenario:
    """What the link says, on top of what the page opens on; data in the link bring none of that
    with them.

    A part of it that cannot be read is left out, and told in the words of the page.
    """
    query = _LINK.value
    if not query:
        return first

    def opened(said: dict[str, str]) -> Scenario:
        below = {"epsilon": repr(FIRST_EPSILON)} | inherited_query(first, said)
        return _fitted(Scenario.from_query(below | said))

    with suppress(ParameterError):  # what is wrong is found out, and told, part by part
        return opened(query)
    scenario, read, refused = first, dict[str, str](), list[str]()
    for name, belongs in _PARTS_OF_A_LINK.items():
        part = {key: value for key, value in query.items() if belongs(key)}
        if part and not (name == _PERSON and _DATA in refused):
            try:
                scenario, read = opened(read | part), read | part
            except ParameterError:
                refused.append(name)
    quoted = [
        f"{name} (“{query[key]:.40}”)"
        for name, key in (("ε", "epsilon"), ("k", "k"))
        if name in refused
    ]
    listed = ", ".join([*quoted, *(name for name in refused if name not in {"ε", "k"})])
    set_notice(
        "page",
        "This link cannot be used in full. Left out, as it is not something that can be set:"
        f" {listed}.",
    )
    return scenario


def scores(of: Scenario | None = None) -> Scores:
    """The scores of the scenario, made once and kept while its data stay the same."""
    of = scenario() if of is None else of
    if of.scores is not None:
        return of.scores
    made = _SCORES.value
    if made is None or made[0] != of.data:
        made = (of.data, of.load())
        _SCORES.put(made)
    return made[1]


def _fitted(new: Scenario, *, other: bool = False) -> Scenario:
    """The scenario with k brought below the number of items, which is then told; an example that
    nobody chose waits.

    `other`: its data are chosen with it.
    """
    if new.needs_data or not (other or is_data_chosen()):
        return new
    d = scores(new).d
    if new.k < d:
        return new
    set_notice(
        "page",
        f"k was lowered from {new.k:,} to {d - 1:,}: there are {d:,} items, and k must stay below"
        " that.",
    )
    return new.replace(k=d - 1)


def change_scenario(where: str = "page", **changes: Any) -> None:
    """Change parts of the scenario; where that is not allowed, keep it and tell why at `where`."""
    clear_notices()
    with report_refusals(where):
        now = scenario_as_chosen()
        new = now.replace(**changes)
        _put(_fitted(new, other=_named(new) != _named(now)))


@contextmanager
def report_refusals(where: str, beginning: str = "", end: str = "") -> Iterator[None]:
    """What is refused within ends the block, and why is told at `where`, in a sentence that begins
    and ends so.
    """
    try:
        yield
    except ParameterError as err:
        clear_notices()
        set_notice(where, f"{beginning}{err}{end}")
    except MemoryError:
        clear_notices()
        set_notice(where, f"{beginning}There is not enough memory on the server for it now.{end}")


def set_data_chosen() -> None:
    """The data that are seen go along to the next page, as if somebody had chosen them."""
    _CHOSEN.put(True)


def change_without_undo(**changes: Any) -> None:
    """Change parts of the scenario as a page needs them: nobody's doing, so nothing to take back."""
    st.session_state[_SCENARIO] = scenario_as_chosen().replace(**changes)


def _put(new: Scenario) -> None:
    """What somebody did: it can be taken back."""
    now = scenario_as_chosen()
    if new == now:
        return
    _BEFORE.put(_remembered([*_BEFORE.value, (now, is_data_chosen(), _EPSILON.value)]))
    st.session_state[_SCENARIO] = new
    _CHOSEN.put(is_data_chosen() or _named(new) != _named(now))
    _EPSILON.put(_EPSILON.value or new.epsilon != now.epsilon)
    _ELSEWHERE.put(None)


def _remembered(before: list[tuple[Scenario, bool, bool]]) -> list[tuple[Scenario, bool, bool]]:
    """The last of these, as many as may be undone: data that several have in common count once."""
    left, seen = current_budgets().undone, {id(scenario().scores)}
    for number, (each, *_) in enumerate(reversed(before[-_MOST_UNDONE:])):
        if each.scores is not None and id(each.scores) not in seen:
            seen.add(id(each.scores))
            left -= each.scores.values.nbytes + 100 * len(each.scores.labels or ())
            if left < 0 and number > 0:  # the last change can always be taken back
                return before[len(before) - number :]
    return before[-_MOST_UNDONE:]


def undo() -> None:
    """Take the last change back."""
    clear_notices()
    if _BEFORE.value:
        st.session_state[_SCENARIO], was_chosen, epsilon_was = _BEFORE.value.pop()
        _CHOSEN.put(was_chosen)
        _EPSILON.put(epsilon_was)
        st.session_state.pop(DATA_FROM, None)


def previous_scenario() -> Scenario | None:
    """What taking the last change back would bring; None where nothing was changed."""
    return _BEFORE.value[-1][0] if _BEFORE.value else None


def replace_scenario(new: Scenario) -> None:
    """Put another scenario in the place of this one; raises `ParameterError` if its data cannot be
    made.
    """
    clear_notices()
    _put(_fitted(new, other=True))
    st.session_state.pop(DATA_FROM, None)


def change_page_parameters(**values: Any) -> None:
    """Set parameters of the page; None takes one out."""
    page = {**scenario().page, **values}
    change_scenario(page={name: value for name, value in page.items() if value is not None})


def begin_run() -> None:
    """Begin a run of a page: it has no parts yet, and no dialog."""
    PARTS.put({})
    DIALOG.put(False)


def set_notice(where: str, sentence: str) -> None:
    """Say something at a place until the next change."""
    _NOTICES.value[where] = sentence


def notice_text(where: str) -> str | None:
    """What is to be said at this place."""
    return _NOTICES.value.get(where)


def clear_notices() -> None:
    """Take back everything that was said."""
    _NOTICES.put({})


def link_query() -> dict[str, str]:
    """The parameters of a link to what is seen."""
    return scenario_as_chosen().to_query() | presenter_query()


def presenter_query(presented: bool | None = None) -> dict[str, str]:
    """What a link says of the presenter view: as it is now, unless `presented` says."""
    return {_VIEW: _PRESENTED} if (is_presenting() if presented is None else presented) else {}


def write_link() -> None:
    """Put the scenario into the address: the only place that does.

    The address that a session was opened with says the same as long as nothing is changed, and is
    left as it is.
    """
    query, address = link_query(), dict(st.query_params)
    if st.session_state.setdefault(_OPENED, (query, address)) == (query, address):
        return
    st.session_state[_OPENED] = None
    if address != query:
        st.query_params.from_dict(query)


def is_presenting() -> bool:
    """Whether the page is shown to a room; a link says so too."""
    return bool(st.session_state.setdefault(_PRESENTER, st.query_params.get(_VIEW) == _PRESENTED))


def toggle_presenting() -> None:
    """Begin or end the presenter view."""
    st.session_state[_PRESENTER] = not is_presenting()

"""The session's scenario: the one source from which every control is filled and which every control edits.

A control never keeps a value of its own: it is drawn with the scenario's, and its callback changes the
scenario. A change that is not allowed leaves everything as it was and tells why.
The scenario is read from the link once, when a session starts, and written to it in one place.
"""

from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.studies.scenario import Scenario

__all__ = [
    "DATA_FROM",
    "Notice",
    "arrived",
    "begin",
    "change",
    "change_page",
    "forget",
    "notice",
    "open_on",
    "parts",
    "scenario",
    "scores",
    "tell",
    "write_link",
]

FIRST_EPSILON = 0.2  # on the example: likely enough to be right, far enough from certain to be worth a look

_SCENARIO = "dpviz.scenario"
_OPENING = "dpviz.opening"  # the scenario a page opened on, as long as nothing is changed
_SCORES = "dpviz.scores"
_NOTICES = "dpviz.notices"
_PARTS = "dpviz.parts"
_PAGE = "dpviz.page"
_ARRIVED = "dpviz.arrived"
DATA_FROM = "dpviz.data.from"  # the way in that was chosen for scores

Notice = tuple[str, str]  # where it is told ("page", "data", …) and the sentence


def scenario() -> Scenario:
    """The scenario of this session."""
    if _SCENARIO not in st.session_state:
        open_on(None)
    now: Scenario = st.session_state[_SCENARIO]
    return now


def open_on(first: Scenario | None) -> None:
    """Begin a page with the scenario it shows best, unless a link says otherwise or something was changed already."""
    first = Scenario(epsilon=FIRST_EPSILON) if first is None else first
    now: Scenario | None = st.session_state.get(_SCENARIO)
    opening: Scenario | None = st.session_state.get(_OPENING)
    if now is None and st.query_params:
        st.session_state[_SCENARIO] = _from_link(first)
    elif now is None:
        st.session_state[_SCENARIO] = st.session_state[_OPENING] = first
    elif opening is not None and opening != first and now.replace(designs=opening.designs) == opening:
        # designs that a page has put there by itself are no change, and stay
        own = now.designs != opening.designs
        st.session_state[_SCENARIO] = first.replace(designs=now.designs) if own else first
        st.session_state[_OPENING] = first


def _from_link(first: Scenario) -> Scenario:
    """What the link says, on top of what the page opens on; data in the link bring none of that with them."""
    query = dict(st.query_params)
    given = {"epsilon": repr(FIRST_EPSILON)} if "data" in query else first.to_query()
    try:
        return _fitted(Scenario.from_query({**given, **query}))
    except ParameterError as err:
        tell("page", f"This link cannot be opened, so the example is shown instead: {err}")
        return first


def scores(of: Scenario | None = None) -> Scores:
    """The scores of the scenario, made once and kept while its data stay the same."""
    of = scenario() if of is None else of
    if of.scores is not None:
        return of.scores
    kept = st.session_state.get(_SCORES)
    if kept is None or kept[0] != of.data:
        kept = (of.data, of.load())
        st.session_state[_SCORES] = kept
    made: Scores = kept[1]
    return made


def _fitted(new: Scenario) -> Scenario:
    """The scenario with k brought below the number of items, which is then told."""
    if new.needs_data:
        return new
    d = scores(new).d
    if new.k < d:
        return new
    tell("page", f"k was lowered from {new.k:,} to {d - 1:,}: there are {d:,} items, and k must stay below that.")
    return new.replace(k=d - 1)


def change(where: str = "page", **changes: Any) -> bool:
    """Change parts of the scenario; where that is not allowed, keep it, tell why at `where`, return False."""
    forget()
    try:
        st.session_state[_SCENARIO] = _fitted(scenario().replace(**changes))
    except ParameterError as err:
        tell(where, str(err))
        return False
    return True


def replace(new: Scenario) -> None:
    """Put another scenario in the place of this one; raises `ParameterError` if its data cannot be made."""
    forget()
    st.session_state[_SCENARIO] = _fitted(new)
    st.session_state.pop(DATA_FROM, None)


def change_page(**values: Any) -> None:
    """Set parameters of the page; None takes one out."""
    page = {**scenario().page, **values}
    change(page={name: value for name, value in page.items() if value is not None})


def parts() -> dict[str, Any]:
    """The parts of the page that fill as results come, see `work.pending`."""
    own: dict[str, Any] = st.session_state.setdefault(_PARTS, {})
    return own


def begin(page: str) -> None:
    """Begin a run of a page: it has no parts yet."""
    st.session_state[_ARRIVED] = st.session_state.get(_PAGE) != page
    st.session_state[_PAGE] = page
    st.session_state[_PARTS] = {}


def arrived() -> bool:
    """Whether this run is the first since the person came to the page."""
    return bool(st.session_state.get(_ARRIVED))


def tell(where: str, sentence: str) -> None:
    """Say something at a place until the next change."""
    st.session_state.setdefault(_NOTICES, {})[where] = sentence


def notice(where: str) -> str | None:
    """What is to be said at this place."""
    sentence: str | None = st.session_state.get(_NOTICES, {}).get(where)
    return sentence


def forget() -> None:
    """Take back everything that was said."""
    st.session_state[_NOTICES] = {}


def write_link() -> None:
    """Put the scenario into the address: the only place that does."""
    query = scenario().to_query()
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)

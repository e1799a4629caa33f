"""The parts of the page on choosing among private candidates, from the sidebar to the views."""

import streamlit as st

from dpviz import charts
from dpviz.candidates import CANDIDATES, CandidateRule
from dpviz.errors import ParameterError
from dpviz.scenario import Scenario
from dpviz.ui import state
from dpviz.ui.candidates import desk, frame, leaks, pools, rules, search, values, views
from dpviz.ui.candidates.pools import Asked
from dpviz.ui.text import plain

__all__ = ["asked", "draw", "rule", "sidebar", "switch", "title", "view"]

title, switch, view = frame.title, frame.switch, frame.current


def sidebar(scenario: Scenario) -> None:
    """The controls that the open view uses."""
    now = frame.current()
    pools.draw(now)
    if now != "percentile":
        rules.draw(now)
    values.told()


def asked() -> Asked:
    """The candidates that are asked for; ends the run where a table must be loaded first."""
    found = pools.asked()
    if found is None:
        st.info(
            "Load a table of runs in the sidebar: a row a run, with the candidate's name and the run's score. Links "
            "never hold such a table, so whoever opens one made with it is asked for the file.",
            icon=":material/upload_file:",
        )
        st.stop()
    return found


def rule() -> CandidateRule:
    """The rule that is chosen; ends the run where its parameters do not do for it."""
    held = str(values.value("rule", rules.FIRST))
    name = held if held in CANDIDATES else rules.FIRST
    try:
        return rules.build(name)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()


def draw(view: str, wanted: Asked, chosen: CandidateRule, look: charts.Look) -> None:
    """The view that is open."""
    if view == "leaks":
        leaks.leaks(look)
    elif view == "percentile":
        search.search(desk.pool(wanted), look)
    else:
        of = desk.chosen(desk.pool(wanted), chosen)
        frame.cards(of)
        {"price": views.prices_view, "stop": views.stops}.get(view, views.outcome)(of, look)
    state.write_link()

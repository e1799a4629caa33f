"""The parts of the page on choosing among private candidates, from the sidebar to the views."""

import streamlit as st

from dpviz import charts
from dpviz.candidates import CandidateRule
from dpviz.errors import ParameterError
from dpviz.scenario import Scenario
from dpviz.ui import state
from dpviz.ui.candidates import desk, frame, leaks, pools, rules, search, values, views
from dpviz.ui.candidates.desk import Chosen
from dpviz.ui.text import plain

__all__ = ["cards", "chosen", "sidebar", "title", "view"]

title, cards = frame.title, frame.cards


def sidebar(scenario: Scenario) -> None:
    """All controls of the page."""
    pools.draw()
    rules.draw()
    values.told()


def chosen() -> Chosen:
    """What the rule does to the pool; ends the run where something is missing or still to come."""
    asked = pools.asked()
    if asked is None:
        st.info(
            "Load a table of runs in the sidebar: a row a run, with the candidate's name and the run's score. Links "
            "never hold such a table, so whoever opens one made with it is asked for the file.",
            icon=":material/upload_file:",
        )
        st.stop()
    return desk.chosen(desk.pool(asked), _rule())


def _rule() -> CandidateRule:
    held = str(values.value("rule", rules.FIRST))
    name = held if held in rules.CANDIDATES else rules.FIRST
    try:
        return rules.build(name)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()


def view(of: Chosen, look: charts.Look) -> None:
    """The switch and the view that is open."""
    name = frame.view()
    if name == "price":
        views.prices_view(of, look)
    elif name == "stop":
        views.stops(of, look)
    elif name == "percentile":
        search.search(of, look)
    elif name == "leaks":
        leaks.leaks(look)
    else:
        views.outcome(of, look)
    state.write_link()

"""The page on choosing among private candidates; read `parameters` first, what the page adds to the scenario.

The sidebar: `pools` (where candidates come from, in `tables` from outside) and `rules` (which rule chooses, and its
limit). `chosen` is what is computed; `head` the title, the figures and the switch between views; `views`, `search` and
`leaks` are the views, `accounting` a part of one, `words` what the ways to choose are called and do.
"""

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.candidates import CandidateRule
from dpviz.studies.scenario import Scenario
from dpviz.ui.candidates import chosen, head, leaks, pools, rules, search, views
from dpviz.ui.candidates.parameters import PAGE, WHERE
from dpviz.ui.candidates.pools import Asked
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import notice
from dpviz.ui.shell.text import plain
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Job

__all__ = ["asked", "describe", "draw", "known", "rule", "sidebar", "stage", "switch", "title", "under_way", "view"]

title, switch, view, stage, describe = head.title, head.switch, head.current, pools.stage, head.describe


def sidebar(scenario: Scenario) -> None:
    """The controls that the open view uses."""
    now = head.current()
    pools.draw(now)
    if now != "percentile":
        rules.draw(now)
    notice(WHERE)


def asked() -> Asked:
    """The candidates that are asked for; ends the run where a table must be loaded first."""
    wanted = pools.asked()
    if wanted is None:
        st.info(
            "Load a table of runs in the sidebar: a row a run, with the candidate's name and the run's score. Links "
            "never hold such a table, so whoever opens one made with it is asked for the file.",
            icon=":material/upload_file:",
        )
        st.stop()
    return wanted


def under_way() -> list[Job]:
    """What is computed of the page: a job after another."""
    return desk().jobs("laws")


def rule() -> CandidateRule:
    """The rule that is chosen; ends the run where its parameters do not do for it."""
    try:
        return rules.build(PAGE.read()[0].rule)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()


def known() -> list[tuple[int, int]]:
    """How much is known: the job that is under way, with the number of its results."""
    return [(id(job), len(job.results)) for job in under_way()]


def draw(view: str, wanted: Asked, picked: CandidateRule, look: charts.Look) -> list[tuple[int, int]]:
    """The view that is open, as far as it is there; how much that was, for it asks for one job after another."""
    try:
        _draw(view, wanted, picked, look)
    except chosen.NotYet:
        return [(id(job), 0) for job in under_way()]
    finally:
        state.write_link()
    return known()


def _draw(view: str, wanted: Asked, picked: CandidateRule, look: charts.Look) -> None:
    if view == "leaks":
        leaks.leaks(look)
    elif view == "percentile":
        search.search(chosen.pool(wanted), look)
    else:
        of = chosen.chosen(chosen.pool(wanted), picked)
        head.cards(of)
        {"price": views.prices_view, "stop": views.stops}.get(view, views.outcome)(of, look)

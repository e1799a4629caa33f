"""The views on the chosen rule: what comes out, what it costs, when to stop."""

import html

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion
from dpviz.candidates import CANDIDATES, CandidateRule
from dpviz.candidates.worth import StopCurve, prices, stop_curve
from dpviz.charts import candidates as drawn
from dpviz.reports.rule_words import LABELS, problem, words
from dpviz.studies.pages.candidates import STOPS, grows_dearer, rule_at_stop, stops_allowed
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.accounting import gaussian
from dpviz.ui.candidates.chosen import Chosen, finished
from dpviz.ui.candidates.pools import price
from dpviz.ui.shell import state
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.show import folded, heading, show, table
from dpviz.ui.shell.text import plain

__all__ = ["outcome", "prices_view", "stops"]


def outcome(of: Chosen, look: charts.Look) -> None:
    """Whose run comes out, how it scores, how many runs that takes."""
    heading("Whose run comes out")
    show(drawn.chosen_bars(of.law, of.means, of.naive.candidate, look=look), "chosen")
    folded(
        "How good it is: the law of the score that comes out, beside a single run's",
        "scores",
        lambda: _scores(of, look),
    )
    folded("How many runs it takes: the law of their number", "runs", lambda: _runs(of, look))
    explain("candidate", "run", "chance", "release")


def _scores(of: Chosen, look: charts.Look) -> None:
    one_run = float(np.mean(of.means))
    show(drawn.score_columns(of.bins, of.worth, one_run, of.quantile, of.share, look=look), "scores")


def _runs(of: Chosen, look: charts.Look) -> None:
    show(drawn.runs_bars(of.law.runs, look=look), "runs")


def prices_view(of: Chosen, look: charts.Look) -> None:
    """Every rule's total beside the naive one's, and what the theorems say."""
    heading("What each way to choose costs, and what that buys")
    ways, left_out = _every_rule()
    epsilon, delta = price()
    key = f"prices {of.made.key} {[way.key for way in ways]} {epsilon!r} {delta!r} {of.share!r}"
    priced = finished(
        key,
        "The table of costs",
        lambda progress: prices(ways, of.made.pool, epsilon, delta, of.share, progress),
    )
    show(drawn.price_bars(priced, LABELS, chosen=of.rule.name, share=of.share, look=look), "prices")
    for sentence in left_out:
        st.warning(plain(sentence), icon=":material/info:")
    heading("What the theorems say")
    rows = []
    for way in priced:
        said = words(way.name)
        note = "" if way.problem is None else f"<br><small>Not here: {html.escape(problem(way.problem))}</small>"
        rows.append(
            f"<tr><td><strong>{LABELS[way.name]}</strong></td><td>{said.does}</td><td>{said.costs}{note}</td>"
            f"<td>{said.source}</td></tr>"
        )
    heads = ("Way", "What it does", "What it costs", "Who says so")
    table("Theorems", [f"<th>{head}</th>" for head in heads], rows, "dp-words")
    gaussian(of.made.pool.size)


def _every_rule() -> tuple[list[CandidateRule], list[str]]:
    """All rules with the page's parameters, and why some are left out."""
    ways, left_out = [], []
    for name in CANDIDATES:
        try:
            ways.append(rules.build(name))
        except ParameterError as err:
            left_out.append(f"{CANDIDATES.label(name)}: {err}")
    return ways, left_out


def stops(of: Chosen, look: charts.Look) -> None:
    """Utility against γ."""
    heading("More runs, better choices")
    stop = rules.stop_of()
    gammas, page = sorted({*STOPS, stop}), state.scenario().page
    at = {name: rule_at_stop(page, name, rules.usual_threshold()) for name in CANDIDATES}
    key = f"stops {of.made.key} {of.share!r} {stop!r} {[make(0.5).key for make in at.values()]}"

    def work(progress: Progress) -> dict[str, StopCurve]:
        curves = {}
        for i, (name, make) in enumerate(at.items()):
            part = portion(progress, i / len(at), (i + 1) / len(at))
            curves[CANDIDATES.label(name)] = stop_curve(make, of.made.pool, of.share, stops_allowed(make, gammas), part)
        return curves

    curves = finished(key, "The curves", work)
    dearer = [CANDIDATES.label(name) for name, make in at.items() if grows_dearer(make, price()[0])]
    show(drawn.stop_curves(curves, "within", stop=stop, share=of.share, dearer=dearer, look=look), "stops_within")
    show(drawn.stop_curves(curves, "score", stop=stop, share=of.share, dearer=dearer, look=look), "stops_score")

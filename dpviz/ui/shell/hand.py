"""What follows ε while it is under the hand: steps that are computed when the hand comes, and shown in the browser.

The slider tells `hand.js` where the hand is. When it comes, the steps of the page at every stop of the slider are asked
for, those first that are near; they are computed beside the page, as work that rests while the page has any, and sent
once. Nothing is computed for whoever does not touch the slider.
"""

import gzip
from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.charts.chart import pooled_script
from dpviz.reports.takeaway import pooled
from dpviz.studies import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.look import look
from dpviz.ui.shell.slider import between
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.style import asset, component
from dpviz.ui.work.desk import desk, kept
from dpviz.ui.work.job import Step
from dpviz.ui.work.pending import part
from dpviz.views import NAMES, page_of
from dpviz.views.common import Hand, Subject, nearest_first

SLIDER = "epsilon_slider"
_KEY = "hand"
_PLACE = 1  # in the line: the page's own parts go before
_PATIENCE = 0.4  # seconds: most steps are there by then
_KEPT = 200  # steps that the session keeps
_OF: Slot[str] = Slot("hand.of", str)  # what steps are made of


def stops(page: str, of: Subject) -> list[float] | None:
    """The slider's stops: where something happens on these data; None for a page that does not say."""
    hand = _hand(page)
    return None if hand is None else between(*hand.reach(of), of.scenario.epsilon)


def mark(page: str, of: Subject) -> str:
    """What tells the steps of this page from others: all that they are about but ε."""
    shown = look()
    query = urlencode(of.scenario.replace(epsilon=1.0, seed=0).to_query())
    about = f"{page} {query} {of.known.digest} {shown.name} {shown.scale}"
    return sha256(about.encode()).hexdigest()[:16]


def follow(page: str, of: Subject) -> None:
    """Have the page follow the slider; for one that does not say how there is nothing."""
    hand = _hand(page)
    if hand is None:
        return
    of_what, values = mark(page, of), between(*hand.reach(of), of.scenario.epsilon)
    if _OF.value != of_what:
        for job in desk().jobs(_KEY):
            job.cancel()
        _OF.put(of_what)
    make = partial(_step, hand, of)
    with st.container(key="hand_steps"):
        part(_KEY, partial(_carry, of_what, values, of.scenario.epsilon, make), bool)


def _hand(page: str) -> Hand | None:
    return page_of(page).hand if page in NAMES else None


def _carry(of_what: str, values: list[float], value: float, make: Any) -> None:
    """Take the steps that were asked for to the browser, as far as they have come."""
    asked = (st.session_state.get(_KEY) or {}).get("ask")
    data: dict[str, Any] = {"mark": of_what, "slider": SLIDER, "at": text_of(value), "texts": [*map(text_of, values)]}
    if isinstance(asked, Mapping) and asked.get("mark") == of_what:
        has = asked.get("has")
        new, whole = _come(of_what, values, value, make, set(map(str, has)) if isinstance(has, list) else set())
        shown = look()
        content = {"steps": new, "template": shown.template, "paper": shown.paper}
        data |= {"whole": whole, "packed": b64encode(gzip.compress(pooled(content).encode(), 1)).decode("ascii")}
    script = asset("at_once.js") + pooled_script() + asset("hand.js")
    component("dpviz_hand", script, data=data, key=_KEY, on_ask_change=lambda: None)


def _come(of_what: str, values: list[float], value: float, make: Any, has: set[str]) -> tuple[dict[str, Any], bool]:
    """The steps that have come and are not had, and whether these are all."""
    keep, shown = kept("hand steps", _KEPT).once, look()

    def once(at: float) -> Step:
        return lambda progress, done: keep(f"{of_what} {at!r}", lambda: make(at, shown, progress))

    def work() -> dict[str, Step]:
        return {text_of(at): once(at) for at in nearest_first(values, value)}

    key = f"{of_what} {values[0]!r} {values[-1]!r} {value!r}"
    (job,) = desk().ask(_KEY, [(key, work)], place=_PLACE, patience=_PATIENCE)
    job.look()
    return {text: step for text, step in dict(job.results).items() if text not in has}, job.finished


def _step(hand: Hand, of: Subject, epsilon: float, shown: Any, progress: Any) -> dict[str, Any]:
    return hand.step(of, epsilon, shown, progress).data


def text_of(value: float) -> str:
    """A stop as it is read."""
    return f"{value:.10g}"


def subject(scenario: Scenario) -> Subject | None:
    """What a page is about; None where it waits for data."""
    return None if scenario.needs_data else Subject(scenario, state.scores(scenario))

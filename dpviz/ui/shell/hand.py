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

from dpviz.reports.takeaway import pooled
from dpviz.studies import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.look import look
from dpviz.ui.shell.slider import between
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.style import called, component
from dpviz.ui.work.desk import desk, kept
from dpviz.ui.work.job import Step
from dpviz.ui.work.pending import part
from dpviz.views import NAMES, page_of
from dpviz.views.common import Asked, Hand, Subject, nearest_first

SLIDER = "epsilon_slider"
_KEY = "hand"
_PLACE = 1  # in the line: the page's own parts go before
_PATIENCE = 0.4  # seconds: most steps are there by then
_KEPT = 200  # steps that the session keeps
_ENDS_KEPT = 16  # and where something happens, for so many pages as they were
_OF: Slot[str] = Slot("hand.of", str)  # what steps are made of


def stops(page: str, of: Subject) -> list[float] | None:
    """The slider's stops: where something happens on these data; None for a page that does not follow."""
    view = page_of(page) if page in NAMES else None
    if view is None or view.hand is None or view.among(of.scenario):
        return None
    ends: tuple[float, float] | None = kept("reaches", _ENDS_KEPT).once(mark(page, of), partial(view.hand.reach, of))
    return None if ends is None else between(*ends, of.scenario.epsilon)


def mark(page: str, of: Subject) -> str:
    """What tells the steps of this page from others: all that they are about but ε."""
    shown, hand = look(), page_of(page).hand
    seed = of.scenario.seed if hand is not None and hand.seeded else 0
    query = urlencode(of.scenario.replace(epsilon=1.0, seed=seed).to_query())
    about = f"{page} {query} {of.known.digest} {shown.name} {shown.scale}"
    return sha256(about.encode()).hexdigest()[:16]


def follow(page: str, of: Subject) -> None:
    """Have the page follow the slider, where it does."""
    values = stops(page, of)
    hand = page_of(page).hand if page in NAMES else None
    if hand is None or values is None:
        return
    of_what = mark(page, of)
    if _OF.value != of_what:
        for job in desk().jobs(_KEY):
            job.cancel()
        _OF.put(of_what)
    part(_KEY, partial(_carry, hand, of, of_what, values), bool)


def _carry(hand: Hand, of: Subject, of_what: str, values: list[float]) -> None:
    """Take the steps that were asked for to the browser, as far as they have come."""
    asked = (st.session_state.get(_KEY) or {}).get("ask")
    data: dict[str, Any] = {"mark": of_what, "slider": SLIDER, "texts": [*map(text_of, values)]}
    data["at"] = text_of(of.scenario.epsilon)
    if isinstance(asked, Mapping) and asked.get("mark") == of_what:
        come, whole = _come(hand, of, of_what, values)
        has = asked.get("has")
        new = {text: step for text, step in come.items() if not isinstance(has, list) or text not in has}
        content = {"steps": new, "template": look().template, "paper": look().paper}
        data |= {"whole": whole, "packed": b64encode(gzip.compress(pooled(content).encode(), 1)).decode("ascii")}
    component("dpviz_hand", called("dpvizFollow"), data=data, key=_KEY, on_ask_change=lambda: None)


def _come(hand: Hand, of: Subject, of_what: str, values: list[float]) -> tuple[dict[str, Any], bool]:
    """The steps that have come, and whether these are all; none before what the page computes for them is there."""
    uses = [desk().computed(study) for study in hand.uses(of)]
    if not all(study is not None for study in uses):
        return {}, False
    keep, shown, value = kept("hand steps", _KEPT).once, look(), of.scenario.epsilon

    def once(at: float) -> Step:
        return lambda progress, done: keep(
            f"{of_what} {at!r}", lambda: hand.step(of, at, Asked(shown, progress, uses)).data
        )

    def work() -> dict[str, Step]:
        return {text_of(at): once(at) for at in nearest_first(values, value)}

    key = f"{of_what} {values[0]!r} {values[-1]!r} {value!r}"
    (job,) = desk().ask(_KEY, [(key, work)], place=_PLACE, patience=_PATIENCE)
    job.look()
    return dict(job.results), job.finished


def text_of(value: float) -> str:
    """A stop as it is read."""
    return f"{value:.10g}"


def subject(scenario: Scenario) -> Subject | None:
    """What a page is about; None where it waits for data."""
    return None if scenario.needs_data else Subject(scenario, state.scores(scenario))

"""What follows ε while it is under the hand: steps that are computed when the hand comes, and shown
in the browser.

The slider tells `slider_preview.js` where the hand is. When it comes, the steps of the page at every stop of
the slider are asked for, those first that are near; they are computed beside the page, as work that
rests while the page has any, and sent once. Nothing is computed for whoever does not touch the
slider.
"""

import gzip
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.export.takeaway import pooled
from dpviz.pages import NAMES, page_of
from dpviz.pages.common import Asked, Hand, PageStep, Subject, nearest_first
from dpviz.studies import Scenario, Study
from dpviz.studies.mechanism_studies import ScenarioStudy
from dpviz.web.jobs.job import WorkStep
from dpviz.web.jobs.job_queue import desk, kept
from dpviz.web.session import state
from dpviz.web.session.chart_theme import look
from dpviz.web.session.slot import Slot
from dpviz.web.widgets.live_parts import part
from dpviz.web.widgets.slider import between
from dpviz.web.widgets.style import called, component
from dpviz.web.widgets.text import text_of

_KEY = "hand"
_PLACE = 1  # in the line: the page's own parts go before
_PATIENCE = 0.4  # seconds: most steps are there by then
_KEPT = 200  # steps that the session keeps
_ENDS_KEPT = 16  # and where something happens, for so many pages as they were
_OF: Slot[str] = Slot("hand.of", str)  # what steps are made of


@dataclass(frozen=True, kw_only=True)
class Followed:
    """A slider by its key, at `value`, and the step of each of its stops `values`, which are
    `shown` so.

    `mark` tells the steps from those of others; `uses` are studies that steps read and the page
    computes.
    """

    slider: str
    mark: str
    values: Sequence[float]
    value: float
    step: Callable[[float, Asked], PageStep]
    uses: Sequence[Study] = ()
    shown: Callable[[float], str] = text_of


def stops(page: str, of: Subject) -> list[float] | None:
    """The slider's stops: where something happens on these data; None for a page that does not
    follow.
    """
    hand = _hand(page, of)
    if hand is None:
        return None
    ends: tuple[float, float] | None = kept("reaches", _ENDS_KEPT).once(
        mark(page, of), partial(hand.reach, of)
    )
    return None if ends is None else between(*ends, hand.value(of), few=hand.dear)


def _hand(page: str, of: Subject) -> Hand | None:
    """How this page follows, where it does: not on so much that each step would take a process of
    its own.
    """
    view = page_of(page) if page in NAMES else None
    if view is None or (
        view.among(of.scenario) and of.scores is not None
    ):  # it is about others than these
        return None
    if of.scores is not None and ScenarioStudy(scenario=of.scenario, scores=of.scores).large:
        return view.hand if view.hand is not None and view.hand.quick(of) else None
    return view.hand


def mark(page: str, of: Subject) -> str:
    """What tells the steps of this page from others: all that they are about but ε."""
    hand = _hand(page, of)
    if hand is None:
        return ""
    at_one = hand.at(of, 1.0)
    query = urlencode(at_one.replace(seed=at_one.seed if hand.seeded else 0).to_query())
    data = of.known.digest if of.scores is not None else "" if of.table is None else of.table.key
    return marked(page, query, data)


def marked(*about: object) -> str:
    """What tells steps about all this from others, as they look now."""
    shown = look()
    return sha256(f"{' '.join(map(str, about))} {shown.name} {shown.scale}".encode()).hexdigest()[
        :16
    ]


def follow(page: str, of: Subject) -> None:
    """Have the page follow its budget, where it does."""
    hand, values = _hand(page, of), stops(page, of)
    if hand is None or values is None:
        return
    follow_slider(
        Followed(
            slider=f"{hand.moves}_slider",
            mark=mark(page, of),
            values=values,
            value=hand.value(of),
            step=partial(hand.step, of),
            uses=hand.uses(of),
        )
    )


def follow_slider(of: Followed) -> None:
    """Have what is below follow this slider."""
    if _OF.value != of.mark:
        for job in desk().jobs(_KEY):
            job.cancel()
        _OF.put(of.mark)
    part(_KEY, partial(_carry, of), bool)


def _carry(of: Followed) -> None:
    """Take the steps that were asked for to the browser, as far as they have come."""
    asked = (st.session_state.get(_KEY) or {}).get("ask")
    data: dict[str, Any] = {
        "mark": of.mark,
        "slider": of.slider,
        "texts": [*map(of.shown, of.values)],
    }
    data["at"] = of.shown(of.value)
    if isinstance(asked, Mapping) and asked.get("mark") == of.mark:
        come, whole = _come(of)
        has = asked.get("has")
        new = {
            text: step
            for text, step in come.items()
            if not isinstance(has, list) or text not in has
        }
        content = {"steps": new, "template": look().template, "paper": look().paper}
        data |= {
            "whole": whole,
            "packed": b64encode(gzip.compress(pooled(content).encode(), 1)).decode("ascii"),
        }
    component("dpviz_hand", called("dpvizFollow"), data=data, key=_KEY, on_ask_change=lambda: None)


def _come(of: Followed) -> tuple[dict[str, Any], bool]:
    """The steps that have come, and whether these are all; none before what the page computes for
    them is there.
    """
    uses = [desk().computed(study) for study in of.uses]
    if not all(study is not None for study in uses):
        return {}, False
    keep, shown = kept("hand steps", _KEPT).once, look()

    def once(at: float) -> WorkStep:
        return lambda progress, done: keep(
            f"{of.mark} {at!r}", lambda: of.step(at, Asked(shown, progress, uses)).data
        )

    def work() -> dict[str, WorkStep]:
        return {of.shown(at): once(at) for at in nearest_first(of.values, of.value)}

    key = f"{of.mark} {of.values[0]!r} {of.values[-1]!r} {of.value!r}"
    (job,) = desk().ask(_KEY, [(key, work)], place=_PLACE, patience=_PATIENCE)
    job.look()
    return dict(job.results), job.finished


def subject(scenario: Scenario) -> Subject | None:
    """What a page is about; None where it waits for data."""
    return None if scenario.needs_data else Subject(scenario, state.scores(scenario))

"""Previews of a page while a slider moves: computed once it is touched, shown by the browser.

`slider_preview.js` reports the first touch. Then the page at every stop is computed, nearest stops
first, as work that rests while the page has any, and sent once.
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

from dpviz.export.takeaway import pooled_json
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PagePreview, PageSubject, PreviewRequest, PreviewSpec, nearest_first
from dpviz.studies import Study
from dpviz.studies.mechanism_studies import ScenarioStudy
from dpviz.web.jobs import WorkStep, session_cache, session_job_queue
from dpviz.web.session import SessionValue, current_look
from dpviz.web.widgets.live_parts import show_live_part
from dpviz.web.widgets.slider import slider_stops
from dpviz.web.widgets.style import component, shared_script_call
from dpviz.web.widgets.text import budget_text

_KEY = "hand"
_PLACE = 1  # in the line: the page's own parts go before
_PATIENCE = 0.4  # seconds: most steps are there by then
_KEPT = 200  # steps that the session keeps
_ENDS_KEPT = 16  # and where something happens, for so many pages as they were
_OF: SessionValue[str] = SessionValue("hand.of", str)  # what steps are made of


@dataclass(frozen=True, kw_only=True)
class PreviewedSlider:
    """A slider at `value`, and the preview step of each of its stops `values`, with their text
    `shown`.

    `mark` identifies the steps; `uses` are studies of the page that the steps read.
    """

    slider: str
    mark: str
    values: Sequence[float]
    value: float
    step: Callable[[float, PreviewRequest], PagePreview]
    uses: Sequence[Study] = ()
    shown: Callable[[float], str] = budget_text


def page_slider_stops(page: str, of: PageSubject) -> list[float] | None:
    """Stops of the slider, over the range that matters; None for a page without previews."""
    if (hand := _hand(page, of)) is None:
        return None
    ends: tuple[float, float] | None = session_cache("reaches", _ENDS_KEPT).get_or_make(
        page_preview_key(page, of), partial(hand.reach, of)
    )
    return None if ends is None else slider_stops(*ends, hand.value(of), few=hand.dear)


def _hand(page: str, of: PageSubject) -> PreviewSpec | None:
    """Preview of this page; None where each step would need a process of its own."""
    view = load_page_view(page) if page in NAMES else None
    if view is None or view.hand is None or of.scores is None:
        return None if view is None else view.hand
    if view.among(of.scenario):  # the page is not about these scores
        return None
    large = ScenarioStudy(scenario=of.scenario, scores=of.scores).is_large_study
    return view.hand if not large or view.hand.quick(of) else None


def page_preview_key(page: str, of: PageSubject) -> str:
    """Key of this page's previews: everything they depend on but ε."""
    if (hand := _hand(page, of)) is None:
        return ""
    at_one = hand.at(of, 1.0)
    return hash_preview_key(
        page,
        urlencode(at_one.replace(seed=at_one.seed if hand.seeded else 0).to_query()),
        of.loaded_scores.digest
        if of.scores is not None
        else ""
        if of.table is None
        else of.table.key,
    )


def hash_preview_key(*about: object) -> str:
    """Key of previews that depend on all this and on the chart theme."""
    shown = current_look()
    return sha256(f"{' '.join(map(str, about))} {shown.name} {shown.scale}".encode()).hexdigest()[
        :16
    ]


def enable_budget_preview(page: str, of: PageSubject) -> None:
    """Preview the page's budget, where it can."""
    hand, values = _hand(page, of), page_slider_stops(page, of)
    if hand is None or values is None:
        return
    enable_slider_preview(
        PreviewedSlider(
            slider=f"{hand.moves}_slider",
            mark=page_preview_key(page, of),
            values=values,
            value=hand.value(of),
            step=partial(hand.step, of),
            uses=hand.uses(of),
        )
    )


def enable_slider_preview(of: PreviewedSlider) -> None:
    """Preview everything below with this slider."""
    if _OF.value != of.mark:
        for job in session_job_queue().jobs(_KEY):
            job.cancel()
        _OF.put(of.mark)
    show_live_part(_KEY, partial(_carry, of), bool)


def _carry(of: PreviewedSlider) -> None:
    """Send the steps that were asked for, as far as they have come."""
    asked = (st.session_state.get(_KEY) or {}).get("ask")
    data: dict[str, Any] = {
        "mark": of.mark,
        "slider": of.slider,
        "texts": [*map(of.shown, of.values)],
        "at": of.shown(of.value),
    }
    if isinstance(asked, Mapping) and asked.get("mark") == of.mark:
        come, whole = _come(of)
        has = asked.get("has")
        content = {
            "steps": {
                text: step
                for text, step in come.items()
                if not isinstance(has, list) or text not in has
            },
            "template": current_look().template,
            "paper": current_look().paper,
        }
        data |= {
            "whole": whole,
            "packed": b64encode(gzip.compress(pooled_json(content).encode(), 1)).decode("ascii"),
        }
    component(
        "dpviz_hand",
        shared_script_call("dpvizFollow"),
        data=data,
        key=_KEY,
        on_ask_change=lambda: None,
    )


def _come(of: PreviewedSlider) -> tuple[dict[str, Any], bool]:
    """Steps so far, and if they are all; none before the studies that they use."""
    uses = [session_job_queue().finished_study(study) for study in of.uses]
    if not all(study is not None for study in uses):
        return {}, False
    keep, shown = session_cache("hand steps", _KEPT).get_or_make, current_look()

    def once(at: float) -> WorkStep:
        return lambda progress, done: keep(
            f"{of.mark} {at!r}",
            lambda: of.step(at, PreviewRequest(shown, progress, uses)).browser_data,
        )

    def work() -> dict[str, WorkStep]:
        return {of.shown(at): once(at) for at in nearest_first(of.values, of.value)}

    key = f"{of.mark} {of.values[0]!r} {of.values[-1]!r} {of.value!r}"
    (job,) = session_job_queue().request_jobs(_KEY, [(key, work)], place=_PLACE, patience=_PATIENCE)
    job.count_results()
    return dict(job.results), job.finished

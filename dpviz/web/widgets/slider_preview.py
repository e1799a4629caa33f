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

from dpviz.export.takeaway import pooled_json
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PagePreview, PageSubject, PreviewRequest, PreviewSpec, nearest_first
from dpviz.studies import Scenario, Study
from dpviz.studies.mechanism_studies import ScenarioStudy
from dpviz.web.jobs.job import WorkStep
from dpviz.web.jobs.job_queue import session_cache, session_job_queue
from dpviz.web.session import state
from dpviz.web.session.chart_theme import current_look
from dpviz.web.session.slot import SessionValue
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
    """A slider by its key, at `value`, and the step of each of its stops `values`, which are
    `shown` so.

    `page_preview_key` tells the steps from those of others; `uses` are studies that steps read and the page
    computes.
    """

    slider: str
    mark: str
    values: Sequence[float]
    value: float
    step: Callable[[float, PreviewRequest], PagePreview]
    uses: Sequence[Study] = ()
    shown: Callable[[float], str] = budget_text


def page_slider_stops(page: str, of: PageSubject) -> list[float] | None:
    """The slider's stops: where something happens on these data; None for a page that does not
    follow.
    """
    hand = _hand(page, of)
    if hand is None:
        return None
    ends: tuple[float, float] | None = session_cache("reaches", _ENDS_KEPT).get_or_make(
        page_preview_key(page, of), partial(hand.preview_range, of)
    )
    return None if ends is None else slider_stops(*ends, hand.current_value(of), few=hand.is_costly)


def _hand(page: str, of: PageSubject) -> PreviewSpec | None:
    """How this page follows, where it does: not on so much that each step would take a process of
    its own.
    """
    view = load_page_view(page) if page in NAMES else None
    if view is None or (
        view.uses_candidates(of.scenario) and of.scores is not None
    ):  # it is about others than these
        return None
    if (
        of.scores is not None
        and ScenarioStudy(scenario=of.scenario, scores=of.scores).is_large_study
    ):
        return (
            view.preview
            if view.preview is not None and view.preview.has_quick_preview(of)
            else None
        )
    return view.preview


def page_preview_key(page: str, of: PageSubject) -> str:
    """What tells the steps of this page from others: all that they are about but ε."""
    hand = _hand(page, of)
    if hand is None:
        return ""
    at_one = hand.scenario_at_value(of, 1.0)
    query = urlencode(at_one.replace(seed=at_one.seed if hand.seeded else 0).to_query())
    data = (
        of.loaded_scores.digest
        if of.scores is not None
        else ""
        if of.table is None
        else of.table.key
    )
    return hash_preview_key(page, query, data)


def hash_preview_key(*about: object) -> str:
    """What tells steps about all this from others, as they look now."""
    shown = current_look()
    return sha256(f"{' '.join(map(str, about))} {shown.name} {shown.scale}".encode()).hexdigest()[
        :16
    ]


def enable_budget_preview(page: str, of: PageSubject) -> None:
    """Have the page follow its budget, where it does."""
    hand, values = _hand(page, of), page_slider_stops(page, of)
    if hand is None or values is None:
        return
    enable_slider_preview(
        PreviewedSlider(
            slider=f"{hand.parameter_name}_slider",
            mark=page_preview_key(page, of),
            values=values,
            value=hand.current_value(of),
            step=partial(hand.build_preview, of),
            uses=hand.reused_studies(of),
        )
    )


def enable_slider_preview(of: PreviewedSlider) -> None:
    """Have what is below follow this slider."""
    if _OF.value != of.mark:
        for job in session_job_queue().jobs(_KEY):
            job.cancel()
        _OF.put(of.mark)
    show_live_part(_KEY, partial(_carry, of), bool)


def _carry(of: PreviewedSlider) -> None:
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
        content = {"steps": new, "template": current_look().template, "paper": current_look().paper}
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
    """The steps that have come, and whether these are all; none before what the page computes for
    them is there.
    """
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


def page_subject(scenario: Scenario) -> PageSubject | None:
    """What a page is about; None where it waits for data."""
    return None if scenario.needs_data else PageSubject(scenario, state.scores(scenario))

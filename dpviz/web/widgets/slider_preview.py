"""The app's own slider over stops, and previews of a page while it moves.

The page at every stop is computed, those nearest to the hand first, and sent once.
"""

import gzip
import math
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import Progress, Scores
from dpviz.export.takeaway import json_with_shared_parts
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PagePreview, PageSubject, PageView, PreviewRequest
from dpviz.studies import Study
from dpviz.studies.mechanism_studies import ScenarioStudy
from dpviz.web.jobs import Done, WorkStep, session_cache, session_job_queue
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue
from dpviz.web.widgets.elements import budget_text, component, current_look, shared_script_call
from dpviz.web.widgets.live_parts import show_in_fragment

# fmt: off
_MANTISSAS = (
    1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8,
    3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0,
)
# fmt: on
_FEW = 3  # so many fewer, where each step is dear
# number of the last message of each slider
_HEARD: SessionValue[dict[str, str]] = SessionValue("slider.heard", dict)


def slider_stops(low: float, high: float, value: float, *, coarse: bool = False) -> list[float]:
    """Twenty stops a power of ten from `low` to `high`, and `value`; seven where `coarse`.

    >>> slider_stops(0.9, 1.2, 0.85)
    [0.85, 0.9, 1.0, 1.1, 1.2]
    """
    low, high = min(low, value), max(high, value)
    mantissas = _MANTISSAS[::_FEW] if coarse else _MANTISSAS
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = {float(f"{m}e{e}") for e in decades for m in mantissas}
    return sorted({step for step in steps if low <= step <= high} | {value})


def slider(
    key: str,
    label: str,
    stops: Sequence[float],
    value: float,
    on_let_go: Callable[[float], object],
    *,
    format_value: Callable[[float], str] = "{:.10g}".format,
    end_labels: tuple[str, str] | tuple[()] = (),
    help: str = "",
    preview_key: str = "",
    shows_value: bool = False,  # without a box: it shows its value
) -> None:
    """A slider at `value`, one of the rising `stops`; `on_let_go` gets the stop where it is
    released.
    """

    def heard() -> None:
        told = (st.session_state.get(key) or {}).get("told")
        if not isinstance(told, dict) or not isinstance(told.get("value"), int | float):
            return
        _HEARD.value[key] = str(told.get("number"))
        if math.isfinite(told["value"]):
            on_let_go(float(told["value"]))

    component(
        "dpviz_slider",
        shared_script_call("dpvizSlider"),
        body_html=read_asset("slider.html"),
        css=read_asset("slider.css"),
        data={
            "name": key,
            "label": label,
            "stops": list(stops),
            "texts": [format_value(stop) for stop in stops],
            "value": value,
            "ends": list(end_labels),
            "help": help,
            "mark": preview_key,
            "alone": shows_value,
            "heard": _HEARD.value.get(key),
        },
        key=key,
        on_told_change=heard,
    )


_KEY = "hand"
_PLACE = -1  # in the line: somebody is waiting with a finger on the slider
_PATIENCE = 0.4  # seconds: most steps are there by then
_FIRST_PATIENCE = 0.1  # and the nearest, which is sent first
_KEPT = 200  # steps that the session keeps
_ENDS_KEPT = 16  # and where something happens, for so many pages as they were
_OF: SessionValue[str] = SessionValue("hand.of", str)  # what steps are made of
_AT: SessionValue[list[float]] = SessionValue("hand.at", list)  # the stop under the hand


@dataclass(frozen=True, kw_only=True)
class PreviewedSlider:
    """A slider with the preview `step` of each stop; `uses` are studies that the steps read.

    `note` says why it ends where it does.
    """

    slider: str
    mark: str
    values: Sequence[float]
    value: float
    step: Callable[[float, PreviewRequest], PagePreview]
    uses: Sequence[Study] = ()
    shown: Callable[[float], str] = budget_text
    note: str = ""


def previewed_page_slider(page: str, subject: PageSubject) -> PreviewedSlider | None:
    """Slider of the page's budget over the range that matters; None where it has no previews."""
    if page not in NAMES:
        return None
    view = load_page_view(page)
    if (
        view.preview_range is None
        or view.build_slider_preview is None
        or (subject.scores is not None and not _follows_scores(view, subject, subject.scores))
    ):
        return None
    at_one = view.scenario_at_value(subject, 1.0)
    query = at_one.replace(seed=at_one.seed if view.seeded else 0).to_query()
    data_key = "" if subject.scores is None else subject.scores.digest
    if subject.table is not None:
        data_key = subject.table.key
    mark = hash_preview_key(page, urlencode(query), data_key)
    ends: tuple[float, float] | None = session_cache("reaches", _ENDS_KEPT).get_or_make(
        mark, view.preview_range, subject
    )
    if ends is None:
        return None
    value = view.current_value(subject)
    return PreviewedSlider(
        slider=f"{view.parameter_name}_slider",
        mark=mark,
        values=slider_stops(*ends, value, coarse=view.is_costly),
        value=value,
        step=partial(view.build_slider_preview, subject),
        uses=() if view.reused_studies is None else view.reused_studies(subject),
        note=view.range_note,
    )


def _follows_scores(view: PageView, subject: PageSubject, scores: Scores) -> bool:
    """Say if the page is about these scores, and none of its previews needs a process of its own."""
    if view.uses_candidates is not None and view.uses_candidates(subject.scenario):
        return False
    is_large = ScenarioStudy(scenario=subject.scenario, scores=scores).is_large_study
    return not is_large or (view.has_quick_preview is not None and view.has_quick_preview(subject))


def hash_preview_key(*about: object) -> str:
    """Key of previews that depend on all this and on the chart theme."""
    shown = current_look()
    depends = " ".join(map(str, [*about, shown.name, shown.scale]))
    return sha256(depends.encode()).hexdigest()[:16]


def enable_slider_preview(previewed_slider: PreviewedSlider | None) -> None:
    """Preview everything below with this slider."""
    if previewed_slider is None:
        return
    if _OF.value != previewed_slider.mark:
        for job in session_job_queue().jobs(_KEY):
            job.cancel()
        _OF.put(previewed_slider.mark)
    show_in_fragment(_KEY, partial(_carry, previewed_slider), None)


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
        has = asked.get("has")
        come, whole = _come(of, asked.get("near"), _PATIENCE if has else _FIRST_PATIENCE)
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
            "number": asked.get("number"),  # without it an answer like the last would not be sent
            "packed": b64encode(gzip.compress(json_with_shared_parts(content).encode(), 1)).decode(
                "ascii"
            ),
        }
    component(
        "dpviz_hand",
        shared_script_call("dpvizFollow"),
        data=data,
        key=_KEY,
        on_ask_change=lambda: None,
    )


def _come(of: PreviewedSlider, near: object, patience: float) -> tuple[dict[str, Any], bool]:
    """Steps so far, and if they are all; those about the stop `near` the hand are computed first."""
    uses = [session_job_queue().finished_study(study) for study in of.uses]
    if not all(study is not None for study in uses):
        return {}, False
    keep, shown = session_cache("hand steps", _KEPT).get_or_make, current_look()
    hand = _AT.value
    hand[:] = [next((at for at in of.values if of.shown(at) == near), of.value)]

    def compute_nearest(progress: Progress, done: Done) -> tuple[str, Any]:
        come = dict(done.values())
        missing = (at for at in of.values if of.shown(at) not in come)
        at = min(missing, key=lambda at: abs(math.log(at / hand[0])))
        asked = PreviewRequest(shown, progress, uses)
        return of.shown(at), keep(f"{of.mark} {at!r}", lambda: of.step(at, asked).browser_data)

    key = f"{of.mark} {[*of.values]}"

    def work() -> dict[str, WorkStep]:
        return {of.shown(at): compute_nearest for at in of.values}

    (job,) = session_job_queue().request_jobs(
        _KEY, [(key, work)], queue_place=_PLACE, patience_seconds=patience
    )
    job.count_results_keeping_alive()
    return dict([*job.results.values()]), job.finished

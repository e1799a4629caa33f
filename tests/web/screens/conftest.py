"""Pages run without a browser, by Streamlit's AppTest."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest, element_tree, local_script_runner

from dpviz.web.jobs.job import Job
from tests.app import SECTIONS, new_app
from tests.once import steps_once
from tests.web.screens.shown import stray_fragments

ROOT = Path(__file__).resolve().parents[3]
FOLDS = (
    *("figures", "budgets", "replay"),  # compare; how ε grows with k takes long
    *("threshold_count", "threshold_coverage", "worth", "orders", "ratios", "bounds"),  # gaps
    *("universe", "promise", "margin_items"),  # margin
    *("scores", "runs"),  # candidates
    *("decide_others", "deployment_details", "deployments_own"),
    *("loss_law", "delta_curve", "trade_off", "belief"),  # neighbours
    *SECTIONS,
)


@pytest.fixture(scope="package", autouse=True)
def computed_once_for_all_pages() -> Iterator[None]:
    """Compute once for all of these tests what their pages show."""
    with steps_once():
        yield


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """No test sees what another one computed."""
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def files_are_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process begins for a file of some lines, as where a system has none to limit."""
    monkeypatch.setattr("dpviz.data.reading.limited_reading.can_start_worker", lambda: False)


@pytest.fixture(autouse=True)
def universe_curves_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of large margin each curve over universes ends early; its controls go as far as ever."""
    monkeypatch.setattr("dpviz.margin.universe_curve.MOST_UNLISTED", 10_000)


@pytest.fixture(autouse=True)
def no_job_goes_on() -> Iterator[None]:
    """What nobody waited for is not computed beside the next test."""
    begun: list[Job] = []
    begin = Job.__init__

    def begin_and_tell(job: Job, *given: Any, **named: Any) -> None:
        begun.append(job)
        begin(job, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "__init__", begin_and_tell)
        yield
    for job in begun:
        job.cancel()


@pytest.fixture(autouse=True)
def fragments_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page is run, no fragment shares its block."""
    read = element_tree.parse_tree_from_messages

    def hear(messages: list[ForwardMsg]) -> element_tree.ElementTree:
        assert stray_fragments(messages) == []
        return read(messages)

    monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", hear)


@pytest.fixture
def plain_sliders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of a lesson's experiment is Streamlit's own slider, moved without a browser."""

    def slider(
        key: str,
        label: str,
        stops: list[float],
        value: float,
        let_go: Callable[[float], None],
        **more: Any,
    ) -> None:
        def moved() -> None:
            let_go(st.session_state[key])

        st.select_slider(
            label, stops, value, format_func=more["format_value"], key=key, on_change=moved
        )

    monkeypatch.setattr("dpviz.web.widgets.slider", slider)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """open_page("explore", epsilon="0.5") is the app on that page, run once, with that query."""
    monkeypatch.chdir(ROOT)

    def open_page(
        name: str | None = "explore",
        /,
        *,
        folded: bool = False,
        state: Mapping[str, object] | None = None,
        **query: str,
    ) -> AppTest:
        """What "/" opens for None; `state` is there before."""
        app = new_app()
        for key, value in query.items():
            app.query_params[key] = value
        for key in () if folded else FOLDS:
            app.session_state[f"{key}_fold"] = True
        for key, value in (state or {}).items():
            app.session_state[key] = value
        if name is not None:
            app.switch_page(f"pages/{name}.py")
        app.run()
        assert not app.exception, [told.value for told in app.exception]
        return app

    return open_page

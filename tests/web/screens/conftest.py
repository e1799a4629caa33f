"""Pages run without a browser, by Streamlit's AppTest."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.web.jobs.job import Job
from tests.app import SECTIONS, new_app

ROOT = Path(__file__).resolve().parents[3]
FOLDS = (
    *("figures", "budgets", "by_k", "replay"),  # compare
    *("threshold_count", "threshold_coverage", "worth", "orders", "ratios", "bounds"),  # gaps
    *("universe", "promise", "margin_items"),  # margin
    *("scores", "runs"),  # candidates
    *("decide_others", "deployment_details", "deployments_own"),
    *("loss_law", "delta_curve", "trade_off", "belief"),  # neighbours
    *SECTIONS,
)


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """No test sees what another one computed."""
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


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


@pytest.fixture
def plain_sliders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of a lesson's experiment is Streamlit's own slider, which can be moved without a
    browser.
    """

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
    """open_page("explore", epsilon="0.5") is the app on that page, run once, with that query.

    None is what "/" opens. A page that raises fails the test here. All folds are open, unless
    `folded`; `state` is there before.
    """
    monkeypatch.chdir(ROOT)

    def open_page(
        name: str | None = "explore",
        /,
        *,
        folded: bool = False,
        state: Mapping[str, object] | None = None,
        **query: str,
    ) -> AppTest:
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

"""Pages run without a browser, by Streamlit's AppTest."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
FOLDS = (
    *("budgets", "by_k", "replay"),  # compare
    *("answers", "counts", "coverage", "worth", "orders", "ratios", "bounds"),  # gaps
    *("universe", "promise"),  # margin
    *("scores", "runs"),  # candidates
)
SLOWEST = 60.0  # seconds a run may last; the default of 3 is short where many tests share a machine


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """No test sees what another one computed."""
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """open_page("explore", epsilon="0.5") is the app on that page, run once, with that query.

    None is what "/" opens. A page that raises fails the test here. All folds are open, unless `folded`.
    """
    monkeypatch.chdir(ROOT)

    def open_page(name: str | None = "explore", /, *, folded: bool = False, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SLOWEST)
        for key, value in query.items():
            app.query_params[key] = value
        for key in () if folded else FOLDS:
            app.session_state[f"{key}_fold"] = True
        if name is not None:
            app.switch_page(f"pages/{name}.py")
        app.run()
        assert not app.exception, [told.value for told in app.exception]
        return app

    return open_page

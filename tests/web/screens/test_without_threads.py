"""Where no thread can be started, as inside a browser, pages still come up."""

import threading
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

PAGES = ("explore", "compare", "gaps", "margin", "candidates")
LESS = {
    "data": "generated:zipf",
    "data.size": "30",
    "k": "3",
    "page.pc.people": "200",
    "page.pc.runs": "200",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_comes_up_at_once_where_no_thread_starts(
    name: str, open_page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if not thread.name.startswith("ScriptRunner"):  # which is the page itself
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    app = open_page(name, **LESS)
    shown = [html.proto.body for html in app.get("html")]
    assert f'<dd data-what="Page">{name.capitalize()}</dd>' in "".join(shown)
    assert '<h1 class="dp-title">' in "".join(shown)
    assert not [body for body in shown if 'class="dp-wait' in body or 'class="dp-place' in body]
    assert app.get("plotly_chart")

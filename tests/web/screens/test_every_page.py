"""What holds of pages at once: they come up where no thread starts, and a press in the middle of a
drawing goes on from what is shown by then.
"""

import threading
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

OpenPage = Callable[..., AppTest]
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
    name: str, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if not thread.name.startswith("ScriptRunner"):  # which is the page itself
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    app = open_page(name, **LESS)
    shown = [html.proto.body for html in app.get("html")]
    title = "One item" if name == "margin" else name.capitalize()
    assert f'<dd data-what="Page">{title}</dd>' in "".join(shown)
    assert '<h1 class="dp-title">' in "".join(shown)
    assert not [body for body in shown if 'class="dp-wait' in body or 'class="dp-place' in body]
    assert app.get("plotly_chart")


LINE = {"data": "example:help_line", "k": "2"}
RUN = LINE | {"page.gaps.half": "sparse_vector", "page.gaps.run": "true", "page.gaps.by": "value"}
RUN |= {"page.gaps.threshold": "130.0", "k": "5"}


def twice(app: AppTest, key: str) -> None:
    """Press a button, and again before what comes of it has been drawn to its end: Streamlit calls
    what the last *ended* drawing gave it to do, which must read where a person is by then.
    """
    widgets = app.session_state._state._state._new_widget_state.widget_metadata
    of = next(name for name in widgets if name.endswith(key))
    before = widgets[of]
    app.button(key=key).click().run()
    widgets[of] = before
    app.button(key=key).click().run()
    assert not app.exception


@pytest.mark.parametrize(
    ("page", "query", "key", "leads_to"),
    [
        ("decide", LINE, "decide_next", {"page.decide.screen": "cost"}),
        (
            "decide",
            LINE | {"page.decide.screen": "good"},
            "decide_back",
            {"page.decide.screen": "protected"},
        ),
        ("learn", {"lesson": "a_name_of_one"}, "learn_next", {"step": "3"}),
        ("learn", {"lesson": "a_name_of_one", "step": "3"}, "learn_back", {"step": "1"}),
        ("gaps", RUN | {"page.gaps.step": "1"}, "gaps_step_Next", {"page.gaps.step": "3"}),
        ("gaps", RUN | {"page.gaps.run": "false"}, "gaps_run", {"seed": "1"}),
    ],
)
def test_a_second_press_goes_on_from_the_first(
    open_page: OpenPage, page: str, query: dict[str, str], key: str, leads_to: dict[str, str]
) -> None:
    app = open_page(page, **query)
    twice(app, key)
    assert {name: "".join(app.query_params[name]) for name in leads_to} == leads_to

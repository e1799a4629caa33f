"""A press in the middle of a drawing goes on from what is shown by then.

Streamlit calls what the last *ended* drawing gave a button to do: it must read where a person is
when it is called.
"""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

OpenPage = Callable[..., AppTest]
LINE = {"data": "example:help_line", "k": "2"}
RUN = LINE | {"page.gaps.half": "sparse_vector", "page.gaps.run": "true", "page.gaps.by": "value"}
RUN |= {"page.gaps.threshold": "130.0", "k": "5"}


def twice(app: AppTest, key: str) -> None:
    """Press a button, and again before what comes of it has been drawn to its end."""
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

"""What a page holds of a session can be put away while its line is cut."""

import pytest

from dpviz.web.session.parked_sessions import _written
from dpviz.web.session.slot import OWN
from tests.app import new_app


@pytest.mark.twins("explore", "decide")
@pytest.mark.parametrize(
    "page", ["explore", "compare", "decide", "neighbours", "candidates", "learn"]
)
def test_what_pages_hold_can_be_written(page: str) -> None:
    app = new_app().run().switch_page(f"pages/{page}.py").run()
    own = {key: app.session_state[key] for key in app.session_state if key.startswith(OWN)}
    assert own
    held = _written(own)
    assert held is not None
    held.close()

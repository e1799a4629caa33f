"""Who is sent packed files: browsers that take them, whatever they take better."""

import pytest
from starlette.types import Scope

from dpviz.web.server.static_compression import _asked_for, _files

FILE = next(place for place in _files() if place.endswith(".js"))


@pytest.mark.parametrize(
    ("takes", "packed"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.5", True),
        ("gzip; q=0.001", True),
        ("gzip;q=0, br", False),
        ("br, gzip;q=0.000", False),
        ("br", False),
        ("", False),
    ],
)
def test_a_quality_above_nothing_is_no_refusal(takes: str, packed: bool) -> None:
    headers = [(b"accept-encoding", takes.encode())]
    scope: Scope = {"type": "http", "method": "GET", "path": f"/below{FILE}", "headers": headers}
    assert (_asked_for(scope) is not None) is packed

"""Browsers that take gzip are sent packed files."""

import pytest
from starlette.types import Scope

from dpviz.web.server.static_compression import _files, _requested_file

FILE = next(place for place in _files() if place.endswith(".js"))


@pytest.mark.parametrize(
    ("takes", "packed"), [("gzip, deflate, br", True), ("br", False), ("", False)]
)
def test_who_takes_gzip_gets_it(takes: str, packed: bool) -> None:
    headers = [(b"accept-encoding", takes.encode())]
    scope: Scope = {"type": "http", "method": "GET", "path": f"/below{FILE}", "headers": headers}
    assert (_requested_file(scope) is not None) is packed

"""What a browser is sent of Streamlit's own files: packed, once, and the same once unpacked. No
browser is needed.
"""

import gzip
import http.client
import re
from pathlib import Path
from urllib.parse import urlsplit

import streamlit

FILES = Path(streamlit.__file__).parent / "static"


def got(server: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a plain request: its status, headers and bytes as they came."""
    line = http.client.HTTPConnection(urlsplit(server).netloc, timeout=60)
    line.request(
        "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = line.getresponse()
    content = answer.read()
    line.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content


def test_streamlits_own_files_are_sent_packed(server: str) -> None:
    _, _, page = got(server, "/")
    names = re.findall(r'(?:src|href)="\./(static/[^"]+\.(?:js|css))"', page.decode())
    largest = max(
        (file for file in (FILES / "static").rglob("*.js")), key=lambda file: file.stat().st_size
    )
    paths = {f"/{name}" for name in names} | {f"/{largest.relative_to(FILES).as_posix()}"}
    paths = {path for path in paths if (FILES / path[1:]).stat().st_size >= 1_000}
    assert len(paths) > 1
    sent = whole = 0
    for path in paths:
        status, headers, content = got(server, path, Accept_Encoding="gzip, deflate, br")
        file = (FILES / path[1:]).read_bytes()
        assert (status, headers["content-encoding"], int(headers["content-length"])) == (
            200,
            "gzip",
            len(content),
        )
        assert "accept-encoding" in headers["vary"].lower()
        assert gzip.decompress(content) == file
        sent, whole = sent + len(content), whole + len(file)
        assert "immutable" in headers["cache-control"]
    assert sent < 0.35 * whole
    assert "content-encoding" not in got(server, paths.pop())[1]  # who takes none


def test_nothing_beside_them_is_sent(server: str) -> None:
    assert b"take_turn" not in got(server, "/static/../app.py", Accept_Encoding="gzip")[2]

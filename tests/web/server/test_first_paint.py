"""What is put into Streamlit's page before it is sent, and into nothing else."""

from base64 import b64encode
from gzip import compress
from hashlib import sha256

import pytest
from starlette.types import Message, Receive, Scope, Send

from dpviz.base.html import embedded_scripts
from dpviz.commands.serve import inline_script_hashes
from dpviz.web.server.first_paint import FirstPaintMiddleware
from tests.web.own_process import run_apart

PAGE = b"<html><head><title>Streamlit</title></head><body></body></html>"
OTHER = b"<html><head><title>A class</title></head></html>"


def sent(
    body: bytes,
    kind: str = "text/html; charset=utf-8",
    status: int = 200,
    more: tuple[tuple[bytes, bytes], ...] = (),
) -> tuple[dict[bytes, bytes], bytes]:
    """Headers and body as they leave, of an app that answers so, in two pieces."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"etag", b'"x"'),
            *more,
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body[:9], "more_body": True})
        await send({"type": "http.response.body", "body": body[9:]})

    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    run_apart(
        FirstPaintMiddleware(app)({"type": "http", "method": "GET", "path": "/"}, receive, send)
    )
    return dict(told[0]["headers"]), b"".join(message["body"] for message in told[1:])


def test_the_page_has_rules_of_ours_and_is_no_more_the_file_that_it_was() -> None:
    headers, body = sent(PAGE)
    before, rules, after = body.partition(b"<style>")
    assert PAGE.startswith(before)
    assert after.endswith(b"</script>\n</head><body></body></html>")
    assert b"stSidebar" in rules + after
    assert int(headers[b"content-length"]) == len(body)
    assert b"etag" not in headers
    (script,) = embedded_scripts(body.decode())
    told = b64encode(sha256(script.encode()).digest()).decode()
    assert f"'sha256-{told}'" in inline_script_hashes()  # behind nginx it runs


def test_a_page_that_comes_packed_has_them_too() -> None:
    headers, body = sent(compress(PAGE), more=((b"content-encoding", b"gzip"),))
    assert b"content-encoding" not in headers
    assert body == sent(PAGE)[1]
    assert int(headers[b"content-length"]) == len(body)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [(OTHER, "text/html", 200), (PAGE, "text/plain", 200), (PAGE, "text/html", 404)],
)
def test_all_else_goes_as_it_is(body: bytes, kind: str, status: int) -> None:
    headers, as_sent = sent(body, kind, status)
    assert as_sent == body
    assert headers[b"etag"] == b'"x"'

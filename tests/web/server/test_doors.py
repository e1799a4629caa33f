"""The app as it is really started: what nobody's page says is refused unread, and all others are
answered.
"""

import socket
import sys
from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dpviz.web.widgets import tab_storage
from dpviz.web.widgets.upload_review import _TYPED
from tests.browser.conftest import ROOT, running

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app is, started from another folder than its own."""
    # a process of `dpviz serve` is `streamlit run` of its script too
    home = tmp_path_factory.mktemp("home")
    command = [sys.executable, "-m", "dpviz", "app", "--no-browser"]
    with running(command, "--port", home, cwd=home, PYTHONPATH=str(ROOT), TMPDIR=str(home)) as at:
        yield at


def opened(address: str) -> ClientConnection:
    line = f"ws://{urlsplit(address).netloc}/_stcore/stream"
    return connect(line, max_size=None, compression=None, open_timeout=60, ping_interval=None)


def said(text: str) -> bytes:
    message = BackMsg()
    message.rerun_script.page_name = "glossary"
    message.rerun_script.widget_states.widgets.add(id="box", string_value=text)
    return message.SerializeToString()


def is_healthy(address: str) -> bool:
    with urlopen(f"{address}/_stcore/health", timeout=60) as answer:
        return bool(answer.read() == b"ok")


def flood(size: int) -> bytes:
    """A message of about so many bytes that is nothing but controls without a name."""
    one = BackMsg(rerun_script={"widget_states": {"widgets": [{}]}}).SerializeToString()
    return bytes(one * (size // len(one)))  # messages that follow each other are one


def test_what_is_longer_than_any_page_says_closes_the_line_and_nobody_waits(address: str) -> None:
    much_longer = b"\x82\xff" + (26 * MEGABYTE).to_bytes(8, "big") + b"mask"  # which is to follow
    for say in (
        lambda line: line.send(flood(11 * MEGABYTE)),
        lambda line: line.socket.sendall(much_longer),
    ):
        with opened(address) as line:
            say(line)
            with pytest.raises(ConnectionClosed) as closed:
                line.recv(60)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
    assert is_healthy(address)


def test_more_controls_than_any_page_has_are_heard_by_nobody(address: str) -> None:
    with opened(address) as line:
        line.send(flood(9 * MEGABYTE))
        line.send(said("now"))
        assert ran(line)


@pytest.mark.parametrize("odd", ["a text", b"\xff" * 1_000], ids=["text", "bytes"])
def test_what_is_no_message_closes_its_own_line_alone(address: str, odd: str | bytes) -> None:
    with opened(address) as other, opened(address) as line:
        line.send(odd)
        with pytest.raises(ConnectionClosed):
            line.recv(60)
        other.send(said("now"))
        assert ran(other)


def test_the_longest_that_a_page_says_is_heard(address: str) -> None:
    kept, typed = "\U0001d504" * tab_storage.MOST, "\u4e00" * _TYPED
    for text in (kept, 2 * typed + 1_300_000 * "x"):
        with opened(address) as line:
            line.send(said(text))
            assert ran(line)


def ran(line: ClientConnection) -> bool:
    """Whether the page was drawn."""
    while True:
        told = ForwardMsg.FromString(line.recv(60, decode=False))
        if told.WhichOneof("type") == "script_finished":
            return bool(told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY)


PATHS = """
    / /join /join/events /join/answer /join/mark /join/draw /file/a /%ff /join?code=%ed%a0%80
    /_stcore/health /_stcore/host-config /_stcore/stream /_stcore/upload_file/a/b /media/a.png
    /_stcore/metrics /_stcore/script-health-check /component/a/b /static/%00 /explore?k=%ff
""".split()  # noqa: SIM905
METHODS = ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW")
ODD = (
    b"Content-Type: application/json\r\nContent-Length: 1990\r\n\r\n" + b"[" * 1_990,
    b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9\r\n\r\n--x\r\n\r\n--",
    b"Content-Type: multipart/form-data\r\nContent-Length: 3\r\n\r\n\xff\xfe\xfd",
    b"Origin: http://[\r\nCookie: =;dpviz_student=\xff\r\nX-Forwarded-For: [\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{[\r\n0\r\n\r\n",
    b"Content-Length: \xb2\r\n\r\n",
)


def test_odd_questions_are_answered(address: str) -> None:
    asked = [*product(("GET", "POST"), PATHS, ODD), *product(METHODS, PATHS, ODD[:1])]
    status = {each: answered(address, *each) for each in asked}
    assert {each: number for each, number in status.items() if number >= 500} == {}
    assert is_healthy(address)


def answered(address: str, method: str, path: str, odd: bytes) -> int:
    """The status of the answer; 0 where the line is closed without one."""
    question = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".encode() + odd
    )
    at = urlsplit(address)
    with socket.create_connection((at.hostname or "", at.port or 0), timeout=60) as line:
        line.sendall(question)
        first = line.makefile("rb").readline()
    return int(first.split()[1]) if first else 0

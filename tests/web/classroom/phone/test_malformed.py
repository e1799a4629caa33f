"""Whatever is sent to the app's own addresses is answered, in a sentence where it cannot be read;
nothing is a 500.
"""

import asyncio
import json
import threading
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import streamlit as st
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config

from dpviz import web
from dpviz.teaching.classes import ClassLimits, ClassManager
from dpviz.web.classroom import access, phone
from dpviz.web.server import downloads
from tests.web.classroom.phone.asgi import Answer, Phone
from tests.web.own_process import run_apart

KEY = "permute_and_flip"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
ODD: list[Any] = [
    None,
    True,
    -1,
    10**30,
    -(10**30),
    1e308,
    float("nan"),
    "",
    "\ud800",
    "x" * 300,
    [],
    {},
    [[1]],
    {"a": 1},
]
NAMES = ("code", "door", "place", "again", "choice", "value", "setting", "upto")
UNREADABLE = (b"[" * 1_990, b'{"a":' * 390, b"{", b"\xff\xfe", b'{"code": "\xed\xa0\x80"}', b"nul")
READABLE = (b"", b"1" * 2_000, b"[]", b"null", b"1", b'"code"', b"{}", b"x" * 3_000, b"[" * 3_000)
DEEP = tuple(b'{"code":' + b"[" * depth + b"]" * depth + b"}" for depth in (100, 300, 450))
FORMS = (
    b"code=%ff%ed%a0%80",
    b"code",
    b"&&=&=",
    b"code=\xff",
    b"code=a&code=b",
    b"%=%",
    b"door=%ed%a0%80",
    b"a=" * 900,
)
HEADERS = (
    {"host": "[::1"}, {"host": "["}, {"host": ""}, {"host": "localhost:99999999"}, {"host": "\xff"},
    {"origin": "http://["}, {"origin": "null"}, {"origin": "http://a:b:c"}, {"origin": "\xff"}, {"origin": ""},
    {"cookie": "dpviz_student=\xff"}, {"cookie": "dpviz_student="}, {"cookie": ";;==;"},
    {"x-forwarded-for": "\xff, ,"}, {"x-forwarded-for": "[::1"}, {"x-forwarded-for": "1" * 5_000},
    {"accept-encoding": "gzip;q=x"}, {"accept-encoding": "gzip;q=1e999, ;q="}, {"accept-encoding": "\xff"},
    {"content-type": "\xff"}, {"content-type": "json; charset=\xff"}, {"content-length": "9" * 5_000},
    {"x-forwarded-proto": "\xff"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def patient_server(classes: ClassManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that counts no tries, under the names that `dpviz app` says."""
    monkeypatch.setattr(classes, "_limits", ClassLimits(lookups=10**6, writes=10**6))
    told, names = config.get_option, {"server.allowedHosts": ["localhost"]}
    monkeypatch.setattr(
        config, "get_option", lambda name: names[name] if name in names else told(name)
    )
    monkeypatch.setattr(st, "get_option", config.get_option)


def routes() -> list[Route]:
    """Whatever the app has beside Streamlit's own addresses."""
    return [*phone.phone_routes(), *downloads.download_routes()]


@pytest.fixture
def asked(classes: ClassManager) -> Callable[..., list[Answer]]:
    """What is answered to questions one after the other, by the app's own layers: by somebody in a
    class, and not.
    """
    layers = [
        Middleware(each)
        for each in (
            web.AllowedHostsMiddleware,
            web.StaticCompressionMiddleware,
            web.MessageFilterMiddleware,
            web.UploadBudgetMiddleware,
        )
    ]
    app = Starlette(routes=routes(), middleware=layers)
    code, teacher = classes.begin_class(KEY)
    classes.move_to_stop(teacher, 2)

    async def each(questions: list[tuple[str, str, bytes, dict[str, str]]]) -> list[Answer]:
        phones = Phone(app), Phone(app)
        assert (await phones[0].post("/join", code=code)).status == 200
        return [
            await asyncio.wait_for(one.asks(method, path, body, headers), 20)
            for method, path, body, headers in questions
            for one in phones
            if not path.endswith("/events")
        ]

    return lambda questions: run_apart(each(questions))


def paths(*methods: str) -> list[str]:
    return [
        each.path.format(token="a")
        for each in routes()
        if each.methods and each.methods & set(methods)
    ]


def test_unreadable_bodies_are_told_so(asked: Callable[..., list[Answer]]) -> None:
    answers = asked(
        [
            ("POST", path, body, {"content-type": JSON})
            for path in paths("POST")
            for body in UNREADABLE
        ]
    )
    assert {(each.status, each.text) for each in answers} == {
        (400, '{"says":"The data sent cannot be read."}')
    }


def test_other_bodies_are_answered(asked: Callable[..., list[Answer]]) -> None:
    bodies = [(body, JSON) for body in (*READABLE, *DEEP)] + [
        (body, FORM) for body in (*FORMS, *READABLE)
    ]
    bodies += [
        (
            json.dumps(
                {"place": 2, "again": False, "setting": 2, "choice": 0, "upto": 1, "value": 1}
                | {name: odd}
            ).encode(),
            JSON,
        )
        for name, odd in product(NAMES, ODD)
    ]
    answers = asked(
        [
            ("POST", path, body, {"content-type": kind})
            for path in paths("POST")
            for body, kind in bodies
        ]
    )
    assert {each.status for each in answers} <= {200, 400, 409}


def test_odd_headers_and_addresses_are_answered(asked: Callable[..., list[Answer]]) -> None:
    odd = (
        "/join?code=%ed%a0%80&door=%ff",
        "/join?" + "a&" * 3_000,
        "/join?code=" + "[" * 3_000,
        "/file/%ff",
        "/%2e%2e/join",
    )
    asks = (
        ("GET", "/join"),
        ("POST", "/join"),
        ("POST", "/join/answer"),
    )  # the others are read alike
    answers = asked(
        [(*each, b"{}", headers) for headers, each in product(HEADERS, asks)]
        + [("GET", path, b"", {}) for path in (*odd, *paths("GET"))]
    )
    assert {each.status for each in answers} <= {200, 400, 403, 404, 409, 421}


def test_a_request_that_ends_half_way_is_answered(classes: ClassManager) -> None:
    pieces = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b"{", "more_body": True},
    ]
    answers = list[Any]()

    async def receive() -> Any:
        return pieces.pop()

    async def send(message: Any) -> None:
        answers.append(message)

    phone = Phone(Starlette(routes=routes()))
    scope = phone._scope("POST", "/join", {"content-type": JSON})
    run_apart(phone.app(scope, receive, send))  # type: ignore[arg-type]
    assert answers[0]["status"] == 400


def test_a_store_that_waits_takes_no_thread_of_other_requests(
    classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, phone = threading.Event(), Phone(Starlette(routes=routes()), cookie="dpviz_student=a")
    monkeypatch.setattr(access, "class_manager", lambda: free.wait() and classes)

    async def visit() -> None:
        waiting = [asyncio.create_task(phone.get("/join")) for _ in range(100)]
        await asyncio.sleep(0.1)  # in which each has its thread, or waits for one
        async with asyncio.timeout(10.0):
            await run_sync(str)
        free.set()
        assert {answer.status for answer in await asyncio.gather(*waiting)} == {200}

    try:
        run_apart(visit())
    finally:
        free.set()


def test_a_student_sees_no_path_of_the_server(
    classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> ClassManager:
        raise PermissionError(13, "Permission denied", "/srv/classes.sqlite")

    monkeypatch.setattr(access, "class_manager", fails)
    answer = run_apart(Phone(Starlette(routes=routes())).post("/join", code="ABCDEF"))
    assert answer.status == 409
    assert "do not work on this server now" in answer.said["says"]
    assert "/srv" not in answer.text
    assert "13" not in answer.text

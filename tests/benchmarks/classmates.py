"""Phones of a class on a running app: the requests of a phone's script, without drawing.

`goes_through` is a lesson on them, in which nothing that anybody did may be lost.
"""

import asyncio
import gzip
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.teaching.classes import ClassManager
from tests.benchmarks.crowd import PATIENCE
from tests.teaching.classes.looks import KEY, seen

PREDICT, RUN, LAST = 1, 2, 4  # the question, the draws, and the question that is asked twice
TAKES = 0.02  # seconds between two people who do something


@dataclass
class Phone:
    """A phone in a class: what it shows, and how long things take, in seconds."""

    port: int
    address: str = ""  # that it comes from, where it is not this machine's
    cookie: str = ""
    html: str = ""
    received: int = 0  # bytes
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    stream: "asyncio.Task[None] | None" = None

    async def joins(self, code: str) -> float:
        """Open the link, take a place, listen; until the phone shows the class."""
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await self._asks("GET", f"/join?code={code}")
            self.html = (await self._asks("POST", "/join", {"code": code}))["html"]
            self.listens()
            await self.sees(f"Class {code}")
        return time.perf_counter() - start

    def listens(self) -> None:
        """Open the stream."""
        self.stream = asyncio.create_task(self._listens())

    async def guesses(self, code: str) -> str:
        """Type a code that no class has; what the server says."""
        return str((await self._asks("POST", "/join", {"code": code}, refused=409))["says"])

    async def answers(self, place: int, choice: int, *, again: bool = False) -> float:
        """Choose; until the server says that it has it."""
        return await self._does("answer", place=place, again=again, choice=choice)

    async def marks(self, place: int, value: int) -> float:
        """Say where one expects it."""
        return await self._does("mark", place=place, value=value)

    async def draws(self, place: int, setting: int, upto: int) -> float:
        """Draw; until one sees it."""
        return await self._does("draw", place=place, setting=setting, upto=upto)

    async def sees(self, text: str) -> float:
        """Wait until the phone shows this; the time on the clock then."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(
                lambda: text in self.html or (self.stream is not None and self.stream.done())
            )
        if text not in self.html and self.stream is not None:
            self.stream.result()
            raise ConnectionError("the stream has ended")
        return time.perf_counter()

    async def leaves(self) -> None:
        """Close the page."""
        if self.stream is not None:
            self.stream.cancel()
            await asyncio.gather(self.stream, return_exceptions=True)

    async def _does(self, what: str, **said: Any) -> float:
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            answer = await self._asks("POST", f"/join/{what}", said)
        if answer["says"]:
            raise RuntimeError(answer["says"])
        return time.perf_counter() - start

    async def _asks(self, method: str, path: str, said: Any = None, refused: int = 0) -> Any:
        body = b"" if said is None else json.dumps(said).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head(method, path, len(body), "close") + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            answer = await reader.read()
        finally:
            writer.close()
        self.received += len(head) + len(answer)
        status = int(head.split()[1])
        if status not in {200, refused}:
            raise RuntimeError(f"{path} was answered {status}: {answer[:200]!r}")
        for line in head.splitlines():
            name, _, value = line.partition(": ")
            if (name.lower(), value) == ("content-encoding", "gzip"):
                answer = gzip.decompress(answer)
            if name.lower() == "set-cookie" and value.startswith("dpviz_student="):
                self.cookie = value.partition(";")[0]
        return json.loads(answer) if method == "POST" else None

    def _head(self, method: str, path: str, length: int, connection: str) -> bytes:
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        cookie += f"X-Forwarded-For: {self.address}\r\n" if self.address else ""
        return (
            f"{method} {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nConnection:"
            f" {connection}\r\n{cookie}Accept-Encoding: gzip\r\nContent-Type:"
            f" application/json\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    async def _listens(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        try:
            writer.write(self._head("GET", "/join/events", 0, "keep-alive"))
            await reader.readuntil(b"\r\n\r\n")
            unpacks, told = zlib.decompressobj(16 + zlib.MAX_WBITS), b""
            while size := int(await reader.readline() or b"0", 16):
                packed = await reader.readexactly(size + 2)
                self.received += len(packed)
                *lines, told = (told + unpacks.decompress(packed[:-2])).split(b"\n")
                for line in lines:
                    if line.startswith(b"data: {"):  # and no beat
                        async with self.changed:
                            self.html = json.loads(line[6:])["html"]
                            self.changed.notify_all()
        finally:
            writer.close()


def most(times: Iterable[float]) -> float:
    """The longest but for one in twenty."""
    return float(np.quantile(list(times), 0.95))


async def spread(phones: list[Phone], act: Callable[[int], Awaitable[float]]) -> list[float]:
    """Each does it within a few seconds, as people do who read first."""

    async def one(number: int) -> float:
        await asyncio.sleep(TAKES * number)
        return await act(number)

    return list(await asyncio.gather(*map(one, range(len(phones)))))


async def goes_through(port: int, classes: ClassManager, people: int) -> dict[str, float]:
    """A class of so many goes through a lesson; the longest that 95 % of them waited, for each
    thing they did.
    """
    code, teacher = classes.begin_class(KEY)
    phones = [Phone(port) for _ in range(people)]
    took = {"join": most(await asyncio.gather(*(phone.joins(code) for phone in phones)))}

    async def moved(place: int, text: str) -> None:
        start = time.perf_counter()
        await asyncio.to_thread(classes.move_to_stop, teacher, place)
        took[f"step {place}"] = most(
            np.array(await asyncio.gather(*(phone.sees(text) for phone in phones))) - start
        )

    await moved(PREDICT, "Choose what you expect.")
    choices = [number % 3 for number in range(people)]
    took["answer"] = most(await spread(phones, lambda n: phones[n].answers(PREDICT, choices[n])))
    assert seen(classes, code).first == tuple(choices.count(n) for n in range(3))
    await moved(RUN, "Set my mark")
    setting = seen(classes, code).setting
    await asyncio.gather(*(phone.marks(RUN, 50) for phone in phones))
    took["draw"] = most(await spread(phones, lambda n: phones[n].draws(RUN, setting, 10)))
    counts = seen(classes, code).counts
    assert counts is not None
    assert (seen(classes, code).drawing, counts[0].sum()) == (people, 10 * people)
    await moved(LAST, "Choose what you expect.")
    for again in (False, True):
        await asyncio.gather(*(phone.answers(LAST, 2, again=again) for phone in phones))
        await asyncio.to_thread(classes.set_question_flags, teacher, LAST, again=True, bars=False)
        await asyncio.gather(*(phone.sees("Talk to your neighbours") for phone in phones))
    await asyncio.to_thread(classes.set_question_flags, teacher, LAST, shown=True)
    await asyncio.gather(*(phone.sees(f"<b>{people}</b> of {people}") for phone in phones))
    assert seen(classes, code).after == (0, 0, people)
    took["bytes"] = max(phone.received for phone in phones)
    await asyncio.gather(*(phone.leaves() for phone in phones))
    return took

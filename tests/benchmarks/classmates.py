"""A class on a running app: a teacher and students, as light as they can be, without drawing.

Each looks as the page's own script does, about once a second. What a page shows is the HTML that it was sent, by place.
"""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from dpviz.ui.classroom.student import EVERY
from tests.benchmarks.crowd import PATIENCE

__all__ = ["Member", "enters"]


@dataclass
class Member:
    """One connection on a page of the app: what it shows, and the controls it has."""

    rng: np.random.Generator
    connection: ClientConnection
    name: str  # of the page
    query: str
    page: str = ""
    shown: dict[tuple[int, ...], str] = field(default_factory=dict)
    controls: dict[str, tuple[str, str]] = field(default_factory=dict)  # label → the widget and its fragment
    looking: tuple[str, str, dict[str, str]] | None = None  # the widget that looks, its fragment, what it tells
    looks: int = 0
    runs: bool = False
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    @property
    def seen(self) -> str:
        """All that the page shows."""
        return "\n".join(self.shown.values())

    async def opens(self, text: str) -> float:
        """Open the page; the time on the clock when it shows this text."""
        self.tasks += [asyncio.create_task(self._reads()), asyncio.create_task(self._looks())]
        await self._sends()
        return await self.sees(text)

    async def sees(self, text: str) -> float:
        """Wait until the page shows this text; the time on the clock then."""

        def there() -> bool:
            return text in self.seen or any(task.done() for task in self.tasks)

        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(there)
        for task in self.tasks:
            if task.done():
                task.result()
        return time.perf_counter()

    async def presses(self, label: str) -> float:
        """Press the button with this label; the time on the clock then."""
        return await self._uses(label, trigger_value=True)

    async def chooses(self, label: str, choice: str) -> float:
        """Choose among the radio buttons with this label; the time on the clock then."""
        return await self._uses(label, string_value=choice)

    async def leaves(self) -> None:
        """Close the page."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.connection.close()

    async def _uses(self, label: str, **value: Any) -> float:
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: label in self.controls and not self.runs)
        start = time.perf_counter()
        await self._sends(*self.controls[label], **value)
        return start

    async def _sends(self, widget: str = "", fragment: str = "", **value: Any) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = "" if self.page else self.name
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.fragment_id = fragment
        if widget:
            message.rerun_script.widget_states.widgets.add(id=widget, **value)
        await self.connection.send(message.SerializeToString())

    async def _looks(self) -> None:
        while True:
            await asyncio.sleep(EVERY * self.rng.uniform(0.8, 1.2))
            if self.looking is not None:
                widget, fragment, asks = self.looking
                tick = json.dumps([{"event": "tick", "value": {"marks": {asks["key"]: asks["mark"]}}}])
                await self._sends(_make_trigger_id(widget, "events"), fragment, json_trigger_value=tick)
                self.looks += 1

    async def _reads(self) -> None:
        while True:
            told = ForwardMsg.FromString(await self.connection.recv(decode=False))
            async with self.changed:
                self._takes(told)
                self.changed.notify_all()

    def _takes(self, told: ForwardMsg) -> None:
        if told.WhichOneof("type") == "new_session":
            self.runs = True
        if told.WhichOneof("type") == "navigation":
            self.page = told.navigation.page_script_hash
        if told.WhichOneof("type") == "script_finished":
            self.runs = told.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if told.WhichOneof("type") != "delta":
            return
        element, place = told.delta.new_element, tuple(told.metadata.delta_path)
        kind = element.WhichOneof("type")
        if kind is None:
            return
        for other in [other for other in self.shown if other[: len(place)] == place]:
            del self.shown[other]
        if kind == "html" and not element.html.body.startswith("<style"):
            self.shown[place] = element.html.body
        elif kind in {"button", "radio"}:
            control = getattr(element, kind)
            self.controls[control.label] = control.id, told.delta.fragment_id
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith("dpviz_watch"):
            asks = json.loads(element.bidi_component.json)
            self.looking = element.bidi_component.id, told.delta.fragment_id, asks
        elif kind == "exception":
            raise RuntimeError("the page shows an error")


async def enters(port: int, number: int, name: str, query: str) -> Member:
    """Somebody connects to a page of the app."""
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    # a browser neither gives up on a slow server nor sends pings of its own
    connection = await connect(address, max_size=None, compression=None, open_timeout=PATIENCE, ping_interval=None)
    return Member(np.random.default_rng(number), connection, name, query)

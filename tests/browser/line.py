"""The connection between a page and its server, and what it may do to a page."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.windows import spoilt

Loses = Callable[[ForwardMsg], bool]


@dataclass
class Line:
    """The connection of a page to the server, which can be cut and mended.

    What a run sends from the message on that it `loses` never comes, as where a server begins the
    next run too soon.
    """

    page: Page
    is_cut: bool = False
    loses: Loses | None = None
    losing: bool = False
    open: list[WebSocketRoute] = field(default_factory=list)

    def __post_init__(self) -> None:
        spoilt(self.page)
        self.page.route_web_socket(re.compile("/_stcore/stream"), self._asked)

    def _asked(self, line: WebSocketRoute) -> None:
        if self.is_cut:
            line.close()
        else:
            server = line.connect_to_server()
            server.on_message(lambda told: None if self._lost(told) else line.send(told))
            self.open.append(line)

    def _lost(self, told: str | bytes) -> bool:
        assert isinstance(told, bytes)
        message = ForwardMsg.FromString(told)
        if self.loses is not None and self.loses(message):
            self.loses, self.losing = None, True
        ends = message.WhichOneof("type") == "script_finished"
        lost = self.losing
        self.losing = lost and not ends
        return lost

    def cut(self) -> None:
        """Whatever is open breaks off, and nothing new comes about."""
        self.is_cut = True
        for line in self.open:
            line.close()
        self.open.clear()
        expect(self.page.get_by_test_id("stApp")).not_to_have_attribute(
            "data-test-connection-state", "CONNECTED"
        )

    def mend(self) -> None:
        """It comes about again when the page next tries."""
        self.is_cut = False
        expect(self.page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-connection-state", "CONNECTED"
        )

"""Windows of the browser, which tests use one after the other.

A window that has read the app's scripts before opens a page in a third of the time of a new one.
What a test leaves in it is taken away: cookies, storage, size, media. A window that was changed for
good is `spoilt` and not used again. Every window fails its test on an error in the browser's
console and on a request to another host; one on a file of the disk has no network, says nothing on
the console and loads nothing but that file (or what lies `within` a folder).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit
from weakref import WeakSet

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    WebSocket,
    expect,
)

NewPage = Callable[[str], Page]

SLOWEST = 60.0  # seconds until something must have appeared
SIZE: ViewportSize = {"width": 1400, "height": 1000}
_SPOILT: "WeakSet[Page]" = WeakSet()
_LEFT_ALONE: "WeakSet[Page]" = WeakSet()
_MOST_ENTRIES = (
    40  # of a window's history: Chromium counts 50 at most, and a test may count those that it adds
)


def spoilt(page: Page) -> None:
    """Say that something stays with this window: a clock, a line, a listener."""
    _SPOILT.add(page)


def left_alone(page: Page) -> None:
    """Say that this window's server ends before it."""
    _SPOILT.add(page)
    _LEFT_ALONE.add(page)


@dataclass
class Watch:
    """What went wrong in a page.

    Harmless is that a page whose line a test has cut goes on to ask for news, and what a page says
    whose server is told to end.
    """

    address: str
    wrong: list[str] = field(default_factory=list)
    may_load: tuple[str, ...] = ()
    read: int = 0  # how much it has asked for

    def console(self, message: ConsoleMessage) -> None:
        if message.page in _LEFT_ALONE:
            return
        if (
            message.type != "error" and len(self.may_load) != 1
        ):  # a file alone has no script of others that may speak
            return
        if "ERR_INTERNET_DISCONNECTED" in message.text and "/join/" in message.location.get(
            "url", ""
        ):
            return
        if "MathJax is not loaded" in message.text:  # nobody writes formulas on charts
            return
        if "Cannot send rerun backMessage when disconnected" in message.text:
            return
        self.wrong.append(f"console: {message.text} ({message.location.get('url', '')})")

    def error(self, error: Exception) -> None:
        self.wrong.append(f"uncaught: {error}")

    def request(self, request: Request | WebSocket) -> None:
        self.read += 1
        url = urlsplit(request.url)
        if (
            url.scheme in {"http", "https", "ws", "wss"}
            and url.netloc != urlsplit(self.address).netloc
        ):
            self.wrong.append(f"request to another host: {request.url}")
        if url.scheme == "file" and not request.url.startswith(self.may_load):
            self.wrong.append(f"request of another file: {request.url}")

    def failed(self, request: Request) -> None:
        if (
            not self.address and request.failure != "net::ERR_ABORTED"
        ):  # which a page that is left asks for no more
            self.wrong.append(f"is not there: {request.url}")


class Opened(Protocol):
    """opened(path) is a window without a network on a file; it may load what lies `within` a
    folder.
    """

    def __call__(
        self,
        path: Path,
        width: int = ...,
        height: int = ...,
        scheme: str = ...,
        *,
        within: Path | None = ...,
    ) -> Page: ...


@dataclass
class Rack:
    """The windows that are not in use; each has cookies of its own. Lent is the one that has read
    most: one that has only been a phone of a class knows nothing of the app.

    Of too many goes one whose address is asked for least: that of a server of a single test, which
    has ended.
    """

    chromium: Browser
    most: int = 4
    free: list[tuple[Page, Watch]] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def windows(self) -> Iterator[NewPage]:
        """new_page(address) is a window for that server, as new."""
        with self._lending() as lend:
            yield lambda address: lend(address)[0]

    @contextmanager
    def on_disk(self) -> Iterator["Opened"]:
        """See `Opened`."""
        with self._lending() as lend:

            def opened(
                path: Path,
                width: int = 1366,
                height: int = 768,
                scheme: str = "light",
                *,
                within: Path | None = None,
            ) -> Page:
                page, watch = lend("")
                watch.may_load = (path.as_uri(), *(() if within is None else (within.as_uri(),)))
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                page.goto(path.as_uri())
                return page

            yield opened

    @contextmanager
    def _lending(self) -> Iterator[Callable[[str], tuple[Page, Watch]]]:
        """Windows for a server, or for files where it has no address; what went wrong in one is
        raised.
        """
        lent: list[tuple[Page, Watch]] = []

        def lend(address: str) -> tuple[Page, Watch]:
            lent.append(self._take(address))
            return lent[-1]

        expect.set_options(timeout=SLOWEST * 1000)
        yield lend
        wrong = [
            line for _, watch in lent for line in watch.wrong
        ]  # before they are left: a server may have ended
        for page, watch in lent:
            self._give_back(page, watch)
        assert not wrong, "\n".join(wrong)

    def _take(self, address: str) -> tuple[Page, Watch]:
        self.asked[address] += 1
        known = [one for one in self.free if one[1].address == address]
        if known:
            most_read = max(known, key=lambda one: one[1].read)
            self.free.remove(most_read)
            return most_read
        context = self.chromium.new_context(
            base_url=address or None,
            offline=not address,
            viewport=SIZE,
            accept_downloads=True,
            reduced_motion="reduce",
        )
        context.set_default_timeout(SLOWEST * 1000)
        watch, page = Watch(address), context.new_page()
        page.on("console", watch.console)
        page.on("pageerror", watch.error)
        page.on("request", watch.request)
        page.on("requestfailed", watch.failed)
        page.on("websocket", watch.request)
        return page, watch

    def _give_back(self, page: Page, watch: Watch) -> None:
        if page in _SPOILT or page.is_closed():
            page.context.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.goto("about:blank")
        if page.evaluate("history.length") > _MOST_ENTRIES:
            page.context.close()
            return
        page.context.clear_cookies()
        devtools = page.context.new_cdp_session(page)
        devtools.send(
            "Storage.clearDataForOrigin",
            {"origin": watch.address or "file://", "storageTypes": "local_storage"},
        )
        devtools.detach()
        page.emulate_media(media="null", color_scheme="light", reduced_motion="reduce")
        page.set_viewport_size(SIZE)
        watch.wrong.clear()
        self.free.append((page, watch))
        if len(self.free) > self.most:
            least = min(self.free, key=lambda one: (self.asked[one[1].address], one[1].read))
            self.free.remove(least)
            least[0].context.close()

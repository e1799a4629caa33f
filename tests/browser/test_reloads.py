"""What loads a console anew, on a page of nothing else."""

import pytest
from playwright.sync_api import Browser, Page, Route

from dpviz.web.server.static_files import read_asset

SITE = "http://class.test"
APP = '<div data-testid="stApp" data-test-connection-state="CONNECTED"></div>'
SCRIPT = """<script type="module">
  import watch from "/classroom.js";
  watch({ data: { cookie: "dpviz_teacher=one", age: 60 } });
  document.body.dataset.watched = "yes";
</script>"""


@pytest.fixture
def page(chromium: Browser) -> Page:
    page = chromium.new_page()

    def answer(route: Route) -> None:
        if route.request.url.endswith(".js"):
            route.fulfill(body=read_asset("class_cookie.js"), content_type="text/javascript")
        else:
            route.fulfill(body=f"<body>{APP}{SCRIPT}</body>", content_type="text/html")

    page.route("**/*", answer)
    return page


LINE = "(app, now) => app.setAttribute('data-test-connection-state', now)"
RESTS = "() => new Promise(done => setTimeout(done))"  # by then the watcher has been told


@pytest.mark.parametrize(("where", "anew"), [("/classroom", True), ("/explore", False)])
def test_a_console_alone_is_loaded_anew(page: Page, where: str, anew: bool) -> None:
    page.goto(f"{SITE}{where}")
    page.wait_for_selector("[data-watched]")
    page.evaluate("() => { window.before = true; }")
    app = page.get_by_test_id("stApp")
    app.evaluate(LINE, "CONNECTED")  # it was never cut
    page.evaluate(RESTS)
    assert page.evaluate("() => window.before")
    app.evaluate(LINE, "DISCONNECTED_FOREVER")
    app.evaluate(LINE, "CONNECTED")
    if anew:
        page.wait_for_function("() => !window.before")
    else:
        page.evaluate(RESTS)
        assert page.evaluate("() => window.before")
    page.close()

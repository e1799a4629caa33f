"""What is put into Streamlit's page before it is sent."""

from base64 import b64encode
from hashlib import sha256

from starlette.applications import Starlette

from dpviz.base.html import embedded_scripts
from dpviz.commands.serve import inline_script_hashes
from dpviz.web.server.first_paint import page_routes
from dpviz.web.server.streamlit_internals import STATIC_FOLDER
from tests.web.classroom.phone.asgi import Phone
from tests.web.own_process import run_apart


def test_each_page_is_streamlits_with_rules_and_a_script_of_ours() -> None:
    browser = Phone(Starlette(routes=page_routes()))
    told = [run_apart(browser.get(path)) for path in ("/", "/explore", "/classroom?code=A")]
    assert {(each.status, each.text) for each in told} == {(200, told[0].text)}
    before, _, after = told[0].text.partition("<style>")
    _, _, end = after.partition("</style>")[2].partition("</script>")
    assert before + end == (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    assert "stSidebar" in after
    assert told[0].headers["cache-control"] == "no-cache"
    hashes = [
        f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'"
        for each in embedded_scripts(told[0].text)
    ]
    assert set(hashes) <= set(inline_script_hashes())  # behind nginx they run
    assert run_apart(browser.get("/elsewhere")).status == 404

"""What is put into Streamlit's page before it is sent."""

from base64 import b64encode
from hashlib import sha256
from re import findall

from starlette.applications import Starlette

from dpviz.base.html import embedded_scripts
from dpviz.commands.serve import inline_script_hashes
from dpviz.web.server.first_paint import page_routes
from dpviz.web.server.streamlit_internals import STATIC_FOLDER
from tests.web.classroom.phone.asgi import Phone
from tests.web.own_process import run_apart


def test_each_page_is_streamlits_with_rules_a_script_and_an_early_call_for_the_chart_script() -> (
    None
):
    browser = Phone(Starlette(routes=page_routes()))
    told = [run_apart(browser.get(path)) for path in ("/", "/explore", "/classroom?code=A")]
    assert {(each.status, each.text) for each in told} == {(200, told[0].text)}
    before, _, after = told[0].text.partition("<style>")
    links, _, end = after.partition("</script>")[2].partition("</head>")
    assert before + "</head>" + end == (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    assert "stSidebar" in after
    assert told[0].headers["cache-control"] == "no-cache"
    hashes = [
        f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'"
        for each in embedded_scripts(told[0].text)
    ]
    assert set(hashes) <= set(inline_script_hashes())  # behind nginx they run
    (script,) = findall(r'<link rel="modulepreload" fetchpriority="low" href="(.*?)">', links)
    assert "plotly" in (STATIC_FOLDER / script).read_text(encoding="utf-8")
    assert run_apart(browser.get("/elsewhere")).status == 404

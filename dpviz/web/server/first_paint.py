"""Streamlit's page with style rules and a script of ours, for the first second.

Streamlit shows a sidebar and grey boxes until a page's own rules arrive, and then moves them all.
It asks for the script that draws charts, its largest, only once a chart has arrived.
"""

from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dpviz.base import APP_FOLDER, Markup, join_markup, markup
from dpviz.web.server.allowed_hosts import base_path
from dpviz.web.server.static_files import read_asset
from dpviz.web.server.streamlit_internals import CHART_SCRIPTS, STATIC_FOLDER

_END = Markup("</head>")


def page_routes() -> list[Route]:
    """Routes of the app's pages; Streamlit itself answers at other addresses."""
    names = ["", *(script.stem for script in (APP_FOLDER / "pages").glob("*.py"))]
    return [Route(f"{base_path()}/{name}", _send_page, methods=["GET"]) for name in names]


def _send_page(request: Request) -> Response:
    return HTMLResponse(_page(), headers={"Cache-Control": "no-cache"})


@cache
def _page() -> str:
    page = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    rules = Markup(read_asset("sidebar_drawer.css") + read_asset("first_paint.css"))
    script = Markup(read_asset("first_paint.js"))
    link = '<link rel="modulepreload" fetchpriority="low" href="./static/js/{}">'
    links = join_markup(markup(link, each.name) for each in CHART_SCRIPTS)
    first = markup("<style>{}</style><script>{}</script>{}", rules, script, links)
    return page.replace(_END, first + _END, 1)

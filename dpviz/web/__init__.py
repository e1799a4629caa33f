"""Everything that knows Streamlit or HTTP, floor by floor.

`server` is what stands between the network and Streamlit, `session` what one person has, `jobs` the
work beside a page, `widgets` what pages are made of, `screens` a file or folder a page, `classroom`
the teacher's screen and the phones, `static` all style sheets and scripts. Each imports only from
those before it. Read `widgets/page_start.py` first, then a page in `pages/` and its screen.
"""

from dpviz.web.jobs import turn
from dpviz.web.server.allowed_hosts import NamedHosts
from dpviz.web.server.closed_tabs import Leaving
from dpviz.web.server.first_paint import FirstPaint
from dpviz.web.server.message_filter import OwnPages
from dpviz.web.server.static_compression import Packed
from dpviz.web.server.upload_budget import Uploads
from dpviz.web.session.chart_theme import look
from dpviz.web.startup import opening
from dpviz.web.widgets.page_start import navigation, start, start_alone, start_without_scores

__all__ = [
    "FirstPaint",
    "Leaving",
    "NamedHosts",
    "OwnPages",
    "Packed",
    "Uploads",
    "look",
    "navigation",
    "opening",
    "start",
    "start_alone",
    "start_without_scores",
    "turn",
]

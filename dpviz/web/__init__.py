"""Everything that knows Streamlit or HTTP, floor by floor.

`server` stands between the network and Streamlit, `session` holds the state of one person, `jobs`
computes beside a page. `widgets` has the parts of pages, `screens` a file or folder a page,
`classroom` the teacher's screen and the phones, `static` all style sheets and scripts. Each imports
only from those before it. Read `widgets/page_start.py` first, then a page in `pages/` and its
screen.
"""

from dpviz.web.jobs import take_turn
from dpviz.web.server.allowed_hosts import AllowedHostsMiddleware
from dpviz.web.server.message_filter import MessageFilterMiddleware
from dpviz.web.server.static_compression import StaticCompressionMiddleware
from dpviz.web.server.upload_budget import UploadBudgetMiddleware
from dpviz.web.session import current_look
from dpviz.web.startup import app_lifespan
from dpviz.web.widgets import (
    requested_page,
    set_up_page,
    set_up_page_without_scenario,
    set_up_page_without_scores,
)

__all__ = [
    "AllowedHostsMiddleware",
    "MessageFilterMiddleware",
    "StaticCompressionMiddleware",
    "UploadBudgetMiddleware",
    "app_lifespan",
    "current_look",
    "requested_page",
    "set_up_page",
    "set_up_page_without_scenario",
    "set_up_page_without_scores",
    "take_turn",
]

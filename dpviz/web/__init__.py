"""Everything that knows Streamlit or HTTP, floor by floor.

Each imports only from those before it: `server`, `session`, `jobs`, `widgets`, `screens`,
`classroom`.
"""

from dpviz.web.jobs import take_turn
from dpviz.web.server.allowed_hosts import AllowedHostsMiddleware
from dpviz.web.server.message_filter import MessageFilterMiddleware
from dpviz.web.server.static_compression import StaticCompressionMiddleware
from dpviz.web.server.upload_budget import UploadBudgetMiddleware
from dpviz.web.startup import app_lifespan
from dpviz.web.widgets import (
    current_look,
    requested_page,
    set_up_page,
    set_up_page_without_scenario,
    set_up_page_without_scores,
)

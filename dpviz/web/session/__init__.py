"""A person's session: the scenario, values kept under a name, the theme, and what waits for later.

Read `state` first: it holds the scenario, which every control shows and edits.
"""

from dpviz.web.session.deferred_calls import defer_to_next_run
from dpviz.web.session.slot import SessionValue

__all__ = ["SessionValue", "defer_to_next_run"]

"""A person's session: the scenario, named values, the theme, and callbacks for the next run.

Read `state` first: it holds the scenario, which every control shows and edits.
"""

from dpviz.web.session.deferred import defer_to_next_run
from dpviz.web.session.slot import SessionValue

__all__ = ["SessionValue", "defer_to_next_run"]

"""A person's session: the scenario, values kept under a name, the theme, and what waits for later.

Read `state` first: it holds the scenario, which every control shows and edits.
"""

from dpviz.web.session.deferred import soon
from dpviz.web.session.slot import Slot

__all__ = ["Slot", "soon"]

"""The sparse vector technique with gaps: queries against a noisy threshold until ε is spent.

Read `mechanism` first, then `sparse_vector` (the two on the menu), `run_law` and `run_replay`.
"""

from dpviz.base import import_submodules

import_submodules(__name__)

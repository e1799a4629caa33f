"""The sparse vector technique with gaps: queries against a noisy threshold until ε is spent.

Read `mechanism` first, then `sparse_vector` (the two on the menu) and `run_law` (a chain and one
integral, as queries are independent given the threshold's noise); `run_replay` replays a release.
"""

from dpviz.base import import_submodules

import_submodules(__name__)

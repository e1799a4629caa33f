"""The sparse vector technique with gaps: queries against a noisy threshold until the budget is
spent.

Read `mechanism` first, then `sparse_vector` (the two on the menu) and `run_law` (given the
threshold's noise the queries are independent: a chain and one integral). `run_replay` replays a
release step by step.
"""

from dpviz.base import import_submodules

import_submodules(__name__)

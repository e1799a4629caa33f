"""The joint exponential mechanism: one loss for a whole answer, equal losses equally likely.

Read `joint_exponential` first, then `level_distribution` (how likely each loss is) and `level_law`
(figures from it). Sets are counted as lattice paths (`bounded_paths`), sequences as products
(`ordered_choices`).
"""

from dpviz.base import import_submodules

import_submodules(__name__)

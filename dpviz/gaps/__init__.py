"""What comes free: the gaps that noisy top-k and sparse vector compute and usually throw away.

Read `noisy_top_k` first, then `gap_estimates` (what a gap is worth) and `gap_experiment` (what it is worth
once items have been selected); `sparse` is the sparse vector technique.
"""

from dpviz.base import discover

discover(__name__)

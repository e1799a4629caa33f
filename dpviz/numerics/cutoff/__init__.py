"""The k largest of independent noisy values, against the cut-off: the (k+1)-th largest of them.

Read `cutoff_race` first. `window` finds the items and values that matter, `tilted_nodes` and
`angles` the nodes in value and frequency, `poisson_binomial` and `item_sums` sum over them.
"""

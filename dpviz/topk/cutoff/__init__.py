"""One-shot laws: independent noisy scores against the cut-off, the (k+1)-th largest of them.

Read `cutoff_law` first. `window` finds the items and values that matter, `tilted_nodes` and `angles` the
nodes in value and frequency, `poisson_binomial` and `inclusion` sum over them, `cutoff_draws` draws.
"""

"""Neighbouring scores, the privacy loss between two worlds, odds and prices.

Read `loss` for the privacy loss, `loss_computation` for each mechanism's way to it, `common_order`
for the exact one at any size; `worst_case_search` searches for the neighbour that tells most;
`odds` and `privacy_conversions` turn ε into chances and other prices.
"""

"""Neighbouring scores, the privacy loss between two worlds, odds and prices.

Read `loss` first, then `loss_computation` (each mechanism's way to it); `worst_case_search`
searches for the neighbour that tells most; `odds` and `privacy_conversions` turn ε into prices.
"""

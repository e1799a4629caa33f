"""What one person's data changes: neighbouring scores, the loss between two worlds, odds and
prices.

Read `loss` for what a privacy loss is, `loss_computation` for the way of each mechanism to it,
`common_order` for the exact one at any size; `worst_case_search` searches for the neighbour that
tells most; `odds` and `privacy_conversions` say what ε costs.
"""

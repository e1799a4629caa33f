"""What one person's data changes: neighbouring scores, the loss between two worlds, odds and
prices.

Read `loss` for what a privacy loss is, `meter` for the way of each mechanism to it, `common_order`
for the exact one at any size; `worst` searches for the neighbour that tells most; `odds` and
`prices` say what ε costs.
"""

"""Sentences and cells of a decision, for the page, the sheet and its JSON alike.

Invariants: figures are the decision's, rounded; nothing else is computed.
"""

"""Gaps: the free gaps of noisy top-k and sparse vectors."""

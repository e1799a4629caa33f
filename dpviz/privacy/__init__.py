"""Neighbouring scores, the privacy loss between two worlds, odds and prices."""

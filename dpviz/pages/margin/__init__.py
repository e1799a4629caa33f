"""Margin: one item of a huge universe."""

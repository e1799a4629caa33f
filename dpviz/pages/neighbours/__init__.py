"""Neighbours: two worlds that differ in one person. `settings`, then `study`, then `view`."""

"""Candidates: one of many private runs. `settings`, then `study`, then `sentences` and views."""

"""Decide: the question, and the plan that costs least."""
